/*
 * Who of another node asks, and who waits behind an alias of another node. Its reference does not name its process, but
 * the request {Label, {Pid, [alias | Alias]}, Request} that brought it does (gen_server:call and its like).
 */
#pragma once
#include "capture.h"

/* What a received tuple that names w->far, which is `who`, asks for: `asks` in trace/event.def. 0: nothing. */
unsigned callers_ask(ErlNifEnv *env, struct worker *w, ERL_NIF_TERM receiver, const ERL_NIF_TERM *at, int n,
                     sb_actor who);
sb_actor callers_take(ErlNifEnv *env, ERL_NIF_TERM alias); /* 0: unknown */
