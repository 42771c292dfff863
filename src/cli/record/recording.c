#include "cli/record/recording.h"
#include "base/nearest.h"
#include "base/shell.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "live/drain/cpu.h"
#include "live/drain/when.h"
#include <unistd.h>

static const char *
join(struct sb_arena *a, const struct sb_option_list *l)
{
    if (l->n == 0)
        return NULL;
    struct sb_str s = sb_str_of(l->at[0]);
    for (size_t i = 1; i < l->n; i++)
        s = sb_arena_printf(a, "%.*s,%s", SB_STR_ARG(s), l->at[i]);
    return s.p;
}

const char *
sb_recording_class(size_t i)
{
    static const char *const name[] = {"all",   "procs",  "running", "messages",  "gc",         "ports", "vm",
                                       "calls", "sample", "marks",   "migration", "schedulers", "cpu"};
    return i < sizeof name / sizeof *name ? name[i] : NULL;
}

static bool
is_class(struct sb_str name)
{
    for (size_t i = 0; sb_recording_class(i); i++)
        if (sb_str_eq(sb_str_of(sb_recording_class(i)), name))
            return true;
    return false;
}

static bool
unknown_class(struct sb_str name, struct sb_err *e)
{
    struct sb_nearest near = sb_nearest_to(name);
    for (size_t i = 0; sb_recording_class(i); i++)
        sb_nearest_offer(&near, sb_str_of(sb_recording_class(i)));
    return sb_err_set(
        e, SB_ERR_USAGE,
        "--trace does not know '%.*s'%s; it takes all, procs, running, messages, gc, ports, vm, calls, "
        "sample, marks, migration, schedulers, cpu",
        SB_STR_ARG(name), sb_nearest_hint(&near));
}

/* Checks the classes, and whether `calls` is one of them. */
static bool
check_classes(const char *classes, bool *calls, struct sb_err *e)
{
    struct sb_str rest = sb_str_of(classes);
    *calls = false;
    while (rest.n > 0) {
        struct sb_str name = sb_str_cut(&rest, ',');
        if (!is_class(name))
            return unknown_class(name, e);
        *calls |= sb_str_eq(name, SB_STR("calls"));
    }
    return true;
}

/* The list without `cpu`, which the drain records and not the node. */
static const char *
without_cpu(const char *classes, bool *cpu, bool *all, struct sb_arena *a)
{
    struct sb_str rest = sb_str_of(classes), left = {0};
    while (rest.n > 0) {
        struct sb_str name = sb_str_cut(&rest, ',');
        *all |= sb_str_eq(name, SB_STR("all"));
        if (sb_str_eq(name, SB_STR("cpu")))
            *cpu = true;
        else
            left = sb_arena_printf(a, "%.*s%s%.*s", SB_STR_ARG(left), left.n ? "," : "", SB_STR_ARG(name));
    }
    return left.n ? left.p : "running"; /* a sample belongs to the process of its slice */
}

/* What was asked for by name and the kernel refuses is said, and the rest is recorded. `all` takes samples where
 * nothing has to be asked of the VM for them. */
static bool
check_cpu(struct sb_recording_options *r, struct sb_arena *a, struct sb_err *e)
{
    bool cpu = false, all = false;
    struct sb_err why = {.at_byte = SB_NO_BYTE};
    const char *rest = without_cpu(r->o.what.classes, &cpu, &all, a);
    if (cpu && r->o.flight.window_ns)
        return sb_err_set(e, SB_ERR_USAGE, "cpu is not recorded with --flight");
    if (!cpu && (!all || r->o.flight.window_ns || !sb_cpu_has_stacks()))
        return true;
    r->o.what.classes = rest;
    r->o.what.cpu_told = !cpu;
    r->o.what.cpu_mapped = !cpu && sb_folder_has_maps(a);
    if (sb_cpu_is_allowed(&why))
        r->o.what.cpu_hz = cpu ? (unsigned)r->rate : SB_CPU_USUAL_HZ;
    else if (cpu)
        fprintf(stderr, "strobe: no samples of the CPU: %s\n", why.what);
    return true;
}

void
sb_recording_note_functions(void)
{
    fputs("strobe: the VM of the node does not tell where the functions of Erlang are, so they are unknown; "
          "start it with +JPperf map (ERL_FLAGS=\"+JPperf map\")\n",
          stderr);
}

/* The conditions go to the drain as they are; the node is told which events of its log count. */
static bool
check_flight(struct sb_recording_options *r, struct sb_arena *a, struct sb_err *e)
{
    struct sb_flight_options *f = &r->o.flight;
    struct sb_when when;
    if (!f->window_ns)
        return r->when.n == 0 || sb_err_set(e, SB_ERR_USAGE, "--when needs --flight");
    if (f->window_ns < 1000000000)
        return sb_err_set(e, SB_ERR_USAGE, "--flight takes at least 1s");
    if (r->when.n > SB_FLIGHT_WHENS)
        return sb_err_set(e, SB_ERR_USAGE, "--when can be given %d times", SB_FLIGHT_WHENS);
    for (f->n_when = 0; f->n_when < r->when.n; f->n_when++) {
        f->when[f->n_when] = r->when.at[f->n_when];
        SB_TRY(sb_when_read(&when, f->when[f->n_when], e));
        if (when.kind == SB_WHEN_LOG)
            r->o.what.log = sb_arena_str(a, when.name).p;
    }
    f->keep = (unsigned)r->keep;
    r->o.what.flight = true;
    f->max_bytes = r->o.max_bytes ? r->o.max_bytes : SB_FLIGHT_BYTES;
    return true;
}

int
sb_recording_check(struct sb_recording_options *r, const char *command, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_record_options *o = &r->o;
    bool calls;
    if (!check_classes(o->what.classes, &calls, &e))
        return sb_cli_usage(command, "%s", e.what);
    if (!check_cpu(r, a, &e) || !check_flight(r, a, &e))
        return sb_cli_usage(command, "%s", e.what);
    if (!sb_cli_can_create(o->trace, false))
        return sb_cli_usage(command, "-o %s: no file can be written there", o->trace);
    if (calls && !r->modules.n && !r->apps.n)
        return sb_cli_usage(command,
                            "calls needs --module or --app: tracing every function would stop the node");
    o->what.modules = join(a, &r->modules);
    o->what.apps = join(a, &r->apps);
    if ((r->modules.n || r->apps.n) && !calls)
        o->what.classes = sb_arena_printf(a, "%s,calls", o->what.classes).p;
    o->level = (int)r->level;
    return 0;
}

void
sb_recording_free(struct sb_recording_options *r)
{
    free(r->modules.at);
    free(r->apps.at);
    free(r->when.at);
}

static void
print_flight_plan(const struct sb_record_options *o, const char *of)
{
    struct sb_str name = sb_str_of(o->trace);
    name.n -= sb_str_ends(name, SB_STR(".sbt")) ? 4 : 0;
    fprintf(stderr,
            "strobe: keeping the last %s of %s in at most %s; strobe snapshot writes them as %.*s.1.sbt%s\n",
            sb_human(o->flight.window_ns, SB_U_NS).text, of,
            sb_human((int64_t)o->flight.max_bytes, SB_U_BYTES).text, SB_STR_ARG(name),
            o->flight.n_when ? ", and each --when does" : "");
}

void
sb_recording_print_plan(const struct sb_record_options *o, const char *of)
{
    const struct {
        int64_t value;
        enum sb_unit unit;
        const char *of;
    } limit[] = {{o->what.max_ns, SB_U_NS, ""},
                 {(int64_t)o->max_events, SB_U_COUNT, " events"},
                 {(int64_t)o->max_bytes, SB_U_BYTES, " of trace"}};
    bool all = strcmp(o->what.classes, "all") == 0;
    if (o->flight.window_ns) {
        print_flight_plan(o, of);
        return;
    }
    fprintf(stderr, "strobe: recording %s%s%s into %s; press Ctrl-C to stop", of, all ? "" : ": ",
            all ? "" : o->what.classes, o->trace);
    if (o->what.delay_ns)
        fprintf(stderr, "; starts after %s", sb_human(o->what.delay_ns, SB_U_NS).text);
    const char *before = "; stops after ";
    for (unsigned i = 0; i < 3; i++) {
        if (limit[i].value == 0)
            continue;
        fprintf(stderr, "%s%s%s", before, sb_human(limit[i].value, limit[i].unit).text, limit[i].of);
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
    size_t width = sb_cli_width(STDERR_FILENO), column = 0;
    for (;;) {
        unsigned best = 0;
        for (unsigned k = 1; k < SB_EVENT_KINDS; k++)
            if (!done[k] && t->kinds[k] && (!best || t->kinds[k] > t->kinds[best]))
                best = k;
        if (!best)
            break;
        done[best] = true;
        char text[80];
        size_t len = (size_t)snprintf(text, sizeof text, "%s %s", sb_kinds[best].tag,
                                      sb_human((int64_t)t->kinds[best], SB_U_COUNT).text);
        bool breaks = column > 0 && column + len + 3 > width; /* with the commas before and after it */
        fprintf(stderr, "%s%s", column == 0 ? "  events   " : breaks ? ",\n           " : ", ", text);
        column = column == 0 || breaks ? 11 + len : column + 2 + len;
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

void
sb_recorded_print_next(const char *trace)
{
    SB_ARENA(a);
    fprintf(stderr, "  next     %.*s report %.*s\n", SB_STR_ARG(sb_shell_self(&a)),
            SB_STR_ARG(sb_shell_word(sb_str_of(trace), &a)));
}

static void
print_otp(const struct sb_recorded *v)
{
    fprintf(stderr, "strobe: %s: %s events, %s, a trace of OTP's\n", v->path,
            sb_human((int64_t)v->totals.events, SB_U_COUNT).text,
            sb_human((int64_t)v->bytes, SB_U_BYTES).text);
    sb_recorded_print_next(v->path);
    if (v->totals.dropped[SB_META])
        fprintf(stderr, "  lost     %llu events, because the queue of the trace port was full: record less\n",
                (unsigned long long)v->totals.dropped[SB_META]);
    else
        fputs("  lost     nothing\n", stderr);
}

void
sb_recorded_print_rings(const struct sb_recorded *v)
{
    if (!v->rings)
        return;
    fprintf(stderr,
            "  left     %s in %.*s: the last events; strobe reads them with the trace,\n"
            "           and `strobe clean` removes them once the trace is analysed\n",
            sb_human((int64_t)v->rings_bytes, SB_U_BYTES).text, (int)(strrchr(v->rings, '/') - v->rings),
            v->rings);
}

void
sb_recorded_print(const struct sb_recorded *v)
{
    const struct sb_sbt_trailer *t = &v->totals;
    if (!v->complete) {
        fprintf(stderr, "strobe: %s is incomplete: not all of it was written; the events in it can be read\n",
                v->path);
        sb_recorded_print_next(v->path);
        sb_recorded_print_rings(v);
        return;
    }
    if (v->by_otp) {
        print_otp(v);
        return;
    }
    fprintf(stderr, "strobe: %s: %s events in %s, %s (%.1f bytes per event)\n", v->path,
            sb_human((int64_t)t->events, SB_U_COUNT).text, sb_human(t->end_ns - v->start_ns, SB_U_NS).text,
            sb_human((int64_t)v->bytes, SB_U_BYTES).text,
            t->events ? (double)v->bytes / (double)t->events : 0.0);
    sb_recorded_print_next(v->path);
    print_loss(t);
    static const char *const why[] = {[SB_STOP_TIME] = "the time limit",
                                      [SB_STOP_EVENTS] = "the event limit",
                                      [SB_STOP_BYTES] = "the size limit",
                                      [SB_STOP_DISK] = "a full disk or write error",
                                      [SB_STOP_USER] = "you"};
    if (t->stop && t->stop < sizeof why / sizeof *why)
        fprintf(stderr, "  ended    by %s\n", why[t->stop]);
    fprintf(stderr, "  cost     writing the trace took %s of CPU time %s the node\n",
            sb_human((int64_t)t->drain_cpu_ns, SB_U_NS).text, v->drained_inside ? "in" : "outside");
    print_kinds(t);
}

void
sb_recording_print_left(struct sb_str node, const struct sb_str *left, size_t n)
{
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, "strobe: left in %.*s: %.*s\n", SB_STR_ARG(node), SB_STR_ARG(left[i]));
}

void
sb_recorded_print_all(const char *const *trace, size_t n, struct sb_arena *a)
{
    fprintf(stderr, "  all      %.*s analyze", SB_STR_ARG(sb_shell_self(a)));
    for (size_t i = 0; i < n; i++)
        fprintf(stderr, " %.*s", SB_STR_ARG(sb_shell_word(sb_str_of(trace[i]), a)));
    fputs(" -o all.sbp\n", stderr);
}
