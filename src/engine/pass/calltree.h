/*
 * The calls of one process, event by event: a stack of calls, and the calling-context tree that they build.
 *
 * The tree folds: no path contains a function twice. A call of a function that is already on the path
 * (recursion, a loop of tail calls) counts for its first occurrence, so the tree is no larger than the
 * program's call structure. The stack does not fold, so times are exact: acc_ns of a function is the time
 * with at least one of its calls on the stack, and acc_ns of an edge the time with at least one such call on
 * it, each counted once however deep the recursion. outer_ns of an edge is the part of the callee's time in
 * which that call is the callee's outermost.
 *
 *     stack:  start  loop  handle  loop       tree:  start > loop > handle,  loop.recursive = 1
 *
 * A function that ends in a tail call stays on the stack until its callee returns, as in fprof. Where the
 * caller is recorded (fprof's {cp, MFA}), a tail call is certain. Otherwise it is inferred: if a return
 * leaves several functions at once, all but the first of them were entered by tail calls. An exception that
 * unwinds several frames looks the same.
 *
 * Untraced code may call traced functions and be returned to. Above a traced function, its time belongs to
 * its caller. Below all of them it is a root of the tree, without calls. How many functions a return to it
 * ends depends on later events, which are queued until that is settled: call_doubt.h. Not thread-safe.
 */
#pragma once
#include "engine/pass/call_state.h"

struct sb_calltree *sb_calltree_open(void);
void sb_calltree_close(struct sb_calltree *t);

/* `cp` only with has_cp: the function that the call will return to, 0: none. */
void sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp);
void sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn);
/* suspend and garbage_collect are pseudo functions, called by the running function. A `leave` of a
 * function that is not on top is ignored. */
void sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
void sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
/* Ends all calls at the process's exit or the end of the trace. The tree is read-only afterwards: equal
 * paths are merged, callers precede callees, every node has a name, and edge 0 is empty. */
void sb_calltree_end(struct sb_calltree *t, int64_t at);
