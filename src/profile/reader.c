#include "profile/reader.h"
#include "base/arena.h"
#include "base/order.h"
#include <stdlib.h>

/* Processes are looked up by id in any order, as by the pairs that wrote to each other. */
enum { KEPT_OF_PROCESSES = 32 };

static size_t
cells_of(const struct sb_reader *r)
{
    return sb_schema[r->tab].n_columns * r->kept;
}

struct sb_reader *
sb_reader_open(const struct sb_profile *p, enum sb_tab t)
{
    struct sb_reader *r = SB_HEAP(struct sb_reader, p, t, t == SB_T_process ? KEPT_OF_PROCESSES : 1);
    r->column = sb_realloc_or_die(NULL, cells_of(r) * sizeof *r->column);
    for (size_t c = 0; c < cells_of(r); c++)
        r->column[c].block = UINT64_MAX, r->column[c].v = NULL;
    return r;
}

void
sb_reader_close(struct sb_reader *r)
{
    if (r == NULL)
        return;
    for (size_t c = 0; c < cells_of(r); c++)
        free(r->column[c].v);
    free(r->column);
    free(r);
}

const int64_t *
sb_reader_block(struct sb_reader *r, unsigned col, uint64_t block)
{
    size_t at = col * r->kept + block % r->kept;
    if (r->column[at].block != block) {
        if (r->column[at].v == NULL)
            r->column[at].v = sb_realloc_or_die(NULL, SB_BLOCK_ROWS * sizeof(int64_t));
        sb_profile_block(r->p, r->tab, col, block, r->column[at].v);
        r->column[at].block = block;
    }
    return r->column[at].v;
}

/* The zones of a text column exclude single texts only, never a range of texts. */
struct sb_where
sb_where_make(const struct sb_profile *p, enum sb_tab t, unsigned col, int64_t min, int64_t max)
{
    struct sb_where w = {col, min, max, min, max};
    if (sb_schema[t].column[col].type != SB_TEXT)
        return w;
    if (min != max)
        w.zone_min = INT64_MIN, w.zone_max = INT64_MAX;
    else if ((w.zone_min = w.zone_max = sb_profile_text_number(p, t, col, min)) == SB_NULL)
        w.zone_min = INT64_MAX, w.zone_max = INT64_MIN; /* matches no zone */
    return w;
}

/* Decides by the zone maps alone: false if no row of the block can meet all conditions. */
static bool
may_hold_rows(const struct sb_reader *r, const struct sb_where *w, size_t n_where, uint64_t block)
{
    for (size_t k = 0; k < n_where; k++) {
        struct sb_zone z = sb_profile_zone(r->p, r->tab, w[k].col, block * SB_BLOCK_ROWS);
        if (z.min > z.max || w[k].zone_max < z.min || w[k].zone_min > z.max)
            return false;
    }
    return true;
}

/*
 * A clustered table is sorted within a segment. The first block that can hold a match is found by bisection;
 * after the last such block the rest of the segment is skipped.
 */
static uint64_t
skip_in_segment(const struct sb_reader *r, const struct sb_where *w, uint64_t block, uint64_t last)
{
    enum { PER_SEGMENT = SB_SEGMENT_ROWS / SB_BLOCK_ROWS };
    uint64_t after = (block / PER_SEGMENT + 1) * PER_SEGMENT, to = after < last ? after : last;
    struct sb_zone z = sb_profile_zone(r->p, r->tab, w->col, block * SB_BLOCK_ROWS);
    if (z.min <= z.max && z.min > w->max)
        return to;
    while (block < to) {
        uint64_t mid = block + (to - block) / 2;
        z = sb_profile_zone(r->p, r->tab, w->col, mid * SB_BLOCK_ROWS);
        if (z.min > z.max || z.max < w->min) /* NULL sorts first */
            block = mid + 1;
        else
            to = mid;
    }
    return to;
}

uint64_t
sb_reader_next_block(const struct sb_reader *r, const struct sb_where *w, size_t n_where, uint64_t block,
                     uint64_t end)
{
    int cluster = sb_schema_column(r->tab, sb_str_of(sb_schema[r->tab].cluster));
    const struct sb_where *by_cluster = NULL;
    for (size_t k = 0; k < n_where && cluster >= 0; k++)
        if (w[k].col == (unsigned)cluster)
            by_cluster = &w[k];
    uint64_t last = (end + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS;
    while (block < last) {
        uint64_t from = block;
        if (by_cluster && (block = skip_in_segment(r, by_cluster, block, last)) >= last)
            break;
        if (may_hold_rows(r, w, n_where, block))
            return block;
        block += block == from;
    }
    return UINT64_MAX;
}

/* The first index in [from, to) whose value is at least v; NULL sorts first. */
static size_t
first_at_least(const int64_t *value, size_t from, size_t to, int64_t v)
{
    SB_SEARCH(from, to, value[mid] < v);
    return from;
}

struct sb_block_rows
sb_block_rows_of(uint64_t block, uint64_t at, uint64_t end)
{
    uint64_t first = block * SB_BLOCK_ROWS, left = end - first;
    return (struct sb_block_rows){block, at > first ? at - first : 0,
                                  left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS};
}

size_t
sb_reader_select(struct sb_reader *r, const struct sb_where *w, size_t n_where, struct sb_block_rows of,
                 uint16_t *place)
{
    size_t n = 0, k = 0, from = of.from, to = of.to;
    int cluster = sb_schema_column(r->tab, sb_str_of(sb_schema[r->tab].cluster));
    if (n_where > 0 && cluster >= 0 && w[0].col == (unsigned)cluster && w[0].max < INT64_MAX) {
        const int64_t *v = sb_reader_block(r, w[0].col, of.block);
        from = first_at_least(v, from, to, w[0].min > SB_NULL ? w[0].min : SB_NULL + 1);
        to = first_at_least(v, from, to, w[0].max + 1);
        k = 1;
    }
    for (size_t i = from; i < to; i++)
        place[n++] = (uint16_t)i;
    for (; k < n_where && n > 0; k++) {
        const int64_t *v = sb_reader_block(r, w[k].col, of.block);
        size_t kept = 0;
        for (size_t i = 0; i < n; i++) {
            int64_t x = v[place[i]];
            place[kept] = place[i];
            kept += x >= w[k].min && x <= w[k].max && x != SB_NULL;
        }
        n = kept;
    }
    return n;
}
