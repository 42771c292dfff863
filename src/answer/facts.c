#include "answer/facts.h"
#include "answer/few.h"
#include "answer/parallel.h"
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
            return sb_arena_printf(ask->arena, "%.*s %.*s",
                                   SB_STR_ARG(sb_elixir_name(s, ask->q->elixir, ask->arena)),
                                   SB_STR_ARG(pid));
    }
    return pid;
}

/* ---- how parallel ---- */

enum { BUCKETS = 4096 };

/* Of many stays about, from the pyramid, whose buckets sum who is at work and who is ready. */
static bool
find_few(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_track all;
    struct sb_buckets v = {0};
    SB_TRY(sb_track_find(ask->profile, SB_STR("all"), &all, e));
    f->has_running = sb_timeline_kept(ask->profile, &all) > 0;
    if (!f->has_running || sb_few_find(ask->profile, f->schedulers, f->span_ns, &f->few_ns))
        return true;
    SB_TRY(sb_timeline(ask->profile, &all, 0, f->span_ns, BUCKETS, &v, e));
    for (size_t i = 0; i < v.n; i++) {
        const struct sb_bucket *b = &v.at[i];
        int64_t dur = b->start + b->dur < f->span_ns ? b->dur : f->span_ns - b->start;
        int64_t able = b->v[SB_B_running] + b->v[SB_B_gc] + b->v[SB_B_dirty] + b->v[SB_B_runnable];
        f->few_ns += able < f->schedulers * dur ? dur : 0;
    }
    SB_VEC_FREE(&v);
    return true;
}

static bool
find_parallelism(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_parallel s;
    SB_TRY(find_few(ask, f, e) && sb_parallel_find(ask->profile, 0, f->span_ns, ask->arena, &s, e));
    f->idle_ns = s.at_level_ns[0];
    f->serial_ns = s.at_level_ns[1];
    int64_t who = sb_parallel_most_alone(&s, &f->serial_share_ns);
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
};

bool
sb_facts_find(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    const struct sb_profile *p = ask->profile;
    *f = (struct sb_facts){.span_ns = sb_profile_span(p), .serial_process = SB_NULL};
    f->processes = (int64_t)sb_profile_rows(p, SB_T_process);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        *(int64_t *)((char *)f + sums[i].into) = sb_profile_stats(p, SB_T_process, sums[i].col).sum;
    SB_TRY(
        sb_facts_number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events'", &f->events, e));
    SB_TRY(sb_facts_number(
        ask,
        "SELECT coalesce((SELECT sum(schedulers) FROM node), (SELECT count(*) FROM scheduler WHERE "
        "kind IN ('normal', 'unknown') AND number > 0))",
        &f->schedulers, e));
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
               "schedulers || ' schedulers', ''), clock_error_ns FROM node WHERE otp IS NOT NULL OR "
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
                       sb_arena_printf(ask->arena, "%.*s in the node, %lld ns an event; %.*s draining",
                                       SB_STR_ARG(sb_facts_human(ask, node, SB_U_NS)),
                                       (long long)(node / f->events),
                                       SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
                       none);
    else if (drain > 0)
        sb_summary_put(t, "cost of tracing", drain, SB_U_NS,
                       sb_arena_printf(ask->arena, "%.*s of CPU to write the trace",
                                       SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
                       none);
    return true;
}

static void
put_times(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    const struct sb_str none = {0};
    int64_t work = (f->run_ns == SB_NULL ? 0 : f->run_ns) + (f->dirty_ns == SB_NULL ? 0 : f->dirty_ns);
    double parallel = f->span_ns > 0 ? (double)work / (double)f->span_ns : 0;
    sb_summary_put(t, "parallelism", (int64_t)(parallel * 1e6), SB_U_PPM,
                   sb_arena_printf(a, "%.2f processes at work on average, on %lld schedulers", parallel,
                                   (long long)f->schedulers),
                   SB_STR("strobe report P activity"));
    sb_summary_put(
        t, "too few to run", sb_facts_ppm(f->few_ns, f->span_ns), SB_U_PPM,
        sb_arena_printf(a, "%.*s of the time fewer processes were at work or ready than there are schedulers",
                        SB_STR_ARG(percent(ask, f->few_ns, f->span_ns))),
        SB_STR("strobe report P activity"));
    sb_summary_put(t, "serial", sb_facts_ppm(f->serial_ns, f->span_ns), SB_U_PPM,
                   f->serial_process == SB_NULL
                       ? sb_arena_printf(a, "%.*s of the time one process ran alone",
                                         SB_STR_ARG(percent(ask, f->serial_ns, f->span_ns)))
                       : sb_arena_printf(a, "%.*s of the time one process ran alone, most often %.*s",
                                         SB_STR_ARG(percent(ask, f->serial_ns, f->span_ns)),
                                         SB_STR_ARG(sb_facts_who(ask, f->serial_process))),
                   none);
    sb_summary_put(t, "idle", sb_facts_ppm(f->idle_ns, f->span_ns), SB_U_PPM,
                   sb_arena_printf(a, "%.*s of the time no process ran",
                                   SB_STR_ARG(percent(ask, f->idle_ns, f->span_ns))),
                   none);
}

static struct sb_str
ready_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    struct sb_str point = sb_facts_human(ask, f->runnable_ns, SB_U_NS);
    if (f->runnable_low_ns == SB_NULL || f->runnable_low_ns == f->runnable_high_ns)
        return point;
    return sb_arena_printf(ask->arena, "%.*s (between %.*s and %.*s)", SB_STR_ARG(point),
                           SB_STR_ARG(sb_facts_human(ask, f->runnable_low_ns, SB_U_NS)),
                           SB_STR_ARG(sb_facts_human(ask, f->runnable_high_ns, SB_U_NS)));
}

static void
put_sums(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    sb_summary_put(t, "ran", f->run_ns, SB_U_NS,
                   sb_arena_printf(a, "%.*s, of it %.*s collecting; %.*s on dirty schedulers",
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
        nobody = sb_arena_printf(a, "; %.*s sent to names whose owner the trace does not tell",
                                 SB_STR_ARG(sb_facts_human(ask, f->sends_to_nobody, SB_U_COUNT)));
    if (f->sends != SB_NULL)
        sb_summary_put(t, "messages", f->sends, SB_U_COUNT,
                       sb_arena_printf(a, "%.*s sent, %.*s received; %.*s words in all%.*s",
                                       SB_STR_ARG(sb_facts_human(ask, f->sends, SB_U_COUNT)),
                                       SB_STR_ARG(sb_facts_human(ask, f->receives, SB_U_COUNT)),
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
        put_times(ask, f, t);
        put_sums(ask, f, t);
    } else if (f->timed) {
        sb_summary_put(t, "parallelism", SB_NULL, SB_U_PPM, SB_STR("-- (record it with --trace running)"),
                       none);
    }
    if (f->has_running || f->sends != SB_NULL)
        put_messages(ask, f, t);
    return true;
}
