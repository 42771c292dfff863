#include "engine/pyramid/pyramid_cells.h"
#include "base/arena.h"
#include <stdlib.h>

enum { FEW = 4 };

struct sb_track_cell
sb_track_cells_get(const struct sb_track_cells *l, size_t i)
{
    if (l->is_wide)
        return l->at.wide[i];
    struct sb_track_cell c = {.bucket = l->at.narrow[i].bucket};
    for (unsigned w = 0; w < SB_CELL_NUMBERS; w++)
        c.number[w] = l->at.narrow[i].number[w];
    return c;
}

static void
make_wide(struct sb_track_cells *l)
{
    struct sb_track_cell *to = sb_realloc_or_die(NULL, l->cap * sizeof *to);
    for (size_t i = 0; i < l->n; i++)
        to[i] = sb_track_cells_get(l, i);
    free(l->at.narrow);
    l->at.wide = to;
    l->is_wide = true;
}

static bool
fits(const struct sb_track_cell *c)
{
    uint64_t beyond = 0;
    for (unsigned w = 0; w < SB_CELL_NUMBERS; w++)
        beyond |= (uint64_t)(c->number[w] - INT32_MIN) >> 32;
    return beyond == 0;
}

static inline void
set(struct sb_track_cells *l, size_t i, const struct sb_track_cell *c)
{
    if (!l->is_wide && !fits(c))
        make_wide(l);
    if (l->is_wide) {
        l->at.wide[i] = *c;
        return;
    }
    struct sb_narrow_cell *to = &l->at.narrow[i];
    to->bucket = c->bucket;
    for (unsigned w = 0; w < SB_CELL_NUMBERS; w++)
        to->number[w] = (int32_t)c->number[w];
}

static size_t
cell_bytes(const struct sb_track_cells *l)
{
    return l->is_wide ? sizeof *l->at.wide : sizeof *l->at.narrow;
}

/* There may be a million cells: little more memory than they need. */
static void
make_room(struct sb_track_cells *l, size_t cap)
{
    l->at.narrow = sb_realloc_or_die(l->at.narrow, sb_mul_or_die(cap, cell_bytes(l)));
    l->cap = cap;
}

static void
merge(struct sb_track_cell *to, const struct sb_track_cell *from)
{
    for (unsigned s = 0; s < SB_CELL_LONGEST; s++)
        to->number[s] += from->number[s];
    if (to->number[SB_CELL_LONGEST] < from->number[SB_CELL_LONGEST])
        to->number[SB_CELL_LONGEST] = from->number[SB_CELL_LONGEST];
}

void
sb_track_cells_widen(struct sb_track_cells *l, unsigned times)
{
    size_t n = 0;
    struct sb_track_cell sum;
    for (size_t i = 0; i < l->n; i++) {
        struct sb_track_cell c = sb_track_cells_get(l, i);
        c.bucket >>= times;
        if (i > 0 && c.bucket == sum.bucket) {
            merge(&sum, &c);
            continue;
        }
        if (i > 0)
            set(l, n++, &sum);
        sum = c;
    }
    if (l->n > 0)
        set(l, n++, &sum);
    l->n = n;
    if (l->cap > 2 * n)
        make_room(l, n);
}

static void
insert(struct sb_track_cells *l, size_t i)
{
    size_t each = cell_bytes(l);
    if (l->n == l->cap)
        make_room(l, l->n + l->n / 2 + FEW);
    char *place = (char *)l->at.narrow + i * each;
    if (i < l->n)
        memmove(place + each, place, (l->n - i) * each);
    l->n++;
}

void
sb_track_cells_add(struct sb_track_cells *l, struct sb_track_cell *c)
{
    size_t i = l->n;
    while (i > 0 && sb_track_cells_bucket(l, i - 1) > c->bucket)
        i--;
    if (i > 0 && sb_track_cells_bucket(l, i - 1) == c->bucket) {
        struct sb_track_cell before = sb_track_cells_get(l, --i);
        merge(c, &before);
    } else
        insert(l, i);
    set(l, i, c);
}

void
sb_track_cells_free(struct sb_track_cells *l)
{
    free(l->at.narrow);
}
