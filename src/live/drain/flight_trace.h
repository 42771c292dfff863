/*
 * Writes the trace of a window: in T.sbt.part, which gets its name when it is complete. The order of the parts: the
 * chunks that the node still writes, the dictionary, what is known from before the window, the reasons as marks, and
 * then the blocks of the window, some of them at a time.
 */
#pragma once
#include "live/drain/window.h"
#include "trace/sbt/ring_ask.h"

struct sb_flight_cause {
    int64_t at_ns;
    int slot; /* of the rings; -1: none */
    char why[SB_ASK_WHY];
    char path[SB_ASK_TEXT]; /* empty: any */
};

struct sb_flight_trace {
    struct sb_window *window;
    int level;
    char path[4096], part[4096]; /* empty: none */
    int64_t until_ns;
    struct sb_sbt_writer *out; /* NULL: not begun */
    size_t at, end;            /* blocks of the window */
    struct sb_sbt_trailer totals;
    struct sb_sbt_gap *gaps;
    struct sb_window_piece piece;
};

bool sb_flight_trace_begin(struct sb_flight_trace *t, const struct sb_flight_cause *cause, unsigned n_causes,
                           const char *cwd, struct sb_err *e);
/* Adds events that were lost outside of the rings; after the begin. */
void sb_flight_trace_lost(struct sb_flight_trace *t, struct sb_sbt_gap gap);
bool sb_flight_trace_step(struct sb_flight_trace *t, bool *done, struct sb_err *e);
bool sb_flight_trace_finish(struct sb_flight_trace *t, uint64_t cpu_ns, struct sb_err *e);
void
sb_flight_trace_end(struct sb_flight_trace *t); /* removes an unfinished file; the next trace may begin */
void sb_flight_trace_close(struct sb_flight_trace *t);
