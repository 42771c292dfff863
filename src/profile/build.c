/*
 * rows -> segment -> blocks -> file. Tables without a cluster column close a block every 4,096 rows; the others
 * collect a segment, order it by that column, and close its blocks then. Rows stay whole until they become
 * columns of a block, so that ordering them touches each once. What the directory says of each block stays in
 * memory (48 bytes a block) until close.
 */
#include "profile/build.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/intern.h"
#include "profile/format.h"
#include "profile/functions.h"
#include "profile/profile.h"
#include "profile/segment.h"

enum { APART = SB_BLOCK_ROWS + 8 }; /* from column to column: in a power of two all would lie in one place of the cache */

/* Columns whose numbers are near those of another one in the row, which stands for itself. */
static const struct {
    uint8_t tab, column, near;
} nears[] = {
    {SB_T_gap, SB_C_gap__low_ns, SB_C_gap__runnable_ns},
    {SB_T_gap, SB_C_gap__high_ns, SB_C_gap__runnable_ns},
    {SB_T_message, SB_C_message__received, SB_C_message__sent},
    {SB_T_message_edge, SB_C_message_edge__matched, SB_C_message_edge__count},
    {SB_T_message_edge, SB_C_message_edge__max_words, SB_C_message_edge__total_words},
    {SB_T_message_edge, SB_C_message_edge__max_latency_ns, SB_C_message_edge__latency_ns},
    {SB_T_message_edge, SB_C_message_edge__last, SB_C_message_edge__first},
    {SB_T_pyramid, SB_C_pyramid__schedulers_ns, SB_C_pyramid__running_ns},
    {SB_T_gc, SB_C_gc__heap_after, SB_C_gc__heap_before},
    {SB_T_gc, SB_C_gc__old_after, SB_C_gc__old_before},
    {SB_T_gc, SB_C_gc__bin_after, SB_C_gc__bin_before},
};

struct build_column {
    int near; /* column, -1 for none */
    SB_VEC(struct sb_dir_block) blocks;
    SB_VEC(uint32_t) dict;   /* handles in order of their first appearance in the column */
    SB_VEC(uint32_t) number; /* by handle: 1 + number in dict, 0 when not in it */
};

struct build_table {
    struct build_column *column;
    const struct sb_tab_desc *desc;
    int cluster; /* column, -1 for none */
    struct sb_segment rows; /* not yet written */
    uint64_t total;
};

struct press { /* what is needed to make blocks */
    struct sb_out *out;
    uint64_t at; /* bytes put so far */
    int64_t *v; /* a block's columns */
    const uint32_t *row[SB_BLOCK_ROWS]; /* its rows */
    uint8_t packed[SB_PACK_MAX];
};

struct sb_build {
    struct sb_out out;
    struct press press;
    struct sb_pool *pool;
    struct sb_intern texts;
    struct build_table table[SB_TABLES];
    struct sb_functions functions; /* from call_node, unless the caller writes them */
};

static void
put(struct press *p, const void *bytes, size_t n)
{
    sb_out_bytes(p->out, bytes, n);
    p->at += n;
}

static void
open_press(struct press *p, struct sb_out *out)
{
    memset(p, 0, offsetof(struct press, row));
    p->out = out;
}

static void
close_press(struct press *p)
{
    free(p->v);
}

/* ---- blocks ---- */

static uint32_t
sum_of(const void *p, size_t n)
{
    return (uint32_t)sb_hash(p, n);
}

static int64_t
number_of(struct build_column *c, int64_t handle)
{
    size_t h = (size_t)handle;
    if (h >= c->number.n) {
        size_t had = c->number.n;
        SB_RESERVE(&c->number, h + 1 - had);
        memset(c->number.at + had, 0, (h + 1 - had) * sizeof *c->number.at);
        c->number.n = h + 1;
    }
    if (c->number.at[h] == 0) {
        *SB_PUSH(&c->dict) = (uint32_t)h;
        c->number.at[h] = (uint32_t)c->dict.n;
    }
    return c->number.at[h] - 1;
}

/* Handles become numbers. */
static void
put_block(struct press *p, const struct build_table *t, unsigned column, size_t n)
{
    struct build_column *c = &t->column[column];
    int64_t *v = p->v + (size_t)column * APART;
    struct sb_pack_near near = {c->near < 0 ? NULL : p->v + c->near * APART, (unsigned)c->near};
    if (t->desc->column[column].type == SB_TEXT)
        for (size_t i = 0; i < n; i++)
            v[i] = v[i] == SB_NULL ? SB_NULL : number_of(c, v[i]);
    struct sb_dir_block *d = SB_PUSH(&c->blocks);
    *d = (struct sb_dir_block){.at = p->at};
    struct sb_pack_sums sums = sb_pack(v, near, n, p->packed, &d->packed);
    d->sum = sum_of(p->packed, d->packed.bytes);
    d->nulls = sums.nulls;
    d->total = t->desc->column[column].type == SB_TEXT ? 0 : sums.total;
    put(p, p->packed, d->packed.bytes);
}

/* ---- segments ---- */

static void
write_block(struct press *p, const struct build_table *t, size_t n)
{
    for (unsigned c = 0; c < t->desc->n_columns; c++)
        sb_segment_cells(&t->rows, c, p->row, n, p->v + (size_t)c * APART);
    for (unsigned c = 0; c < t->desc->n_columns; c++)
        put_block(p, t, c, n);
}

static void
write_rows(struct press *p, struct build_table *t)
{
    p->v = sb_realloc_or_die(p->v, (size_t)t->desc->n_columns * APART * sizeof *p->v);
    sb_segment_order(&t->rows);
    for (size_t n; (n = sb_segment_next(&t->rows, p->row, SB_BLOCK_ROWS)) > 0;)
        write_block(p, t, n);
    sb_segment_clear(&t->rows);
}

/* ---- rows ---- */

/* Rows of no process are those of ports: in front of all others, port by port. */
static uint64_t
key_of(const struct build_table *t, const int64_t *cells, int64_t who)
{
    if (t->cluster < 0)
        return 0;
    int64_t v = cells[t->cluster];
    return v == SB_NULL ? (uint32_t)who : (uint64_t)v ^ UINT64_C(1) << 63;
}

static void
add_row(struct sb_build *b, struct build_table *t, const int64_t *cells, int64_t who)
{
    sb_segment_add(&t->rows, cells, key_of(t, cells, who));
    t->total++;
    if (t->rows.n == t->rows.most)
        write_rows(&b->press, t);
}

static void
put_row(struct sb_build *b, unsigned tab, const int64_t *cells, int64_t who)
{
    if (tab == SB_T_call_node)
        sb_functions_add(&b->functions, cells);
    add_row(b, &b->table[tab], cells, who);
}

void
sb_build_row(struct sb_build *b, enum sb_tab tab, const int64_t *cells)
{
    put_row(b, tab, cells, 0);
}

/* ---- what a window found: segments are written in the order of time that fills them, whichever table they are of */

struct filling {
    struct sb_row_order order; /* of a table's rows, where it matters */
    size_t next;
};

static void
put_rows(struct sb_build *b, unsigned tab, struct filling *f, size_t n)
{
    for (size_t end = f->next + n; f->next < end; f->next++) {
        const int64_t *row = sb_row_of(f->order.row.at[f->next]);
        put_row(b, tab, row + SB_ROW_HEAD, row[SB_ROW_BY]);
    }
}

/* Of no segment's filling, and each process's rows in order: they may come as they lie. */
static bool
may_lie(const struct build_table *t, const struct sb_rows *list, size_t n_lists)
{
    size_t n = 0;
    for (size_t l = 0; l < n_lists; l++) {
        n += list[l].n / (SB_ROW_HEAD + t->desc->n_columns);
        if (list[l].unordered)
            return false;
    }
    return t->cluster >= 0 && t->rows.n + n < t->rows.most;
}

static void
put_as_they_lie(struct sb_build *b, unsigned tab, const struct sb_rows *list, size_t n_lists)
{
    size_t size = SB_ROW_HEAD + b->table[tab].desc->n_columns;
    for (size_t l = 0; l < n_lists; l++)
        for (const int64_t *row = list[l].at, *end = row + list[l].n; row < end; row += size)
            put_row(b, tab, row + SB_ROW_HEAD, row[SB_ROW_BY]);
}

/* The table whose segment is full first, SB_TABLES when none will be. */
static unsigned
first_full(const struct sb_build *b, const struct filling *f)
{
    unsigned first = SB_TABLES;
    uint64_t when = 0;
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        size_t filler = f[tab].next + (b->table[tab].rows.most - b->table[tab].rows.n) - 1;
        if (filler >= f[tab].order.row.n)
            continue;
        uint64_t key = f[tab].order.row.at[filler].key;
        if (first == SB_TABLES || key < when) {
            first = tab;
            when = key;
        }
    }
    return first;
}

void
sb_build_window(struct sb_build *b, const struct sb_rows *found, size_t n_lists)
{
    struct filling f[SB_TABLES] = {0};
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        const struct sb_rows *list = found + tab * n_lists;
        if (may_lie(&b->table[tab], list, n_lists))
            put_as_they_lie(b, tab, list, n_lists);
        else
            sb_rows_order(&f[tab].order, list, n_lists, SB_ROW_HEAD + b->table[tab].desc->n_columns);
    }
    for (unsigned tab; (tab = first_full(b, f)) < SB_TABLES;)
        put_rows(b, tab, &f[tab], b->table[tab].rows.most - b->table[tab].rows.n);
    for (unsigned tab = 0; tab < SB_TABLES; tab++) {
        put_rows(b, tab, &f[tab], f[tab].order.row.n - f[tab].next);
        sb_row_order_close(&f[tab].order);
    }
}

int64_t
sb_build_text(struct sb_build *b, struct sb_str s)
{
    return s.p == NULL ? SB_NULL : sb_intern_put(&b->texts, s);
}

void
sb_build_meta(struct sb_build *b, struct sb_str key, struct sb_str value)
{
    sb_build_row(b, SB_T_meta, (int64_t[]){sb_build_text(b, key), sb_build_text(b, value)});
}

/* ---- opening and closing ---- */

static void
find_nears(struct build_table *t, unsigned tab)
{
    for (unsigned c = 0; c < t->desc->n_columns; c++)
        t->column[c].near = -1;
    for (size_t i = 0; i < sizeof nears / sizeof *nears; i++)
        if (nears[i].tab == tab)
            t->column[nears[i].column].near = nears[i].near;
}

bool
sb_build_open(struct sb_build **out, const char *path, struct sb_err *e)
{
    struct sb_build *b = sb_realloc_or_die(NULL, sizeof *b);
    memset(b, 0, sizeof *b);
    if (!sb_out_open(&b->out, path, e)) {
        free(b);
        return false;
    }
    sb_intern_init(&b->texts);
    b->functions.suspend = sb_build_text(b, SB_STR("suspend"));
    b->functions.collect = sb_build_text(b, SB_STR("garbage_collect"));
    for (unsigned i = 0; i < SB_TABLES; i++) {
        struct build_table *t = &b->table[i];
        t->desc = &sb_schema[i];
        t->column = calloc(t->desc->n_columns, sizeof *t->column);
        if (t->column == NULL)
            sb_out_of_memory(t->desc->n_columns * sizeof *t->column);
        find_nears(t, i);
        t->cluster = sb_schema_column((enum sb_tab)i, sb_str_of(t->desc->cluster));
        sb_segment_open(&t->rows, t->desc, t->cluster < 0 ? SB_BLOCK_ROWS : SB_SEGMENT_ROWS);
    }
    struct sb_sbp_head head = {SB_SBP_MAGIC, SB_SBP_VERSION, SB_BLOCK_ROWS};
    open_press(&b->press, &b->out);
    put(&b->press, &head, sizeof head);
    *out = b;
    return true;
}

static void
free_build(struct sb_build *b)
{
    for (unsigned i = 0; i < SB_TABLES; i++) {
        struct build_table *t = &b->table[i];
        for (unsigned c = 0; c < t->desc->n_columns; c++) {
            SB_VEC_FREE(&t->column[c].blocks);
            SB_VEC_FREE(&t->column[c].dict);
            SB_VEC_FREE(&t->column[c].number);
        }
        free(t->column);
        sb_segment_close(&t->rows);
    }
    close_press(&b->press);
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

/* ---- texts: those that some column holds, in order ---- */

struct used {
    uint32_t *handle; /* sorted by text */
    uint32_t *id;     /* by handle */
    size_t n;
};

static int
by_text(const void *x, const void *y, void *intern)
{
    return sb_str_cmp(sb_intern_text(intern, *(const uint32_t *)x),
                      sb_intern_text(intern, *(const uint32_t *)y));
}

static struct used
used_texts(struct sb_build *b)
{
    struct used u = {.handle = sb_realloc_or_die(NULL, (b->texts.n + 1) * sizeof *u.handle),
                     .id = sb_realloc_or_die(NULL, (b->texts.n + 1) * sizeof *u.id)};
    memset(u.id, 0, (b->texts.n + 1) * sizeof *u.id);
    for (unsigned i = 0; i < SB_TABLES; i++)
        for (unsigned c = 0; c < b->table[i].desc->n_columns; c++)
            for (size_t k = 0; k < b->table[i].column[c].dict.n; k++)
                u.id[b->table[i].column[c].dict.at[k]] = 1;
    for (uint32_t h = 0; h < b->texts.n; h++)
        if (u.id[h])
            u.handle[u.n++] = h;
    qsort_r(u.handle, u.n, sizeof *u.handle, by_text, &b->texts);
    for (size_t i = 0; i < u.n; i++)
        u.id[u.handle[i]] = (uint32_t)i;
    return u;
}

static struct sb_dir_chunk
put_chunk(struct sb_build *b, const uint32_t *handle, size_t n)
{
    struct sb_out m;
    sb_out_to_memory(&m);
    uint32_t end = 0;
    for (size_t i = 0; i < n; i++) {
        end += (uint32_t)sb_intern_text(&b->texts, handle[i]).n;
        sb_out_bytes(&m, &end, sizeof end);
    }
    for (size_t i = 0; i < n; i++)
        sb_out_str(&m, sb_intern_text(&b->texts, handle[i]));
    sb_out_pad(&m, 0, -m.n & 7);
    struct sb_dir_chunk c = {b->press.at, (uint32_t)m.n, sum_of(m.buf, m.n)};
    put(&b->press, m.buf, m.n);
    sb_out_abandon(&m);
    return c;
}

/* ---- directory ---- */

static void
name_to(char *to, const char *name)
{
    SB_ASSERT(strlen(name) < SB_NAME_MAX);
    memset(to, 0, SB_NAME_MAX);
    memcpy(to, name, strlen(name));
}

static void
put_column(struct sb_out *dir, const struct sb_column *desc, const struct build_column *c, const uint32_t *id)
{
    struct sb_dir_column d = {.type = desc->type, .n_dict = (uint32_t)c->dict.n, .n_blocks = c->blocks.n};
    name_to(d.name, desc->name);
    sb_out_bytes(dir, &d, sizeof d);
    for (size_t k = 0; k < c->dict.n; k++)
        sb_out_bytes(dir, &id[c->dict.at[k]], sizeof *id);
    sb_out_pad(dir, 0, c->dict.n % 2 * sizeof *id);
    sb_out_bytes(dir, c->blocks.at, c->blocks.n * sizeof *c->blocks.at);
}

static void
put_tables(struct sb_build *b, struct sb_out *dir, const uint32_t *id)
{
    for (unsigned i = 0; i < SB_TABLES; i++) {
        const struct build_table *t = &b->table[i];
        struct sb_dir_table d = {.rows = t->total, .n_columns = t->desc->n_columns};
        name_to(d.name, t->desc->name);
        sb_out_bytes(dir, &d, sizeof d);
        for (unsigned c = 0; c < t->desc->n_columns; c++)
            put_column(dir, &t->desc->column[c], &t->column[c], id);
    }
}

static void
put_directory(struct sb_build *b, struct sb_out *dir)
{
    struct used u = used_texts(b);
    struct sb_dir_head head = {SB_TABLES, (uint32_t)((u.n + SB_CHUNK_TEXTS - 1) / SB_CHUNK_TEXTS), u.n};
    sb_out_bytes(dir, &head, sizeof head);
    for (size_t from = 0; from < u.n; from += SB_CHUNK_TEXTS) {
        size_t n = u.n - from < SB_CHUNK_TEXTS ? u.n - from : SB_CHUNK_TEXTS;
        struct sb_dir_chunk chunk = put_chunk(b, u.handle + from, n);
        sb_out_bytes(dir, &chunk, sizeof chunk);
    }
    put_tables(b, dir, u.id);
    free(u.handle);
    free(u.id);
}

static void
write_functions(struct sb_build *b)
{
    int64_t cells[SB_C_function__words + 1];
    if (b->table[SB_T_function].total > 0)
        return;
    for (size_t i = 0; i < b->functions.sum.n; i++) {
        sb_functions_row(&b->functions, i, cells);
        sb_build_row(b, SB_T_function, cells);
    }
}

struct last_rows { /* of a table: its last blocks, in memory */
    struct sb_build *b;
    struct sb_out out[SB_TABLES];
    size_t blocks[SB_TABLES]; /* that were there before */
};

static void
write_last(void *ctx, size_t i, unsigned worker)
{
    (void)worker;
    struct last_rows *l = ctx;
    struct build_table *t = &l->b->table[i];
    struct press *p = sb_realloc_or_die(NULL, sizeof *p);
    sb_out_to_memory(&l->out[i]);
    open_press(p, &l->out[i]);
    l->blocks[i] = t->column[0].blocks.n;
    if (t->rows.n > 0)
        write_rows(p, t);
    sb_segment_close(&t->rows);
    close_press(p);
    free(p);
}

/* Where the blocks of each table begin is known when those before them are made. */
static void
put_last(struct sb_build *b, struct last_rows *l)
{
    for (unsigned i = 0; i < SB_TABLES; i++) {
        struct build_table *t = &b->table[i];
        for (unsigned c = 0; c < t->desc->n_columns; c++)
            for (size_t k = l->blocks[i]; k < t->column[c].blocks.n; k++)
                t->column[c].blocks.at[k].at += b->press.at;
        put(&b->press, l->out[i].buf, l->out[i].n);
        sb_out_abandon(&l->out[i]);
    }
}

static void
write_all_last(struct sb_build *b)
{
    struct last_rows *l = sb_realloc_or_die(NULL, sizeof *l);
    l->b = b;
    if (b->pool)
        sb_pool_each(b->pool, SB_TABLES, write_last, l);
    for (unsigned i = 0; i < SB_TABLES && !b->pool; i++)
        write_last(l, i, 0);
    put_last(b, l);
    free(l);
}

void
sb_build_pool(struct sb_build *b, struct sb_pool *pool)
{
    b->pool = pool;
}

bool
sb_build_close(struct sb_build *b, struct sb_err *e)
{
    write_functions(b);
    write_all_last(b);
    struct sb_out dir;
    sb_out_to_memory(&dir);
    put_directory(b, &dir);
    struct sb_sbp_foot foot = {.dir_at = b->press.at, .dir_bytes = dir.n, .dir_hash = sb_hash(dir.buf, dir.n)};
    foot.file_bytes = foot.dir_at + foot.dir_bytes + sizeof foot;
    foot.foot_hash = sb_hash(&foot, offsetof(struct sb_sbp_foot, foot_hash));
    memcpy(foot.magic, SB_SBP_END, sizeof foot.magic);
    put(&b->press, dir.buf, dir.n);
    sb_out_abandon(&dir);
    put(&b->press, &foot, sizeof foot);
    bool ok = sb_out_close(&b->out, e);
    free_build(b);
    return ok;
}
