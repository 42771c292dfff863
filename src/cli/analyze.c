/* strobe analyze T...: turns traces into one profile. */
#include "base/arena.h"
#include "base/progress.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "engine/engine.h"
#include <stdlib.h>

static int run(int argc, char **argv);

const struct sb_command sb_command_analyze = {
    "analyze",
    "turn traces into a profile",
    "T... [-o P.sbp] [--threads N] [--memory SIZE] [--wrap-count N]",
    "Reads one or more traces of any supported format and writes one profile. The traces may come from\n"
    "several nodes. The files of a wrap set are one trace; give its base name. Without -o the profile is\n"
    "written next to the first trace, under its name. --memory limits how much memory holds data that\n"
    "waits to be ordered (512M); the rest goes to temporary files next to the profile.\n",
    "strobe analyze app.sbt -o app.sbp",
    run,
    NULL};

static void
say_summary(const struct sb_engine_summary *s, const char *profile)
{
    char span[32], bytes[32], wall[32], events[32], processes[32];
    events[sb_human(events, sizeof events - 1, (int64_t)s->events, SB_U_COUNT)] = '\0';
    processes[sb_human(processes, sizeof processes - 1, (int64_t)s->processes, SB_U_COUNT)] = '\0';
    span[sb_human(span, sizeof span - 1, s->span_ns, SB_U_NS)] = '\0';
    bytes[sb_human(bytes, sizeof bytes - 1, (int64_t)s->bytes, SB_U_BYTES)] = '\0';
    wall[sb_human(wall, sizeof wall - 1, s->wall_ns, SB_U_NS)] = '\0';
    printf("%s: %s events of %s processes over %s (%s) in %s, %.1f M events/s\n", profile, events, processes,
           span, bytes, wall, (double)s->events * 1e3 / (double)(s->wall_ns ? s->wall_ns : 1));
    if (s->lost > 0)
        printf("%llu events were lost during the recording; see table loss\n", (unsigned long long)s->lost);
    if (s->damages > 0)
        printf("the trace is damaged in %llu places; the events there are missing\n",
               (unsigned long long)s->damages);
}

static int
run(int argc, char **argv)
{
    const char *out = NULL;
    char beside[4096];
    uint64_t threads = 0, wrap_count = 0, memory = 0;
    const struct sb_option options[] = {{"-o", SB_OPT_TEXT, &out},
                                        {"--threads", SB_OPT_U64, &threads},
                                        {"--memory", SB_OPT_BYTES, &memory},
                                        {"--wrap-count", SB_OPT_U64, &wrap_count}};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(options, sizeof options / sizeof *options, &argc, argv, false, &e))
        return sb_cli_usage("analyze", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("analyze", "no trace given");
    if (threads > 256 || wrap_count > UINT32_MAX)
        return sb_cli_usage("analyze", "--threads takes a number up to 256, --wrap-count up to 4294967295");
    if (!sb_cli_may_write(out, (const char *const *)argv, (size_t)argc, &e))
        return sb_cli_usage("analyze", "%s", e.what);
    if (!out && !sb_engine_profile_path(argv[0], beside, sizeof beside))
        return sb_cli_usage("analyze", "the name of the trace is too long; give -o");
    struct sb_engine_options o;
    struct sb_progress progress = {0};
    sb_engine_defaults(&o);
    o.threads = (unsigned)threads;
    o.memory_bytes = memory;
    o.wrap_count = (uint32_t)wrap_count;
    o.progress = sb_cli_show_analysis;
    o.ctx = &progress;
    struct sb_engine_summary summary;
    sb_heap_in_large_pages();
    bool ok =
        sb_engine_analyze((const char *const *)argv, (size_t)argc, out ? out : beside, &o, &summary, &e);
    if (progress.total)
        sb_progress_close(&progress);
    if (!ok)
        return sb_cli_fail(&e);
    say_summary(&summary, out ? out : beside);
    return 0;
}
