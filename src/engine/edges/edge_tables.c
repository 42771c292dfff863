/* Message counts between processes, nodes and schedulers. */
#include "engine/edges/edge_tables.h"
#include "base/order.h"
#include "engine/edges/edges.h"
#include "engine/input/inputs.h"

/* ---- processes ---- */

/* A latency between two nodes is reported only if it exceeds the error of their clocks. */
static bool
is_sure(const struct sb_run *r, unsigned from, unsigned to, const struct sb_edge *e)
{
    if (e->matched == 0)
        return false;
    if (from == to)
        return true;
    const struct sb_input *a = sb_input_of(r, from), *b = sb_input_of(r, to);
    if (!a || !b)
        return false;
    struct sb_str boot = sb_source_info(a->source)->clock.boot;
    if (boot.n > 0 && sb_str_eq(boot, sb_source_info(b->source)->clock.boot))
        return true;
    return a->error_ns != SB_NULL && b->error_ns != SB_NULL &&
           e->latency / (int64_t)e->matched >= a->error_ns + b->error_ns;
}

static void
put_row(const struct sb_run *r, bool sure, const struct sb_edge *e, struct sb_rows *rows)
{
    struct sb_message_edge_row *row = sb_rows_put(rows, SB_T_message_edge, 0, 0);
    row->sender = e->sender;
    row->receiver = e->receiver;
    row->count = sb_cell(rows, (int64_t)e->count);
    row->total_words = r->facts.has_words ? sb_cell(rows, (int64_t)e->words) : SB_NO_NUMBER;
    row->max_words = r->facts.has_words ? sb_cell(rows, (int64_t)e->max_words) : SB_NO_NUMBER;
    row->at_least = r->facts.has_words ? sb_cell(rows, (int64_t)e->at_least) : SB_NO_NUMBER;
    row->total_ext_bytes = r->facts.has_ext ? sb_cell(rows, (int64_t)e->ext) : SB_NO_NUMBER;
    row->matched = sb_cell(rows, (int64_t)e->matched);
    row->latency_ns = sure ? sb_cell(rows, e->latency) : SB_NO_NUMBER;
    row->max_latency_ns = sure ? sb_cell(rows, e->max_latency) : SB_NO_NUMBER;
    row->first = e->first;
    row->last = e->last;
}

/* The tables node_edge and scheduler_edge have the same columns. */
static void
write_sum(const struct sb_run *r, enum sb_tab t, const struct sb_queue_sum *s)
{
    sb_build_row(r->services.build, t,
                 (int64_t[]){s->from, s->to, (int64_t)s->count,
                             r->facts.has_words ? (int64_t)s->words : SB_NULL,
                             r->facts.has_words ? (int64_t)s->at_least : SB_NULL});
}

/* ---- nodes ---- */

SB_ORDER(by_queues, struct sb_queue_sum, SB_UP(from) ?: SB_UP(to))

/* Sums by the nodes of both ends. Most consecutive messages have the same pair of nodes. */
struct node_sums {
    struct sb_map at;
    SB_VEC(struct sb_queue_sum) sum;
    uint64_t last;            /* the pair added to most recently; 0: none */
    size_t place;             /* its index in `sum` */
    uint64_t pairs, messages; /* of processes */
    bool differs;             /* some edge is not what a reader would compute from its messages */
};

static void
find_nodes(struct node_sums *n, unsigned from, unsigned to)
{
    n->last = (uint64_t)from << 32 | to;
    uint32_t at = sb_map_place(&n->at, n->last, n->sum.n);
    if (at == n->sum.n)
        *SB_PUSH(&n->sum) = (struct sb_queue_sum){.from = from, .to = to};
    n->place = at;
}

static inline void
add_to_nodes(struct node_sums *n, const struct sb_queue_sum *s)
{
    if (!s->from || !s->to)
        return;
    if (n->last != ((uint64_t)s->from << 32 | s->to))
        find_nodes(n, s->from, s->to);
    n->sum.at[n->place].count += s->count;
    n->sum.at[n->place].words += s->words;
    n->sum.at[n->place].at_least += s->at_least;
}

static void
write_node_edges(const struct sb_run *r, struct node_sums *n)
{
    SB_SORT(&n->sum, by_queues);
    for (size_t i = 0; i < n->sum.n; i++) {
        const struct sb_queue_sum *s = &n->sum.at[i];
        write_sum(r, SB_T_node_edge, s);
    }
}

static void
close_node_sums(struct node_sums *n)
{
    sb_map_close(&n->at);
    SB_VEC_FREE(&n->sum);
}

/* ---- writing all edges ---- */

struct putting {
    const struct sb_run *run;
    const struct sb_process_index *all;
    struct node_sums *nodes; /* one per worker */
};

static void
put_edge(void *ctx, unsigned worker, const struct sb_edge *e, struct sb_rows *rows)
{
    const struct putting *p = ctx;
    (void)worker;
    put_row(p->run, is_sure(p->run, p->all->node[e->sender], p->all->node[e->receiver], e), e, rows);
}

/* A walk ends with a batch without rows. */
static void
count_edge(void *ctx, unsigned worker, const struct sb_edge *e, struct sb_rows *rows)
{
    const struct putting *p = ctx;
    const struct sb_run *r = p->run;
    unsigned from = p->all->node[e->sender], to = p->all->node[e->receiver];
    struct node_sums *n = &p->nodes[worker];
    n->pairs++;
    n->messages += e->count;
    n->differs |= is_sure(r, from, to, e) != (e->matched > 0);
    add_to_nodes(n,
                 &(struct sb_queue_sum){r->ids.node[from], r->ids.node[to], e->count, e->words, e->at_least});
    sb_rows_put(rows, SB_T_message_edge, 0, 0);
}

/* Readers compute message_edge from message where it has no rows (profile/follows.h). Then it has none if they would
 * get the same edges soon, and these are not far fewer than the messages. */
static bool
follows(const struct sb_run *r, const struct node_sums *n)
{
    enum { FEW = 1 << 12, EACH = 8, MOST = 1 << 21 /* what a reader sorts at once */ };
    bool differs = n->differs || r->facts.untimed || r->inputs.n > 1 || r->facts.odd_mail;
    return r->o->messages && !differs && n->pairs > FEW && n->messages / n->pairs < EACH &&
           n->messages <= MOST;
}

static void
walk_edges(const struct putting *p, sb_edge_put_fn *put, struct sb_build *b)
{
    struct sb_rows *some;
    struct sb_edge_walk *walk = sb_edges_walk(p->run, put, (void *)p);
    while ((some = sb_edges_next(walk)))
        if (b)
            sb_build_add(b, SB_T_message_edge, some);
    sb_edges_end(walk);
}

static void
add_unnamed(const struct sb_run *r, struct node_sums *n)
{
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].queues.unnamed.n; k++) {
            struct sb_queue_sum s = r->part[i].queues.unnamed.at[k];
            s.from = r->ids.node[s.from];
            s.to = sb_inputs_node_by_name(r, s.to);
            add_to_nodes(n, &s);
        }
}

static void
write_edges(const struct sb_run *r, const struct sb_process_index *all)
{
    struct putting p = {r, all, sb_zeroed_or_die(r->services.workers, sizeof *p.nodes)};
    walk_edges(&p, count_edge, NULL);
    for (unsigned w = 1; w < r->services.workers; w++) {
        for (size_t i = 0; i < p.nodes[w].sum.n; i++)
            add_to_nodes(&p.nodes[0], &p.nodes[w].sum.at[i]);
        p.nodes[0].pairs += p.nodes[w].pairs;
        p.nodes[0].messages += p.nodes[w].messages;
        p.nodes[0].differs |= p.nodes[w].differs;
        close_node_sums(&p.nodes[w]);
    }
    if (follows(r, &p.nodes[0]))
        sb_build_meta_number(r->services.build, "pairs", (int64_t)p.nodes[0].pairs);
    else
        walk_edges(&p, put_edge, r->services.build);
    add_unnamed(r, &p.nodes[0]);
    write_node_edges(r, &p.nodes[0]);
    close_node_sums(&p.nodes[0]);
    free(p.nodes);
}

static void
write_queues(const struct sb_run *r)
{
    SB_SCOPED SB_VEC(struct sb_queue_sum) sums = {0};
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].queues.sum.n; k++)
            *SB_PUSH(&sums) = r->part[i].queues.sum.at[k];
    SB_SORT(&sums, by_queues);
    for (size_t i = 0, j; i < sums.n; i = j) {
        struct sb_queue_sum s = sums.at[i];
        for (j = i + 1; j < sums.n && by_queues(&s, &sums.at[j]) == 0; j++) {
            s.count += sums.at[j].count;
            s.words += sums.at[j].words;
            s.at_least += sums.at[j].at_least;
        }
        write_sum(r, SB_T_scheduler_edge, &s);
    }
}

void
sb_edge_tables_write(const struct sb_run *r, const struct sb_process_index *all)
{
    write_edges(r, all);
    write_queues(r);
}
