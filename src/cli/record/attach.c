#include "base/json.h"
#include "base/signals.h"
#include "cli/record/attached.h"
#include "cli/frame/members.h"
#include "cli/record/recording.h"
#include "base/progress.h"
#include "live/attach/joined.h"
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

struct request {
    struct sb_recording_options recording;
    bool force, all;
    const char *via;
    unsigned format;
};

static const struct sb_option options[] = {
#define FOR(record, attach) attach
#define OPTION(name, type, field, value, doc, ...) \
    {name, type, offsetof(struct request, recording.field), value, doc, __VA_ARGS__},
#include "cli/record/recording.def"
#undef OPTION
#undef FOR
    {"--via", SB_OPT_TEXT, offsetof(struct request, via), "CMD",
     "reach the node by this command of the shell, in place of TARGET: one that evaluates its last argument "
     "(or what stands in the place of {}) in the node, in Erlang or Elixir, such as 'bin/shop rpc', alone or "
     "through kubectl exec, docker exec or ssh"},
    {"--all", SB_OPT_FLAG, offsetof(struct request, all), NULL,
     "record the nodes that TARGET is connected to, too, except hidden ones; one that joins later is "
     "recorded from then on, until the time of all has passed"},
    {"--force", SB_OPT_FLAG, offsetof(struct request, force), NULL,
     "record a node that is in trouble: long run queues, little memory, full tables"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json",
     "json: end with {trace, events, loss, left} on standard output; `left` names what could not be removed "
     "from the node (text)"},
    {0}};

SB_COMMAND(attach) = {
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
        "With --all a node that joins is recorded from then on. One that has ended and comes back has a\n"
        "further trace, x.shop@here.2.sbt, and is a node of its own in the profile.\n"
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
    SB_JSON(&j, "trace", text, sb_str_of(r->trace.path));
    sb_json_key(&j, SB_STR("events"));
    if (r->trace.complete)
        sb_json_u64(&j, r->trace.totals.events);
    else
        sb_json_null(&j);
    SB_JSON(&j, "loss", obj);
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (r->trace.totals.dropped[c])
            SB_JSON(&j, sb_class_names[c], u64, r->trace.totals.dropped[c]);
    sb_json_end(&j);
    SB_JSON_EACH (&j, "left", i, r->left.n)
        sb_json_str(&j, r->left.at[i]);
    sb_json_end(&j);
    sb_out_char(&out, '\n');
    return sb_out_close(&out, e);
}

static void
print_plan(void *ctx, const struct sb_attach_begun *b)
{
    struct request *q = ctx;
    const struct sb_record_options *how = &q->recording.o;
    sb_attached_print_plan(how, b);
    if (how->flight.window_ns == 0)
        sb_look_begin(&q->recording.look, how->trace, 0);
}

static int
attach(const struct sb_attach_options *o, struct request *q, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE}, printing = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result r = {0};
    bool ok = sb_attach(o, a, &r, &e);
    if (ok || r.node.n)
        sb_attached_print(&r, &q->recording.look, ok && o->how->flight.window_ns > 0);
    sb_look_end(&q->recording.look);
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
    struct sb_members members;
    int64_t begun_ns;
    int64_t until_ns; /* the end of those that are recorded from now on; 0: as given */
    int joined
        [2]; /* a pipe for the name of each node that joins, in a packet; empty: those before were there */
};

static int
attach_one(const char *target, const char *trace, void *ctx)
{
    const struct several *s = ctx;
    struct sb_attach_options o = s->o;
    s->q->recording.o.trace = trace; /* o.how; this process records only this node */
    o.target = target;
    s->q->recording.look.report = SB_LOOK_NEVER;
    if (s->until_ns)
        s->q->recording.o.what.max_ns = s->until_ns - sb_clock_ns();
    return attach(&o, s->q, s->a);
}

/* Into one profile: "x.sbt" names "x.sbp". On a terminal what is worth looking at follows, of all nodes. */
static int
analyse(const char **argv, size_t traces, const char *trace, struct sb_look *look, struct sb_arena *a)
{
    struct sb_str stem = sb_str_of(trace);
    stem.n -= sb_str_ends(stem, SB_STR(".sbt")) ? 4 : 0;
    argv[0] = "analyze";
    argv[traces + 1] = "-o";
    argv[traces + 2] = sb_arena_printf(a, "%.*s.sbp", SB_STR_ARG(stem)).p;
    struct sb_recorded all = {.path = argv[traces + 2], .complete = true, .totals.events = 1};
    int code = sb_command_analyze.run((int)traces + 3, (char **)argv);
    if (code)
        return code;
    sb_recorded_print_next(all.path);
    sb_first_look(look, &all);
    return 0;
}

/* ---- nodes that join */

static void
tell(void *ctx, struct sb_str node)
{
    const struct several *s = ctx;
    char packet[PIPE_BUF];
    int n = snprintf(packet, sizeof packet, "%.*s\n", SB_STR_ARG(node));
    (void)!write(s->joined[1], packet, (size_t)n);
}

/* In a process of its own, which a signal ends. */
static int
find_joined(const char *target, const char *trace, void *ctx)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sigset_t none;
    (void)trace;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    sb_joined_follow(target, tell, ctx, &e);
    fprintf(stderr, "strobe: nodes that join %s are not recorded any more: %s\n", target, e.what);
    return 1;
}

/* A node that was recorded to an end, or still is, was only away from the one that is asked. */
static void
add_joined(struct several *s, struct sb_str node)
{
    const char *name = sb_arena_str(s->a, node).p, *of = name;
    const struct sb_member *last = sb_members_find(&s->members, name);
    unsigned part = 1;
    if ((last && (last->pid || last->code == 0)) || (s->until_ns && s->until_ns <= sb_clock_ns()))
        return;
    for (size_t i = 0; i < s->members.n; i++)
        part += strcmp(s->members.at[i].target, name) == 0;
    if (part > 1)
        of = sb_arena_printf(s->a, "%s.%u", name, part).p;
    const char *trace = sb_member_trace(s->o.how->trace, of, s->a);
    if (part > 1)
        fprintf(stderr, "strobe: %s is back: %s has the rest, a node of its own in the profile\n", name,
                trace);
    sb_members_add(&s->members, name, trace);
}

/* Returns false once nothing more comes. */
static bool
take_joined(struct several *s, bool *complete)
{
    char packet[PIPE_BUF];
    ssize_t n = read(s->joined[0], packet, sizeof packet);
    if (n > 1)
        add_joined(s, (struct sb_str){packet, (size_t)n - 1});
    else
        *complete = true;
    if (n == 1 && s->o.how->what.max_ns)
        s->until_ns = s->begun_ns + s->o.how->what.max_ns;
    return n > 0;
}

/* Until all recordings have ended. Returns false if nodes that joined were not known to the end. */
static bool
wait_for_each(struct several *s, int signals)
{
    struct pollfd p[] = {{.fd = signals, .events = POLLIN},
                         {.fd = s->q->all ? s->joined[0] : -1, .events = POLLIN}};
    bool complete = !s->q->all, known = true;
    while (sb_members_running(&s->members) > 0 || !complete) {
        poll(p, 2, 1000);
        if (p[0].revents && sb_signals_ask_to_stop(signals)) {
            sb_members_end(&s->members);
            complete = true;
            p[1].fd = -1;
        }
        if (p[1].fd >= 0 && p[1].revents && !take_joined(s, &complete)) {
            known = false;
            p[1].fd = -1;
        }
    }
    return known;
}

/* The nodes that are given, and with --all those that the first is or becomes connected to. */
static int
attach_several(const struct sb_attach_options *o, struct request *q, char **target, size_t n,
               struct sb_arena *a)
{
    struct several s = {.o = *o, .q = q, .a = a, .begun_ns = sb_clock_ns()};
    struct sb_members *m = &s.members;
    struct sb_member finder = {.target = target[0]};
    struct sb_members of_finder = {.at = &finder, .n = 1};
    int signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    if (signals < 0 || pipe2(s.joined, O_CLOEXEC | O_DIRECT) != 0) {
        struct sb_err e = {.at_byte = SB_NO_BYTE};
        sb_err_errno(&e, "start the recordings");
        return sb_cli_fail(&e);
    }
    *m = (struct sb_members){.run = attach_one, .ctx = &s};
    if (q->all)
        sb_member_begin(&finder, find_joined, &s);
    close(s.joined[1]); /* before there are others that would keep it open */
    for (size_t i = 0; i < n; i++)
        if (!sb_members_find(m, target[i]))
            sb_members_add(m, target[i], sb_member_trace(o->how->trace, target[i], a));
    bool known = wait_for_each(&s, signals);
    sb_members_end(&of_finder);
    sb_members_wait(&of_finder, signals);
    const char **argv = sb_zeroed_or_die(m->n + 4, sizeof *argv);
    size_t traces = sb_members_traces(m, argv + 1);
    int code = sb_members_close(m),
        analysed = traces > 0 ? analyse(argv, traces, o->how->trace, &q->recording.look, a) : 0;
    close(signals);
    close(s.joined[0]);
    free(argv);
    return code ? code : known ? analysed : 1;
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
                                  .ctx = &r};
    SB_ARENA(a);
    int code = sb_recording_check(&r.recording, "attach", &a);
    if (code == 0)
        code = argc > 1 || r.all ? attach_several(&o, &r, argv, (size_t)argc, &a) : attach(&o, &r, &a);
    sb_recording_free(&r.recording);
    return code;
}
