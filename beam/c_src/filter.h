/*
 * Filters: a match specification over trace events of any kind, compiled by strobe_filter.erl to a small
 * program that runs when the event is recorded. Forward jumps only, no terms made, its own stack: the run
 * time is bounded by its length.
 *
 * A filter has a scope (some processes, all but some, all) and is true, false, or a program. Among the
 * filters in force, the newest one whose scope contains the process decides.
 */
#pragma once
#include "nif.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum filter_verdict {
    FILTER_DROP,
    FILTER_PASS,
    FILTER_SAY,
    FILTER_UNKNOWN /* kept, as it cannot be judged */
};
enum { FILTER_TEXT = 255, FILTERS_MAX = 16 };

struct filter_event { /* {trace, Who, Tag, Term} or {trace, Who, Tag, Term, Extra} */
    ERL_NIF_TERM at[5];
    unsigned n;
};
struct filter_text {
    size_t n;
    char at[FILTER_TEXT];
};

struct filter;
/* Scope: all | only | but; Program: true | false | {Code, Literals}. Returns NULL for anything else. */
struct filter *filter_make(ErlNifEnv *env, ERL_NIF_TERM scope, ERL_NIF_TERM pids, ERL_NIF_TERM program);
void filter_free(struct filter *f);
/* Returns the verdict for an event; fills in `say` with FILTER_SAY. */
enum filter_verdict filter_judge(const struct filter *f, ErlNifEnv *env, const struct filter_event *ev,
                                 struct filter_text *say);

struct filters;
/* Returns a set of `f` followed by those of `old`. If `f` is for all processes, `old` is left out. NULL:
 * too many. */
struct filters *filters_with(const struct filters *old, struct filter *f);
void filters_free(struct filters *set, const struct filters *next); /* frees filters that are not in `next` */
enum filter_verdict filters_judge(const struct filters *set, ErlNifEnv *env, const struct filter_event *ev,
                                  struct filter_text *say);

/* filter_run.c */
struct filter_program {
    const uint8_t *code;
    size_t n;
    const ERL_NIF_TERM *literal;
    unsigned literals;
    ERL_NIF_TERM yes, no, exited; /* the atoms true, false and 'EXIT' */
    bool one_zero;                /* 0.0 =:= -0.0, as before OTP 27 */
};
enum filter_verdict filter_run(const struct filter_program *p, ErlNifEnv *env, const struct filter_event *ev,
                               struct filter_text *say);
/* filter_names() -> {[{Instruction, OperandBytes}], [Function/1], [Function/2]}, in the order of their
 * numbers from 0 */
nif_function nif_filter_names;
/* These print as ~w does, truncated at the end of `to`. */
void filter_print(ErlNifEnv *env, ERL_NIF_TERM t, struct filter_text *to);
void filter_print_float(double d, struct filter_text *to);
void filter_print_text(const char *text, struct filter_text *to);

struct big;
/* Reads an integer beyond 64 bits; false if it is too large. Allocates, since the VM gives its digits only in the
 * external format. */
bool filter_read_big(ErlNifEnv *env, ERL_NIF_TERM t, struct big *out);
