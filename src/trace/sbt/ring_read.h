/*
 * Reads the events of a node from its rings while the node writes them, where no trace is wanted. It takes the
 * place of the drain: a chunk is released once all its events have been read. Or it reads beside a drain: then it
 * writes nothing, and what the node overwrites before it was read is lost for this reader. One thread.
 */
#pragma once
#include "trace/sbt/ring_layout.h"
#include "trace/source.h"

struct sb_ring_reader;

/* Valid until the close. `beside` a drain it begins with the chunks that the node writes to. */
struct sb_ring_reader *sb_ring_reader_open(const struct sb_layout *l, bool beside);
void sb_ring_reader_close(struct sb_ring_reader *r);
/* Texts such as exit reasons are left out, so the names grow with the code of the node alone. */
struct sb_names *sb_ring_reader_names(const struct sb_ring_reader *r);
/* What the node and its recorder have said of themselves so far; NULL: the rings are damaged. */
const struct sb_source_info *sb_ring_reader_info(struct sb_ring_reader *r, struct sb_err *e);

/*
 * The next events of a ring, in the order in which its thread made them; `n` is 0 when there are no more at present.
 * They are valid until the next call.
 */
bool sb_ring_reader_next(struct sb_ring_reader *r, unsigned ring, const struct sb_event **ev, size_t *n,
                         struct sb_err *e);
unsigned sb_ring_reader_rings(const struct sb_ring_reader *r); /* how many there are */
/* Events that found no room so far, and at least those that were overwritten before they were read. */
uint64_t sb_ring_reader_lost(const struct sb_ring_reader *r);
/* CPU time of the node for the events so far, by the costs that it measured for each class before it began; 0: it
 * measured none */
uint64_t sb_ring_reader_cost_ns(const struct sb_ring_reader *r);
/* What an event of the dearest class costs, times 100; 0: not measured, or no name has been read */
uint64_t sb_ring_reader_dearest_x100(const struct sb_ring_reader *r);
