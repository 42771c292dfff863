#include "answer/facts.h"
#include "answer/losses.h"
#include "answer/summary_row.h"
#include "profile/stats.h"
#include "profile/timeline.h"
#include "why/on_node.h"
#include <stddef.h>

/* ---- queries ---- */

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
sb_facts_process(const struct sb_ask *ask, int64_t process)
{
    struct sb_str pid = sb_profile_text(
        ask->profile, sb_profile_cell(ask->profile, SB_T_process, SB_C_process__pid, (uint64_t)process - 1));
    if (sb_on_node(ask->profile, process, ask->arena).n > 0)
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
                                   SB_STR_ARG(sb_on_node(ask->profile, process, ask->arena)));
    }
    return sb_arena_printf(ask->arena, "%.*s%.*s", SB_STR_ARG(pid),
                           SB_STR_ARG(sb_on_node(ask->profile, process, ask->arena)));
}

/* ---- parallelism ---- */

/* Loading code is not work of the program that could be divided. */
static bool
leave_out_loading(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_sql_ask(ask->sql,
                      SB_STR("SELECT id FROM process WHERE name IN ('code_server', 'erl_prim_loader')"), NULL,
                      0, NULL, ask->arena, &t, e));
    for (size_t i = 0; i < t.n_rows; i++) {
        f->loading_ns += f->together->alone_ns[t.cell[i].i];
        f->together->alone_ns[t.cell[i].i] = f->program->alone_ns[t.cell[i].i] = 0;
    }
    return true;
}

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
    sb_parallel_find(ask->profile, f->range.from_ns, f->range.to_ns, 0, ask->arena, f->together);
    if (f->range.is_part)
        f->runnable_low_ns = f->together->ready_low_ns;
    else
        f->part = sb_program_find(ask->profile, ask->arena);
    if (f->part.from_ns != SB_NULL && f->part.from_ns < f->part.to_ns) {
        f->program = SB_NEW(ask->arena, struct sb_parallel);
        sb_parallel_find(ask->profile, f->part.from_ns, f->part.to_ns, 0, ask->arena, f->program);
    }
    int64_t who = sb_parallel_most_alone(f->together, &f->serial_share_ns);
    f->serial_process = who ? who : SB_NULL;
    return leave_out_loading(ask, f, e);
}

/* A message that has a send time but no sender was sent by a port. */
static int64_t
count_from_ports(const struct sb_profile *p)
{
    int64_t sender[SB_BLOCK_ROWS], sent[SB_BLOCK_ROWS], n = 0;
    uint64_t rows = sb_profile_rows(p, SB_T_message);
    for (uint64_t at = 0, end; at < rows; at = end) {
        struct sb_zone z = sb_profile_zone(p, SB_T_message, SB_C_message__sender, at);
        end = z.end;
        if (!z.has_null)
            continue;
        size_t in_block = sb_profile_block(p, SB_T_message, SB_C_message__sender, at / SB_BLOCK_ROWS, sender);
        sb_profile_block(p, SB_T_message, SB_C_message__sent, at / SB_BLOCK_ROWS, sent);
        for (size_t i = 0; i < in_block; i++)
            n += sender[i] == SB_NULL && sent[i] != SB_NULL;
    }
    return n;
}

static const struct {
    unsigned col;
    size_t into;
} sums[] = {
    {SB_C_process__run_ns, offsetof(struct sb_facts, run_ns)},
    {SB_C_process__gc_ns, offsetof(struct sb_facts, gc_ns)},
    {SB_C_process__dirty_ns, offsetof(struct sb_facts, dirty_ns)},
    {SB_C_process__dirty_gc_ns, offsetof(struct sb_facts, dirty_gc_ns)},
    {SB_C_process__handover_ns, offsetof(struct sb_facts, handover_ns)},
    {SB_C_process__runnable_ns, offsetof(struct sb_facts, runnable_ns)},
    {SB_C_process__runnable_low_ns, offsetof(struct sb_facts, runnable_low_ns)},
    {SB_C_process__runnable_high_ns, offsetof(struct sb_facts, runnable_high_ns)},
    {SB_C_process__wait_ns, offsetof(struct sb_facts, wait_ns)},
    {SB_C_process__unknown_ns, offsetof(struct sb_facts, unknown_ns)},
    {SB_C_process__sends, offsetof(struct sb_facts, messages.sent)},
    {SB_C_process__receives, offsetof(struct sb_facts, messages.received)},
    {SB_C_process__send_words, offsetof(struct sb_facts, messages.words)},
    {SB_C_process__send_at_least, offsetof(struct sb_facts, messages.words_at_least)},
};

bool
sb_facts_find(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    const struct sb_profile *p = ask->profile;
    *f = (struct sb_facts){0};
    SB_TRY(sb_facts_find_range(ask, f, e));
    f->processes = (int64_t)sb_profile_rows(p, SB_T_process);
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++)
        *(int64_t *)((char *)f + sums[i].into) = sb_profile_stats(p, SB_T_process, sums[i].col).sum;
    SB_TRY(
        sb_facts_number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events'", &f->events, e));
    f->schedulers = sb_parallel_schedulers(p);
    SB_TRY(sb_facts_number(ask,
                           "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'sends_to_unknown_names'",
                           &f->messages.to_nobody, e));
    f->messages.from_ports = count_from_ports(p);
    f->timed = sb_profile_is_timed(p);
    SB_TRY(!f->range.is_part || sb_facts_find_within(ask, f, e));
    return find_parallelism(ask, f, e);
}

/* ---- rows ---- */

static void
put_loss(const struct sb_ask *ask, struct sb_table *t)
{
    struct sb_losses lost = sb_losses_find(ask->profile, ask->arena);
    if (lost.classes.n > 0)
        sb_summary_put(t, "LOST", lost.events, SB_U_COUNT,
                       sb_arena_printf(ask->arena,
                                       "the trace has gaps: %.*s; times next to them count as unknown",
                                       SB_STR_ARG(lost.classes)),
                       SB_STR("strobe report P loss"));
}

/* A recording of some processes shows when these ran, and not whether a scheduler was idle. */
static void
put_left_out(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    int64_t n = f->together->left_out;
    if (n > 0)
        sb_summary_put(t, "NOT RECORDED", n, SB_U_COUNT,
                       sb_arena_printf(ask->arena,
                                       "%lld process%s existed and %s not recorded: the figures below are of "
                                       "the others, and whether a scheduler was idle is unknown",
                                       (long long)n, n == 1 ? "" : "es", n == 1 ? "was" : "were"),
                       SB_STR("strobe report P processes"));
}

/* Calls that the governor only counted when a ring was nearly full. */
static bool
put_counted(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_sql_ask(ask->sql,
                      SB_STR("SELECT count(*), sum(counted), min(counted_from), max(at_least) FROM function "
                             "WHERE counted_from IS NOT NULL"),
                      NULL, 0, NULL, ask->arena, &n, e));
    const union sb_cell *c = n.cell;
    if (n.n_rows == 0 || c[0].i == 0)
        return true;
    sb_summary_put(
        t, "counted", c[1].i, SB_U_COUNT,
        sb_arena_printf(ask->arena,
                        "calls of %lld %s were only counted from %.*s on: %s%.*s, of which no time is known",
                        (long long)c[0].i, c[0].i == 1 ? "function" : "functions",
                        SB_STR_ARG(sb_facts_human(ask, c[2].i, SB_U_AT_NS)), c[3].i ? "at least " : "",
                        SB_STR_ARG(sb_facts_human(ask, c[1].i, SB_U_COUNT))),
        SB_STR("strobe report P functions"));
    return true;
}

static bool
put_nodes(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_sql_ask(
        ask->sql,
        SB_STR("SELECT coalesce(name, 'nonode@nohost') || coalesce(', OTP ' || otp, '') || coalesce(', ' || "
               "schedulers || iif(schedulers = 1, ' scheduler', ' schedulers'), '') || iif(schedulers_online "
               "< schedulers, ', ' || schedulers_online || ' online', '') || iif(cores < schedulers_online, "
               "', ' || cores || iif(cores = 1, ' core', ' cores'), '') || iif(cpu_quota_ppm < "
               "min(schedulers_online, cores) * 1000000, printf(', limited to %.2f cores', cpu_quota_ppm / "
               "1e6), ''), clock_error_ns FROM node WHERE otp IS NOT NULL OR schedulers IS NOT NULL OR "
               "clock_offset_ns IS NOT NULL OR id = 1 ORDER BY id"),
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
        sb_summary_put(
            t, "CLOCKS", ns, SB_U_NS,
            sb_arena_printf(ask->arena,
                            "messages between nodes contradict each other by %.*s: clocks drift, or messages "
                            "were paired wrongly; no latency between these nodes is shown",
                            SB_STR_ARG(sb_facts_human(ask, ns, SB_U_NS))),
            SB_STR("strobe report P nodes"));
    return true;
}

/* Adds the cost of tracing, if the recording measured it. */
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
        sb_summary_put(
            t, "cost of tracing", node, SB_U_NS,
            sb_arena_printf(
                ask->arena,
                "about %.*s of CPU in the node (events of %lld ns each, as measured beforehand) and %.*s to "
                "write the trace; starting to record and sampling are not included",
                SB_STR_ARG(sb_facts_human(ask, node, SB_U_NS)), (long long)(node / f->events),
                SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
            none);
    else if (drain > 0)
        sb_summary_put(t, "cost of tracing", drain, SB_U_NS,
                       sb_arena_printf(ask->arena,
                                       "%.*s of CPU to write the trace; the node's own part is unknown",
                                       SB_STR_ARG(sb_facts_human(ask, drain, SB_U_NS))),
                       none);
    return true;
}

/* The mean number of processes at a time */
static struct sb_str
mean(const struct sb_ask *ask, const struct sb_facts *f, int64_t ns)
{
    return sb_arena_printf(ask->arena, "%.2f", (double)ns / (double)f->span_ns);
}

/* Bounds that print as the same number are one number. */
static struct sb_str
bounds_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    if (f->runnable_low_ns == SB_NULL || (!f->range.is_part && f->runnable_high_ns == SB_NULL))
        return SB_STR("");
    struct sb_str low = mean(ask, f, f->runnable_low_ns), middle = mean(ask, f, f->runnable_ns);
    if (f->range.is_part)
        return sb_str_eq(low, middle) ? SB_STR("")
                                      : sb_arena_printf(ask->arena, " (at least %.*s)", SB_STR_ARG(low));
    struct sb_str high = mean(ask, f, f->runnable_high_ns);
    if (sb_str_eq(low, high))
        return SB_STR("");
    return sb_arena_printf(ask->arena, " (between %.*s and %.*s)", SB_STR_ARG(low), SB_STR_ARG(high));
}

/* The number of runnable processes at a time says more than a sum over processes. */
static struct sb_str
ready_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    struct sb_str sum = sb_facts_human(ask, f->runnable_ns, SB_U_NS);
    if (f->runnable_ns == SB_NULL || f->span_ns <= 0)
        return sum;
    return sb_arena_printf(ask->arena, "%.*s processes at a time on average%.*s, %.*s summed over processes",
                           SB_STR_ARG(mean(ask, f, f->runnable_ns)), SB_STR_ARG(bounds_text(ask, f)),
                           SB_STR_ARG(sum));
}

static bool
is_some(int64_t ns)
{
    return ns != SB_NULL && ns > 0;
}

/* What is zero or unknown is left out. */
static struct sb_str
ran_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    struct sb_arena *a = ask->arena;
    struct sb_str dirty_gc = SB_STR(""), gc = SB_STR(""), dirty = SB_STR("");
    if (is_some(f->dirty_gc_ns))
        dirty_gc = sb_arena_printf(a, " (%.*s on dirty schedulers)",
                                   SB_STR_ARG(sb_facts_human(ask, f->dirty_gc_ns, SB_U_NS)));
    if (is_some(f->gc_ns))
        gc = sb_arena_printf(a, ", of it %.*s collecting garbage%.*s",
                             SB_STR_ARG(sb_facts_human(ask, f->gc_ns, SB_U_NS)), SB_STR_ARG(dirty_gc));
    if (is_some(f->dirty_ns))
        dirty = sb_arena_printf(a, "; beside that %.*s of other work on dirty schedulers",
                                SB_STR_ARG(sb_facts_human(ask, f->dirty_ns, SB_U_NS)));
    return sb_arena_printf(a, "%.*s summed over processes%.*s%.*s",
                           SB_STR_ARG(sb_facts_human(ask, f->run_ns, SB_U_NS)), SB_STR_ARG(gc),
                           SB_STR_ARG(dirty));
}

static void
put_sums(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    sb_summary_put(t, "ran", f->run_ns, SB_U_NS, ran_text(ask, f), SB_STR("strobe report P processes"));
    sb_summary_put(t, "was ready", f->runnable_ns, SB_U_NS, ready_text(ask, f),
                   SB_STR("strobe report P processes --sort runnable"));
    bool is_minor = !f->range.is_part && f->runnable_high_ns < f->span_ns / SB_FACTS_MINOR;
    sb_summary_minor(t, is_some(f->run_ns) && is_minor);
    sb_summary_put(
        t, "dirty hand-over", f->handover_ns, SB_U_NS,
        sb_arena_printf(a,
                        "%.*s summed over processes between a normal and a dirty scheduler, or queued "
                        "for a dirty one",
                        SB_STR_ARG(sb_facts_human(ask, f->handover_ns, SB_U_NS))),
        SB_STR("strobe report P processes --sort handover"));
    sb_summary_minor(t, !is_some(f->handover_ns) || f->handover_ns < f->span_ns / SB_FACTS_MINOR);
}

static void
put_messages(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_arena *a = ask->arena;
    const struct sb_str none = {0};
    struct sb_str nobody = SB_STR(""), ports = SB_STR(""), others = SB_STR("");
    int64_t from_ports = f->messages.from_ports;
    if (from_ports > 0)
        ports =
            sb_arena_printf(a, " and %.*s by ports", SB_STR_ARG(sb_facts_human(ask, from_ports, SB_U_COUNT)));
    if (!f->range.is_part && f->messages.sent != SB_NULL &&
        f->messages.received > f->messages.sent + from_ports)
        others = sb_arena_printf(a, " (%.*s or more from timers, monitors, links or processes not traced)",
                                 SB_STR_ARG(sb_facts_human(
                                     ask, f->messages.received - f->messages.sent - from_ports, SB_U_COUNT)));
    if (f->messages.to_nobody > 0)
        nobody = sb_arena_printf(a, "; %.*s sent to registered names that could not be resolved",
                                 SB_STR_ARG(sb_facts_human(ask, f->messages.to_nobody, SB_U_COUNT)));
    if (f->messages.sent != SB_NULL)
        sb_summary_put(t, "messages", f->messages.sent, SB_U_COUNT,
                       sb_arena_printf(a, "%.*s sent%.*s, %.*s received%.*s; %s%.*s words in all%.*s",
                                       SB_STR_ARG(sb_facts_human(ask, f->messages.sent, SB_U_COUNT)),
                                       SB_STR_ARG(ports),
                                       SB_STR_ARG(sb_facts_human(ask, f->messages.received, SB_U_COUNT)),
                                       SB_STR_ARG(others), f->messages.words_at_least > 0 ? "at least " : "",
                                       SB_STR_ARG(sb_facts_human(ask, f->messages.words, SB_U_WORDS)),
                                       SB_STR_ARG(nobody)),
                       SB_STR("strobe report P messages"));
    else
        sb_summary_put(t, "messages", SB_NULL, SB_U_COUNT, SB_STR("-- (record them with --trace messages)"),
                       none);
}

static void
put_length(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const struct sb_str none = {0};
    if (f->range.is_part)
        sb_summary_put(t, "length", f->span_ns, SB_U_NS,
                       sb_arena_printf(ask->arena, "%.*s, from %.*s to %.*s of the run",
                                       SB_STR_ARG(sb_facts_human(ask, f->span_ns, SB_U_NS)),
                                       SB_STR_ARG(sb_facts_human(ask, f->range.from_ns, SB_U_NS)),
                                       SB_STR_ARG(sb_facts_human(ask, f->range.to_ns, SB_U_NS))),
                       none);
    else if (f->timed)
        sb_summary_put(t, "length", f->span_ns, SB_U_NS, sb_facts_human(ask, f->span_ns, SB_U_NS), none);
    else
        sb_summary_put(t, "length", SB_NULL, SB_U_NS,
                       SB_STR("-- (the trace has no time stamps: counts are shown, times are unknown)"),
                       none);
    sb_summary_put(t, "processes", f->processes, SB_U_COUNT, sb_facts_human(ask, f->processes, SB_U_COUNT),
                   SB_STR("strobe report P tree"));
    if (!f->range.is_part)
        sb_summary_put(t, "events", f->events, SB_U_COUNT, sb_facts_human(ask, f->events, SB_U_COUNT), none);
}

bool
sb_facts_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    put_loss(ask, t);
    put_left_out(ask, f, t);
    SB_TRY(f->range.is_part || put_counted(ask, t, e));
    SB_TRY(put_clocks(ask, t, e));
    sb_summary_group(t, SB_SUMMARY_MISSING);
    SB_TRY(put_nodes(ask, t, e));
    put_length(ask, f, t);
    if (f->has_running)
        SB_TRY(sb_facts_put_program(ask, f, t, e));
    if (f->has_running || f->messages.sent != SB_NULL)
        put_messages(ask, f, t);
    sb_summary_group(t, SB_SUMMARY_RUN);
    if (f->has_running)
        sb_facts_put_parallel(ask, f, t);
    else if (f->timed)
        sb_summary_put(t, "parallelism", SB_NULL, SB_U_PPM, SB_STR("-- (record it with --trace running)"),
                       (struct sb_str){0});
    sb_summary_group(t, SB_SUMMARY_PARALLEL);
    if (f->has_running) {
        put_sums(ask, f, t);
        SB_TRY(sb_facts_put_idle(ask, f, t, e));
    }
    sb_summary_group(t, SB_SUMMARY_TIME);
    SB_TRY(f->range.is_part || put_cost(ask, f, t, e));
    sb_summary_group(t, SB_SUMMARY_COST);
    return true;
}
