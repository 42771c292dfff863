#include "answer/answer.h"
#include "why/program/words.h"

static const struct sb_column columns[] = {
    {"sender", SB_TEXT, SB_U_NONE, "sender"},
    {"receiver", SB_TEXT, SB_U_NONE, "receiver"},
    {"senders", SB_INT, SB_U_COUNT,
     "number of processes with the same name or entry (text shows them in one row; --process shows each)"},
    {"receivers", SB_INT, SB_U_COUNT, "number of receivers with the same name or entry"},
    {SB_OF(message_edge, count)},
    {SB_OF(message_edge, total_words)},
    {"mean_words", SB_INT, SB_U_WORDS, "average size"},
    {SB_OF(message_edge, max_words)},
    {"mean_latency_ns", SB_INT, SB_U_NS, "average time from sent to received, of the matched messages"},
    {SB_OF(message_edge, max_latency_ns)},
    {SB_OF(message_edge, total_ext_bytes)},
    {SB_OF(message_edge, matched)},
    {SB_OF(message_edge, at_least)},
    {"from_id", SB_INT, SB_U_ID, "process.id"},
    {"to_id", SB_INT, SB_U_ID, "process.id"},
    {"from_pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"to_pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"from_node", SB_INT, SB_U_ID, "node.id"},
    {"to_node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

/* The tracer looks at so much of a message and no more. */
static const char *
note(const struct sb_ask *ask, const struct sb_table *t)
{
    int64_t n = 0;
    size_t at = 0;
    while (at < t->n_columns && strcmp(t->column[at].name, "at_least") != 0)
        at++;
    for (size_t i = 0; i < t->n_rows && at < t->n_columns; i++)
        n += sb_known(t->cell[i * t->n_columns + at].i);
    return n > 0 ? sb_words(ask->arena, "of %s of these messages the size is a lower bound",
                            sb_words_count(ask->arena, n))
                 : NULL;
}

/* Latencies between two nodes below the error of their clocks are not shown; engine/edge_tables.c does the
 * same for the whole run. */
#define SURE \
    "((SELECT count(*) FROM node) = 1 OR {node:sender} = {node:receiver} OR mean >= " \
    "(SELECT " SB_CLOCKS_ERROR( \
        "a", "b") " FROM node a, node b WHERE a.id = {node:sender} AND b.id = {node:receiver}))"

const struct sb_answer sb_answer_messages = {
    .name = "messages",
    .title = "Messages, by sender and receiver",
    .doc = "One row per sender and receiver: how many messages, how large, and how long they waited before "
           "they were received.",
    .needs = "--trace messages",
    .limit = 20,
    .sql = "SELECT who(m.sender) AS sender, who(m.receiver) AS receiver, m.count, m.total_words, "
           "m.total_words / nullif(m.count, 0) AS mean_words, m.max_words, m.latency_ns / nullif(m.matched, "
           "0) AS mean_latency_ns, m.max_latency_ns, m.total_ext_bytes, m.matched, m.at_least, m.sender AS "
           "from_id, m.receiver AS to_id, pid(m.sender) AS from_pid, pid(m.receiver) AS to_pid, "
           "{node:m.sender} AS from_node, {node:m.receiver} AS to_node FROM (SELECT r FROM (SELECT rowid AS "
           "r, *, total_words / nullif(count, 0) AS mean_words, latency_ns / nullif(matched, 0) AS "
           "mean_latency_ns FROM message_edge WHERE {among:sender} OR {among:receiver}) {order}) c CROSS "
           "JOIN message_edge m ON m.rowid = c.r",
    .sql_between = "SELECT who(sender) AS sender, who(receiver) AS receiver, count, total_words, mean_words, "
                   "max_words, mean_latency_ns, max_latency_ns, total_ext_bytes, matched, at_least, sender "
                   "AS from_id, receiver AS to_id, pid(sender) AS from_pid, pid(receiver) AS to_pid, "
                   "{node:sender} AS from_node, {node:receiver} AS to_node FROM (SELECT *, CASE WHEN " SURE
                   " THEN mean END AS mean_latency_ns, CASE WHEN " SURE
                   " THEN longest END AS max_latency_ns FROM (SELECT sender, receiver, count(*) AS count, "
                   "sum(words) AS total_words, CAST(avg(words) AS INTEGER) AS mean_words, max(words) AS "
                   "max_words, CAST(avg(received - sent) AS INTEGER) AS mean, max(received - sent) AS "
                   "longest, sum(ext_bytes) AS total_ext_bytes, count(received - sent) AS matched, "
                   "sum(at_least) AS at_least FROM message WHERE sender IS NOT NULL AND " SB_SENT_IN_RANGE
                   " AND ({among:sender} OR {among:receiver}) GROUP BY sender, receiver) {order})",
    .sql_folded =
        "SELECT s.who AS sender, count(DISTINCT m.sender) AS senders, r.who AS receiver, count(DISTINCT "
        "m.receiver) AS receivers, sum(m.count) AS count, sum(m.total_words) AS total_words, "
        "sum(m.total_words) / nullif(sum(m.count), 0) AS mean_words, max(m.max_words) AS max_words, "
        "sum(m.latency_ns) / nullif(sum(m.matched), 0) AS mean_latency_ns, max(m.max_latency_ns) AS "
        "max_latency_ns, sum(m.total_ext_bytes) AS total_ext_bytes, sum(m.at_least) AS at_least, s.node AS "
        "from_node, r.node AS to_node FROM message_edge m CROSS JOIN (SELECT id, node, who(id) AS who "
        "FROM process) s ON s.id = m.sender CROSS JOIN (SELECT id, node, "
        "who(id) AS who FROM process) r ON r.id = m.receiver GROUP BY "
        "s.who, s.node, r.who, r.node",
    .count = "SELECT count(*) FROM message_edge WHERE {among:sender} OR {among:receiver}",
    .order = "count",
    .column = columns,
    .narrow = "sender,senders,receiver,receivers,count,total_words,mean_latency_ns",
    .note = note,
    .hide = "from_id,to_id,from_node,to_node",
};
