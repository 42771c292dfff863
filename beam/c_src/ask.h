/* Requests of the node to its flight recorder: see trace/sbt/ring_ask.h. */
#pragma once
#include <erl_nif.h>

ERL_NIF_TERM nif_ask(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM nif_answer(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM nif_wanted(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
ERL_NIF_TERM nif_forgot(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
