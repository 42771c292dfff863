/*
 * Who is who: from the packed pid of an event to a process of this analysis. A pid that is used again is
 * another process from its second `spawned` on. Each part holds its own; numbers (process.id) are given
 * window by window in the order of first mention, so that they depend on the data alone.
 */
#ifndef SB_ENGINE_ACTORS_H
#define SB_ENGINE_ACTORS_H
#include "engine/run.h"

static inline unsigned
sb_actors_part(sb_actor a)
{
    return (unsigned)(sb_mix64(a) >> 58) & (SB_PARTS - 1);
}

uint32_t sb_actors_find(struct sb_part *x, sb_actor a, int64_t at);

/* Index of the process that `a` is at that time; adds it when new. Only in its own part. */
static inline uint32_t
sb_actors_put(struct sb_part *x, sb_actor a, int64_t at)
{
    return a == x->last_put && a ? x->last_index : sb_actors_find(x, a, at);
}
/* From now on `a` is somebody else. */
void sb_actors_reborn(struct sb_run *r, sb_actor a, int64_t at);
void sb_actors_number(struct sb_run *r);
/* process.id (port.id of a port), SB_NULL for nobody and for who was never numbered; 0 is never an id */
int64_t sb_actors_id(const struct sb_run *r, sb_actor a, int64_t at);

/* It will be looked for in a moment: in cold memory, mostly. */
static inline void
sb_actors_expect(const struct sb_run *r, sb_actor a)
{
    const struct sb_map *m = &r->part[sb_actors_part(a)].index_of;
    if (m->cap > 0)
        __builtin_prefetch(&m->slot[sb_mix64(a) & (m->cap - 1)]);
}

/* Orders who was mentioned at the same time: by kind, node name, serial, number. */
int sb_actors_cmp(const struct sb_names *names, sb_actor a, sb_actor b);

#endif
