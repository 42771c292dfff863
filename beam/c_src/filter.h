/*
 * Filters: a match specification over any trace event, compiled by strobe_filter.erl to a small program that
 * runs where the event is recorded. Forward jumps only, no allocation, a stack of its own: bounded by its
 * length.
 *
 * A filter has a scope (some processes, all but some, all) and says true, false, or runs its program. Of
 * those in force the newest whose scope holds the process decides.
 */
#ifndef STROBE_FILTER_H
#define STROBE_FILTER_H
#include <erl_nif.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum filter_verdict { FILTER_DROP, FILTER_PASS, FILTER_SAY };
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
/* Scope: all | only | but; Program: true | false | {Code, Literals}. NULL: it is none of these. */
struct filter *filter_make(ErlNifEnv *env, ERL_NIF_TERM scope, ERL_NIF_TERM pids, ERL_NIF_TERM program);
void filter_free(struct filter *f);
/* What is to happen to an event; `say` is filled in with FILTER_SAY. */
enum filter_verdict filter_judge(const struct filter *f, ErlNifEnv *env, const struct filter_event *ev,
                                 struct filter_text *say);

struct filters;
/* `f`, and behind it those of `old`, unless it is for all: it leaves nothing to them. NULL: there are too
 * many. */
struct filters *filters_with(const struct filters *old, struct filter *f);
void filters_free(struct filters *set, const struct filters *next); /* but for what `next` has too */
enum filter_verdict filters_judge(const struct filters *set, ErlNifEnv *env, const struct filter_event *ev,
                                  struct filter_text *say);

/* filter_run.c */
struct filter_program {
    const uint8_t *code;
    size_t n;
    const ERL_NIF_TERM *literal;
    unsigned literals;
    ERL_NIF_TERM yes, no, exited; /* the atoms true, false and 'EXIT' */
};
enum filter_verdict filter_run(const struct filter_program *p, ErlNifEnv *env, const struct filter_event *ev,
                               struct filter_text *say);
/* filter_names() -> {[{Instruction, OperandBytes}], [Function/1], [Function/2]}, each at its number from 0 */
ERL_NIF_TERM nif_filter_names(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
void filter_print(ErlNifEnv *env, ERL_NIF_TERM t,
                  struct filter_text *to); /* as ~w does, cut at the end of `to` */

#endif
