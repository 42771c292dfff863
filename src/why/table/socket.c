/* socket(process, processes, direction, connections, requests, ...). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/socket.def"
};
#undef COLUMN

const struct sb_computed sb_why_socket = {
    .name = "socket",
    .doc = "requests over TCP, by the processes that answered them or made them",
    SB_OF_FINDINGS(columns, next_row),
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->sockets.n)
        return false;
    const struct sb_socket_row *s = &r->all->sockets.at[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/socket.def"
#undef COLUMN
    return true;
}
