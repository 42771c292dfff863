#include "engine/edges/edges.h"
#include "engine/edges/edge_order.h"
#include "engine/state/run.h"

enum {
    NOTES = 1 << 18,       /* most notes in all parts, about, before they are settled */
    NOTES_LEAST = 1 << 13, /* the least such limit: with fewer notes there would be too many runs */
    EACH = 2048,           /* bytes of the memory limit per note, which leaves most of it to others */
    /* a pair with this many messages is shorter as an edge */
    FEW = sizeof(struct sb_edge) / sizeof(struct sb_talk) + 1,
    PARTS = SB_PARTS / SB_SHARES,
};

struct sb_settling { /* one worker's buffers, reused */
    struct sb_edge_order order;
    struct sb_edge_notes notes; /* sorted */
};

static uint64_t
or_zero(uint64_t amount)
{
    return amount == SB_UNKNOWN ? 0 : amount;
}

/* Records a message as an edge: of a warm pair, with numbers that do not fit a packed message, or when the
 * list of packed messages is full. The list is then grown for the next message. */
static __attribute__((noinline)) void
note_edge(struct sb_part *x, struct sb_warm_pair *w, const struct sb_sent *s, int64_t took_ns)
{
    struct sb_edge_notes *v = &x->notes;
    uint64_t words = or_zero(s->words), ext = or_zero(s->ext);
    int64_t at = sb_rel(x->run, s->at);
    if (w->edge) {
        sb_edge_add_one(&v->edges.at[w->edge - 1], at, took_ns, words, ext, s->at_least);
        return;
    }
    SB_RESERVE(&v->talks, 1);
    struct sb_edge e = sb_edge_begin(s->sender, (uint32_t)w->pair, at);
    sb_edge_add_one(&e, at, took_ns, words, ext, s->at_least);
    *SB_PUSH(&v->edges) = e;
    w->edge = (uint32_t)v->edges.n;
}

void
sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    struct sb_edge_notes *v = &x->notes;
    struct sb_warm_pair *w = &x->warm[s->sender % SB_WARM_PAIRS];
    uint64_t pair = sb_edge_pair(s->sender, p->id), words = or_zero(s->words), ext = or_zero(s->ext);
    bool warm = w->pair == pair;
    if (s->sender == 0) /* sent by a port or an unknown sender */
        return;
    if (!warm)
        *w = (struct sb_warm_pair){.pair = pair};
    if (warm || s->at_least || v->talks.n == v->talks.cap || (words | ext) > UINT16_MAX ||
        took_ns >= SB_NOT_TAKEN) {
        note_edge(x, w, s, took_ns);
        return;
    }
    struct sb_talk *t = &v->talks.at[v->talks.n++];
    t->sender = s->sender;
    t->receiver = p->id;
    t->at = sb_rel(x->run, s->at);
    t->took = (uint32_t)took_ns; /* SB_NEVER_TAKEN becomes SB_NOT_TAKEN */
    t->words = (uint16_t)words;
    t->ext = (uint16_t)ext;
}

/* ---- settling: from notes in memory to sorted runs ---- */

static inline void
put_as_they_are(struct sb_settling *s, size_t i, size_t end)
{
    for (; i < end; i++) {
        const struct sb_talk *t = sb_edge_order_talk(&s->order, i);
        if (t)
            s->notes.talks.at[s->notes.talks.n++] = *t;
        else
            *SB_PUSH(&s->notes.edges) = sb_edge_order_edge(&s->order, i);
    }
}

static void
settle_share(void *ctx, size_t i, unsigned worker)
{
    const struct sb_run *r = ctx;
    struct sb_settling *s = &r->edges->settling[worker];
    struct sb_part *parts = &r->part[i * PARTS];
    s->notes.talks.n = s->notes.edges.n = 0;
    sb_edge_order_begin(&s->order, r->ids.processes);
    for (unsigned k = 0; k < PARTS; k++)
        sb_edge_order_add(&s->order, &parts[k].notes);
    sb_edge_order_sort(&s->order);
    SB_RESERVE(&s->notes.talks, s->order.key.n);
    for (size_t k = 0, end; k < s->order.key.n; k = end) {
        end = sb_edge_order_end(&s->order, k);
        if (end - k < FEW)
            put_as_they_are(s, k, end);
        else
            *SB_PUSH(&s->notes.edges) = sb_edge_order_sum(&s->order, k, end);
    }
    sb_edge_runs_put(&r->edges->share[i], &r->edges->file, &s->notes);
    for (unsigned k = 0; k < PARTS; k++) {
        parts[k].notes.talks.n = parts[k].notes.edges.n = 0;
        memset(parts[k].warm, 0, sizeof parts[k].warm);
    }
}

static void
close_settling(struct sb_settling *s)
{
    sb_edge_order_close(&s->order);
    sb_edge_notes_free(&s->notes);
}

static void
settle(struct sb_run *r)
{
    sb_pool_each(r->services.pool, SB_SHARES, settle_share, r);
}

void
sb_edges_finish(struct sb_run *r)
{
    settle(r);
    for (unsigned i = 0; i < SB_PARTS; i++)
        sb_edge_notes_free(&r->part[i].notes);
    for (unsigned w = 0; w < r->services.workers; w++)
        close_settling(&r->edges->settling[w]);
}

void
sb_edges_window(struct sb_run *r)
{
    size_t n = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        n += r->part[i].notes.talks.n + r->part[i].notes.edges.n;
    if (n >= r->edges->most)
        settle(r);
}

/* ---- opening and closing ---- */

struct sb_edges *
sb_edges_open(const struct sb_run *r)
{
    struct sb_edges *v = sb_zeroed_or_die(1, sizeof *v);
    struct sb_settling *settling = sb_zeroed_or_die(r->services.workers, sizeof *settling);
    uint64_t most = sb_memory(r) / EACH;
    v->most = most < NOTES_LEAST ? NOTES_LEAST : most < NOTES ? most : NOTES;
    v->settling = settling;
    sb_spill_open(&v->file, r->o->tmp_dir, r->path, 0);
    return v;
}

void
sb_edges_close(struct sb_edges *v, unsigned workers)
{
    if (!v)
        return;
    for (unsigned w = 0; w < workers; w++)
        close_settling(&v->settling[w]);
    for (unsigned i = 0; i < SB_SHARES; i++)
        sb_edge_runs_close(&v->share[i]);
    sb_spill_close(&v->file);
    free(v->settling);
    free(v);
}
