/*
 * Parquet: one file per table. Numbers are PLAIN 64-bit integers, texts go through a dictionary of each row
 * group; every column may hold NULL; pages are zstd. One column of one row group is in memory at a time.
 *
 *     "PAR1" | row group: column chunk: [dictionary page] data page ... | ... | footer (thrift) | its length |
 *         "PAR1"
 *     data page v1: length of levels | levels (bit-packed: 1 where there is a value) | values
 */
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "export/dataset.h"
#include "export/pick.h"
#include "export/thrift.h"
#include <zstd.h>

SB_EXPORTER(parquet) = {
    .name = "parquet",
    .suffix = ".parquet",
    .doc = "one table, or a folder of all tables: DuckDB, Spark, ClickHouse, pandas",
    .what = "",
    .per_table = true,
    .timeless = true,
    .write = write_parquet,
};

#define GROUP_ROWS (1u << 17)
#define PAGE_ROWS (1u << 15)
#define ZSTD_LEVEL 1

/* numbers of parquet.thrift */
enum { TYPE_INT64 = 2, TYPE_BYTE_ARRAY = 6 };
enum { PLAIN = 0, RLE = 3, RLE_DICTIONARY = 8 };
enum { PAGE_DATA = 0, PAGE_DICTIONARY = 2 };
enum { OPTIONAL = 1, CONVERTED_UTF8 = 0, CODEC_ZSTD = 6 };

struct chunk {
    uint64_t at, dictionary_at, data_at; /* offsets in the file; dictionary_at 0: none */
    int64_t plain_bytes, packed_bytes, values, nulls, min, max;
};
struct group {
    int64_t rows;
    size_t first_chunk;
};
struct writer {
    const struct sb_profile *profile;
    const struct sb_tab_desc *desc;
    enum sb_tab tab;
    struct sb_out *out, page, packed;
    uint64_t written;
    SB_VEC(struct chunk) chunks;
    SB_VEC(struct group) groups;
    int64_t rows;
    struct sb_pick select;
    SB_VEC(uint64_t) picked; /* rows of this group */
    int64_t *value;          /* of one column, in the order of picked */
    struct sb_map dictionary;
    SB_VEC(int64_t) texts; /* the dictionary's text ids in order */
    ZSTD_CCtx *zstd;
    bool failed, dataset;
};

static void
put(struct writer *w, const void *p, size_t n)
{
    sb_out_bytes(w->out, p, n);
    w->written += n;
}

/* ---- pages */

/* Numbers of `width` bits, packed from the lowest bit up, in one run of groups of eight. */
struct bits {
    struct sb_out *out;
    uint64_t acc;
    unsigned held, width;
};

static void
begin_bits(struct bits *b, struct sb_out *out, unsigned width, size_t n)
{
    *b = (struct bits){.out = out, .width = width};
    for (uint64_t head = (uint64_t)(n + 7) / 8 << 1 | 1;; head >>= 7) {
        sb_out_char(out, (char)(head < 0x80 ? head : (head & 0x7f) | 0x80));
        if (head < 0x80)
            return;
    }
}

static void
put_bits(struct bits *b, uint64_t v)
{
    b->acc |= v << b->held;
    for (b->held += b->width; b->held >= 8; b->held -= 8, b->acc >>= 8)
        sb_out_char(b->out, (char)b->acc);
}

static void
end_bits(struct bits *b, size_t n)
{
    for (; n % 8 != 0; n++)
        put_bits(b, 0);
}

static void
put_levels(struct writer *w, const int64_t *value, size_t n)
{
    struct bits b;
    uint32_t zero = 0;
    sb_out_bytes(&w->page, &zero, 4);
    size_t from = w->page.n;
    begin_bits(&b, &w->page, 1, n);
    for (size_t i = 0; i < n; i++)
        put_bits(&b, value[i] != SB_NULL);
    end_bits(&b, n);
    uint32_t bytes = (uint32_t)(w->page.n - from);
    memcpy(w->page.buf + from - 4, &bytes, 4);
}

static void
write_page(struct writer *w, struct chunk *c, int type, size_t n, int encoding)
{
    struct sb_thrift t;
    size_t bound = ZSTD_compressBound(w->page.n);
    w->packed.n = 0;
    sb_out_pad(&w->packed, 0, bound);
    size_t packed = ZSTD_compressCCtx(w->zstd, w->packed.buf, bound, w->page.buf, w->page.n, ZSTD_LEVEL);
    if (ZSTD_isError(packed)) {
        w->failed = true;
        return;
    }
    SB_OUT_TO_MEMORY(head);
    sb_thrift_open(&t, &head);
    sb_thrift_i32(&t, 1, type);
    sb_thrift_i32(&t, 2, (int32_t)w->page.n);
    sb_thrift_i32(&t, 3, (int32_t)packed);
    sb_thrift_begin(&t, type == PAGE_DATA ? 5 : 7);
    sb_thrift_i32(&t, 1, (int32_t)n);
    sb_thrift_i32(&t, 2, encoding);
    if (type == PAGE_DATA) {
        sb_thrift_i32(&t, 3, RLE);
        sb_thrift_i32(&t, 4, RLE);
    }
    sb_thrift_end(&t);
    sb_thrift_end(&t);
    c->plain_bytes += (int64_t)(head.n + w->page.n);
    c->packed_bytes += (int64_t)(head.n + packed);
    put(w, head.buf, head.n);
    put(w, w->packed.buf, packed);
    w->page.n = 0;
}

/* ---- columns */

static void
write_numbers(struct writer *w, struct chunk *c, size_t n)
{
    for (size_t from = 0; from < n; from += PAGE_ROWS) {
        size_t rows = n - from < PAGE_ROWS ? n - from : PAGE_ROWS;
        const int64_t *v = w->value + from;
        put_levels(w, v, rows);
        for (size_t i = 0; i < rows; i++)
            if (v[i] != SB_NULL)
                sb_out_bytes(&w->page, &v[i], sizeof v[i]);
        write_page(w, c, PAGE_DATA, rows, PLAIN);
    }
}

static void
put_text(struct writer *w, struct sb_str s)
{
    uint32_t length = 0;
    size_t at = w->page.n, step;
    sb_out_bytes(&w->page, &length, sizeof length);
    for (uint32_t c; s.n > 0; s = sb_str_sub(s, step ? step : 1, s.n)) {
        step = sb_utf8_get(s.p, s.n, &c);
        if (step)
            sb_out_bytes(&w->page, s.p, step);
        else
            sb_out_z(&w->page, "\xef\xbf\xbd");
    }
    length = (uint32_t)(w->page.n - at - sizeof length);
    memcpy(w->page.buf + at, &length, sizeof length);
}

static void
number_texts(struct writer *w, size_t n) /* values become numbers in the dictionary */
{
    sb_map_clear(&w->dictionary);
    w->texts.n = 0;
    for (size_t i = 0; i < n; i++) {
        if (w->value[i] == SB_NULL)
            continue;
        uint32_t number = sb_map_place(&w->dictionary, (uint64_t)w->value[i], w->texts.n);
        if (number == w->texts.n)
            *SB_PUSH(&w->texts) = w->value[i];
        w->value[i] = number;
    }
}

static void
write_indices(struct writer *w, struct chunk *c, const int64_t *v, size_t rows, unsigned width)
{
    struct bits b;
    size_t present = 0;
    put_levels(w, v, rows);
    for (size_t i = 0; i < rows; i++)
        present += v[i] != SB_NULL;
    sb_out_char(&w->page, (char)width);
    begin_bits(&b, &w->page, width, present);
    for (size_t i = 0; i < rows; i++)
        if (v[i] != SB_NULL)
            put_bits(&b, (uint64_t)v[i]);
    end_bits(&b, present);
    write_page(w, c, PAGE_DATA, rows, RLE_DICTIONARY);
}

static void
write_texts(struct writer *w, struct chunk *c, size_t n)
{
    unsigned width = 1;
    number_texts(w, n);
    while (w->texts.n > (uint64_t)1 << width)
        width++;
    for (size_t i = 0; i < w->texts.n; i++)
        put_text(w, sb_profile_text(w->profile, w->texts.at[i]));
    c->dictionary_at = w->written;
    write_page(w, c, PAGE_DICTIONARY, w->texts.n, PLAIN);
    c->data_at = w->written;
    for (size_t from = 0; from < n; from += PAGE_ROWS)
        write_indices(w, c, w->value + from, n - from < PAGE_ROWS ? n - from : PAGE_ROWS, width);
}

static void
read_column(struct writer *w, unsigned col, struct chunk *c)
{
    int64_t block[SB_BLOCK_ROWS];
    uint64_t rows = sb_profile_rows(w->profile, w->tab);
    c->min = INT64_MAX, c->max = INT64_MIN;
    for (size_t i = 0; i < w->picked.n;) {
        uint64_t first = w->picked.at[i] / SB_BLOCK_ROWS * SB_BLOCK_ROWS;
        sb_profile_read(w->profile, w->tab, col, first,
                        rows - first < SB_BLOCK_ROWS ? rows - first : SB_BLOCK_ROWS, block);
        for (; i < w->picked.n && w->picked.at[i] < first + SB_BLOCK_ROWS; i++) {
            int64_t v = w->value[i] = block[w->picked.at[i] - first];
            c->nulls += v == SB_NULL;
            c->min = v != SB_NULL && v < c->min ? v : c->min;
            c->max = v != SB_NULL && v > c->max ? v : c->max;
        }
    }
}

static void
write_group(struct writer *w)
{
    *SB_PUSH(&w->groups) = (struct group){(int64_t)w->picked.n, w->chunks.n};
    for (unsigned col = 0; col < w->desc->n_columns; col++) {
        struct chunk c = {.at = w->written, .data_at = w->written, .values = (int64_t)w->picked.n};
        read_column(w, col, &c);
        if (w->desc->column[col].type == SB_TEXT)
            write_texts(w, &c, w->picked.n);
        else
            write_numbers(w, &c, w->picked.n);
        *SB_PUSH(&w->chunks) = c;
    }
    w->rows += (int64_t)w->picked.n;
    w->picked.n = 0;
    sb_profile_release(w->profile);
}

static void
write_groups(struct writer *w)
{
    uint16_t place[SB_BLOCK_ROWS];
    uint64_t rows = sb_profile_rows(w->profile, w->tab);
    for (uint64_t row = 0; row < rows; row += SB_BLOCK_ROWS) {
        size_t n =
            sb_pick_rows(&w->select, row, rows - row < SB_BLOCK_ROWS ? rows - row : SB_BLOCK_ROWS, place);
        for (size_t i = 0; i < n; i++)
            *SB_PUSH(&w->picked) = row + place[i];
        if (w->picked.n + SB_BLOCK_ROWS > GROUP_ROWS)
            write_group(w);
    }
    if (w->picked.n > 0)
        write_group(w);
}

/* ---- the footer */

static struct sb_str
name(const struct writer *w, unsigned col)
{
    const char *own = w->desc->column[col].name;
    return sb_str_of(w->dataset ? sb_dataset_column(own) : own);
}

static void
put_schema(struct writer *w, struct sb_thrift *t)
{
    sb_thrift_list(t, 2, SB_THRIFT_STRUCT, w->desc->n_columns + 1);
    sb_thrift_item_begin(t);
    sb_thrift_str(t, 4, sb_str_of(w->desc->name));
    sb_thrift_i32(t, 5, (int32_t)w->desc->n_columns);
    sb_thrift_end(t);
    for (unsigned c = 0; c < w->desc->n_columns; c++) {
        bool text = w->desc->column[c].type == SB_TEXT;
        sb_thrift_item_begin(t);
        sb_thrift_i32(t, 1, text ? TYPE_BYTE_ARRAY : TYPE_INT64);
        sb_thrift_i32(t, 3, OPTIONAL);
        sb_thrift_str(t, 4, name(w, c));
        if (text)
            sb_thrift_i32(t, 6, CONVERTED_UTF8);
        sb_thrift_end(t);
    }
}

static void
put_statistics(struct sb_thrift *t, const struct chunk *c, bool text)
{
    sb_thrift_begin(t, 12);
    sb_thrift_i64(t, 3, c->nulls);
    if (!text && c->nulls < c->values) {
        sb_thrift_str(t, 5, (struct sb_str){(const char *)&c->max, sizeof c->max});
        sb_thrift_str(t, 6, (struct sb_str){(const char *)&c->min, sizeof c->min});
    }
    sb_thrift_end(t);
}

static void
put_chunk(struct writer *w, struct sb_thrift *t, const struct chunk *c, unsigned col)
{
    bool text = w->desc->column[col].type == SB_TEXT;
    sb_thrift_item_begin(t);
    sb_thrift_i64(t, 2, (int64_t)c->at);
    sb_thrift_begin(t, 3);
    sb_thrift_i32(t, 1, text ? TYPE_BYTE_ARRAY : TYPE_INT64);
    sb_thrift_list(t, 2, SB_THRIFT_I32, text ? 3 : 2);
    sb_thrift_item_i32(t, PLAIN);
    sb_thrift_item_i32(t, RLE);
    if (text)
        sb_thrift_item_i32(t, RLE_DICTIONARY);
    sb_thrift_list(t, 3, SB_THRIFT_BINARY, 1);
    sb_thrift_item_str(t, name(w, col));
    sb_thrift_i32(t, 4, CODEC_ZSTD);
    sb_thrift_i64(t, 5, c->values);
    sb_thrift_i64(t, 6, c->plain_bytes);
    sb_thrift_i64(t, 7, c->packed_bytes);
    sb_thrift_i64(t, 9, (int64_t)c->data_at);
    if (text)
        sb_thrift_i64(t, 11, (int64_t)c->dictionary_at);
    put_statistics(t, c, text);
    sb_thrift_end(t);
    sb_thrift_end(t);
}

static void
put_groups(struct writer *w, struct sb_thrift *t)
{
    sb_thrift_list(t, 4, SB_THRIFT_STRUCT, (uint32_t)w->groups.n);
    for (size_t g = 0; g < w->groups.n; g++) {
        const struct chunk *first = &w->chunks.at[w->groups.at[g].first_chunk];
        int64_t bytes = 0;
        sb_thrift_item_begin(t);
        sb_thrift_list(t, 1, SB_THRIFT_STRUCT, w->desc->n_columns);
        for (unsigned c = 0; c < w->desc->n_columns; c++) {
            put_chunk(w, t, &first[c], c);
            bytes += first[c].plain_bytes;
        }
        sb_thrift_i64(t, 2, bytes);
        sb_thrift_i64(t, 3, w->groups.at[g].rows);
        sb_thrift_end(t);
    }
}

static void
put_fact(struct sb_thrift *t, struct sb_str key, struct sb_str value)
{
    sb_thrift_item_begin(t);
    sb_thrift_str(t, 1, key);
    sb_thrift_str(t, 2, value);
    sb_thrift_end(t);
}

static void
put_facts(struct writer *w, struct sb_thrift *t) /* what the columns mean, and the version of the schema */
{
    sb_thrift_list(t, 5, SB_THRIFT_STRUCT, w->desc->n_columns + w->dataset);
    for (unsigned c = 0; c < w->desc->n_columns; c++)
        put_fact(t, name(w, c), sb_str_of(w->desc->column[c].doc));
    if (w->dataset)
        put_fact(t, SB_STR("strobe.schema"), SB_STR(SB_DATASET_SCHEMA));
}

static void
write_footer(struct writer *w)
{
    struct sb_thrift t;
    w->page.n = 0;
    sb_thrift_open(&t, &w->page);
    sb_thrift_i32(&t, 1, 2);
    put_schema(w, &t);
    sb_thrift_i64(&t, 3, w->rows);
    put_groups(w, &t);
    put_facts(w, &t);
    sb_thrift_str(&t, 6, SB_STR("strobe " SB_VERSION));
    sb_thrift_end(&t);
    uint32_t bytes = (uint32_t)w->page.n;
    put(w, w->page.buf, w->page.n);
    put(w, &bytes, sizeof bytes);
    put(w, "PAR1", 4);
}

static bool
write_parquet(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
              struct sb_err *e)
{
    enum sb_tab tab;
    if (!sb_schema_table(sb_str_of(o->table), &tab))
        return sb_err_set(e, SB_ERR_USAGE, "unknown table '%s'", o->table);
    struct writer w = {.profile = p,
                       .desc = &sb_schema[tab],
                       .tab = tab,
                       .out = out,
                       .zstd = ZSTD_createCCtx(),
                       .dataset = o->dataset};
    w.value = sb_realloc_or_die(NULL, GROUP_ROWS * sizeof *w.value);
    sb_out_to_memory(&w.page);
    sb_out_to_memory(&w.packed);
    sb_pick_open(&w.select, p, o, tab);
    put(&w, "PAR1", 4);
    write_groups(&w);
    write_footer(&w);
    sb_pick_close(&w.select);
    sb_out_abandon(&w.page);
    sb_out_abandon(&w.packed);
    sb_map_close(&w.dictionary);
    SB_VEC_FREE(&w.texts);
    SB_VEC_FREE(&w.chunks);
    SB_VEC_FREE(&w.groups);
    SB_VEC_FREE(&w.picked);
    free(w.value);
    ZSTD_freeCCtx(w.zstd);
    return w.failed ? sb_err_set(e, SB_ERR_SYSTEM, "zstd could not compress a page") : true;
}
