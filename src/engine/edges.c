#include "engine/edges.h"
#include "engine/edge_order.h"
#include "engine/run.h"

enum {
    NOTES = 1 << 18,       /* in all parts at most, about, before they are put away; */
    NOTES_LEAST = 1 << 13, /* fewer make too many runs */
    EACH = 2048,           /* bytes of memory for a note: there is more to hold */
    FEW = sizeof(struct sb_edge) / sizeof(struct sb_talk) + 1, /* messages that are shorter than what they come to */
    PARTS = SB_PARTS / SB_SHARES,
};

struct sb_settling { /* what a worker uses again and again */
    struct sb_edge_order order;
    struct sb_edge_notes notes; /* in order */
};

void
sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    uint64_t words = s->words == SB_UNKNOWN ? 0 : s->words, ext = s->ext == SB_UNKNOWN ? 0 : s->ext;
    uint32_t took = took_ns == SB_NEVER_TAKEN ? SB_NOT_TAKEN : (uint32_t)took_ns;
    if (s->sender == 0) /* a port's, or nobody knows whose */
        return;
    struct sb_talk t = {s->sender, p->id, sb_rel(x->run, s->at), took, (uint16_t)words, (uint16_t)ext};
    if (t.words == words && t.ext == ext && took_ns < SB_NOT_TAKEN) {
        *SB_PUSH(&x->notes.talks) = t;
        return;
    }
    struct sb_edge *e = SB_PUSH(&x->notes.edges);
    *e = sb_edge_of(&t);
    e->words = e->max_words = words;
    e->ext = ext;
    e->latency = e->max_latency = took_ns == SB_NEVER_TAKEN ? 0 : took_ns;
}

/* ---- putting away ---- */

static void
put_as_they_are(struct sb_settling *s, size_t i, size_t end)
{
    for (; i < end; i++) {
        const struct sb_talk *t = sb_edge_order_talk(&s->order, i);
        if (t)
            *SB_PUSH(&s->notes.talks) = *t;
        else
            *SB_PUSH(&s->notes.edges) = sb_edge_order_sum(&s->order, i, i + 1);
    }
}

static void
settle_share(void *ctx, size_t i, unsigned worker)
{
    struct sb_run *r = ctx;
    struct sb_settling *s = &r->edges->settling[worker];
    struct sb_part *parts = &r->part[i * PARTS];
    s->order.key.n = s->notes.talks.n = s->notes.edges.n = 0;
    for (unsigned k = 0; k < PARTS; k++)
        sb_edge_order_add(&s->order, &parts[k].notes);
    sb_edge_order_sort(&s->order);
    for (size_t k = 0, end; k < s->order.key.n; k = end) {
        end = sb_edge_order_end(&s->order, k);
        if (end - k < FEW)
            put_as_they_are(s, k, end);
        else
            *SB_PUSH(&s->notes.edges) = sb_edge_order_sum(&s->order, k, end);
    }
    sb_edge_runs_put(&r->edges->share[i], &r->edges->file, &s->notes);
    for (unsigned k = 0; k < PARTS; k++)
        parts[k].notes.talks.n = parts[k].notes.edges.n = 0;
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
    sb_pool_each(r->pool, SB_SHARES, settle_share, r);
}

void
sb_edges_finish(struct sb_run *r)
{
    settle(r);
    for (unsigned i = 0; i < SB_PARTS; i++)
        sb_edge_notes_free(&r->part[i].notes);
    for (unsigned w = 0; w < r->workers; w++)
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
    struct sb_edges *v = calloc(1, sizeof *v);
    struct sb_settling *settling = calloc(r->workers, sizeof *settling);
    if (!v || !settling)
        sb_out_of_memory(sizeof *v);
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
