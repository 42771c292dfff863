/*
 * The machine that runs a filter's program; used by the instructions (filter_run.c) and the guard functions
 * (filter_guard.c).
 */
#pragma once
#include "filter.h"
#include "filter_big.h"

enum { STACK = 256, VARIABLES = 32, BIGS = 32 };

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

/* A term of the event or the program, or a number that was calculated: the machine makes no terms. */
enum kind { TERM, INT, BIG, FLOAT };
struct value {
    enum kind kind;
    union {
        ERL_NIF_TERM term;
        int64_t i;
        double d;
        unsigned big; /* in machine.big; beyond 64 bits */
    };
};

struct machine {
    ErlNifEnv *env;
    const struct filter_program *p;
    const struct filter_event *ev;
    struct filter_text *say;
    size_t pc, next_clause;
    unsigned n;   /* height of the stack */
    bool failed;  /* this clause does not match, or its message cannot be computed */
    bool unknown; /* the event is beyond what the machine can calculate */
    /* after the guards: a failed function has the value 'EXIT', and no other clause is tried */
    bool in_body;
    ERL_NIF_TERM yes, no;
    uint32_t bound; /* bit set of the bound variables */
    ERL_NIF_TERM variable[VARIABLES];
    struct value stack[STACK];
    unsigned bigs; /* those of the values on the stack, in their order */
    struct big big[BIGS];
};

static inline struct value
machine_term(ERL_NIF_TERM t)
{
    return (struct value){.kind = TERM, .term = t};
}

static inline struct value
machine_int(int64_t i)
{
    return (struct value){.kind = INT, .i = i};
}

static inline struct value
machine_fail(struct machine *m)
{
    m->failed = true;
    return machine_term(m->no);
}

static inline struct value
machine_give_up(struct machine *m)
{
    m->unknown = true;
    return machine_fail(m);
}

static inline struct value
machine_boolean(const struct machine *m, bool b)
{
    return machine_term(b ? m->yes : m->no);
}

static inline bool
machine_is(struct value v, ERL_NIF_TERM atom)
{
    return v.kind == TERM && v.term == atom;
}

static inline bool
machine_is_boolean(const struct machine *m, struct value v)
{
    return machine_is(v, m->yes) || machine_is(v, m->no);
}

/* Returns the term of a value; an integer has one without memory if it is small. */
static inline ERL_NIF_TERM
machine_as_term(struct machine *m, struct value v)
{
    enum { SMALL_BITS = 59 };
    if (v.kind == INT && v.i < INT64_C(1) << SMALL_BITS && v.i >= -(INT64_C(1) << SMALL_BITS))
        return enif_make_int64(m->env, v.i);
    return v.kind == TERM ? v.term : machine_give_up(m).term;
}

/* Calls a guard function by its number in filter_fun.def. */
struct value guard_one(struct machine *m, unsigned f, struct value v);
struct value guard_two(struct machine *m, unsigned f, struct value a, struct value b);
struct value guard_is_record(struct machine *m, struct value v, struct value tag, struct value size);

/* filter_number.c */
bool number_is(struct machine *m, struct value v, bool *is_float);
bool number_index(struct machine *m, struct value v, int64_t *i); /* an integer of 64 bits */
struct value number_one(struct machine *m, unsigned f, struct value v);
struct value number_two(struct machine *m, unsigned f, struct value a, struct value b);
int number_compare(struct machine *m, struct value a, struct value b); /* the order of terms */
bool number_same(struct machine *m, struct value a, struct value b);   /* as =:= */
