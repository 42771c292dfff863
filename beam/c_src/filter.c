/* Setting filters: from terms to programs, a new set beside the old, the old freed when nobody looks at it.
 */
#include "filter.h"
#include "capture.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_MAX = 32768, PIDS_MAX = 1 << 20 };

enum scope { ALL, ONLY, BUT };

struct filter {
    enum scope scope;
    ERL_NIF_TERM *pid; /* a table by hash, 0 is free; of cap a power of two */
    size_t cap;
    bool constant; /* no program: `passes` is the answer */
    bool passes;
    ErlNifEnv *env; /* of the literals */
    uint8_t *code;
    ERL_NIF_TERM *literal;
    struct filter_program program;
};

struct filters { /* newest first */
    unsigned n;
    struct filter *at[FILTERS_MAX];
};

/* ---- programs */

static void
free_filter(struct filter *f)
{
    if (!f)
        return;
    if (f->env)
        enif_free_env(f->env);
    enif_free(f->code);
    enif_free(f->literal);
    enif_free(f->pid);
    enif_free(f);
}

static void *
alloc(size_t n)
{
    void *p = enif_alloc(n ? n : 1);
    if (p)
        memset(p, 0, n ? n : 1);
    return p;
}

static bool
read_program(ErlNifEnv *env, struct filter *f, ERL_NIF_TERM program)
{
    const ERL_NIF_TERM *pair, *literal;
    int n, literals;
    ErlNifBinary code;
    f->program.yes = enif_make_atom(env, "true");
    f->program.no = enif_make_atom(env, "false");
    f->program.exited = enif_make_atom(env, "EXIT");
    f->constant = program == f->program.yes || program == f->program.no;
    f->passes = program == f->program.yes;
    if (f->constant)
        return true;
    if (!enif_get_tuple(env, program, &n, &pair) || n != 2 || !enif_inspect_binary(env, pair[0], &code) ||
        code.size > CODE_MAX || !enif_get_tuple(env, pair[1], &literals, &literal))
        return false;
    f->env = enif_alloc_env();
    f->code = alloc(code.size);
    f->literal = alloc(sizeof *f->literal * (size_t)literals);
    if (!f->env || !f->code || !f->literal)
        return false;
    memcpy(f->code, code.data, code.size);
    for (int i = 0; i < literals; i++)
        f->literal[i] = enif_make_copy(f->env, literal[i]);
    f->program.code = f->code;
    f->program.n = code.size;
    f->program.literal = f->literal;
    f->program.literals = (unsigned)literals;
    return true;
}

/* ---- scopes */

static size_t
place(const struct filter *f, ERL_NIF_TERM pid)
{
    size_t i = (size_t)((uint64_t)pid * 0x9e3779b97f4a7c15u >> 20);
    while (f->pid[i & (f->cap - 1)] && f->pid[i & (f->cap - 1)] != pid)
        i++;
    return i & (f->cap - 1);
}

static bool
holds(const struct filter *f, ERL_NIF_TERM who)
{
    return f->scope == ALL || (f->pid[place(f, who)] == who) == (f->scope == ONLY);
}

static bool
read_scope(ErlNifEnv *env, struct filter *f, ERL_NIF_TERM scope, ERL_NIF_TERM pids)
{
    ERL_NIF_TERM pid;
    unsigned n;
    f->scope = scope == enif_make_atom(env, "only") ? ONLY : scope == enif_make_atom(env, "but") ? BUT : ALL;
    if (!enif_get_list_length(env, pids, &n) || n > PIDS_MAX)
        return false;
    for (f->cap = 16; f->cap < 2 * (size_t)n; f->cap *= 2)
        ;
    f->pid = alloc(sizeof *f->pid * f->cap);
    while (f->pid && enif_get_list_cell(env, pids, &pid, &pids))
        f->pid[place(f, pid)] = pid;
    return f->pid != NULL;
}

/* ---- sets */

void
filters_free(struct filters *set)
{
    for (unsigned i = 0; set && i < set->n; i++)
        free_filter(set->at[i]);
    enif_free(set);
}

/* A filter of all processes leaves nothing to those before it. */
static struct filters *
with(const struct filters *old, struct filter *f)
{
    struct filters *set = alloc(sizeof *set);
    if (!set)
        return NULL;
    set->at[set->n++] = f;
    for (unsigned i = 0; old && f->scope != ALL && i < old->n; i++)
        set->at[set->n++] = old->at[i];
    return set;
}

/* Every thread has been seen outside since the new set is there: nobody looks at the old one any more. */
static void
wait_for_all(void)
{
    capture_quiet(); /* for its barrier: from here on whoever enters sees the new set */
    unsigned n = atomic_load(&capture.seats);
    for (unsigned i = 0; i < n && i < SEATS_MAX; i++)
        while (atomic_load_explicit(&capture.seat[i].inside, memory_order_acquire))
            sched_yield();
}

static void
replace(struct filters *set, bool keeps_old)
{
    struct filters *old = atomic_exchange(&capture.filters, set);
    wait_for_all();
    if (old && keeps_old)
        old->n = 0;
    filters_free(old);
}

static ERL_NIF_TERM
refused(ErlNifEnv *env, const char *why)
{
    return enif_make_tuple2(env, enif_make_atom(env, "error"), enif_make_atom(env, why));
}

ERL_NIF_TERM
nif_filter(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)argc;
    struct filters *old = atomic_load(&capture.filters);
    if (!capture.rings)
        return refused(env, "not_running");
    struct filter *f = alloc(sizeof *f);
    if (!f || !read_scope(env, f, argv[0], argv[1]) || !read_program(env, f, argv[2])) {
        free_filter(f);
        return enif_make_badarg(env);
    }
    bool keeps_old = f->scope != ALL;
    struct filters *set = keeps_old && old && old->n == FILTERS_MAX ? NULL : with(old, f);
    if (!set) {
        free_filter(f);
        return refused(env, "too_many_filters");
    }
    replace(set, keeps_old);
    return enif_make_atom(env, "ok");
}

/* ---- running them */

enum filter_verdict
filters_judge(const struct filters *set, ErlNifEnv *env, const struct filter_event *ev,
              struct filter_text *say)
{
    for (unsigned i = 0; i < set->n; i++) {
        const struct filter *f = set->at[i];
        if (!holds(f, ev->at[1]))
            continue;
        if (f->constant)
            return f->passes ? FILTER_PASS : FILTER_DROP;
        return filter_run(&f->program, env, ev, say);
    }
    return FILTER_PASS;
}

ERL_NIF_TERM
nif_filter_run(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[])
{
    (void)argc;
    const ERL_NIF_TERM *at;
    int n;
    struct filter_event ev;
    struct filter_text say = {0};
    struct filter *f = alloc(sizeof *f);
    if (!f || !read_program(env, f, argv[0]) || !enif_get_tuple(env, argv[1], &n, &at) || n < 1 || n > 5) {
        free_filter(f);
        return enif_make_badarg(env);
    }
    ev.n = (unsigned)n;
    memcpy(ev.at, at, sizeof *at * (size_t)n);
    enum filter_verdict v =
        f->constant ? (f->passes ? FILTER_PASS : FILTER_DROP) : filter_run(&f->program, env, &ev, &say);
    free_filter(f);
    if (v != FILTER_SAY)
        return enif_make_atom(env, v == FILTER_PASS ? "true" : "false");
    ERL_NIF_TERM text;
    memcpy(enif_make_new_binary(env, say.n, &text), say.at, say.n);
    return text;
}
