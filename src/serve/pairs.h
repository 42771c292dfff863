/*
 * The pairs of processes, groups, schedulers or nodes with most messages. For the whole run the profile has
 * the sums; for a range single messages are summed, for a part of the receivers at a time if there are many
 * pairs, so that memory is bounded.
 */
#pragma once
#include "base/vec.h"
#include "serve/request.h"

enum sb_pair_level { SB_BY_PROCESS, SB_BY_GROUP, SB_BY_SCHEDULER, SB_BY_NODE };

struct sb_pair {
    int64_t from, to, count, words, max_words, ext_bytes, matched, latency_ns, max_latency_ns;
    uint64_t row; /* the row it was copied from */
};

struct sb_pairs_question {
    const struct sb_request *rq;
    enum sb_pair_level level;
    bool of_window; /* of the range; else of the whole run */
    struct sb_range range;
    const int64_t *id; /* pairs that touch one of these processes; none: all */
    size_t n_ids;
    int64_t min_count, min_words;
    size_t most;
    size_t at_once; /* pairs to sum at a time; 0: about 24 MB of them */
};

struct sb_pairs {
    SB_VEC(struct sb_pair) v; /* by number of messages, descending; the caller frees it */
    int64_t n, messages;      /* of all pairs, also below the thresholds */
    uint64_t left_out;        /* pairs above the thresholds, beyond `most` */
};

bool sb_pairs_find(const struct sb_pairs_question *q, struct sb_pairs *out, struct sb_err *e);
