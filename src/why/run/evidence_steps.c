#include "why/run/evidence_impl.h"

enum { SOON = 4 /* times as long as usual */ };

struct reading {
    struct sb_evidence *x;
    uint8_t *place; /* by text: what sb_is_call and sb_is_loop say of it; 0: not asked yet */
    bool behaves;   /* the process waits in the loop of a behaviour, too */
};
enum { PLACE_OTHER = 1, PLACE_CALL, PLACE_LOOP };

/* ---- what a gap waits for ---- */

static uint8_t
place_of(struct reading *r, int32_t text)
{
    if (text <= 0 || text >= sb_profile_texts(r->x->profile))
        return PLACE_OTHER;
    if (r->place[text] == 0) {
        struct sb_str mfa = sb_profile_text(r->x->profile, text);
        bool call = (sb_is_call(mfa) && !sb_is_response(mfa)) || sb_is_start(mfa);
        r->place[text] = call ? PLACE_CALL : sb_is_loop(mfa) ? PLACE_LOOP : PLACE_OTHER;
    }
    return r->place[text];
}

/* Two processes that were there before the trace, and write as soon after its start as they do all the time, may have
 * written before it. */
static bool
may_have_begun_before(const struct sb_evidence *x, const struct sb_traffic *to, const struct sb_traffic *from)
{
    const struct sb_actor *a = &x->actor[to->sender], *b = &x->actor[to->receiver];
    if (a->start != SB_NULL || b->start != SB_NULL)
        return false;
    int64_t start = a->watched_ns > b->watched_ns ? a->watched_ns : b->watched_ns,
            first = sb_least(to->first, from->first),
            apart = (x->is_cut ? x->span_ns : x->t1 - start) / (to->count + from->count);
    return first - start < SOON * apart;
}

static bool
is_first_unknown(const struct sb_evidence *x, int64_t process, int64_t other)
{
    const struct sb_traffic *to = sb_evidence_edge(x, process, other),
                            *from = sb_evidence_edge(x, other, process);
    return to && from && may_have_begun_before(x, to, from);
}

/* Of two processes that talk to each other, the one that wrote first asks; where that is unknown, one of several of a
 * process that serves them in turn. */
bool
sb_evidence_asks(const struct sb_evidence *x, int64_t process, int64_t other)
{
    const struct sb_traffic *to = sb_evidence_edge(x, process, other),
                            *from = sb_evidence_edge(x, other, process);
    if (is_first_unknown(x, process, other))
        return x->serves[other] > 0 && x->serves[other] == x->actor[process].group;
    if (x->actor[other].parent == process)
        return true;
    if (!to || x->actor[process].parent == other)
        return to && from && to->first < from->first;
    return !from || to->first < from->first;
}

static bool
is_last(const struct sb_evidence *x, int64_t process, const struct sb_step *s)
{
    const struct sb_actor *a = &x->actor[process];
    return s == &x->step[a->first + a->n - 1];
}

/* Where it is unknown who wrote first, a behaviour asks if it waits elsewhere than in its loop. */
static enum sb_wait
wait_of(struct reading *r, int64_t process, const struct sb_step *s, bool timed_out)
{
    uint8_t place = place_of(r, s->out);
    if (s->wait_ns <= 0)
        return SB_WAIT_NONE;
    if (timed_out)
        return SB_WAIT_TIMER;
    if (place == PLACE_LOOP)
        return SB_WAIT_IDLE;
    if (s->waker <= 0)
        return is_last(r->x, process, s) ? SB_WAIT_OPEN : SB_WAIT_OUTSIDE;
    if (place == PLACE_CALL)
        return SB_WAIT_ASKED;
    bool asks = (r->behaves && is_first_unknown(r->x, process, s->waker)) ||
                sb_evidence_asks(r->x, process, s->waker);
    return asks ? SB_WAIT_ASKED : SB_WAIT_IDLE;
}

/* ---- slices and gaps ---- */

static void
join_gap(struct reading *r, int64_t process, struct sb_step *s, const struct sb_history_gap *g)
{
    s->wait_ns = s->asked_ns = g->waited - g->start;
    s->handover_ns = g->handed - g->waited;
    s->ready_ns = g->ready - g->handed;
    s->ready_low_ns = g->ready_low_ns;
    s->end = g->end;
    s->waker = g->waker != process ? (int32_t)g->waker : 0;
    s->wait = (uint8_t)wait_of(r, process, s, g->cause == SB_GAP_TIMEOUT);
    s->interrupted = g->interrupted;
}

/* A gap follows the slice that ends at its start; one before the first slice of the part has none. */
static void
read_steps(struct reading *r, const struct sb_history *h, int64_t id)
{
    struct sb_evidence *x = r->x;
    const struct sb_history_slice *slice = h->slice + h->slices_from[id];
    struct sb_actor *a = &x->actor[id];
    struct sb_step *step = x->step + x->n_steps;
    a->first = (uint32_t)x->n_steps;
    a->n = (uint32_t)(h->slices_from[id + 1] - h->slices_from[id]);
    x->n_steps += a->n;
    r->behaves = false;
    for (uint32_t i = 0; i < a->n; i++) {
        int64_t end = sb_least(slice[i].end, x->t1), start = slice[i].start < x->t0 ? x->t0 : slice[i].start;
        step[i] = (struct sb_step){.start = start,
                                   .dur = end - start,
                                   .end = end,
                                   .in = slice[i].in,
                                   .out = slice[i].out,
                                   .dirty = slice[i].dirty};
        r->behaves |= place_of(r, step[i].out) == PLACE_LOOP;
    }
    uint32_t next = 0;
    for (uint64_t i = h->gaps_from[id]; i < h->gaps_from[id + 1]; i++) {
        const struct sb_history_gap *g = &h->gap[i];
        while (next < a->n && step[next].start < g->start)
            next++;
        if (next > 0 && step[next - 1].start + step[next - 1].dur == g->start)
            join_gap(r, id, &step[next - 1], g);
    }
}

static uint32_t
sent_from(const struct sb_evidence *x, int64_t id, uint32_t i, int64_t at)
{
    while (i < x->outbox[id + 1] && x->letter[x->by_sender[i]].sent < at)
        i++;
    return i;
}

/*
 * A message of another process wakes a process that waits in a call: it looks at the message, and waits again. All
 * these waits are for the process that replies in the end, which is the one that was asked: the receiver of the last
 * message before the call. Earlier ones may be replies of this process to those that wake it with a new request.
 */
static void
join_calls(struct reading *r, int64_t id)
{
    const struct sb_evidence *x = r->x;
    struct sb_step *at = x->step + x->actor[id].first;
    int64_t first = -1, asked_ns = 0,
            woke_ns = x->t0; /* of the call that is open: its first wait; none: -1 */
    uint32_t since = x->outbox[id],
             until = since; /* in by_sender: sent at woke_ns or later; at `to` or later */
    for (int64_t i = 0; i < x->actor[id].n; i++) {
        struct sb_step *s = &at[i];
        int64_t to = s->start + s->dur;
        bool call =
            place_of(r, s->out) == PLACE_CALL && (s->wait == SB_WAIT_ASKED || s->wait == SB_WAIT_OUTSIDE);
        if (s->wait_ns <= 0)
            continue;
        since = sent_from(x, id, since, woke_ns);
        until = sent_from(x, id, until, to);
        if (!call || first < 0 || at[first].out != s->out || since < until) {
            first = call ? i : -1;
            asked_ns = woke_ns;
        }
        woke_ns = to + s->wait_ns;
        const struct sb_letter *last = until > x->outbox[id] ? &x->letter[x->by_sender[until - 1]] : NULL;
        if (!call || s->waker <= 0 || !last || last->sent < asked_ns || last->receiver != s->waker)
            continue;
        for (; first < i; first++)
            if (at[first].wait_ns > 0) {
                at[first].waker = s->waker;
                at[first].wait = SB_WAIT_ASKED;
                at[first].asked_ns =
                    at[first + 1].start + at[first + 1].dur - at[first].start - at[first].dur;
            }
        first = -1;
    }
}

/* ---- sums ---- */

static void
sum_steps(const struct sb_evidence *x, struct sb_actor *a)
{
    for (uint32_t i = a->first; i < a->first + a->n; i++) {
        const struct sb_step *s = &x->step[i];
        int64_t ns[SB_LEVEL_KINDS];
        sb_level_kinds(&x->level, s->start, s->start + s->dur, 1 << SB_LEVEL_SHARE | 1 << SB_LEVEL_ALONE, ns);
        a->share_ns += ns[SB_LEVEL_SHARE];
        a->alone_ns += ns[SB_LEVEL_ALONE];
    }
}

void
sb_evidence_sum_work(struct sb_evidence *x)
{
    SB_EACH_PRESENT (x, id) {
        struct sb_actor *a = &x->actor[id];
        SB_EACH_STEP (x, id, s) {
            a->work_ns += s->dur;
            a->idle_ns += s->wait == SB_WAIT_IDLE ? s->wait_ns : 0;
        }
        const struct sb_level_work *work = &x->level.work[id];
        if (work->ns == a->work_ns) {
            a->alone_ns = work->alone_ns;
            a->share_ns = work->share_ns;
        } else { /* a slice that began before the part is in it, and is no step */
            sum_steps(x, a);
        }
        x->work_ns += a->work_ns;
    }
}

void
sb_evidence_steps_read(struct sb_evidence *x, const struct sb_history *h)
{
    struct reading r = {.x = x, .place = sb_zeroed_or_die((size_t)sb_profile_texts(x->profile) + 1, 1)};
    x->step = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->step, h->slices_from[x->n_actors] + 1));
    for (int64_t id = 1; id < x->n_actors; id++) {
        if (h->slices_from[id] == h->slices_from[id + 1])
            continue;
        read_steps(&r, h, id);
        join_calls(&r, id);
    }
    free(r.place);
}
