#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "registered name, label, or the function it was spawned with"},
    {SB_OF(process, run_ns)},
    {"run_ppm", SB_INT, SB_U_PPM, "run_ns as a share of the profiled time"},
    {SB_OF(process, runnable_ns)},
    {SB_OF(process, wait_ns)},
    {SB_OF(process, gc_ns)},
    {SB_OF(process, dirty_ns)},
    {SB_OF(process, unknown_ns)},
    {SB_OF(process, sends)},
    {SB_OF(process, receives)},
    {SB_OF(process, send_words)},
    {SB_OF(process, receive_words)},
    {SB_OF(process, handover_ns)},
    {SB_OF(process, dirty_gc_ns)},
    {SB_OF(process, gc_count)},
    {SB_OF(process, migrations)},
    {SB_OF(process, slices)},
    {SB_OF(process, max_queue)},
    {SB_OF(process, peak_mailbox)},
    {SB_OF(process, runnable_low_ns)},
    {SB_OF(process, runnable_high_ns)},
    {SB_OF(process, spawned)},
    {SB_OF(process, start)},
    {SB_OF(process, end)},
    {SB_OF(process, exit_reason)},
    {SB_OF(process, entry)},
    {SB_OF(process, name)},
    {"parent", SB_TEXT, SB_U_NONE, "pid of its parent"},
    {"asked_by", SB_TEXT, SB_U_NONE, "pid of the process on whose behalf its parent started it"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {SB_OF(process, id)},
    {SB_OF(process, pid)},
    {0},
};

#define COLUMNS \
    "SELECT who(p.id) AS process, p.run_ns, p.run_ns * 1000000 / nullif(:span, 0) AS run_ppm, " \
    "p.runnable_ns, " \
    "p.wait_ns, p.gc_ns, p.dirty_ns, p.unknown_ns, " \
    "p.sends, p.receives, p.send_words, p.receive_words, p.handover_ns, p.dirty_gc_ns, " \
    "p.gc_count, p.migrations, p.slices, p.max_queue, p.peak_mailbox, p.runnable_low_ns, " \
    "p.runnable_high_ns, p.spawned, " \
    "p.start, p.\"end\", p.exit_reason, p.entry, p.name, pid(p.parent) AS parent, pid(p.asked_by) AS " \
    "asked_by, p.node, p.id, p.pid "
/* only the column to sort by is read for all processes, the others for those shown */
#define CHOSEN \
    "FROM (SELECT id FROM (SELECT *, name AS process, run_ns AS run_ppm FROM process) WHERE {among:id} " \
    "{order}) c " \
    "CROSS JOIN process p ON p.id = c.id"

const struct sb_answer sb_answer_processes = {
    .name = "processes",
    .title = "Processes",
    .ordered = "by run time",
    .doc = "One row per process: how long it was running, runnable, waiting and collecting garbage, and what "
           "it sent and received.",
    .needs = "--trace procs,running",
    .limit = 20,
    .sql = COLUMNS CHOSEN,
    .sql_between = "WITH within AS MATERIALIZED (SELECT * FROM state_by WHERE t0 = :since AND t1 = :until "
                   "AND {among:process}) SELECT who(p.id) AS process, w.running_ns + w.gc_ns AS run_ns, "
                   "(w.running_ns + w.gc_ns) * 1000000 / nullif(min(:until, :span) - :since, 0) AS run_ppm, "
                   "w.runnable_ns, w.waiting_ns AS wait_ns, w.gc_ns, w.dirty_ns, w.handover_ns, "
                   "w.unknown_ns, p.entry, p.name, pid(p.parent) AS parent, pid(p.asked_by) AS asked_by, "
                   "p.node, p.id, p.pid FROM within w CROSS JOIN process p ON p.id = w.process",
    .count = "SELECT count(*) FROM process WHERE {among:id}",
    .order = "run_ns",
    .column = columns,
    .narrow = "process,run_ns,run_ppm,runnable_ns,wait_ns,gc_ns,pid",
    .hide = "id,node,name,entry,parent,asked_by,dirty_gc_ns,runnable_low_ns,runnable_high_ns,unknown_ns,"
            "start,end,exit_reason",
};
