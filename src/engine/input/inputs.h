/*
 * The traces of an analysis. Paths whose node is the same are files of one trace (a wrap set, a split trace),
 * unless they are strobe's own, which are whole each. With several traces, what their events name is said
 * again in the dictionary of the first: a node is the same where name and creation are. Where r->merges,
 * paths are profiles, and each of their nodes is a trace (profile_source.h).
 */
#ifndef SB_ENGINE_INPUTS_H
#define SB_ENGINE_INPUTS_H
#include "engine/state/run.h"

bool sb_inputs_open(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e);
void sb_inputs_close(struct sb_run *r);
void sb_inputs_quiet(struct sb_run *r, bool quiet); /* what is damaged is not noted: it will be read again */
void sb_inputs_number_nodes(struct sb_run *r);      /* those that were only mentioned: all names are known */
/* node.id of a node of which the name alone is told: that of its only incarnation; 0: there are several. */
uint32_t sb_inputs_node_by_name(const struct sb_run *r, unsigned node);
/* Decodes a block; with several traces also translates it. Any thread, each with its own `worker`. */
void sb_inputs_decode(struct sb_run *r, uint32_t input, const struct sb_block *b, unsigned worker,
                      struct sb_events *out);
/* What one trace calls so, in the run; names from any thread, processes from one. */
sb_actor sb_inputs_actor(struct sb_run *r, uint32_t input, sb_actor a);
uint32_t sb_inputs_name(struct sb_run *r, uint32_t input, uint32_t name);
/* All blocks of all traces, into r->plan; with a pool as a scan knows them. */
bool sb_inputs_plan(struct sb_run *r, struct sb_err *e);
/* Lays the clocks of several nodes on one axis, by the messages between them (clocks.c). */
bool sb_clocks_align(struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e);

#endif
