/*
 * A set of processes that are never recorded: strobe's own. Any thread may add to it or look into it. A process lies in
 * its home slot or in the next free one, around the end of the table; none leaves until all do.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { HIDDEN = 512 };

struct hidden {
    _Atomic uint64_t pid[HIDDEN]; /* 0: free */
};

/* `place` is a number that differs between processes. Returns the slot of the process or, if it is not there, the free
 * one where it belongs; HIDDEN: it is not there and the table is full. */
static inline unsigned
hidden_slot(const struct hidden *h, uint64_t pid, uint64_t place)
{
    for (unsigned i = 0; i < HIDDEN; i++) {
        unsigned slot = (unsigned)(place + i) % HIDDEN;
        uint64_t is = atomic_load_explicit(&h->pid[slot], memory_order_relaxed);
        if (is == pid || is == 0)
            return slot;
    }
    return HIDDEN;
}

static inline bool
hidden_has(const struct hidden *h, uint64_t pid, uint64_t place)
{
    unsigned slot = hidden_slot(h, pid, place);
    return slot < HIDDEN && atomic_load_explicit(&h->pid[slot], memory_order_relaxed) == pid;
}

/* Returns false if the table is full. */
static inline bool
hidden_add(struct hidden *h, uint64_t pid, uint64_t place)
{
    for (;;) {
        unsigned slot = hidden_slot(h, pid, place);
        uint64_t is = 0;
        if (slot == HIDDEN)
            return false;
        if (atomic_compare_exchange_strong(&h->pid[slot], &is, pid) || is == pid)
            return true;
    }
}

static inline void
hidden_clear(struct hidden *h)
{
    for (unsigned i = 0; i < HIDDEN; i++)
        atomic_store(&h->pid[i], 0);
}
