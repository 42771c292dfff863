/*
 * The state of the live table of `strobe top`: what the user looks at. Keys change it (top_keys.c), the screen shows it
 * (top_draw.c, the only file that knows ncurses beside the keys), and lines about one process are made of it
 * (top_page.c). One thread.
 */
#pragma once
#include "cli/watch/top_rows.h"
#include "live/watch/watch.h"

enum sb_top_mode { SB_TOP_TABLE, SB_TOP_FILTER, SB_TOP_HELP, SB_TOP_PROCESS };
enum { SB_TOP_FILTER_MAX = 64 };

struct sb_top_terminal {
    struct screen *screen; /* of ncurses */
    bool colour, utf8;
};

struct sb_top_watched {
    struct sb_str name;
    bool up;               /* it is watched: */
    struct sb_watch watch; /* by this */
    unsigned schedulers;
    const char *why; /* it is not up */
};

struct sb_top_state {
    struct sb_top_watched *node;
    size_t nodes;
    int64_t interval_ns;
    struct sb_top_view view;
    struct sb_top_rows rows;
    enum sb_top_mode mode;
    bool frozen, leave;
    struct sb_top_terminal terminal;
    size_t at, first;         /* the chosen row, and the first one in view */
    size_t in_view;           /* rows that the screen has room for, set when it is drawn */
    bool follows;             /* the chosen row is followed when the order changes: */
    struct sb_top_row chosen; /* as it was last; its names are not valid any more */
    char filter[SB_TOP_FILTER_MAX], filter_before[SB_TOP_FILTER_MAX];
    sb_actor opened;      /* the process of the page */
    struct sb_top_row of; /* its row, as last seen */
    struct sb_arena page; /* lines of help or of a process, made anew for each picture */
    SB_VEC(struct sb_str) line;
    size_t line_first;
};

struct sb_top_totals { /* of the nodes that are up */
    uint64_t lost;
    int64_t silent_ns;
    bool begun, asks, swept; /* all have a whole window, are asked about processes, have listed all of them */
};
struct sb_top_totals sb_top_totals(const struct sb_top_state *s);

void sb_top_refresh(struct sb_top_state *s); /* shows the last whole windows, unless the table is frozen */
void sb_top_forget(struct sb_top_state *s, size_t node); /* it is not watched any more */
bool sb_top_shows(const struct sb_top_state *s, unsigned column);
void sb_top_key(struct sb_top_state *s, int key);
void sb_top_make_page(struct sb_top_state *s); /* fills in s->line */

bool sb_top_screen_open(struct sb_top_state *s, struct sb_err *e); /* takes the terminal */
void sb_top_screen_close(struct sb_top_state *s);
void sb_top_draw(struct sb_top_state *s);
int sb_top_read_key(void); /* of ncurses; -1: none */
