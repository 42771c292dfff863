/* The empty tracer: the least that any tracer in C can cost. What bench/capture measures strobe against. */
#include <erl_nif.h>

static ERL_NIF_TERM yes, ok;

static ERL_NIF_TERM
enabled(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return yes;
}

static ERL_NIF_TERM
trace(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)env, (void)argc, (void)argv;
    return ok;
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
    (void)priv, (void)info;
    yes = enif_make_atom(env, "trace");
    ok = enif_make_atom(env, "ok");
    return 0;
}

static ErlNifFunc functions[] = {{"enabled", 3, enabled, 0}, {"trace", 5, trace, 0}};
ERL_NIF_INIT(noop_tracer, functions, load, NULL, NULL, NULL)
