/* The keys of the live table, and what they change. */
#include "cli/watch/top_state.h"
#include <ncurses.h>

enum { CTRL_C = 3, ESC = 27, DELETE = 127, BACKSPACE = 8 };

/* ---- the table and its rows */

/* The row that was chosen keeps its place on the screen's list if it is still there. */
static void
find_chosen(struct sb_top_state *s)
{
    for (size_t i = 0; s->follows && i < s->rows.row.n; i++) {
        const struct sb_top_row *row = &s->rows.row.at[i];
        if (row->node == s->chosen.node &&
            (s->view.groups ? row->entry == s->chosen.entry : row->who == s->chosen.who)) {
            s->at = i;
            return;
        }
    }
    if (s->at >= s->rows.row.n)
        s->at = s->rows.row.n ? s->rows.row.n - 1 : 0;
}

static void
find_opened(struct sb_top_state *s)
{
    for (size_t i = 0; i < s->rows.row.n; i++)
        if (s->opened && s->rows.row.at[i].who == s->opened && s->rows.row.at[i].node == s->of.node)
            s->of = s->rows.row.at[i];
}

struct sb_top_totals
sb_top_totals(const struct sb_top_state *s)
{
    struct sb_top_totals t = {.begun = true, .asks = true, .swept = true};
    for (size_t i = 0; i < s->nodes; i++) {
        const struct sb_watch *w = &s->node[i].watch;
        if (!s->node[i].up)
            continue;
        t.lost += w->windows.lost;
        t.silent_ns = w->unanswered_ns > t.silent_ns ? w->unanswered_ns : t.silent_ns;
        t.begun &= w->windows.n > 0;
        t.asks &= sb_watch_asks(w);
        t.swept &= w->swept;
    }
    return t;
}

/* Applies order and filter. */
static void
refilter(struct sb_top_state *s)
{
    s->view.filter = sb_str_of(s->filter);
    sb_top_rows_arrange(&s->rows, &s->view);
    find_chosen(s);
    find_opened(s);
}

void
sb_top_refresh(struct sb_top_state *s)
{
    if (s->frozen)
        return;
    sb_top_rows_clear(&s->rows);
    for (size_t i = 0; i < s->nodes; i++)
        if (s->node[i].up)
            sb_top_rows_take(&s->rows, i, s->node[i].name, &s->node[i].watch.tally);
    refilter(s);
}

static void
choose(struct sb_top_state *s, size_t at)
{
    s->at = at < s->rows.row.n ? at : s->rows.row.n ? s->rows.row.n - 1 : 0;
    s->follows = s->rows.row.n > 0 && s->at > 0;
    if (s->rows.row.n > 0)
        s->chosen = s->rows.row.at[s->at];
}

bool
sb_top_shows(const struct sb_top_state *s, unsigned column)
{
    const struct sb_top_column *c = &sb_top_column[column];
    return (s->view.groups ? c->in_groups : c->in_processes) && (column != SB_TOP_NODE || s->nodes > 1);
}

static void
from_the_top(struct sb_top_state *s)
{
    s->at = s->first = 0;
    s->follows = false;
    refilter(s);
}

static void
sort_by(struct sb_top_state *s, enum sb_top_column_id by)
{
    if (!sb_top_shows(s, by))
        return;
    s->view.reverse = s->view.sort == by && !s->view.reverse;
    s->view.sort = by;
    refilter(s);
}

static void
sort_beside(struct sb_top_state *s, int step)
{
    int c = (int)s->view.sort;
    do
        c = (c + step + SB_TOP_COLUMNS) % SB_TOP_COLUMNS;
    while (!sb_top_shows(s, (unsigned)c));
    s->view.sort = (enum sb_top_column_id)c;
    s->view.reverse = false;
    refilter(s);
}

static void
switch_groups(struct sb_top_state *s)
{
    s->view.groups = !s->view.groups;
    s->view.one_group = false;
    if (!sb_top_shows(s, s->view.sort)) {
        s->view.sort = SB_TOP_CORE;
        s->view.reverse = false;
    }
    from_the_top(s);
}

static void
open_row(struct sb_top_state *s)
{
    if (s->rows.row.n == 0)
        return;
    const struct sb_top_row *row = &s->rows.row.at[s->at];
    if (s->view.groups) {
        s->view.groups = false;
        s->view.one_group = true;
        s->view.group = row->entry;
        s->view.group_node = row->node;
        s->filter[0] = 0;
        from_the_top(s);
        return;
    }
    s->opened = row->who;
    s->of = *row;
    s->mode = SB_TOP_PROCESS;
    s->line_first = 0;
    sb_watch_open_process(&s->node[s->of.node].watch, s->opened);
}

/* One step back from what narrows the table. */
static void
go_back(struct sb_top_state *s)
{
    if (s->filter[0])
        s->filter[0] = 0;
    else if (s->view.one_group) {
        s->view.one_group = false;
        s->view.groups = true;
    }
    from_the_top(s);
}

/* ---- keys */

static bool
moves(size_t *at, size_t view, size_t n, int key)
{
    size_t page = view > 1 ? view - 1 : 1, last = n ? n - 1 : 0;
    switch (key) {
    case KEY_UP:
    case 'k':
        *at -= *at > 0;
        return true;
    case KEY_DOWN:
    case 'j':
        *at += *at < last;
        return true;
    case KEY_PPAGE:
        *at -= *at < page ? *at : page;
        return true;
    case KEY_NPAGE:
        *at = *at + page < last ? *at + page : last;
        return true;
    case KEY_HOME:
        *at = 0;
        return true;
    case KEY_END:
        *at = last;
        return true;
    default:
        return false;
    }
}

static void
key_of_filter(struct sb_top_state *s, int key)
{
    size_t n = strlen(s->filter);
    if (key == ESC || key == CTRL_C)
        snprintf(s->filter, sizeof s->filter, "%s", s->filter_before);
    else if ((key == KEY_BACKSPACE || key == DELETE || key == BACKSPACE) && n > 0) {
        while (n > 1 && ((unsigned char)s->filter[n - 1] & 0xc0) == 0x80)
            n--;
        s->filter[n - 1] = 0;
    } else if (key >= ' ' && key < 256 && key != DELETE && n + 1 < sizeof s->filter) {
        s->filter[n] = (char)key;
        s->filter[n + 1] = 0;
    }
    if (key == ESC || key == CTRL_C || key == '\n' || key == '\r' || key == KEY_ENTER)
        s->mode = SB_TOP_TABLE;
    from_the_top(s);
}

static void
leave_page(struct sb_top_state *s)
{
    s->mode = SB_TOP_TABLE;
    s->opened = 0;
    sb_watch_open_process(&s->node[s->of.node].watch, 0);
}

void
sb_top_forget(struct sb_top_state *s, size_t node)
{
    if (s->opened && s->of.node == node)
        leave_page(s);
    s->rows.of[node].process.n = 0;
    refilter(s);
}

static void
key_of_page(struct sb_top_state *s, int key)
{
    if (moves(&s->line_first, s->in_view, s->line.n > s->in_view ? s->line.n - s->in_view + 1 : 1, key))
        return;
    if (key == CTRL_C)
        s->leave = true;
    else if (key == 'f' || key == ' ')
        s->frozen = !s->frozen;
    else if (key == 'q' || key == ESC || key == '\n' || key == '\r' || key == KEY_LEFT || key == '?')
        leave_page(s);
}

static void
key_of_table(struct sb_top_state *s, int key)
{
    size_t at = s->at;
    if (moves(&at, s->in_view, s->rows.row.n, key)) {
        choose(s, at);
        return;
    }
    switch (key) {
    case CTRL_C:
    case 'q':
        s->leave = true;
        break;
    case '?':
    case 'h':
    case KEY_F(1):
        s->mode = SB_TOP_HELP;
        s->line_first = 0;
        break;
    case 'f':
    case ' ':
        s->frozen = !s->frozen;
        sb_top_refresh(s);
        break;
    case 'g':
    case '\t':
        switch_groups(s);
        break;
    case '/':
        s->mode = SB_TOP_FILTER;
        memcpy(s->filter_before, s->filter, sizeof s->filter);
        break;
    case '<':
        sort_beside(s, -1);
        break;
    case '>':
        sort_beside(s, 1);
        break;
    case 'r':
        s->view.reverse = !s->view.reverse;
        refilter(s);
        break;
    case '\n':
    case '\r':
    case KEY_ENTER:
        open_row(s);
        break;
    case ESC:
        go_back(s);
        break;
    default:
        for (unsigned c = 0; c < SB_TOP_COLUMNS; c++)
            if (key == sb_top_column[c].key)
                sort_by(s, (enum sb_top_column_id)c);
    }
}

void
sb_top_key(struct sb_top_state *s, int key)
{
    if (s->mode == SB_TOP_TABLE)
        key_of_table(s, key);
    else if (s->mode == SB_TOP_FILTER)
        key_of_filter(s, key);
    else
        key_of_page(s, key);
}
