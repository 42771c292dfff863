/*
 * The machine that runs a filter's program; used by the instructions (filter_run.c) and the guard functions
 * (filter_guard.c).
 */
#ifndef STROBE_FILTER_MACHINE_H
#define STROBE_FILTER_MACHINE_H
#include "filter.h"

enum { STACK = 256, VARIABLES = 32 };

#define ONE(name, text) ONE_##name,
#define TWO(name, text)
enum {
#include "filter_fun.def"
};
#undef ONE
#undef TWO
#define ONE(name, text)
#define TWO(name, text) TWO_##name,
enum {
#include "filter_fun.def"
};
#undef ONE
#undef TWO

struct machine {
    ErlNifEnv *env;
    const struct filter_program *p;
    const struct filter_event *ev;
    struct filter_text *say;
    size_t pc, next_clause;
    unsigned n;  /* height of the stack */
    bool failed; /* this clause does not match, or its message cannot be computed */
    /* after the guards: a failed function has the value 'EXIT', and no other clause is tried */
    bool in_body;
    ERL_NIF_TERM yes, no;
    uint32_t bound; /* bit set of the bound variables */
    ERL_NIF_TERM variable[VARIABLES];
    ERL_NIF_TERM stack[STACK];
};

static inline ERL_NIF_TERM
machine_fail(struct machine *m)
{
    m->failed = true;
    return m->no;
}

static inline ERL_NIF_TERM
machine_boolean(const struct machine *m, bool b)
{
    return b ? m->yes : m->no;
}

static inline bool
machine_is_boolean(const struct machine *m, ERL_NIF_TERM t)
{
    return t == m->yes || t == m->no;
}

/* Calls a guard function by its number in filter_fun.def. */
ERL_NIF_TERM guard_one(struct machine *m, unsigned f, ERL_NIF_TERM t);
ERL_NIF_TERM guard_two(struct machine *m, unsigned f, ERL_NIF_TERM a, ERL_NIF_TERM b);

#endif
