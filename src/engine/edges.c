#include "engine/edges.h"
#include "engine/edge_runs.h"
#include "engine/run.h"

enum { AT_ONCE = 1 << 12 /* messages that are noted in a part before they are added up */ };

void
sb_edges_count(struct sb_part *x, const struct sb_proc *p, const struct sb_sent *s, int64_t took_ns)
{
    if (s->sender == 0) /* a port's, or nobody knows whose */
        return;
    *SB_PUSH(&x->edges.talk) = (struct sb_talk){.sender = s->sender,
                                                .receiver = p->id,
                                                .at = sb_rel(x->run, s->at),
                                                .took = took_ns,
                                                .words = s->words == SB_UNKNOWN ? 0 : s->words,
                                                .ext = s->ext == SB_UNKNOWN ? 0 : s->ext};
    if (x->edges.talk.n == AT_ONCE)
        sb_edges_settle(x);
}

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

void
sb_edges_settle(struct sb_part *x)
{
    size_t n = x->edges.talk.n;
    if (n == 0)
        return;
    struct sb_sort_key *key = sb_realloc_or_die(NULL, 2 * n * sizeof *key);
    for (size_t i = 0; i < n; i++)
        key[i] = (struct sb_sort_key){sb_edge_pair(x->edges.talk.at[i].sender, x->edges.talk.at[i].receiver), i};
    sb_sort_radix(key, key + n, n);
    for (size_t i = 0; i < n;) {
        uint64_t pair = key[i].key;
        struct sb_edge sum = edge_of(&x->edges.talk.at[key[i++].value]);
        for (; i < n && key[i].key == pair; i++) {
            struct sb_edge e = edge_of(&x->edges.talk.at[key[i].value]);
            sb_edge_add(&sum, &e);
        }
        sb_edge_runs_put(x, &sum);
    }
    free(key);
    x->edges.talk.n = 0;
    sb_edge_runs_end(x);
}

void
sb_edges_free(struct sb_part *x)
{
    SB_VEC_FREE(&x->edges.talk);
    sb_edge_runs_free(x);
}
