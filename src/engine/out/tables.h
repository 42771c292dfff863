/* Writes the tables whose rows are known only at the end: processes, ports, edges, schedulers, nodes, and
 * the metadata of the profile. */
#ifndef SB_ENGINE_TABLES_H
#define SB_ENGINE_TABLES_H
#include "engine/world/process_index.h"

void sb_tables_write(struct sb_run *r, const struct sb_process_index *all);

#endif
