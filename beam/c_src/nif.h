/* Functions that Erlang calls. NIF begins one, which need not use all of its arguments. */
#pragma once
#include <erl_nif.h>

typedef ERL_NIF_TERM nif_function(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
#define NIF(name) \
    ERL_NIF_TERM name(ErlNifEnv *env __attribute__((unused)), int argc __attribute__((unused)), \
                      const ERL_NIF_TERM argv[] __attribute__((unused)))
