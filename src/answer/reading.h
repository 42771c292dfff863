/* One reading of a running node, for `strobe top`: rows of schedulers, then of processes, then of groups. */
#pragma once
#include "answer/answer.h"

#define COLUMN(id, ...) id,
enum sb_reading_column {
#include "answer/reading.def"
    SB_READING_COLUMNS
};
#undef COLUMN

struct sb_reading { /* of a node */
    struct sb_str node;
    struct sb_table table;
};

void sb_reading_init(struct sb_table *t, struct sb_arena *a); /* without rows */
/* Puts those of several nodes into one table, with a column `node` in front: of processes and of groups the `limit`
 * largest. Its texts are those of the nodes' tables. */
void sb_reading_of_nodes(struct sb_table *to, struct sb_arena *a, const struct sb_reading *of, size_t n,
                         enum sb_reading_column sort, uint64_t limit);
/* Writes the parts as tables of text; of the question the order and the form of names count. */
void sb_reading_write(const struct sb_question *q, const struct sb_table *t, int64_t interval_ns,
                      size_t width, struct sb_out *out);
