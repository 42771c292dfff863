/*
 * A result table: every answer is one. Columns have a type, a unit and a line of documentation; text, JSON,
 * CSV and TSV are written from those alone. Rows live in an arena. One thread builds a table; after that it
 * is read-only.
 */
#pragma once
#include "base/arena.h"
#include "base/file.h"

#define SB_NULL INT64_MIN /* NULL in every integer column, here and in profiles */

static inline int64_t
sb_known(int64_t v) /* NULL counts as 0 */
{
    return v == SB_NULL ? 0 : v;
}

static inline void
sb_add_known(int64_t *sum, int64_t v) /* a sum of nothing but NULL is NULL */
{
    if (v != SB_NULL)
        *sum = (int64_t)((uint64_t)sb_known(*sum) + (uint64_t)v);
}

enum sb_unit {
    SB_U_NONE,
    SB_U_NS,
    SB_U_AT_NS,
    SB_U_WORDS,
    SB_U_BYTES,
    SB_U_COUNT,
    SB_U_ID,
    SB_U_PPM,
    SB_U_PERCENT
};
enum sb_type { SB_INT, SB_TEXT, SB_REAL };

struct sb_column {
    const char *name;
    enum sb_type type;
    enum sb_unit unit;
    const char *doc;
};

union sb_cell {
    int64_t i;       /* SB_INT: SB_NULL is NULL */
    double f;        /* SB_REAL: NaN is NULL */
    struct sb_str s; /* SB_TEXT: p == NULL is NULL */
};

struct sb_table {
    struct sb_arena *arena;
    struct sb_str title;
    const struct sb_column *column;
    size_t n_columns;
    union sb_cell *cell; /* row-major */
    size_t n_rows, cap_rows;
    uint64_t rows_left_out; /* by a limit; shown under the table */
};

void sb_table_init(struct sb_table *t, struct sb_arena *a, const struct sb_column *columns, size_t n);
void sb_table_reserve(struct sb_table *t, size_t rows); /* room for as many in all */
union sb_cell *sb_table_row(struct sb_table *t); /* the cells of a new row; valid until the next call */
/* Adds a row of these cells, one for each column: SB_ROW(t, {.i = id}, {.s = name}). */
#define SB_ROW(t, ...) \
    sb_table_put(t, (const union sb_cell[]){__VA_ARGS__}, \
                 sizeof((const union sb_cell[]){__VA_ARGS__}) / sizeof(union sb_cell))
void sb_table_put(struct sb_table *t, const union sb_cell *cell, size_t n);

enum sb_format { SB_FORMAT_TEXT, SB_FORMAT_JSON, SB_FORMAT_CSV, SB_FORMAT_TSV };
/* JSON: an array of objects keyed by column, NULL as null, integers unquoted. CSV: RFC 4180 with a header
 * row. */
void sb_table_write(const struct sb_table *t, enum sb_format f, struct sb_out *out);
void sb_table_write_text(const struct sb_table *t, struct sb_out *out); /* table_text.c */
/* `s` for a terminal: '?' for each control character (a line end in a name) and each byte that is not UTF-8. */
struct sb_str sb_table_printable(struct sb_arena *a, struct sb_str s);
/* For people: "12.3 ms", "4.5 kB", "1,234". The text of a result that is in no variable lasts for the expression. */
struct sb_human {
    char text[40];
} sb_human(int64_t v, enum sb_unit u);
