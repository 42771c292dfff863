#include "engine/world/quiet.h"
#include "base/order.h"

/*
 * A tick of the sampler lists the run queues one after another: first those of normal schedulers, then
 * those of dirty ones. Some ticks also list for how much of the time since the last such list each scheduler
 * was at work, in millionths. The sampler sleeps while nothing happens; an item of its own gives the time that
 * has passed since the first event after the last tick.
 *
 *     run_queue 1: 0  run_queue 2: 0  run_queue 3: 0  run_queue 4: 5   two normal schedulers: a quiet moment
 *     utilisation 1: 40000   utilisation 2: 990000   utilisation 3: 0
 *     idle_ended_ago_ns: 80000   the queues were empty until shortly before that event
 *
 * The time of the tick is the stamp of the last normal queue: the lengths were read just before the first.
 */
enum { MILLION = 1000000, IDLE_PART = 10, WAKING_NS = 10000000 };
/*
 * A tick with a queue that was not empty. Samples allow that a process was runnable from `since` on. If all
 * schedulers were at work, that is from `at_work_since` on, which samples after the queues show: what they show
 * counts only for gaps that end after them. Otherwise figures would depend on where windows end.
 */
struct occupied {
    int64_t at, since;
    int64_t shown, at_work_since; /* shown: INT64_MAX if not all were at work */
};
struct quiet { /* a quiet moment, and the sample that showed it */
    int64_t at, shown;
};
struct ticks {                  /* of a node */
    SB_VEC(struct quiet) quiet; /* ascending, like `occupied` */
    SB_VEC(struct occupied) occupied;
    int64_t queue; /* number expected next in this tick; 0: one is missing, so the tick is invalid */
    /* the scheduler whose utilisation comes next; 0: one is missing or was at work for less */
    int64_t scheduler;
    int64_t worked; /* when utilisation was sampled last; 0: not yet */
    int64_t span;   /* the time that the sampled utilisation covers; 0: unknown */
    int64_t last;   /* the last valid tick */
    int64_t before; /* the tick before this one; SB_AT_UNKNOWN: it was invalid */
    bool waits;     /* one of the queues of this tick was not empty */
};

struct sb_quiet {
    uint32_t run_queue, utilisation, idle; /* names of the sampled items */
    SB_VEC(struct ticks) of;               /* by node */
};

struct sb_quiet *
sb_quiet_open(const struct sb_run *r)
{
    struct sb_quiet *q = SB_HEAP(struct sb_quiet, .run_queue = sb_names_atom(r->names, SB_STR("run_queue")),
                                 .utilisation = sb_names_atom(r->names, SB_STR("utilisation")),
                                 .idle = sb_names_atom(r->names, SB_STR("idle_ended_ago_ns")));
    return q;
}

void
sb_quiet_close(struct sb_quiet *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->of.n; i++)
        SB_VEC_FREE(&q->of.at[i].quiet), SB_VEC_FREE(&q->of.at[i].occupied);
    SB_VEC_FREE(&q->of);
    free(q);
}

static int64_t
earliest(const struct occupied *o)
{
    return o->shown < INT64_MAX ? o->at_work_since : o->since;
}

static void
end_tick(struct ticks *t, int64_t at)
{
    if (t->waits) {
        struct occupied *last = t->occupied.n ? &t->occupied.at[t->occupied.n - 1] : NULL;
        bool near = last && last->at == t->last && at - last->at <= SB_QUIET_APART_NS;
        int64_t since = near ? earliest(last) : at;
        *SB_PUSH(&t->occupied) = (struct occupied){at, since, INT64_MAX, since};
    } else
        *SB_PUSH(&t->quiet) = (struct quiet){at, at};
    t->last = at;
}

static void
put_queue(struct ticks *t, int64_t queue, int64_t normal, const struct sb_event *sample)
{
    if (queue == 1) {
        t->before = t->queue > normal ? t->last : SB_AT_UNKNOWN;
        t->queue = t->scheduler = 1;
        t->waits = false;
    }
    t->queue = queue == t->queue ? queue + 1 : 0;
    t->waits |= sample->sample.value > 0;
    if (t->queue > normal)
        end_tick(t, sample->at_ns);
}

/* Returns whether a scheduler was at work for nine tenths of the time since the tick before. If the utilisation
 * covers more time, all of the idle time may be in this part. */
static bool
is_at_work(const struct ticks *t, uint64_t utilisation)
{
    int64_t since = t->last - t->before, span = t->span ? t->span : since;
    double idle = (double)span * (1 - (double)utilisation / (double)MILLION);
    return idle * (double)IDLE_PART <= (double)since;
}

/* Handles the utilisation of a scheduler. If all normal schedulers were at work since the tick before, a
 * process may have been runnable all that time, however long ago that tick was. */
static void
put_utilisation(struct ticks *t, int64_t scheduler, int64_t normal, const struct sb_event *sample)
{
    if (scheduler == 1) {
        t->span = t->worked ? sample->at_ns - t->worked : 0;
        t->worked = sample->at_ns;
    }
    t->scheduler = scheduler == t->scheduler && is_at_work(t, sample->sample.value) ? scheduler + 1 : 0;
    if (t->scheduler <= normal || t->queue <= normal || !t->waits || t->before == SB_AT_UNKNOWN)
        return;
    struct occupied *now = &t->occupied.at[t->occupied.n - 1];
    bool row = t->occupied.n > 1 && now[-1].at == t->before;
    now->at_work_since = row ? earliest(now - 1) : t->before;
    now->shown = sample->at_ns;
}

/* Without an event no process ran, so the queues that were empty at the last tick stayed so until a process
 * became ready. A thread that has to wait for a core runs it later; ten milliseconds allow for that. */
static void
put_idle(struct ticks *t, int64_t normal, const struct sb_event *sample)
{
    int64_t end = sample->at_ns - (int64_t)(sample->sample.value & INT64_MAX) - WAKING_NS;
    if (t->queue > normal && !t->waits && end > t->last)
        *SB_PUSH(&t->quiet) = (struct quiet){end, sample->at_ns};
}

void
sb_quiet_sample(struct sb_run *r, const struct sb_event *sample)
{
    struct sb_quiet *q = r->quiet;
    unsigned node = sb_actor_node(sample->who);
    const struct sb_input *in = sb_input_of(r, node);
    int64_t nth, normal = in ? sb_source_info(in->source)->vm.schedulers : 0;
    bool of_queue = sample->sample.item == q->run_queue;
    if (sample->sample.item == q->idle && node < q->of.n)
        put_idle(&q->of.at[node], normal, sample);
    if ((!of_queue && sample->sample.item != q->utilisation) ||
        !sb_str_to_i64(sb_names_str(r->names, sample->sample.key), &nth) || nth > normal)
        return;
    SB_REACH(&q->of, node);
    (of_queue ? put_queue : put_utilisation)(&q->of.at[node], nth, normal, sample);
}

/* Returns how many of `n` moments are before `at`; each is the first member of an element of `size` bytes. */
static size_t
before(const void *moments, size_t n, size_t size, int64_t at)
{
    size_t from = 0, to = n;
    SB_SEARCH(from, to, *(const int64_t *)((const char *)moments + mid * size) < at);
    return from;
}

bool
sb_quiet_between(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to, int64_t *first,
                 int64_t *last)
{
    if (node >= q->of.n)
        return false;
    const struct ticks *t = &q->of.at[node];
    size_t a = before(t->quiet.at, t->quiet.n, sizeof *t->quiet.at, from);
    size_t b = before(t->quiet.at, t->quiet.n, sizeof *t->quiet.at, to);
    while (a < b && t->quiet.at[b - 1].shown - to > SB_QUIET_LATE_NS)
        b--;
    if (a >= b)
        return false;
    *first = t->quiet.at[a].at;
    *last = t->quiet.at[b - 1].at;
    return true;
}

int64_t
sb_quiet_occupied(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to)
{
    if (node >= q->of.n)
        return 0;
    const struct ticks *t = &q->of.at[node];
    size_t b = before(t->occupied.at, t->occupied.n, sizeof *t->occupied.at, to);
    if (b == 0)
        return 0;
    struct occupied last = t->occupied.at[b - 1];
    int64_t since = last.shown < to ? last.at_work_since : last.since;
    since = since > from ? since : from;
    return since < last.at && to - last.at <= SB_QUIET_APART_NS ? to - since : 0;
}
