/* Who there was, when all has been read: where each process and port lies, by its id. */
#ifndef SB_ENGINE_EVERYBODY_H
#define SB_ENGINE_EVERYBODY_H
#include "engine/state/run.h"

struct sb_everybody { /* by process.id and port.id; index 0 is nobody */
    const struct sb_run *run;
    uint32_t *process, *port; /* index in its part, then bits of the part */
    uint16_t *node;           /* of processes, as the run's names count */
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

unsigned sb_home_of(const struct sb_run *r, sb_actor a); /* its node, as the run's names count */

#endif
