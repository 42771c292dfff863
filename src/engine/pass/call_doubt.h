/*
 * How many functions ended when control returned to code that is not traced.
 *
 *     stack:  handle_cast  noreply      return_to gen_server:try_dispatch/4     both: noreply was tail called
 *     stack:  report       row          return_to lists:map/2                   one: report called lists:map
 *
 * The return alone does not tell, what comes after it does. Each call returns once, but for tail calls, which
 * return together with their caller. So a function was alive where control comes back to it, and where more
 * returns come than calls were made since. It had ended where the same code calls it, or what it called,
 * again, and where control comes back to what is below it. Where nothing tells for SB_DOUBT_EVENTS events,
 * all have ended. What was found is kept by the function on top and the code that was returned to, and after
 * SB_DOUBT_LEARN times it holds.
 */
#ifndef SB_ENGINE_CALL_DOUBT_H
#define SB_ENGINE_CALL_DOUBT_H
#include "engine/pass/call_stack.h"

enum { SB_DOUBT_EVENTS = 512, SB_DOUBT_LEARN = 3 };

/* There are two calls at least. Finds what stays at once, or opens the doubt. */
bool sb_doubt_known(struct sb_calltree *t, int64_t at, uint32_t to, struct sb_call_rest *rest);
/* Looks at the events that wait; `last`: no more will come. */
bool sb_doubt_decide(struct sb_calltree *t, bool last, struct sb_call_rest *rest);

#endif
