/*
 * The functions whose calls are recorded. While strobe waits for a module or an application to be loaded,
 * every module gets breakpoints as it is loaded, so that no call is missed. The session removes those of
 * other modules a moment later; until then their calls are rejected here.
 *
 * The owner adds entries, any thread looks them up; nothing is removed while a capture runs.
 */
#pragma once
#include "layout.h"
#include <stdatomic.h>
#include <string.h>

enum { ONLY_MAX = 65536, ONLY_SHIFT = 16, ONLY_PASSED = 4096 }; /* 2^16 slots, at most half of them used */

struct only_entry {
    _Atomic ERL_NIF_TERM module; /* 0: free */
    ERL_NIF_TERM function;       /* 0: every function of the module */
    int arity;                   /* -1: every arity */
};

struct only {
    /* false: no choice was made, and calls of every function with a breakpoint are recorded */
    _Atomic bool on;
    _Atomic unsigned n;
    /* open addressing by module: all entries of a module follow its home slot */
    struct only_entry at[ONLY_MAX];
    /* processes whose last call was rejected, as words; the newest stays */
    _Atomic ERL_NIF_TERM passed[ONLY_PASSED];
};
extern struct only only;

/* NULL: record only what else is added; false: the table is full */
bool only_add(const struct only_entry *e);
void only_clear(void);

static inline unsigned
only_place(ERL_NIF_TERM module)
{
    return (unsigned)(module >> 6) * 2654435761u >> (32 - ONLY_SHIFT);
}

static inline bool
only_has(ERL_NIF_TERM module, ERL_NIF_TERM function, int arity)
{
    for (unsigned i = only_place(module);; i = (i + 1) & (ONLY_MAX - 1)) {
        const struct only_entry *e = &only.at[i];
        ERL_NIF_TERM at = atomic_load_explicit(&e->module, memory_order_acquire);
        if (at == 0)
            return false;
        if (at == module &&
            (e->function == 0 || (e->function == function && (e->arity < 0 || e->arity == arity))))
            return true;
    }
}

enum only_verdict { ONLY_DROPPED, ONLY_RECORDED, ONLY_LISTED };

/* Returns the place that tells whether a process has its last call rejected. */
static inline _Atomic ERL_NIF_TERM *
only_passed(ERL_NIF_TERM tracee)
{
    return &only.passed[layout_place(tracee) & (ONLY_PASSED - 1)];
}

/* Records that a process calls, or returns into, a function of the list. */
static inline void
only_accept(ERL_NIF_TERM tracee)
{
    if (__builtin_expect(atomic_load_explicit(only_passed(tracee), memory_order_relaxed) == tracee, 0))
        atomic_store_explicit(only_passed(tracee), 0, memory_order_relaxed);
}

/*
 * Judges a call or return_to of {Module, Function, Arity}. A listed function may return into any function, so a
 * return_to is rejected only after a rejected call. If two processes share a slot of `passed`, the earlier one is
 * forgotten: one return too many may be recorded, never one too few.
 */
enum only_verdict only_judge(ErlNifEnv *env, ERL_NIF_TERM tracee, ERL_NIF_TERM mfa, bool is_call);

/* Returns whether it is recorded. `listed` is kept beside the function, which stays listed for as long as a capture
 * runs. */
static inline bool
only_wants(ErlNifEnv *env, ERL_NIF_TERM tracee, ERL_NIF_TERM mfa, bool is_call, bool *listed)
{
    if (__builtin_expect(*listed, 1)) {
        only_accept(tracee);
        return true;
    }
    enum only_verdict v = only_judge(env, tracee, mfa, is_call);
    *listed = v == ONLY_LISTED;
    return v != ONLY_DROPPED;
}
