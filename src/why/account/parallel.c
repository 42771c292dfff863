/* Counts how many processes and ports are at work at each moment, by a sweep over slices and gaps. */
#include "why/account/parallel.h"
#include "profile/capacity.h"
#include "profile/left_out.h"

struct at_node {
    int64_t schedulers; /* 0: unknown */
    int64_t now[SB_DOES_COUNT];
};

enum { BEFORE, PART, AFTER, STRETCHES };

struct sb_counting {
    struct sb_at_work *at_work;
    int64_t last; /* up to which time is counted */
    unsigned stretch;
    int64_t until[STRETCHES];
    struct sb_parallel *out[STRETCHES];
    struct at_node *node; /* by node.id; 0: unknown */
    int64_t now[SB_DOES_COUNT], held_up[3],
        sum; /* nodes where a process is held up: surely, likely, perhaps */
};

/* ---- the sweep ---- */

static void
add_bounded(struct sb_bounded *b, int64_t ns, const int64_t times[3])
{
    sb_bounded_add(b, (struct sb_bounded){times[0] * ns, times[1] * ns, times[2] * ns});
}

static void
count(const struct sb_counting *x, struct sb_parallel *s, int64_t ns)
{
    int64_t processes = x->now[SB_DOES_RUN] + x->now[SB_DOES_DIRTY],
            at_work = processes + x->now[SB_DOES_PORT];
    s->at_level_ns[at_work < SB_PARALLEL_LEVELS ? at_work : SB_PARALLEL_LEVELS - 1] += ns;
    s->work_ns += processes * ns;
    s->port_ns += x->now[SB_DOES_PORT] * ns;
    int64_t sure = x->now[SB_DOES_SURELY], ready = sure + x->now[SB_DOES_LIKELY],
            most = ready + x->now[SB_DOES_PERHAPS];
    add_bounded(&s->ready, ns, (int64_t[]){sure, ready, most});
    if (at_work == 0)
        add_bounded(&s->resting, ns,
                    (int64_t[]){most == 0 && x->now[SB_DOES_HANDOVER] == 0,
                                ready + x->now[SB_DOES_HANDOVER] == 0, sure + x->now[SB_DOES_HANDOVER] == 0});
    s->dirty_only_ns += x->now[SB_DOES_DIRTY] > 0 && x->now[SB_DOES_DIRTY] == at_work ? ns : 0;
    if (at_work == 1) {
        add_bounded(&s->serial, ns, (int64_t[]){most == 0, ready == 0, sure == 0});
        s->alone_ns[processes == 1 ? x->sum : 0] += ready == 0 ? ns : 0;
    }
    if (s->schedulers > 0) {
        int64_t free = s->schedulers - at_work;
        add_bounded(&s->held_up, ns, (int64_t[]){x->held_up[0] > 0, x->held_up[1] > 0, x->held_up[2] > 0});
        add_bounded(&s->few, ns, (int64_t[]){most < free, ready < free, sure < free});
    }
}

static void
add_held_up(struct sb_counting *x, const struct at_node *n, int64_t step)
{
    int64_t ready = 0;
    if (n->now[SB_DOES_RUN] + n->now[SB_DOES_PORT] < n->schedulers)
        for (int i = 0; i < 3; i++) {
            ready += n->now[SB_DOES_SURELY + i];
            x->held_up[i] += ready > 0 ? step : 0;
        }
}

static void
add(struct sb_counting *x, struct at_node *n, enum sb_does what, int64_t step)
{
    n->now[what] += step;
    x->now[what] += step;
}

static void
count_up_to(struct sb_counting *x, int64_t at)
{
    while (x->last < at) {
        int64_t to = at < x->until[x->stretch] ? at : x->until[x->stretch];
        if (to > x->last)
            count(x, x->out[x->stretch], to - x->last);
        x->last = to > x->last ? to : x->last;
        x->stretch += x->last < at;
    }
}

enum { IGNORED = 1 << SB_DOES_LOST | 1 << SB_DOES_WAKE | 1 << SB_DOES_COLLECT };

void
sb_counting_change(struct sb_counting *x, const struct sb_at_work_change *c)
{
    if (IGNORED >> c->what & 1)
        return;
    struct at_node *n = &x->node[c->node];
    count_up_to(x, c->at);
    add_held_up(x, n, -1);
    if (c->what != SB_DOES_PORT)
        add(x, n, c->what, c->step);
    add(x, n, SB_DOES_PORT, sb_at_work_ports(x->at_work, c));
    add_held_up(x, n, 1);
    if (c->what == SB_DOES_RUN || c->what == SB_DOES_DIRTY)
        x->sum += c->step * c->id; /* with one at work, the sum is its id */
}

static void
change(void *ctx, const struct sb_at_work_change *c)
{
    sb_counting_change(ctx, c);
}

/* ---- before and after it ---- */

int64_t
sb_parallel_schedulers(const struct sb_profile *p)
{
    struct sb_capacity c;
    sb_capacity_find(p, &c);
    return c.able;
}

static struct sb_parallel *
new_sums(const struct sb_at_work *w, struct sb_arena *a)
{
    struct sb_parallel *s = SB_NEW(a, struct sb_parallel);
    *s = (struct sb_parallel){.schedulers = sb_parallel_schedulers(w->profile),
                              .left_out = sb_left_out_find(w->profile, a)[0],
                              .n_ids = w->n_processes + 1};
    s->alone_ns = SB_NEW_N(a, int64_t, s->n_ids);
    return s;
}

static void
add_sums(struct sb_parallel *to, const struct sb_parallel *s)
{
    for (size_t i = 0; i < SB_PARALLEL_LEVELS; i++)
        to->at_level_ns[i] += s->at_level_ns[i];
    for (uint64_t i = 0; i < s->n_ids; i++)
        to->alone_ns[i] += s->alone_ns[i];
    to->dirty_only_ns += s->dirty_only_ns;
    to->work_ns += s->work_ns;
    to->port_ns += s->port_ns;
    sb_bounded_add(&to->resting, s->resting);
    sb_bounded_add(&to->serial, s->serial);
    sb_bounded_add(&to->held_up, s->held_up);
    sb_bounded_add(&to->few, s->few);
    sb_bounded_add(&to->ready, s->ready);
}

static void
finish(struct sb_parallel *s, int64_t span_ns)
{
    s->span_ns = span_ns;
    if (s->schedulers == 0 || s->left_out > 0)
        s->held_up = s->few = sb_bounded_exact(SB_NULL);
    s->alone_ns[0] = 0; /* of ports */
}

struct sb_counting *
sb_counting_begin(struct sb_at_work *w, struct sb_arena *a, int64_t t0, int64_t t1)
{
    struct sb_counting *x = SB_NEW(a, struct sb_counting);
    *x = (struct sb_counting){.at_work = w, .until = {t0, t1, INT64_MAX}};
    x->out[BEFORE] = x->out[AFTER] = new_sums(w, a);
    x->out[PART] = new_sums(w, a);
    x->node = SB_NEW_N(a, struct at_node, w->n_nodes + 1);
    const struct sb_capacity *c = sb_capacities_find(w->profile, a);
    for (uint64_t i = 0; i < w->n_nodes; i++)
        x->node[i + 1].schedulers = c[i].able;
    return x;
}

void
sb_counting_end(struct sb_counting *x, struct sb_parallel *whole, struct sb_parallel *part)
{
    int64_t span = sb_profile_span(x->at_work->profile);
    count_up_to(x, span);
    add_sums(x->out[BEFORE], x->out[PART]);
    *whole = *x->out[BEFORE];
    *part = *x->out[PART];
    finish(whole, span);
    finish(part, x->until[PART] - x->until[BEFORE]);
}

void
sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                 struct sb_parallel *out)
{
    struct sb_at_work w;
    sb_at_work_open(&w, p, a);
    struct sb_counting *x = sb_counting_begin(&w, a, t0, t1);
    x->last = t0;
    w.leaves_out = IGNORED;
    w.ctx = x;
    w.change = change;
    sb_at_work_sweep(&w, t0, t1, at_once);
    count_up_to(x, t1);
    *out = *x->out[PART];
    finish(out, t1 - t0);
}

int64_t
sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns)
{
    int64_t who = 0;
    *ns = 0;
    for (uint64_t i = 1; i < s->n_ids; i++)
        if (s->alone_ns[i] > *ns) {
            *ns = s->alone_ns[i];
            who = (int64_t)i;
        }
    return who;
}
