#include "serve/reply.h"
#include "base/err.h"
#include "base/intern.h"
#include "base/json.h"
#include <math.h>

void
sb_reply_init(struct sb_reply *r, struct sb_arena *a)
{
    *r = (struct sb_reply){.arena = a};
}

struct sb_table *
sb_reply_room(struct sb_reply *r, const char *name)
{
    SB_ASSERT(r->n_tables < SB_REPLY_TABLES);
    r->at[r->n_tables].name = name;
    struct sb_table *t = &r->at[r->n_tables++].table;
    sb_table_init(t, r->arena, NULL, 0);
    return t;
}

struct sb_table *
sb_reply_table(struct sb_reply *r, const char *name, const struct sb_column *columns, size_t n)
{
    struct sb_table *t = sb_reply_room(r, name);
    sb_table_init(t, r->arena, columns, n);
    return t;
}

static union sb_cell *
fact(struct sb_reply *r, const char *key, int type)
{
    SB_ASSERT(r->n_facts < SB_REPLY_FACTS);
    struct sb_fact *f = &r->fact[r->n_facts++];
    f->key = key;
    f->type = type;
    return &f->value;
}

void
sb_reply_int(struct sb_reply *r, const char *key, int64_t v)
{
    fact(r, key, SB_FACT_INT)->i = v;
}

void
sb_reply_text(struct sb_reply *r, const char *key, struct sb_str v)
{
    fact(r, key, SB_FACT_TEXT)->s = v;
}

void
sb_reply_bool(struct sb_reply *r, const char *key, bool v)
{
    fact(r, key, SB_FACT_BOOL)->i = v;
}

static const char *
unit_name(enum sb_unit u)
{
    static const char *const name[] = {
        [SB_U_NONE] = "none",   [SB_U_NS] = "ns",       [SB_U_AT_NS] = "at_ns",
        [SB_U_WORDS] = "words", [SB_U_BYTES] = "bytes", [SB_U_COUNT] = "count",
        [SB_U_ID] = "id",       [SB_U_PPM] = "ppm",     [SB_U_PERCENT] = "none"};
    return name[u];
}

static void
write_text(struct sb_json *j, struct sb_str s)
{
    if (s.p)
        sb_json_str(j, s);
    else
        sb_json_null(j);
}

static void
write_facts(const struct sb_reply *r, struct sb_json *j)
{
    sb_json_obj(j);
    for (size_t i = 0; i < r->n_facts; i++) {
        const struct sb_fact *f = &r->fact[i];
        sb_json_key(j, sb_str_of(f->key));
        if (f->type == SB_FACT_TEXT)
            write_text(j, f->value.s);
        else if (f->type == SB_FACT_BOOL)
            sb_json_bool(j, f->value.i != 0);
        else if (f->value.i == SB_NULL)
            sb_json_null(j);
        else
            sb_json_i64(j, f->value.i);
    }
    sb_json_end(j);
}

/* The place of each column's bytes and the width of its values; the header states both. */
struct layout {
    uint64_t at;    /* from the start of the columns */
    unsigned width; /* bytes of a value; 8: a float */
    unsigned shift; /* a value is base + (stored << shift) */
    int64_t base;
    uint32_t *index; /* text columns: of each row */
    struct sb_intern text;
    bool digits; /* integers that a float would round are sent as texts */
};

static bool
is_indexed(const struct sb_column *c, const struct layout *l)
{
    return c->type == SB_TEXT || l->digits;
}

static unsigned
width_of(uint64_t most) /* all ones is NULL */
{
    return most < UINT8_MAX ? 1 : most < UINT16_MAX ? 2 : most < UINT32_MAX ? 4 : 8;
}

static uint64_t
padded(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

static struct sb_str
digits_of(int64_t v, struct sb_arena *a)
{
    return v == SB_NULL ? (struct sb_str){0} : sb_arena_printf(a, "%lld", (long long)v);
}

static void
index_texts(const struct sb_table *t, size_t c, struct layout *l)
{
    sb_intern_init(&l->text);
    l->index = SB_NEW_N(t->arena, uint32_t, t->n_rows + 1);
    for (size_t i = 0; i < t->n_rows; i++) {
        union sb_cell v = t->cell[i * t->n_columns + c];
        struct sb_str s = l->digits ? digits_of(v.i, t->arena) : v.s;
        /* 0 is the empty text in the interner and NULL here: add one to all */
        l->index[i] = s.p ? sb_intern_put(&l->text, s) + 1 : 0;
    }
    l->width = l->text.n < UINT8_MAX ? 1 : l->text.n < UINT16_MAX ? 2 : 4;
}

enum { EXACT_BITS = 53 };
#define EXACT (INT64_C(1) << EXACT_BITS) /* a float holds every integer up to here */

/* Chooses the fewest bytes that hold the range, without the low zero bits that all distances from the
   smallest share. */
static void
fit_numbers(const struct sb_table *t, size_t c, struct layout *l)
{
    int64_t least = INT64_MAX, most = INT64_MIN;
    uint64_t first = 0,
             /* bits that differ from the first: their low zeros are those of all distances */
        bits = 0;
    l->width = sizeof(double);
    if (t->column[c].type == SB_REAL)
        return;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t v = t->cell[i * t->n_columns + c].i;
        if (v == SB_NULL)
            continue;
        first = least > most ? (uint64_t)v : first;
        bits |= (uint64_t)v - first;
        least = v < least ? v : least;
        most = v > most ? v : most;
    }
    if (least <= most && (least < -EXACT || most > EXACT)) {
        l->digits = true;
        index_texts(t, c, l);
        return;
    }
    l->base = least <= most ? least : 0;
    l->shift = bits ? (unsigned)__builtin_ctzll(bits) : 0;
    l->width = width_of(least <= most ? ((uint64_t)most - (uint64_t)least) >> l->shift : 0);
}

static uint64_t
lay_out(const struct sb_table *t, struct layout *l, uint64_t at)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        l[c].at = at;
        (t->column[c].type == SB_TEXT ? index_texts : fit_numbers)(t, c, &l[c]);
        at += padded(t->n_rows * l[c].width);
    }
    return at;
}

static void
write_column_header(const struct sb_column *c, const struct layout *l, uint64_t base, struct sb_json *j)
{
    sb_json_obj(j);
    SB_JSON(j, "name", str, sb_str_of(c->name));
    SB_JSON(j, "unit", str, sb_str_of(unit_name(c->unit)));
    SB_JSON(j, "doc", str, sb_str_of(c->doc ? c->doc : ""));
    SB_JSON(j, "at", u64, base + l->at);
    SB_JSON(j, "width", u64, l->width);
    if (l->digits) {
        SB_JSON(j, "digits", bool, true);
    }
    if (!is_indexed(c, l) && l->width < sizeof(double)) {
        SB_JSON(j, "base", i64, l->base);
        SB_JSON(j, "shift", u64, l->shift);
    }
    if (is_indexed(c, l)) {
        SB_JSON(j, "texts", arr);
        for (size_t i = 0; i < l->text.n; i++)
            sb_json_str(j, sb_intern_text(&l->text, (uint32_t)i));
        sb_json_end(j);
    }
    sb_json_end(j);
}

static void
write_table_header(const char *name, const struct sb_table *t, const struct layout *l, uint64_t base,
                   struct sb_json *j)
{
    sb_json_obj(j);
    SB_JSON(j, "name", str, sb_str_of(name));
    SB_JSON(j, "title", str, t->title);
    SB_JSON(j, "rows", u64, t->n_rows);
    SB_JSON(j, "left_out", u64, t->rows_left_out);
    SB_JSON(j, "columns", arr);
    for (size_t c = 0; c < t->n_columns; c++)
        write_column_header(&t->column[c], &l[c], base, j);
    sb_json_end(j);
    sb_json_end(j);
}

static void
write_header(const struct sb_reply *r, struct layout *const *l, uint64_t base, struct sb_out *out)
{
    struct sb_json j;
    sb_json_open(&j, out, false);
    sb_json_obj(&j);
    sb_json_key(&j, SB_STR("meta"));
    write_facts(r, &j);
    SB_JSON(&j, "tables", arr);
    for (size_t i = 0; i < r->n_tables; i++)
        write_table_header(r->at[i].name, &r->at[i].table, l[i], base, &j);
    sb_json_end(&j);
    sb_json_end(&j);
}

static double
number(const struct sb_column *c, union sb_cell v)
{
    if (c->type == SB_REAL)
        return v.f;
    return v.i == SB_NULL ? NAN : (double)v.i;
}

/* Returns the stored form of a cell in fewer than eight bytes. */
static uint64_t
stored(const struct sb_column *c, const struct layout *l, size_t row, union sb_cell v)
{
    if (is_indexed(c, l))
        return l->index[row];
    return v.i == SB_NULL ? UINT64_MAX : ((uint64_t)v.i - (uint64_t)l->base) >> l->shift;
}

static void
write_column(const struct sb_table *t, size_t c, const struct layout *l, struct sb_out *out)
{
    unsigned char run[4096];
    size_t n = 0;
    const struct sb_column *column = &t->column[c];
    for (size_t i = 0; i < t->n_rows; i++) {
        union sb_cell v = t->cell[i * t->n_columns + c];
        double whole = l->width == sizeof whole ? number(column, v) : 0;
        uint64_t part = l->width == sizeof whole ? 0 : stored(column, l, i, v);
        memcpy(run + n, l->width == sizeof whole ? (void *)&whole : (void *)&part, l->width);
        n += l->width;
        if (n == sizeof run) {
            sb_out_bytes(out, run, n);
            n = 0;
        }
    }
    sb_out_bytes(out, run, n);
    uint64_t bytes = t->n_rows * l->width;
    sb_out_pad(out, 0, padded(bytes) - bytes);
}

/* Writes the header. Its positions depend on its own length, so it is written for a base of ten digits, then
   padded. */
static void
write_block(const struct sb_reply *r, struct layout *const *l, struct sb_out *out)
{
    SB_OUT_TO_MEMORY(header);
    write_header(r, l, UINT64_C(1000000000), &header);
    uint64_t length = padded(header.n), base = 8 + length;
    header.n = 0;
    write_header(r, l, base, &header); /* positions only got shorter */
    sb_out_bytes(out, "SBC2", 4);
    uint32_t n = (uint32_t)length;
    sb_out_bytes(out, &n, sizeof n);
    sb_out_bytes(out, header.buf, header.n);
    sb_out_pad(out, ' ', length - header.n);
    for (size_t i = 0; i < r->n_tables; i++)
        for (size_t c = 0; c < r->at[i].table.n_columns; c++)
            write_column(&r->at[i].table, c, &l[i][c], out);
}

void
sb_reply_write(const struct sb_reply *r, struct sb_out *out)
{
    struct layout *l[SB_REPLY_TABLES];
    uint64_t at = 0;
    for (size_t i = 0; i < r->n_tables; i++) {
        l[i] = SB_NEW_N(r->arena, struct layout, r->at[i].table.n_columns + 1);
        at = lay_out(&r->at[i].table, l[i], at);
    }
    write_block(r, l, out);
    for (size_t i = 0; i < r->n_tables; i++)
        for (size_t c = 0; c < r->at[i].table.n_columns; c++)
            if (is_indexed(&r->at[i].table.column[c], &l[i][c]))
                sb_intern_close(&l[i][c].text);
}

/* {"meta": {...}, "TABLE": [{...}, ...], ...} */
void
sb_reply_write_json(const struct sb_reply *r, struct sb_out *out)
{
    struct sb_json j;
    sb_out_z(out, "{\"meta\": ");
    sb_json_open(&j, out, false);
    write_facts(r, &j);
    for (size_t i = 0; i < r->n_tables; i++) {
        sb_out_printf(out, ",\n\"%s\": ", r->at[i].name);
        SB_OUT_TO_MEMORY(rows);
        sb_table_write(&r->at[i].table, SB_FORMAT_JSON, &rows);
        sb_out_bytes(out, rows.buf, rows.n);
    }
    sb_out_z(out, "}\n");
}
