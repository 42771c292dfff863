#include "answer/facts.h"
#include "answer/hot.h"
#include "answer/losses.h"
#include "answer/summary_row.h"
#include "profile/stats.h"
#include "profile/timeline.h"
#include "why/find/finding.h"
#include "why/run/vm_work.h"

/* One row, one column; SB_NULL if there is no row. */
static bool
number(const struct sb_ask *ask, const char *sql, int64_t *out, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_answer_sql(ask, sql, &t, e));
    *out = t.n_rows > 0 && t.column[0].type == SB_INT ? t.cell[0].i : SB_NULL;
    return true;
}

/* ---- parallelism ---- */

/* Loading code is not work of the program that could be divided. */
static bool
leave_out_loading(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_answer_sql(ask, "SELECT id FROM process WHERE name IN " SB_FACTS_LOADERS, &t, e));
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
    f->program = f->together = sb_parallel_of(ask->profile, f->range.from_ns, f->range.to_ns, ask->arena);
    if (f->range.is_part) {
        f->ready.low = f->together->ready.low;
        f->ready.high = f->together->ready.high;
    } else {
        f->part = *sb_program_of(ask->profile);
        if (sb_whole_of(ask->profile)->program.span_ns > 0)
            f->program = sb_parallel_copy(&sb_whole_of(ask->profile)->program, ask->arena);
    }
    SB_TRY(leave_out_loading(ask, f, e));
    int64_t who = sb_parallel_most_alone(f->together, &f->serial_share_ns);
    f->serial_process = who ? who : SB_NULL;
    return true;
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
    {SB_C_process__runnable_ns, offsetof(struct sb_facts, ready.ns)},
    {SB_C_process__runnable_low_ns, offsetof(struct sb_facts, ready.low)},
    {SB_C_process__runnable_high_ns, offsetof(struct sb_facts, ready.high)},
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
    SB_TRY(number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'events'", &f->events, e));
    f->schedulers = sb_parallel_schedulers(p);
    SB_TRY(number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'sends_to_unknown_names'",
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
    struct sb_losses lost = sb_losses_find(ask->profile);
    if (lost.n > 0)
        sb_summary_put(t, (struct sb_summary_fact){"LOST", lost.events, SB_U_COUNT, "strobe report P loss"},
                       "the trace has gaps: %.*s; times next to them count as unknown",
                       SB_STR_ARG(sb_losses_text(&lost, ask->arena)));
}

/* A recording of some processes shows when these ran, and not whether a scheduler was idle. */
static void
put_left_out(const struct sb_facts *f, struct sb_table *t)
{
    int64_t n = f->together->left_out;
    if (n > 0)
        sb_summary_put(t,
                       (struct sb_summary_fact){"NOT RECORDED", n, SB_U_COUNT, "strobe report P processes"},
                       "%lld process%s existed and %s not recorded: the figures below are of the others, and "
                       "whether a scheduler was idle is unknown",
                       (long long)n, n == 1 ? "" : "es", n == 1 ? "was" : "were");
}

/* Calls that the governor only counted when a ring was nearly full. */
static bool
put_counted(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_answer_sql(ask,
                         "SELECT count(*), sum(counted), min(counted_from), max(at_least) FROM function "
                         "WHERE counted_from IS NOT NULL",
                         &n, e));
    const union sb_cell *c = n.cell;
    if (n.n_rows == 0 || c[0].i == 0)
        return true;
    sb_summary_put(t, (struct sb_summary_fact){"counted", c[1].i, SB_U_COUNT, "strobe report P functions"},
                   "calls of %lld %s were only counted from %s on: %s%s, of which no time is known",
                   (long long)c[0].i, c[0].i == 1 ? "function" : "functions",
                   sb_words_human(ask->arena, c[2].i, SB_U_AT_NS), c[3].i ? "at least " : "",
                   sb_words_count(ask->arena, c[1].i));
    return true;
}

static bool
put_nodes(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_answer_sql(
        ask,
        "SELECT coalesce(name, 'nonode@nohost') || coalesce(', OTP ' || otp, '') || coalesce(', ' || "
        "schedulers || iif(schedulers = 1, ' scheduler', ' schedulers'), '') || iif(schedulers_online "
        "< schedulers, ', ' || schedulers_online || ' online', '') || iif(cores <> schedulers_online, "
        "', ' || cores || iif(cores = 1, ' core', ' cores'), '') || iif(cpu_quota_ppm < "
        "min(schedulers_online, cores) * 1000000, printf(', limited to %.2f cores', cpu_quota_ppm / "
        "1e6), ''), clock_error_ns FROM node WHERE otp IS NOT NULL OR schedulers IS NOT NULL OR "
        "clock_offset_ns IS NOT NULL OR id = 1 ORDER BY id",
        &n, e));
    for (size_t r = 0; r < n.n_rows; r++)
        sb_summary_put(t, (struct sb_summary_fact){"node", SB_NULL, SB_U_NONE}, "%.*s",
                       SB_STR_ARG(n.cell[r * 2].s));
    return true;
}

static bool
put_clocks(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    int64_t ns;
    SB_TRY(number(ask, "SELECT max(clock_conflict_ns) FROM node", &ns, e));
    if (ns != SB_NULL)
        sb_summary_put(t, (struct sb_summary_fact){"CLOCKS", ns, SB_U_NS, "strobe report P nodes"},
                       "messages between nodes contradict each other by %s: clocks drift, or messages were "
                       "paired wrongly; no latency between these nodes is shown",
                       sb_words_ns(ask->arena, ns));
    return true;
}

bool
sb_facts_tracing(const struct sb_ask *ask, int64_t *cpu_ns, struct sb_err *e)
{
    return number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'node_cpu_ns'", cpu_ns, e);
}

/* Adds the cost of tracing, if the recording measured it. */
static bool
put_cost(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    int64_t node, drain;
    SB_TRY(sb_facts_tracing(ask, &node, e));
    SB_TRY(number(ask, "SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'drain_cpu_ns'", &drain, e));
    if (node > 0 && f->events > 0)
        sb_summary_put(t, (struct sb_summary_fact){"cost of tracing", node, SB_U_NS},
                       "about %s of CPU in the node (events of %lld ns each, as measured beforehand) and %s "
                       "to write the trace; starting to record and sampling are not included",
                       sb_words_ns(ask->arena, node), (long long)(node / f->events),
                       sb_words_ns(ask->arena, drain));
    else if (drain > 0)
        sb_summary_put(t, (struct sb_summary_fact){"cost of tracing", drain, SB_U_NS},
                       "%s of CPU to write the trace; the node's own part is unknown",
                       sb_words_ns(ask->arena, drain));
    return true;
}

/* The mean number of processes at a time */
static const char *
mean(const struct sb_ask *ask, const struct sb_facts *f, int64_t ns)
{
    return sb_words(ask->arena, "%.2f", (double)ns / (double)f->span_ns);
}

static const char *
bounds_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    return f->ready.low == SB_NULL || f->ready.high == SB_NULL
               ? ""
               : sb_bounded_text(ask->arena, mean(ask, f, f->ready.low), mean(ask, f, f->ready.high), "");
}

/* The number of runnable processes at a time says more than a sum over processes. */
static const char *
ready_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    const char *sum = sb_words_ns(ask->arena, f->ready.ns);
    struct sb_bounded r = f->ready;
    if (r.ns == SB_NULL || f->span_ns <= 0)
        return sum;
    if (r.low != SB_NULL && r.high - r.low > f->span_ns &&
        r.high > 2 * r.low) /* the value tells too little */
        return sb_words(ask->arena, "%s%s processes at a time on average",
                        20 * r.low < f->span_ns
                            ? "at most "
                            : sb_words(ask->arena, "between %s and ", mean(ask, f, r.low)),
                        mean(ask, f, r.high));
    return sb_words(ask->arena, "%s processes at a time on average%s, %s summed over processes",
                    mean(ask, f, f->ready.ns), bounds_text(ask, f), sum);
}

static bool
is_some(int64_t ns)
{
    return ns != SB_NULL && ns > 0;
}

/* What is zero or unknown is left out. */
static const char *
ran_text(const struct sb_ask *ask, const struct sb_facts *f)
{
    const char *dirty_gc = "", *gc = "", *dirty = "";
    if (is_some(f->dirty_gc_ns))
        dirty_gc = sb_words(ask->arena, " (%s on dirty schedulers)", sb_words_ns(ask->arena, f->dirty_gc_ns));
    if (is_some(f->gc_ns))
        gc = sb_words(ask->arena, ", of it %s collecting garbage%s", sb_words_ns(ask->arena, f->gc_ns),
                      dirty_gc);
    if (is_some(f->dirty_ns))
        dirty = sb_words(ask->arena, "; beside that %s of other work on dirty schedulers",
                         sb_words_ns(ask->arena, f->dirty_ns));
    return sb_words(ask->arena, "%s summed over processes%s%s", sb_words_ns(ask->arena, f->run_ns), gc,
                    dirty);
}

static void
put_sums(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    sb_summary_put(t, (struct sb_summary_fact){"ran", f->run_ns, SB_U_NS, "strobe report P processes"}, "%s",
                   ran_text(ask, f));
    sb_summary_put(t,
                   (struct sb_summary_fact){"was ready", f->ready.ns, SB_U_NS,
                                            "strobe report P processes --sort runnable"},
                   "%s", ready_text(ask, f));
    bool is_minor = !f->range.is_part && f->ready.high < f->span_ns / SB_FACTS_MINOR;
    sb_summary_minor(t, is_some(f->run_ns) && is_minor);
    sb_summary_put(
        t,
        (struct sb_summary_fact){"dirty hand-over", f->handover_ns, SB_U_NS,
                                 "strobe report P processes --sort handover"},
        "%s summed over processes between a normal and a dirty scheduler, or queued for a dirty one",
        sb_words_ns(ask->arena, f->handover_ns));
    sb_summary_minor(t, !is_some(f->handover_ns) || f->handover_ns < f->span_ns / SB_FACTS_MINOR);
}

void
sb_facts_samples(const struct sb_ask *ask, const struct sb_facts *f, struct sb_vm_samples *v)
{
    struct sb_range range = f->range.is_part || f->program == f->together
                                ? sb_range_of(ask->profile, ask->q->since_ns, ask->q->until_ns)
                                : (struct sb_range){f->part.from_ns, f->part.to_ns};
    sb_vm_samples_find(ask->profile, range, ask->arena, v);
}

/* The functions of Erlang that took most of the CPU, with what the VM did for them, by samples. */
static void
put_functions(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    struct sb_vm_samples v;
    sb_facts_samples(ask, f, &v);
    const char *text = sb_hot_functions(ask, &v);
    if (*text)
        sb_summary_put(
            t, (struct sb_summary_fact){"CPU by function", (int64_t)v.n, SB_U_COUNT, "strobe report P cpu"},
            "%s of the CPU time of processes; built-in functions count for their callers where these are "
            "known (%s)",
            text, sb_hot_error(ask, &v));
}

static void
put_messages(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    const char *nobody = "", *ports = "", *others = "", *cut = "";
    int64_t from_ports = f->messages.from_ports;
    if (from_ports > 0)
        ports = sb_words(ask->arena, " and %s by ports", sb_words_count(ask->arena, from_ports));
    if (!f->range.is_part && f->messages.sent != SB_NULL &&
        f->messages.received > f->messages.sent + from_ports)
        others = sb_words(
            ask->arena, " (%s or more from sockets, timers, monitors, links, the VM or processes not traced)",
            sb_words_count(ask->arena, f->messages.received - f->messages.sent - from_ports));
    if (f->messages.to_nobody > 0)
        nobody = sb_words(ask->arena, "; %s sent to registered names that could not be resolved",
                          sb_words_count(ask->arena, f->messages.to_nobody));
    if (f->messages.words_at_least > 0)
        cut = sb_words(ask->arena, ", as the words of %s of them were counted only up to a limit",
                       sb_words_count(ask->arena, f->messages.words_at_least));
    if (f->messages.sent != SB_NULL)
        sb_summary_put(
            t, (struct sb_summary_fact){"messages", f->messages.sent, SB_U_COUNT, "strobe report P messages"},
            "%s sent%s, %s received%s; %s%s words in all%s%s", sb_words_count(ask->arena, f->messages.sent),
            ports, sb_words_count(ask->arena, f->messages.received), others, *cut ? "at least " : "",
            sb_words_human(ask->arena, f->messages.words, SB_U_WORDS), cut, nobody);
    else
        sb_summary_put(t, (struct sb_summary_fact){"messages", SB_NULL, SB_U_COUNT},
                       "-- (record them with --trace messages)");
}

static void
put_length(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t)
{
    if (f->range.is_part)
        sb_summary_put(t, (struct sb_summary_fact){"length", f->span_ns, SB_U_NS},
                       "%s, from %s to %s of the run", sb_words_ns(ask->arena, f->span_ns),
                       sb_words_ns(ask->arena, f->range.from_ns), sb_words_ns(ask->arena, f->range.to_ns));
    else if (f->timed)
        sb_summary_put(t, (struct sb_summary_fact){"length", f->span_ns, SB_U_NS}, "%s",
                       sb_words_ns(ask->arena, f->span_ns));
    else
        sb_summary_put(t, (struct sb_summary_fact){"length", SB_NULL, SB_U_NS},
                       "-- (the trace has no time stamps: counts are shown, times are unknown)");
    sb_summary_put(t, (struct sb_summary_fact){"processes", f->processes, SB_U_COUNT, "strobe report P tree"},
                   "%s", sb_words_count(ask->arena, f->processes));
    if (!f->range.is_part)
        sb_summary_put(t, (struct sb_summary_fact){"events", f->events, SB_U_COUNT}, "%s",
                       sb_words_count(ask->arena, f->events));
}

/* What the VM held, of samples of one node, and the part of it that grew most, if that is a good part. */
static bool
put_memory(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_answer_sql(ask,
                         "WITH part(key, name) AS (VALUES ('total', NULL), ('processes', 'processes'), "
                         "('binary', 'binaries'), ('ets', "
                         "'ETS tables')), m AS (SELECT at, key, name, node, value FROM sample JOIN part "
                         "USING (key) WHERE item = "
                         "'memory') SELECT name, most, f.value, l.value FROM (SELECT key, name, max(value) "
                         "AS most, count(DISTINCT "
                         "node) AS nodes FROM m GROUP BY key) JOIN (SELECT key, value, min(at) FROM m GROUP "
                         "BY key) f USING (key) "
                         "JOIN (SELECT key, value, max(at) FROM m GROUP BY key) l USING (key) WHERE nodes < "
                         "2 ORDER BY name IS NOT "
                         "NULL, l.value - f.value DESC LIMIT 2",
                         &n, e));
    const union sb_cell *c = n.cell;
    if (n.n_rows < 2 || c[0].s.n > 0 || c[1].i <= 0)
        return true;
    const char *grew = 5 * (c[7].i - c[6].i) < c[3].i
                           ? ""
                           : sb_words(ask->arena, "; %.*s grew from %s to %s", SB_STR_ARG(c[4].s),
                                      sb_words_bytes(ask->arena, c[6].i), sb_words_bytes(ask->arena, c[7].i));
    sb_summary_put(t, (struct sb_summary_fact){"memory", c[1].i, SB_U_BYTES, "strobe report P samples"},
                   "the VM held %s at most, %s at the last sample%s", sb_words_bytes(ask->arena, c[1].i),
                   sb_words_bytes(ask->arena, c[3].i), grew);
    return true;
}

/* Requests over sockets, that were answered and that were made: of the processes with most of them. */
static bool
put_requests(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_table n;
    SB_TRY(sb_answer_sql(
        ask,
        "SELECT direction, sum(requests), max(requests), processes, process, p50_ns, p99_ns, max_ns "
        "FROM socket GROUP BY direction HAVING sum(requests) >= 20 ORDER BY direction",
        &n, e));
    for (size_t i = 0; i < n.n_rows; i++) {
        const union sb_cell *c = n.cell + i * n.n_columns;
        bool asked = sb_str_eq(c[0].s, SB_STR("asked"));
        const char *who = sb_facts_who(ask, c[4].i);
        if (c[3].i > 1)
            who = sb_words(ask->arena, "%s and %s like it", who, sb_words_count(ask->arena, c[3].i - 1));
        const char *most =
            c[2].i == c[1].i ? "" : sb_words(ask->arena, "%s of them ", sb_words_count(ask->arena, c[2].i));
        sb_summary_put(t,
                       (struct sb_summary_fact){asked ? "requests made" : "requests", c[1].i, SB_U_COUNT,
                                                "strobe report P sockets"},
                       "%s over sockets, %s%s %s: median %s, 99th percentile %s, longest %s",
                       sb_words_count(ask->arena, c[1].i), most, asked ? "made by" : "answered by", who,
                       sb_words_ns(ask->arena, c[5].i), sb_words_ns(ask->arena, c[6].i),
                       sb_words_ns(ask->arena, c[7].i));
    }
    return true;
}

bool
sb_facts_put(const struct sb_ask *ask, const struct sb_facts *f, struct sb_table *t, struct sb_err *e)
{
    SB_TRY(sb_facts_put_triggers(ask, f, t, e));
    put_loss(ask, t);
    put_left_out(f, t);
    SB_TRY(f->range.is_part || put_counted(ask, t, e));
    SB_TRY(put_clocks(ask, t, e));
    sb_summary_group(t, SB_SUMMARY_MISSING);
    SB_TRY(put_nodes(ask, t, e));
    put_length(ask, f, t);
    if (f->has_running)
        SB_TRY(sb_facts_put_program(ask, f, t, e));
    if (f->has_running || f->messages.sent != SB_NULL)
        put_messages(ask, f, t);
    SB_TRY(f->range.is_part || (put_requests(ask, t, e) && put_memory(ask, t, e)));
    sb_summary_group(t, SB_SUMMARY_RUN);
    if (f->has_running)
        sb_facts_put_parallel(ask, f, t);
    else if (f->timed)
        sb_summary_put(t, (struct sb_summary_fact){"parallelism", SB_NULL, SB_U_PPM},
                       "-- (record it with --trace running)");
    sb_summary_group(t, SB_SUMMARY_PARALLEL);
    if (f->gc_ns != SB_NULL)
        sb_summary_put(t, (struct sb_summary_fact){"collected", f->gc_ns, SB_U_NS, "strobe report P gc"},
                       "%s summed over processes", sb_words_ns(ask->arena, f->gc_ns));
    sb_summary_minor(t, f->gc_ns != SB_NULL && (f->has_running || f->gc_ns == 0));
    if (f->has_running) {
        put_functions(ask, f, t);
        put_sums(ask, f, t);
        SB_TRY(sb_facts_put_idle(ask, f, t, e));
    }
    sb_summary_group(t, SB_SUMMARY_TIME);
    SB_TRY(f->range.is_part || put_cost(ask, f, t, e));
    sb_summary_group(t, SB_SUMMARY_COST);
    return true;
}
