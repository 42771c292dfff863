/* The place of each process and port by its id, built after the whole trace was read. */
#pragma once
#include "engine/state/run.h"

struct sb_process_index { /* by process.id and port.id; index 0 is unused */
    const struct sb_run *run;
    uint32_t *process, *port; /* index in the part * SB_PARTS + part */
    uint16_t *node;           /* of each process, as an index in the run's names */
};
void sb_process_index_open(struct sb_process_index *all, const struct sb_run *r);
void sb_process_index_close(struct sb_process_index *all);
static inline unsigned
sb_process_index_part(uint32_t where)
{
    return where % SB_PARTS;
}
static inline size_t
sb_process_index_at(uint32_t where)
{
    return where / SB_PARTS;
}
static inline const struct sb_proc * /* Returns the process; a packed one is unpacked into `room`. */
sb_process_index_see(const struct sb_process_index *all, uint32_t where, struct sb_proc *room)
{
    return sb_procs_see(&all->run->part[sb_process_index_part(where)].procs, sb_process_index_at(where),
                        room);
}

/* Returns its node, as an index in the run's names. */
unsigned sb_home_of(const struct sb_run *r, sb_actor a);
