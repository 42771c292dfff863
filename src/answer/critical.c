#include "answer/answer.h"
#include "why/account/critical.h"
#include "why/program/words.h"

static const struct sb_column columns[] = {
    {"share", SB_REAL, SB_U_PERCENT, "per cent of the length of the run"},
    {"ns", SB_INT, SB_U_NS, "on the path"},
    {"kind", SB_TEXT, SB_U_NONE, "as in table critical"},
    {"process", SB_TEXT, SB_U_NONE, "process"},
    {"processes", SB_INT, SB_U_COUNT, "number of processes with the same name or entry"},
    {"function", SB_TEXT, SB_U_NONE, "where its slices began, or the function that waits"},
    {"peer", SB_TEXT, SB_U_NONE, "sender of the messages, or parent"},
    {"steps", SB_INT, SB_U_COUNT, "of the path"},
    {"pid", SB_TEXT, SB_U_NONE, "<0.N.S>; NULL: several"},
    {"id", SB_INT, SB_U_ID, "process.id; NULL: several"},
    {"peer_id", SB_INT, SB_U_ID, "process.id; NULL: several"},
    {0},
};

enum { NS = 1, KIND };

/* A service goes on when its recording ends, so nothing that it did last set the length. */
static const char *
note(const struct sb_ask *ask, const struct sb_table *t)
{
    static const struct {
        const char *kind, *words;
    } waits[] = {{"outside", "what comes from outside"},
                 {"port", "what comes from outside"},
                 {"timer", "timers"},
                 {"unknown", "what the trace does not show"}};
    int64_t all = sb_profile_span(ask->profile), waited = 0, longest = 0;
    const char *most = NULL;
    for (size_t i = 0; i < t->n_rows; i++)
        for (size_t k = 0; k < sizeof waits / sizeof *waits; k++) {
            const union sb_cell *row = &t->cell[i * t->n_columns];
            if (!sb_str_eq(row[KIND].s, sb_str_of(waits[k].kind)))
                continue;
            waited += row[NS].i;
            most = row[NS].i > longest ? waits[k].words : most;
            longest = row[NS].i > longest ? row[NS].i : longest;
        }
    struct sb_err e = {0};
    const struct sb_critical *path = 2 * waited > all ? sb_critical_of(ask->profile, &e) : NULL;
    if (!path || path->is_ended)
        return NULL;
    struct sb_str latency = sb_answer_command(ask, SB_STR("strobe report P latency"));
    return sb_words(
        ask->arena,
        "no result set this length: the program had not ended when the recording did. Most of the path "
        "is waiting for %s.\n"
        "-- how long its requests took: %.*s",
        most, SB_STR_ARG(latency));
}

const struct sb_answer sb_answer_critical = {
    .name = "critical",
    .title = "The chain of work and waits that led to the end of the recording",
    .ordered = "by its time on it",
    .whole_run = "the table critical has each step with its time: strobe query P \"SELECT * FROM critical\"",
    .of_all = true,
    .doc = "The critical path: work and waits that follow each other up to the end of the program, or else "
           "to what ran last before the recording was stopped, summed by "
           "name of the process, kind, function and name of the peer. Table critical has its steps in order.",
    .model = SB_MODEL_PATH,
    .note = note,
    .needs = "--trace running,messages",
    .limit = 20,
    .sql =
        "SELECT 100.0 * ns / (SELECT max(value + 0) FROM meta WHERE key = 'span_ns') AS share, ns, kind, "
        "process, processes, function, peer, steps, pid(id) AS pid, id, peer_id FROM (SELECT sum(ns) AS ns, "
        "kind, who(process) AS process, nullif(count(DISTINCT process), 0) AS processes, function, who(peer) "
        "AS peer, "
        "sum(steps) AS steps, iif(min(process) = max(process), process, NULL) AS id, "
        "iif(min(peer) = max(peer), peer, NULL) AS peer_id FROM (SELECT sum(dur) AS ns, count(*) AS steps, "
        "kind, process, function, peer FROM critical GROUP BY process, kind, function, peer) "
        "GROUP BY who(process), kind, function, who(peer))",
    .order = "ns",
    .column = columns,
    .narrow = "share,ns,kind,process,processes,function,steps",
    .hide = "id,peer_id",
};
