#include "engine/edges.h"
#include "engine/edge_runs.h"
#include "engine/run.h"

enum { NONE = 0, EACH = 21845 /* bytes of memory for one open edge in each part */ };
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

static uint32_t
between(struct sb_part *x, const struct sb_proc *p, uint32_t sender)
{
    bool is_new;
    uint32_t *i = sb_map_put(&x->edge_of, sb_edge_pair(sender, p->id), &is_new);
    if (is_new)
        *new_edge(x, i) = (struct sb_edge){.sender = sender, .receiver = p->id};
    return *i;
}

void
sb_edges_expect(const struct sb_part *x, uint32_t receiver, uint32_t sender)
{
    if (x->edge_of.cap > 0)
        __builtin_prefetch(&x->edge_of.slot[sb_mix64(sb_edge_pair(sender, receiver)) & (x->edge_of.cap - 1)]);
}

void
sb_edges_expect_soon(const struct sb_part *x, uint32_t receiver, uint32_t sender)
{
    const uint32_t *i = sb_map_get(&x->edge_of, sb_edge_pair(sender, receiver));
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

/* ---- what is quiet */

static void
put_away(struct sb_part *x, size_t i)
{
    struct sb_edge *e = &x->edges.at[i];
    sb_edge_runs_put(x, e);
    sb_map_del(&x->edge_of, sb_edge_pair(e->sender, e->receiver));
    *e = (struct sb_edge){.next = x->free_edge}; /* of nobody */
    x->free_edge = (uint32_t)i + 1;
    x->n_free_edges++;
}

static void
put_away_since(struct sb_part *x, int64_t since)
{
    for (size_t i = 0; i < x->edges.n; i++)
        if (x->edges.at[i].receiver && x->edges.at[i].last < since)
            put_away(x, i);
}

/* Those that have been quiet for long; should many be open even so, those that have been for less. */
void
sb_edges_sweep(struct sb_part *x)
{
    const struct sb_run *r = x->run;
    size_t open = x->edges.n - x->n_free_edges, many = sb_memory(r) / EACH;
    if (open * 3 < many * 2 || open < x->sweep_edges_at || r->window_end == INT64_MAX)
        return;
    for (int64_t quiet = QUIET_NS;; quiet /= 2) {
        put_away_since(x, sb_rel(r, r->window_end) - quiet);
        open = x->edges.n - x->n_free_edges;
        if (open <= many / 2 || quiet == 0)
            break;
    }
    x->sweep_edges_at = open * 2 < many ? open * 2 : many;
}

void
sb_edges_free(struct sb_part *x)
{
    SB_VEC_FREE(&x->edges);
    sb_edge_runs_free(x);
    sb_map_close(&x->edge_of);
}
