/*
 * slice_by('process'|'scheduler'|'in_function'|'out_function'|'kind', t0, t1): groups slices without SQLite's
 * row-by-row machine. Workers take blocks in turn and add into their own arrays, which are summed at the end.
 * With t0 or t1, only the part of a slice within [t0, t1) counts.
 */
#include "base/arena.h"
#include "base/pool.h"
#include "profile/range.h"
#include "profile/sql/sql_module.h"
#include <stdlib.h>

static void close_rows(void *rows);

static const struct sb_column columns[] = {
    {"key", SB_TEXT, SB_U_NONE, "what was grouped by; an id for process and scheduler"},
    {"count", SB_INT, SB_U_COUNT, "slices"},
    {"total_ns", SB_INT, SB_U_NS, "sum of their durations"},
    {"max_ns", SB_INT, SB_U_NS, "the longest"},
};

SB_COMPUTED(sb_sql_slice_by) = {
    .name = "slice_by",
    .doc = "slices grouped natively, in parallel: "
           "slice_by('process'|'scheduler'|'in_function'|'out_function'|'kind', t0, t1)",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .arg = {"by", "t0", "t1"},
    .n_required = 1,
    .loose = 1,
    .open = open_rows,
    .next = next_row,
    .close = close_rows,
};

enum { BLOCKS_AT_ONCE = 32, MOST_KEYS = 1 << 26 };

struct sum {
    int64_t count, total, max;
};

struct grouping {
    struct sb_sql *q;
    unsigned col;
    struct sb_range range;
    bool clipped;
    uint64_t n_blocks;
    int64_t n_keys;    /* keys are 0 .. n_keys - 2; NULL has the last place */
    struct sum **sums; /* of each worker, allocated at its first block */
};

/* ---- one block ---- */

/* Rows with one key are usually adjacent, so each run is summed in registers. */
static void
add_rows(struct sum *sums, const int64_t *key, const int64_t *dur, size_t n, int64_t n_keys, bool count_null)
{
    for (size_t i = 0; i < n;) {
        int64_t k = key[i];
        struct sum s = {0};
        do {
            int64_t d = dur[i];
            bool known = d != SB_NULL;
            s.count += known || count_null;
            s.total += known ? d : 0;
            s.max = known && d > s.max ? d : s.max;
        } while (++i < n && key[i] == k);
        struct sum *to = &sums[k >= 0 && k < n_keys - 1 ? k : n_keys - 1];
        to->count += s.count;
        to->total += s.total;
        to->max = s.max > to->max ? s.max : to->max;
    }
}

static bool
is_outside(const struct grouping *g, uint64_t block)
{
    if (!g->clipped)
        return false;
    struct sb_zone start = sb_profile_zone(g->q->p, SB_T_slice, SB_C_slice__start, block * SB_BLOCK_ROWS);
    struct sb_zone dur = sb_profile_zone(g->q->p, SB_T_slice, SB_C_slice__dur, block * SB_BLOCK_ROWS);
    int64_t last;
    return start.min > start.max || start.min >= g->range.to ||
           (!__builtin_add_overflow(start.max, dur.max, &last) && last < g->range.from);
}

static void
add_block(struct grouping *g, uint64_t block, struct sum *sums)
{
    int64_t key[SB_BLOCK_ROWS], dur[SB_BLOCK_ROWS], start[SB_BLOCK_ROWS];
    if (is_outside(g, block))
        return;
    size_t n = sb_profile_block(g->q->p, SB_T_slice, g->col, block, key);
    sb_profile_block(g->q->p, SB_T_slice, SB_C_slice__dur, block, dur);
    if (g->clipped) {
        sb_profile_block(g->q->p, SB_T_slice, SB_C_slice__start, block, start);
        for (size_t i = 0; i < n; i++)
            dur[i] = sb_range_clip(g->range, &start[i], &dur[i]) ? dur[i] : SB_NULL;
    }
    add_rows(sums, key, dur, n, g->n_keys, !g->clipped);
}

static void
add_blocks(void *ctx, size_t i, unsigned worker)
{
    struct grouping *g = ctx;
    if (sb_sql_expired(g->q))
        return;
    if (g->sums[worker] == NULL)
        g->sums[worker] = sb_zeroed_or_die((size_t)g->n_keys, sizeof(struct sum));
    uint64_t from = i * BLOCKS_AT_ONCE, to = from + BLOCKS_AT_ONCE;
    for (uint64_t b = from; b < to && b < g->n_blocks; b++)
        add_block(g, b, g->sums[worker]);
}

static struct sum *
sum_up(struct grouping *g)
{
    struct sb_pool *pool = sb_pool_open(g->n_blocks > 4 * BLOCKS_AT_ONCE ? 0 : 1);
    unsigned workers = sb_pool_threads(pool);
    g->sums = sb_zeroed_or_die(workers, sizeof *g->sums);
    struct sum *all = sb_zeroed_or_die((size_t)g->n_keys, sizeof *all);
    sb_pool_each(pool, (g->n_blocks + BLOCKS_AT_ONCE - 1) / BLOCKS_AT_ONCE, add_blocks, g);
    sb_pool_close(pool);
    for (unsigned w = 0; w < workers; w++) {
        for (int64_t k = 0; g->sums[w] && k < g->n_keys; k++) {
            all[k].count += g->sums[w][k].count;
            all[k].total += g->sums[w][k].total;
            all[k].max = all[k].max > g->sums[w][k].max ? all[k].max : g->sums[w][k].max;
        }
        free(g->sums[w]);
    }
    free(g->sums);
    return all;
}

/* ---- rows ---- */

struct rows {
    const struct sb_profile *p;
    enum sb_type type;
    struct sum *sums;
    int64_t n, i;
};

static int64_t
most_keys(const struct sb_profile *p, unsigned col)
{
    enum sb_tab of = col == SB_C_slice__process ? SB_T_process : SB_T_scheduler;
    if (sb_schema[SB_T_slice].column[col].type != SB_TEXT)
        return (int64_t)sb_profile_rows(p, of) + 2;
    return sb_profile_texts(p) + 1;
}

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    static const char *const by[] = {"process", "scheduler", "in_function", "out_function", "kind"};
    struct grouping g = {.q = c->sql, .range = sb_range_of(c->profile, c->arg[1].i, c->arg[2].i)};
    bool known = false;
    for (size_t i = 0; i < sizeof by / sizeof by[0]; i++)
        if (sb_str_eq(c->arg[0].s, sb_str_of(by[i])))
            known = true, g.col = (unsigned)sb_schema_column(SB_T_slice, c->arg[0].s);
    if (!known) {
        sb_err_set(e, SB_ERR_USAGE,
                   "cannot group by '%.*s': process, scheduler, in_function, out_function or kind",
                   SB_STR_ARG(c->arg[0].s));
        return NULL;
    }
    g.clipped = c->arg[1].i != SB_NULL || c->arg[2].i != SB_NULL;
    g.n_keys = most_keys(c->profile, g.col);
    if (g.n_keys > MOST_KEYS) {
        sb_err_set(e, SB_ERR_LIMIT, "more than %d groups", MOST_KEYS);
        return NULL;
    }
    g.n_blocks = (sb_profile_rows(c->profile, SB_T_slice) + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS;
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){c->profile, sb_schema[SB_T_slice].column[g.col].type, sum_up(&g), g.n_keys, 0};
    c->type[0] = r->type;
    return r;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    while (r->i < r->n && r->sums[r->i].count == 0)
        r->i++;
    if (r->i == r->n)
        return false;
    int64_t key = r->i == r->n - 1 ? SB_NULL : r->i;
    if (r->type == SB_TEXT)
        cell[0].s = sb_profile_text(r->p, key);
    else
        cell[0].i = key;
    cell[1].i = r->sums[r->i].count;
    cell[2].i = r->sums[r->i].total;
    cell[3].i = r->sums[r->i].max;
    r->i++;
    return true;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    free(r->sums);
}
