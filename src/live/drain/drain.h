/*
 * Writes the rings of a node to a trace file, step by step: in a program of its own (src/drain.c), or inside
 * a node where no program may be started (beam/c_src/drain). One thread at a time, one node. Node and drain
 * may end at any moment and in any way: rings and file together always hold every record, and a second drain
 * resumes where the first stopped.
 */
#pragma once
#include "live/drain/drain_options.h"

struct sb_drain;
enum sb_drained { SB_DRAIN_FAILED, SB_DRAIN_MORE, SB_DRAIN_DONE };

bool sb_drain_open(struct sb_drain **d, const struct sb_drain_options *o, struct sb_err *e);
/* Done when the trace is complete: the node has closed its rings or is gone, or a limit was reached. */
enum sb_drained sb_drain_step(struct sb_drain *d, struct sb_err *e);
int sb_drain_wait_ms(const struct sb_drain *d); /* time until the next step */
void sb_drain_close(struct sb_drain *d);        /* allowed at any time: unwritten records stay in the rings */

int sb_drain_node_fd(const struct sb_drain *d); /* readable when the node is gone; -1: not available */
int sb_drain_wake_fd(const struct sb_drain *d); /* readable when a step is due earlier; -1: not available */
int sb_drain_cpu_fd(const struct sb_drain *d);  /* likewise */
void sb_drain_node_is_gone(struct sb_drain *d);
/* requests the end for this reason, if there is none yet; few steps follow */
void sb_drain_stop(struct sb_drain *d, enum sb_stop_reason why);
/* writes a summary in one line, once done */
size_t sb_drain_summary(const struct sb_drain *d, char *out, size_t room);
