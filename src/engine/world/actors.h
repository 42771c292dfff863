/*
 * Who is who: from the packed pid of an event to a process of this analysis. A pid that is used again is
 * another process from its second `spawned` on. Each part holds its own; numbers (process.id) are given
 * window by window in the order of first mention, so that they depend on the data alone.
 */
#ifndef SB_ENGINE_ACTORS_H
#define SB_ENGINE_ACTORS_H
#include "engine/state/run.h"

/* By another number than a map's, so that those of a part stand all over its map. */
static inline unsigned
sb_actors_part(sb_actor a)
{
    _Static_assert(SB_PARTS == 1 << 6, "the top bits of a product");
    return (unsigned)(a * 0xd6e8feb86659fd93u >> 58);
}

/* Where more is to be asked than the map: who is new, or has had several lives. */
uint32_t sb_actors_put_slow(struct sb_part *x, sb_actor a, int64_t at);
int64_t sb_actors_id_slow(const struct sb_run *r, sb_actor a, int64_t at);

/* Its slot, if it has a number and one life only. */
static inline const struct sb_map_slot *
sb_actors_settled(const struct sb_part *x, sb_actor a)
{
    const struct sb_map_slot *known = sb_map_find(&x->index_of, a);
    return known && known->used > 1 ? known : NULL;
}

/* Index of the process that `a` is at that time; adds it when new. Only in its own part. */
static inline uint32_t
sb_actors_put(struct sb_part *x, sb_actor a, int64_t at)
{
    const struct sb_map_slot *known = sb_actors_settled(x, a);
    return known ? known->value : sb_actors_put_slow(x, a, at);
}
/* process.id (port.id of a port), SB_NULL for nobody and for who was never numbered; 0 is never an id */
static inline int64_t
sb_actors_id(const struct sb_run *r, sb_actor a, int64_t at)
{
    const struct sb_map_slot *known = sb_actors_settled(&r->part[sb_actors_part(a)], a);
    return known ? known->used - 1 : sb_actors_id_slow(r, a, at);
}
/* From now on `a` is somebody else. */
void sb_actors_reborn(struct sb_run *r, sb_actor a, int64_t at);
void sb_actors_number(struct sb_run *r);

/* It will be looked for in a moment: in cold memory, mostly. */
static inline void
sb_actors_expect(const struct sb_run *r, sb_actor a)
{
    const struct sb_map *m = &r->part[sb_actors_part(a)].index_of;
    if (m->cap > 0)
        __builtin_prefetch(&m->slot[sb_map_home(m, a)]);
}

/* Orders who was mentioned at the same time: by kind, node name, serial, number. */
int sb_actors_cmp(const struct sb_names *names, sb_actor a, sb_actor b);

#endif
