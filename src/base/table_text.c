/*
 * Tables for people: numbers aligned right with units, text aligned left, in the width of the terminal or 80
 * columns. When a line does not fit, the widest text columns are cut, and a mark shows the cut.
 */
#include "base/table.h"
#include "base/utf8.h"
#include <math.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { GAP = 2, NARROWEST_TEXT = 8, USUAL_WIDTH = 80 };

struct cell {
    struct sb_str text;
    size_t shared; /* characters with which another text of the column begins too */
};

/* Control characters, those that turn the direction of text among them. */
static bool
is_control(uint32_t c)
{
    return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

struct sb_str
sb_table_printable(struct sb_arena *a, struct sb_str s)
{
    char *p = sb_arena_alloc(a, s.n + 1, 1);
    size_t n = 0;
    for (size_t i = 0; i < s.n;) {
        uint32_t c;
        size_t len = sb_utf8_get(s.p + i, s.n - i, &c);
        if (len == 0 || is_control(c))
            p[n++] = '?';
        else
            for (size_t k = 0; k < len; k++)
                p[n++] = s.p[i + k];
        i += len ? len : 1;
    }
    return (struct sb_str){p, n};
}

static struct sb_str
show(struct sb_arena *a, const struct sb_column *c, const union sb_cell *v)
{
    if (c->type == SB_TEXT)
        return v->s.p ? sb_table_printable(a, v->s) : SB_STR("--");
    if (c->type == SB_REAL && c->unit == SB_U_PERCENT && !isnan(v->f))
        return sb_arena_printf(a, "%.2f %%", v->f);
    if (c->type == SB_REAL)
        return isnan(v->f)         ? SB_STR("--")
               : fabs(v->f) < 1000 ? sb_arena_printf(a, "%.3f", v->f)
                                   : sb_arena_str(a, sb_str_of(sb_human(llround(v->f), SB_U_COUNT).text));
    if (v->i == SB_NULL)
        return SB_STR("--");
    return sb_arena_str(a, sb_str_of(sb_human(v->i, c->unit).text));
}

static size_t
columns_of(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint64_t width;
    if (columns && sb_str_to_u64(sb_str_of(columns), &width) && width > 0 && width < 10000)
        return (size_t)width;
    if (fd >= 0 && isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return USUAL_WIDTH;
}

/* Takes from the widest text columns, one character at a time, until the line fits or nothing can give. */
static void
fit(const struct sb_table *t, size_t *width, size_t room)
{
    size_t total = t->n_columns ? GAP * (t->n_columns - 1) : 0;
    for (size_t c = 0; c < t->n_columns; c++)
        total += width[c];
    for (; total > room; total--) {
        size_t widest = t->n_columns;
        for (size_t c = 0; c < t->n_columns; c++)
            if (t->column[c].type == SB_TEXT && width[c] > NARROWEST_TEXT &&
                (widest == t->n_columns || width[c] > width[widest]))
                widest = c;
        if (widest == t->n_columns)
            return;
        width[widest]--;
    }
}

/* The first `n` characters of s. */
static struct sb_str
first(struct sb_str s, size_t n)
{
    size_t i = 0;
    while (i < s.n && (n > 0 || ((uint8_t)s.p[i] & 0xc0) == 0x80))
        n -= ((uint8_t)s.p[i++] & 0xc0) != 0x80;
    return (struct sb_str){s.p, i};
}

/* s without its first `n` characters. */
static struct sb_str
after(struct sb_str s, size_t n)
{
    return sb_str_sub(s, first(s, n).n, SIZE_MAX);
}

/* Texts of a column that would be alike after a cut at their end are cut in the middle, so that the first difference
 * stays: "channel 1 of 127.0.0.1:4242" as "channel 1 o...:4242". */
static void
put_cut(struct sb_out *out, struct sb_str s, size_t width, size_t shared)
{
    const char *mark = "\xe2\x80\xa6";
    size_t n = sb_utf8_count(s),
           room = shared + 1 < width ? 0
                  : width < 12       ? width / 2
                                     : width / 3,
           head = width - room - 1;
    sb_out_str(out, first(s, head));
    sb_out_z(out, mark);
    if (room == 0)
        return;
    size_t from = shared - room / 2;
    if (from + room >= n) {
        sb_out_str(out, after(s, n - room));
        return;
    }
    sb_out_str(out, first(after(s, from), room - 1));
    sb_out_z(out, mark);
}

static void
put_cell(struct sb_out *out, const struct cell *cell, size_t width, bool right, bool last)
{
    size_t have = sb_utf8_count(cell->text);
    if (have > width) {
        put_cut(out, cell->text, width, cell->shared);
        have = width;
    } else if (right) {
        sb_out_pad(out, ' ', width - have);
        sb_out_str(out, cell->text);
        have = width;
    } else {
        sb_out_str(out, cell->text);
    }
    if (!last)
        sb_out_pad(out, ' ', width - have + GAP);
}

static void
put_row(const struct sb_table *t, struct sb_out *out, const struct cell *cell, const size_t *width)
{
    for (size_t c = 0; c < t->n_columns; c++)
        put_cell(out, &cell[c], width[c], t->column[c].type != SB_TEXT, c + 1 == t->n_columns);
    sb_out_char(out, '\n');
}

static void
put_header(const struct sb_table *t, struct sb_out *out, const struct cell *name, const size_t *width)
{
    const char *no_color = getenv("NO_COLOR");
    bool bold = out->fd >= 0 && isatty(out->fd) && !(no_color && *no_color);
    if (bold)
        sb_out_z(out, "\033[1m");
    put_row(t, out, name, width);
    if (bold)
        sb_out_z(out, "\033[0m");
}

static int
by_text(const void *p, const void *q)
{
    const struct cell *const *a = p, *const *b = q;
    return sb_str_cmp((*a)->text, (*b)->text);
}

/* The number of characters with which both begin. */
static size_t
in_common(struct sb_str a, struct sb_str b)
{
    size_t n = 0;
    while (n < a.n && n < b.n && a.p[n] == b.p[n])
        n++;
    while (n > 0 && n < a.n && ((uint8_t)a.p[n] & 0xc0) == 0x80)
        n--;
    return sb_utf8_count((struct sb_str){a.p, n});
}

/* Of a column: what each text shares with the most similar one that is not the same. */
static void
compare(struct sb_arena *a, struct cell *cell, size_t rows, size_t columns)
{
    struct cell **order = SB_NEW_N(a, struct cell *, rows);
    for (size_t r = 0; r < rows; r++)
        order[r] = &cell[r * columns];
    qsort(order, rows, sizeof(struct cell *), by_text);
    for (size_t r = 1, same = 0; r <= rows; r++) { /* order[same] to order[r - 1] are the same */
        if (r < rows && sb_str_eq(order[r]->text, order[same]->text))
            continue;
        size_t shared = r < rows ? in_common(order[r]->text, order[same]->text) : 0;
        for (size_t i = same; i < r; i++)
            order[i]->shared = shared > order[i]->shared ? shared : order[i]->shared;
        same = r;
        for (size_t i = r; i < rows && sb_str_eq(order[i]->text, order[r]->text); i++)
            order[i]->shared = shared;
    }
}

void
sb_table_write_text(const struct sb_table *t, struct sb_out *out)
{
    SB_ARENA(a);
    size_t n = t->n_columns;
    size_t *width = SB_NEW_N(&a, size_t, n), *longest = SB_NEW_N(&a, size_t, n);
    struct cell *cell = SB_NEW_N(&a, struct cell, sb_mul_or_die(t->n_rows + 1, n));
    for (size_t c = 0; c < n; c++)
        cell[c].text = sb_str_of(t->column[c].name);
    for (size_t i = n; i < (t->n_rows + 1) * n; i++)
        cell[i].text = show(&a, &t->column[i % n], &t->cell[i - n]);
    for (size_t i = 0; i < (t->n_rows + 1) * n; i++)
        if (sb_utf8_count(cell[i].text) > width[i % n])
            width[i % n] = longest[i % n] = sb_utf8_count(cell[i].text);
    fit(t, width, columns_of(out->fd));
    for (size_t c = 0; c < n; c++)
        if (width[c] < longest[c] && t->n_rows > 1)
            compare(&a, cell + n + c, t->n_rows, n);
    if (t->title.n) {
        sb_out_str(out, t->title);
        sb_out_char(out, '\n');
    }
    put_header(t, out, cell, width);
    for (size_t r = 1; r <= t->n_rows; r++)
        put_row(t, out, cell + r * n, width);
    if (t->rows_left_out)
        sb_out_printf(out, "(%llu more)\n", (unsigned long long)t->rows_left_out);
}
