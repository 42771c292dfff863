/* strobe analyze T...: turns traces into one profile. */
#include "base/pool_log.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "engine/engine.h"
#include <stdlib.h>

struct request {
    const char *out;
    uint64_t threads, memory, wrap_count;
    bool explain;
};

static const struct sb_option options[] = {
    {"-o", SB_OPT_TEXT, offsetof(struct request, out), "P.sbp",
     "the profile (next to the first trace, under its name)"},
    {"--threads", SB_OPT_U64, offsetof(struct request, threads), "N", "number of threads (0: one per core)",
     0, 256},
    {"--memory", SB_OPT_BYTES, offsetof(struct request, memory), "SIZE",
     "memory for data that waits to be ordered (128M); the rest goes to temporary files next to the profile"},
    {"--wrap-count", SB_OPT_U64, offsetof(struct request, wrap_count), "N",
     "the number of files of a wrap set, as it was given to dbg", 0, UINT32_MAX},
    {"--explain", SB_OPT_FLAG, offsetof(struct request, explain), NULL,
     "print the CPU time of each stage, the longest chain of tasks that wait for each other, and how "
     "long the analysis would take on 1 to 16 cores"},
    {0}};

SB_COMMAND(analyze) = {
    .name = "analyze",
    .summary = "turn traces into a profile",
    .operands = "T...",
    .doc =
        "Reads one or more traces of any supported format and writes one profile. The traces may come from\n"
        "several nodes. The files of a wrap set are one trace; give its base name. T may be - for standard\n"
        "input; -o is needed then.",
    .example = "strobe analyze app.sbt -o app.sbp",
    .option = options,
    .run = run,
};

static void
put_summary(const struct sb_engine_summary *s, const char *profile)
{
    printf("%s: %s event%s of %s process%s over %s (%s) in %s, %.1f M events/s\n", profile,
           sb_human((int64_t)s->events, SB_U_COUNT).text, s->events == 1 ? "" : "s",
           sb_human((int64_t)s->processes, SB_U_COUNT).text, s->processes == 1 ? "" : "es",
           sb_human(s->span_ns, SB_U_NS).text, sb_human((int64_t)s->bytes, SB_U_BYTES).text,
           sb_human(s->wall_ns, SB_U_NS).text,
           (double)s->events * 1e3 / (double)(s->wall_ns ? s->wall_ns : 1));
    if (s->unfinished)
        printf("the trace is still being written; the profile has what is known so far\n");
    if (s->lost > 0)
        printf("%llu event%s lost during the recording; see table loss\n", (unsigned long long)s->lost,
               s->lost == 1 ? " was" : "s were");
    if (s->damages > 0)
        printf("the trace is damaged in %llu place%s; the events there are missing\n",
               (unsigned long long)s->damages, s->damages == 1 ? "" : "s");
}

static void
put_stage(const char *name, size_t tasks, int64_t work_ns, int64_t path_ns, const struct sb_pool_stages *all)
{
    printf(
        "  %-44s%9s%12s%5.0f %%%12s%5.0f %%\n", name, tasks ? sb_human((int64_t)tasks, SB_U_COUNT).text : "",
        sb_human(work_ns, SB_U_NS).text, 100.0 * (double)work_ns / (double)(all->work_ns ? all->work_ns : 1),
        sb_human(path_ns, SB_U_NS).text, 100.0 * (double)path_ns / (double)(all->path_ns ? all->path_ns : 1));
}

static void
put_explanation(const struct sb_pool_log *l, const struct sb_engine_summary *s)
{
    struct sb_pool_stages all = sb_pool_log_stages(l);
    printf("\n%-46s%9s%19s%19s\n", "CPU time by stage", "tasks", "work       ", "longest chain");
    for (size_t i = 0; i < all.n; i++)
        put_stage(all.at[i].name ? all.at[i].name : "begin and end", all.at[i].strands, all.at[i].work_ns,
                  all.at[i].path_ns, &all);
    put_stage("all", 0, all.work_ns, all.path_ns, &all);
    printf("\nThe work is %.1f times the longest chain: no number of cores makes it faster than that.\n",
           (double)all.work_ns / (double)(all.path_ns ? all.path_ns : 1));
    printf(
        "The same tasks on more cores, if memory and disk keep up:\n\n  cores  simulated  times as fast\n");
    for (unsigned cores = 1; cores <= 16; cores *= 2) {
        int64_t ns = sb_pool_log_on(l, cores);
        printf("  %5u%11s%15.2f\n", cores, sb_human(ns, SB_U_NS).text,
               (double)all.work_ns / (double)(ns ? ns : 1));
    }
    printf("\nThis analysis took %s.\n", sb_human(s->wall_ns, SB_U_NS).text);
    free(all.at);
}

/* A path that cannot be opened is left to the analysis, which reports why. */
static bool
are_traces(const char *const *paths, size_t n, struct sb_err *e)
{
    for (size_t i = 0; i < n; i++) {
        struct sb_file f;
        if (!sb_file_open(&f, paths[i], NULL))
            continue;
        bool is_profile = sb_profile_is(f.p, f.n);
        sb_file_close(&f);
        if (is_profile) {
            sb_err_set(e, SB_ERR_INPUT, "is a profile already");
            sb_err_advise(e, "strobe report shows it, and strobe merge combines several");
            return sb_err_in(e, paths[i], SB_NO_BYTE);
        }
    }
    return true;
}

static int
analyze(const struct request *r, const char *const *paths, size_t n, const char *out)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_engine_options o;
    struct sb_progress progress = {0};
    struct sb_engine_summary summary;
    sb_engine_defaults(&o);
    o.threads = (unsigned)r->threads;
    o.memory_bytes = r->memory;
    o.wrap_count = (uint32_t)r->wrap_count;
    o.progress = sb_cli_show_analysis;
    o.ctx = &progress;
    o.log = r->explain ? sb_pool_log_open() : NULL;
    sb_heap_in_large_pages();
    bool ok = are_traces(paths, n, &e) && sb_engine_analyze(paths, n, out, &o, &summary, &e);
    if (progress.total)
        sb_progress_close(&progress);
    if (o.log)
        sb_pool_log_end(o.log);
    if (ok)
        put_summary(&summary, out);
    if (ok && o.log)
        put_explanation(o.log, &summary);
    sb_pool_log_close(o.log);
    return ok ? 0 : sb_cli_fail(&e);
}

static int
run(int argc, char **argv)
{
    struct request r = {0};
    char beside[SB_CLI_PATH];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(&sb_command_analyze, &r, &argc, argv, &e))
        return sb_cli_usage("analyze", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("analyze", "no trace given");
    const char *const *paths = (const char *const *)argv;
    if (!sb_cli_are_distinct(paths, (size_t)argc, &e) || !sb_cli_may_write(r.out, paths, (size_t)argc, &e))
        return sb_cli_usage("analyze", "%s", e.what);
    if (!r.out && strcmp(argv[0], "-") == 0)
        return sb_cli_usage("analyze", "a trace from standard input needs a name for its profile: give -o");
    if (!r.out && !sb_engine_profile_path(argv[0], beside, sizeof beside))
        return sb_cli_usage("analyze", "the name of the trace is too long; give -o");
    if (!sb_cli_read_stdin((const char **)argv, (size_t)argc, &e))
        return sb_cli_fail(&e);
    return analyze(&r, paths, (size_t)argc, r.out ? r.out : beside);
}
