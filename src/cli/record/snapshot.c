/* strobe snapshot: has the flight recorder of a node write what it holds. */
#include "live/attach/snapshot.h"
#include "base/json.h"
#include "cli/frame/cli.h"
#include "live/attach/target.h"
#include <unistd.h>

struct request {
    const char *trace, *why;
    unsigned format;
};

static const struct sb_option options[] = {
    {"-o", SB_OPT_TEXT, offsetof(struct request, trace), "T.sbt",
     "the trace (the next number of the recorder's name: T.1.sbt, T.2.sbt, ...)"},
    {"--why", SB_OPT_TEXT, offsetof(struct request, why), "TEXT",
     "the text of the mark in the trace (strobe snapshot)"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json",
     "json: end with {trace} on standard output (text)"},
    {0}};

SB_COMMAND(snapshot) = {
    .name = "snapshot",
    .summary = "write what a flight recorder holds",
    .operands = "TARGET",
    .doc = "Asks the flight recorder of a node for the trace of the last seconds. TARGET is the name of the "
           "node or\n"
           "the number of its operating system process. The recorder was started before, and goes on:\n"
           "\n"
           "  strobe record --flight 60s -- CMD...\n"
           "  strobe attach TARGET --flight 60s\n"
           "  strobe:flight(#{window => \"60s\"})          in the node\n"
           "\n"
           "The node takes no part in this: a node that is overloaded or stuck has its trace written all the "
           "same.",
    .example = "strobe snapshot shop@here -o slow.sbt",
    .option = options,
    .run = run,
};

static bool
print(const struct request *q, struct sb_str path, struct sb_err *e)
{
    struct sb_out out;
    struct sb_json j;
    SB_TRY(sb_out_open(&out, NULL, e));
    if (q->format == SB_FORMAT_JSON) {
        sb_json_open(&j, &out, false);
        sb_json_obj(&j);
        SB_JSON(&j, "trace", str, path);
        sb_json_end(&j);
        sb_out_char(&out, '\n');
    } else
        sb_out_printf(&out, "%.*s\n", SB_STR_ARG(path));
    return sb_out_close(&out, e);
}

/* The drain has another working directory. */
static const char *
absolute(const char *path, struct sb_arena *a)
{
    char here[4096];
    if (!path || *path == '/' || !getcwd(here, sizeof here))
        return path;
    return sb_arena_printf(a, "%s/%s", here, path).p;
}

static int
run(int argc, char **argv)
{
    struct request q = {.why = "strobe snapshot"};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(&sb_command_snapshot, &q, &argc, argv, &e))
        return sb_cli_usage("snapshot", "%s", e.what);
    if (argc != 1)
        return sb_cli_usage("snapshot", argc ? "snapshot takes one node" : "no node given");
    if (q.trace && !sb_cli_can_create(q.trace, false))
        return sb_cli_usage("snapshot", "-o %s: no file can be written there", q.trace);
    SB_ARENA(a);
    struct sb_str path;
    struct sb_snapshot s = {.why = q.why, .path = absolute(q.trace, &a)};
    bool ok = sb_target_os_pid(argv[0], &s.os_pid, &a, &e) && sb_snapshot_ask(&s, &a, &path, &e) &&
              print(&q, path, &e);
    return ok ? 0 : sb_cli_fail(&e);
}
