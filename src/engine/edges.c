#include "engine/edges.h"
#include "base/varint.h"
#include "engine/run.h"

enum { FIELDS = 11, PACKED_MOST = FIELDS * 10, NONE = 0, FEW = 1 << 14 };
#define QUIET_NS INT64_C(10000000000) /* so long */

static struct sb_edge *
new_edge(struct sb_part *x, uint32_t *index)
{
    if (x->free_edge != NONE) {
        *index = x->free_edge - 1;
        x->free_edge = x->edges.at[*index].next;
        x->n_free_edges--;
    } else {
        *index = (uint32_t)x->edges.n;
        SB_PUSH(&x->edges);
    }
    return &x->edges.at[*index];
}

static uint64_t
pair_of(uint32_t sender, uint32_t receiver)
{
    return (uint64_t)sender << 32 | receiver;
}

static uint32_t
between(struct sb_part *x, const struct sb_proc *p, uint32_t sender)
{
    bool is_new;
    uint32_t *i = sb_map_put(&x->edge_of, pair_of(sender, p->id), &is_new);
    if (is_new)
        *new_edge(x, i) = (struct sb_edge){.sender = sender, .receiver = p->id};
    return *i;
}

void
sb_edges_expect(const struct sb_part *x, uint32_t receiver, uint32_t sender)
{
    if (x->edge_of.cap > 0)
        __builtin_prefetch(&x->edge_of.slot[sb_mix64(pair_of(sender, receiver)) & (x->edge_of.cap - 1)]);
}

void
sb_edges_expect_soon(const struct sb_part *x, uint32_t receiver, uint32_t sender)
{
    const uint32_t *i = sb_map_get(&x->edge_of, pair_of(sender, receiver));
    if (!i)
        return;
    __builtin_prefetch(&x->edges.at[*i]);
    __builtin_prefetch(&x->edges.at[*i].last);
}

uint32_t
sb_edges_count(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev, uint32_t sender)
{
    uint32_t i = between(x, p, sender);
    struct sb_edge *e = &x->edges.at[i];
    int64_t at = sb_rel(x->run, ev->at_ns);
    e->first = e->count == 0 || at < e->first ? at : e->first;
    e->last = at > e->last ? at : e->last;
    e->count++;
    if (ev->x != SB_UNKNOWN) {
        e->words += ev->x;
        e->max_words = ev->x > e->max_words ? ev->x : e->max_words;
    }
    if (ev->y != SB_UNKNOWN)
        e->ext += ev->y;
    return i;
}

void
sb_edges_matched(struct sb_part *x, struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    struct sb_edge *e = &x->edges.at[s->edge];
    if (e->sender != s->sender || e->receiver != p->id) /* it was put away meanwhile */
        e = &x->edges.at[between(x, p, s->sender)];
    e->matched++;
    e->latency += took_ns;
    e->max_latency = took_ns > e->max_latency ? took_ns : e->max_latency;
}

/* ---- packed */

static void
pack(struct sb_part *x, const struct sb_edge *e)
{
    const uint64_t field[FIELDS] = {e->sender,
                                    e->receiver,
                                    e->count,
                                    e->words,
                                    e->max_words,
                                    e->ext,
                                    e->matched,
                                    (uint64_t)e->latency,
                                    (uint64_t)e->max_latency,
                                    (uint64_t)e->first,
                                    (uint64_t)e->last - (uint64_t)e->first};
    SB_RESERVE(&x->ended_edges, PACKED_MOST);
    uint8_t *p = x->ended_edges.at + x->ended_edges.n;
    for (unsigned i = 0; i < FIELDS; i++)
        p = sb_varint_put(p, field[i]);
    x->ended_edges.n = (size_t)(p - x->ended_edges.at);
    x->n_ended_edges++;
}

static const uint8_t *
unpack(const uint8_t *p, struct sb_edge *e)
{
    uint64_t f[FIELDS];
    for (unsigned i = 0; i < FIELDS; i++) {
        f[i] = 0;
        for (unsigned shift = 0;; shift += 7) {
            f[i] |= (uint64_t)(*p & 0x7f) << shift;
            if (*p++ < 0x80)
                break;
        }
    }
    *e = (struct sb_edge){.sender = (uint32_t)f[0],
                          .receiver = (uint32_t)f[1],
                          .count = f[2],
                          .words = f[3],
                          .max_words = f[4],
                          .ext = f[5],
                          .matched = f[6],
                          .latency = (int64_t)f[7],
                          .max_latency = (int64_t)f[8],
                          .first = (int64_t)f[9],
                          .last = (int64_t)(f[9] + f[10])};
    return p;
}

static void
put_away(struct sb_part *x, size_t i)
{
    struct sb_edge *e = &x->edges.at[i];
    pack(x, e);
    sb_map_del(&x->edge_of, pair_of(e->sender, e->receiver));
    *e = (struct sb_edge){.next = x->free_edge}; /* of nobody */
    x->free_edge = (uint32_t)i + 1;
    x->n_free_edges++;
}

void
sb_edges_sweep(struct sb_part *x)
{
    const struct sb_run *r = x->run;
    size_t open = x->edges.n - x->n_free_edges;
    if (open < FEW || open < x->sweep_edges_at || r->window_end == INT64_MAX)
        return;
    int64_t since = sb_rel(r, r->window_end) - QUIET_NS;
    for (size_t i = 0; i < x->edges.n; i++)
        if (x->edges.at[i].receiver && x->edges.at[i].last < since)
            put_away(x, i);
    x->sweep_edges_at = (x->edges.n - x->n_free_edges) * 2;
}

/* ---- all of them */

static struct sb_sort_key
key_of(const struct sb_edge *e, const void *place, bool packed)
{
    return (struct sb_sort_key){pair_of(e->sender, e->receiver), (uint64_t)(uintptr_t)place << 1 | packed};
}

static struct sb_sort_key *
part_keys(const struct sb_part *x, struct sb_sort_key *to)
{
    for (size_t k = 0; k < x->edges.n; k++)
        if (x->edges.at[k].receiver)
            *to++ = key_of(&x->edges.at[k], &x->edges.at[k], false);
    const uint8_t *p = x->ended_edges.at;
    for (size_t k = 0; k < x->n_ended_edges; k++) {
        struct sb_edge e;
        const uint8_t *from = p;
        p = unpack(p, &e);
        *to++ = key_of(&e, from, true);
    }
    return to;
}

struct sb_sort_key *
sb_edges_order(const struct sb_run *r, size_t *n)
{
    size_t total = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        total += r->part[i].edges.n + r->part[i].n_ended_edges;
    struct sb_sort_key *at = sb_realloc_or_die(NULL, sb_mul_or_die(2 * total + 1, sizeof *at)), *end = at;
    for (unsigned i = 0; i < SB_PARTS; i++)
        end = part_keys(&r->part[i], end);
    *n = (size_t)(end - at);
    if (*n > 0)
        sb_sort_radix(at, at + total, *n);
    return at;
}

struct sb_edge
sb_edges_read(struct sb_sort_key k)
{
    struct sb_edge e;
    const void *place = (const void *)(uintptr_t)(k.value >> 1);
    if (!(k.value & 1))
        return *(const struct sb_edge *)place;
    unpack(place, &e);
    return e;
}

void
sb_edges_add(struct sb_edge *sum, const struct sb_edge *e)
{
    sum->first = sum->count == 0 || (e->count > 0 && e->first < sum->first) ? e->first : sum->first;
    sum->last = e->last > sum->last ? e->last : sum->last;
    sum->count += e->count;
    sum->words += e->words;
    sum->max_words = e->max_words > sum->max_words ? e->max_words : sum->max_words;
    sum->ext += e->ext;
    sum->matched += e->matched;
    sum->latency += e->latency;
    sum->max_latency = e->max_latency > sum->max_latency ? e->max_latency : sum->max_latency;
}

void
sb_edges_free(struct sb_part *x)
{
    SB_VEC_FREE(&x->edges);
    SB_VEC_FREE(&x->ended_edges);
    sb_map_close(&x->edge_of);
}
