#include "engine/state/thread_sum.h"
#include "base/table.h"

static void
take_values(const struct sb_event *ev, uint64_t *v)
{
    v[SB_THREAD_CPU] = ev->thread.cpu;
    v[SB_THREAD_QUEUE] = ev->thread.queue;
    v[SB_THREAD_VOLUNTARY] = ev->thread.voluntary == SB_UNKNOWN32 ? SB_UNKNOWN : ev->thread.voluntary;
    v[SB_THREAD_INVOLUNTARY] = ev->thread.involuntary == SB_UNKNOWN32 ? SB_UNKNOWN : ev->thread.involuntary;
}

/* Counts of context switches are recorded modulo 2^32 - 1. */
static uint64_t
gained(unsigned k, uint64_t before, uint64_t now)
{
    bool switches = k == SB_THREAD_VOLUNTARY || k == SB_THREAD_INVOLUNTARY;
    return now >= before ? now - before : switches ? now + UINT32_MAX - before : 0;
}

static void
begin(struct sb_thread_sum *t, int64_t at, const uint64_t *v)
{
    t->first = t->last = at;
    for (unsigned k = 0; k < SB_THREAD_VALUES; k++) {
        t->read[k] = v[k];
        t->sum[k] = v[k] == SB_UNKNOWN ? SB_NULL : 0;
    }
}

/* The kernel counts a wait for a CPU when it ends, so the first one may have begun before the first reading. */
static void
bound_queue(struct sb_thread_sum *t)
{
    int64_t *sum = &t->sum[SB_THREAD_QUEUE], most = t->last - t->first - t->sum[SB_THREAD_CPU];
    int64_t queued = t->queued < most ? t->queued : most;
    if (*sum != SB_NULL && queued > *sum)
        *sum = queued;
}

static void
go_on(struct sb_thread_sum *t, int64_t at, const uint64_t *v)
{
    bool anew = v[SB_THREAD_CPU] < t->read[SB_THREAD_CPU] || v[SB_THREAD_QUEUE] < t->read[SB_THREAD_QUEUE];
    t->last = at;
    for (unsigned k = 0; k < SB_THREAD_VALUES; k++) {
        bool known = v[k] != SB_UNKNOWN && t->sum[k] != SB_NULL;
        int64_t *sum = k == SB_THREAD_QUEUE ? &t->queued : &t->sum[k];
        if (known && !anew)
            *sum += (int64_t)gained(k, t->read[k], v[k]);
        if (known)
            t->read[k] = v[k];
    }
    bound_queue(t);
}

const struct sb_thread_sum *
sb_thread_sums_add(struct sb_thread_sums *s, unsigned node, const struct sb_event *ev, bool is_named)
{
    uint64_t v[SB_THREAD_VALUES];
    uint32_t place = sb_map_place(&s->place, (uint64_t)node << 32 | (uint32_t)ev->thread.tid, s->at.n);
    bool is_new = place == s->at.n;
    SB_REACH(&s->at, place);
    struct sb_thread_sum *t = &s->at.at[place];
    take_values(ev, v);
    if (is_new) {
        *t = (struct sb_thread_sum){.node = node, .tid = (uint32_t)ev->thread.tid};
        begin(t, ev->at_ns, v);
    } else {
        go_on(t, ev->at_ns, v);
    }
    if (is_new || is_named)
        t->name = ev->thread.name;
    return t;
}

void
sb_thread_sums_free(struct sb_thread_sums *s)
{
    SB_VEC_FREE(&s->at);
    sb_map_close(&s->place);
}
