#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"class", SB_TEXT, SB_U_NONE, "class of the events"},
    {"events", SB_INT, SB_U_COUNT, "number of events"},
    {"bytes", SB_INT, SB_U_BYTES, "bytes of a file that could not be read"},
    {"stream", SB_TEXT, SB_U_NONE, "ring or file"},
    {"at", SB_INT, SB_U_AT_NS, "time of the loss"},
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
