/*
 * Decides how many functions ended when control returned to untraced code.
 *
 *     stack:  handle_cast  noreply      return_to gen_server:try_dispatch/4     both: noreply was tail called
 *     stack:  report       row          return_to lists:map/2                   one: report called lists:map
 *
 * The return alone is ambiguous; later events settle it. Each call has one return, except a tail call, which
 * returns together with its caller. So a function was still alive if control comes back to it, or if more
 * returns follow than calls. It had ended if the same code calls it, or a function that it called, again, or
 * if control comes back to a frame below it. If SB_DOUBT_EVENTS events settle nothing, all functions are
 * taken to have ended. Answers are stored by the function on top and the code returned to; after the same
 * case was settled SB_DOUBT_LEARN times, the stored answer is used at once.
 */
#pragma once
#include "engine/pass/call_stack.h"

enum { SB_DOUBT_EVENTS = 512, SB_DOUBT_LEARN = 3 };

/* Called with two or more calls on the stack. Finds what stays at once, or opens a doubt. */
bool sb_doubt_known(struct sb_calltree *t, int64_t at, uint32_t to, struct sb_call_rest *rest);
/* Examines the queued events; `last`: no more follow. */
bool sb_doubt_decide(struct sb_calltree *t, bool last, struct sb_call_rest *rest);
