/* The tables of messages by processes, by schedulers and by nodes. */
#pragma once
#include "engine/world/process_index.h"

void sb_edge_tables_write(const struct sb_run *r, const struct sb_process_index *all);
