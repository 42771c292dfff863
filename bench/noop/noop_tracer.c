/* The empty tracer: the least that any tracer in C can cost. What bench/capture measures strobe against. */
#include <erl_nif.h>
#include <time.h>

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

/* CPU time of the whole OS process to this moment, in nanoseconds. What the kernel shows in /proc of a thread that
 * runs is as old as its last tick. */
static ERL_NIF_TERM
cpu_ns(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    struct timespec t;
    (void)argc, (void)argv;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return enif_make_int64(env, (ErlNifSInt64)t.tv_sec * 1000000000 + t.tv_nsec);
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
    (void)priv, (void)info;
    yes = enif_make_atom(env, "trace");
    ok = enif_make_atom(env, "ok");
    return 0;
}

static ErlNifFunc functions[] = {
    {"enabled", 3, enabled, 0}, {"trace", 5, trace, 0}, {"cpu_ns", 0, cpu_ns, 0}};
ERL_NIF_INIT(noop_tracer, functions, load, NULL, NULL, NULL)
