/*
 * A node that a recorder records already is watched beside it, without a part in the node: its rings show what happens,
 * and the trace of the recorder shows which processes there are. Mailboxes and memory stay unknown.
 */
#pragma once
#include "live/attach/rings_of.h"
#include "live/watch/watch.h"

/* Calls o->watch beside the recorder of this machine that records the node; if there is none, or by force, attaches to
 * it first. `at` says which. */
bool sb_watch_node(const struct sb_attach_options *o, struct sb_rings_of *at, struct sb_arena *a,
                   struct sb_attach_result *r, struct sb_err *e);
/* Beside a recorder: reads the names and entries of processes in its trace, that of a flight recorder on request. What
 * cannot be read stays unknown. */
void sb_beside_learn(struct sb_watch *w, const struct sb_attached *of, const struct sb_rings_of *at,
                     struct sb_arena *a);
