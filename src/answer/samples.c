#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"item", SB_TEXT, SB_U_NONE, "what was measured"},
    {"key", SB_TEXT, SB_U_NONE, "which one of several"},
    {"samples", SB_INT, SB_U_COUNT, "how often"},
    {"least", SB_INT, SB_U_COUNT, "smallest value"},
    {"mean", SB_REAL, SB_U_NONE, "average"},
    {"most", SB_INT, SB_U_COUNT, "largest value"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_samples = {
    .name = "samples",
    .title = "Values over time: run queues, memory, counts",
    .doc = "One row an item: its smallest, average and largest value. Every single value is in the table "
           "sample, with what clocks differ by.",
    .needs = "--trace vm",
    .limit = 50,
    .sql =
        "SELECT item, key, count(*) AS samples, min(value) AS least, avg(value) AS mean, max(value) AS "
        "most, node FROM "
        "sample WHERE at >= :since AND at < :until AND item NOT IN ('otp_minus_at_ns', 'wall_minus_at_ns') "
        "GROUP BY node, item, key ORDER BY node, item, key",
    .column = columns,
    .narrow = "item,key,samples,least,mean,most",
};
