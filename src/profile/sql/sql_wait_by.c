/*
 * wait_by(t0, t1): where each process waited within [t0, t1), as table `wait` has it for the whole run. Table
 * `gap` does not name the function of a wait: it is the one in which the process was scheduled out, so it comes from
 * the slice that ends where the gap begins. Process by process, in bounded memory.
 *
 *     slice   |-- in f ... out g --|                  |--
 *     gap                          |--- wait ---|ready|
 *     row                  g       |---- dur ---|
 */
#include "base/arena.h"
#include "base/order.h"
#include "base/vec.h"
#include "profile/range.h"
#include "profile/sql/sql_module.h"

static const struct sb_column columns[] = {
    {"process", SB_INT, SB_U_ID, "process.id"},
    {"function", SB_TEXT, SB_U_NONE, "function that it waited in"},
    {"count", SB_INT, SB_U_COUNT, "waits that overlap the range"},
    {"total_ns", SB_INT, SB_U_NS, "their parts within the range"},
    {"max_ns", SB_INT, SB_U_NS, "the longest of these parts"},
};
enum { PROCESS, FUNCTION, COUNT, TOTAL, MAX, N_COLUMNS };

struct wait {
    int64_t from, to;
};

struct left { /* a slice that ended, and where */
    int64_t at, from, function;
    uint64_t row;
};

struct place {
    int64_t function, count, total, max;
};

struct rows {
    struct sb_sql *q;
    struct sb_scan gap, slice;
    int64_t longest_gap, longest_slice;
    int64_t process, last; /* remaining ids */
    struct sb_range range;
    SB_VEC(struct wait) wait;
    SB_VEC(struct left) left;
    SB_VEC(struct place) place; /* of one process, with i of them returned */
    size_t i;
};

/* ---- one process ---- */

static void
find_waits(struct rows *r)
{
    enum { START, WAIT };
    r->wait.n = 0;
    sb_scan_restart(&r->gap);
    sb_scan_where(&r->gap, SB_C_gap__process, r->process, r->process);
    sb_range_scan(r->range, &r->gap, SB_C_gap__start, r->longest_gap);
    sb_scan_where(&r->gap, SB_C_gap__wait_ns, 1, INT64_MAX);
    while (sb_scan_next(&r->gap))
        for (size_t i = 0; i < r->gap.n; i++) {
            struct wait w = {.from = r->gap.value[START][i]};
            if (!__builtin_add_overflow(w.from, r->gap.value[WAIT][i], &w.to) &&
                sb_range_part(r->range, w.from, w.to) > 0)
                *SB_PUSH(&r->wait) = w;
        }
}

static void
find_slices(struct rows *r)
{
    enum { START, DUR, OUT };
    struct sb_range left = {INT64_MAX, SB_NULL + 1};
    for (size_t i = 0; i < r->wait.n; i++) {
        int64_t at = r->wait.at[i].from;
        left.from = at < left.from ? at : left.from;
        left.to = at >= left.to ? at + 1 : left.to;
    }
    r->left.n = 0;
    sb_scan_restart(&r->slice);
    sb_scan_where(&r->slice, SB_C_slice__process, r->process, r->process);
    sb_range_scan(left, &r->slice, SB_C_slice__start, r->longest_slice);
    while (sb_scan_next(&r->slice))
        for (size_t i = 0; i < r->slice.n; i++) {
            struct left l = {
                .from = r->slice.value[START][i], .function = r->slice.value[OUT][i], .row = r->slice.row[i]};
            if (r->slice.value[DUR][i] >= 0 && !__builtin_add_overflow(l.from, r->slice.value[DUR][i], &l.at))
                *SB_PUSH(&r->left) = l;
        }
}

SB_ORDER(by_end, struct left, SB_UP(at) ?: SB_UP(from) ?: SB_UP(row))

/* The function in which the process was last scheduled out by `at`, if that was at this moment. */
static int64_t
function_left(const struct rows *r, int64_t at)
{
    size_t from = 0, to = r->left.n;
    SB_SEARCH(from, to, r->left.at[mid].at <= at);
    return from > 0 && r->left.at[from - 1].at == at ? r->left.at[from - 1].function : SB_NULL;
}

static struct place *
place_of(struct rows *r, int64_t function)
{
    for (size_t i = 0; i < r->place.n; i++)
        if (r->place.at[i].function == function)
            return &r->place.at[i];
    struct place *p = SB_PUSH(&r->place);
    *p = (struct place){.function = function};
    return p;
}

static void
sum_up(struct rows *r)
{
    r->place.n = r->i = 0;
    find_waits(r);
    if (r->wait.n == 0)
        return;
    find_slices(r);
    SB_SORT(&r->left, by_end);
    for (size_t i = 0; i < r->wait.n; i++) {
        const struct wait *w = &r->wait.at[i];
        int64_t function = function_left(r, w->from);
        if (function == SB_NULL)
            continue;
        int64_t part = sb_range_part(r->range, w->from, w->to);
        struct place *p = place_of(r, function);
        p->count++;
        p->total += part;
        p->max = part > p->max ? part : p->max;
    }
}

/* ---- rows ---- */

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    sb_scan_close(&r->gap);
    sb_scan_close(&r->slice);
    SB_VEC_FREE(&r->wait);
    SB_VEC_FREE(&r->left);
    SB_VEC_FREE(&r->place);
}

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    static const unsigned gap[] = {SB_C_gap__start, SB_C_gap__wait_ns},
                          slice[] = {SB_C_slice__start, SB_C_slice__dur, SB_C_slice__out_function};
    if (sb_str_eq(sb_profile_meta(c->profile, SB_STR("runnable")), SB_STR("system_profile"))) {
        sb_err_set(e, SB_ERR_USAGE,
                   "the VM reported the waits of this trace, and the profile has their sums over the whole "
                   "run only; state_by(t0, t1) has the waiting time of each process");
        return NULL;
    }
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){.q = c->sql, .process = 1, .last = (int64_t)sb_profile_rows(c->profile, SB_T_process)};
    r->range = sb_range_of(c->profile, c->arg[0].i, c->arg[1].i);
    if (c->arg[2].s.p != NULL)
        r->process = r->last = c->arg[2].i == SB_NULL ? 0 : c->arg[2].i;
    sb_scan_open_columns(&r->gap, c->profile, SB_T_gap, gap, sizeof gap / sizeof *gap);
    sb_scan_open_columns(&r->slice, c->profile, SB_T_slice, slice, sizeof slice / sizeof *slice);
    r->longest_gap = sb_profile_largest(c->profile, SB_T_gap, SB_C_gap__wait_ns);
    r->longest_slice = sb_profile_largest(c->profile, SB_T_slice, SB_C_slice__dur);
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    for (; r->i == r->place.n; r->process++) {
        if (r->process > r->last || sb_sql_expired(r->q))
            return false;
        sum_up(r);
    }
    const struct place *p = &r->place.at[r->i++];
    cell[PROCESS].i = r->process - 1;
    cell[FUNCTION].s = sb_profile_text(r->q->p, p->function);
    cell[COUNT].i = p->count;
    cell[TOTAL].i = p->total;
    cell[MAX].i = p->max;
    return true;
}

const struct sb_computed sb_sql_wait_by = {
    .name = "wait_by",
    .doc = "wait_by(t0, t1): where each process waited within [t0, t1)",
    .column = columns,
    .n_columns = N_COLUMNS,
    .arg = {"t0", "t1", "process"},
    .open = open_rows,
    .next = next_row,
    .close = close_rows,
};
