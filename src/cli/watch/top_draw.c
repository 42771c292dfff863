/* The screen of the live table. Colours are those of the terminal for which its user has chosen what they look like: no
 * colour is set for the background or for plain text, so it can be read on light and on dark. */
#include "cli/watch/top_state.h"
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <wchar.h>

enum { PAIR_RUN = 1, PAIR_GC, PAIR_DIRTY, PAIR_WARN };
enum { LEAST_LINES = 8, LEAST_COLUMNS = 50, WIDE_COLUMNS = 76, NODE_COLUMNS = 24 };

/* ---- the terminal */

static SCREEN *
open_terminal(void)
{
    const char *term = getenv("TERM");
    SCREEN *screen = term && *term && strcmp(term, "dumb") != 0 ? newterm(term, stdout, stdin) : NULL;
    if (!screen || tigetstr("cup"))
        return screen;
    endwin();
    delscreen(screen);
    return NULL;
}

static void
set_colours(struct sb_top_state *s)
{
    const char *no = getenv("NO_COLOR");
    s->terminal.colour = !(no && *no) && has_colors() && start_color() == OK && use_default_colors() == OK;
    if (!s->terminal.colour)
        return;
    init_pair(PAIR_RUN, COLOR_GREEN, -1);
    init_pair(PAIR_GC, COLOR_MAGENTA, -1);
    init_pair(PAIR_DIRTY, COLOR_BLUE, -1);
    init_pair(PAIR_WARN, COLOR_RED, -1);
}

bool
sb_top_screen_open(struct sb_top_state *s, struct sb_err *e)
{
    setlocale(LC_CTYPE, "");
    s->terminal.utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    s->terminal.screen = open_terminal();
    if (!s->terminal.screen) {
        sb_err_set(e, SB_ERR_USAGE, "this terminal cannot show a live table");
        return sb_err_advise(e, "print one reading: strobe top TARGET --once");
    }
    set_escdelay(50);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    set_colours(s);
    return true;
}

void
sb_top_screen_close(struct sb_top_state *s)
{
    endwin();
    delscreen(s->terminal.screen);
}

int
sb_top_read_key(void)
{
    int key = getch();
    return key == ERR ? -1 : key;
}

/* ---- text */

static void
colour(const struct sb_top_state *s, int pair, bool on)
{
    if (s->terminal.colour && on)
        attron(COLOR_PAIR(pair));
    else if (s->terminal.colour)
        attroff(COLOR_PAIR(pair));
}

/* The next character of UTF-8, with its columns; what the terminal cannot show becomes '?'. */
static size_t
next_character(const struct sb_top_state *s, struct sb_str text, const char **shown, int *columns)
{
    wchar_t c;
    mbstate_t state = {0};
    size_t n = s->terminal.utf8 ? mbrtowc(&c, text.p, text.n, &state) : (size_t)-1;
    bool plain = (unsigned char)*text.p >= ' ' && (unsigned char)*text.p < 0x7f;
    *shown = text.p;
    *columns = 1;
    if (plain)
        return 1;
    if (n != (size_t)-1 && n != (size_t)-2 && n > 0 && (*columns = wcwidth(c)) >= 0)
        return n;
    *shown = "?";
    *columns = 1;
    return 1;
}

static int
columns_of(const struct sb_top_state *s, struct sb_str text)
{
    int all = 0, columns;
    const char *shown;
    while (text.n > 0) {
        size_t n = next_character(s, text, &shown, &columns);
        all += columns;
        text = sb_str_sub(text, n, text.n);
    }
    return all;
}

/* Writes characters that fill at most `most` columns, after leaving out the first `skip` columns. */
static void
put_part(const struct sb_top_state *s, struct sb_str text, int skip, int most)
{
    int columns;
    const char *shown;
    for (; text.n > 0; text = sb_str_sub(text, 1, text.n)) {
        size_t n = next_character(s, text, &shown, &columns);
        if (skip > 0)
            skip -= columns;
        else if ((most -= columns) >= 0)
            addnstr(shown, shown == text.p ? (int)n : 1);
        else
            return;
        text = sb_str_sub(text, n - 1, text.n);
    }
}

/* Writes a text in `width` columns. What does not fit is cut in the middle: names differ at both ends. */
static void
put_text(const struct sb_top_state *s, struct sb_str text, int width)
{
    int all = columns_of(s, text);
    if (width <= 0)
        return;
    if (all <= width || width < 8) {
        put_part(s, text, 0, width);
        return;
    }
    int head = (width - 1) / 2, tail = width - 1 - head;
    put_part(s, text, 0, head);
    addstr(s->terminal.utf8 ? "\xe2\x80\xa6" : "~");
    put_part(s, text, all - tail, tail);
}

static void put_line(const struct sb_top_state *s, int y, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

static void
put_line(const struct sb_top_state *s, int y, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    move(y, 0);
    put_part(s, sb_str_of(text), 0, COLS);
}

/* ---- the head: a line of facts, bars of the schedulers, a line of notes */

static void
put_window(const struct sb_top_state *s, size_t node)
{
    const struct sb_windows *w = &s->node[node].watch.windows;
    double window = (double)s->rows.of[node].window_ns / 1e9, every = (double)s->rows.of[node].every_ns / 1e9;
    if (w->n > 0)
        printw(window < 1 ? "  window %.2f s" : "  window %.1f s", window);
    if (w->n > 1 && every > window * 1.05)
        printw(" of every %.1f s (%s)", every, w->paused ? "busy node" : "slow connection");
}

static void
draw_title(const struct sb_top_state *s)
{
    static const char frozen[] = " FROZEN ";
    char processes[24];
    sb_top_value_text(processes, sizeof processes, SB_TOP_PROCESSES,
                      (struct sb_top_value){(int64_t)s->rows.processes, !sb_top_totals(s).swept});
    attron(A_BOLD);
    if (s->nodes == 1)
        put_line(s, 0, "%.*s", SB_STR_ARG(s->node[0].name));
    else
        put_line(s, 0, "%zu nodes", s->nodes);
    attroff(A_BOLD);
    printw("  %s processes", processes);
    if (s->nodes == 1)
        put_window(s, 0);
    if (s->frozen) {
        attron(A_REVERSE);
        mvaddstr(0, COLS - (int)sizeof frozen, frozen);
        attroff(A_REVERSE);
    }
}

/* Of a scheduler, or of the mean one. */
static struct sb_tally_sums
sums_of(const struct sb_top_watched *of, unsigned number)
{
    struct sb_tally_sums sums = {0};
    const struct sb_tally *t = &of->watch.tally;
    const unsigned among = number || !of->schedulers ? 1 : of->schedulers;
    for (size_t i = 0; i < t->lane.n; i++) {
        const struct sb_tally_lane *l = &t->lane.at[i];
        if (sb_lane_kind(l->lane) == SB_LANE_NORMAL && (!number || sb_lane_number(l->lane) == number)) {
            sums.core_ns += l->last.core_ns / among;
            sums.gc_ns += l->last.gc_ns / among;
        }
    }
    return sums;
}

static double
window_of(const struct sb_top_watched *of)
{
    return (double)(of->watch.tally.last_to_ns - of->watch.tally.last_from_ns);
}

/* "1[||||      45.2%]" in `width` columns; number 0: the mean of all schedulers */
static void
draw_bar(const struct sb_top_state *s, const struct sb_top_watched *of, int y, int x, int width,
         unsigned number)
{
    struct sb_tally_sums sums = sums_of(of, number);
    double window = window_of(of), run = window > 0 ? (double)sums.core_ns / window : 0,
           gc = window > 0 ? (double)sums.gc_ns / window : 0;
    int room = width - 5, full = (int)(run * room + 0.5), collecting = (int)(gc * room + 0.5);
    char share[16];
    snprintf(share, sizeof share, of->watch.windows.n ? "%.1f%%" : "--", run * 100);
    mvprintw(y, x, number ? "%3u[" : "   [", number);
    colour(s, PAIR_RUN, true);
    for (int i = 0; i < room; i++) {
        int left = room - (int)strlen(share);
        if (i == full - collecting && collecting > 0)
            colour(s, PAIR_GC, true);
        if (i == full || i == left)
            colour(s, PAIR_RUN, false), colour(s, PAIR_GC, false);
        addch((chtype)(unsigned char)(i >= left                ? share[i - left]
                                      : i >= full              ? ' '
                                      : i >= full - collecting ? '+'
                                                               : '|'));
    }
    colour(s, PAIR_RUN, false);
    addch(']');
}

/* A line each, with the mean of its schedulers, or why it is not shown. */
static int
draw_nodes(const struct sb_top_state *s, int y)
{
    int lines = LINES / 3 < (int)s->nodes ? LINES / 3 : (int)s->nodes;
    for (int i = 0; i < lines; i++) {
        const struct sb_top_watched *of = &s->node[i];
        move(y + i, 0);
        put_text(s, of->name, NODE_COLUMNS);
        if (of->up) {
            draw_bar(s, of, y + i, NODE_COLUMNS, COLS / 2 - NODE_COLUMNS, 0);
            put_window(s, (size_t)i);
            continue;
        }
        move(y + i, NODE_COLUMNS + 1);
        colour(s, PAIR_WARN, true);
        put_part(s, sb_str_of(of->why), 0, COLS - NODE_COLUMNS - 1);
        colour(s, PAIR_WARN, false);
    }
    return lines;
}

/* Returns the number of lines. Schedulers for which a quarter of the screen has no room are left out. */
static int
draw_bars(const struct sb_top_state *s, int y)
{
    if (s->nodes > 1)
        return draw_nodes(s, y);
    unsigned n = s->node[0].schedulers, across = n <= 4 ? 2 : n <= 16 ? 4 : COLS >= 120 ? 8 : 5;
    int lines = (int)((n + across - 1) / across), most = LINES / 4 > 1 ? LINES / 4 : 1;
    int width = COLS / (int)across;
    lines = lines < most ? lines : most;
    for (unsigned i = 0; i < n && i < across * (unsigned)lines; i++)
        draw_bar(s, &s->node[0], y + (int)(i / across), (int)(i % across) * width, width - 1, i + 1);
    return lines;
}

static int64_t
dirty_ns(const struct sb_top_watched *of)
{
    int64_t ns = 0;
    for (size_t i = 0; i < of->watch.tally.lane.n; i++) {
        const struct sb_tally_lane *l = &of->watch.tally.lane.at[i];
        bool dirty = sb_lane_kind(l->lane) == SB_LANE_DIRTY_CPU || sb_lane_kind(l->lane) == SB_LANE_DIRTY_IO;
        ns += dirty ? l->last.core_ns : 0;
    }
    return ns;
}

static void
draw_facts(struct sb_top_state *s, int y)
{
    char length[24], share[24];
    double dirty = 0;
    const struct sb_top_totals t = sb_top_totals(s);
    for (size_t i = 0; i < s->nodes; i++)
        if (s->node[i].up && window_of(&s->node[i]) > 0)
            dirty += (double)dirty_ns(&s->node[i]) * 100 / window_of(&s->node[i]);
    sb_top_value_text(length, sizeof length, SB_TOP_MAILBOX, s->rows.longest.value[SB_TOP_MAILBOX]);
    snprintf(share, sizeof share, t.begun ? "%.1f%%" : "--", dirty);
    put_line(s, y, "dirty schedulers %s   longest mailbox ", share);
    if (!s->rows.longest.who)
        addstr(t.swept ? "0" : "--");
    else {
        printw("%s: ", length);
        put_text(s, sb_top_row_name(&s->rows, &s->rows.longest), COLS - getcurx(stdscr) - 1);
    }
}

static void
draw_notes(const struct sb_top_state *s, int y)
{
    enum { PATIENCE_NS = 3 };
    const struct sb_top_totals t = sb_top_totals(s);
    bool silent = t.silent_ns / 1000000000 >= PATIENCE_NS;
    move(y, 0);
    if (s->mode == SB_TOP_FILTER) {
        attron(A_BOLD);
        put_line(s, y, "filter: %s", s->filter);
        attroff(A_BOLD);
        addch(A_REVERSE | ' ');
        return;
    }
    colour(s, PAIR_WARN, t.lost || silent);
    if (t.lost)
        put_line(s, y, "%llu events of this window were lost: its figures are too low",
                 (unsigned long long)t.lost);
    else if (silent)
        put_line(s, y, "a process does not answer: memory, mailboxes and new names are those of %lld s ago",
                 (long long)(t.silent_ns / 1000000000));
    else if (!t.begun)
        put_line(s, y, "the first window has not ended yet");
    else if (s->filter[0])
        put_line(s, y, "filter: %s (Esc drops it)", s->filter);
    else if (s->view.one_group)
        put_line(s, y, "one group of processes (Esc goes back to all groups)");
    else if (!t.asks)
        put_line(s, y, "beside the recorder of %s node: mailboxes and memory are unknown",
                 s->nodes > 1 ? "a" : "this");
    else if (!t.swept)
        put_line(s, y, "the processes are still being listed");
    colour(s, PAIR_WARN, false);
}

/* ---- the table */

static bool
is_shown(const struct sb_top_state *s, unsigned c)
{
    int wide = WIDE_COLUMNS + (s->nodes > 1 ? sb_top_column[SB_TOP_NODE].width : 0);
    if (sb_top_column[c].if_wide && COLS < wide)
        return false;
    return sb_top_shows(s, c);
}

/* The head of the column that orders the rows is marked: v where the largest is first. */
static void
draw_heads(const struct sb_top_state *s, int y)
{
    move(y, 0);
    attron(A_REVERSE);
    for (unsigned c = 0; c < SB_TOP_COLUMNS; c++) {
        const struct sb_top_column *col = &sb_top_column[c];
        char head[24];
        bool is_text = c == SB_TOP_NAME || c == SB_TOP_PID || c == SB_TOP_NODE;
        bool by = s->view.sort == c, up = s->view.reverse != is_text;
        if (!is_shown(s, c))
            continue;
        snprintf(head, sizeof head, "%s%s", by ? up ? "^" : "v" : "", col->head);
        if (is_text)
            printw("%-*s ", col->width, head);
        else
            printw("%*s ", col->width, head);
    }
    for (int x = getcurx(stdscr); x < COLS && getcury(stdscr) == y; x++)
        addch(' ');
    attroff(A_REVERSE);
}

static void
draw_row(struct sb_top_state *s, int y, struct sb_top_row *row, bool chosen)
{
    move(y, 0);
    if (chosen)
        attron(A_REVERSE);
    for (unsigned c = 0; c < SB_TOP_COLUMNS; c++) {
        char value[24];
        if (!is_shown(s, c) || c == SB_TOP_NAME)
            continue;
        if (c == SB_TOP_NODE) {
            put_text(s, s->rows.of[row->node].node, sb_top_column[c].width);
            printw("%*s", sb_top_column[c].width + 1 - getcurx(stdscr), "");
            continue;
        }
        if (c == SB_TOP_PID) {
            printw("%-*.*s ", sb_top_column[c].width,
                   SB_STR_ARG(sb_names_actor(s->rows.of[row->node].names, row->who, &s->rows.text)));
            continue;
        }
        sb_top_value_text(value, sizeof value, c, row->value[c]);
        printw("%*s ", sb_top_column[c].width, value);
    }
    put_text(s, sb_top_row_name(&s->rows, row), COLS - getcurx(stdscr) - 1);
    for (int x = getcurx(stdscr); chosen && x < COLS - 1; x++)
        addch(' ');
    attroff(A_REVERSE);
}

static void
show_to_watch(const struct sb_top_state *s, size_t node)
{
    sb_actor who[200];
    size_t n = 0, most = sizeof who / sizeof *who;
    for (size_t i = s->first; i < s->rows.row.n && i < s->first + s->in_view && n < most; i++)
        if (s->rows.row.at[i].who && s->rows.row.at[i].node == node)
            who[n++] = s->rows.row.at[i].who;
    if (s->opened && s->of.node == node && n < most)
        who[n++] = s->opened;
    sb_watch_show(&s->node[node].watch, who, n);
}

static void
draw_table(struct sb_top_state *s, int y)
{
    draw_heads(s, y++);
    s->in_view = LINES - 1 > y ? (size_t)(LINES - 1 - y) : 0;
    if (s->at < s->first)
        s->first = s->at;
    if (s->in_view > 0 && s->at >= s->first + s->in_view)
        s->first = s->at - s->in_view + 1;
    for (size_t i = 0; i < s->in_view && s->first + i < s->rows.row.n; i++)
        draw_row(s, y + (int)i, &s->rows.row.at[s->first + i], s->first + i == s->at);
    if (s->rows.row.n == 0 && sb_top_totals(s).begun)
        put_line(s, y, s->filter[0] ? "no process matches the filter" : "no process did anything yet");
}

static void
draw_page(struct sb_top_state *s)
{
    sb_top_make_page(s);
    s->in_view = (size_t)LINES - 1;
    if (s->line_first + s->in_view > s->line.n)
        s->line_first = s->line.n > s->in_view ? s->line.n - s->in_view : 0;
    for (size_t i = 0; i < s->in_view && s->line_first + i < s->line.n; i++) {
        move((int)i, 0);
        put_part(s, s->line.at[s->line_first + i], 0, COLS);
    }
}

static void
draw_keys(const struct sb_top_state *s)
{
    attron(A_REVERSE);
    put_line(s, LINES - 1, "%-*.*s", COLS - 1, COLS - 1,
             s->mode == SB_TOP_FILTER ? " Enter keep  Esc drop "
             : s->mode == SB_TOP_TABLE
                 ? s->view.groups
                       ? " ? help  q quit  g processes  / filter  < > sort  f freeze  Enter its processes "
                       : " ? help  q quit  g groups  / filter  < > sort  f freeze  Enter open "
             : s->mode == SB_TOP_PROCESS ? " q back  up down scroll  f freeze "
                                         : " q back  up down scroll ");
    attroff(A_REVERSE);
}

void
sb_top_draw(struct sb_top_state *s)
{
    erase();
    if (LINES < LEAST_LINES || COLS < LEAST_COLUMNS)
        put_line(s, 0, "%dx%d is too small: q quits", COLS, LINES);
    else if (s->mode == SB_TOP_HELP || s->mode == SB_TOP_PROCESS) {
        draw_page(s);
        draw_keys(s);
    } else {
        draw_title(s);
        int y = 1 + draw_bars(s, 1);
        draw_facts(s, y++);
        draw_notes(s, y++);
        draw_table(s, y);
        draw_keys(s);
    }
    for (size_t i = 0; i < s->nodes; i++)
        if (s->node[i].up)
            show_to_watch(s, i);
    refresh();
}
