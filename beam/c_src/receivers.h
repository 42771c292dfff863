/* The processes that receive the most messages. Each thread counts for itself, in a table of fixed size. */
#pragma once
#include "layout.h"
#include <stdatomic.h>

enum { RECEIVERS_SLOTS = 64, RECEIVERS_TOP = 5 };

struct receivers { /* one thread's */
    /* the most frequent receiver of this slot; each message to another receiver subtracts one */
    struct receiver {
        _Atomic ERL_NIF_TERM to; /* a local pid or a registered name */
        _Atomic uint32_t count;
    } slot[RECEIVERS_SLOTS];
};

struct receivers_top { /* most messages first; 0: unused */
    ERL_NIF_TERM to[RECEIVERS_TOP];
    uint32_t count[RECEIVERS_TOP];
};

/* Counts a message. Another thread may halve the count at the same time; only the choice of samples
 * depends on it. */
static inline void
receivers_count(struct receivers *r, ERL_NIF_TERM to)
{
    struct receiver *s = &r->slot[layout_place(to) % RECEIVERS_SLOTS];
    uint32_t n = atomic_load_explicit(&s->count, memory_order_relaxed);
    bool same = atomic_load_explicit(&s->to, memory_order_relaxed) == to;
    if (!same && n == 0)
        atomic_store_explicit(&s->to, to, memory_order_relaxed);
    atomic_store_explicit(&s->count, same || n == 0 ? n + 1 : n - 1, memory_order_relaxed);
}

/* Adds the counts of a thread to the ranking, and halves them. */
void receivers_rank(struct receivers *r, struct receivers_top *top);
