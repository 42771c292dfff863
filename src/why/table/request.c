/* request(server, client, path, count, p50_ns, ...). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/request.def"
};
#undef COLUMN

const struct sb_computed sb_why_request = {
    .name = "request",
    .doc = "requests by who asks whom, of the servers in table server; round trips where the client was "
           "recorded",
    SB_OF_FINDINGS(columns, next_row),
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->requests.n)
        return false;
    const struct sb_request_row *q = &r->all->requests.at[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/request.def"
#undef COLUMN
    return true;
}
