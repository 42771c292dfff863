#include "engine/world/process_index.h"

unsigned
sb_home_of(const struct sb_run *r, sb_actor a)
{
    unsigned node = sb_actor_node(a);
    uint64_t serial, number;
    if (sb_actor_kind(a) == SB_ODD)
        sb_names_odd_parts(r->names, a, &node, &serial, &number);
    return node;
}

static void
note(struct sb_process_index *all, const struct sb_part *x, uint32_t index)
{
    struct sb_proc room;
    const struct sb_proc *p = sb_procs_see(&x->procs, index, &room);
    uint32_t where = index * SB_PARTS + x->index;
    if (p->id && sb_actor_kind(p->actor) == SB_PORT) {
        all->port[p->id] = where;
    } else if (p->id) {
        all->process[p->id] = where;
        all->node[p->id] = (uint16_t)sb_home_of(x->run, p->actor);
    }
}

void
sb_process_index_open(struct sb_process_index *all, const struct sb_run *r)
{
    all->run = r;
    all->process = sb_zeroed_or_die(r->ids.processes + 1, sizeof *all->process);
    all->port = sb_zeroed_or_die(r->ids.ports + 1, sizeof *all->port);
    all->node = sb_zeroed_or_die(r->ids.processes + 1, sizeof *all->node);
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].procs.n; k++)
            note(all, &r->part[i], (uint32_t)k);
}

void
sb_process_index_close(struct sb_process_index *all)
{
    free(all->process);
    free(all->port);
    free(all->node);
}
