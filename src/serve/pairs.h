/*
 * Who sent how much to whom: pairs of processes, groups, schedulers or nodes, and of them those with most
 * messages. Over the whole run the profile's sums answer; inside a window the messages are added up, a part
 * of the receivers at a time where there are many pairs, so that it takes the same memory for any number.
 */
#ifndef SB_SERVE_PAIRS_H
#define SB_SERVE_PAIRS_H
#include "base/vec.h"
#include "serve/request.h"

enum sb_pair_level { SB_BY_PROCESS, SB_BY_GROUP, SB_BY_SCHEDULER, SB_BY_NODE };

struct sb_pair {
    int64_t from, to, count, words, max_words, ext_bytes, matched, latency_ns, max_latency_ns;
    uint64_t row; /* where it came from as it is */
};

struct sb_pairs_question {
    const struct sb_request *rq;
    enum sb_pair_level level;
    bool of_window; /* t0 to t1; else of the whole run */
    int64_t t0, t1;
    const int64_t *id; /* pairs that touch one of these processes; none: all */
    size_t n_ids;
    int64_t min_count, min_words;
    size_t most;
    size_t at_once; /* pairs to add up at a time; 0: some 24 MB of them */
};

struct sb_pairs {
    SB_VEC(struct sb_pair) v; /* the one with most messages first; the caller frees it */
    int64_t n, messages;      /* of all pairs, also below the thresholds */
    uint64_t left_out;        /* beyond `most`, of those that reach them */
};

bool sb_pairs_find(const struct sb_pairs_question *q, struct sb_pairs *out, struct sb_err *e);

#endif
