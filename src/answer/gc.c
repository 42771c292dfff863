#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "process that collected"},
    {"gc_ns", SB_INT, SB_U_NS, "total time of its collections"},
    {"gc_ppm", SB_INT, SB_U_PPM, "gc_ns as a share of its run time"},
    {SB_OF(process, gc_count)},
    {"max_ns", SB_INT, SB_U_NS, "longest collection"},
    {"major", SB_INT, SB_U_COUNT, "major collections"},
    {SB_OF(process, reclaimed_words)},
    {SB_OF(process, peak_heap_words)},
    {SB_OF(process, run_ns)},
    {SB_OF(process, id)},
    {SB_OF(process, pid)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_gc = {
    .name = "gc",
    .title = "Garbage collection",
    .ordered = "by time",
    .doc = "One row per process that collected garbage. Table gc has each collection, with heap sizes.",
    .needs = "--trace gc",
    .limit = 20,
    .sql = "SELECT who(p.id) AS process, p.gc_ns, p.gc_ns * 1000000 / nullif(p.run_ns, 0) AS gc_ppm, "
           "p.gc_count, (SELECT max(dur) FROM gc WHERE process = p.id) AS max_ns, (SELECT count(*) FROM gc "
           "WHERE process = p.id AND kind = 'major') AS major, p.reclaimed_words, p.peak_heap_words, "
           "p.run_ns, p.id, p.pid, p.node FROM (SELECT id FROM (SELECT id, name AS process, gc_ns, gc_ns * "
           "1000000 / nullif(run_ns, 0) AS gc_ppm, gc_count, reclaimed_words, peak_heap_words, run_ns FROM "
           "process WHERE gc_count > 0 AND {among:id}) {order}) c CROSS JOIN process p ON p.id = c.id",
    .sql_between =
        "WITH within AS MATERIALIZED (SELECT process AS id, running_ns + gc_ns AS run_ns FROM state_by WHERE "
        "t0 = :since AND t1 = :until AND {among:process}) SELECT who(p.id) AS process, c.gc_ns, c.gc_ns * "
        "1000000 / nullif(iif(p.run_ns IS NULL, NULL, w.run_ns), 0) AS gc_ppm, c.gc_count, max_ns, major, "
        "c.reclaimed_words, c.peak_heap_words, iif(p.run_ns IS NULL, NULL, w.run_ns) AS run_ns, p.id, p.pid, "
        "p.node FROM (SELECT process, sum(" SB_PART_IN_RANGE
        ") AS gc_ns, count(*) AS gc_count, max(" SB_PART_IN_RANGE
        ") AS max_ns, sum(kind = 'major') AS major, sum(reclaimed_words) AS reclaimed_words, "
        "max(max(coalesce(heap_before, heap_after), coalesce(heap_after, heap_before))) AS peak_heap_words "
        "FROM gc WHERE " SB_SPAN_IN_RANGE " AND {among:process} GROUP BY process) c CROSS JOIN process p ON "
        "p.id = c.process LEFT JOIN within w ON w.id = c.process",
    .count = "SELECT count(*) FROM process WHERE gc_count > 0 AND {among:id}",
    .order = "gc_ns",
    .column = columns,
    .narrow = "process,gc_ns,gc_ppm,gc_count,max_ns,pid",
    .hide = "id,node",
};
