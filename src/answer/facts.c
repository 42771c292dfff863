#include "answer/facts.h"
#include "answer/on_cpu.h"
#include "answer/summary_row.h"
#include "profile/stats.h"
#include "profile/timeline.h"
#include <stddef.h>

/* ---- asking ---- */

bool
sb_facts_number(const struct sb_ask *ask, const char *sql, int64_t *out, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_sql_ask(ask->sql, sb_str_of(sql), NULL, 0, NULL, ask->arena, &t, e));
    *out = t.n_rows > 0 && t.column[0].type == SB_INT ? t.cell[0].i : SB_NULL;
    return true;
}

struct sb_str
sb_facts_human(const struct sb_ask *ask, int64_t v, enum sb_unit u)
{
    char text[64];
    if (v == SB_NULL)
        return SB_STR("--");
    return sb_arena_str(ask->arena, (struct sb_str){text, sb_human(text, sizeof text, v, u)});
}

/* Where several nodes were traced a pid alone says little. */
static struct sb_str
node_of(const struct sb_ask *ask, int64_t process)
{
    const struct sb_profile *p = ask->profile;
    uint64_t traced = 0, nodes = sb_profile_rows(p, SB_T_node);
    int64_t node = sb_profile_cell(p, SB_T_process, SB_C_process__node, (uint64_t)process - 1);
    for (uint64_t i = 0; i < nodes; i++)
        traced += sb_profile_cell(p, SB_T_node, SB_C_node__trace_start, i) != SB_NULL;
    if (traced < 2 || node < 1 || (uint64_t)node > nodes)
        return SB_STR("");
    struct sb_str name = sb_profile_text(p, sb_profile_cell(p, SB_T_node, SB_C_node__name, (uint64_t)node - 1));
    return name.n > 0 ? sb_arena_printf(ask->arena, " on %.*s", SB_STR_ARG(name)) : SB_STR("");
}

struct sb_str
sb_facts_process(const struct sb_ask *ask, int64_t process)
{
    struct sb_str pid = sb_profile_text(
        ask->profile, sb_profile_cell(ask->profile, SB_T_process, SB_C_process__pid, (uint64_t)process - 1));
    if (node_of(ask, process).n > 0)
        return sb_arena_printf(ask->arena, "%lld", (long long)process);
    return sb_arena_printf(ask->arena, "'%.*s'", SB_STR_ARG(pid));
}

struct sb_str
sb_facts_who(const struct sb_ask *ask, int64_t process)
{
    static const unsigned col[] = {SB_C_process__name, SB_C_process__label, SB_C_process__entry,
                                   SB_C_process__spawn_mfa};
    const struct sb_profile *p = ask->profile;
    if (process < 1 || (uint64_t)process > sb_profile_rows(p, SB_T_process))
        return SB_STR("--");
    uint64_t row = (uint64_t)process - 1;
    struct sb_str pid = sb_profile_text(p, sb_profile_cell(p, SB_T_process, SB_C_process__pid, row));
    for (size_t i = 0; i < sizeof col / sizeof col[0]; i++) {
        struct sb_str s = sb_profile_text(p, sb_profile_cell(p, SB_T_process, col[i], row));
        if (s.n > 0)
            return sb_arena_printf(ask->arena, "%.*s %.*s%.*s",
                                   SB_STR_ARG(sb_elixir_name(s, ask->q->elixir, ask->arena)), SB_STR_ARG(pid),
                                   SB_STR_ARG(node_of(ask, process)));
    }
    return sb_arena_printf(ask->arena, "%.*s%.*s", SB_STR_ARG(pid), SB_STR_ARG(node_of(ask, process)));
}

/* ---- how parallel ---- */

static bool
find_parallelism(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_track all;
    SB_TRY(sb_track_find(ask->profile, SB_STR("all"), &all, e));
    f->has_running = sb_timeline_kept(ask->profile, &all) > 0;
    f->program = f->together = SB_NEW(ask->arena, struct sb_parallel);
    f->serial_process = SB_NULL;
    f->part = (struct sb_program){SB_NULL, SB_NULL, NULL};
    if (!f->has_running)
        return true;
    sb_parallel_find(ask->profile, 0, f->span_ns, 0, ask->arena, f->together);
    f->part = sb_program_find(ask->profile, ask->arena);
    if (f->part.from_ns != SB_NULL && f->part.from_ns < f->part.to_ns) {
        f->program = SB_NEW(ask->arena, struct sb_parallel);
        sb_parallel_find(ask->profile, f->part.from_ns, f->part.to_ns, 0, ask->arena, f->program);
    }
    int64_t who = sb_parallel_most_alone(f->together, &f->serial_share_ns);
    f->serial_process = who ? who : SB_NULL;
    return true;
}

static const struct {
    unsigned col;
    size_t into;
} sums[] = {
    {SB_C_process__run_ns, offsetof(struct sb_facts, run_ns)},
    {SB_C_process__gc_ns, offsetof(struct sb_facts, gc_ns)},
    {SB_C_process__dirty_ns, offsetof(struct sb_facts, dirty_ns)},
    {SB_C_process__runnable_ns, offsetof(struct sb_facts, runnable_ns)},
    {SB_C_process__runnable_low_ns, offsetof(struct sb_facts, runnable_low_ns)},
    {SB_C_process__runnable_high_ns, offsetof(struct sb_facts, runnable_high_ns)},
    {SB_C_process__wait_ns, offsetof(struct sb_facts, wait_ns)},
    {SB_C_process__unknown_ns, offsetof(struct sb_facts, unknown_ns)},
    {SB_C_process__sends, offsetof(struct sb_facts, sends)},
    {SB_C_process__receives, offsetof(struct sb_facts, receives)},
    {SB_C_process__send_words, offsetof(struct sb_facts, send_words)},
    {SB_C_process__send_at_least, offsetof(struct sb_facts, send_at_least)},
};

bool
sb_facts_find(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    const struct sb_profile *p = ask->profile;
    *f = (struct sb_facts){.span_ns = sb_profile_span(p)};
    f->processes = (int64_t)sb_profile_rows(p, SB_T_process);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        *(int64_t *)((char *)f + sums[i].into) = sb_profile_stats(p, SB_T_process, sums[i].col).sum;
    SB_TRY(
        sb_facts_number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events'", &f->events, e));
    f->schedulers = sb_parallel_schedulers(p);
    SB_TRY(sb_facts_number(ask,
                           "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'sends_to_unknown_names'",
                           &f->sends_to_nobody, e));
    f->timed = sb_profile_is_timed(p);
    return find_parallelism(ask, f, e);
}

/* ---- saying ---- */

static struct sb_str
percent(const struct sb_ask *ask, int64_t part, int64_t whole)
{
    return whole > 0 ? sb_arena_printf(ask->arena, "%.1f %%", 100.0 * (double)part / (double)whole)
                     : SB_STR("--");
}

static bool
put_loss(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table lost;
    SB_TRY(sb_sql_ask(
        ask->sql, SB_STR("SELECT class, sum(events), sum(bytes) FROM loss GROUP BY class ORDER BY 2 DESC"),
        NULL, 0, NULL, ask->arena, &lost, e));
    int64_t total = 0;
    struct sb_str list = SB_STR("");
    for (size_t r = 0; r < lost.n_rows; r++) {
        const union sb_cell *c = &lost.cell[r * 3];
        total += c[1].i == SB_NULL ? 0 : c[1].i;
        list = sb_arena_printf(ask->arena, "%.*s%s%.*s %.*s", SB_STR_ARG(list), r ? ", " : "",
                               SB_STR_ARG(c[0].s), SB_STR_ARG(sb_facts_human(ask, c[1].i, SB_U_COUNT)));
    }
    if (lost.n_rows > 0)
        sb_summary_put(t, "LOST", total, SB_U_COUNT,
                       sb_arena_printf(ask->arena,
                                       "the trace has gaps: %.*s; times beside them count as unknown",
                                       SB_STR_ARG(list)),
                       SB_STR("strobe report P loss"));
    return true;
}

static bool
put_nodes(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT coalesce(name, 'nonode@nohost') || coalesce(', OTP ' || otp, '') || coalesce(', ' || "
               "schedulers || ' schedulers', '') || iif(schedulers_online < schedulers, ', ' || schedulers_online || ' online', '') || "
               "iif(cores < schedulers_online, ', ' || cores || iif(cores = 1, ' core', ' cores'), '') || "
               "iif(cpu_quota_ppm < min(schedulers_online, cores) * 1000000, printf(', limited to %.2f cores', cpu_quota_ppm / 1e6), ''), "
               "clock_error_ns FROM node WHERE otp IS NOT NULL OR "
               "schedulers IS NOT NULL OR clock_offset_ns IS NOT NULL OR id = 1 ORDER BY id"),
        NULL, 0, NULL, ask->arena, &n, e));
    for (size_t r = 0; r < n.n_rows; r++)
        sb_summary_put(t, "node", SB_NULL, SB_U_NONE, n.cell[r * 2].s, (struct sb_str){0});
    return true;
}

static bool
put_clocks(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    int64_t ns;
    SB_TRY(sb_facts_number(ask, "SELECT max(clock_conflict_ns) FROM node", &ns, e));
    if (ns != SB_NULL)
        sb_summary_put(t, "CLOCKS", ns, SB_U_NS,
                       sb_arena_printf(ask->arena,
                                       "messages between nodes contradict each other by %.*s: clocks drift, or messages "
                                       "were paired wrongly; no latency between these nodes is shown",
                                       SB_STR_ARG(sb_facts_human(ask, ns, SB_U_NS))),
                       SB_STR("strobe report P nodes"));
    return true;
}

/* What the capture says of its own cost, where it says it. */
static bool
put_cost(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    int64_t node, drain;
    const struct sb_str none = {0};
    SB_TRY(
        sb_facts_number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'node_cpu_ns'", &node, e));
    SB_TRY(sb_facts_number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'drain_cpu_ns'", &drain,
                           e));
    if (node > 0 && f->events > 0)
        sb_summary_put(t, "cost of tracing", node, SB_U_NS,
                       sb_arena_printf(ask->arena,
                                       "about %.*s of CPU in the node, %lld ns an event as measured before it began; "
                                       "%.*s beside the node to write the trace",
                                       SB_STR_ARG(sb_facts_human(ask, node, SB_U_NS)),
                                       (long long)(node / f->events),
                                       SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
                       none);
    else if (drain > 0)
        sb_summary_put(t, "cost of tracing", drain, SB_U_NS,
                       sb_arena_printf(ask->arena, "%.*s of CPU to write the trace; the node's own part is unknown",
                                       SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
                       none);
    return true;
}

/* "31.2 % of the time TEXT"; -- and why, where it is unknown. */
static void
put_share(const struct sb_ask *ask, struct sb_table *t, const char *item, int64_t part_ns, const char *text)
{
    int64_t span = sb_profile_span(ask->profile);
    sb_summary_put(t, item, sb_facts_ppm(part_ns, span), SB_U_PPM,
                   part_ns == SB_NULL
                       ? SB_STR("-- (the trace does not tell the number of schedulers)")
                       : sb_arena_printf(ask->arena, "%.*s of the time %s", SB_STR_ARG(percent(ask, part_ns, span)),
                                         text),
                   SB_STR("strobe report P activity"));
}

static double
mean(const struct sb_facts *f, int64_t ns)
{
    return f->span_ns > 0 && ns != SB_NULL ? (double)ns / (double)f->span_ns : 0;
}

static void
put_parallelism(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    double processes = mean(f, f->together->work_ns), ports = mean(f, f->together->port_ns);
    struct sb_str on = f->schedulers > 0 ? sb_arena_printf(a, ", on %lld scheduler%s", (long long)f->schedulers,
                                                           f->schedulers == 1 ? "" : "s")
                                         : SB_STR("; the trace does not tell the number of schedulers");
    struct sb_str and = ports >= 0.005 ? sb_arena_printf(a, " and %.2f ports", ports) : SB_STR("");
    sb_summary_put(t, "parallelism", (int64_t)(processes * 1e6), SB_U_PPM,
                   sb_arena_printf(a, "%.2f processes%.*s at work on average%.*s", processes, SB_STR_ARG(and),
                                   SB_STR_ARG(on)),
                   SB_STR("strobe report P activity"));
}

static void
put_serial(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const char *what = "one was at work and nobody else was ready";
    if (f->schedulers == 1) {
        sb_summary_put(t, "serial", SB_NULL, SB_U_PPM, SB_STR("-- (one scheduler runs one process at a time)"),
                       (struct sb_str){0});
        return;
    }
    if (f->serial_process != SB_NULL)
        what = sb_arena_printf(ask->arena, "%s, most often %.*s", what,
                               SB_STR_ARG(sb_facts_who(ask, f->serial_process)))
                   .p;
    put_share(ask, t, "serial", f->together->serial_ns, what);
}

/* Start-up, shutdown and what only OTP does are no part of the program. */
static void
put_program(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    const struct sb_parallel *s = f->program;
    if (s == f->together) {
        sb_summary_put(t, "program", SB_NULL, SB_U_NS,
                       SB_STR("-- (no function outside OTP and Elixir was seen)"),
                       (struct sb_str){0});
        return;
    }
    struct sb_str serial = f->schedulers == 1 ? SB_STR("")
                                              : sb_arena_printf(a, ", serial %.*s",
                                                                SB_STR_ARG(percent(ask, s->serial_ns, s->span_ns)));
    sb_summary_put(t, "program", s->span_ns, SB_U_NS,
                   sb_arena_printf(a, "%.*s, from %.*s on, without start-up and shutdown: %.2f processes at work on "
                                      "average%.*s, idle %.*s",
                                   SB_STR_ARG(sb_facts_human(ask, s->span_ns, SB_U_NS)),
                                   SB_STR_ARG(sb_facts_human(ask, f->part.from_ns, SB_U_NS)),
                                   (double)s->work_ns / (double)s->span_ns, SB_STR_ARG(serial),
                                   SB_STR_ARG(percent(ask, s->at_level_ns[0], s->span_ns))),
                   (struct sb_str){0});
}

/* Where a process of the program waited longest, were it not in its top loop; one that has children waits for them. */
static bool
put_waiting(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    struct sb_table w;
    int64_t idle = f->program->at_level_ns[0];
    struct sb_sql_value least = {":least", false, idle / 4, {0}};
    if (f->part.from_ns == SB_NULL || idle < f->span_ns / 20)
        return true;
    SB_TRY(sb_sql_ask(ask->sql,
                      SB_STR("SELECT w.process, w.function, w.count, w.total_ns FROM wait w JOIN process p ON p.id = "
                             "w.process WHERE w.function IS NOT p.entry AND w.function IS NOT p.spawn_mfa AND w.total_ns >= :least "
                             "ORDER BY coalesce(p.spawned, 0) > 0, 4 DESC LIMIT 1000"),
                      &least, 1, NULL, ask->arena, &w, e));
    for (size_t i = 0; i < w.n_rows; i++) {
        const union sb_cell *c = &w.cell[i * 4];
        if (c[0].i == SB_NULL || !f->part.has[c[0].i] || sb_is_loop(c[1].s))
            continue;
        sb_summary_put(t, "waiting", idle, SB_U_NS,
                       sb_arena_printf(ask->arena,
                                       "%.*s of the program without anything at work; %.*s waited %.*s in %.*s, in "
                                       "%.*s wait%s",
                                       SB_STR_ARG(sb_facts_human(ask, idle, SB_U_NS)),
                                       SB_STR_ARG(sb_facts_who(ask, c[0].i)),
                                       SB_STR_ARG(sb_facts_human(ask, c[3].i, SB_U_NS)),
                                       SB_STR_ARG(sb_elixir_name(c[1].s, ask->q->elixir, ask->arena)),
                                       SB_STR_ARG(sb_facts_human(ask, c[2].i, SB_U_COUNT)), c[2].i == 1 ? "" : "s"),
                       SB_STR("strobe report P waits"));
        break;
    }
    return true;
}

/* Where the readings cover less than nearly all: from when to when. */
static struct sb_str
when_read(const struct sb_ask *ask, const struct sb_facts *f, const struct sb_on_cpu *c)
{
    if ((double)(c->to - c->from) > 0.9 * (double)f->span_ns)
        return SB_STR("");
    return sb_arena_printf(ask->arena, " from %.*s to %.*s", SB_STR_ARG(sb_facts_human(ask, c->from, SB_U_AT_NS)),
                           SB_STR_ARG(sb_facts_human(ask, c->to, SB_U_AT_NS)));
}

/* Why the schedulers had no CPU although they had work. */
static struct sb_str
off_cpu_text(const struct sb_ask *ask, const struct sb_on_cpu *c, int64_t work)
{
    int64_t queue = c->schedulers.queue_ns, cpu = c->schedulers.cpu_ns;
    if (queue != SB_NULL && queue >= (work - cpu) / 2)
        return sb_arena_printf(ask->arena,
                               "; they waited %.*s for a core, taken by other programs or by a CPU limit, and all "
                               "times below include that",
                               SB_STR_ARG(sb_facts_human(ask, queue, SB_U_NS)));
    return SB_STR("; for most of the rest they slept in the operating system: in file operations, a NIF or a driver");
}

static struct sb_str
on_cpu_text(const struct sb_ask *ask, const struct sb_facts *f, const struct sb_on_cpu *c, int64_t work)
{
    int64_t cpu = c->schedulers.cpu_ns;
    double share = (double)cpu / (double)work;
    struct sb_str why = SB_STR("");
    if (share < 0.9)
        why = off_cpu_text(ask, c, work);
    else if (share > 1.1)
        why = sb_arena_printf(ask->arena, "; %.*s of it outside of processes: scheduling, timers, polling, busy waiting",
                              SB_STR_ARG(sb_facts_human(ask, cpu - work, SB_U_NS)));
    return sb_arena_printf(ask->arena, "schedulers got %.*s of CPU for %.*s of work%.*s%.*s",
                           SB_STR_ARG(sb_facts_human(ask, cpu, SB_U_NS)), SB_STR_ARG(sb_facts_human(ask, work, SB_U_NS)),
                           SB_STR_ARG(when_read(ask, f, c)), SB_STR_ARG(why));
}

/* Readings are right to the kernel's tick: of little work they tell nothing. */
static bool
put_on_cpu(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    enum { LEAST_NS = 100000000 };
    struct sb_on_cpu c;
    int64_t work;
    sb_on_cpu_find(ask->profile, 0, f->span_ns, ask->arena, &c);
    SB_TRY(sb_on_cpu_work(ask->profile, &c, &work, e));
    if (c.schedulers.cpu_ns != SB_NULL && work >= LEAST_NS)
        sb_summary_put(t, "on CPU", c.schedulers.cpu_ns, SB_U_NS, on_cpu_text(ask, f, &c, work),
                       SB_STR("strobe report P schedulers"));
    return true;
}

static void
put_times(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const struct sb_parallel *s = f->together;
    put_parallelism(ask, f, t);
    put_share(ask, t, "too few to run", s->few_ns, "there was less to run than schedulers");
    put_serial(ask, f, t);
    put_share(ask, t, "idle", s->at_level_ns[0], "nothing was at work on any scheduler");
    if (s->dirty_only_ns > 0)
        put_share(ask, t, "dirty only", s->dirty_only_ns, "all work was on dirty schedulers");
    if (s->held_up_ns > 0)
        put_share(ask, t, "ready beside idle", s->held_up_ns, "a process was ready while a scheduler ran none");
    put_program(ask, f, t);
}

/* A sum over processes says little by itself: how many were ready at a time says more. */
static struct sb_str
ready_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    struct sb_str sum = sb_facts_human(ask, f->runnable_ns, SB_U_NS);
    if (f->runnable_ns == SB_NULL || f->span_ns <= 0)
        return sum;
    struct sb_str all = sb_arena_printf(ask->arena, "%.*s summed over processes, %.2f at a time on average",
                                        SB_STR_ARG(sum), mean(f, f->runnable_ns));
    if (f->runnable_low_ns == SB_NULL || f->runnable_low_ns == f->runnable_high_ns)
        return all;
    return sb_arena_printf(ask->arena, "%.*s (between %.2f and %.2f)", SB_STR_ARG(all), mean(f, f->runnable_low_ns),
                           mean(f, f->runnable_high_ns));
}

static void
put_sums(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    sb_summary_put(t, "ran", f->run_ns, SB_U_NS,
                   sb_arena_printf(a, "%.*s summed over processes, of it %.*s collecting garbage; %.*s on dirty "
                                      "schedulers",
                                   SB_STR_ARG(sb_facts_human(ask, f->run_ns, SB_U_NS)),
                                   SB_STR_ARG(sb_facts_human(ask, f->gc_ns, SB_U_NS)),
                                   SB_STR_ARG(sb_facts_human(ask, f->dirty_ns, SB_U_NS))),
                   SB_STR("strobe report P processes"));
    sb_summary_put(t, "was ready", f->runnable_ns, SB_U_NS, ready_text(ask, f),
                   SB_STR("strobe report P processes --sort runnable"));
}

static void
put_messages(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    const struct sb_str none = {0};
    struct sb_str nobody = SB_STR("");
    if (f->sends_to_nobody > 0)
        nobody = sb_arena_printf(a, "; %.*s sent to registered names that could not be resolved",
                                 SB_STR_ARG(sb_facts_human(ask, f->sends_to_nobody, SB_U_COUNT)));
    if (f->sends != SB_NULL)
        sb_summary_put(t, "messages", f->sends, SB_U_COUNT,
                       sb_arena_printf(a, "%.*s sent, %.*s received; %s%.*s words in all%.*s",
                                       SB_STR_ARG(sb_facts_human(ask, f->sends, SB_U_COUNT)),
                                       SB_STR_ARG(sb_facts_human(ask, f->receives, SB_U_COUNT)),
                                       f->send_at_least > 0 ? "at least " : "",
                                       SB_STR_ARG(sb_facts_human(ask, f->send_words, SB_U_WORDS)),
                                       SB_STR_ARG(nobody)),
                       SB_STR("strobe report P messages"));
    else
        sb_summary_put(t, "messages", SB_NULL, SB_U_COUNT, SB_STR("-- (record them with --trace messages)"),
                       none);
}

bool
sb_facts_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    const struct sb_str none = {0};
    SB_TRY(put_loss(ask, t, e));
    if (f->timed)
        sb_summary_put(t, "length", f->span_ns, SB_U_NS, sb_facts_human(ask, f->span_ns, SB_U_NS), none);
    else
        sb_summary_put(t, "length", SB_NULL, SB_U_NS,
                       SB_STR("-- (the trace has no time stamps: what can be counted is told, no time is known)"), none);
    SB_TRY(put_nodes(ask, t, e));
    SB_TRY(put_clocks(ask, t, e));
    sb_summary_put(t, "events", f->events, SB_U_COUNT, sb_facts_human(ask, f->events, SB_U_COUNT), none);
    sb_summary_put(t, "processes", f->processes, SB_U_COUNT, sb_facts_human(ask, f->processes, SB_U_COUNT),
                   SB_STR("strobe report P tree"));
    SB_TRY(put_cost(ask, f, t, e));
    if (f->has_running) {
        SB_TRY(put_on_cpu(ask, f, t, e));
        put_times(ask, f, t);
        SB_TRY(put_waiting(ask, f, t, e));
        put_sums(ask, f, t);
    } else if (f->timed) {
        sb_summary_put(t, "parallelism", SB_NULL, SB_U_PPM, SB_STR("-- (record it with --trace running)"),
                       none);
    }
    if (f->has_running || f->sends != SB_NULL)
        put_messages(ask, f, t);
    return true;
}
