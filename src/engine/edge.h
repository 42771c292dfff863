/* Who sent how much to whom, as a part holds it: edges.h says what is done with it. */
#ifndef SB_ENGINE_EDGE_H
#define SB_ENGINE_EDGE_H
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct sb_edge { /* message_edge */
    uint32_t sender, receiver;
    uint64_t count, words, max_words, ext, matched;
    int64_t latency, max_latency, first, last;
};

struct sb_talk { /* a message that has left its queue */
    uint32_t sender, receiver;
    int64_t at, took; /* took: SB_NEVER_TAKEN, or how long */
    uint64_t words, ext;
};

struct sb_edge_run {
    uint64_t at, end; /* bytes */
};

struct sb_edges { /* edges.c, edge_runs.c */
    SB_VEC(struct sb_talk) talk;  /* not yet added up */
    SB_VEC(uint8_t) bytes;        /* packed, */
    SB_VEC(struct sb_edge_run) runs;    /* in such runs */
    SB_VEC(struct sb_edge_run) in_file; /* of the whole run */
    uint64_t before;              /* pair that was put last */
    bool run_ended;
    size_t merge_at;
};

#endif
