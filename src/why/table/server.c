/* server(process, clients, requests, service_p50_ns, ...). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/server.def"
};
#undef COLUMN

const struct sb_computed sb_why_server = {
    .name = "server",
    .doc = "processes that replied to others ten times or more while these waited or after a call, as "
           "queues, by utilisation",
    SB_OF_FINDINGS(columns, next_row),
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->servers.n)
        return false;
    const struct sb_server_row *s = &r->all->servers.at[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/server.def"
#undef COLUMN
    return true;
}
