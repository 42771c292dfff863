#include "base/progress.h"
#include "base/shell.h"
#include "cli/cli.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "live/record.h"
#include "trace/kind.h"
#include <stdlib.h>
#include <string.h>

static int run(int argc, char **argv);

const struct sb_command sb_command_record = {
    .name = "record",
    .summary = "run a command and record every BEAM that it starts",
    .usage = "[-o T.sbt] [--trace all,calls] [--module M]... [--app A]... [--duration 10s]\n"
             "                     [--limit-events N] [--limit-bytes N] [--buffer 64M] [--level N] -- CMD...",
    .doc =
        "Runs erl, escript, elixir, mix, rebar3, iex, erlc or the start script of a release and records it.\n"
        "strobe sets environment variables that the VM reads; the program is not changed.\n"
        "\n"
        "  -o T.sbt          the trace (strobe.sbt); if there are several VMs, the largest trace gets this\n"
        "                    name and the others are T.OSPID.sbt; an earlier trace is kept as T.sbt.old\n"
        "  --trace LIST      procs, running, messages, gc, ports, vm, calls, sample (stacks at yield "
        "points);\n"
        "                    `all` is everything except calls and sample (all)\n"
        "  --module M        trace the calls of this module (may be repeated): lists, or in Elixir "
        "MyApp.Foo\n"
        "  --app A           trace the calls of all modules of this application (may be repeated)\n"
        "  --duration T      stop recording after this time; the command continues\n"
        "  --limit-events N  stop recording after about N events\n"
        "  --limit-bytes N   stop recording when the trace reaches this size\n"
        "  --buffer SIZE     ring buffers per VM (64M); when they are full, events are dropped and counted;\n"
        "                    the program never waits\n"
        "  --level N         zstd level of the trace (1); 0 does not compress it\n"
        "\n"
        "Recording starts while the VM boots, before a release starts its applications. Ctrl-C stops the\n"
        "recording and leaves a complete trace. The exit code is that of the command; 125 if strobe itself\n"
        "failed, 126 if the command cannot be run, 127 if there is no such command.\n",
    .example = "strobe record -o t.sbt -- mix test",
    .run = run,
};

enum { OWN_FAILURE = 125 };

/* `code`: the exit code of a command that could not be started, or 0 */
static int
fail(const struct sb_err *e, int code)
{
    sb_cli_fail(e);
    return e->code == SB_ERR_USAGE ? 2 : code ? code : OWN_FAILURE;
}

static const char *
join(struct sb_arena *a, const struct sb_option_list *l)
{
    struct sb_str s = {0};
    for (size_t i = 0; i < l->n; i++)
        s = sb_arena_printf(a, "%.*s%s%s", SB_STR_ARG(s), i ? "," : "", l->at[i]);
    return s.p;
}

/* Checks the classes, and whether `calls` is one of them. */
static bool
check_classes(const char *classes, bool *calls, struct sb_err *e)
{
    struct sb_str rest = sb_str_of(classes);
    *calls = false;
    while (rest.n > 0) {
        struct sb_str name = sb_str_cut(&rest, ',');
        enum sb_class c;
        bool traced =
            sb_class_find(name, &c) && (c == SB_PROCS || c == SB_RUNNING || c == SB_MESSAGES || c == SB_GC ||
                                        c == SB_PORTS || c == SB_VM || c == SB_CALLS || c == SB_SAMPLE);
        if (!traced && !sb_str_eq(name, SB_STR("all")))
            return sb_err_set(
                e, SB_ERR_USAGE,
                "--trace does not know '%.*s'; it takes all, procs, running, messages, gc, ports, "
                "vm, calls, sample",
                SB_STR_ARG(name));
        *calls |= traced && c == SB_CALLS;
    }
    return true;
}

/* Prints, before anything runs, what is recorded, where to, and when it stops. */
static void
print_plan(const struct sb_record_options *o)
{
    const struct {
        int64_t value;
        enum sb_unit unit;
        const char *of;
    } limit[] = {{o->max_ns, SB_U_NS, ""},
                 {(int64_t)o->max_events, SB_U_COUNT, " events"},
                 {(int64_t)o->max_bytes, SB_U_BYTES, " of trace"}};
    bool all = strcmp(o->what.classes, "all") == 0;
    fprintf(stderr, "strobe: recording %s%s%s into %s; press Ctrl-C to stop", o->command[0], all ? "" : ": ",
            all ? "" : o->what.classes, o->trace);
    const char *before = "; stops after ";
    for (unsigned i = 0; i < 3; i++) {
        char text[40];
        if (limit[i].value == 0)
            continue;
        int n = (int)sb_human(text, sizeof text, limit[i].value, limit[i].unit);
        fprintf(stderr, "%s%.*s%s", before, n, text, limit[i].of);
        before = " or ";
    }
    fputc('\n', stderr);
}

static void
print_kinds(const struct sb_sbt_trailer *t)
{
    bool done[SB_EVENT_KINDS] = {false};
    if (t->events == 0)
        fputs("  events   none: the VM ended before it could be recorded", stderr);
    for (int shown = 0;; shown++) {
        unsigned best = 0;
        for (unsigned k = 1; k < SB_EVENT_KINDS; k++)
            if (!done[k] && t->kinds[k] && (!best || t->kinds[k] > t->kinds[best]))
                best = k;
        if (!best)
            break;
        done[best] = true;
        char n[40];
        int len = (int)sb_human(n, sizeof n, (int64_t)t->kinds[best], SB_U_COUNT);
        fprintf(stderr, "%s%s %.*s",
                shown == 0       ? "  events   "
                : shown % 6 == 0 ? ",\n           "
                                 : ", ",
                sb_kinds[best].tag, len, n);
    }
    fputc('\n', stderr);
}

static void
print_loss(const struct sb_sbt_trailer *t)
{
    bool any = false;
    for (unsigned c = 0; c < SB_CLASSES; c++)
        if (t->dropped[c]) {
            fprintf(stderr, "%s%s %llu", any ? ", " : "  lost     ", sb_class_names[c],
                    (unsigned long long)t->dropped[c]);
            any = true;
        }
    fputs(any ? ": record less, or use a larger --buffer\n" : "  lost     nothing\n", stderr);
}

static void
print_trace(const struct sb_recorded *v)
{
    char events[40], span[40], bytes[40], cpu[40];
    const struct sb_sbt_trailer *t = &v->totals;
    if (!v->complete) {
        fprintf(stderr, "strobe: %s is incomplete: its drain was stopped; the events in it can be read\n",
                v->path);
        return;
    }
    int ne = (int)sb_human(events, sizeof events, (int64_t)t->events, SB_U_COUNT);
    int ns = (int)sb_human(span, sizeof span, t->end_ns - v->start_ns, SB_U_NS);
    int nb = (int)sb_human(bytes, sizeof bytes, (int64_t)v->bytes, SB_U_BYTES);
    int nc = (int)sb_human(cpu, sizeof cpu, (int64_t)t->drain_cpu_ns, SB_U_NS);
    fprintf(stderr, "strobe: %s: %.*s events in %.*s, %.*s (%.1f bytes per event)\n", v->path, ne, events, ns,
            span, nb, bytes, t->events ? (double)v->bytes / (double)t->events : 0.0);
    print_kinds(t);
    print_loss(t);
    static const char *const why[] = {[SB_STOP_TIME] = "the time limit",
                                      [SB_STOP_EVENTS] = "the event limit",
                                      [SB_STOP_BYTES] = "the size limit",
                                      [SB_STOP_DISK] = "a full disk or write error",
                                      [SB_STOP_USER] = "you"};
    if (t->stop && t->stop < sizeof why / sizeof *why)
        fprintf(stderr, "  ended    by %s\n", why[t->stop]);
    fprintf(stderr, "  cost     writing the trace took %.*s of CPU time outside the node\n", nc, cpu);
}

static void
print_summary(const struct sb_record_result *r)
{
    if (r->vm.n == 0)
        return;
    print_trace(&r->vm.at[0]);
    for (size_t i = 1; i < r->vm.n; i++)
        fprintf(stderr, "  another VM: %s, %llu events\n", r->vm.at[i].path,
                (unsigned long long)r->vm.at[i].totals.events);
    if (r->kept_old)
        fprintf(stderr, "  kept     the earlier trace, as %s.old\n", r->vm.at[0].path);
    struct sb_arena arena;
    sb_arena_init(&arena);
    fprintf(stderr, "  next     strobe report %.*s\n",
            SB_STR_ARG(sb_shell_word(sb_str_of(r->vm.at[0].path), &arena)));
    sb_arena_close(&arena);
    sb_cli_say(r->missing);
}

/* The exit code. An empty recording is a failure of strobe, unless the command itself failed. */
static int
outcome(const struct sb_record_result *r, const char *command)
{
    struct sb_err e = {0};
    print_summary(r);
    if (r->vm.n > 0)
        return r->exit_code;
    if (r->failed.n)
        sb_err_set(&e, SB_ERR_SYSTEM, "the VM could not be recorded: %.*s", SB_STR_ARG(r->failed));
    else
        sb_err_set(
            &e, SB_ERR_SYSTEM,
            "no Erlang VM was recorded: %s started none, or started it in the background or as another user",
            command);
    e.at_byte = SB_NO_BYTE;
    sb_cli_fail(&e);
    return r->exit_code ? r->exit_code : OWN_FAILURE;
}

enum { SHORTEST_NS = 1000000 };

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_record_options o = {.trace = "strobe.sbt", .what = {.classes = "all", .buffer = 64 << 20}};
    struct sb_option_list modules = {0}, apps = {0};
    uint64_t level = 1;
    bool calls;
    const struct sb_option options[] = {
        {"-o", SB_OPT_TEXT, &o.trace},
        {"--trace", SB_OPT_TEXT, &o.what.classes},
        {"--module", SB_OPT_LIST, &modules},
        {"--app", SB_OPT_LIST, &apps},
        {"--duration", SB_OPT_NS, &o.max_ns},
        {"--limit-events", SB_OPT_U64, &o.max_events},
        {"--limit-bytes", SB_OPT_BYTES, &o.max_bytes},
        {"--buffer", SB_OPT_BYTES, &o.what.buffer},
        {"--level", SB_OPT_U64, &level},
    };
    if (!sb_cli_options(options, sizeof options / sizeof *options, &argc, argv, true, &e) ||
        !check_classes(o.what.classes, &calls, &e))
        return fail(&e, 0);
    if (argc == 0)
        return sb_cli_usage("record", "no command to run");
    if (o.max_ns > 0 && o.max_ns < SHORTEST_NS)
        return sb_cli_usage("record", "--duration of %lld ns is too short; write a unit, as in 10s or 500ms",
                            (long long)o.max_ns);
    if (!sb_cli_can_create(o.trace, false))
        return sb_cli_usage("record", "-o %s: no file can be written there", o.trace);
    if (calls && !modules.n && !apps.n)
        return sb_cli_usage("record",
                            "calls needs --module or --app: tracing every function would stop the node");
    struct sb_arena a;
    struct sb_record_result result = {0};
    sb_arena_init(&a);
    o.what.modules = join(&a, &modules);
    o.what.apps = join(&a, &apps);
    o.what.classes =
        (modules.n || apps.n) && !calls ? sb_arena_printf(&a, "%s,calls", o.what.classes).p : o.what.classes;
    o.level = (int)(level < 19 ? level : 19);
    o.command = argv;
    argv[argc] = NULL;
    print_plan(&o);
    int code = sb_record(&o, &a, &result, &e) ? outcome(&result, argv[0]) : fail(&e, result.exit_code);
    SB_VEC_FREE(&result.vm);
    free(modules.at);
    free(apps.at);
    sb_arena_close(&a);
    return code;
}
