/* From rows at moments to operations by process, with the work between them. */
#include "base/pool.h"
#include "base/sort.h"
#include "why/predict/ops_build.h"

/* ---- order ---- */

struct worker { /* what a thread needs */
    SB_VEC(struct sb_sort_key) key, tmp;
    SB_VEC(struct sb_op) row;
    uint32_t *by_process; /* of sb_ops_spread and find_same */
    int64_t work_ns;
};

/* At one moment what is sent comes first. */
static uint64_t
key_of(const struct sb_op *r)
{
    return (uint64_t)r->at << 1 | (r->kind != SB_OP_SEND);
}

/* Puts the rows of one process in order of time; those of one moment keep their order. */
static void
sort_rows(struct worker *w, struct sb_op *row, size_t n)
{
    size_t i = 1;
    while (i < n && key_of(&row[i - 1]) <= key_of(&row[i]))
        i++;
    if (i >= n)
        return;
    SB_RESERVE(&w->key, n);
    SB_RESERVE(&w->tmp, n);
    SB_RESERVE(&w->row, n);
    for (i = 0; i < n; i++)
        w->key.at[i] = (struct sb_sort_key){key_of(&row[i]), i};
    sb_sort_radix(w->key.at, w->tmp.at, n);
    for (i = 0; i < n; i++)
        w->row.at[i] = row[w->key.at[i].value];
    memcpy(row, w->row.at, n * sizeof *row);
}

/* ---- messages ---- */

#define NONE UINT32_MAX
#define SECOND 0x80000000u /* of an edge's number: another edge stands for its send */

struct writing {
    struct sb_ops_build *b;
    uint32_t *n;      /* by process: rows that are left of those from o->from on */
    uint32_t *number; /* by edge: its message; before that NONE, or SECOND and the edge that stands for it */
    struct worker *worker;
    SB_VEC(uint32_t) job; /* the first process of each, and the end of the last one */
    void (*each)(struct writing *w, struct worker *of, struct sb_ops_rows *r);
};

static struct sb_ops_rows
rows_of(const struct writing *w, uint32_t process)
{
    const struct sb_ops *o = w->b->o;
    return (struct sb_ops_rows){process, w->n[process], o->op + o->from[process]};
}

/* A message cannot be sent after the slice in which it was sent. */
static void
clip(struct sb_ops_build *b, const struct sb_ops_rows *r)
{
    for (size_t i = 0; i < r->n; i++) {
        struct sb_op *op = &r->at[i];
        if (op->kind != SB_OP_SEND)
            continue;
        const struct sb_history_slice *s = sb_history_slice(&b->h, r->process, op->at + 1);
        int64_t sent = s->end < op->at ? s->end : op->at;
        b->edge.at[op->arg].made = sent;
        op->at = sent > 0 ? sent : 0;
    }
}

static void
arrange(struct writing *w, struct worker *of, struct sb_ops_rows *r)
{
    clip(w->b, r);
    sort_rows(of, r->at, r->n);
    sb_ops_leave_out_idle(w->b, r);
    sb_ops_spread(w->b, r, of->by_process);
    sort_rows(of, r->at, r->n);
    w->n[r->process] = (uint32_t)r->n;
}

/* What ended a wait and what was fetched then or later are one message if they were sent at one moment. Finds for the
 * edges to a process those that stand for them. */
static void
find_same(struct writing *w, struct worker *of, struct sb_ops_rows *r)
{
    const struct sb_ops_edge *edge = w->b->edge.at;
    uint32_t *woke = of->by_process; /* by sender: its last wake + 1 */
    for (size_t i = 0; i < r->n; i++) {
        const struct sb_op *op = &r->at[i];
        if (op->kind != SB_OP_RECV)
            continue;
        uint32_t *last = &woke[edge[op->arg].from];
        if (op->woken)
            *last = op->arg + 1;
        else if (*last > 0 && edge[*last - 1].to == r->process && edge[*last - 1].made == edge[op->arg].made)
            w->number[op->arg] = (*last - 1) | SECOND;
    }
}

/* Numbers the messages in the order of their sends, so that a replay finds neighbours in memory, and closes up the
 * rows. */
static void
number_messages(struct writing *w)
{
    struct sb_ops *o = w->b->o;
    size_t n = w->b->edge.n;
    uint32_t to = 0;
    o->sender = sb_realloc_or_die(NULL, (n + 1) * sizeof *o->sender);
    o->receiver = sb_realloc_or_die(NULL, (n + 1) * sizeof *o->receiver);
    for (uint32_t id = 1; id <= o->n_lines; id++) {
        struct sb_ops_rows r = rows_of(w, id);
        o->from[id] = to;
        for (size_t i = 0; i < r.n; i++) {
            const struct sb_op *op = &r.at[i];
            bool is_send = op->kind == SB_OP_SEND;
            if (is_send && w->number[op->arg] != NONE)
                continue;
            if (is_send) {
                o->sender[o->n_messages] = id;
                o->receiver[o->n_messages] = w->b->edge.at[op->arg].to;
                w->number[op->arg] = o->n_messages++;
            }
            o->n_receives += op->kind == SB_OP_RECV;
            o->op[to++] = *op;
        }
        w->n[id] = to - o->from[id];
    }
    o->from[o->n_lines + 1] = to;
}

/* ---- operations ---- */

static uint32_t
message_of(const struct writing *w, uint32_t edge)
{
    uint32_t m = w->number[edge];
    return m & SECOND ? w->number[m & ~SECOND] : m;
}

static void
write_line(struct writing *w, struct worker *of, struct sb_ops_rows *r)
{
    struct sb_ops *o = w->b->o;
    uint32_t id = r->process;
    struct sb_work_clock c = sb_work_clock_of(&w->b->h, id);
    int64_t before = 0, *at = o->at + o->from[id];
    for (size_t i = 0; i < r->n; i++) {
        struct sb_op *op = &r->at[i];
        if (op->kind == SB_OP_SEND || op->kind == SB_OP_RECV)
            op->arg = message_of(w, op->arg);
        int64_t until = sb_work_until(&c, at[i] = op->at);
        op->work_ns = (int64_t)(o->scale[id] * (double)(until - before));
        of->work_ns += op->work_ns;
        before = until;
    }
    o->process[id] = id;
    o->rest_ns[id] = (int64_t)(o->scale[id] * (double)(sb_work_until(&c, o->end_ns) - before));
    of->work_ns += o->rest_ns[id];
}

/* ---- side by side ---- */

static void
run(void *ctx, size_t i, unsigned worker)
{
    struct writing *w = ctx;
    for (uint32_t id = w->job.at[i]; id < w->job.at[i + 1]; id++) {
        struct sb_ops_rows r = rows_of(w, id);
        w->each(w, &w->worker[worker], &r);
    }
}

static void
each_process(struct writing *w, struct sb_pool *pool,
             void (*each)(struct writing *w, struct worker *of, struct sb_ops_rows *r))
{
    w->each = each;
    sb_pool_each(pool, w->job.n - 1, run, w);
}

static void
make_jobs(struct writing *w)
{
    enum { ROWS = 1 << 16 };
    const struct sb_ops *o = w->b->o;
    *SB_PUSH(&w->job) = 1;
    for (uint32_t id = 1; id < o->n_lines; id++)
        if (o->from[id + 1] - o->from[w->job.at[w->job.n - 1]] >= ROWS)
            *SB_PUSH(&w->job) = id + 1;
    *SB_PUSH(&w->job) = (uint32_t)o->n_lines + 1;
}

/* Counts the rows of each process and puts them there. */
static void
place_rows(struct writing *w)
{
    struct sb_ops_build *b = w->b;
    struct sb_ops *o = b->o;
    for (size_t m = 0; m < b->edge.n; m++) {
        w->n[b->edge.at[m].from]++;
        w->n[b->edge.at[m].to] += m >= b->n_wakes;
    }
    for (uint64_t id = 1; id <= o->n_lines; id++) {
        uint64_t own = b->own_from[id + 1] - b->own_from[id];
        o->from[id + 1] = o->from[id] + (uint32_t)own + w->n[id];
        w->n[id] = (uint32_t)own;
    }
    o->op = sb_realloc_or_die(NULL, sb_mul_or_die((size_t)o->from[o->n_lines + 1] + 1, sizeof *o->op));
    for (uint64_t id = 1; id <= o->n_lines; id++)
        if (w->n[id] > 0)
            memcpy(o->op + o->from[id], b->own.at + b->own_from[id], w->n[id] * sizeof *o->op);
    SB_VEC_FREE(&b->own);
    for (uint32_t m = 0; m < b->edge.n; m++) {
        const struct sb_ops_edge *e = &b->edge.at[m];
        o->op[o->from[e->from] + w->n[e->from]++] =
            (struct sb_op){.at = e->made, .arg = m, .kind = SB_OP_SEND};
        if (m >= b->n_wakes)
            o->op[o->from[e->to] + w->n[e->to]++] =
                (struct sb_op){.at = e->needed > 0 ? e->needed : 0, .arg = m, .kind = SB_OP_RECV};
    }
}

void
sb_ops_write(struct sb_ops_build *b)
{
    struct sb_ops *o = b->o;
    uint64_t lines = o->n_lines + 2;
    struct sb_pool *pool = sb_pool_open(0);
    unsigned threads = sb_pool_threads(pool);
    struct writing w = {.b = b,
                        .n = sb_zeroed_or_die(lines, sizeof *w.n),
                        .worker = sb_zeroed_or_die(threads, sizeof *w.worker)};
    for (unsigned i = 0; i < threads; i++)
        w.worker[i].by_process = sb_zeroed_or_die(lines, sizeof *w.worker[i].by_process);
    o->from = sb_zeroed_or_die(lines, sizeof *o->from);
    o->rest_ns = sb_zeroed_or_die(lines, sizeof *o->rest_ns);
    o->process = sb_zeroed_or_die(lines, sizeof *o->process);
    place_rows(&w);
    make_jobs(&w);
    each_process(&w, pool, arrange);
    w.number = sb_realloc_or_die(NULL, (b->edge.n + 1) * sizeof *w.number);
    memset(w.number, 0xff, (b->edge.n + 1) * sizeof *w.number);
    for (unsigned i = 0; i < threads; i++)
        memset(w.worker[i].by_process, 0, lines * sizeof *w.worker[i].by_process);
    each_process(&w, pool, find_same);
    number_messages(&w);
    SB_VEC_FREE(&b->edge);
    o->at = sb_realloc_or_die(NULL, sb_mul_or_die((size_t)o->from[o->n_lines + 1] + 1, sizeof *o->at));
    each_process(&w, pool, write_line);
    for (unsigned i = 0; i < threads; i++) {
        o->work_ns += w.worker[i].work_ns;
        SB_VEC_FREE(&w.worker[i].key);
        SB_VEC_FREE(&w.worker[i].tmp);
        SB_VEC_FREE(&w.worker[i].row);
        free(w.worker[i].by_process);
    }
    sb_pool_close(pool);
    free(w.worker);
    free(w.n);
    free(w.number);
    SB_VEC_FREE(&w.job);
}
