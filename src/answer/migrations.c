#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"process", SB_TEXT, SB_U_NONE, "process that moved"},
    {SB_OF(process, migrations)},
    {SB_OF(process, slices)},
    {"moved_ppm", SB_INT, SB_U_PPM,
     "share of its slices that started on another scheduler than the previous one"},
    {SB_OF(process, run_ns)},
    {"first_at", SB_INT, SB_U_AT_NS, "first change"},
    {"last_at", SB_INT, SB_U_AT_NS, "last change"},
    {SB_OF(process, id)},
    {SB_OF(process, pid)},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {0},
};

const struct sb_answer sb_answer_migrations = {
    .name = "migrations",
    .title = "Migrations: processes that continued on another scheduler",
    .doc = "One row per process. Table migration has each change, with time and schedulers.",
    .needs = "--trace running",
    .limit = 20,
    .sql = "SELECT who(p.id) AS process, p.migrations, p.slices, p.migrations * 1000000 / nullif(p.slices, "
           "0) AS moved_ppm, p.run_ns, (SELECT min(at) FROM migration WHERE process = p.id) AS first_at, "
           "(SELECT max(at) FROM migration WHERE process = p.id) AS last_at, p.id, p.pid, p.node FROM "
           "(SELECT id FROM (SELECT id, name AS process, migrations, slices, migrations * 1000000 / "
           "nullif(slices, 0) AS moved_ppm, run_ns FROM process WHERE migrations > 0 AND {among:id}) "
           "{order}) c CROSS JOIN process p ON p.id = c.id",
    .sql_between =
        "SELECT who(process) AS process, migrations, first_at, last_at, process AS id, pid(process) AS pid, "
        "{node:process} AS node FROM (SELECT process, count(*) AS migrations, min(at) AS first_at, max(at) "
        "AS last_at FROM migration WHERE " SB_AT_IN_RANGE " AND {among:process} GROUP BY process {order})",
    .count = "SELECT count(*) FROM process WHERE migrations > 0 AND {among:id}",
    .order = "migrations",
    .column = columns,
    .narrow = "process,migrations,slices,moved_ppm,pid",
    .hide = "id,node",
};
