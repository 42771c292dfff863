/* The tables that are known only at the end: one row a process, an edge, a scheduler, and what is said of the
 * whole. */
#ifndef SB_ENGINE_TABLES_H
#define SB_ENGINE_TABLES_H
#include "engine/world/process_index.h"

void sb_tables_write(struct sb_run *r, const struct sb_process_index *all);

#endif
