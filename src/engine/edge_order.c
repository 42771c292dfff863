#include "engine/edge_order.h"

enum { AN_EDGE = 1, AHEAD = 8 /* notes that are fetched before they are looked at */ };
_Static_assert(_Alignof(struct sb_talk) > AN_EDGE && _Alignof(struct sb_edge) > AN_EDGE, "a bit of an address is free");

void
sb_edge_order_add(struct sb_edge_order *o, const struct sb_edge_notes *v)
{
    SB_RESERVE(&o->key, v->talks.n + v->edges.n);
    for (const struct sb_talk *t = v->talks.at; t < v->talks.at + v->talks.n; t++)
        o->key.at[o->key.n++] = (struct sb_sort_key){sb_edge_pair(t->sender, t->receiver), (uintptr_t)t};
    for (const struct sb_edge *e = v->edges.at; e < v->edges.at + v->edges.n; e++)
        o->key.at[o->key.n++] = (struct sb_sort_key){sb_edge_pair(e->sender, e->receiver), (uintptr_t)e | AN_EDGE};
}

void
sb_edge_order_sort(struct sb_edge_order *o)
{
    SB_RESERVE(&o->scratch, o->key.n);
    if (o->key.n > 0)
        sb_sort_radix(o->key.at, o->scratch.at, o->key.n);
}

const struct sb_talk *
sb_edge_order_talk(const struct sb_edge_order *o, size_t i)
{
    uint64_t at = o->key.at[i].value;
    if (i + AHEAD < o->key.n)
        __builtin_prefetch((const void *)(uintptr_t)o->key.at[i + AHEAD].value);
    return at & AN_EDGE ? NULL : (const struct sb_talk *)(uintptr_t)at;
}

static struct sb_edge
edge_at(const struct sb_edge_order *o, size_t i)
{
    const struct sb_talk *t = sb_edge_order_talk(o, i);
    return t ? sb_edge_of(t) : *(const struct sb_edge *)(uintptr_t)(o->key.at[i].value - AN_EDGE);
}

struct sb_edge
sb_edge_order_sum(const struct sb_edge_order *o, size_t i, size_t end)
{
    struct sb_edge sum = edge_at(o, i);
    while (++i < end) {
        struct sb_edge e = edge_at(o, i);
        sb_edge_add(&sum, &e);
    }
    return sum;
}

void
sb_edge_order_close(struct sb_edge_order *o)
{
    SB_VEC_FREE(&o->key);
    SB_VEC_FREE(&o->scratch);
}
