/* When a message is needed: the VM fetches messages in batches, and no event shows which work handles which. */
#include "why/predict/ops_build.h"

struct sb_work_clock
sb_work_clock_of(const struct sb_history *h, uint64_t process)
{
    return (struct sb_work_clock){h->slice + h->slices_from[process], h->slice + h->slices_from[process + 1],
                                  0};
}

int64_t
sb_work_until(struct sb_work_clock *c, int64_t at)
{
    for (; c->slice < c->end && c->slice->end <= at; c->slice++)
        c->done_ns +=
            c->slice->dirty || c->slice->end < c->slice->start ? 0 : c->slice->end - c->slice->start;
    return c->done_ns +
           (c->slice < c->end && !c->slice->dirty && c->slice->start < at ? at - c->slice->start : 0);
}

/* Returns the moment at which the work reaches `done_ns`, which only grows from call to call. */
static int64_t
moment_of(struct sb_work_clock *c, int64_t done_ns)
{
    for (; c->slice < c->end; c->slice++) {
        int64_t ns = c->slice->dirty ? 0 : c->slice->end - c->slice->start;
        if (ns > 0 && c->done_ns + ns >= done_ns)
            return c->slice->start + (done_ns - c->done_ns);
        c->done_ns += ns > 0 ? ns : 0;
    }
    return INT64_MAX;
}

static bool
is_fetch(const struct sb_op *r)
{
    return r->kind == SB_OP_RECV && !r->woken;
}

static void
move_to(struct sb_op *r, int64_t at, int64_t end_ns)
{
    at = at < end_ns ? at : end_ns;
    r->at = r->at < at ? at : r->at;
}

/* A server that sends the same number of messages for each request shows where a request ends. Returns false if the
 * messages sent in [from, to) cannot be shared out evenly among the n requests before `from`. */
static bool
spread_by_sends(struct sb_op *r, size_t n, size_t from, size_t to)
{
    size_t sends = 0, seen = 0, x = 1;
    for (size_t i = from; i < to; i++)
        sends += r[i].kind == SB_OP_SEND;
    if (sends == 0 || sends % n != 0)
        return false;
    for (size_t i = from; i < to && x < n; i++)
        if (r[i].kind == SB_OP_SEND && ++seen == x * (sends / n)) {
            r[from - n + x].at = r[i].at; /* at one moment what is sent comes first */
            x++;
        }
    return true;
}

/*
 * Of n messages that are fetched together, followed by work W until the next fetch, message i is needed after W i / n,
 * unless the messages sent in between say more.
 */
static void
spread(const struct sb_ops_build *b, const struct sb_ops_rows *rows)
{
    enum { AT_ONCE_NS = 1000 };
    struct sb_op *r = rows->at;
    struct sb_work_clock c = sb_work_clock_of(&b->h, rows->process), d = c;
    for (size_t i = 0, k, to = rows->n; i < to; i = k) {
        for (k = i + 1; is_fetch(&r[i]) && k < to && is_fetch(&r[k]) && r[k].at - r[k - 1].at < AT_ONCE_NS;)
            k++;
        size_t n = k - i, next = k;
        if (n == 1)
            continue;
        while (next < to && !is_fetch(&r[next]))
            next++;
        int64_t done = sb_work_until(&c, r[k - 1].at),
                work = sb_work_until(&c, next < to ? r[next].at : b->o->end_ns) - done;
        if (spread_by_sends(r, n, k, next))
            continue;
        for (size_t x = 1; x < n; x++)
            move_to(&r[i + x], moment_of(&d, done + (int64_t)((double)work * (double)x / (double)n)),
                    b->o->end_ns);
    }
}

/*
 * The VM also fetches when a process is scheduled in, while older messages still wait for their turn. A reply shows
 * which message was handled last: the latest one of the reply's receiver, and since the previous reply.
 */
static void
delay_fetches(const struct sb_ops_build *b, const struct sb_ops_rows *rows, uint32_t *fetched)
{
    int64_t sent = INT64_MIN;
    struct sb_op *first = rows->at;
    uint32_t place = (uint32_t)(first - b->o->op) + 1; /* what is below was noted for other processes */
    for (size_t i = 0; i < rows->n; i++) {
        struct sb_op *op = &first[i];
        if (is_fetch(op))
            fetched[b->edge.at[op->arg].from] = place + (uint32_t)i;
        if (op->kind != SB_OP_SEND)
            continue;
        uint32_t *request = &fetched[b->edge.at[op->arg].to];
        if (*request >= place && *request - place < i && first[*request - place].at < sent)
            first[*request - place].at = sent;
        *request = 0;
        sent = op->at;
    }
}

void
sb_ops_spread(const struct sb_ops_build *b, struct sb_ops_rows *r, uint32_t *fetched)
{
    spread(b, r);
    delay_fetches(b, r, fetched);
}
