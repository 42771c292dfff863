#include "engine/edges/edge_order.h"

_Static_assert(_Alignof(struct sb_talk) > SB_AN_EDGE && _Alignof(struct sb_edge) > SB_AN_EDGE,
               "a bit of an address is free");

void
sb_edge_order_begin(struct sb_edge_order *o, uint32_t most)
{
    o->key.n = 0;
    o->bits = most ? 32 - (unsigned)__builtin_clz(most) : 0;
}

static uint64_t
key_of(const struct sb_edge_order *o, uint32_t sender, uint32_t receiver)
{
    return (uint64_t)sender << o->bits | receiver;
}

void
sb_edge_order_add(struct sb_edge_order *o, const struct sb_edge_notes *v)
{
    SB_RESERVE(&o->key, v->talks.n + v->edges.n);
    for (const struct sb_talk *t = v->talks.at; t < v->talks.at + v->talks.n; t++)
        o->key.at[o->key.n++] = (struct sb_sort_key){key_of(o, t->sender, t->receiver), (uintptr_t)t};
    for (const struct sb_edge *e = v->edges.at; e < v->edges.at + v->edges.n; e++)
        o->key.at[o->key.n++] =
            (struct sb_sort_key){key_of(o, e->sender, e->receiver), (uintptr_t)e | SB_AN_EDGE};
}

void
sb_edge_order_sort(struct sb_edge_order *o)
{
    SB_RESERVE(&o->scratch, o->key.n);
    if (o->key.n > 0)
        sb_sort_radix(o->key.at, o->scratch.at, o->key.n);
}

void
sb_edge_order_close(struct sb_edge_order *o)
{
    SB_VEC_FREE(&o->key);
    SB_VEC_FREE(&o->scratch);
}
