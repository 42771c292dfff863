/* Writes the tables whose rows are known only at the end: processes, ports, edges, schedulers, nodes, and
 * the metadata of the profile. */
#pragma once
#include "engine/world/process_index.h"

void sb_tables_write(struct sb_run *r, const struct sb_process_index *all);
