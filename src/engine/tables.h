/* The tables that are known only at the end: one row a process, an edge, a scheduler, and what is said of the
 * whole. */
#ifndef SB_ENGINE_TABLES_H
#define SB_ENGINE_TABLES_H
#include "engine/run.h"

struct sb_everybody { /* by process.id and port.id; index 0 is nobody */
    const struct sb_run *run;
    uint32_t *process, *port; /* index in its part, then bits of the part */
    uint16_t *node; /* of processes, as the run's names count */
};
void sb_everybody_open(struct sb_everybody *all, const struct sb_run *r);
void sb_everybody_close(struct sb_everybody *all);
static inline unsigned
sb_everybody_part(uint32_t where)
{
    return where % SB_PARTS;
}
static inline size_t
sb_everybody_index(uint32_t where)
{
    return where / SB_PARTS;
}
static inline const struct sb_proc * /* in `room`, where it sleeps */
sb_everybody_see(const struct sb_everybody *all, uint32_t where, struct sb_proc *room)
{
    return sb_procs_see(&all->run->part[sb_everybody_part(where)].procs, sb_everybody_index(where), room);
}

void sb_groups_write(struct sb_run *r, const struct sb_everybody *all, int64_t *group_of); /* group.c */
void sb_edge_tables_write(struct sb_run *r, const struct sb_everybody *all); /* edge_tables.c */
void sb_tables_write(struct sb_run *r, const struct sb_everybody *all);

#endif
