/* The facts of a range of time that are exact there: states by the spans of processes, messages by their times. */
#include "answer/facts.h"
#include "answer/sends.h"

bool
sb_facts_find_range(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    const struct sb_question *q = ask->q;
    int64_t length = sb_profile_span(ask->profile);
    f->range.is_part = q->since_ns != SB_NULL || q->until_ns != SB_NULL;
    f->range.from_ns = q->since_ns == SB_NULL ? 0 : q->since_ns;
    f->range.to_ns = q->until_ns == SB_NULL || q->until_ns > length ? length : q->until_ns;
    f->span_ns = f->range.to_ns - f->range.from_ns;
    if (!f->range.is_part || f->span_ns > 0)
        return true;
    if (!sb_profile_is_timed(ask->profile))
        return sb_err_set(e, SB_ERR_USAGE,
                          "the trace has no time stamps, so --since and --until select nothing");
    sb_err_set(e, SB_ERR_USAGE, "nothing of the run is between --since and --until");
    return sb_err_advise(e, "the run lasts %s", sb_words_ns(ask->arena, length));
}

static const struct {
    const char *sql;
    size_t into;
} figures[] = {
    {"SELECT count(*) FROM process WHERE " SB_LIFE_IN_RANGE, offsetof(struct sb_facts, processes)},
    {"SELECT count(*) FROM message WHERE receiver IS NOT NULL AND " SB_RECEIVED_IN_RANGE,
     offsetof(struct sb_facts, messages.received)},
    {"SELECT count(*) FROM message WHERE sender IS NULL AND " SB_SENT_IN_RANGE,
     offsetof(struct sb_facts, messages.from_ports)},
};

/* The sweep bounds the runnable time (struct sb_parallel). */
static bool
find_states(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(sb_answer_sql(
        ask,
        "SELECT sum(running_ns + gc_ns), sum(gc_ns), sum(dirty_ns), sum(handover_ns), sum(runnable_ns), "
        "sum(waiting_ns), sum(unknown_ns) FROM state_by WHERE t0 = :since AND t1 = :until",
        &t, e));
    int64_t *const into[] = {&f->run_ns,   &f->gc_ns,   &f->dirty_ns,  &f->handover_ns,
                             &f->ready.ns, &f->wait_ns, &f->unknown_ns};
    for (size_t i = 0; i < sizeof into / sizeof into[0]; i++)
        if (*into[i] != SB_NULL) /* it was recorded */
            *into[i] = t.n_rows > 0 && t.column[i].type == SB_INT ? t.cell[i].i : SB_NULL;
    f->dirty_gc_ns = f->ready.low = f->ready.high = SB_NULL;
    return true;
}

bool
sb_facts_find_within(const struct sb_ask *ask, struct sb_facts *f, struct sb_err *e)
{
    struct sb_table t;
    bool recorded = f->messages.sent != SB_NULL;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        SB_TRY(sb_answer_sql(ask, figures[i].sql, &t, e));
        *(int64_t *)((char *)f + figures[i].into) = t.cell[0].i;
    }
    SB_TRY(sb_answer_sql(
        ask, "SELECT count(*), coalesce(sum(words), 0), coalesce(sum(at_least), 0) FROM " SB_SENDS_WITHIN, &t,
        e));
    f->messages.sent = recorded ? t.cell[0].i : SB_NULL;
    f->messages.words = t.cell[1].i;
    f->messages.words_at_least = t.cell[2].i;
    f->messages.to_nobody = 0;
    f->events = SB_NULL;
    return find_states(ask, f, e);
}
