/*
 * Records that the drain makes itself, encoded as in trace/wire.h and collected into blocks, as a ring of their own
 * beside those of the node. They belong to no process. Time stamps ascend.
 */
#pragma once
#include "trace/sbt/sbt.h"

struct sb_made {
    SB_VEC(uint8_t) records;  /* the next block */
    uint32_t events;          /* their number */
    int64_t base_ns, last_ns; /* stamps of the first and the last record */
    uint64_t taken;           /* records so far */
};
/* Returns where the slots are written, by sb_wire_put_KIND; what that returns goes to sb_made_end. */
uint8_t *sb_made_begin(struct sb_made *m, unsigned kind, int64_t at_ns);
void sb_made_end(struct sb_made *m, const uint8_t *p);
bool sb_made_is_due(const struct sb_made *m, int64_t now_ns); /* there are enough for a block, or old ones */
/* Makes the next block, of a ring of the drain's own: its head, and its content, which is to be freed. */
uint8_t *sb_made_take(struct sb_made *m, unsigned ring, const struct sb_sbt_held *held,
                      struct sb_sbt_block *b);
/* Writes the next block, if there are records. */
bool sb_made_put(struct sb_made *m, unsigned ring, int64_t first_ns, struct sb_sbt_writer *out,
                 struct sb_err *e);
void sb_made_close(struct sb_made *m);
