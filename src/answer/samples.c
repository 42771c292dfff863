#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(sample, item)},
    {SB_OF(sample, key)},
    {"samples", SB_INT, SB_U_COUNT,
     "number of samples; a tick is 10 ms while something is recorded, and item ticks_missed counts the "
     "ticks that did not come"},
    {"least", SB_INT, SB_U_COUNT, "smallest value"},
    {"mean", SB_REAL, SB_U_NONE,
     "average over time; for mailboxes, which are not sampled continuously, over the samples"},
    {"most", SB_INT, SB_U_COUNT, "largest value"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_samples = {
    .name = "samples",
    .title = "Sampled values: run queues, memory, counts",
    .doc = "One row per item: its smallest, average and largest value. Table sample has each value, and the "
           "differences of the clocks. Of a process, only its mailbox is sampled.",
    .needs = "--trace vm",
    .limit = 50,
    /* A value holds until the next one of its kind; utilisation is that of the time since the previous
     * tick. */
    .sql = "WITH s AS (SELECT *, CASE item WHEN 'mailbox' THEN 1 WHEN 'utilisation' THEN at - lag(at) OVER w "
           "ELSE lead(at) OVER w - at END AS held FROM sample WHERE " SB_AT_IN_RANGE " AND "
           "{among:process} AND item NOT IN ('otp_minus_at_ns', 'wall_minus_at_ns', 'idle_ended_ago_ns') "
           "WINDOW w AS (PARTITION BY node, item, key ORDER BY at)) SELECT item, key, count(*) AS samples, "
           "min(value) AS least, coalesce(sum(value * 1.0 * held) / nullif(sum(held), 0), avg(value)) AS "
           "mean, max(value) AS most, node FROM s GROUP BY node, item, key ORDER BY node, item, key",
    .column = columns,
    .narrow = "item,key,samples,least,mean,most",
};
