#include "why/evidence_steps.h"
#include <stdlib.h>

enum { MOST_ROWS = 2 << 20 /* slices and messages */, TEXTS_UNKNOWN = 0 };

struct reading {
    struct sb_evidence *x;
    uint32_t *next; /* by process.id */
    int64_t dirty_cpu, dirty_io, timeout;
    struct sb_level_change change;
    uint8_t *place; /* by text: what sb_is_call and sb_is_loop say; 0: not asked yet */
};
enum { PLACE_OTHER = 1, PLACE_CALL, PLACE_LOOP };

static uint64_t
rows_within(const struct sb_evidence *x, enum sb_tab t, unsigned column)
{
    uint64_t n = 0;
    struct sb_scan s;
    sb_scan_open(&s, x->profile, t);
    sb_scan_where(&s, column, x->t0, x->t1 - 1);
    sb_scan_want(&s, column);
    while (sb_scan_next(&s))
        n += s.n;
    sb_scan_close(&s);
    return n;
}

static uint64_t
rows(const struct sb_evidence *x)
{
    return rows_within(x, SB_T_slice, SB_C_slice__start) + rows_within(x, SB_T_message, SB_C_message__sent);
}

void
sb_evidence_steps_limit(struct sb_evidence *x)
{
    for (; x->t1 - x->t0 > 1 && rows(x) > MOST_ROWS; x->t1 = x->t0 + (x->t1 - x->t0) / 2)
        x->is_cut = true;
}

/* ---- slices ---- */

static bool
is_actor(const struct sb_evidence *x, int64_t id)
{
    return id >= 1 && (uint64_t)id < x->n_actors;
}

static void
count_slices(struct reading *r)
{
    struct sb_evidence *x = r->x;
    struct sb_scan s;
    sb_scan_open(&s, x->profile, SB_T_slice);
    sb_scan_where(&s, SB_C_slice__start, x->t0, x->t1 - 1);
    unsigned process = sb_scan_want(&s, SB_C_slice__process);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (is_actor(x, s.value[process][i]))
                x->actor[s.value[process][i]].n++;
    sb_scan_close(&s);
    for (uint64_t id = 1; id < x->n_actors; id++) {
        x->actor[id].first = r->next[id] = (uint32_t)x->n_steps;
        x->n_steps += x->actor[id].n;
    }
}

static int32_t
text_of(int64_t v)
{
    return v == SB_NULL || v > INT32_MAX ? TEXTS_UNKNOWN : (int32_t)v;
}

static void
read_slices(struct reading *r)
{
    struct sb_evidence *x = r->x;
    struct sb_scan s;
    x->step = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *x->step, x->n_steps + 1));
    sb_scan_open(&s, x->profile, SB_T_slice);
    sb_scan_where(&s, SB_C_slice__start, x->t0, x->t1 - 1);
    unsigned process = sb_scan_want(&s, SB_C_slice__process), start = sb_scan_want(&s, SB_C_slice__start),
             dur = sb_scan_want(&s, SB_C_slice__dur), in = sb_scan_want(&s, SB_C_slice__in_function),
             out = sb_scan_want(&s, SB_C_slice__out_function), kind = sb_scan_want(&s, SB_C_slice__kind);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t id = s.value[process][i], at = s.value[start][i], ns = s.value[dur][i],
                    k = s.value[kind][i];
            ns = ns < 0 ? 0 : ns < x->t1 - at ? ns : x->t1 - at;
            if (is_actor(x, id))
                x->step[r->next[id]++] = (struct sb_step){
                    .start = at,
                    .dur = ns,
                    .end = at + ns,
                    .in = text_of(s.value[in][i]),
                    .out = text_of(s.value[out][i]),
                    .dirty = k != SB_NULL && (k == r->dirty_cpu || k == r->dirty_io),
                };
            else
                sb_level_add(&r->change, at, at + ns, true); /* a port */
        }
    sb_scan_close(&s);
}

static int
by_start(const void *p, const void *q)
{
    const struct sb_step *a = p, *b = q;
    return (a->start > b->start) - (a->start < b->start);
}

static void
order_slices(struct sb_evidence *x)
{
    for (uint64_t id = 1; id < x->n_actors; id++) {
        struct sb_step *at = x->step + x->actor[id].first;
        for (uint32_t i = 1; i < x->actor[id].n; i++)
            if (at[i].start < at[i - 1].start) {
                qsort(at, x->actor[id].n, sizeof *at, by_start);
                break;
            }
    }
}

/* ---- gaps ---- */

/* The step that ends at that moment; a gap before the first slice has none. */
static struct sb_step *
step_before(const struct sb_evidence *x, int64_t id, int64_t at)
{
    const struct sb_actor *a = &x->actor[id];
    size_t lo = a->first, hi = (size_t)a->first + a->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (x->step[mid].start < at)
            lo = mid + 1;
        else
            hi = mid;
    }
    struct sb_step *s = lo > a->first ? &x->step[lo - 1] : NULL;
    return s && s->start + s->dur == at ? s : NULL;
}

static uint8_t
place_of(struct reading *r, int32_t text)
{
    if (text <= 0 || text >= sb_profile_texts(r->x->profile))
        return PLACE_OTHER;
    if (r->place[text] == 0) {
        struct sb_str mfa = sb_profile_text(r->x->profile, text);
        bool call = sb_is_call(mfa) || sb_str_starts(mfa, SB_STR("proc_lib:sync_start"));
        r->place[text] = call ? PLACE_CALL : sb_is_loop(mfa) ? PLACE_LOOP : PLACE_OTHER;
    }
    return r->place[text];
}

/* Of two processes that talk to each other, the one that wrote first asks. */
static bool
asks(const struct sb_evidence *x, int64_t process, int64_t other)
{
    const struct sb_traffic *to = sb_evidence_edge(x, process, other),
                            *from = sb_evidence_edge(x, other, process);
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

static enum sb_wait
wait_of(struct reading *r, int64_t process, const struct sb_step *s, int64_t cause)
{
    uint8_t place = place_of(r, s->out);
    if (s->wait_ns <= 0)
        return SB_WAIT_NONE;
    if (cause != SB_NULL && cause == r->timeout)
        return SB_WAIT_TIMER;
    if (place == PLACE_LOOP)
        return SB_WAIT_IDLE;
    if (s->waker <= 0)
        return is_last(r->x, process, s) ? SB_WAIT_OPEN : SB_WAIT_OUTSIDE;
    if (place == PLACE_CALL)
        return SB_WAIT_ASKED;
    return asks(r->x, process, s->waker) ? SB_WAIT_ASKED : SB_WAIT_IDLE;
}

static int64_t
positive(int64_t ns)
{
    return ns > 0 ? ns : 0;
}

static int64_t
least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void
read_gaps(struct reading *r)
{
    static const unsigned column[] = {SB_C_gap__process,     SB_C_gap__start,  SB_C_gap__wait_ns,
                                      SB_C_gap__handover_ns, SB_C_gap__low_ns, SB_C_gap__runnable_ns,
                                      SB_C_gap__unknown_ns,  SB_C_gap__cause,  SB_C_gap__waker};
    enum { PROCESS, START, WAIT, HANDOVER, LOW, READY, UNKNOWN, CAUSE, WAKER, COLUMNS };
    struct sb_evidence *x = r->x;
    unsigned at[COLUMNS];
    struct sb_scan s;
    sb_scan_open(&s, x->profile, SB_T_gap);
    sb_scan_where(&s, SB_C_gap__start, x->t0, x->t1 - 1);
    for (unsigned c = 0; c < COLUMNS; c++)
        at[c] = sb_scan_want(&s, column[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t id = s.value[at[PROCESS]][i], waker = s.value[at[WAKER]][i];
            struct sb_step *st = is_actor(x, id) ? step_before(x, id, s.value[at[START]][i]) : NULL;
            if (!st) { /* before the first slice of the part */
                int64_t ready = s.value[at[START]][i] + positive(s.value[at[WAIT]][i]) +
                                positive(s.value[at[HANDOVER]][i]);
                if (is_actor(x, id))
                    sb_level_add(&r->change, ready,
                                 ready + least(positive(s.value[at[LOW]][i]), x->t1 - ready), false);
                continue;
            }
            st->wait_ns = st->asked_ns = positive(s.value[at[WAIT]][i]);
            st->handover_ns = positive(s.value[at[HANDOVER]][i]);
            st->ready_ns = positive(s.value[at[READY]][i]);
            st->ready_low_ns = positive(s.value[at[LOW]][i]);
            st->end += st->wait_ns + st->handover_ns + st->ready_ns + positive(s.value[at[UNKNOWN]][i]);
            st->waker = is_actor(x, waker) && waker != id ? (int32_t)waker : 0;
            st->wait = (uint8_t)wait_of(r, id, st, s.value[at[CAUSE]][i]);
        }
    sb_scan_close(&s);
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
    for (int64_t i = 0; i < x->actor[id].n; i++) {
        struct sb_step *s = &at[i];
        int64_t to = s->start + s->dur;
        bool call =
            place_of(r, s->out) == PLACE_CALL && (s->wait == SB_WAIT_ASKED || s->wait == SB_WAIT_OUTSIDE);
        if (s->wait_ns <= 0)
            continue;
        if (!call || first < 0 || at[first].out != s->out || sb_evidence_sent(x, id, woke_ns, to) > 0) {
            first = call ? i : -1;
            asked_ns = woke_ns;
        }
        woke_ns = to + s->wait_ns;
        if (!call || s->waker <= 0 || sb_evidence_sent_last(x, id, asked_ns, to) != s->waker)
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
add_changes(struct reading *r)
{
    struct sb_evidence *x = r->x;
    for (size_t i = 0; i < x->n_steps; i++) {
        const struct sb_step *s = &x->step[i];
        int64_t handed = s->start + s->dur + s->wait_ns, ready = handed + s->handover_ns,
                to = ready + s->ready_ns;
        sb_level_add(&r->change, s->start, s->start + s->dur, true);
        sb_level_add(&r->change, handed, ready, false);
        if (s->ready_low_ns > 0)
            sb_level_add(&r->change, s->ready_low_ns < s->ready_ns ? to - s->ready_low_ns : ready, to, false);
    }
    sb_level_build(&r->change, x->t0, x->t1, x->schedulers, &x->level);
}

static void
add_sums(struct sb_evidence *x)
{
    for (uint64_t id = 1; id < x->n_actors; id++) {
        struct sb_actor *a = &x->actor[id];
        for (uint32_t i = 0; i < a->n; i++) {
            const struct sb_step *s = &x->step[a->first + i];
            int64_t ns[SB_LEVEL_KINDS];
            sb_level_all(&x->level, s->start, s->start + s->dur, ns);
            a->work_ns += s->dur;
            a->share_ns += ns[SB_LEVEL_SHARE];
            a->alone_ns += ns[SB_LEVEL_ALONE];
            a->idle_ns += s->wait == SB_WAIT_IDLE ? s->wait_ns : 0;
        }
        x->work_ns += a->work_ns;
    }
}

void
sb_evidence_steps_read(struct sb_evidence *x)
{
    struct reading r = {.x = x};
    r.next = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *r.next, x->n_actors + 1));
    r.place = calloc((size_t)sb_profile_texts(x->profile) + 1, 1);
    if (!r.place)
        sb_out_of_memory((size_t)sb_profile_texts(x->profile));
    r.dirty_cpu = sb_profile_find_text(x->profile, SB_STR("dirty_cpu"));
    r.dirty_io = sb_profile_find_text(x->profile, SB_STR("dirty_io"));
    r.timeout = sb_profile_find_text(x->profile, SB_STR("timeout"));
    count_slices(&r);
    read_slices(&r);
    order_slices(x);
    read_gaps(&r);
    for (uint64_t id = 1; id < x->n_actors; id++)
        join_calls(&r, (int64_t)id);
    add_changes(&r);
    add_sums(x);
    free(r.next);
    free(r.place);
}
