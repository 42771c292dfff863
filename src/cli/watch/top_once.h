/* `strobe top --once`: the first window of the live table, of one node or of several, as one table of text or data. */
#ifndef SB_CLI_TOP_ONCE_H
#define SB_CLI_TOP_ONCE_H
#include "answer/reading.h"
#include "cli/watch/top_nodes.h"

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

#endif
