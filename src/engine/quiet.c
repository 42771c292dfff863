#include "engine/quiet.h"

/* A tick of the sampler tells a queue after the other, 1 to the number of schedulers, then those of dirty ones:
 *
 *     run_queue 1: 0   run_queue 2: 0   run_queue 3: 0   run_queue 4: 5        two normal schedulers: a quiet moment
 *
 * The moment is the stamp of the last normal one: the lengths were read just before the first. */
struct ticks { /* of a node */
    SB_VEC(int64_t) at; /* quiet moments, ascending */
    int64_t next;       /* queue that comes next in this tick; 0: this tick is of no use any more */
};

struct sb_quiet {
    uint32_t run_queue; /* the item */
    SB_VEC(struct ticks) of; /* by node */
};

struct sb_quiet *
sb_quiet_open(const struct sb_run *r)
{
    struct sb_quiet *q = sb_realloc_or_die(NULL, sizeof *q);
    *q = (struct sb_quiet){.run_queue = sb_names_atom(r->names, SB_STR("run_queue"))};
    return q;
}

void
sb_quiet_close(struct sb_quiet *q)
{
    if (!q)
        return;
    for (size_t i = 0; i < q->of.n; i++)
        SB_VEC_FREE(&q->of.at[i].at);
    SB_VEC_FREE(&q->of);
    free(q);
}

void
sb_quiet_sample(struct sb_run *r, const struct sb_event *sample)
{
    struct sb_quiet *q = r->quiet;
    unsigned node = sb_actor_node(sample->who);
    const struct sb_input *in = sb_input_of(r, node);
    int64_t queue, normal = in ? sb_source_info(in->source)->schedulers : 0;
    if (sample->f != q->run_queue || !sb_str_to_i64(sb_names_str(r->names, sample->g), &queue) || queue > normal)
        return;
    SB_REACH(&q->of, node);
    struct ticks *t = &q->of.at[node];
    if (queue == 1)
        t->next = 1;
    t->next = queue == t->next && sample->x == 0 ? queue + 1 : 0;
    if (t->next > normal)
        *SB_PUSH(&t->at) = sample->at_ns;
}

/* How many are before `at`. */
static size_t
before(const struct ticks *t, int64_t at)
{
    size_t from = 0, to = t->at.n;
    while (from < to) {
        size_t mid = (from + to) / 2;
        if (t->at.at[mid] < at)
            from = mid + 1;
        else
            to = mid;
    }
    return from;
}

bool
sb_quiet_between(const struct sb_quiet *q, unsigned node, int64_t from, int64_t to, int64_t *first, int64_t *last)
{
    if (node >= q->of.n)
        return false;
    const struct ticks *t = &q->of.at[node];
    size_t a = before(t, from), b = before(t, to);
    if (a >= b)
        return false;
    *first = t->at.at[a];
    *last = t->at.at[b - 1];
    return true;
}
