#include "cli/frame/fail_on.h"
#include <ctype.h>
#include <stdlib.h>

static const char *const operators[] = {">=", "<=", "!=", "==", ">", "<", "="};

bool
sb_limit_parse(const char *text, struct sb_limit *l, struct sb_err *e)
{
    struct sb_str all = sb_str_of(text);
    for (size_t at = 0; at < all.n; at++)
        for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
            if (sb_str_starts(sb_str_sub(all, at, SIZE_MAX), sb_str_of(operators[k]))) {
                *l = (struct sb_limit){all, sb_str_trim(sb_str_sub(all, 0, at)),
                                       sb_str_trim(sb_str_sub(all, at + strlen(operators[k]), SIZE_MAX)),
                                       operators[k]};
                return (l->name.n > 0 && l->value.n > 0) ||
                       sb_err_set(e, SB_ERR_USAGE,
                                  "--fail-on expects NAME OP VALUE, such as 'lost > 0': '%s' is incomplete",
                                  text);
            }
    return sb_err_set(e, SB_ERR_USAGE, "--fail-on expects NAME OP VALUE, such as 'lost > 0', not '%s'", text);
}

/* Compares names without regard to case; blanks may be written as _: was_ready, LOST. */
static bool
is_name(struct sb_str a, struct sb_str b)
{
    bool same = a.n == b.n;
    for (size_t i = 0; i < a.n && same; i++)
        same = tolower((unsigned char)a.p[i]) == tolower((unsigned char)b.p[i]) ||
               (a.p[i] == ' ' && b.p[i] == '_');
    return same;
}

static bool
holds(const char *op, int64_t c)
{
    switch (op[0]) {
    case '>':
        return op[1] == '=' ? c >= 0 : c > 0;
    case '<':
        return op[1] == '=' ? c <= 0 : c < 0;
    case '!':
        return c != 0;
    default:
        return c == 0;
    }
}

/* Reads a time (1.5s, 20ms), a share followed by %, or a whole number. */
static bool
read_value(const struct sb_limit *l, enum sb_unit unit, int64_t *v, struct sb_err *e)
{
    struct sb_str s = l->value;
    double share;
    char *end, text[32];
    if (unit == SB_U_NS || unit == SB_U_AT_NS)
        return sb_str_to_ns(s, v) ||
               sb_err_set(e, SB_ERR_USAGE, "'%.*s' is not a time: write 1.5s, 20ms or nanoseconds",
                          SB_STR_ARG(s));
    if (s.p[s.n - 1] == '%' && s.n < sizeof text) {
        snprintf(text, sizeof text, "%.*s", (int)s.n - 1, s.p);
        share = strtod(text, &end);
        *v = (int64_t)(share * 1e4);
        if (end != text && *end == '\0' && unit == SB_U_PPM)
            return true;
    }
    return sb_str_to_i64(s, v) || sb_err_set(e, SB_ERR_USAGE, "'%.*s' is not a valid value for %.*s",
                                             SB_STR_ARG(s), SB_STR_ARG(l->name));
}

/* Reads a number of a column that has fractions: 12.5. */
static bool
read_real(const struct sb_limit *l, double *v, struct sb_err *e)
{
    char text[32], *end = text;
    if (l->value.n < sizeof text) {
        snprintf(text, sizeof text, "%.*s", SB_STR_ARG(l->value));
        *v = strtod(text, &end);
    }
    return (end != text && *end == '\0') ||
           sb_err_set(e, SB_ERR_USAGE, "'%.*s' is not a valid value for %.*s", SB_STR_ARG(l->value),
                      SB_STR_ARG(l->name));
}

static bool
crosses(const struct sb_limit *l, const union sb_cell *cell, enum sb_type type, enum sb_unit unit, bool *yes,
        struct sb_err *e)
{
    int64_t v;
    if (type == SB_TEXT) {
        *yes = cell->s.p && holds(l->op, sb_str_cmp(cell->s, l->value));
        return true;
    }
    if (type == SB_REAL) {
        double limit = 0;
        SB_TRY(read_real(l, &limit, e));
        *yes = cell->f == cell->f && holds(l->op, (cell->f > limit) - (cell->f < limit));
        return true;
    }
    SB_TRY(read_value(l, unit, &v, e));
    *yes = cell->i != SB_NULL && holds(l->op, (cell->i > v) - (cell->i < v));
    return true;
}

/* ---- the summary: one row per item */

static enum sb_unit
unit_of(struct sb_str name)
{
    return sb_str_eq(name, SB_STR("ns")) ? SB_U_NS : sb_str_eq(name, SB_STR("ppm")) ? SB_U_PPM : SB_U_COUNT;
}

static bool
check_items(const struct sb_limit *l, const struct sb_table *t, bool *crossed, struct sb_str *where,
            struct sb_err *e)
{
    bool known = false, has_value = false;
    for (size_t r = 0; r < t->n_rows && !*crossed; r++) {
        const union sb_cell *c = &t->cell[r * t->n_columns];
        if (!is_name(c[0].s, l->name))
            continue;
        known = true;
        has_value |= c[1].i != SB_NULL;
        SB_TRY(crosses(l, &c[1], SB_INT, unit_of(c[2].s), crossed, e));
        *where = c[3].s;
    }
    /* the summary has this item only if something was lost */
    if (!known && is_name(SB_STR("lost"), l->name)) {
        *where = SB_STR("nothing was lost");
        return crosses(l, &(union sb_cell){.i = 0}, SB_INT, SB_U_COUNT, crossed, e);
    }
    if (!known)
        return sb_err_set(e, SB_ERR_USAGE, "the summary has no item '%.*s'", SB_STR_ARG(l->name));
    return has_value || sb_err_set(e, SB_ERR_INPUT, "--fail-on '%.*s': the value is unknown in this profile",
                                   SB_STR_ARG(l->text));
}

/* ---- any other answer: the values of a column */

static bool
check_column(const struct sb_limit *l, const struct sb_table *t, bool *crossed, struct sb_str *where,
             struct sb_err *e)
{
    size_t column = 0;
    while (column < t->n_columns && !is_name(sb_str_of(t->column[column].name), l->name))
        column++;
    if (column == t->n_columns)
        return sb_err_set(e, SB_ERR_USAGE, "unknown column '%.*s'", SB_STR_ARG(l->name));
    const struct sb_column *c = &t->column[column];
    for (size_t r = 0; r < t->n_rows && !*crossed; r++) {
        const union sb_cell *row = &t->cell[r * t->n_columns];
        SB_TRY(crosses(l, &row[column], c->type, c->unit, crossed, e));
        if (!*crossed)
            continue;
        struct sb_str text = c->type == SB_TEXT ? row[column].s
                             : c->type == SB_INT
                                 ? sb_arena_str(t->arena, sb_str_of(sb_human(row[column].i, c->unit).text))
                                 : sb_arena_printf(t->arena, "%.3g", row[column].f);
        *where = sb_arena_printf(t->arena, "row %zu: %s = %.*s", r + 1, c->name, SB_STR_ARG(text));
    }
    return true;
}

bool
sb_limit_check(const struct sb_limit *l, const struct sb_table *t, bool *crossed, struct sb_str *where,
               struct sb_err *e)
{
    *crossed = false;
    bool items = t->n_columns > 3 && strcmp(t->column[0].name, "item") == 0;
    return items ? check_items(l, t, crossed, where, e) : check_column(l, t, crossed, where, e);
}
