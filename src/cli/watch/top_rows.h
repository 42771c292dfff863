/*
 * The rows of the live table of `strobe top`: processes, or groups of processes with the same entry, of the last
 * whole window. The processes are copied, so a frozen table can still be sorted and filtered. Columns are a table,
 * from which come the heads, the order, the keys and the help.
 */
#pragma once
#include "live/watch/tally.h"

enum sb_top_column_id {
    SB_TOP_NODE, /* where there are several */
    SB_TOP_PID,
    SB_TOP_PROCESSES,
    SB_TOP_CORE,
    SB_TOP_GC,
    SB_TOP_SWITCHES,
    SB_TOP_IN,
    SB_TOP_OUT,
    SB_TOP_MAILBOX,
    SB_TOP_MEMORY,
    SB_TOP_NAME,
    SB_TOP_COLUMNS
};

struct sb_top_value {
    int64_t n;     /* SB_TALLY_UNKNOWN */
    bool at_least; /* some of a group's processes are not known yet */
};

struct sb_top_row {
    sb_actor who; /* 0: a group */
    size_t node;
    uint32_t entry, named;
    struct sb_str label, name; /* name: empty until somebody asks for it */
    struct sb_top_value value[SB_TOP_COLUMNS];
};

struct sb_top_column {
    const char *head; /* at most `width` bytes */
    int width;        /* 0: what is left of the line */
    char key;         /* sorts by it; 0: none */
    bool in_processes, in_groups;
    bool if_wide; /* left out where the terminal is narrow */
    const char *doc;
};
extern const struct sb_top_column sb_top_column[SB_TOP_COLUMNS];

struct sb_top_view { /* what the user wants to see */
    bool groups, reverse, elixir;
    enum sb_top_column_id sort;
    struct sb_str filter; /* in names and pids, whatever the case of letters */
    bool one_group;       /* the processes of one group alone: */
    uint32_t group;       /* its entry, and */
    size_t group_node;    /* its node */
};

struct sb_top_copy { /* of the last whole window of a node */
    struct sb_str node;
    const struct sb_names *names;
    int64_t window_ns, every_ns; /* its length; to its end from the end of the one before */
    SB_VEC(struct sb_tally_process) process;
};

struct sb_top_rows {
    struct sb_arena labels, text; /* of the copies; of the rows */
    bool elixir;
    struct sb_top_copy *of; /* by node */
    size_t nodes;
    size_t processes; /* alive */
    SB_VEC(struct sb_top_row) row;
    struct sb_top_row longest; /* the process with the longest mailbox; who 0: none */
};

void sb_top_rows_init(struct sb_top_rows *r, size_t nodes);
void sb_top_rows_close(struct sb_top_rows *r);
void sb_top_rows_clear(struct sb_top_rows *r); /* drops the copies */
void sb_top_rows_take(struct sb_top_rows *r, size_t node, struct sb_str name, const struct sb_tally *t);
void sb_top_rows_arrange(struct sb_top_rows *r, const struct sb_top_view *v);
/* The registered name, the label or the entry of a process, the entry of a group; "--" when there is none. */
struct sb_str sb_top_row_name(struct sb_top_rows *r, struct sb_top_row *row);
/* The pid and the name. */
struct sb_str sb_top_who(struct sb_top_rows *r, size_t node, const struct sb_tally *t, sb_actor who);
/* A value as the table shows it, "--" when it is unknown; at most `room` bytes. */
void sb_top_value_text(char *text, size_t room, enum sb_top_column_id c, struct sb_top_value v);
