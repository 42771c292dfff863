/*
 * The end of a profile: its texts, sorted, and the directory with the place of each block and the
 * dictionaries of the text columns.
 */
#include "profile/build_impl.h"
#include "base/hash.h"
#include "profile/pack_impl.h"
#include "profile/padding.h"

/* ---- texts: those in use, sorted ---- */

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
                     .id = sb_zeroed_or_die(b->texts.n + 1, sizeof *u.id)};
    for (unsigned i = 0; i < SB_TABLES; i++)
        for (unsigned c = 0; c < b->table[i].press.desc->n_columns; c++)
            for (size_t k = 0; k < b->table[i].press.column[c].dict.n; k++)
                u.id[b->table[i].press.column[c].dict.at[k]] = 1;
    u.id[0] = 1; /* no text: it is the first one of each profile, so that readers take an id of 0 for none */
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
    SB_OUT_TO_MEMORY(m);
    uint32_t end = 0;
    for (size_t i = 0; i < n; i++) {
        end += (uint32_t)sb_intern_text(&b->texts, handle[i]).n;
        sb_out_bytes(&m, &end, sizeof end);
    }
    for (size_t i = 0; i < n; i++)
        sb_out_str(&m, sb_intern_text(&b->texts, handle[i]));
    sb_out_pad(&m, 0, -m.n & 7);
    struct sb_dir_chunk c = {b->press.at, (uint32_t)m.n, (uint32_t)sb_hash(m.buf, m.n)};
    sb_press_put(&b->press, m.buf, m.n);
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
put_column(struct sb_out *dir, const struct sb_column *desc, const struct sb_press_column *c,
           const uint32_t *id)
{
    struct sb_dir_column d = {.type = desc->type, .n_dict = (uint32_t)c->dict.n, .n_blocks = c->blocks.n};
    name_to(d.name, desc->name);
    sb_out_bytes(dir, &d, sizeof d);
    for (size_t k = 0; k < c->dict.n; k++)
        sb_out_bytes(dir, &id[c->dict.at[k]], sizeof *id);
    sb_out_pad(dir, 0, c->dict.n % 2 * sizeof *id);
    sb_out_bytes(dir, c->blocks.at, c->blocks.n * sizeof *c->blocks.at);
}

/* A column of zeros, `bits` for each row. */
static void
put_padding(struct sb_build *b, struct sb_out *dir, uint64_t rows, unsigned bits)
{
    static const uint8_t zeros[SB_BLOCK_ROWS * sizeof(uint64_t)];
    struct sb_dir_column d = {.type = SB_INT, .n_blocks = (rows + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS};
    name_to(d.name, SB_PADDING);
    sb_out_bytes(dir, &d, sizeof d);
    for (uint64_t at = 0; at < rows; at += SB_BLOCK_ROWS) {
        size_t n = rows - at < SB_BLOCK_ROWS ? rows - at : SB_BLOCK_ROWS,
               bytes = sb_pack_bytes(n, bits, 0, SB_PACK_DISTANCE);
        struct sb_dir_block block = {.at = b->press.at,
                                     .packed = {.bytes = (uint32_t)bytes, .bits = (uint8_t)bits},
                                     .sum = (uint32_t)sb_hash(zeros, bytes)};
        sb_press_put(&b->press, zeros, bytes);
        sb_out_bytes(dir, &block, sizeof block);
    }
}

static uint64_t
bytes_of(const struct sb_press_table *t)
{
    uint64_t bytes = 0;
    for (unsigned c = 0; c < t->desc->n_columns; c++) {
        bytes += t->column[c].dict.n * sizeof(uint32_t);
        for (size_t i = 0; i < t->column[c].blocks.n; i++)
            bytes += t->column[c].blocks.at[i].packed.bytes;
    }
    return bytes;
}

static void
put_tables(struct sb_build *b, struct sb_out *dir, const uint32_t *id)
{
    for (unsigned i = 0; i < SB_TABLES; i++) {
        const struct sb_press_table *t = &b->table[i].press;
        unsigned padding = sb_padding_bits((enum sb_tab)i, t->total, bytes_of(t));
        struct sb_dir_table d = {.rows = t->total, .n_columns = t->desc->n_columns + (padding > 0)};
        name_to(d.name, t->desc->name);
        sb_out_bytes(dir, &d, sizeof d);
        for (unsigned c = 0; c < t->desc->n_columns; c++)
            put_column(dir, &t->desc->column[c], &t->column[c], id);
        if (padding > 0)
            put_padding(b, dir, t->total, padding);
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

void
sb_build_directory(struct sb_build *b)
{
    SB_OUT_TO_MEMORY(dir);
    put_directory(b, &dir);
    struct sb_sbp_foot foot = {
        .dir_at = b->press.at, .dir_bytes = dir.n, .dir_hash = sb_hash(dir.buf, dir.n)};
    foot.file_bytes = foot.dir_at + foot.dir_bytes + sizeof foot;
    foot.foot_hash = sb_hash(&foot, offsetof(struct sb_sbp_foot, foot_hash));
    memcpy(foot.magic, SB_SBP_END, sizeof foot.magic);
    sb_press_put(&b->press, dir.buf, dir.n);
    sb_press_put(&b->press, &foot, sizeof foot);
}
