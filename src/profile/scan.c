#include "base/arena.h"
#include "profile/reader.h"
#include <stdlib.h>

void
sb_scan_open(struct sb_scan *s, const struct sb_profile *p, enum sb_tab t)
{
    *s = (struct sb_scan){.reader = sb_reader_open(p, t), .end = sb_profile_rows(p, t)};
    s->row = sb_realloc_or_die(NULL, SB_BLOCK_ROWS * sizeof *s->row);
}

void
sb_scan_where(struct sb_scan *s, unsigned col, int64_t min, int64_t max)
{
    SB_ASSERT(s->n_where < SB_SCAN_WHERES);
    s->where[s->n_where++] = sb_where_make(s->reader->p, s->reader->tab, col, min, max);
}

unsigned
sb_scan_want(struct sb_scan *s, unsigned col)
{
    SB_ASSERT(s->n_want < SB_SCAN_COLUMNS);
    s->want[s->n_want] = col;
    s->value[s->n_want] = sb_realloc_or_die(NULL, SB_BLOCK_ROWS * sizeof(int64_t));
    return s->n_want++;
}

void
sb_scan_open_columns(struct sb_scan *s, const struct sb_profile *p, enum sb_tab t, const unsigned *col,
                     size_t n)
{
    sb_scan_open(s, p, t);
    for (size_t i = 0; i < n; i++)
        sb_scan_want(s, col[i]);
}

static void
gather(struct sb_scan *s, uint64_t block, const uint16_t *place)
{
    for (size_t i = 0; i < s->n; i++)
        s->row[i] = block * SB_BLOCK_ROWS + place[i];
    for (unsigned k = 0; k < s->n_want; k++) {
        const int64_t *v = sb_reader_block(s->reader, s->want[k], block);
        for (size_t i = 0; i < s->n; i++)
            s->value[k][i] = v[place[i]];
    }
}

bool
sb_scan_next(struct sb_scan *s)
{
    uint16_t place[SB_BLOCK_ROWS];
    while (s->at < s->end) {
        uint64_t block = sb_reader_next_block(s->reader, s->where, s->n_where, s->at / SB_BLOCK_ROWS, s->end);
        if (block == UINT64_MAX)
            break;
        struct sb_block_rows rows = sb_block_rows_of(block, s->at, s->end);
        s->at = block * SB_BLOCK_ROWS + rows.to;
        s->n = sb_reader_select(s->reader, s->where, s->n_where, rows, place);
        if (s->n == 0)
            continue;
        gather(s, block, place);
        return true;
    }
    s->at = s->end;
    s->n = 0;
    return false;
}

void
sb_scan_restart(struct sb_scan *s)
{
    s->n_where = 0;
    s->at = 0;
}

void
sb_scan_close(struct sb_scan *s)
{
    for (unsigned k = 0; k < s->n_want; k++)
        free(s->value[k]);
    free(s->row);
    sb_reader_close(s->reader);
    *s = (struct sb_scan){0};
}
