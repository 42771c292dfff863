#include "base/table.h"
#include "base/json.h"
#include <math.h>

void
sb_table_init(struct sb_table *t, struct sb_arena *a, const struct sb_column *columns, size_t n)
{
    *t = (struct sb_table){.arena = a, .column = columns, .n_columns = n};
}

void
sb_table_reserve(struct sb_table *t, size_t rows)
{
    if (rows <= t->cap_rows)
        return;
    union sb_cell *cell = SB_NEW_N(t->arena, union sb_cell, sb_mul_or_die(rows, t->n_columns));
    if (t->n_rows)
        memcpy(cell, t->cell, t->n_rows * t->n_columns * sizeof *cell);
    t->cell = cell;
    t->cap_rows = rows;
}

union sb_cell *
sb_table_row(struct sb_table *t)
{
    if (t->n_rows == t->cap_rows)
        sb_table_reserve(t, t->cap_rows ? sb_mul_or_die(t->cap_rows, 2) : 16);
    return t->cell + t->n_rows++ * t->n_columns;
}

void
sb_table_put(struct sb_table *t, const union sb_cell *cell, size_t n)
{
    SB_ASSERT(n == t->n_columns);
    memcpy(sb_table_row(t), cell, n * sizeof *cell);
}

static bool
is_null(const struct sb_column *c, const union sb_cell *v)
{
    return c->type == SB_INT ? v->i == SB_NULL : c->type == SB_REAL ? isnan(v->f) : v->s.p == NULL;
}

static void
json_cell(struct sb_json *j, const struct sb_column *c, const union sb_cell *v)
{
    if (is_null(c, v))
        sb_json_null(j);
    else if (c->type == SB_INT)
        sb_json_i64(j, v->i);
    else if (c->type == SB_REAL)
        sb_json_f64(j, v->f);
    else
        sb_json_str(j, v->s);
}

static void
write_json(const struct sb_table *t, struct sb_out *out)
{
    struct sb_json j;
    sb_json_open(&j, out, true);
    sb_json_arr(&j);
    for (size_t r = 0; r < t->n_rows; r++) {
        sb_json_obj(&j);
        for (size_t c = 0; c < t->n_columns; c++) {
            sb_json_key(&j, sb_str_of(t->column[c].name));
            json_cell(&j, &t->column[c], &t->cell[r * t->n_columns + c]);
        }
        sb_json_end(&j);
    }
    sb_json_end(&j);
}

/* CSV is quoted by RFC 4180. TSV has no common quoting, so tabs and line ends become blanks. */
static void
separated_text(struct sb_out *out, struct sb_str s, char separator)
{
    bool quote = false;
    for (size_t i = 0; i < s.n; i++)
        quote |= s.p[i] == '"' || s.p[i] == ',' || s.p[i] == '\n' || s.p[i] == '\r';
    if (separator == ',' && !quote) {
        sb_out_str(out, s);
        return;
    }
    if (separator == ',')
        sb_out_char(out, '"');
    for (size_t i = 0; i < s.n; i++) {
        if (separator == ',' && s.p[i] == '"')
            sb_out_char(out, '"');
        bool blank = separator == '\t' && (s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r');
        sb_out_char(out, blank ? ' ' : s.p[i]);
    }
    if (separator == ',')
        sb_out_char(out, '"');
}

static void
separated_cell(struct sb_out *out, const struct sb_column *c, const union sb_cell *v, char separator)
{
    if (is_null(c, v))
        return;
    if (c->type == SB_INT)
        sb_out_i64(out, v->i);
    else if (c->type == SB_REAL)
        sb_out_printf(out, "%.15g", v->f);
    else
        separated_text(out, v->s, separator);
}

static void
write_separated(const struct sb_table *t, struct sb_out *out, char separator)
{
    const char *line_end = separator == ',' ? "\r\n" : "\n";
    for (size_t c = 0; c < t->n_columns; c++) {
        if (c)
            sb_out_char(out, separator);
        separated_text(out, sb_str_of(t->column[c].name), separator);
    }
    sb_out_z(out, line_end);
    for (size_t r = 0; r < t->n_rows; r++) {
        for (size_t c = 0; c < t->n_columns; c++) {
            if (c)
                sb_out_char(out, separator);
            separated_cell(out, &t->column[c], &t->cell[r * t->n_columns + c], separator);
        }
        sb_out_z(out, line_end);
    }
}

void
sb_table_write(const struct sb_table *t, enum sb_format f, struct sb_out *out)
{
    switch (f) {
    case SB_FORMAT_TEXT:
        sb_table_write_text(t, out);
        break;
    case SB_FORMAT_JSON:
        write_json(t, out);
        break;
    case SB_FORMAT_CSV:
        write_separated(t, out, ',');
        break;
    case SB_FORMAT_TSV:
        write_separated(t, out, '\t');
        break;
    }
}
