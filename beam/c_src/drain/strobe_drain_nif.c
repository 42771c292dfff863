/*
 * The drain inside the node, for nodes where no program may be started: an Erlang process (strobe_drain) runs
 * the steps of src/live/drain/drain.c on dirty IO schedulers. It is a separate library: the tracer itself accesses
 * no files.
 *
 *     open([Argument]) -> {ok, Drain} | {error, Text}        arguments as of the program strobe-drain
 *     step(Drain) -> {more, Milliseconds} | {done, Text} | {error, Text}
 *
 *     rings(Path), look(Rings), copy(Rings)                  see copy_nif.h
 *
 * If the process is killed during a step, the thread completes the step, and the next process waits for it.
 * The drain is closed with the last reference; records that it has not written stay in the rings.
 */
#include "copy_nif.h"
#include "live/drain/drain.h"
#include "live/drain/when.h"

enum { ARGUMENTS_MAX = 32, TEXT_MAX = 4096, BUSY_MS = 20 };

struct handle {
    _Atomic bool busy;      /* a thread is running a step */
    struct sb_drain *drain; /* NULL once it has ended */
    enum sb_drained now;
    char summary[200]; /* the summary */
    struct sb_err err;
};
static ErlNifResourceType *handles;

static void
gone(ErlNifEnv *env, void *object)
{
    (void)env;
    struct handle *h = object;
    if (h->drain)
        sb_drain_close(h->drain);
}

static ERL_NIF_TERM
text(ErlNifEnv *env, const char *z, size_t n)
{
    ERL_NIF_TERM t;
    memcpy(enif_make_new_binary(env, n, &t), z, n);
    return t;
}

static ERL_NIF_TERM
answer(ErlNifEnv *env, const char *what, ERL_NIF_TERM value)
{
    return enif_make_tuple2(env, enif_make_atom(env, what), value);
}

static int
read_arguments(ErlNifEnv *env, ERL_NIF_TERM list, char room[ARGUMENTS_MAX][TEXT_MAX], const char **arg)
{
    ERL_NIF_TERM head;
    ErlNifBinary bin;
    int n = 0;
    for (; enif_get_list_cell(env, list, &head, &list); n++) {
        if (n == ARGUMENTS_MAX || !enif_inspect_binary(env, head, &bin) || bin.size >= TEXT_MAX ||
            memchr(bin.data, 0, bin.size))
            return -1;
        memcpy(room[n], bin.data, bin.size);
        room[n][bin.size] = 0;
        arg[n] = room[n];
    }
    return n;
}

static NIF(nif_open)
{
    const char *arg[ARGUMENTS_MAX];
    struct sb_drain_options o;
    struct sb_err e = {0};
    struct sb_drain *drain = NULL;
    char(*room)[TEXT_MAX] = enif_alloc(sizeof *room * ARGUMENTS_MAX);
    int n = room ? read_arguments(env, argv[0], room, arg) : -1;
    bool readable = n >= 0 && sb_drain_options_read(&o, n, arg);
    bool ok = readable && sb_drain_open(&drain, &o, &e);
    enif_free(room);
    if (!readable)
        return enif_make_badarg(env);
    if (!ok)
        return answer(env, "error", text(env, e.what, strlen(e.what)));
    struct handle *h = enif_alloc_resource(handles, sizeof *h);
    *h = (struct handle){.drain = drain, .now = SB_DRAIN_MORE};
    ERL_NIF_TERM t = enif_make_resource(env, h);
    enif_release_resource(h);
    return answer(env, "ok", t);
}

/* The conditions of a flight recorder: ok, or what is wrong with one. */
static NIF(nif_check)
{
    struct sb_when when;
    struct sb_err e = {0};
    ErlNifBinary bin;
    ERL_NIF_TERM head, list = argv[0];
    char condition[256];
    int n = 0;
    for (; enif_get_list_cell(env, list, &head, &list); n++) {
        if (n == SB_FLIGHT_WHENS || !enif_inspect_binary(env, head, &bin) || bin.size >= sizeof condition)
            return enif_make_badarg(env);
        memcpy(condition, bin.data, bin.size);
        condition[bin.size] = 0;
        if (!sb_when_read(&when, condition, &e))
            return answer(env, "error", text(env, e.what, strlen(e.what)));
    }
    return enif_make_atom(env, "ok");
}

static void
take_step(struct handle *h)
{
    h->now = sb_drain_step(h->drain, &h->err);
    if (h->now == SB_DRAIN_MORE)
        return;
    if (h->now == SB_DRAIN_DONE)
        h->summary[sb_drain_summary(h->drain, h->summary, sizeof h->summary)] = 0;
    sb_drain_close(h->drain);
    h->drain = NULL;
}

static ERL_NIF_TERM
outcome(ErlNifEnv *env, const struct handle *h)
{
    switch (h->now) {
    case SB_DRAIN_MORE:
        return answer(env, "more", enif_make_int(env, sb_drain_wait_ms(h->drain)));
    case SB_DRAIN_DONE:
        return answer(env, "done", text(env, h->summary, strlen(h->summary)));
    default:
        return answer(env, "error", text(env, h->err.what, strlen(h->err.what)));
    }
}

static NIF(nif_step)
{
    void *object;
    if (!enif_get_resource(env, argv[0], handles, &object))
        return enif_make_badarg(env);
    struct handle *h = object;
    if (atomic_exchange(&h->busy, true))
        return answer(env, "more", enif_make_int(env, BUSY_MS));
    if (h->drain)
        take_step(h);
    ERL_NIF_TERM t = outcome(env, h);
    atomic_store(&h->busy, false);
    return t;
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
    (void)priv, (void)info;
    handles = enif_open_resource_type(env, NULL, "strobe_drain", gone,
                                      ERL_NIF_RT_CREATE | ERL_NIF_RT_TAKEOVER, NULL);
    return handles && sb_copy_nif_load(env) ? 0 : 1;
}

static int
upgrade(ErlNifEnv *env, void **priv, void **old_priv, ERL_NIF_TERM info)
{
    (void)old_priv;
    return load(env, priv, info);
}

static ErlNifFunc functions[] = {
    {"open", 1, nif_open, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"check", 1, nif_check, 0},
    {"step", 1, nif_step, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"rings", 1, sb_nif_rings, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"look", 1, sb_nif_look, 0},
    {"copy", 1, sb_nif_copy, ERL_NIF_DIRTY_JOB_CPU_BOUND},
};

ERL_NIF_INIT(strobe_drain_nif, functions, load, NULL, upgrade, NULL)
