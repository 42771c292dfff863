#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(loss, class)},
    {SB_OF(loss, events)},
    {SB_OF(loss, bytes)},
    {SB_OF(loss, stream)},
    {SB_OF(loss, at)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_loss = {
    .name = "loss",
    .title = "Lost events",
    .doc = "One row per place where events are missing. No row: nothing was lost.",
    .of_all = true,
    .limit = 50,
    .shows_loss = true,
    .sql = "SELECT class, events, bytes, stream, at, node FROM loss WHERE at IS NULL OR " SB_AT_IN_RANGE,
    .order = "events",
    .column = columns,
    .narrow = "class,events,bytes,stream,at",
};
