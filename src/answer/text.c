/* A table as text: the columns that fit, short headers, times in suitable units. */
#include "answer/answer.h"
#include "base/intern.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "why/program/words.h"

enum { GAP = 2, TEXT_AT_LEAST = 12, TEXT_AT_MOST = 40 };

static bool
is_listed(const char *list, const char *name)
{
    struct sb_str rest = sb_str_of(list);
    while (rest.n > 0)
        if (sb_str_eq(sb_str_cut(&rest, ','), sb_str_of(name)))
            return true;
    return false;
}

/* The preferred width of a column; long texts can be truncated, so they ask for less. */
static size_t
width_of(const struct sb_answer *a, const struct sb_table *t, size_t c, const char *name)
{
    size_t width = strlen(name);
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *v = &t->cell[r * t->n_columns + c];
        size_t n = t->column[c].type == SB_TEXT  ? sb_utf8_count(v->s)
                   : t->column[c].type != SB_INT ? 8
                   : v->i == SB_NULL             ? strlen("--")
                                                 : strlen(sb_human(v->i, t->column[c].unit).text);
        width = n > width ? n : width;
    }
    bool may_be_cut = t->column[c].type == SB_TEXT && !(a->whole && is_listed(a->whole, t->column[c].name));
    return may_be_cut && width > TEXT_AT_MOST ? TEXT_AT_MOST : width;
}

static bool
is_empty(const struct sb_table *t, size_t c)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *v = &t->cell[r * t->n_columns + c];
        if (t->column[c].type == SB_TEXT ? v->s.p != NULL : t->column[c].type == SB_REAL || v->i != SB_NULL)
            return false;
    }
    return true;
}

/* True for a column that is always shown. */
static bool
is_usual(const struct sb_answer *a, const struct sb_table *t, size_t c)
{
    return a->narrow == NULL || is_listed(a->narrow, t->column[c].name);
}

/* Returns the texts of a row that are always shown, one after the other. */
static struct sb_str
usual_texts(const struct sb_answer *a, const struct sb_table *t, size_t row, struct sb_arena *arena)
{
    struct sb_str s = {0};
    for (size_t c = 0; c < t->n_columns; c++)
        if (t->column[c].type == SB_TEXT && is_usual(a, t, c))
            s = sb_arena_printf(arena, "%.*s%.*s\n", SB_STR_ARG(s),
                                SB_STR_ARG(t->cell[row * t->n_columns + c].s));
    return s;
}

/* True for a column of pids that tells rows of equal names apart. */
static bool
is_needed(const struct sb_answer *a, const struct sb_table *t, size_t c)
{
    struct sb_intern names;
    SB_SCOPED SB_VEC(struct sb_str) pid = {0};
    bool differs = false;
    if (a->narrow == NULL || !sb_str_ends(sb_str_of(t->column[c].name), SB_STR("pid")))
        return false;
    sb_intern_init(&names);
    *SB_PUSH(&pid) = (struct sb_str){0}; /* id 0: the empty text */
    for (size_t r = 0; r < t->n_rows && !differs; r++) {
        struct sb_str mine = t->cell[r * t->n_columns + c].s;
        uint32_t id = sb_intern_put(&names, usual_texts(a, t, r, &names.arena));
        if (id == pid.n)
            *SB_PUSH(&pid) = mine;
        differs = !sb_str_eq(pid.at[id], mine);
    }
    sb_intern_close(&names);
    return differs;
}

/* A bound of runnable time that differs by more than a hundredth from it in a row that is shown. */
static bool
is_wide(const struct sb_table *t, size_t c)
{
    size_t value = 0;
    if (!is_listed("runnable_low_ns,runnable_high_ns", t->column[c].name))
        return false;
    while (value < t->n_columns && strcmp(t->column[value].name, "runnable_ns") != 0)
        value++;
    for (size_t r = 0; r < t->n_rows && value < t->n_columns; r++) {
        int64_t bound = t->cell[r * t->n_columns + c].i, ns = t->cell[r * t->n_columns + value].i;
        if (bound != SB_NULL && ns != SB_NULL && llabs(bound - ns) > ns / 100)
            return true;
    }
    return false;
}

/* Chooses the column sorted by, those that are needed and those that are always shown, then others from the left
 * while they fit. A column without a value is left out unless the question sorts by it. */
static size_t
choose(const struct sb_answer *a, const struct sb_table *t, const char *const *name, size_t by, size_t width,
       bool *shown)
{
    size_t used = 0, n = 0, flexible = 0;
    for (size_t c = 0; c < t->n_columns; c++) {
        shown[c] |=
            c == by || (!is_empty(t, c) && (is_usual(a, t, c) || is_needed(a, t, c) || is_wide(t, c)));
        if (!shown[c])
            continue;
        size_t w = width_of(a, t, c, name[c]);
        used += w + GAP;
        flexible += t->column[c].type == SB_TEXT && w > TEXT_AT_LEAST ? w - TEXT_AT_LEAST : 0;
        n++;
    }
    for (size_t c = 0; c < t->n_columns; c++) {
        if (shown[c] || (a->hide && is_listed(a->hide, t->column[c].name)) || is_empty(t, c))
            continue;
        size_t w = width_of(a, t, c, name[c]) + GAP;
        if (used + w > width + GAP)
            continue;
        shown[c] = true;
        used += w;
        n++;
    }
    /* still too wide: the last numbers are dropped, after the texts have been truncated as far as possible */
    for (size_t c = t->n_columns; c-- > 1 && used > width + GAP + flexible;)
        if (shown[c] && c != by && t->column[c].type != SB_TEXT) {
            shown[c] = false;
            used -= width_of(a, t, c, name[c]) + GAP;
            n--;
        }
    return n;
}

/* The same table with the names of nodes in place of their ids; `names`: the columns of nodes, to be shown. */
static const struct sb_table *
name_nodes(const struct sb_profile *p, const struct sb_table *from, bool *names, struct sb_arena *arena)
{
    struct sb_table *t = SB_NEW(arena, struct sb_table);
    struct sb_column *column = SB_NEW_N(arena, struct sb_column, from->n_columns + 1);
    size_t n = from->n_rows * from->n_columns;
    *t = *from;
    t->column = memcpy(column, from->column, from->n_columns * sizeof *column);
    t->cell = n > 0 ? memcpy(SB_NEW_N(arena, union sb_cell, n), from->cell, n * sizeof *t->cell) : NULL;
    for (size_t c = 0; c < from->n_columns; c++) {
        names[c] = is_listed("node,from_node,to_node", column[c].name);
        bool ids = names[c] && column[c].type == SB_INT;
        column[c].type = ids ? SB_TEXT : column[c].type;
        for (size_t i = c; ids && i < n; i += from->n_columns)
            t->cell[i].s = sb_profile_text(p, SB_CELL(p, node, name, (uint64_t)t->cell[i].i - 1));
    }
    return t;
}

/* The column that the question sorts by; n_columns: none. */
static size_t
sorted_by(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_table *t)
{
    const struct sb_column *by = sb_answer_order(a, ask->q, ask->arena);
    size_t c = ask->q->sort.n > 0 ? 0 : t->n_columns;
    while (c < t->n_columns && (by == NULL || strcmp(t->column[c].name, by->name) != 0))
        c++;
    return c;
}

static void
copy_row(const struct sb_ask *ask, const struct sb_table *from, size_t row, const bool *shown,
         struct sb_table *to)
{
    union sb_cell *cell = sb_table_row(to);
    for (size_t c = 0; c < from->n_columns; c++) {
        if (!shown[c])
            continue;
        *cell = from->cell[row * from->n_columns + c];
        if (from->column[c].type == SB_TEXT && cell->s.p)
            cell->s = sb_elixir_name(cell->s, ask->q->elixir, ask->arena);
        cell++;
    }
}

static struct sb_str
unknown_of(const struct sb_answer *a, const struct sb_table *t, const char *const *name,
           struct sb_arena *arena)
{
    struct sb_str s = {0};
    for (size_t c = 0; c < t->n_columns; c++)
        if (is_usual(a, t, c) && is_empty(t, c))
            s = sb_arena_printf(arena, "%.*s%s%s", SB_STR_ARG(s), s.n ? ", " : "", name[c]);
    return s;
}

void
sb_answer_text(const struct sb_answer *a, const struct sb_ask *ask, const struct sb_table *from, size_t width,
               struct sb_table *to, struct sb_str *unknown)
{
    bool *shown = SB_NEW_N(ask->arena, bool, from->n_columns + 1);
    const char **name = SB_NEW_N(ask->arena, const char *, from->n_columns + 1);
    for (size_t c = 0; c < from->n_columns; c++)
        name[c] = sb_answer_header(from->column[c].name, ask->arena);
    if (ask->profile && sb_traced_nodes(ask->profile) > 1)
        from = name_nodes(ask->profile, from, shown, ask->arena);
    size_t n = choose(a, from, name, sorted_by(a, ask, from), width, shown), k = 0;
    *unknown = unknown_of(a, from, name, ask->arena);
    struct sb_column *column = SB_NEW_N(ask->arena, struct sb_column, n + 1);
    for (size_t c = 0; c < from->n_columns; c++)
        if (shown[c]) {
            column[k] = from->column[c];
            column[k++].name = name[c];
        }
    sb_table_init(to, ask->arena, column, n);
    to->title = from->title;
    to->rows_left_out = from->rows_left_out;
    for (size_t r = 0; r < from->n_rows; r++)
        copy_row(ask, from, a->worst_last && ask->q->sort.n == 0 ? from->n_rows - 1 - r : r, shown, to);
}

void
sb_answer_name_as_elixir(const struct sb_table *t, struct sb_arena *a)
{
    for (size_t i = 0; i < t->n_rows * t->n_columns; i++)
        if (t->column[i % t->n_columns].type == SB_TEXT && t->cell[i].s.p)
            t->cell[i].s = sb_elixir_name(t->cell[i].s, true, a);
}
