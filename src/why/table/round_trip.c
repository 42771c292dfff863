/* round_trip(server, low_ns, high_ns, count). */
#include "why/find/findings.h"
#include "why/table/columns.h"

static bool next_row(void *rows, union sb_cell *cell);

#define COLUMN(name, type, unit, value, words) {#name, SB_##type, SB_U_##unit, words},
static const struct sb_column columns[] = {
#include "why/table/round_trip.def"
};
#undef COLUMN

const struct sb_computed sb_why_round_trip = {
    .name = "round_trip",
    .doc = "how long the round trips of the servers in table server took, as histograms",
    SB_OF_FINDINGS(columns, next_row),
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_findings_rows *r = rows;
    if (r->next == r->all->servers.buckets.n)
        return false;
    const struct sb_trip_bucket *b = &r->all->servers.buckets.at[r->next++];
#define COLUMN(name, type, unit, value, words) (cell++)->SB_CELL_##type = value;
#include "why/table/round_trip.def"
#undef COLUMN
    return true;
}
