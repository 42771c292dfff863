/*
 * The control functions of the tracer. The module strobe_nif is both the tracer (events.c) and this control:
 *
 *     open(Path, Sizes, Probes) -> ok | {error, {What, Reason}}     begin_() -> ok
 *     halt_() -> ok     quiet() -> boolean()     close(Finished) -> ok     note(Key, Value) -> boolean()
 *     is_orphan() -> boolean(): whether a capture is open whose owner has ended
 *     hide(Pid) -> boolean()     running() -> [pid()]     emit(Tag, Who, A, B, C) -> ok | full
 *     filter(Scope, Pids, Program) -> ok | {error, Reason}     filter_run(Program, Event): filter_nif.h
 *     status() -> closed | {Stop, Fill, Dropped}
 *     receivers() -> [pid() | atom()]: those with the most messages recently
 *     new_funs() -> [{Id, Module, Index, Uniq, AtomId}]     name_fun(Id, AtomId, Name, Arity) -> boolean()
 *     hot(AtLeast) -> [{Records, M, F, A}]     cost() -> hundredths of a nanosecond
 *     mute(Pid) -> ok
 *     rest(Asleep) -> none | Nanoseconds: how long ago the first event since the last call was; the
 *         caller of begin_ that is asleep gets the message strobe_stirred at the next one
 *     only([{Module, Function | '_', Arity | '_'}]) -> boolean()
 *
 * One owner process calls these; the VM's other threads only record.
 */
#include "ask.h"
#include "dict.h"
#include "enabled.h"
#include "filter_nif.h"
#include "functions.h"
#include "muted.h"
#include "only.h"
#include "orphan.h"
#include <errno.h>

static ERL_NIF_TERM
atom(ErlNifEnv *env, const char *name)
{
    return enif_make_atom(env, name);
}

static const char *
errno_name(int err)
{
    switch (err) {
    case EFBIG:
        return "efbig";
    case ENOSPC:
        return "enospc";
    case EDQUOT:
        return "edquot";
    case EEXIST:
        return "eexist";
    case EACCES:
        return "eacces";
    case ENOENT:
        return "enoent";
    case ENOMEM:
        return "enomem";
    case EROFS:
        return "erofs";
    default:
        return "einval";
    }
}

static bool
read_sizes(ErlNifEnv *env, ERL_NIF_TERM t, struct ring_sizes *s)
{
    const ERL_NIF_TERM *at;
    int n;
    ErlNifUInt64 dict;
    bool ok = enif_get_tuple(env, t, &n, &at) && n == 7 && enif_get_uint(env, at[0], &s->n_large) &&
              enif_get_uint(env, at[1], &s->large_bytes) && enif_get_uint(env, at[2], &s->chunk_large) &&
              enif_get_uint(env, at[3], &s->n_small) && enif_get_uint(env, at[4], &s->small_bytes) &&
              enif_get_uint(env, at[5], &s->chunk_small) && enif_get_uint64(env, at[6], &dict);
    if (!ok)
        return false;
    s->dict_bytes = dict;
    return s->n_large + s->n_small > 0 && s->n_large < 4096 && s->n_small < 4096 && s->chunk_large >= 4096 &&
           s->chunk_small >= 4096 && s->chunk_large % 64 == 0 && s->chunk_small % 64 == 0 &&
           s->large_bytes / s->chunk_large >= 2 && s->small_bytes / s->chunk_small >= 2 && dict >= 4096;
}

static NIF(nif_open)
{
    struct ring_sizes sizes;
    struct layout layout;
    char path[4096];
    ErlNifBinary bin;
    if (!enif_inspect_binary(env, argv[0], &bin) || bin.size >= sizeof path ||
        !read_sizes(env, argv[1], &sizes) || !layout_learn(env, argv[2], &layout))
        return enif_make_badarg(env);
    memcpy(path, bin.data, bin.size);
    path[bin.size] = 0;
    if (capture.rings)
        return enif_make_tuple2(env, atom(env, "error"),
                                enif_make_tuple2(env, atom(env, "open"), atom(env, "busy")));
    capture.layout = layout;
    const char *failed = capture_open(path, &sizes);
    if (failed)
        return enif_make_tuple2(env, atom(env, "error"),
                                enif_make_tuple2(env, atom(env, failed), atom(env, errno_name(errno))));
    orphan_watch(env);
    return atom(env, "ok");
}

static NIF(nif_begin)
{
    if (!capture.rings || capture.generation & 1 || !enif_self(env, &capture.rest.session))
        return enif_make_badarg(env);
    rest_begin(&capture.rest, false);
    capture_begin();
    return atom(env, "ok");
}

static NIF(nif_halt)
{
    capture_halt();
    return atom(env, "ok");
}

static NIF(nif_quiet)
{
    return atom(env, capture_quiet() ? "true" : "false");
}

static NIF(nif_close)
{
    if (capture.generation & 1)
        return enif_make_badarg(env);
    capture_close(enif_is_identical(argv[0], atom(env, "true")));
    orphan_forget();
    only_clear();
    muted_clear();
    return atom(env, "ok");
}

static NIF(nif_is_orphan)
{
    return atom(env, orphan_is() ? "true" : "false");
}

static NIF(nif_note)
{
    ErlNifBinary key, value;
    if (!capture.rings || !enif_inspect_binary(env, argv[0], &key) ||
        !enif_inspect_binary(env, argv[1], &value))
        return enif_make_badarg(env);
    return atom(env, dict_note(key.data, key.size, value.data, value.size) ? "true" : "false");
}

static NIF(nif_hide)
{
    if (!enif_is_pid(env, argv[0]))
        return enif_make_badarg(env);
    return atom(env, capture_hide(argv[0]) ? "true" : "false");
}

/* Returns the process that each thread ran last, if `in` is recorded. The word of a local pid is valid for
 * life. */
static NIF(nif_running)
{
    ERL_NIF_TERM list = enif_make_list(env, 0);
    for (unsigned i = 0; capture.rings && i < capture.n_rings; i++) {
        ERL_NIF_TERM pid = atomic_load_explicit(&capture.workers[i].runs, memory_order_relaxed);
        if (pid)
            list = enif_make_list_cell(env, pid, list);
    }
    return list;
}

static NIF(nif_receivers)
{
    struct receivers_top top = {0};
    unsigned n = 0;
    for (unsigned i = 0; capture.rings && i < capture.n_rings; i++)
        receivers_rank(&capture.workers[i].mail, &top);
    while (n < RECEIVERS_TOP && top.count[n] > 0)
        n++;
    return enif_make_list_from_array(env, top.to, n);
}

/* {Stop, FullestRingPercent, Dropped}: polled by the owner */
static NIF(nif_status)
{
    struct sb_rings *r = capture.rings;
    if (!r)
        return atom(env, "closed");
    clock_measure(&capture.clock);
    uint64_t dropped = 0, fullest = 0;
    for (unsigned i = 0; i < r->n_rings; i++) {
        struct sb_ring *ring = sb_rings_at(r, i);
        uint64_t fill = (atomic_load(&ring->head) - atomic_load(&ring->tail)) * 100 / ring->n_chunks;
        fullest = fill > fullest ? fill : fullest;
        for (unsigned c = 0; c < SB_CLASSES; c++)
            dropped += atomic_load_explicit(&ring->dropped[c], memory_order_relaxed);
    }
    return enif_make_tuple3(env, enif_make_uint(env, atomic_load(&r->stop)), enif_make_uint64(env, fullest),
                            enif_make_uint64(env, dropped));
}

static NIF(nif_rest)
{
    if (!capture.rings)
        return enif_make_badarg(env);
    bool asleep = enif_is_identical(argv[0], atom(env, "true"));
    if (asleep) /* before the rest begins: the event that ends it comes after this */
        atomic_store(&capture.rings->asleep, 1);
    int64_t first_ns = rest_begin(&capture.rest, asleep);
    if (!asleep || first_ns)
        atomic_store(&capture.rings->asleep, 0);
    int64_t ago = now_ns() - first_ns;
    return first_ns ? enif_make_int64(env, ago > 0 ? ago : 0) : atom(env, "none");
}

static NIF(nif_mute)
{
    ErlNifPid pid;
    if (!enif_get_local_pid(env, argv[0], &pid))
        return enif_make_badarg(env);
    muted_add(argv[0]);
    return atom(env, "ok");
}

static NIF(nif_hot)
{
    unsigned at_least;
    if (!capture.rings || !enif_get_uint(env, argv[0], &at_least))
        return enif_make_badarg(env);
    return dict_hot(env, at_least);
}

static NIF(nif_new_funs)
{
    return capture.rings ? dict_new_funs(env) : enif_make_badarg(env);
}

static NIF(nif_name_fun)
{
    unsigned id, in, arity;
    ErlNifBinary name;
    if (!capture.rings || !enif_get_uint(env, argv[0], &id) || !enif_get_uint(env, argv[1], &in) ||
        !enif_inspect_binary(env, argv[2], &name) || !enif_get_uint(env, argv[3], &arity) ||
        arity > UINT8_MAX)
        return enif_make_badarg(env);
    return atom(env, dict_name_fun(id, in, name.data, name.size, (uint8_t)arity) ? "true" : "false");
}

static bool
read_only(ErlNifEnv *env, ERL_NIF_TERM mfa, struct only_entry *e)
{
    const ERL_NIF_TERM *at;
    int n, arity = -1;
    ERL_NIF_TERM any = atom(env, "_");
    if (!enif_get_tuple(env, mfa, &n, &at) || n != 3 || !enif_is_atom(env, at[0]) ||
        !enif_is_atom(env, at[1]) || (at[2] != any && !enif_get_int(env, at[2], &arity)))
        return false;
    *e = (struct only_entry){at[0], at[1] == any ? 0 : at[1], arity};
    return true;
}

/*
 * Adds functions whose calls are recorded; once any are added, no others are recorded. False: the table is
 * full, and the calls of the functions that did not fit are not recorded.
 */
static NIF(nif_only)
{
    ERL_NIF_TERM list = argv[0], mfa;
    bool fits = only_add(NULL);
    while (fits && enif_get_list_cell(env, list, &mfa, &list)) {
        struct only_entry e;
        if (!read_only(env, mfa, &e))
            return enif_make_badarg(env);
        fits = only_add(&e);
    }
    return atom(env, fits ? "true" : "false");
}

static NIF(nif_cost)
{
    return enif_make_uint(env, capture_cost());
}

static NIF(nif_clock)
{
    return enif_make_int64(env, now_ns());
}

static int
load(ErlNifEnv *env, void **priv, ERL_NIF_TERM info)
{
    (void)priv, (void)info;
    atomic_fetch_add(&capture.users, 1);
    enabled_load(env);
    return events_load(env) && orphan_load(env) ? 0 : 1;
}

static int
upgrade(ErlNifEnv *env, void **priv, void **old_priv, ERL_NIF_TERM info)
{
    (void)old_priv;
    return load(env, priv, info);
}

/* The library is unmapped with the last copy of the module; no thread may be inside it then. */
static void
unload(ErlNifEnv *env, void *priv)
{
    (void)env, (void)priv;
    if (atomic_fetch_sub(&capture.users, 1) > 1)
        return;
    capture_halt();
    struct timespec ms = {.tv_nsec = 1000000};
    for (int i = 0; i < 1000 && !capture_quiet(); i++)
        nanosleep(&ms, NULL);
    capture_close(true);
}

static ErlNifFunc functions[] = {
    TRACER_ENTRIES{"open", 3, nif_open, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"begin_", 0, nif_begin, 0},
    {"halt_", 0, nif_halt, 0},
    {"quiet", 0, nif_quiet, 0},
    {"close", 1, nif_close, 0},
    {"is_orphan", 0, nif_is_orphan, 0},
    {"note", 2, nif_note, 0},
    {"hide", 1, nif_hide, 0},
    {"mute", 1, nif_mute, 0},
    {"rest", 1, nif_rest, 0},
    {"running", 0, nif_running, 0},
    {"receivers", 0, nif_receivers, 0},
    {"emit", 5, nif_emit, 0},
    {"filter", 3, nif_filter, ERL_NIF_DIRTY_JOB_IO_BOUND},
    {"filter_run", 2, nif_filter_run, 0},
    {"filter_names", 0, nif_filter_names, 0},
    {"status", 0, nif_status, 0},
    {"hot", 1, nif_hot, 0},
    {"new_funs", 0, nif_new_funs, 0},
    {"name_fun", 4, nif_name_fun, 0},
    {"only", 1, nif_only, 0},
    {"cost", 0, nif_cost, 0},
    {"clock", 0, nif_clock, 0},
    {"ask", 3, nif_ask, 0},
    {"answer", 1, nif_answer, 0},
    {"forgot", 0, nif_forgot, 0},
    {"wanted", 0, nif_wanted, 0},
    {"loaded", 0, nif_loaded, 0},
    {"functions", 1, nif_functions, 0},
};

ERL_NIF_INIT(strobe_nif, functions, load, NULL, upgrade, unload)
