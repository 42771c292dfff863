/*
 * Filters: a match specification over any trace event, compiled by strobe_filter.erl to a small program that
 * runs where the event is recorded. Forward jumps only, no allocation, a stack of its own: bounded by its
 * length.
 *
 * A filter has a scope (some processes, all but some, all) and says true, false, or runs its program. Of
 * those in force the newest whose scope holds the process decides. Set by the owner of the capture; the
 * tracer's threads read them without a lock, and a set that was replaced is freed when every thread has been
 * seen outside.
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

struct filters;
/* What is to happen to an event; `say` is filled in with FILTER_SAY. */
enum filter_verdict filters_judge(const struct filters *f, ErlNifEnv *env, const struct filter_event *ev,
                                  struct filter_text *say);
void filters_free(struct filters *f);

/* filter(Scope, Pids, Program) -> ok | {error, Reason}; Scope: all | only | but; Program: true | false |
 * {Code, Literals} */
ERL_NIF_TERM nif_filter(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* filter_names() -> {[{Instruction, OperandBytes}], [Function/1], [Function/2]}, each at its number from 0 */
ERL_NIF_TERM nif_filter_names(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);
/* filter_run(Program, Event) -> true | false | binary(): a program tried on a tuple */
ERL_NIF_TERM nif_filter_run(ErlNifEnv *env, int argc, const ERL_NIF_TERM argv[]);

/* filter_run.c: the machine */
struct filter_program {
    const uint8_t *code;
    size_t n;
    const ERL_NIF_TERM *literal;
    unsigned literals;
    ERL_NIF_TERM yes, no, exited; /* the atoms true, false and 'EXIT' */
};
enum filter_verdict filter_run(const struct filter_program *p, ErlNifEnv *env, const struct filter_event *ev,
                               struct filter_text *say);
void filter_print(ErlNifEnv *env, ERL_NIF_TERM t,
                  struct filter_text *to); /* as ~w does, cut at the end of `to` */

#endif
