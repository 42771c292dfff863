/*
 * Processes whose calls are not recorded: those that strobe:spawn leaves out of a group of similar processes.
 * The table has a fixed size. In a crowded place a new process replaces an older one, which has probably
 * ended; if it has not, its calls are recorded again. Any thread may add and look up.
 */
#pragma once
#include "layout.h"
#include <stdatomic.h>

enum { MUTED_MAX = 1 << 16, MUTED_NEAR = 8 };

struct muted {
    _Atomic bool any;
    _Atomic ERL_NIF_TERM pid[MUTED_MAX + MUTED_NEAR];
};
extern struct muted muted;

void muted_add(ERL_NIF_TERM pid);
void muted_clear(void);

static inline unsigned
muted_place(ERL_NIF_TERM pid)
{
    return (unsigned)layout_place(pid) % MUTED_MAX;
}

static inline bool
muted_has(ERL_NIF_TERM pid)
{
    if (!atomic_load_explicit(&muted.any, memory_order_relaxed))
        return false;
    const _Atomic ERL_NIF_TERM *at = &muted.pid[muted_place(pid)];
    for (unsigned i = 0; i < MUTED_NEAR; i++)
        if (atomic_load_explicit(at + i, memory_order_relaxed) == pid)
            return true;
    return false;
}
