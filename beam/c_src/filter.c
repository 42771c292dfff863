#include "filter.h"
#include <string.h>

enum { CODE_MAX = 32768, PIDS_MAX = 1 << 20 };

enum scope { ALL, ONLY, BUT };

struct filter {
    enum scope scope;
    ERL_NIF_TERM *pid; /* hash table; 0 is free; cap is a power of two */
    size_t cap;
    bool constant; /* no program: the verdict is `passes` */
    bool passes;
    ErlNifEnv *env; /* owns the literals */
    uint8_t *code;
    ERL_NIF_TERM *literal;
    struct filter_program program;
};

struct filters { /* newest first */
    unsigned n;
    struct filter *at[FILTERS_MAX];
};

/* ---- programs */

void
filter_free(struct filter *f)
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
    f->program.one_zero = enif_is_identical(enif_make_double(env, 0.0), enif_make_double(env, -0.0));
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

struct filter *
filter_make(ErlNifEnv *env, ERL_NIF_TERM scope, ERL_NIF_TERM pids, ERL_NIF_TERM program)
{
    struct filter *f = alloc(sizeof *f);
    if (f && read_scope(env, f, scope, pids) && read_program(env, f, program))
        return f;
    filter_free(f);
    return NULL;
}

enum filter_verdict
filter_judge(const struct filter *f, ErlNifEnv *env, const struct filter_event *ev, struct filter_text *say)
{
    if (f->constant)
        return f->passes ? FILTER_PASS : FILTER_DROP;
    return filter_run(&f->program, env, ev, say);
}

/* ---- sets */

struct filters *
filters_with(const struct filters *old, struct filter *f)
{
    unsigned keeps = old && f->scope != ALL ? old->n : 0;
    struct filters *set = keeps < FILTERS_MAX ? alloc(sizeof *set) : NULL;
    if (!set)
        return NULL;
    set->at[set->n++] = f;
    for (unsigned i = 0; i < keeps; i++)
        set->at[set->n++] = old->at[i];
    return set;
}

static bool
has(const struct filters *set, const struct filter *f)
{
    for (unsigned i = 0; set && i < set->n; i++)
        if (set->at[i] == f)
            return true;
    return false;
}

void
filters_free(struct filters *set, const struct filters *next)
{
    for (unsigned i = 0; set && i < set->n; i++)
        if (!has(next, set->at[i]))
            filter_free(set->at[i]);
    enif_free(set);
}

enum filter_verdict
filters_judge(const struct filters *set, ErlNifEnv *env, const struct filter_event *ev,
              struct filter_text *say)
{
    for (unsigned i = 0; i < set->n; i++)
        if (holds(set->at[i], ev->at[1]))
            return filter_judge(set->at[i], env, ev, say);
    return FILTER_PASS;
}
