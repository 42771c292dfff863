/*
 * Slices in a range, in order, each with the number of processes (and ports) that were running or runnable when it
 * began and when it had ended. The numbers count slices and runnable parts of gaps that contain the moment, so they
 * are exact.
 */
#include "serve/route.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include <stdlib.h>

enum { MOST_STAYS = 2000, START = 4 }; /* START: the column start of the statement; dur follows */

static const char statement[] =
    "SELECT s.process, p.node, p.pid, who(p.id) AS who, s.start, s.dur, s.in_function, "
    "s.out_function, s.kind, c.number AS scheduler FROM (SELECT * FROM slice WHERE " SB_SPAN_IN_RANGE
    " ORDER BY start, process LIMIT 2000 OFFSET :from) s LEFT JOIN process p ON p.id = s.process LEFT JOIN "
    "scheduler c ON c.id = s.scheduler ORDER BY s.start, s.process";
static const struct sb_column columns[] = {
    {"could_run", SB_INT, SB_U_COUNT, "processes that were running or runnable when the slice began"},
    {"ports", SB_INT, SB_U_COUNT, "ports at work then"},
    {"could_run_after", SB_INT, SB_U_COUNT,
     "processes that were running or runnable when the slice had ended"}};

/* The number of intervals that contain each of some ascending moments: those that began less those that
   ended. */
struct counts {
    const struct sb_served *served;
    size_t n;
    int64_t *at, *processes, *ports;
};

static size_t
first_from(const struct counts *c, int64_t t)
{
    size_t low = 0, high = c->n;
    SB_SEARCH(low, high, c->at[mid] < t);
    return low;
}

static void
add_span(const struct counts *c, int64_t *change, int64_t from, int64_t to)
{
    change[first_from(c, from)]++;
    change[first_from(c, to)]--;
}

static void
count_slices(const struct counts *c)
{
    SB_SCAN(s, c->served->profile, slice, start, dur, process);
    sb_scan_where(&s, SB_C_slice__start, c->at[0] - c->served->longest_slice_ns, c->at[c->n - 1]);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        add_span(c, s.value[process][i] == SB_NULL ? c->ports : c->processes, s.value[start][i],
                 s.value[start][i] + s.value[dur][i]);
}

static void
count_ready(const struct counts *c)
{
    SB_SCAN(s, c->served->profile, gap, start, wait_ns, runnable_ns);
    sb_scan_where(&s, SB_C_gap__start, 0, c->at[c->n - 1]); /* a wait may have begun at any earlier time */
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t waited = s.value[wait_ns][i], ns = s.value[runnable_ns][i];
        int64_t from = s.value[start][i] + (waited == SB_NULL ? 0 : waited);
        if (ns != SB_NULL && ns > 0 && from + ns > c->at[0])
            add_span(c, c->processes, from, from + ns);
    }
}

/* Sums changes up, and writes the numbers at the beginning and the end of each slice. */
static void
write_counts(const struct counts *c, const struct sb_table *slices, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "count", columns, sizeof columns / sizeof *columns);
    for (size_t i = 1; i < c->n; i++) {
        c->processes[i] += c->processes[i - 1];
        c->ports[i] += c->ports[i - 1];
    }
    for (size_t i = 0; i < slices->n_rows; i++) {
        const union sb_cell *slice = &slices->cell[i * slices->n_columns + START];
        size_t first = first_from(c, slice[0].i), last = first_from(c, slice[0].i + slice[1].i);
        SB_ROW(t, {.i = c->processes[first]}, {.i = c->ports[first]}, {.i = c->processes[last]});
    }
}

bool
sb_route_ran(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct sb_range range;
    int64_t from;
    SB_TRY(sb_request_range(rq, &range, e) &&
           sb_request_int(rq, "from", (struct sb_request_limits){0, INT64_MAX, 0}, &from, e));
    struct sb_sql_value value[] = {
        {.name = ":since", .i = range.from}, {.name = ":until", .i = range.to}, {.name = ":from", .i = from}};
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, MOST_STAYS};
    struct sb_table *t = sb_reply_room(r, "slice");
    SB_TRY(sb_sql_ask(rq->sql, sb_str_of(statement), value, 3, &limits, rq->arena, t, e));
    size_t n = 2 * t->n_rows;
    struct counts c = {rq->served, n, SB_NEW_N(rq->arena, int64_t, n + 1),
                       SB_NEW_N(rq->arena, int64_t, n + 1), SB_NEW_N(rq->arena, int64_t, n + 1)};
    for (size_t i = 0; i < t->n_rows; i++) {
        const union sb_cell *slice = &t->cell[i * t->n_columns + START];
        c.at[2 * i] = slice[0].i;
        c.at[2 * i + 1] = slice[0].i + slice[1].i;
    }
    if (n > 0) {
        qsort(c.at, n, sizeof *c.at, sb_by_number);
        count_slices(&c);
        count_ready(&c);
    }
    write_counts(&c, t, r);
    return true;
}
