/* The two ways of `strobe top`. */
#pragma once
#include "answer/reading.h"
#include "cli/watch/top_nodes.h"
#include "cli/watch/top_rows.h"

/* `strobe top --once`: the first window of the live table, of one node or of several, as one table of text or data. */
struct sb_top_once {
    struct sb_top_target nodes;
    int64_t interval_ns;
    uint64_t limit; /* processes, and groups */
    enum sb_reading_column sort;
    enum sb_format format;
    bool elixir;
};

/* Returns the exit code, when it has printed what is wrong. */
int sb_top_once(const struct sb_top_once *o, struct sb_arena *a);

/* The live table of `strobe top`: strobe stays attached to nodes and shows them window by window. */
struct sb_top_live {
    struct sb_top_target nodes;
    int64_t interval_ns;
    enum sb_top_column_id sort;
    bool elixir;
};

/* Returns the exit code, when it has printed what is wrong. */
int sb_top_live(const struct sb_top_live *o);
