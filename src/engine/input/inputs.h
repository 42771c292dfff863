/*
 * The traces of an analysis. Paths with the same node are files of one trace (a wrap set, a split trace),
 * except strobe's own traces, each of which is complete. With several traces, names are translated to the
 * dictionary of the first; nodes are the same if name and creation are. If r->merges, the paths are profiles,
 * and each of their nodes is a trace (profile_source.h).
 */
#pragma once
#include "engine/state/run.h"

bool sb_inputs_open(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e);
void sb_inputs_close(struct sb_run *r);
/* does not record damage, because everything will be read again */
void sb_inputs_quiet(const struct sb_run *r, bool quiet);
/* numbers the nodes that were only mentioned; after all names are known */
void sb_inputs_number_nodes(struct sb_run *r);
/* Returns node.id of a node known only by name, if the name has a single incarnation, else 0. */
uint32_t sb_inputs_node_by_name(const struct sb_run *r, unsigned node);
/* Decodes a block and, with several traces, translates it. Any thread, each with its own `worker`. */
void sb_inputs_decode(const struct sb_run *r, uint32_t input, const struct sb_block *b, unsigned worker,
                      struct sb_events *out);
/* Translate a trace's actor or name to the run's. Names: any thread; actors: one thread. */
sb_actor sb_inputs_actor(const struct sb_run *r, uint32_t input, sb_actor a);
uint32_t sb_inputs_name(const struct sb_run *r, uint32_t input, uint32_t name);
/* Lists all blocks of all traces in r->plan; with a pool, after a scan. */
bool sb_inputs_plan(struct sb_run *r, struct sb_err *e);
/* Aligns the clocks of several nodes by the messages between them (clocks.c). */
bool sb_clocks_align(const struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e);
