#include "why/find/naps.h"
#include "base/order.h"

enum { FEWEST = 5, SHORT_NS = 2000 /* least time of a look */, TIMES = 10 };

struct sb_spawning {
    int64_t parent, at;
};

SB_ORDER(by_parent, struct sb_spawning, SB_UP(parent) ?: SB_UP(at))

void
sb_naps_open(const struct sb_why *w, struct sb_naps_of *of)
{
    *of = (struct sb_naps_of){.why = w, .lost_cores = sb_why_lost_cores(w)};
    of->spawn = SB_NEW_N(w->arena, struct sb_spawning, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.actor[id].parent >= 1 && w->x.actor[id].start != SB_NULL)
            of->spawn[of->spawns++] = (struct sb_spawning){w->x.actor[id].parent, w->x.actor[id].start};
    sb_sort(of->spawn, of->spawns, sizeof *of->spawn, by_parent);
}

static bool
spawned(const struct sb_naps_of *of, int64_t parent, int64_t from, int64_t to)
{
    size_t lo = 0, hi = of->spawns;
    struct sb_spawning key = {parent, from};
    SB_SEARCH(lo, hi, by_parent(&of->spawn[mid], &key) < 0);
    return lo < of->spawns && of->spawn[lo].parent == parent && of->spawn[lo].at < to;
}

/* The work of a look: the first quartile, as most sleeps of a process that polls end with a look and no more. */
static int64_t
work_of_look(const struct sb_why *w, const sb_naps *v)
{
    int64_t *work = SB_NEW_N(w->arena, int64_t, v->n);
    for (size_t i = 0; i < v->n; i++)
        work[i] = v->at[i].work_ns;
    qsort(work, v->n, sizeof *work, sb_by_number);
    return work[v->n / 4] > SHORT_NS ? work[v->n / 4] : SHORT_NS;
}

/* Data of a socket that are there already end no wait. */
static bool
took_from_outside(const struct sb_why *w, int64_t id, int64_t from, int64_t to)
{
    uint32_t lo = w->x.inbox[id], hi = w->x.inbox[id + 1], end = hi;
    SB_SEARCH(lo, hi, sb_evidence_receipt(&w->x.letter[mid]) < from);
    while (lo < end && sb_evidence_receipt(&w->x.letter[lo]) < to)
        if (w->x.letter[lo++].sender == 0)
            return true;
    return false;
}

/* The request of a look is the only message after the sleep, and it was answered. When the run ends, the timer of a
 * behaviour still runs. */
static void
judge(const struct sb_naps_of *of, int64_t id, const struct sb_step *last, struct sb_nap *nap)
{
    const struct sb_why *w = of->why;
    const struct sb_actor *a = &w->x.actor[id];
    int64_t to = last->start + last->dur;
    bool ends = last == &w->x.step[a->first + a->n - 1] && last->wait == SB_WAIT_IDLE && last->waker == 0;
    size_t sent = sb_evidence_sent(&w->x, id, nap->to, to);
    nap->asked = sent == 1 ? nap->asked : 0;
    nap->found = (sent > 0 && nap->asked == 0) || spawned(of, id, nap->to, to) ||
                 took_from_outside(w, id, nap->to, to) ||
                 (last->wait != SB_WAIT_TIMER && last->wait != SB_WAIT_NONE && !ends);
}

/* A process that continues in a third slice has used up its reductions twice, which a look does not. If some sleeps are
 * followed by one slice and others by three or more, but hardly any by two, these are two kinds of work, and no steps
 * of different length. Where other programs took cores, times say nothing beside that. */
static void
judge_work(const struct sb_naps_of *of, sb_naps *v)
{
    int64_t look_ns = work_of_look(of->why, v);
    size_t n[2] = {0};
    for (size_t i = 0; i < v->n; i++)
        if (v->at[i].last - v->at[i].first < 2)
            n[v->at[i].last - v->at[i].first]++;
    bool two_kinds = 4 * n[0] >= v->n && 20 * n[1] <= v->n;
    for (size_t i = 0; i < v->n; i++) {
        struct sb_nap *nap = &v->at[i];
        bool is_long = two_kinds && nap->last > nap->first + 1 && nap->asked == 0;
        nap->only_worked = !nap->found && (is_long || (!of->lost_cores && nap->work_ns >= TIMES * look_ns));
        nap->found |= nap->only_worked;
    }
}

/* A process that asks several others, or that sleeps for different times, is a client and no poller. Without requests
 * that it makes at each look every message is a find. */
static void
judge_requests(sb_naps *v)
{
    int32_t asked = 0;
    int64_t looks = 0, others = 0, least = INT64_MAX, most = 0;
    bool alike = true;
    for (size_t i = 0; i < v->n; i++) {
        const struct sb_nap *nap = &v->at[i];
        others += nap->found || nap->asked == 0;
        if (nap->found || nap->asked == 0)
            continue;
        alike &= asked == 0 || asked == nap->asked;
        asked = nap->asked;
        looks++;
        least = nap->to - nap->from < least ? nap->to - nap->from : least;
        most = nap->to - nap->from > most ? nap->to - nap->from : most;
    }
    bool polls = alike && looks >= FEWEST && looks >= 2 * others && most <= 3 * least;
    for (size_t i = 0; i < v->n && !polls; i++)
        v->at[i].found |= v->at[i].asked != 0;
}

void
sb_naps_read(const struct sb_naps_of *of, int64_t id, sb_naps *v)
{
    const struct sb_why *w = of->why;
    const struct sb_actor *a = &w->x.actor[id];
    struct sb_nap nap = {.from = SB_NULL};
    int64_t slept_from = SB_NULL; /* of a sleep that a message interrupted */
    v->n = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        int64_t to = s->start + s->dur;
        nap.work_ns += s->dur;
        nap.last = a->first + i;
        bool replied = s->wait == SB_WAIT_ASKED && nap.from != SB_NULL &&
                       sb_evidence_sent_last(&w->x, id, nap.to, to) == s->waker && s->waker > 0;
        nap.asked = replied ? s->waker : nap.asked;
        if ((s->wait == SB_WAIT_NONE || replied) && i + 1 < a->n)
            continue;
        if (s->interrupted) {
            slept_from = slept_from == SB_NULL ? to : slept_from;
            continue;
        }
        if (nap.from != SB_NULL) {
            judge(of, id, s, &nap);
            *SB_PUSH(v) = nap;
        }
        nap = (struct sb_nap){.from = SB_NULL, .first = a->first + i + 1};
        if (s->wait == SB_WAIT_TIMER && !sb_is_call(sb_evidence_text(&w->x, s->out))) {
            nap.from = slept_from != SB_NULL ? slept_from : to;
            nap.to = to + s->wait_ns;
        }
        slept_from = SB_NULL;
    }
    judge_requests(v);
    if (v->n > 0)
        judge_work(of, v);
}
