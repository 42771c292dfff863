/*
 * Writes the analysis as fprof:analyse/1 does: the totals, then each process, in descending order of its own
 * time. A block has one paragraph per function: its callers, the function itself (marked with %), its
 * callees.
 */
#include "base/pool.h"
#include "fprof/rows.h"
#include "trace/term/term_print.h"

/* ---- the header of the file and of blocks */

static void
put_options(struct sb_out *out, const struct sb_fprof_analysis *a)
{
    static const char *const yes[] = {"false", "true"};
    sb_out_printf(out,
                  "%%%% Analysis results:\n{  analysis_options,\n [{callers, %s},\n  {sort, %s},\n"
                  "  {totals, %s},\n  {details, %s}]}.\n\n",
                  yes[a->callers], a->by_own ? "own" : "acc", yes[a->totals], yes[a->details]);
}

static void
put_property(struct fp_rows *r, const char *tag, const struct sb_etf *t, const char *tail)
{
    sb_out_printf(r->out, " { %s, ", tag);
    sb_term_print(r->out, t, (unsigned)strlen(tag) + 6, SB_TERM_PARSIFY);
    sb_out_printf(r->out, "%s\n", tail);
}

/* The {M,F,Args} of the spawn is read from the trace again: the arguments are not stored. */
static void
put_spawned_as(struct fp_rows *r, const struct fp_proc *p, const char *tail)
{
    struct fp_piece piece = {0};
    SB_ARENA(a);
    struct sb_etf t;
    fp_input_record(&r->profile->in, p->spawned_at, &piece);
    if (piece.n > 0 && sb_etf_decode_binary(piece.bytes + FP_RECORD_HEAD, piece.n - FP_RECORD_HEAD, &a, &t) &&
        t.kind == SB_TERM_TUPLE && t.n == 6)
        put_property(r, "spawned_as", &t.at[4], tail);
    free(piece.bytes);
}

static void
put_start(struct fp_rows *r, const struct fp_proc *p)
{
    struct sb_etf calls[2];
    SB_ARENA(a);
    put_property(r, "spawned_by", &r->profile->pids.term.at[p->parent], "},");
    put_spawned_as(r, p, p->n_calls ? "}," : "}].");
    if (p->n_calls == 0)
        return;
    for (unsigned i = 0; i < p->n_calls; i++)
        calls[i] = r->profile->funcs.term.at[p->calls[i]];
    struct sb_etf list = sb_etf_new_list(&a, calls, p->n_calls);
    put_property(r, "initial_calls", &list, "}].");
}

/* ---- paragraphs */

/* Positions of rows, grouped by function: those of `func` are order[from[func]] .. order[from[func + 1]]. */
struct groups {
    uint32_t *from, *order;
};

struct share { /* paragraphs part/parts .. (part+1)/parts of a block; proc NULL: of the totals */
    const struct fp_proc_sum *proc;
    unsigned part, parts;
};

struct block {
    struct fp_rows *rows;
    const struct sb_fprof_analysis *options;
    const uint32_t *rank;
    const struct fp_row *row; /* id: the callee; other: its caller */
    size_t n;
    uint32_t *func; /* the functions of the block, in the order of their numbers in it */
    size_t n_funcs;
    uint32_t *number; /* by function id; only those in `func` are set */
    struct fp_row *sum;
    struct groups by_callee, by_caller;
};

static int64_t
key(const struct block *b, const struct fp_row *r)
{
    return b->options->by_own ? r->own : r->acc;
}

static int
order_rows(const struct block *b, const struct fp_row *x, const struct fp_row *y, uint32_t id_x,
           uint32_t id_y)
{
    int64_t kx = key(b, x), ky = key(b, y);
    if (kx != ky)
        return kx > ky ? -1 : 1;
    return b->rank[id_x] > b->rank[id_y] ? -1 : b->rank[id_x] < b->rank[id_y];
}

static int
by_caller(const void *x, const void *y, void *block)
{
    const struct block *b = block;
    const struct fp_row *r = &b->row[*(const uint32_t *)x], *s = &b->row[*(const uint32_t *)y];
    return order_rows(b, r, s, r->other, s->other);
}

static int
by_callee(const void *x, const void *y, void *block)
{
    const struct block *b = block;
    const struct fp_row *r = &b->row[*(const uint32_t *)x], *s = &b->row[*(const uint32_t *)y];
    return order_rows(b, r, s, r->id, s->id);
}

static int
by_sum(const void *x, const void *y, void *block)
{
    const struct block *b = block;
    const struct fp_row *r = &b->sum[*(const uint32_t *)x], *s = &b->sum[*(const uint32_t *)y];
    return order_rows(b, r, s, r->id, s->id);
}

static uint32_t
grouped_by(const struct block *b, const struct fp_row *r, bool callee)
{
    return b->number[callee ? r->id : r->other];
}

static void
make_groups(struct block *b, struct groups *g, bool callee)
{
    g->from = sb_zeroed_or_die(b->n_funcs + 2, sizeof *g->from);
    g->order = sb_realloc_or_die(NULL, b->n * sizeof *g->order);
    for (size_t i = 0; i < b->n; i++)
        g->from[grouped_by(b, &b->row[i], callee) + 2]++;
    for (size_t i = 2; i < b->n_funcs + 2; i++)
        g->from[i] += g->from[i - 1];
    for (size_t i = 0; i < b->n; i++)
        g->order[g->from[grouped_by(b, &b->row[i], callee) + 1]++] = (uint32_t)i;
}

static void
meet(struct block *b, uint32_t func)
{
    uint32_t i = b->number[func];
    if (i < b->n_funcs && b->func[i] == func)
        return;
    b->number[func] = (uint32_t)b->n_funcs;
    b->sum[b->n_funcs] = (struct fp_row){.id = func};
    b->func[b->n_funcs++] = func;
}

static void
put_paragraph(struct block *b, uint32_t i)
{
    static const char *const heads[] = {"{[{", "  {", " [{", "  {"};
    for (int called = 0; called < 2; called++) {
        const struct groups *g = called ? &b->by_caller : &b->by_callee;
        uint32_t from = g->from[i], to = g->from[i + 1];
        qsort_r(g->order + from, to - from, sizeof *g->order, called ? by_callee : by_caller, b);
        const char *last = called ? "}]}." : "}],";
        if (from == to)
            sb_out_z(b->rows->out, called ? " [ ]}.\n" : "{[ ],\n");
        for (uint32_t j = from; j < to; j++) {
            const struct fp_row *r = &b->row[g->order[j]];
            fp_rows_put(b->rows, heads[2 * called + (j > from)], called ? r->id : r->other, r,
                        j + 1 == to ? last : "},", "");
        }
        if (!called)
            fp_rows_put(b->rows, " { ", b->func[i], &b->sum[i], "},", "%");
    }
    sb_out_char(b->rows->out, '\n');
}

static void
put_paragraphs(struct block *b, const struct share *share)
{
    uint32_t *order = sb_realloc_or_die(NULL, b->n_funcs * sizeof *order);
    for (uint32_t i = 0; i < b->n_funcs; i++)
        order[i] = i;
    qsort_r(order, b->n_funcs, sizeof *order, by_sum, b);
    if (b->options->callers) {
        make_groups(b, &b->by_callee, true);
        make_groups(b, &b->by_caller, false);
    }
    size_t from = b->n_funcs * share->part / share->parts, to = b->n_funcs * (share->part + 1) / share->parts;
    for (size_t i = from; i < to; i++)
        if (b->options->callers)
            put_paragraph(b, order[i]);
        else
            fp_rows_put(b->rows, "{  ", b->func[order[i]], &b->sum[order[i]], "}.", "");
    free(b->by_callee.from);
    free(b->by_callee.order);
    free(b->by_caller.from);
    free(b->by_caller.order);
    free(order);
}

static void
put_block(struct fp_rows *rows, const struct sb_fprof_analysis *a, const uint32_t *rank, uint32_t *number,
          const struct fp_row_sums *sums, const struct share *share)
{
    size_t n = sums->row.n;
    const struct fp_row *row = sums->row.at;
    struct block b = {.rows = rows, .options = a, .rank = rank, .row = row, .n = n, .number = number};
    b.func = sb_realloc_or_die(NULL, 2 * n * sizeof *b.func);
    b.sum = sb_realloc_or_die(NULL, 2 * n * sizeof *b.sum);
    for (size_t i = 0; i < n; i++) {
        meet(&b, row[i].id);
        meet(&b, row[i].other);
        fp_row_add(&b.sum[number[row[i].id]], &row[i]);
    }
    put_paragraphs(&b, share);
    free(b.func);
    free(b.sum);
}

/* ---- all blocks: blocks, and shares of large ones, are written in parallel, each into its own text */

enum { LARGE_BLOCK = 2000, TEXTS = 64 }; /* rows that make a block large; texts in memory at a time */

struct worker {
    struct fp_rows rows;
    uint32_t *number;
};

struct whole {
    struct sb_fprof *profile;
    const struct sb_fprof_analysis *options;
    uint32_t *func_rank, *pid_rank;
    SB_VEC(struct fp_proc_sum {
        const struct fp_proc *proc;
        struct fp_row sum;
        size_t rows;
    })
    procs;
    SB_VEC(struct share) share;
    struct fp_row total;
    size_t rows;
    struct worker *worker;
    struct sb_out text[TEXTS];
    size_t first; /* the share in text[0] */
};

static void
sum_up(struct whole *w, const struct fp_proc *p)
{
    struct fp_proc_sum s = {.proc = p};
    for (size_t i = 1; i < p->clock.n; i++)
        if (p->clock.at[i].touched) {
            struct fp_row row = fp_row_of(&p->clock.at[i]);
            fp_row_add(&s.sum, &row);
            s.rows++;
        }
    if (s.rows == 0)
        return;
    s.sum.id = p->pid;
    *SB_PUSH(&w->procs) = s;
    fp_row_add(&w->total, &s.sum);
    w->rows += s.rows;
}

static int
by_own_time(const void *x, const void *y, void *whole)
{
    const struct whole *w = whole;
    const struct fp_row *a = &((const struct fp_proc_sum *)x)->sum,
                        *b = &((const struct fp_proc_sum *)y)->sum;
    if (a->own != b->own)
        return a->own > b->own ? -1 : 1;
    return w->pid_rank[a->id] > w->pid_rank[b->id] ? -1 : w->pid_rank[a->id] < w->pid_rank[b->id];
}

static void
put_totals(struct whole *w, struct worker *x, const struct share *share)
{
    struct sb_fprof *f = w->profile;
    bool first = share->part == 0, last = share->part + 1 == share->parts;
    if (first) {
        struct fp_row total = w->total;
        total.acc = (int64_t)((uint64_t)f->last_t - (uint64_t)f->first_t);
        fp_rows_put_head(&x->rows);
        fp_rows_put_header(&x->rows, "totals", &total, true, "}].", "%%%");
        sb_out_char(x->rows.out, '\n');
    }
    if (w->options->totals) {
        struct fp_row_sums sums = {0};
        for (size_t i = 0; i < w->procs.n; i++)
            fp_row_sums_add_proc(&sums, w->procs.at[i].proc);
        put_block(&x->rows, w->options, w->func_rank, x->number, &sums, share);
        fp_row_sums_close(&sums);
    }
    if (last)
        sb_out_char(x->rows.out, '\n');
}

static void
put_proc_head(struct worker *x, const struct fp_proc_sum *s)
{
    SB_OUT_TO_MEMORY(name);
    sb_term_print(&name, &x->rows.profile->pids.term.at[s->proc->pid], 1, SB_TERM_PARSIFY);
    sb_out_char(&name, '\0');
    fp_rows_put_head(&x->rows);
    fp_rows_put_header(&x->rows, name.buf, &s->sum, false, s->proc->spawned ? "}," : "}].", "%%");
    if (s->proc->spawned)
        put_start(&x->rows, s->proc);
    sb_out_char(x->rows.out, '\n');
}

static void
put_proc(struct whole *w, struct worker *x, const struct share *share)
{
    struct fp_row_sums sums = {0};
    if (share->part == 0)
        put_proc_head(x, share->proc);
    fp_row_sums_add_proc(&sums, share->proc->proc);
    put_block(&x->rows, w->options, w->func_rank, x->number, &sums, share);
    fp_row_sums_close(&sums);
    if (share->part + 1 == share->parts)
        sb_out_char(x->rows.out, '\n');
}

static void
put_share(void *whole, size_t i, unsigned worker)
{
    struct whole *w = whole;
    struct worker *x = &w->worker[worker];
    const struct share *share = &w->share.at[w->first + i];
    x->rows.out = &w->text[i];
    (share->proc ? put_proc : put_totals)(w, x, share);
}

static void
add_shares(struct whole *w, const struct fp_proc_sum *proc, size_t rows)
{
    unsigned parts = rows > LARGE_BLOCK ? w->profile->threads : 1;
    for (unsigned i = 0; i < parts; i++)
        *SB_PUSH(&w->share) = (struct share){proc, i, parts};
}

static void
put_shares(struct whole *w, struct sb_out *out)
{
    struct sb_pool *pool = sb_pool_open(w->profile->threads);
    for (size_t i = 0; i < TEXTS; i++)
        sb_out_to_memory(&w->text[i]);
    for (w->first = 0; w->first < w->share.n; w->first += TEXTS) {
        size_t left = w->share.n - w->first, n = left < TEXTS ? left : TEXTS;
        sb_pool_each(pool, n, put_share, w);
        for (size_t i = 0; i < n; i++) {
            sb_out_bytes(out, w->text[i].buf, w->text[i].n);
            w->text[i].n = 0;
        }
    }
    for (size_t i = 0; i < TEXTS; i++)
        sb_out_abandon(&w->text[i]);
    sb_pool_close(pool);
}

static void
open_workers(struct whole *w)
{
    size_t n = w->profile->funcs.term.n;
    w->worker = sb_realloc_or_die(NULL, w->profile->threads * sizeof *w->worker);
    for (unsigned i = 0; i < w->profile->threads; i++) {
        fp_rows_init(&w->worker[i].rows, w->profile, w->options->cols);
        w->worker[i].number = sb_zeroed_or_die(n, sizeof *w->worker[i].number);
    }
}

static void
close_whole(struct whole *w)
{
    for (unsigned i = 0; i < w->profile->threads; i++) {
        fp_rows_close(&w->worker[i].rows);
        free(w->worker[i].number);
    }
    free(w->worker);
    free(w->func_rank);
    free(w->pid_rank);
    SB_VEC_FREE(&w->procs);
    SB_VEC_FREE(&w->share);
}

bool
sb_fprof_analyse(struct sb_fprof *f, const struct sb_fprof_analysis *a, struct sb_out *out)
{
    struct whole w = {.profile = f, .options = a};
    for (unsigned i = 0; f->any && i < f->n_sims; i++)
        for (size_t j = 0; j < f->sim[i].proc.n; j++)
            if (f->sim[i].proc.at[j])
                sum_up(&w, f->sim[i].proc.at[j]);
    if (w.procs.n == 0)
        return false;
    open_workers(&w);
    w.func_rank = fp_terms_rank(&f->funcs);
    w.pid_rank = fp_terms_rank(&f->pids);
    qsort_r(w.procs.at, w.procs.n, sizeof *w.procs.at, by_own_time, &w);
    add_shares(&w, NULL, a->totals ? w.rows : 0);
    for (size_t i = 0; a->details && i < w.procs.n; i++)
        add_shares(&w, &w.procs.at[i], w.procs.at[i].rows);
    put_options(out, a);
    put_shares(&w, out);
    close_whole(&w);
    return true;
}
