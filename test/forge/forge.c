#include "forge.h"
#include "base/arena.h"
#include "base/hash.h"
#include <stdlib.h>
#include <string.h>

struct forge_base {
    const struct sb_profile *of; /* its texts are read where they are */
    struct forged good;          /* written */
};

const char *const forge_names[] = {"code_server",
                                   "erl_prim_loader",
                                   "elixir_code_server",
                                   "file_server_2",
                                   "user",
                                   "standard_error",
                                   "logger",
                                   "'Elixir.Logger'",
                                   "init",
                                   "kernel_safe_sup",
                                   "application_controller",
                                   "group:server/4",
                                   "user_drv:init/1",
                                   "file_io_server:server/5",
                                   "erlang:apply/2",
                                   "timer_server",
                                   "'Elixir.ExUnit.Runner':run/2",
                                   NULL};
enum { FORGE_NAMES = sizeof forge_names / sizeof *forge_names - 1 };

/* ---- reading the good one ---- */

static void
forge_make_texts(struct forged *f, size_t n)
{
    f->n_texts = n;
    f->text = sb_realloc_or_die(NULL, (n + 1) * sizeof *f->text);
    f->text_id = sb_realloc_or_die(NULL, (n + 1) * sizeof *f->text_id);
    for (size_t i = 0; i < n; i++)
        f->text_id[i] = (uint32_t)i;
}

void
forge_read(struct forged *f, const struct sb_profile *p)
{
    memset(f, 0, sizeof *f);
    forge_make_texts(f, (size_t)sb_profile_texts(p));
    for (size_t i = 0; i < f->n_texts; i++)
        f->text[i] = sb_profile_text(p, (int64_t)i);
    for (unsigned t = 0; t < SB_TABLES; t++) {
        struct forged_table *to = &f->table[t];
        *to = (struct forged_table){.rows = sb_profile_rows(p, (enum sb_tab)t), .claims = -1, .written = 1};
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++) {
            to->column[c].v = sb_realloc_or_die(NULL, (to->rows + 1) * sizeof(int64_t));
            sb_profile_read(p, (enum sb_tab)t, c, 0, to->rows, to->column[c].v);
        }
    }
}

void
forge_free(struct forged *f)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            if (!f->table[t].column[c].of_base)
                free(f->table[t].column[c].v);
    free(f->text);
    free(f->text_id);
    sb_out_abandon(&f->out);
    SB_VEC_FREE(&f->blocks);
    SB_VEC_FREE(&f->chunks);
    SB_VEC_FREE(&f->columns);
    SB_VEC_FREE(&f->tables);
}

/* ---- changes to rows ---- */

static int64_t
forge_number(const struct forged_table *t, uint8_t pick)
{
    const int64_t rows = (int64_t)t->rows;
    const int64_t odd[] = {SB_NULL,
                           0,
                           1,
                           -1,
                           2,
                           rows - 1,
                           rows,
                           rows + 1,
                           63,
                           64,
                           255,
                           4095,
                           4096,
                           65536,
                           INT32_MAX,
                           UINT32_MAX,
                           INT64_C(1) << 32,
                           INT64_C(1) << 40,
                           INT64_C(1) << 53,
                           INT64_C(1) << 62,
                           INT64_MAX - 1,
                           INT64_MAX,
                           SB_NULL + 1,
                           -4096,
                           INT64_C(1) << 61};
    enum { ODD = sizeof odd / sizeof *odd };
    return pick < 4 * ODD ? odd[pick % ODD] : pick - 4 * ODD;
}

/* The values of a column, which may be changed; NULL: the file has no such column. */
static int64_t **
forge_own(struct forged_table *t, unsigned column)
{
    struct forged_column *c = &t->column[column];
    if (c->of_base) {
        int64_t *v = sb_realloc_or_die(NULL, (t->rows + 1) * sizeof *v);
        memcpy(v, c->v, t->rows * sizeof *v);
        c->v = v;
        c->of_base = false;
    }
    return &c->v;
}

static void
forge_repeat(struct forged_table *t, unsigned n_columns, uint64_t rows)
{
    if (t->rows == 0)
        return;
    for (unsigned c = 0; c < n_columns; c++) {
        int64_t **v = forge_own(t, c);
        if (*v)
            *v = sb_realloc_or_die(*v, (rows + 1) * sizeof(int64_t));
        for (uint64_t i = t->rows; *v && i < rows; i++)
            (*v)[i] = (*v)[i % t->rows];
    }
    t->rows = rows;
}

static void
forge_rows(struct forged *f, const uint8_t in[FORGE_BYTES])
{
    struct forged_table *t = &f->table[in[1] % SB_TABLES];
    unsigned n_columns = sb_schema[in[1] % SB_TABLES].n_columns;
    int64_t **v = forge_own(t, in[2] % n_columns), x = forge_number(t, in[4]);
    const int64_t *other = t->column[in[3] % n_columns].v;
    switch (in[0] % 8) {
    case 0: /* no such column */
        free(*v), *v = NULL;
        break;
    case 1: /* constant */
        for (uint64_t i = 0; *v && i < t->rows; i++)
            (*v)[i] = x;
        break;
    case 2: /* one cell */
        if (*v && t->rows > 0)
            (*v)[in[3] % t->rows] = x;
        break;
    case 3: /* the values of another column */
        for (uint64_t i = 0; *v && other && i < t->rows; i++)
            (*v)[i] = other[i];
        break;
    case 4: /* values in reverse */
        for (uint64_t i = 0; *v && i < t->rows / 2; i++) {
            int64_t keep = (*v)[i];
            (*v)[i] = (*v)[t->rows - 1 - i], (*v)[t->rows - 1 - i] = keep;
        }
        break;
    case 5: /* fewer rows */
        t->rows = in[3] < t->rows ? in[3] : t->rows;
        break;
    case 6: { /* more rows, seldom over the end of a block: those take their readers much longer */
        uint64_t more = (in[3] % 16 < 3 ? in[3] % 16 * SB_BLOCK_ROWS : 0) + in[4];
        forge_repeat(t, n_columns, t->rows + more < FORGE_MOST_ROWS ? t->rows + more : t->rows);
        break;
    }
    default: /* scattered */
        for (uint64_t i = 0; *v && i < t->rows; i++)
            (*v)[i] += (int64_t)((i + 1) * in[3]) * (x % 1000000);
    }
}

/* ---- changes to what the directory claims, before it is written ---- */

static void
forge_claims(struct forged *f, const uint8_t in[FORGE_BYTES])
{
    static const char *const odd[] = {"",
                                      "all",
                                      "process",
                                      "normal",
                                      "dirty_cpu",
                                      "\xff\xfe",
                                      "a;b;c",
                                      "'Elixir.",
                                      "\x1b[31m<script>",
                                      "garbage_collect",
                                      "0",
                                      "-1",
                                      "9223372036854775807",
                                      "span_ns",
                                      "system_profile",
                                      ";;;"};
    struct forged_table *t = &f->table[in[1] % SB_TABLES];
    switch (in[0] % 4) {
    case 0:
        t->claims = forge_number(t, in[4]);
        break;
    case 1:
        t->bare = true;
        t->claims = forge_number(t, in[4]);
        break;
    case 2:
        t->written = in[4] % 3;
        break;
    default:
        if (f->n_texts > 0) {
            unsigned k = in[4] % (16 + FORGE_NAMES);
            f->text[(in[2] | in[3] << 8) % f->n_texts] = sb_str_of(k < 16 ? odd[k] : forge_names[k - 16]);
        }
    }
}

/* ---- writing ---- */

static void
forge_block(struct forged *f, struct sb_dir_block *d, const int64_t *v, size_t n)
{
    static uint8_t packed[SB_PACK_MAX];
    struct sb_pack_sums sums =
        sb_pack((struct sb_pack_column){.v = v}, (struct sb_pack_near){0}, n, packed, &d->packed);
    d->at = f->out.n;
    d->nulls = sums.nulls;
    d->total = sums.total;
    d->sum = (uint32_t)sb_hash(packed, d->packed.bytes);
    sb_out_bytes(&f->out, packed, d->packed.bytes);
    sb_out_pad(&f->out, 0, -f->out.n & 7);
}

static uint64_t
forge_n_blocks(uint64_t rows)
{
    return (rows + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS;
}

/* Copies block `b` of a column of the base. */
static void
forge_copy_block(struct forged *f, struct sb_dir_block *d, unsigned tab, unsigned column, size_t b)
{
    const struct forged *good = &f->base->good;
    size_t block = good->table[tab].column[column].first_block + b;
    memcpy(d, good->out.buf + good->foot.dir_at + good->blocks.at[block], sizeof *d);
    const char *packed = good->out.buf + d->at;
    d->at = f->out.n;
    sb_out_bytes(&f->out, packed, d->packed.bytes);
    sb_out_pad(&f->out, 0, -f->out.n & 7);
}

/* A block of n rows with the same value, which has no codes. */
static struct sb_dir_block
forge_equal_rows(const struct forged *f, int64_t v, size_t n)
{
    bool null = v == SB_NULL;
    struct sb_dir_block d = {
        .at = f->out.n, .sum = (uint32_t)sb_hash("", 0), .nulls = null ? (uint32_t)n : 0};
    d.packed =
        (struct sb_packed){.min = null ? 1 : v, .max = null ? 0 : v, .how = null ? SB_PACK_HAS_NULL : 0};
    d.total = null ? 0 : (int64_t)((uint64_t)v * n);
    return d;
}

static void
forge_inflated(struct forged *f, struct sb_out *dir, unsigned tab, unsigned column)
{
    const struct forged_table *t = &f->table[tab];
    for (uint64_t at = 0, rows = (uint64_t)t->claims; at < rows; at += SB_BLOCK_ROWS) {
        size_t n = rows - at < SB_BLOCK_ROWS ? rows - at : SB_BLOCK_ROWS;
        struct sb_dir_block d = forge_equal_rows(f, t->rows > 0 ? t->column[column].v[0] : SB_NULL, n);
        *SB_PUSH(&f->blocks) = dir->n;
        sb_out_bytes(dir, &d, sizeof d);
    }
}

static void
forge_blocks(struct forged *f, struct sb_out *dir, unsigned tab, unsigned column)
{
    struct forged_column *col = &f->table[tab].column[column];
    uint64_t rows = f->table[tab].rows;
    if (f->table[tab].inflated) {
        forge_inflated(f, dir, tab, column);
        return;
    }
    bool same = col->of_base && rows == f->base->good.table[tab].rows;
    col->first_block = f->blocks.n;
    for (uint64_t b = 0; b < forge_n_blocks(rows); b++) {
        uint64_t left = rows - b * SB_BLOCK_ROWS;
        struct sb_dir_block d = {0};
        if (same)
            forge_copy_block(f, &d, tab, column, b);
        else
            forge_block(f, &d, col->v + b * SB_BLOCK_ROWS, left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS);
        *SB_PUSH(&f->blocks) = dir->n;
        sb_out_bytes(dir, &d, sizeof d);
    }
}

/* The dictionary of a text column is all texts. */
static void
forge_column(struct forged *f, struct sb_out *dir, unsigned tab, unsigned column)
{
    const struct sb_column *desc = &sb_schema[tab].column[column];
    const struct forged_table *t = &f->table[tab];
    struct sb_dir_column c = {.type = desc->type,
                              .n_dict = desc->type == SB_TEXT ? (uint32_t)f->n_texts : 0,
                              .n_blocks = forge_n_blocks(t->inflated ? (uint64_t)t->claims : t->rows)};
    snprintf(c.name, sizeof c.name, "%s", desc->name);
    *SB_PUSH(&f->columns) = dir->n;
    sb_out_bytes(dir, &c, sizeof c);
    sb_out_bytes(dir, f->text_id, c.n_dict * sizeof *f->text_id);
    sb_out_pad(dir, 0, c.n_dict % 2 * sizeof(uint32_t));
    forge_blocks(f, dir, tab, column);
}

static void
forge_table(struct forged *f, struct sb_out *dir, unsigned tab)
{
    struct forged_table *t = &f->table[tab];
    struct sb_dir_table d = {.rows = t->claims < 0 ? t->rows : (uint64_t)t->claims};
    snprintf(d.name, sizeof d.name, "%s", sb_schema[tab].name);
    for (unsigned c = 0; c < sb_schema[tab].n_columns; c++)
        d.n_columns += t->column[c].v != NULL && !t->bare;
    *SB_PUSH(&f->tables) = dir->n;
    sb_out_bytes(dir, &d, sizeof d);
    for (unsigned c = 0; c < sb_schema[tab].n_columns; c++)
        if (t->column[c].v && !t->bare)
            forge_column(f, dir, tab, c);
}

static void
forge_texts(struct forged *f, struct sb_out *dir)
{
    for (size_t from = 0; from < f->n_texts; from += SB_CHUNK_TEXTS) {
        size_t n = f->n_texts - from < SB_CHUNK_TEXTS ? f->n_texts - from : SB_CHUNK_TEXTS, at = f->out.n;
        uint32_t end = 0;
        for (size_t i = 0; i < n; i++) {
            end += (uint32_t)f->text[from + i].n;
            sb_out_bytes(&f->out, &end, sizeof end);
        }
        for (size_t i = 0; i < n; i++)
            sb_out_str(&f->out, f->text[from + i]);
        sb_out_pad(&f->out, 0, -f->out.n & 7);
        struct sb_dir_chunk c = {at, (uint32_t)(f->out.n - at), 0};
        *SB_PUSH(&f->chunks) = dir->n;
        sb_out_bytes(dir, &c, sizeof c);
    }
}

void
forge_write(struct forged *f)
{
    struct sb_sbp_head head = {.version = SB_SBP_VERSION, .block_rows = SB_BLOCK_ROWS};
    struct sb_dir_head h = {0, (uint32_t)forge_n_blocks(0), f->n_texts};
    struct sb_out dir;
    memcpy(head.magic, SB_SBP_MAGIC, sizeof head.magic);
    sb_out_to_memory(&f->out);
    sb_out_to_memory(&dir);
    sb_out_bytes(&f->out, &head, sizeof head);
    h.n_chunks = (uint32_t)((f->n_texts + SB_CHUNK_TEXTS - 1) / SB_CHUNK_TEXTS);
    for (unsigned t = 0; t < SB_TABLES; t++)
        h.n_tables += f->table[t].written;
    sb_out_bytes(&dir, &h, sizeof h);
    forge_texts(f, &dir);
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned k = 0; k < f->table[t].written; k++)
            forge_table(f, &dir, t);
    f->foot = (struct sb_sbp_foot){.dir_at = f->out.n, .dir_bytes = dir.n};
    sb_out_bytes(&f->out, dir.buf, dir.n);
    sb_out_bytes(&f->out, &f->foot, sizeof f->foot);
    sb_out_abandon(&dir);
}

/* ---- changes to bytes, and the checksums ---- */

static size_t
forge_entry(const struct forged *f, const uint8_t in[FORGE_BYTES])
{
    const size_t *at[] = {f->blocks.at, f->chunks.at, f->columns.at, f->tables.at};
    const size_t n[] = {f->blocks.n, f->chunks.n, f->columns.n, f->tables.n};
    static const size_t bytes[] = {sizeof(struct sb_dir_block), sizeof(struct sb_dir_chunk),
                                   sizeof(struct sb_dir_column), sizeof(struct sb_dir_table)};
    size_t kind = in[0] / 4 % 4;
    return n[kind] == 0 ? 0 : f->foot.dir_at + at[kind][(in[1] | in[2] << 8) % n[kind]] + in[3] % bytes[kind];
}

static void
forge_bytes(struct forged *f, const uint8_t in[FORGE_BYTES])
{
    size_t end = f->out.n - sizeof f->foot;
    size_t any = (size_t)(in[1] | in[2] << 8 | in[3] << 16) % end;
    f->out.buf[in[0] % 4 == 3 ? any : forge_entry(f, in)] = (char)in[4];
}

void
forge_mend(struct forged *f)
{
    char *p = f->out.buf;
    uint64_t dir = f->foot.dir_at;
    for (size_t i = 0; i < f->blocks.n; i++) {
        struct sb_dir_block d;
        memcpy(&d, p + dir + f->blocks.at[i], sizeof d);
        if (d.at <= dir && d.packed.bytes <= dir - d.at)
            d.sum = (uint32_t)sb_hash(p + d.at, d.packed.bytes);
        memcpy(p + dir + f->blocks.at[i], &d, sizeof d);
    }
    for (size_t i = 0; i < f->chunks.n; i++) {
        struct sb_dir_chunk c;
        memcpy(&c, p + dir + f->chunks.at[i], sizeof c);
        if (c.at <= dir && c.bytes <= dir - c.at)
            c.sum = (uint32_t)sb_hash(p + c.at, c.bytes);
        memcpy(p + dir + f->chunks.at[i], &c, sizeof c);
    }
    f->foot.file_bytes = f->out.n;
    f->foot.dir_hash = sb_hash(p + dir, f->foot.dir_bytes);
    f->foot.foot_hash = sb_hash(&f->foot, offsetof(struct sb_sbp_foot, foot_hash));
    memcpy(f->foot.magic, SB_SBP_END, sizeof f->foot.magic);
    memcpy(p + f->out.n - sizeof f->foot, &f->foot, sizeof f->foot);
}

/* ---- a base ---- */

struct forge_base *
forge_base_open(const struct sb_profile *good)
{
    struct forge_base *b = sb_realloc_or_die(NULL, sizeof *b);
    b->of = good;
    forge_read(&b->good, good);
    forge_write(&b->good);
    return b;
}

void
forge_base_close(struct forge_base *b)
{
    forge_free(&b->good);
    free(b);
}

static void
forge_from(struct forged *f, const struct forge_base *b)
{
    memset(f, 0, sizeof *f);
    f->base = b;
    memcpy(f->table, b->good.table, sizeof f->table);
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            f->table[t].column[c].of_base = true;
    forge_make_texts(f, b->good.n_texts);
    memcpy(f->text, b->good.text, f->n_texts * sizeof *f->text);
}

void
forge(struct forged *f, const struct forge_base *base, const uint8_t *in, size_t n)
{
    size_t changes = n / FORGE_BYTES < FORGE_MOST_CHANGES ? n / FORGE_BYTES : FORGE_MOST_CHANGES;
    forge_from(f, base);
    for (size_t i = 0; i < changes; i++) { /* most changes are to values, which reach deepest */
        const uint8_t *c = in + i * FORGE_BYTES;
        if (c[0] < 176)
            forge_rows(f, c);
        else if (c[0] < 216)
            forge_claims(f, c);
    }
    forge_write(f);
    for (size_t i = 0; i < changes; i++)
        if (in[i * FORGE_BYTES] >= 216)
            forge_bytes(f, in + i * FORGE_BYTES);
    forge_mend(f);
}
