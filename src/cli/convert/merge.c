/* strobe merge: joins profiles of several nodes, or of consecutive runs, into one. */
#include "engine/engine.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include <stdlib.h>

struct request {
    const char *out;
};

static const struct sb_option options[] = {
    {"-o", SB_OPT_TEXT, offsetof(struct request, out), "P.sbp", "the profile to write"}, {0}};

SB_COMMAND(merge) = {
    .name = "merge",
    .summary = "merge several profiles into one",
    .operands = "P... -o P",
    .doc =
        "Each P is a profile, or a trace, which is analysed first. The result equals one analysis of all\n"
        "their traces: messages between nodes have both ends, the clocks are aligned by these messages, and\n"
        "waits for a process on another node have their waker.",
    .example = "strobe merge a.sbp b.sbp -o both.sbp",
    .option = options,
    .run = run,
};

static bool
merge(char *const *paths, size_t n, const char *out, struct sb_err *e)
{
    char(*profile)[SB_CLI_PATH] = sb_realloc_or_die(NULL, n * sizeof *profile);
    const char **path = sb_realloc_or_die(NULL, n * sizeof *path);
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        path[i] = profile[i];
        ok = sb_cli_profile_path(paths[i], profile[i], e);
    }
    struct sb_engine_options o;
    sb_engine_defaults(&o);
    ok = ok && sb_cli_may_write(out, path, n, e) && sb_engine_merge(path, n, out, &o, NULL, e);
    free(path);
    free(profile);
    return ok;
}

static int
run(int argc, char **argv)
{
    struct request r = {0};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(&sb_command_merge, &r, &argc, argv, &e))
        return sb_cli_usage("merge", "%s", e.what);
    if (argc == 0 || r.out == NULL)
        return sb_cli_usage("merge", argc == 0 ? "no profile given" : "no output given with -o");
    if (!sb_cli_are_distinct((const char *const *)argv, (size_t)argc, &e) ||
        !sb_cli_may_write(r.out, (const char *const *)argv, (size_t)argc, &e))
        return sb_cli_usage("merge", "%s", e.what);
    return merge(argv, (size_t)argc, r.out, &e) ? 0 : sb_cli_fail(&e);
}
