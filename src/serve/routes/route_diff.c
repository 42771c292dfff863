/* The answer of `strobe diff` for two of the served profiles: the selected one is A, that of parameter `with` is B. */
#include "answer/diff.h"
#include "base/progress.h"
#include "serve/route.h"

/* Subjects live as long as the comparison, the reply longer. */
static void
write(const struct sb_request *rq, const struct sb_diff *d, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_room(r, "diff");
    sb_diff_table(d, rq->arena, t);
    for (size_t i = 0; i < t->n_rows; i++) {
        union sb_cell *subject = &t->cell[i * t->n_columns + SB_DIFF_SUBJECT];
        subject->s = sb_arena_str(rq->arena, subject->s);
    }
    SB_OUT_TO_MEMORY(text);
    sb_diff_write_head(d, t, ". ", &text);
    sb_reply_text(r, "text", sb_arena_str(rq->arena, (struct sb_str){text.buf, text.n}));
}

bool
sb_route_diff(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_diff d;
    if (!rq->with.sql)
        return sb_err_set(e, SB_ERR_INPUT, "with takes the number of the profile to compare with");
    sb_diff_init(&d);
    d.most = SB_QUERY_ROWS;
    d.deadline_ns = rq->deadline_ns;
    d.cancelled = &rq->profiles->stop;
    bool ok = sb_diff_add(&d, rq->served->profile, rq->sql, false, e) &&
              sb_diff_add(&d, rq->with.served->profile, rq->with.sql, true, e);
    if (ok)
        write(rq, &d, r);
    sb_diff_close(&d);
    if (!ok && e->code == SB_ERR_INPUT && rq->deadline_ns && sb_clock_ns() >= rq->deadline_ns)
        return sb_err_set(e, SB_ERR_LIMIT, "the comparison took too long") ||
               sb_err_advise(e, "strobe diff takes as long as it needs");
    return ok;
}
