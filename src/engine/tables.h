/* The tables that are known only at the end: one row a process, an edge, a scheduler, and what is said of the
 * whole. */
#ifndef SB_ENGINE_TABLES_H
#define SB_ENGINE_TABLES_H
#include "engine/run.h"

struct sb_everybody { /* by process.id and port.id; index 0 is nobody */
    struct sb_proc **process, **port;
    uint16_t *node; /* of processes, as the run's names count */
};
void sb_everybody_open(struct sb_everybody *all, const struct sb_run *r);
void sb_everybody_close(struct sb_everybody *all);

void sb_groups_write(struct sb_run *r, const struct sb_everybody *all, int64_t *group_of); /* group.c */
void sb_edge_tables_write(struct sb_run *r, const struct sb_everybody *all); /* edge_tables.c */
void sb_tables_write(struct sb_run *r);

#endif
