#include "why/find/finding.h"

extern const struct sb_rule sb_rule_gc_heavy, sb_rule_busy_wait, sb_rule_restarts, sb_rule_serial_tests;

SB_RULE(serial_phase) = {
    .name = "serial_phase",
    .looks_for = "one process at work while everything else has nothing to do",
    .erlang =
        "make the functions with most of its work cheaper (section cpu of the report), or divide the "
        "work among processes, unless its steps need each other's results, which a trace does not show; "
        "if most of it is garbage collection, cure that first (gc_heavy in FINDINGS.md)",
    .elixir = "make the functions with most of its work cheaper (section cpu of the report), or divide the "
              "work with Task.async_stream, unless its steps need each other's results, which a trace does "
              "not show; if most of it is garbage collection, cure that first (gc_heavy in FINDINGS.md)",
    .serializes = true,
    .needs_all = true,
    .of_work = true,
    .find = find,
};

static const struct sb_cure of_tests = {
    .where = "it is a test, or tests",
    .erlang =
        "do once for all tests what each of them prepares (init_per_suite, a setup fixture around them), let "
        "tests make less of the function with most of the work, such as fewer rounds of a hash, or let "
        "groups of tests run in parallel",
    .elixir = "do once in setup_all what setup does for each test, let the test environment make less of the "
              "function with most of the work, such as fewer rounds of a hash, or divide the tests among "
              "modules with async: true",
};

static const struct sb_cure of_modules = {
    .where = "it compiles a module",
    .erlang = "divide the module that takes longest to compile, since modules are compiled side by side, or "
              "compile fewer of them again",
    .elixir = "divide the module that takes longest to compile, since modules are compiled side by side, or "
              "let its macros generate less code; mix xref graph tells what is compiled again for what",
};

static const struct sb_cure *
cure_of(const struct sb_why *w, int64_t id)
{
    return sb_why_is_test(w, id) ? &of_tests : sb_why_is_compiler(w, id) ? &of_modules : NULL;
}

enum { FAR_LONGER = 4 };

/* The process that was at work alone for longest, and the group of those that were so for longest together. */
struct alone {
    int64_t process, group, group_ns, processes;
    int64_t work_ns; /* of the group */
};

/* A larger heap or another place for the data cures collections; what remains can be divided. */
static bool
is_explained(const struct sb_why *w, int64_t id)
{
    const struct sb_actor *a = &w->x.actor[id];
    for (size_t i = 0; i < w->found.n; i++)
        if (w->found.at[i].process == id && w->found.at[i].rule == &sb_rule_busy_wait)
            return true;
    return sb_why_has_beside(w, id, &sb_rule_gc_heavy) ||
           (sb_why_has(w, id) && !sb_why_is_material(w, sb_why_spread(w, a->alone_ns - a->gc_ns)));
}

/* Processes that crash and are started again are not parts of one work. Tests are told of already where running their
 * modules at once gains a third of the time that one process was at work alone. */
static bool
is_told(const struct sb_why *w, int64_t id)
{
    int64_t alone = sb_level_within(&w->x.level, SB_LEVEL_ALONE, w->x.t0, w->x.t1);
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *f = &w->found.at[i];
        if ((f->rule == &sb_rule_restarts && w->x.actor[f->with].group == w->x.actor[id].group) ||
            (f->rule == &sb_rule_serial_tests && 3 * f->gain.high >= alone && sb_why_is_test(w, id)))
            return true;
    }
    return false;
}

/* The requests of a connection come when its client sends them, so a process for each gains nothing, or there is one
 * already, which the connection started. The work for one of them can be divided if it is long. */
static bool
handles_requests(const struct sb_why *w, const bool *is_connection, int64_t id)
{
    const struct sb_actor *a = &w->x.actor[id];
    bool started = a->parent >= 1 && a->parent < w->x.n_actors && is_connection[a->parent];
    if (started && !sb_why_is_material(w, sb_why_spread(w, a->alone_ns)))
        return true;
    if (!is_connection[id])
        return false;
    int64_t requests = 0;
    SB_EACH_STEP (&w->x, id, s)
        requests += (s->wait == SB_WAIT_IDLE || s->wait == SB_WAIT_OUTSIDE) && s->waker == 0;
    return requests > 0 && !sb_why_is_material(w, sb_why_spread(w, a->alone_ns / requests));
}

static struct alone
alone_most(const struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1;
    int64_t *ns = SB_NEW_N(w->arena, int64_t, groups), *n = SB_NEW_N(w->arena, int64_t, groups);
    struct alone b = {0};
    const bool *is_connection = sb_sockets_served(&w->x, &w->sockets);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->service != SB_SERVICE_NONE || is_explained(w, id) || handles_requests(w, is_connection, id))
            continue;
        if (b.process == 0 || a->alone_ns > w->x.actor[b.process].alone_ns)
            b.process = id;
        if (a->group < 1 || (uint64_t)a->group >= groups || !a->is_program || is_told(w, id))
            continue;
        ns[a->group] += a->alone_ns;
        n[a->group] += a->alone_ns > 0;
        if (ns[a->group] > b.group_ns)
            b = (struct alone){.process = b.process, .group = a->group, .group_ns = ns[a->group]};
    }
    b.processes = b.group > 0 ? n[b.group] : 0;
    SB_EACH_PRESENT (&w->x, id)
        b.work_ns += w->x.actor[id].group == b.group ? w->x.actor[id].work_ns : 0;
    return b;
}

/* The rest of the serial time, where it is much. */
static const char *
others_alone(const struct sb_why *w, int64_t id)
{
    int64_t ns = sb_level_within(&w->x.level, SB_LEVEL_ALONE, w->x.t0, w->x.t1) - w->x.actor[id].alone_ns;
    return 10 * ns < w->x.span_ns
               ? ""
               : sb_words(w->arena, " (others in turn for %d %%)", sb_percent(ns, w->x.span_ns));
}

/* Cheaper work may save all of it, division what other schedulers can do. */
static void
put_one(struct sb_why *w, int64_t id)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t alone = sb_why_spread(w, a->alone_ns), all = sb_why_serial_gain(w, a->work_ns, alone),
            gain = sb_why_is_material(w, alone) && all > alone ? all : alone;
    int64_t function;
    bool is_test = sb_why_is_test(w, id);
    const char *by = sb_why_hot(w, id, is_test, &function);
    struct sb_finding f = {
        .process = id,
        .gain = {0, sb_least(gain, sb_why_headroom(w)), a->alone_ns > gain ? a->alone_ns : gain},
        .faster = sb_why_lost_cores(w) ? 0 : function,
        .beside = &sb_rule_gc_heavy,
        .cure = cure_of(w, id),
        .confidence = is_test ? "medium" : "low",
        .evidence = "SELECT out_function, count(*), sum(dur) FROM slice WHERE process = {process} GROUP BY 1 "
                    "ORDER BY 3 DESC",
    };
    sb_why_put(w, f, "%s was the only process at work for %s, %d %% of the program's time%s%s%s%s%s",
               sb_why_who(w, id), sb_words_ns(w->arena, a->alone_ns), sb_percent(a->alone_ns, w->x.span_ns),
               others_alone(w, id), gain > alone ? sb_why_serial_words(w, a->work_ns, alone) : "",
               sb_why_dirty(w, id),
               4 * a->gc_ns >= a->work_ns ? "; a good part of its work is garbage collection" : "", by);
}

static void
put_group(struct sb_why *w, const struct alone *b)
{
    int64_t gain = sb_why_spread(w, b->group_ns);
    bool are_tests = sb_why_is_test(w, b->process);
    const char *by = 2 * b->work_ns > w->x.work_ns ? sb_why_hot(w, 0, are_tests, NULL) : "",
               *what = are_tests ? "tests" : "processes started alike";
    struct sb_finding f = {
        .process = b->process,
        .gain = {0, sb_least(gain, sb_why_headroom(w)), b->group_ns},
        .cure = cure_of(w, b->process),
        .confidence = "medium",
        .evidence = sb_words(w->arena,
                             "SELECT who(id), run_ns, start, end FROM process WHERE group_id = %lld ORDER BY "
                             "run_ns DESC LIMIT 20",
                             (long long)b->group),
    };
    sb_why_put(w, f,
               "%s %s, such as %s, worked one after the other: one of them was the only "
               "process at work for %s, %d %% of the program's time%s",
               sb_words_count(w->arena, b->processes), what, sb_why_who(w, b->process),
               sb_words_ns(w->arena, b->group_ns), sb_percent(b->group_ns, w->x.span_ns), by);
}

static void
find(struct sb_why *w)
{
    struct alone b = alone_most(w);
    if (b.process == 0 || w->x.schedulers < 2)
        return;
    /* Alike processes that come one by one, while the program stands still for longer, are requests, and a process that
     * works for a small part of that time has work when somebody asks it. */
    int64_t idle = sb_level_within(&w->x.level, SB_LEVEL_IDLE, w->x.t0, w->x.t1);
    if (w->x.actor[b.process].group == b.group && 2 * b.group_ns > b.work_ns &&
        3 * w->x.actor[b.process].alone_ns < 2 * b.group_ns) {
        if (idle <= b.group_ns)
            put_group(w, &b);
    } else if (idle < FAR_LONGER * w->x.actor[b.process].alone_ns)
        put_one(w, b.process);
}
