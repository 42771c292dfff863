/* CSV as in RFC 4180: a header row, NULL as an empty field, quotes around commas, quotes and line ends. */
#include "export/pick.h"
#include <stdlib.h>

SB_EXPORTER(csv) = {
    .name = "csv",
    .suffix = ".csv",
    .doc = "one table, or a folder of all tables: spreadsheets, DuckDB, pandas",
    .what = "",
    .per_table = true,
    .timeless = true,
    .write = write_csv,
};

static void
put_text(struct sb_out *out, struct sb_str s)
{
    bool plain = s.n > 0 || !s.p;
    for (size_t i = 0; i < s.n && plain; i++)
        plain = s.p[i] != ',' && s.p[i] != '"' && s.p[i] != '\n' && s.p[i] != '\r';
    if (plain) {
        sb_out_str(out, s);
        return;
    }
    sb_out_char(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"')
            sb_out_char(out, '"');
        sb_out_char(out, s.p[i]);
    }
    sb_out_char(out, '"');
}

static void
put_row(struct sb_out *out, const struct sb_profile *p, const struct sb_tab_desc *d, int64_t *const *cell,
        size_t i)
{
    for (unsigned c = 0; c < d->n_columns; c++) {
        if (c > 0)
            sb_out_char(out, ',');
        int64_t v = cell[c][i];
        if (v != SB_NULL && d->column[c].type == SB_TEXT)
            put_text(out, sb_profile_text(p, v));
        else if (v != SB_NULL)
            sb_out_i64(out, v);
    }
    sb_out_z(out, "\r\n");
}

static void
put_header(struct sb_out *out, const struct sb_tab_desc *d)
{
    for (unsigned c = 0; c < d->n_columns; c++) {
        sb_out_z(out, c > 0 ? "," : "");
        sb_out_z(out, d->column[c].name);
    }
    sb_out_z(out, "\r\n");
}

static bool
write_csv(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out, struct sb_err *e)
{
    enum sb_tab t;
    if (!sb_schema_table(sb_str_of(o->table), &t))
        return sb_err_set(e, SB_ERR_USAGE, "unknown table '%s'", o->table);
    const struct sb_tab_desc *d = &sb_schema[t];
    struct sb_pick rows;
    int64_t *cell[64];
    uint16_t place[SB_BLOCK_ROWS];
    SB_ASSERT(d->n_columns <= 64);
    sb_pick_open(&rows, p, o, t);
    for (unsigned c = 0; c < d->n_columns; c++)
        cell[c] = sb_realloc_or_die(NULL, SB_BLOCK_ROWS * sizeof(int64_t));
    put_header(out, d);
    for (uint64_t row = 0, n_rows = sb_profile_rows(p, t); row < n_rows; row += SB_BLOCK_ROWS) {
        size_t n = n_rows - row < SB_BLOCK_ROWS ? n_rows - row : SB_BLOCK_ROWS;
        if (row % SB_SEGMENT_ROWS == 0)
            sb_profile_release(p);
        size_t kept = sb_pick_rows(&rows, row, n, place);
        for (unsigned c = 0; c < d->n_columns && kept > 0; c++)
            sb_profile_read(p, t, c, row, n, cell[c]);
        for (size_t i = 0; i < kept; i++)
            put_row(out, p, d, cell, place[i]);
    }
    for (unsigned c = 0; c < d->n_columns; c++)
        free(cell[c]);
    sb_pick_close(&rows);
    return true;
}
