#include "why/account/account.h"

struct sums {                /* of a node's normal schedulers, over the whole profile */
    double cpu_ns, queue_ns; /* of their threads */
    double slices_ns;        /* of those whose thread is known */
    double lost_ns; /* of that: each thread lost the share of its time in which it waited for a core */
    bool has_threads;
};

/* The part of `ns` that falls to `of` out of `all`. */
static int64_t
part(double ns, int64_t of, int64_t all)
{
    double share = all > 0 ? ns * (double)of / (double)all : 0;
    return share < (double)of ? (int64_t)share : of;
}

/* The time of the slices on a scheduler; 0: it is no normal one. */
static int64_t
slices_ns(const struct sb_profile *p, const struct sb_accounts *x, uint64_t row, int64_t normal)
{
    int64_t node = SB_CELL(p, scheduler, node, row), ns = SB_CELL(p, scheduler, slice_ns, row);
    bool counts =
        node >= 1 && (uint64_t)node <= x->n_nodes && ns > 0 && SB_CELL(p, scheduler, kind, row) == normal;
    return counts ? ns : 0;
}

static void
add_thread(const struct sb_profile *p, const struct sb_accounts *x, uint64_t row, int64_t normal,
           struct sums *sums)
{
    int64_t node = SB_CELL(p, thread, node, row), cpu = SB_CELL(p, thread, cpu_ns, row),
            queue = SB_CELL(p, thread, queue_ns, row);
    if (node < 1 || (uint64_t)node > x->n_nodes || cpu < 0 || queue < 0 || normal == SB_NULL ||
        SB_CELL(p, thread, kind, row) != normal)
        return;
    int64_t id = SB_CELL(p, thread, scheduler, row);
    double slices = id >= 1 && (uint64_t)id <= sb_profile_rows(p, SB_T_scheduler)
                        ? (double)slices_ns(p, x, (uint64_t)id - 1, normal)
                        : 0;
    sums[node - 1].cpu_ns += (double)cpu;
    sums[node - 1].queue_ns += (double)queue;
    sums[node - 1].slices_ns += slices;
    sums[node - 1].lost_ns += queue > 0 ? slices * (double)queue / ((double)cpu + (double)queue) : 0;
    sums[node - 1].has_threads |= SB_CELL(p, thread, end, row) > SB_CELL(p, thread, start, row);
}

static void
move(struct sb_account *a, enum sb_account_part from, enum sb_account_part to, int64_t ns)
{
    ns = ns < a->ns[from] ? ns : a->ns[from];
    a->ns[from] -= ns;
    a->ns[to] += ns;
}

/*
 * A switch takes a CPU for a few hundred ns. What is longer waited for a CPU, as far as the threads did. A thread
 * with a process to run, and the same when it polls for work, is preempted alike: of the rest its slices lose the share
 * of its time that it had to wait when it was ready.
 */
static void
take_preempted(struct sb_account *a, const struct sums *s)
{
    enum { SWITCH_NS = 2000 };
    int64_t waited = a->ns[SB_PART_SWITCHING] - SWITCH_NS * a->switches;
    waited = waited < 0 ? 0 : waited;
    waited = (double)waited < s->queue_ns ? waited : (int64_t)s->queue_ns;
    double rest = s->queue_ns > 0 ? 1 - (double)waited / s->queue_ns : 0,
           share = s->slices_ns > 0 ? rest * s->lost_ns / s->slices_ns : 0;
    a->knows_preempted = s->has_threads;
    move(a, SB_PART_SWITCHING, SB_PART_PREEMPTED, waited);
    int64_t before = a->ns[SB_PART_PREEMPTED];
    move(a, SB_PART_WORK, SB_PART_PREEMPTED, (int64_t)(share * (double)a->ns[SB_PART_WORK]));
    move(a, SB_PART_GC, SB_PART_PREEMPTED, (int64_t)(share * (double)a->ns[SB_PART_GC]));
    a->taken_ns = a->ns[SB_PART_PREEMPTED] - before;
}

void
sb_account_take_costs(const struct sb_profile *p, struct sb_accounts *x, struct sb_arena *a)
{
    int64_t normal = sb_profile_find_text(p, SB_STR("normal")), all_ns = 0, tracing;
    if (!sb_str_to_i64(sb_profile_meta(p, SB_STR("node_cpu_ns")), &tracing))
        tracing = SB_NULL;
    struct sums *sums = SB_NEW_N(a, struct sums, x->n_nodes + 1);
    for (uint64_t i = 0; normal != SB_NULL && i < sb_profile_rows(p, SB_T_scheduler); i++)
        all_ns += slices_ns(p, x, i, normal);
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_thread); i++)
        add_thread(p, x, i, normal, sums);
    for (uint64_t i = 0; i < x->n_nodes; i++) {
        struct sb_account *of = &x->node[i];
        int64_t busy = of->ns[SB_PART_WORK] + of->ns[SB_PART_GC];
        take_preempted(of, &sums[i]);
        of->knows_tracing = tracing != SB_NULL;
        if (tracing > 0)
            move(of, SB_PART_WORK, SB_PART_TRACING, part((double)tracing, busy, all_ns));
    }
}
