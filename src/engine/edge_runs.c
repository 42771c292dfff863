/*
 *     part:   edge edge edge | ended: packed packed ...          file:  [run: by pair] [run] [run] ...
 *                  \________________/ sorted once, at the end              \_______ one cursor each
 *                          \________________ merged by pair ________________/
 */
#include "engine/edge_runs.h"
#include "base/varint.h"
#include "engine/edges.h"
#include "engine/run.h"
#include <unistd.h>

enum {
    FIELDS = 11,
    PACKED_MOST = FIELDS * 10,
    EACH = 512,          /* bytes of memory for one of packed edges in each part, */
    LEAST = 1 << 12,     /* and so many of these at least */
    CURSOR = 1 << 14,    /* bytes of a run that are read at once */
};

/* ---- packed ---- */

static uint8_t *
pack(uint8_t *p, const struct sb_edge *e)
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
    for (unsigned i = 0; i < FIELDS; i++)
        p = sb_varint_put(p, field[i]);
    return p;
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

/* ---- in memory: keys to edges, packed or not ---- */

static struct sb_sort_key
key_of(const struct sb_edge *e, const void *place, bool packed)
{
    return (struct sb_sort_key){sb_edge_pair(e->sender, e->receiver), (uint64_t)(uintptr_t)place << 1 | packed};
}

static struct sb_edge
read_key(struct sb_sort_key k)
{
    struct sb_edge e;
    const void *place = (const void *)(uintptr_t)(k.value >> 1);
    if (!(k.value & 1))
        return *(const struct sb_edge *)place;
    unpack(place, &e);
    return e;
}

static struct sb_sort_key *
ended_keys(const struct sb_part *x, struct sb_sort_key *to)
{
    const uint8_t *p = x->ended_edges.at;
    for (size_t k = 0; k < x->n_ended_edges; k++) {
        struct sb_edge e;
        const uint8_t *from = p;
        p = unpack(p, &e);
        *to++ = key_of(&e, from, true);
    }
    return to;
}

static struct sb_sort_key *
room_for(size_t n)
{
    return sb_realloc_or_die(NULL, sb_mul_or_die(2 * n + 1, sizeof(struct sb_sort_key)));
}

static struct sb_sort_key *
all_keys(const struct sb_run *r, size_t *n)
{
    size_t most = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        most += r->part[i].edges.n + r->part[i].n_ended_edges;
    struct sb_sort_key *at = room_for(most), *end = at;
    for (unsigned i = 0; i < SB_PARTS; i++) {
        const struct sb_part *x = &r->part[i];
        for (size_t k = 0; k < x->edges.cap; k++)
            if (x->edges.slot[k].receiver)
                *end++ = key_of(&x->edges.slot[k], &x->edges.slot[k], false);
        end = ended_keys(x, end);
    }
    *n = (size_t)(end - at);
    if (*n > 0)
        sb_sort_radix(at, at + most, *n);
    return at;
}

/* ---- runs ---- */

static uint8_t *
in_order(const struct sb_part *x, const struct sb_sort_key *key)
{
    uint8_t *run = sb_realloc_or_die(NULL, x->ended_edges.n), *p = run;
    for (size_t k = 0; k < x->n_ended_edges; k++) {
        struct sb_edge e;
        const uint8_t *from = (const uint8_t *)(uintptr_t)(key[k].value >> 1);
        size_t n = (size_t)(unpack(from, &e) - from);
        memcpy(p, from, n);
        p += n;
    }
    return run;
}

/* Where no file is to be had, or the disk is full, they stay where they are. */
static void
write_run(struct sb_part *x)
{
    struct sb_sort_key *key = room_for(x->n_ended_edges);
    ended_keys(x, key);
    sb_sort_radix(key, key + x->n_ended_edges, x->n_ended_edges);
    uint8_t *run = in_order(x, key);
    struct sb_edge_run to;
    free(key);
    if (sb_spill_write(&x->run->edge_file, run, x->ended_edges.n, &to.at)) {
        to.end = to.at + x->ended_edges.n;
        *SB_PUSH(&x->edge_runs) = to;
        x->ended_edges.n = x->n_ended_edges = 0;
    }
    x->write_edges_at = x->ended_edges.n * 2;
    free(run);
}

void
sb_edge_runs_put(struct sb_part *x, const struct sb_edge *e)
{
    SB_RESERVE(&x->ended_edges, PACKED_MOST);
    uint8_t *p = x->ended_edges.at + x->ended_edges.n;
    x->ended_edges.n += (size_t)(pack(p, e) - p);
    x->n_ended_edges++;
    if (x->ended_edges.n >= sb_memory(x->run) / EACH + LEAST && x->ended_edges.n >= x->write_edges_at)
        write_run(x);
}

void
sb_edge_runs_free(struct sb_part *x)
{
    SB_VEC_FREE(&x->ended_edges);
    SB_VEC_FREE(&x->edge_runs);
}

/* ---- all of them, by pair ---- */

struct cursor { /* what is left of a run */
    uint64_t at, end;
    struct sb_edge edge; /* that is next */
    size_t from, to;     /* of buf */
    uint8_t buf[CURSOR];
};

struct sb_edge_walk {
    const struct sb_run *run;
    struct sb_sort_key *key; /* of those in memory */
    size_t n_keys, next_key;
    struct cursor **heap; /* the smallest pair first */
    size_t n_heap;
};

static void
fill(const struct sb_run *r, struct cursor *c)
{
    memmove(c->buf, c->buf + c->from, c->to - c->from);
    c->to -= c->from;
    c->from = 0;
    size_t room = CURSOR - c->to, left = c->end - c->at, n = room < left ? room : left;
    SB_ASSERT(sb_spill_read(&r->edge_file, c->buf + c->to, n, c->at));
    c->at += n;
    c->to += n;
}

/* False when it is at its end. */
static bool
step(const struct sb_run *r, struct cursor *c)
{
    if (c->to - c->from < PACKED_MOST && c->at < c->end)
        fill(r, c);
    if (c->from == c->to)
        return false;
    c->from = (size_t)(unpack(c->buf + c->from, &c->edge) - c->buf);
    return true;
}

static uint64_t
pair_at(const struct cursor *c)
{
    return sb_edge_pair(c->edge.sender, c->edge.receiver);
}

static void
sink(struct sb_edge_walk *w, size_t i)
{
    struct cursor *c = w->heap[i];
    for (size_t k; (k = 2 * i + 1) < w->n_heap; i = k) {
        k += k + 1 < w->n_heap && pair_at(w->heap[k + 1]) < pair_at(w->heap[k]);
        if (pair_at(c) <= pair_at(w->heap[k]))
            break;
        w->heap[i] = w->heap[k];
    }
    w->heap[i] = c;
}

struct sb_edge_walk *
sb_edges_open(const struct sb_run *r)
{
    size_t runs = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        runs += r->part[i].edge_runs.n;
    struct sb_edge_walk *w = sb_realloc_or_die(NULL, sizeof *w);
    *w = (struct sb_edge_walk){.run = r, .heap = sb_realloc_or_die(NULL, (runs + 1) * sizeof *w->heap)};
    w->key = all_keys(r, &w->n_keys);
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].edge_runs.n; k++) {
            struct cursor *c = sb_realloc_or_die(NULL, sizeof *c);
            c->at = r->part[i].edge_runs.at[k].at;
            c->end = r->part[i].edge_runs.at[k].end;
            c->from = c->to = 0;
            SB_ASSERT(step(r, c));
            w->heap[w->n_heap++] = c;
        }
    for (size_t i = w->n_heap / 2; i-- > 0;)
        sink(w, i);
    return w;
}

void
sb_edges_close(struct sb_edge_walk *w)
{
    for (size_t i = 0; i < w->n_heap; i++)
        free(w->heap[i]);
    free(w->heap);
    free(w->key);
    free(w);
}

static struct sb_edge
take_first(struct sb_edge_walk *w)
{
    struct cursor *c = w->heap[0];
    struct sb_edge e = c->edge;
    if (!step(w->run, c)) {
        free(c);
        w->heap[0] = w->heap[--w->n_heap];
    }
    if (w->n_heap > 0)
        sink(w, 0);
    return e;
}

bool
sb_edges_next(struct sb_edge_walk *w, struct sb_edge *e)
{
    enum { AHEAD = 16 }; /* edges that are fetched before they are read: they lie as they were met */
    uint64_t in_file = w->n_heap > 0 ? pair_at(w->heap[0]) : UINT64_MAX;
    uint64_t in_memory = w->next_key < w->n_keys ? w->key[w->next_key].key : UINT64_MAX;
    uint64_t pair = in_file < in_memory ? in_file : in_memory;
    *e = (struct sb_edge){.sender = (uint32_t)(pair >> 32), .receiver = (uint32_t)pair};
    if (pair == UINT64_MAX)
        return false;
    for (; w->next_key < w->n_keys && w->key[w->next_key].key == pair; w->next_key++) {
        struct sb_edge more = read_key(w->key[w->next_key]);
        sb_edge_add(e, &more);
        if (w->next_key + AHEAD < w->n_keys)
            __builtin_prefetch((const void *)(uintptr_t)(w->key[w->next_key + AHEAD].value >> 1));
    }
    while (w->n_heap > 0 && pair_at(w->heap[0]) == pair) {
        struct sb_edge more = take_first(w);
        sb_edge_add(e, &more);
    }
    return true;
}
