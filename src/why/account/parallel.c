/* Counts how many processes and ports are at work at each moment, by a sweep over slices and gaps. */
#include "why/account/parallel.h"
#include "profile/capacity.h"
#include "profile/left_out.h"
#include "why/run/at_work.h"

struct at_node {
    int64_t schedulers; /* 0: unknown */
    int64_t now[SB_DOES_COUNT];
};

struct counts {
    struct sb_parallel *out;
    int64_t last;         /* up to which time is counted */
    struct at_node *node; /* by node.id; 0: unknown */
    struct sb_at_work *at_work;
    int64_t now[SB_DOES_COUNT], held_up[3],
        sum; /* nodes where a process is held up: surely, likely, perhaps */
};

/* ---- the sweep ---- */

static void
add_bounded(struct sb_bounded *b, int64_t ns, const int64_t times[3])
{
    b->low += times[0] * ns;
    b->ns += times[1] * ns;
    b->high += times[2] * ns;
}

static void
count(struct counts *x, int64_t ns)
{
    struct sb_parallel *s = x->out;
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
add_held_up(struct counts *x, const struct at_node *n, int64_t step)
{
    int64_t ready = 0;
    if (n->now[SB_DOES_RUN] + n->now[SB_DOES_PORT] < n->schedulers)
        for (int i = 0; i < 3; i++) {
            ready += n->now[SB_DOES_SURELY + i];
            x->held_up[i] += ready > 0 ? step : 0;
        }
}

static void
add(struct counts *x, struct at_node *n, enum sb_does what, int64_t step)
{
    n->now[what] += step;
    x->now[what] += step;
}

static void
change(void *ctx, const struct sb_at_work_change *c)
{
    struct counts *x = ctx;
    struct at_node *n = &x->node[c->node];
    if (c->at > x->last)
        count(x, c->at - x->last);
    x->last = c->at;
    add_held_up(x, n, -1);
    if (c->what != SB_DOES_PORT)
        add(x, n, c->what, c->step);
    add(x, n, SB_DOES_PORT, sb_at_work_ports(x->at_work, c));
    add_held_up(x, n, 1);
    if (c->what == SB_DOES_RUN || c->what == SB_DOES_DIRTY)
        x->sum += c->step * c->id; /* with one at work, the sum is its id */
}

int64_t
sb_parallel_schedulers(const struct sb_profile *p)
{
    struct sb_capacity c;
    sb_capacity_find(p, &c);
    return c.able;
}

void
sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, size_t at_once, struct sb_arena *a,
                 struct sb_parallel *out)
{
    struct sb_at_work w;
    struct counts x = {.out = out, .last = t0, .at_work = &w};
    *out = (struct sb_parallel){.span_ns = t1 - t0,
                                .schedulers = sb_parallel_schedulers(p),
                                .left_out = sb_left_out_find(p, a)[0],
                                .n_ids = sb_profile_rows(p, SB_T_process) + 1};
    out->alone_ns = SB_NEW_N(a, int64_t, out->n_ids);
    sb_at_work_open(&w, p, a);
    w.leaves_out = 1 << SB_DOES_LOST | 1 << SB_DOES_WAKE | 1 << SB_DOES_COLLECT;
    w.ctx = &x;
    w.change = change;
    x.node = SB_NEW_N(a, struct at_node, w.n_nodes + 1);
    const struct sb_capacity *c = sb_capacities_find(p, a);
    for (uint64_t i = 0; i < w.n_nodes; i++)
        x.node[i + 1].schedulers = c[i].able;
    sb_at_work_sweep(&w, t0, t1, at_once);
    if (t1 > x.last)
        count(&x, t1 - x.last);
    if (out->schedulers == 0 || out->left_out > 0)
        out->held_up = out->few = sb_bounded_exact(SB_NULL);
    out->alone_ns[0] = 0; /* of ports */
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
