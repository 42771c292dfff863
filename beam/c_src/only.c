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

void
only_clear(void)
{
    atomic_store(&only.on, false);
    if (atomic_exchange(&only.n, 0) > 0)
        memset(only.at, 0, sizeof only.at);
    memset(only.passed, 0, sizeof only.passed);
}
