#include "only.h"

struct only only;

bool
only_add(const struct only_entry *e)
{
    atomic_store(&only.on, true);
    if (!e || only_has(e->module, e->function, e->arity))
        return true;
    unsigned n = atomic_load(&only.n);
    if (n >= ONLY_MAX / 2)
        return false;
    unsigned i = only_place(e->module);
    while (atomic_load_explicit(&only.at[i].module, memory_order_relaxed))
        i = (i + 1) & (ONLY_MAX - 1);
    only.at[i].function = e->function;
    only.at[i].arity = e->arity;
    atomic_store_explicit(&only.at[i].module, e->module, memory_order_release);
    atomic_store(&only.n, n + 1);
    return true;
}

enum only_verdict
only_judge(ErlNifEnv *env, ERL_NIF_TERM tracee, ERL_NIF_TERM mfa, bool is_call)
{
    const ERL_NIF_TERM *at;
    int n, arity;
    if (!atomic_load_explicit(&only.on, memory_order_relaxed))
        return ONLY_RECORDED;
    if (!enif_get_tuple(env, mfa, &n, &at) || n != 3 || !enif_get_int(env, at[2], &arity)) {
        only_accept(tracee);
        return ONLY_RECORDED;
    }
    if (only_has(at[0], at[1], arity)) {
        only_accept(tracee);
        return ONLY_LISTED;
    }
    if (is_call)
        atomic_store_explicit(only_passed(tracee), tracee, memory_order_relaxed);
    bool rejected = is_call || atomic_load_explicit(only_passed(tracee), memory_order_relaxed) == tracee;
    return rejected ? ONLY_DROPPED : ONLY_RECORDED;
}

void
only_clear(void)
{
    atomic_store(&only.on, false);
    if (atomic_exchange(&only.n, 0) > 0)
        memset(only.at, 0, sizeof only.at);
    memset(only.passed, 0, sizeof only.passed);
}
