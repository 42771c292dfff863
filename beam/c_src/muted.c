#include "muted.h"

struct muted muted;

void
muted_add(ERL_NIF_TERM pid)
{
    _Atomic ERL_NIF_TERM *at = &muted.pid[muted_place(pid)];
    atomic_store(&muted.any, true);
    for (unsigned i = 0; i < MUTED_NEAR; i++) {
        ERL_NIF_TERM free = 0;
        if (atomic_compare_exchange_strong(at + i, &free, pid))
            return;
    }
    atomic_store(at, pid);
}

void
muted_clear(void)
{
    if (!atomic_exchange(&muted.any, false))
        return;
    for (unsigned i = 0; i < MUTED_MAX + MUTED_NEAR; i++)
        atomic_store_explicit(&muted.pid[i], 0, memory_order_relaxed);
}
