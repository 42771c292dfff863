#include "receivers.h"

/* Moves an existing entry up, or inserts a new one; the last one may drop out. */
static void
put(struct receivers_top *top, ERL_NIF_TERM to, uint32_t n)
{
    unsigned at = 0, end;
    while (at < RECEIVERS_TOP && top->count[at] >= n && top->to[at] != to)
        at++;
    if (at == RECEIVERS_TOP || (top->to[at] == to && top->count[at] >= n))
        return;
    for (end = at; end + 1 < RECEIVERS_TOP && top->to[end] != to;)
        end++;
    for (; end > at; end--) {
        top->to[end] = top->to[end - 1];
        top->count[end] = top->count[end - 1];
    }
    top->to[at] = to;
    top->count[at] = n;
}

void
receivers_rank(struct receivers *r, struct receivers_top *top)
{
    for (unsigned i = 0; i < RECEIVERS_SLOTS; i++) {
        struct receiver *s = &r->slot[i];
        uint32_t n = atomic_load_explicit(&s->count, memory_order_relaxed);
        if (n == 0)
            continue;
        put(top, atomic_load_explicit(&s->to, memory_order_relaxed), n);
        atomic_store_explicit(&s->count, n / 2, memory_order_relaxed);
    }
}
