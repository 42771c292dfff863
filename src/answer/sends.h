/*
 * Who sent what when, for statements about a range of time: table `message` has messages to processes, table
 * `event` those to ports, ended processes, and names without a known owner. Both together are process.sends.
 */
#pragma once
#include "profile/range.h"

/* id: process.id of the sender; words: NULL if unknown; at_least: 1 if words is a lower bound */
#define SB_SENDS_WITHIN \
    "(SELECT sender AS id, words, at_least FROM message WHERE sender IS NOT NULL AND " SB_SENT_IN_RANGE \
    " UNION ALL SELECT process, nullif(x, -1), flags >> 1 & 1 FROM event WHERE kind IN " \
    "('send', 'send_to_non_existing_process') AND process IS NOT NULL AND " SB_AT_IN_RANGE ")"
