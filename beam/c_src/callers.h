/*
 * Who waits behind an alias of another node. Its reference does not name its process, but the request
 * {Label, {Pid, [alias | Alias]}, Request} that brought it does (gen_server:call and its like).
 */
#pragma once
#include "capture.h"

/* Of a received tuple of three elements: {Pid, Tag}, where Pid may be of another node; NULL: it is no request. */
static inline const ERL_NIF_TERM *
callers_from(ErlNifEnv *env, const ERL_NIF_TERM at[3])
{
    const struct layout *l = &capture.layout;
    const ERL_NIF_TERM *from;
    int n;
    return layout_get_tuple(l, env, at[1], &n, &from) && n == 2 &&
                   (!l->tags_known || (from[0] & 3) == LAYOUT_BOXED)
               ? from
               : NULL;
}
void callers_put(ErlNifEnv *env, const ERL_NIF_TERM from[2], sb_actor who);
sb_actor callers_take(ErlNifEnv *env, ERL_NIF_TERM alias); /* 0: unknown */
