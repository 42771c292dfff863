/* Writes the table process_group and fills group_of: the group of each process, by process.id. */
#pragma once
#include "engine/world/process_index.h"

void sb_groups_write(const struct sb_run *r, const struct sb_process_index *all, int64_t *group_of);
