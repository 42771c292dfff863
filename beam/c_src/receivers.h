/* Whom most messages go to, counted by each thread for itself in a table of a fixed size. */
#ifndef STROBE_RECEIVERS_H
#define STROBE_RECEIVERS_H
#include <erl_nif.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { RECEIVERS_SLOTS = 64, RECEIVERS_TOP = 5 };

struct receivers { /* of one thread */
    struct receiver { /* of those that fall here, the one that gets most: each message to another takes one off */
        _Atomic ERL_NIF_TERM to; /* a local pid or a registered name */
        _Atomic uint32_t count;
    } slot[RECEIVERS_SLOTS];
};

struct receivers_top { /* most first; 0: nobody */
    ERL_NIF_TERM to[RECEIVERS_TOP];
    uint32_t count[RECEIVERS_TOP];
};

/* Another thread may halve the count meanwhile: nothing but who is looked at depends on it. */
static inline void
receivers_count(struct receivers *r, ERL_NIF_TERM to)
{
    struct receiver *s = &r->slot[(to >> 4) % RECEIVERS_SLOTS];
    uint32_t n = atomic_load_explicit(&s->count, memory_order_relaxed);
    bool same = atomic_load_explicit(&s->to, memory_order_relaxed) == to;
    if (!same && n == 0)
        atomic_store_explicit(&s->to, to, memory_order_relaxed);
    atomic_store_explicit(&s->count, same || n == 0 ? n + 1 : n - 1, memory_order_relaxed);
}

/* Adds those of a thread, and halves its counts. */
void receivers_rank(struct receivers *r, struct receivers_top *top);

#endif
