/*
 * Maps the packed pid of an event to a process of this analysis. A pid that the VM reuses is a new process
 * from its second `spawned` event. Each part stores its own processes. Numbers (process.id) are assigned
 * window by window in the order of first mention, so that they depend on the data alone.
 */
#pragma once
#include "engine/state/run.h"

/* Returns the part of a process. Its multiplier differs from the map's, so that the processes of one part
 * spread over the part's whole map. */
static inline unsigned
sb_actors_part(sb_actor a)
{
    _Static_assert(SB_PARTS == 1 << 6, "the top bits of a product");
    return (unsigned)(a * 0xd6e8feb86659fd93u >> 58);
}

/* The slow paths: a process that is new, or whose pid was reused. */
uint32_t sb_actors_put_slow(struct sb_part *x, sb_actor a, int64_t at);
int64_t sb_actors_id_slow(const struct sb_run *r, sb_actor a, int64_t at);

/* Returns the slot of a numbered process with a single life, else NULL. */
static inline const struct sb_map_slot *
sb_actors_settled(const struct sb_part *x, sb_actor a)
{
    const struct sb_map_slot *known = sb_map_find(&x->index_of, a);
    return known && known->used > 1 ? known : NULL;
}

/* Returns the index of the process that `a` is at that time; adds a new one. Only for actors of this part. */
static inline uint32_t
sb_actors_put(struct sb_part *x, sb_actor a, int64_t at)
{
    const struct sb_map_slot *known = sb_actors_settled(x, a);
    return known ? known->value : sb_actors_put_slow(x, a, at);
}
/* Returns process.id (port.id of a port); SB_NULL for the "nobody" of a node and for unnumbered processes.
 * 0 is never an id. */
static inline int64_t
sb_actors_id(const struct sb_run *r, sb_actor a, int64_t at)
{
    const struct sb_map_slot *known = sb_actors_settled(&r->part[sb_actors_part(a)], a);
    return known ? known->used - 1 : sb_actors_id_slow(r, a, at);
}
/* From `at`, `a` is a new process. */
void sb_actors_reborn(struct sb_run *r, sb_actor a, int64_t at);
void sb_actors_number(struct sb_run *r);

/* Prefetches the map slot of an actor that will be looked up soon, since it is rarely in the cache. */
static inline void
sb_actors_expect(const struct sb_run *r, sb_actor a)
{
    const struct sb_map *m = &r->part[sb_actors_part(a)].index_of;
    if (m->cap > 0)
        __builtin_prefetch(&m->slot[sb_map_home(m, a)]);
}

/* Orders actors first mentioned at the same time: by kind, node name, serial, number. */
int sb_actors_cmp(const struct sb_names *names, sb_actor a, sb_actor b);
