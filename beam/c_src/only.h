/*
 * The modules whose calls are recorded. While one of them is awaited, every module gets its breakpoints as it is loaded,
 * so that no call is missed; the session takes those of the others off a moment later, and until then their calls are
 * passed over here.
 *
 * The owner adds, any thread asks; nothing is taken out while a capture runs.
 */
#ifndef STROBE_ONLY_H
#define STROBE_ONLY_H
#include <erl_nif.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { ONLY_MAX = 8192 }; /* a power of two; half of it is used at most */

struct only {
    _Atomic unsigned n; /* 0: every module is recorded */
    _Atomic ERL_NIF_TERM module[ONLY_MAX];
};
extern struct only only;
extern __thread ERL_NIF_TERM only_passed; /* the process whose last call on this thread was passed over; 0: none */

bool only_add(ERL_NIF_TERM module); /* false: there is no more room, and all are recorded */
void only_clear(void);

static inline unsigned
only_place(ERL_NIF_TERM module)
{
    return (unsigned)(module >> 6) * 2654435761u >> 19 & (ONLY_MAX - 1);
}

static inline bool
only_has(ERL_NIF_TERM module)
{
    for (unsigned i = only_place(module);; i = (i + 1) & (ONLY_MAX - 1)) {
        ERL_NIF_TERM at = atomic_load_explicit(&only.module[i], memory_order_relaxed);
        if (at == module || at == 0)
            return at == module;
    }
}

/*
 * Of the {Module, Function, Arity} of a call or a return_to. A wanted function may return into any other: what does not
 * count is the return from a call that was passed over.
 */
static inline bool
only_wants(ErlNifEnv *env, ERL_NIF_TERM tracee, ERL_NIF_TERM mfa, bool is_call)
{
    const ERL_NIF_TERM *at;
    int n;
    if (atomic_load_explicit(&only.n, memory_order_relaxed) == 0)
        return true;
    if (!enif_get_tuple(env, mfa, &n, &at) || n != 3 || only_has(at[0])) {
        only_passed = 0;
        return true;
    }
    if (is_call)
        only_passed = tracee;
    return only_passed != tracee;
}

#endif
