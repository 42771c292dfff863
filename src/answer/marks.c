#include "answer/answer.h"

static const struct sb_column columns[] = {
    {SB_OF(mark, at)},
    {SB_OF(mark, text)},
    {"process", SB_TEXT, SB_U_NONE, "process that set it"},
    {"scheduler", SB_INT, SB_U_ID, "scheduler.id"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_marks = {
    .name = "marks",
    .title = "Marks set by the program",
    .doc = "One row per call of strobe:mark/1.",
    .none = "strobe:mark(\"text\") sets one",
    .needs = "--trace marks, and strobe:mark(Text) in the program",
    .limit = 100,
    .sql = "SELECT at, text, who(process) AS process, scheduler, process AS id, pid(process) AS pid, "
           "{node:process} AS node FROM mark WHERE " SB_AT_IN_RANGE " AND {among:process} ORDER BY at",
    .column = columns,
    .narrow = "at,text,process,pid",
    .hide = "id,node",
};
