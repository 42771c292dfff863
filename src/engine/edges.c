#include "engine/edges.h"
#include "base/sort.h"
#include "engine/run.h"

enum {
    NOTES = 1 << 18,       /* in all parts at most, about, before they are put away; */
    NOTES_LEAST = 1 << 13, /* fewer make too many runs */
    EACH = 2048,           /* bytes of memory for a note: there is more to hold */
    AHEAD = 8,             /* notes that are fetched before they are looked at */
    PARTS = SB_PARTS / SB_SHARES,
};

struct sb_settling { /* what a worker uses again and again */
    SB_VEC(struct sb_sort_key) key; /* pair, address of a note */
    SB_VEC(struct sb_sort_key) scratch;
    struct sb_edge_bytes bytes;
};

void
sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    if (s->sender == 0) /* a port's, or nobody knows whose */
        return;
    *SB_PUSH(&x->talk) = (struct sb_talk){.sender = s->sender,
                                          .receiver = p->id,
                                          .at = sb_rel(x->run, s->at),
                                          .took = took_ns,
                                          .words = s->words == SB_UNKNOWN ? 0 : s->words,
                                          .ext = s->ext == SB_UNKNOWN ? 0 : s->ext};
}

/* ---- putting away ---- */

static struct sb_edge
edge_of(const struct sb_talk *t)
{
    bool taken = t->took != SB_NEVER_TAKEN;
    return (struct sb_edge){.sender = t->sender,
                            .receiver = t->receiver,
                            .count = 1,
                            .words = t->words,
                            .max_words = t->words,
                            .ext = t->ext,
                            .matched = taken,
                            .latency = taken ? t->took : 0,
                            .max_latency = taken ? t->took : 0,
                            .first = t->at,
                            .last = t->at};
}

static struct sb_edge
note_at(const struct sb_settling *s, size_t i)
{
    if (i + AHEAD < s->key.n)
        __builtin_prefetch((const void *)(uintptr_t)s->key.at[i + AHEAD].value);
    return edge_of((const struct sb_talk *)(uintptr_t)s->key.at[i].value);
}

/* The notes of a share, by pair. */
static void
gather(struct sb_settling *s, struct sb_part *parts)
{
    s->key.n = s->scratch.n = 0;
    for (unsigned i = 0; i < PARTS; i++) {
        struct sb_talks *v = &parts[i].talk;
        SB_RESERVE(&s->key, v->n);
        for (size_t k = 0; k < v->n; k++)
            s->key.at[s->key.n++] =
                (struct sb_sort_key){sb_edge_pair(v->at[k].sender, v->at[k].receiver), (uintptr_t)&v->at[k]};
    }
    SB_RESERVE(&s->scratch, s->key.n);
    if (s->key.n > 0)
        sb_sort_radix(s->key.at, s->scratch.at, s->key.n);
}

static void
settle_share(void *ctx, size_t i, unsigned worker)
{
    struct sb_run *r = ctx;
    struct sb_settling *s = &r->edges->settling[worker];
    struct sb_part *parts = &r->part[i * PARTS];
    gather(s, parts);
    for (size_t k = 0; k < s->key.n;) {
        uint64_t pair = s->key.at[k].key;
        struct sb_edge sum = note_at(s, k++);
        for (; k < s->key.n && s->key.at[k].key == pair; k++) {
            struct sb_edge e = note_at(s, k);
            sb_edge_add(&sum, &e);
        }
        sb_edge_run_put(&s->bytes, &sum);
    }
    sb_edge_run_end(&s->bytes, &r->edges->file, &r->edges->share[i]);
    for (unsigned k = 0; k < PARTS; k++)
        parts[k].talk.n = 0;
}

static void
close_settling(struct sb_settling *s)
{
    SB_VEC_FREE(&s->key);
    SB_VEC_FREE(&s->scratch);
    SB_VEC_FREE(&s->bytes);
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
        SB_VEC_FREE(&r->part[i].talk);
    for (unsigned w = 0; w < r->workers; w++)
        close_settling(&r->edges->settling[w]);
}

void
sb_edges_window(struct sb_run *r)
{
    size_t n = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        n += r->part[i].talk.n;
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
