/*
 * Replaces filters: a new set is published next to the old one. Only the owner of the capture does this. The
 * tracer's threads read the set without a lock; the old one is freed when every thread has been outside.
 */
#pragma once
#include <erl_nif.h>

/* filter(Scope, Pids, Program) -> ok | {error, Reason} */
ERL_NIF_TERM nif_filter(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* filter_run(Program, Event) -> true | false | unknown | binary(): runs a program on a tuple */
ERL_NIF_TERM nif_filter_run(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
