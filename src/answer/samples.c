#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"item", SB_TEXT, SB_U_NONE, "what was measured"},
    {"key", SB_TEXT, SB_U_NONE, "which one of several"},
    {"samples", SB_INT, SB_U_COUNT, "how often: a tick is 10 ms, and item ticks_missed says how many did not come"},
    {"least", SB_INT, SB_U_COUNT, "smallest value"},
    {"mean", SB_REAL, SB_U_NONE, "average over time; of mailboxes, which are not looked at all the time, over the samples"},
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
    /* A value holds until the next one of its kind; shares of the time since the tick before (utilisation) held until now. */
    .sql = "WITH s AS (SELECT *, CASE item WHEN 'mailbox' THEN 1 WHEN 'utilisation' THEN at - lag(at) OVER w ELSE lead(at) OVER w - at "
           "END AS held FROM sample WHERE at >= :since AND at < :until AND item NOT IN ('otp_minus_at_ns', 'wall_minus_at_ns') "
           "WINDOW w AS (PARTITION BY node, item, key ORDER BY at)) "
           "SELECT item, key, count(*) AS samples, min(value) AS least, "
           "coalesce(sum(value * 1.0 * held) / nullif(sum(held), 0), avg(value)) AS mean, max(value) AS most, node "
           "FROM s GROUP BY node, item, key ORDER BY node, item, key",
    .column = columns,
    .narrow = "item,key,samples,least,mean,most",
};
