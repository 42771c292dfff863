#include "live/attach/attach.h"
#include "base/json.h"
#include "cli/cli.h"
#include "cli/first_look.h"
#include "cli/recording.h"
#include "trace/kind.h"

static int run(int argc, char **argv);

struct request {
    struct sb_recording_options recording;
    bool force;
    const char *via;
    unsigned format;
};

static const struct sb_option options[] = {
#define OPTION(name, type, field, value, doc, ...)                                                           \
    {name, type, offsetof(struct request, recording.field), value, doc, __VA_ARGS__},
#include "cli/recording.def"
#undef OPTION
    {"--via", SB_OPT_TEXT, offsetof(struct request, via), "CMD",
     "reach the node by this command of the shell, in place of TARGET: one that evaluates its last argument "
     "(or what stands in the place of {}) in the node, in Erlang or Elixir, such as 'bin/shop rpc', alone or "
     "through kubectl exec, docker exec or ssh"},
    {"--force", SB_OPT_FLAG, offsetof(struct request, force), NULL,
     "record a node that is in trouble: long run queues, little memory, full tables"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json",
     "json: end with {trace, events, loss, left} on standard output; `left` names what could not be removed "
     "from the node (text)"},
    {0}};

const struct sb_command sb_command_attach = {
    .name = "attach",
    .summary = "record a node that is running already, with nothing installed there",
    .operands = "TARGET | --via CMD",
    .doc =
        "Connects to a node, sends the tracer to it, records, and removes all of it again. TARGET is the "
        "name of\n"
        "the node (shop@here; shop with the short name of this machine) or the number of its operating "
        "system\n"
        "process. The node runs OTP 25 or later with distribution (-sname or -name); it needs no module of\n"
        "strobe, no runtime_tools and no compiler, and may be in embedded mode.\n"
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

enum { DEFAULT_EVENTS = 10000000, DEFAULT_BYTES = 256 << 20 };
static const int64_t DEFAULT_NS = 10000000000;

static void
print_plan(void *ctx, const struct sb_target *t, const char *obstacle, int64_t lease_ms)
{
    sb_recording_print_plan(ctx, t->node.p);
    if (obstacle)
        fprintf(stderr,
                "strobe: no tracer can be loaded into %.*s: %s\n"
                "strobe: OTP's own trace port records instead: an event costs the node about ten times as "
                "much, the trace\n"
                "strobe: contains the messages themselves, there are no samples, and events are dropped (and "
                "counted) when its queue is full\n",
                SB_STR_ARG(t->node), obstacle);
    if (lease_ms)
        fprintf(stderr, "strobe: if strobe is killed, the node ends the recording by itself within %lld s\n",
                (long long)(lease_ms + 999) / 1000);
}

/* The closing line compares the node with what it was before. */
static void
print_left(const struct sb_attach_result *r)
{
    if (!r->compared) {
        if (r->node.n && r->left.n == 0)
            fprintf(stderr, "strobe: %.*s could not be looked at after the recording; no file is left here\n",
                    SB_STR_ARG(r->node));
    } else if (r->left.n == 0)
        fprintf(
            stderr,
            "strobe: %.*s is as before: no module, process, port, table, trace flag, session or file is left "
            "(%lld more atoms)\n",
            SB_STR_ARG(r->node), (long long)r->atoms);
    sb_recording_print_left(r->node, r->left.at, r->left.n);
}

static void
print_text(const struct sb_attach_result *r, unsigned report, bool recorded)
{
    if (r->trace.path) {
        sb_first_look(&r->trace, report);
        sb_recorded_print(&r->trace);
        sb_recording_print_next(r->trace.path);
    }
    sb_cli_note(r->missing);
    if (recorded || r->trace.path || r->left.n) /* a refusal is one line, the error */
        print_left(r);
}

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

static int
attach(const struct sb_attach_options *o, const struct request *q, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE}, printing = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result r = {0};
    bool ok = sb_attach(o, a, &r, &e);
    if (ok || r.node.n)
        print_text(&r, q->recording.report, ok && o->how->flight.window_ns > 0);
    int code = ok ? (r.left.n ? 1 : 0) : sb_cli_fail(&e);
    if (q->format == SB_FORMAT_JSON && !print_json(&r, &printing))
        code = sb_cli_fail(&printing);
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
    if (argc > 1 || (!named && !r.via))
        return sb_cli_usage("attach", argc > 1 ? "attach takes one node" : "no node given");
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
        code = attach(&o, &r, &a);
    sb_recording_free(&r.recording);
    sb_arena_close(&a);
    return code;
}
