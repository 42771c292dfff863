/*
 * The calls of one process, event by event: a stack of calls, and the calling-context tree they grow.
 *
 * The tree folds: no path names a function twice, a call of a function that is on the path already
 * (recursion, a loop of tail calls) counts for its first occurrence. So the tree stays as small as the
 * program text. The stack does not fold, so times are exact: acc_ns of a function is the time with at least
 * one of its calls on the stack, acc_ns of an edge the time with at least one such call on it, each once,
 * however deep it recurs. outer_ns of an edge is the part of the callee's time in which that call is the
 * outermost of the callee.
 *
 *     stack:  start  loop  handle  loop       tree:  start > loop > handle,  loop.recursive = 1
 *
 * A function that ends in a tail call stays on the stack until what it called returns: so do fprof's. Where
 * the caller is told (fprof's {cp, MFA}), a tail call is known at once. Where it is not, it is inferred: a
 * return that leaves several functions at once says that all but the first of them were entered by tail
 * calls. What an exception left in one go looks the same.
 *
 * Code that is not traced calls traced functions and is returned to. Above a traced function its time is its
 * caller's. Below all of them it is a root of the tree, with no calls. How many functions a return to it ends
 * is told by what comes after, so events wait in a queue until that is clear: call_doubt.h. One thread at a
 * time.
 */
#ifndef SB_ENGINE_CALLTREE_H
#define SB_ENGINE_CALLTREE_H
#include "engine/pass/call_state.h"

struct sb_calltree *sb_calltree_open(void);
void sb_calltree_close(struct sb_calltree *t);

/* `cp` only when has_cp: the function it will return to, 0 for none. */
void sb_calltree_call(struct sb_calltree *t, int64_t at, uint32_t fn, bool has_cp, uint32_t cp);
void sb_calltree_return_to(struct sb_calltree *t, int64_t at, uint32_t fn);
/* suspend, garbage_collect: pseudo functions, called by whatever runs; `leave` of one that is not on top is
 * ignored */
void sb_calltree_enter_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
void sb_calltree_leave_pseudo(struct sb_calltree *t, int64_t at, uint32_t fn);
/* Exit, end of trace: everything is left. After it the tree is only read: equal paths are one, callers come
 * before callees, every node has a name, edge 0 is empty. */
void sb_calltree_end(struct sb_calltree *t, int64_t at);

#endif
