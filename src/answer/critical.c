#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"share", SB_REAL, SB_U_PERCENT, "per cent of the length of the run"},
    {"ns", SB_INT, SB_U_NS, "on the path"},
    {"kind", SB_TEXT, SB_U_NONE, "as in table critical"},
    {"process", SB_TEXT, SB_U_NONE, "process"},
    {"function", SB_TEXT, SB_U_NONE, "where its slices began, or the function that waits"},
    {"peer", SB_TEXT, SB_U_NONE, "sender of the messages, or parent"},
    {"steps", SB_INT, SB_U_COUNT, "of the path"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>"},
    {"id", SB_INT, SB_U_ID, "process.id"},
    {"peer_id", SB_INT, SB_U_ID, "process.id"},
    {0},
};

const struct sb_answer sb_answer_critical = {
    .name = "critical",
    .title = "The chain that set the length of the run",
    .ordered = "by its time on it",
    .whole_run = "the table critical has each step with its time: strobe query P \"SELECT * FROM critical\"",
    .of_all = true,
    .doc = "The critical path: work and waits that follow each other up to the end of the run, summed by "
           "process, kind, function and peer. Table critical has its steps in order.",
    .model = SB_MODEL_PATH,
    .needs = "--trace running,messages",
    .limit = 20,
    .sql = "SELECT 100.0 * ns / (SELECT max(value + 0) FROM meta WHERE key = 'span_ns') AS share, ns, kind, "
           "who(process) AS process, function, who(peer) AS peer, steps, pid(process) AS pid, process AS id, "
           "peer AS peer_id FROM (SELECT sum(dur) AS ns, count(*) AS steps, kind, process, function, peer "
           "FROM critical GROUP BY process, kind, function, peer)",
    .order = "ns",
    .column = columns,
    .narrow = "share,ns,kind,process,function,steps",
    .hide = "id,peer_id",
};
