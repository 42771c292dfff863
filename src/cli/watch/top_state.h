/*
 * The state of the live table of `strobe top`: what the user looks at. Keys change it (top_keys.c), the screen shows it
 * (top_draw.c, the only file that knows ncurses beside the keys), and lines about one process are made of it
 * (top_page.c). One thread.
 */
#ifndef SB_CLI_TOP_STATE_H
#define SB_CLI_TOP_STATE_H
#include "cli/watch/top_rows.h"
#include "live/watch/watch.h"

enum sb_top_mode { SB_TOP_TABLE, SB_TOP_FILTER, SB_TOP_HELP, SB_TOP_PROCESS };
enum { SB_TOP_FILTER_MAX = 64 };

struct sb_top_terminal {
    struct screen *screen; /* of ncurses */
    bool colour, utf8;
};

struct sb_top_state {
    struct sb_watch *watch;
    struct sb_str node;
    unsigned schedulers;
    int64_t interval_ns;
    struct sb_top_view view;
    struct sb_top_rows rows;
    enum sb_top_mode mode;
    bool frozen, leave;
    struct sb_top_terminal terminal;
    size_t at, first; /* the chosen row, and the first one in view */
    size_t in_view;   /* rows that the screen has room for, set when it is drawn */
    bool follows;     /* the chosen row is followed when the order changes: */
    sb_actor chosen;  /* its process, or */
    uint32_t chosen_group;
    char filter[SB_TOP_FILTER_MAX], filter_before[SB_TOP_FILTER_MAX];
    sb_actor opened;      /* the process of the page */
    struct sb_top_row of; /* its row, as last seen */
    struct sb_arena page; /* lines of help or of a process, made anew for each picture */
    SB_VEC(struct sb_str) line;
    size_t line_first;
};

void sb_top_refresh(struct sb_top_state *s); /* shows the last whole window, unless the table is frozen */
void sb_top_key(struct sb_top_state *s, int key);
void sb_top_make_page(struct sb_top_state *s); /* fills in s->line */

bool sb_top_screen_open(struct sb_top_state *s, struct sb_err *e); /* takes the terminal */
void sb_top_screen_close(struct sb_top_state *s);
void sb_top_draw(struct sb_top_state *s);
int sb_top_read_key(void); /* of ncurses; -1: none */

#endif
