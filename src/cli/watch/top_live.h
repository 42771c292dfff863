/* The live table of `strobe top`: strobe stays attached to nodes and shows them window by window. */
#ifndef SB_CLI_TOP_LIVE_H
#define SB_CLI_TOP_LIVE_H
#include "cli/watch/top_nodes.h"
#include "cli/watch/top_rows.h"

struct sb_top_live {
    struct sb_top_target nodes;
    int64_t interval_ns;
    enum sb_top_column_id sort;
    bool elixir;
};

/* Returns the exit code, when it has printed what is wrong. */
int sb_top_live(const struct sb_top_live *o);

#endif
