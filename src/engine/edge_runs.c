/*
 *     part:   bytes: [run: by pair] [run] ...   -- merged, when they are many -->   [run]   or, when it is
 * long, in the
 *             \________ one cursor each ________/                                            file: [run]
 * [run] ...
 *
 *     walk:   of each cursor those of the next senders  -->  sorted by pair, added up
 */
#include "engine/edge_runs.h"
#include "base/varint.h"
#include "engine/edges.h"
#include "engine/run.h"

enum {
    FIELDS = 11,
    PACKED_MOST = FIELDS * 10,
    EACH = 256,        /* bytes of memory for one of packed edges in each part, */
    LEAST = 1 << 12,   /* and so many of these at least */
    CURSOR = 1 << 14,  /* bytes of a run in the file that are read at once */
    AT_ONCE = 1 << 14, /* edges that are sorted together, about */
};

/* ---- packed: pairs as steps from the one before, sums as what is beyond their largest ---- */

static uint8_t *
pack(uint8_t *p, const struct sb_edge *e, uint64_t before)
{
    uint32_t step = e->sender - (uint32_t)(before >> 32);
    const uint64_t field[FIELDS] = {step,
                                    step ? e->receiver : e->receiver - (uint32_t)before,
                                    e->count,
                                    e->max_words,
                                    e->words - e->max_words,
                                    e->ext,
                                    e->matched,
                                    (uint64_t)e->max_latency,
                                    (uint64_t)e->latency - (uint64_t)e->max_latency,
                                    (uint64_t)e->first,
                                    (uint64_t)e->last - (uint64_t)e->first};
    for (unsigned i = 0; i < FIELDS; i++)
        p = sb_varint_put(p, field[i]);
    return p;
}

static const uint8_t *
unpack(const uint8_t *p, struct sb_edge *e, uint64_t before)
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
    *e = (struct sb_edge){.sender = (uint32_t)(before >> 32) + (uint32_t)f[0],
                          .receiver = (uint32_t)f[1] + (f[0] ? 0 : (uint32_t)before),
                          .count = f[2],
                          .words = f[4] + f[3],
                          .max_words = f[3],
                          .ext = f[5],
                          .matched = f[6],
                          .latency = (int64_t)(f[8] + f[7]),
                          .max_latency = (int64_t)f[7],
                          .first = (int64_t)f[9],
                          .last = (int64_t)(f[9] + f[10])};
    return p;
}

/* ---- runs ---- */

static struct sb_edge_run *
open_run(struct sb_edges *v)
{
    size_t end = v->runs.n > 0 ? v->runs.at[v->runs.n - 1].end : 0;
    if (v->runs.n == 0 || v->run_ended)
        *SB_PUSH(&v->runs) = (struct sb_edge_run){.at = end, .end = end};
    v->run_ended = false;
    return &v->runs.at[v->runs.n - 1];
}

void
sb_edge_runs_put(struct sb_part *x, const struct sb_edge *e)
{
    struct sb_edges *v = &x->edges;
    struct sb_edge_run *run = open_run(v);
    SB_RESERVE(&v->bytes, PACKED_MOST);
    uint8_t *p = v->bytes.at + v->bytes.n;
    v->bytes.n += (size_t)(pack(p, e, run->end > run->at ? v->before : 0) - p);
    v->before = sb_edge_pair(e->sender, e->receiver);
    run->end = v->bytes.n;
}

/* Where no file is to be had, or the disk is full, it stays where it is. */
static void
write_run(struct sb_part *x)
{
    struct sb_edges *v = &x->edges;
    struct sb_edge_run to;
    if (!sb_spill_write(&x->run->edge_file, v->bytes.at, v->bytes.n, &to.at))
        return;
    to.end = to.at + v->bytes.n;
    *SB_PUSH(&v->in_file) = to;
    v->bytes.n = v->runs.n = 0;
}

static struct sb_edge_walk *open_walk(const struct sb_run *r, unsigned from, unsigned to, bool files);

/* All runs in memory become one. */
static void
merge_runs(struct sb_part *x)
{
    struct sb_edges *v = &x->edges, old = *v;
    struct sb_edge_walk *w = open_walk(x->run, x->index, x->index + 1, false);
    struct sb_edge e;
    memset(&v->bytes, 0, sizeof v->bytes);
    memset(&v->runs, 0, sizeof v->runs);
    while (sb_edges_next(w, &e))
        sb_edge_runs_put(x, &e);
    v->run_ended = true;
    sb_edges_close(w);
    SB_VEC_FREE(&old.bytes);
    SB_VEC_FREE(&old.runs);
}

void
sb_edge_runs_end(struct sb_part *x)
{
    struct sb_edges *v = &x->edges;
    size_t most = sb_memory(x->run) / EACH + LEAST;
    v->run_ended = true;
    if (v->bytes.n < most || v->bytes.n < v->merge_at)
        return;
    merge_runs(x);
    if (v->bytes.n > most / 2)
        write_run(x);
    v->merge_at = v->bytes.n * 2;
}

void
sb_edge_runs_free(struct sb_part *x)
{
    SB_VEC_FREE(&x->edges.bytes);
    SB_VEC_FREE(&x->edges.runs);
    SB_VEC_FREE(&x->edges.in_file);
}

/* ---- all of them, by pair ---- */

struct cursor { /* what is left of a run */
    const uint8_t *p, *end;
    uint64_t at, until; /* in the file, not yet read */
    uint8_t *buf;       /* NULL: it lies in memory */
    uint64_t before;
    struct sb_edge edge; /* that is next */
};

struct sb_edge_walk {
    const struct sb_run *run;
    SB_VEC(struct cursor) cursors;
    uint64_t senders, until; /* so many senders at once; the next are below */
    SB_VEC(struct sb_edge) some;
    SB_VEC(struct sb_sort_key) key; /* of them */
    SB_VEC(struct sb_sort_key) scratch;
    size_t next;
};

static void
fill(const struct sb_run *r, struct cursor *c)
{
    size_t left = (size_t)(c->end - c->p), room = CURSOR - left, n = c->until - c->at;
    n = n < room ? n : room;
    if (left > 0)
        memmove(c->buf, c->p, left);
    SB_ASSERT(sb_spill_read(&r->edge_file, c->buf + left, n, c->at));
    c->at += n;
    c->p = c->buf;
    c->end = c->buf + left + n;
}

/* False when it is at its end. */
static bool
step(const struct sb_run *r, struct cursor *c)
{
    if (c->at < c->until && c->end - c->p < PACKED_MOST)
        fill(r, c);
    if (c->p == c->end)
        return false;
    c->p = unpack(c->p, &c->edge, c->before);
    c->before = sb_edge_pair(c->edge.sender, c->edge.receiver);
    return true;
}

static void
add_cursor(struct sb_edge_walk *w, struct cursor c)
{
    SB_ASSERT(step(w->run, &c));
    *SB_PUSH(&w->cursors) = c;
}

static void
open_part(struct sb_edge_walk *w, const struct sb_edges *v, bool files)
{
    for (size_t i = 0; i < v->runs.n; i++) {
        const struct sb_edge_run *run = &v->runs.at[i];
        add_cursor(w, (struct cursor){.p = v->bytes.at + run->at, .end = v->bytes.at + run->end});
    }
    for (size_t i = 0; i < v->in_file.n && files; i++) {
        const struct sb_edge_run *run = &v->in_file.at[i];
        add_cursor(w,
                   (struct cursor){.at = run->at, .until = run->end, .buf = sb_realloc_or_die(NULL, CURSOR)});
    }
}

static struct sb_edge_walk *
open_walk(const struct sb_run *r, unsigned from, unsigned to, bool files)
{
    struct sb_edge_walk *w = sb_realloc_or_die(NULL, sizeof *w);
    *w = (struct sb_edge_walk){.run = r, .senders = 1};
    for (unsigned i = from; i < to; i++)
        open_part(w, &r->part[i].edges, files);
    return w;
}

struct sb_edge_walk *
sb_edges_open(const struct sb_run *r)
{
    return open_walk(r, 0, SB_PARTS, true);
}

void
sb_edges_close(struct sb_edge_walk *w)
{
    for (size_t i = 0; i < w->cursors.n; i++)
        free(w->cursors.at[i].buf);
    SB_VEC_FREE(&w->cursors);
    SB_VEC_FREE(&w->some);
    SB_VEC_FREE(&w->key);
    SB_VEC_FREE(&w->scratch);
    free(w);
}

/* Its edges of the next senders; false when it is at its end. */
static bool
take_from(struct sb_edge_walk *w, struct cursor *c)
{
    while (c->edge.sender < w->until) {
        *SB_PUSH(&w->key) = (struct sb_sort_key){c->before, w->some.n};
        *SB_PUSH(&w->some) = c->edge;
        if (!step(w->run, c))
            return false;
    }
    return true;
}

static void
take_some(struct sb_edge_walk *w)
{
    w->some.n = w->key.n = w->next = 0;
    w->until += w->senders;
    for (size_t i = 0; i < w->cursors.n;) {
        if (take_from(w, &w->cursors.at[i])) {
            i++;
            continue;
        }
        free(w->cursors.at[i].buf);
        w->cursors.at[i] = w->cursors.at[--w->cursors.n];
    }
    w->scratch.n = 0;
    SB_RESERVE(&w->scratch, w->key.n);
    if (w->key.n > 0)
        sb_sort_radix(w->key.at, w->scratch.at, w->key.n);
    uint64_t fit =
        w->senders * AT_ONCE / (w->key.n + 1) + 1; /* some send to few, some to all, and these come first */
    w->senders = fit < 2 * w->senders ? fit : 2 * w->senders;
}

bool
sb_edges_next(struct sb_edge_walk *w, struct sb_edge *e)
{
    while (w->next == w->key.n && w->cursors.n > 0)
        take_some(w);
    if (w->next == w->key.n)
        return false;
    *e = w->some.at[w->key.at[w->next].value];
    uint64_t pair = w->key.at[w->next++].key;
    for (; w->next < w->key.n && w->key.at[w->next].key == pair; w->next++)
        sb_edge_add(e, &w->some.at[w->key.at[w->next].value]);
    return true;
}
