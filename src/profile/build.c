/*
 * rows -> segments -> blocks: decides which rows of a table are written together, and when. press.c turns
 * them into columns; directory.c writes the end of the file.
 */
#include "profile/build_impl.h"
#include <inttypes.h>
#include "profile/cut.h"
#include "profile/padding.h"
#include "profile/profile.h"

/* ---- segments ---- */

static void
press_segment(struct sb_build *b, struct sb_build_table *t)
{
    sb_segment_order(&b->segment);
    for (;;) {
        struct sb_press_block *k = sb_press_next(&b->press, &t->press);
        k->list = b->segment.list;
        k->named = t->found;
        k->n = sb_segment_next(&b->segment, k->row, k->in, SB_BLOCK_ROWS);
        if (k->n == 0)
            return;
        t->press.total += k->n;
        sb_press_add(&b->press);
    }
}

/* ---- single rows ---- */

/* Gives the list to the block, so that its rows can stay in place until the block is packed. */
static void
press_list(struct sb_build *b, struct sb_build_table *t)
{
    struct sb_press_block *k = sb_press_next(&b->press, &t->press);
    struct sb_rows keep = k->own;
    k->own = t->rest;
    k->only = &k->own;
    k->list = &k->only;
    k->named = false;
    k->n = k->own.n;
    memset(k->in, 0, k->n);
    for (size_t i = 0; i < k->n; i++)
        k->row[i] = sb_row_at(&k->own, &t->press.shape, i);
    t->rest = keep;
    sb_rows_clear(&t->rest);
    t->press.total += k->n;
    sb_press_add(&b->press);
}

static void
press_rest(struct sb_build *b, struct sb_build_table *t)
{
    struct sb_rows *rest = &t->rest;
    sb_rows_settle(rest);
    sb_segment_begin(&b->segment, &t->press.shape, &rest);
    sb_segment_add_settled(&b->segment, rest, 0);
    press_segment(b, t);
    sb_press_flush(&b->press);
    sb_rows_clear(rest);
}

static uint64_t
who_of(const struct sb_build_table *t, const int64_t *cells)
{
    int64_t v = t->press.shape.cluster < 0 ? 0 : cells[t->press.shape.cluster];
    return v == SB_NULL ? SB_WHO_PORT : (uint64_t)v;
}

static void
press_full(struct sb_build *b, struct sb_build_table *t)
{
    if (t->rest.n < t->most)
        return;
    if (t->press.shape.cluster < 0)
        press_list(b, t);
    else
        press_rest(b, t);
}

void
sb_build_row(struct sb_build *b, enum sb_tab tab, const int64_t *cells)
{
    struct sb_build_table *t = &b->table[tab];
    if (tab == SB_T_call_node)
        sb_functions_add(&b->functions, cells);
    uint32_t *row = sb_rows_put(&t->rest, tab, 0, who_of(t, cells));
    for (unsigned c = 0; c < t->press.shape.n_columns; c++)
        sb_row_set(&t->rest, &t->press.shape, row, c, cells[c]);
    press_full(b, t);
}

static void
copy_rows(struct sb_build *b, struct sb_build_table *t, const struct sb_rows *rows)
{
    for (size_t first = 0, n; first < rows->n; first += n) {
        size_t room = t->most - t->rest.n, left = rows->n - first;
        n = left < room ? left : room;
        sb_rows_add(&t->rest, &t->press.shape, rows, first, n, 0);
        press_full(b, t);
    }
}

void
sb_build_add(struct sb_build *b, enum sb_tab tab, struct sb_rows *rows)
{
    struct sb_build_table *t = &b->table[tab];
    SB_ASSERT(t->press.shape.cluster < 0);
    if (t->rest.n == 0 && rows->n == t->most) {
        struct sb_rows keep = t->rest;
        t->rest = *rows;
        *rows = keep;
        press_full(b, t);
    } else
        copy_rows(b, t, rows);
    sb_rows_clear(rows);
}

/* ---- the rows of a window: segments are written in the order in which they fill, across all tables ---- */

struct filling { /* state of one table */
    SB_VEC(struct sb_rows *)
    list;                      /* rows left by earlier windows, then those found; empty: too few rows */
    struct sb_cut cut;         /* of a clustered table's unsettled rows */
    struct sb_row_order order; /* of the rows of other tables */
    size_t settled, next;      /* rows: settled ones that wait for a segment; the next one in order */
};

static size_t
rows_of(const struct filling *f)
{
    return f->cut.time.n + f->order.row.n;
}

static uint64_t
time_of(struct filling *f, size_t i)
{
    return f->cut.time.n > 0 ? sb_cut_time(&f->cut, i) : f->order.row.at[i].key;
}

/* The call nodes of a process are adjacent: a parent is given by its distance in rows. */
static void
number_node(struct sb_build *b, struct sb_rows *r, size_t i)
{
    const struct sb_row_shape *s = &b->table[SB_T_call_node].press.shape;
    struct sb_call_node_row *row = (void *)sb_row_at(r, s, i);
    int64_t c[SB_N_call_node], *parent = &c[SB_C_call_node__parent];
    for (unsigned k = 0; k < s->n_columns; k++)
        c[k] = sb_row_cell(r, s, (uint32_t *)row, k);
    c[SB_C_call_node__id] = ++b->call_nodes;
    *parent = *parent ? b->call_nodes - *parent : 0;
    row->id = sb_cell(r, b->call_nodes);
    row->parent = sb_cell(r, *parent);
    c[SB_C_call_node__mfa] = b->press.names.handle(b->press.names.ctx, (uint32_t)row->mfa);
    sb_functions_add(&b->functions, c);
}

static void
number_nodes(struct sb_build *b, const struct filling *f)
{
    for (size_t i = 0; i < f->order.row.n; i++) {
        uint64_t span = f->order.row.at[i].value;
        number_node(b, f->list.at[sb_span_list(span)], sb_span_first(span));
    }
}

static void
begin_filling(struct sb_build *b, unsigned tab, struct filling *f, struct sb_rows *found, size_t n_lists)
{
    struct sb_build_table *t = &b->table[tab];
    SB_ASSERT(n_lists < SB_LISTS_MOST);
    *SB_PUSH(&f->list) = &t->rest;
    for (size_t l = 0; l < n_lists; l++) {
        *SB_PUSH(&f->list) = &found[l];
        t->found |= found[l].n > 0;
    }
    for (size_t l = 0; l < f->list.n; l++)
        f->settled += f->list.at[l]->settled;
    if (t->press.shape.cluster < 0)
        sb_rows_order(&f->order, f->list.at, f->list.n);
    else
        sb_cut_begin(&f->cut, f->list.at, f->list.n);
    if (tab == SB_T_call_node && t->found)
        number_nodes(b, f);
}

static void
end_filling(struct filling *f)
{
    SB_VEC_FREE(&f->list);
    sb_cut_close(&f->cut);
    sb_row_order_close(&f->order);
}

/* Writes a segment of the settled rows and of the next n unsettled ones. */
static void
fill(struct sb_build *b, struct sb_build_table *t, struct filling *f, size_t n)
{
    sb_segment_begin(&b->segment, &t->press.shape, f->list.at);
    if (t->press.shape.cluster >= 0)
        sb_cut_take(&f->cut, &b->segment, f->list.n, f->next + n - 1, n);
    else if (f->settled > 0)
        sb_segment_add_settled(&b->segment, &t->rest, 0);
    for (size_t i = f->next; i < f->next + n && f->order.row.n > 0; i++)
        sb_segment_add(&b->segment, f->order.row.at[i].value, 0);
    f->next += n;
    f->settled = 0;
    press_segment(b, t);
}

/* The table whose segment fills first; SB_TABLES if none will. */
static unsigned
first_full(const struct sb_build *b, struct filling *f)
{
    unsigned first = SB_TABLES;
    uint64_t when = 0;
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        size_t filler = f[tab].next + (b->table[tab].most - f[tab].settled) - 1;
        if (filler >= rows_of(&f[tab]))
            continue;
        uint64_t key = time_of(&f[tab], filler);
        if (first == SB_TABLES || key < when) {
            first = tab;
            when = key;
        }
    }
    return first;
}

/* Clustered tables keep the rows left in their runs. */
static void
keep_runs(struct sb_build_table *t, const struct sb_rows *r)
{
    for (size_t i = 0; i < r->run.n; i++)
        if (r->run.at[i].n > 0)
            sb_rows_add(&t->rest, &t->press.shape, r, r->run.at[i].first, r->run.at[i].n, r->run.at[i].who);
}

/* Keeps the rows that fill no segment yet. */
static void
keep_rest(struct sb_build_table *t, struct filling *f)
{
    if (f->settled == 0) /* the rows of earlier windows have been written by now */
        sb_rows_clear(&t->rest);
    for (; f->next < f->order.row.n; f->next++) {
        uint64_t span = f->order.row.at[f->next].value;
        const struct sb_rows *r = f->list.at[sb_span_list(span)];
        size_t row = sb_span_first(span);
        sb_rows_add(&t->rest, &t->press.shape, r, row, 1, sb_rows_who(r, row));
    }
    for (size_t l = 1; l < f->list.n; l++) {
        if (t->press.shape.cluster >= 0)
            keep_runs(t, f->list.at[l]);
        sb_rows_free(f->list.at[l]); /* the lists of all tables share the memory */
    }
    sb_rows_settle(&t->rest);
}

static size_t
rows_in(const struct sb_rows *list, size_t n_lists)
{
    size_t n = 0;
    for (size_t l = 0; l < n_lists; l++)
        n += list[l].n;
    return n;
}

bool
sb_build_takes(const struct sb_build *b, enum sb_tab tab, size_t rows)
{
    const struct sb_build_table *t = &b->table[tab];
    return rows > 0 && (t->press.shape.cluster < 0 || t->rest.n + rows >= t->most);
}

void
sb_build_window(struct sb_build *b, struct sb_rows *found, size_t n_lists)
{
    struct filling f[SB_TABLES] = {0};
    for (unsigned tab = 0; tab < SB_TABLES; tab++)
        if (sb_build_takes(b, (enum sb_tab)tab, rows_in(found + tab * n_lists, n_lists)))
            begin_filling(b, tab, &f[tab], found + tab * n_lists, n_lists);
    for (unsigned tab; (tab = first_full(b, f)) < SB_TABLES;)
        fill(b, &b->table[tab], &f[tab], b->table[tab].most - f[tab].settled);
    sb_press_flush(&b->press);
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        if (f[tab].list.n > 0)
            keep_rest(&b->table[tab], &f[tab]);
        end_filling(&f[tab]);
    }
}

void
sb_build_last(struct sb_build *b, struct sb_rows *found, size_t n_lists)
{
    b->last = found;
    b->n_last = n_lists;
}

const struct sb_row_shape *
sb_build_shape(const struct sb_build *b, enum sb_tab tab)
{
    return &b->table[tab].press.shape;
}

/* ---- texts ---- */

int64_t
sb_build_text(struct sb_build *b, struct sb_str s)
{
    return s.p == NULL ? SB_NULL : sb_intern_put(&b->texts, s);
}

void
sb_build_names(struct sb_build *b, int64_t (*handle)(void *ctx, uint32_t name), void *ctx)
{
    b->press.names = (struct sb_text_names){handle, ctx};
}

void
sb_build_meta(struct sb_build *b, struct sb_str key, struct sb_str value)
{
    sb_build_row(b, SB_T_meta, (int64_t[]){sb_build_text(b, key), sb_build_text(b, value)});
}

void
sb_build_meta_number(struct sb_build *b, const char *key, int64_t v)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long)v);
    sb_build_meta(b, sb_str_of(key), (struct sb_str){text, (size_t)n});
}

/* ---- opening and closing ---- */

bool
sb_build_open(struct sb_build **out, const char *path, struct sb_err *e)
{
    struct sb_build *b = sb_zeroed_or_die(1, sizeof *b);
    if (!path) {
        sb_out_to_memory(&b->out);
    } else if (!sb_out_open(&b->out, path, e)) {
        free(b);
        return false;
    }
    sb_intern_init(&b->texts);
    sb_build_text(b, SB_STR("")); /* its handle is 0 */
    b->functions.suspend = sb_build_text(b, SB_STR("suspend"));
    b->functions.collect = sb_build_text(b, SB_STR("garbage_collect"));
    for (unsigned i = 0; i < SB_TABLES; i++) {
        sb_press_open_table(&b->table[i].press, (enum sb_tab)i);
        b->table[i].most = b->table[i].press.shape.cluster < 0 ? SB_BLOCK_ROWS : SB_SEGMENT_ROWS;
    }
    struct sb_sbp_head head = {SB_SBP_MAGIC, SB_SBP_VERSION, SB_BLOCK_ROWS};
    b->press.out = &b->out;
    sb_press_put(&b->press, &head, sizeof head);
    *out = b;
    return true;
}

bool
sb_build_go_on(struct sb_build *b, const char *path, bool keeps, struct sb_err *e)
{
    struct sb_out before = b->out;
    if (!sb_out_go_on(&b->out, &before, path, e)) {
        b->out = before;
        return false;
    }
    if (!keeps)
        sb_out_abandon(&before);
    return true;
}

void
sb_build_private_as(struct sb_build *b, const char *path)
{
    sb_out_private_as(&b->out, path);
}

void
sb_build_untimed(struct sb_build *b)
{
    b->press.untimed = true;
}

void
sb_build_pool(struct sb_build *b, struct sb_pool *pool)
{
    b->press.pool = pool;
}

static void
free_build(struct sb_build *b)
{
    for (unsigned i = 0; i < SB_TABLES; i++) {
        sb_press_close_table(&b->table[i].press);
        sb_rows_free(&b->table[i].rest);
    }
    sb_press_close(&b->press);
    sb_segment_close(&b->segment);
    sb_functions_close(&b->functions);
    sb_intern_close(&b->texts);
    free(b);
}

void
sb_build_abandon(struct sb_build *b)
{
    if (b == NULL)
        return;
    sb_out_abandon(&b->out);
    free_build(b);
}

void
sb_build_counted(struct sb_build *b, const struct sb_function_count *c)
{
    sb_functions_counted(&b->functions, c);
}

static void
write_functions(struct sb_build *b)
{
    int64_t cells[SB_N_function];
    const struct sb_build_table *t = &b->table[SB_T_function];
    if (t->press.total + t->rest.n > 0)
        return;
    for (size_t i = 0; i < b->functions.sum.n; i++) {
        sb_functions_row(&b->functions, i, cells);
        sb_build_row(b, SB_T_function, cells);
    }
}

static void
begin_last(struct sb_build *b, unsigned tab, struct filling *f)
{
    sb_rows_settle(&b->table[tab].rest);
    begin_filling(b, tab, f, b->last ? b->last + tab * b->n_last : NULL, b->n_last);
}

/* Writes the last segment of each table. The functions are known once the last call nodes are written. */
static void
write_last(struct sb_build *b)
{
    struct filling f[SB_TABLES] = {0};
    begin_last(b, SB_T_call_node, &f[SB_T_call_node]);
    write_functions(b);
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        if (tab != SB_T_call_node)
            begin_last(b, tab, &f[tab]);
        fill(b, &b->table[tab], &f[tab], rows_of(&f[tab]));
    }
    sb_press_flush(&b->press);
    for (unsigned tab = 0; tab < SB_TABLES; tab++)
        end_filling(&f[tab]);
}

static bool
too_many(const struct sb_build *b, struct sb_err *e)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        if (sb_padding_least((enum sb_tab)t, b->table[t].press.total) == SB_TOO_MANY)
            return sb_err_set(e, SB_ERR_INPUT, "%" PRIu64 " rows of table %s are more than a profile holds",
                              b->table[t].press.total, sb_schema[t].name) ||
                   !sb_err_advise(e, "analyze fewer traces at a time, or one of a shorter time");
    return false;
}

bool
sb_build_close(struct sb_build *b, struct sb_err *e)
{
    write_last(b);
    if (too_many(b, e)) {
        sb_build_abandon(b);
        return false;
    }
    sb_build_directory(b);
    bool ok = sb_out_close(&b->out, e);
    free_build(b);
    return ok;
}

char *
sb_build_bytes(struct sb_build *b, size_t *n)
{
    write_last(b);
    sb_build_directory(b);
    char *bytes = b->out.buf;
    *n = b->out.n;
    free_build(b);
    return bytes;
}
