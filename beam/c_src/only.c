#include "only.h"

struct only only;
__thread ERL_NIF_TERM only_passed;

bool
only_add(ERL_NIF_TERM module)
{
    if (only_has(module))
        return true;
    if (only.n >= ONLY_MAX / 2)
        return false;
    unsigned i = only_place(module);
    while (only.module[i])
        i = (i + 1) & (ONLY_MAX - 1);
    atomic_store(&only.module[i], module);
    atomic_fetch_add(&only.n, 1);
    return true;
}

void
only_clear(void)
{
    atomic_store(&only.n, 0);
    for (unsigned i = 0; i < ONLY_MAX; i++)
        atomic_store_explicit(&only.module[i], 0, memory_order_relaxed);
}
