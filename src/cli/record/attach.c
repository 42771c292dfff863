#include "base/json.h"
#include "base/signals.h"
#include "cli/record/attached.h"
#include "cli/frame/cli.h"
#include "cli/record/first_look.h"
#include "cli/frame/members.h"
#include "cli/record/recording.h"
#include "trace/kind.h"
#include <stdlib.h>
#include <unistd.h>

static int run(int argc, char **argv);

struct request {
    struct sb_recording_options recording;
    bool force, all;
    const char *via;
    unsigned format;
};

static const struct sb_option options[] = {
#define FOR(record, attach) attach
#define OPTION(name, type, field, value, doc, ...)                                                           \
    {name, type, offsetof(struct request, recording.field), value, doc, __VA_ARGS__},
#include "cli/record/recording.def"
#undef OPTION
#undef FOR
    {"--via", SB_OPT_TEXT, offsetof(struct request, via), "CMD",
     "reach the node by this command of the shell, in place of TARGET: one that evaluates its last argument "
     "(or what stands in the place of {}) in the node, in Erlang or Elixir, such as 'bin/shop rpc', alone or "
     "through kubectl exec, docker exec or ssh"},
    {"--all", SB_OPT_FLAG, offsetof(struct request, all), NULL,
     "record the nodes that TARGET is connected to, too, except hidden ones"},
    {"--force", SB_OPT_FLAG, offsetof(struct request, force), NULL,
     "record a node that is in trouble: long run queues, little memory, full tables"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json",
     "json: end with {trace, events, loss, left} on standard output; `left` names what could not be removed "
     "from the node (text)"},
    {0}};

const struct sb_command sb_command_attach = {
    .name = "attach",
    .summary = "record a node that is running already, with nothing installed there",
    .operands = "TARGET... | --via CMD",
    .doc =
        "Connects to a node, sends the tracer to it, records, and removes all of it again. TARGET is the "
        "name of\n"
        "the node (shop@here; shop with the short name of this machine) or the number of its operating "
        "system\n"
        "process. The node runs OTP 25 or later with distribution (-sname or -name); it needs no module of\n"
        "strobe, no runtime_tools and no compiler, and may be in embedded mode.\n"
        "\n"
        "Several nodes are recorded at once: each has a trace with its name, x.shop@here.sbt for -o x.sbt, "
        "and all\n"
        "are analysed into one profile, x.sbp. A node that refuses is named, and the others are recorded.\n"
        "\n"
        "--via reaches a node where the distribution cannot: with TLS, in a container, behind ssh. The "
        "command\n"
        "runs about ten times for a recording, and evaluates an expression in the node each time:\n"
        "\n"
        "    strobe attach --via 'bin/shop rpc'\n"
        "    strobe attach --via 'kubectl exec -i shop-0 -- bin/shop rpc'\n"
        "    strobe attach --via 'ssh host sudo -u shop /opt/shop/bin/shop eval {}'\n"
        "\n"
        "If the rings of the node cannot be read from here (another machine, a container, another user's "
        "node),\n"
        "the node writes the trace into a file of its own, by a thread for dirty jobs and uncompressed; "
        "strobe\n"
        "fetches it in pieces of 128 KiB, or 1 MiB with --via, and the node removes the file.\n"
        "\n"
        "Where no tracer can be loaded (another architecture, musl, no folder that may hold code) OTP's own "
        "trace\n"
        "port records. It needs runtime_tools in the node, costs more and may lose events; strobe prints why "
        "it\n"
        "is used and what it lost.\n"
        "\n"
        "Unless the options say otherwise the recording ends after 10 s, 10 M events or 256 MB. Ctrl-C "
        "ends\n"
        "it and leaves a complete trace. If strobe is killed or the connection is lost, the node ends the\n"
        "recording by itself and removes what belongs to it; with --via it does so when no run of the "
        "command\n"
        "has come for a time that strobe prints (four runs of the command, at least 10 s, and 3 s). On a "
        "terminal\n"
        "the trace is analysed at the end, and what is worth looking at comes first.\n"
        "\n"
        "The cookie is that of the node's command line, or of the .erlang.cookie of the node's user or "
        "yours;\n"
        "the environment variable RELEASE_COOKIE comes before them.",
    .example = "strobe attach shop@here --duration 5s -o shop.sbt",
    .option = options,
    .run = run,
};

extern const struct sb_command sb_command_analyze;

enum { DEFAULT_EVENTS = 10000000, DEFAULT_BYTES = 256000000 };
static const int64_t DEFAULT_NS = 10000000000;

static bool
print_json(const struct sb_attach_result *r, struct sb_err *e)
{
    struct sb_out out;
    struct sb_json j;
    SB_TRY(sb_out_open(&out, NULL, e));
    sb_json_open(&j, &out, false);
    sb_json_obj(&j);
    sb_json_key(&j, SB_STR("trace"));
    if (r->trace.path)
        sb_json_str(&j, sb_str_of(r->trace.path));
    else
        sb_json_null(&j);
    sb_json_key(&j, SB_STR("events"));
    if (r->trace.complete)
        sb_json_u64(&j, r->trace.totals.events);
    else
        sb_json_null(&j);
    sb_json_key(&j, SB_STR("loss"));
    sb_json_obj(&j);
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (r->trace.totals.dropped[c]) {
            sb_json_key(&j, sb_str_of(sb_class_names[c]));
            sb_json_u64(&j, r->trace.totals.dropped[c]);
        }
    sb_json_end(&j);
    sb_json_key(&j, SB_STR("left"));
    sb_json_arr(&j);
    for (size_t i = 0; i < r->left.n; i++)
        sb_json_str(&j, r->left.at[i]);
    sb_json_end(&j);
    sb_json_end(&j);
    sb_out_char(&out, '\n');
    return sb_out_close(&out, e);
}

static void
print_plan(void *ctx, const struct sb_target *t, const char *obstacle, int64_t lease_ms)
{
    sb_attached_print_plan(ctx, t, obstacle, lease_ms);
}

static int
attach(const struct sb_attach_options *o, const struct request *q, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE}, printing = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result r = {0};
    bool ok = sb_attach(o, a, &r, &e);
    if (ok || r.node.n)
        sb_attached_print(&r, q->recording.report, ok && o->how->flight.window_ns > 0);
    int code = ok ? (r.left.n ? 1 : 0) : sb_cli_fail(&e);
    if (q->format == SB_FORMAT_JSON && !print_json(&r, &printing))
        code = sb_cli_fail(&printing);
    SB_VEC_FREE(&r.left);
    return code;
}

struct several {
    struct sb_attach_options o;
    struct request *q;
    struct sb_arena *a;
};

static int
attach_one(const char *target, const char *trace, void *ctx)
{
    const struct several *s = ctx;
    struct sb_attach_options o = s->o;
    s->q->recording.o.trace = trace; /* o.how; this process records only this node */
    o.target = target;
    s->q->recording.report = SB_LOOK_NEVER;
    return attach(&o, s->q, s->a);
}

/* Into one profile: "x.sbt" names "x.sbp". */
static int
analyse(const char **argv, size_t traces, const char *trace, struct sb_arena *a)
{
    struct sb_str stem = sb_str_of(trace);
    stem.n -= sb_str_ends(stem, SB_STR(".sbt")) ? 4 : 0;
    argv[0] = "analyze";
    argv[traces + 1] = "-o";
    argv[traces + 2] = sb_arena_printf(a, "%.*s.sbp", SB_STR_ARG(stem)).p;
    return sb_command_analyze.run((int)traces + 3, (char **)argv);
}

static int
attach_each(const char *const *target, size_t n, struct several *s)
{
    struct sb_members m = {.run = attach_one, .ctx = s};
    const char *trace = s->o.how->trace;
    const char **argv = sb_zeroed_or_die(n + 4, sizeof *argv);
    int signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    for (size_t i = 0; i < n; i++)
        if (!sb_members_find(&m, target[i]))
            sb_members_add(&m, target[i], sb_member_trace(trace, target[i], s->a));
    sb_members_wait(&m, signals);
    close(signals);
    size_t traces = sb_members_traces(&m, argv + 1);
    int code = sb_members_close(&m), analysed = traces > 0 ? analyse(argv, traces, trace, s->a) : 0;
    free(argv);
    return code ? code : analysed;
}

/* The nodes that are given, and with --all those that the first is connected to. */
static int
attach_several(const struct sb_attach_options *o, struct request *q, char **argv, size_t n,
               struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result r = {0};
    struct several s = {*o, q, a};
    SB_VEC(const char *) target = {0};
    for (size_t i = 0; i < n; i++)
        *SB_PUSH(&target) = argv[i];
    int code = q->all && !sb_attach_nodes(o, a, &r, &e) ? sb_cli_fail(&e) : 0;
    for (struct sb_str rest = r.nodes; rest.n > 0;)
        *SB_PUSH(&target) = sb_arena_str(a, sb_str_cut(&rest, '\n')).p;
    if (code == 0)
        code = attach_each(target.at, target.n, &s);
    SB_VEC_FREE(&target);
    SB_VEC_FREE(&r.left);
    return code;
}

/* A flight recorder runs until it is stopped. */
static void
set_defaults(struct sb_record_options *how)
{
    bool flight = how->flight.window_ns > 0;
    if (how->what.max_ns == INT64_MAX)
        how->what.max_ns = flight ? 0 : DEFAULT_NS;
    if (how->max_events == UINT64_MAX)
        how->max_events = flight ? 0 : DEFAULT_EVENTS;
    if (how->max_bytes == UINT64_MAX)
        how->max_bytes = flight ? 0 : DEFAULT_BYTES;
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct request r = {.recording = SB_RECORDING_DEFAULTS};
    struct sb_record_options *how = &r.recording.o;
    how->what.max_ns = INT64_MAX; /* not given */
    how->max_events = how->max_bytes = UINT64_MAX;
    if (!sb_cli_options(&sb_command_attach, &r, &argc, argv, &e))
        return sb_cli_usage("attach", "%s", e.what);
    bool named = argc > 0 && argv[0][0]; /* a variable of a script may be empty */
    if (!named && !r.via)
        return sb_cli_usage("attach", "no node given");
    if (r.via && (argc > 1 || r.all))
        return sb_cli_usage("attach", "--via reaches one node");
    set_defaults(how);
    struct sb_attach_options o = {.target = named ? argv[0] : NULL,
                                  .via = r.via,
                                  .how = how,
                                  .force = r.force,
                                  .begun = print_plan,
                                  .ctx = how};
    struct sb_arena a;
    sb_arena_init(&a);
    int code = sb_recording_check(&r.recording, "attach", &a);
    if (code == 0)
        code = argc > 1 || r.all ? attach_several(&o, &r, argv, (size_t)argc, &a) : attach(&o, &r, &a);
    sb_recording_free(&r.recording);
    sb_arena_close(&a);
    return code;
}
