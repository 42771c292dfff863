#include "serve/people.h"
#include "base/order.h"
#include "profile/who.h"

static const struct {
    unsigned from;
    struct sb_column column;
} shown[] = {
    {SB_C_process__id, {"id", SB_INT, SB_U_ID, "process.id"}},
    {SB_C_process__pid, {"pid", SB_TEXT, SB_U_NONE, ""}},
    {SB_C_process__name, {"who", SB_TEXT, SB_U_NONE, "its name (profile/who.h)"}},
    {SB_C_process__group_id, {"group_id", SB_INT, SB_U_ID, "process_group.id"}},
    {SB_C_process__node, {"node", SB_INT, SB_U_ID, "node.id"}},
    {SB_C_process__start, {"start", SB_INT, SB_U_AT_NS, "spawned"}},
    {SB_C_process__end, {"end", SB_INT, SB_U_AT_NS, "exited"}},
    {SB_C_process__run_ns, {"run_ns", SB_INT, SB_U_NS, "on a scheduler"}},
};
enum { SHOWN = sizeof shown / sizeof *shown };

void
sb_people_add(struct sb_people *w, int64_t process)
{
    bool is_new;
    if (process == SB_NULL || process <= 0)
        return;
    sb_map_put(&w->seen, (uint64_t)process, &is_new);
    if (is_new)
        *SB_PUSH(&w->id) = process;
}

SB_ORDER(by_row, uint64_t, (*a > *b) - (*a < *b))

static size_t
rows_of(const struct sb_people *w, const struct sb_served *b, uint64_t *row)
{
    size_t n = 0;
    for (size_t i = 0; i < w->id.n; i++)
        n += sb_served_process_row(b, w->id.at[i], &row[n]);
    sb_sort(row, n, sizeof *row, by_row);
    return n;
}

/* Reads a column of rows in ascending order, so that each block is decoded once. */
static void
fill(const struct sb_profile *p, unsigned c, const uint64_t *row, size_t n, struct sb_table *t)
{
    int64_t block[SB_BLOCK_ROWS];
    uint64_t at = UINT64_MAX, rows = sb_profile_rows(p, SB_T_process);
    for (size_t i = 0; i < n; i++) {
        if (row[i] / SB_BLOCK_ROWS != at) {
            at = row[i] / SB_BLOCK_ROWS;
            uint64_t from = at * SB_BLOCK_ROWS, left = rows - from;
            sb_profile_read(p, SB_T_process, shown[c].from, from, left < SB_BLOCK_ROWS ? left : SB_BLOCK_ROWS,
                            block);
        }
        int64_t v = block[row[i] % SB_BLOCK_ROWS];
        union sb_cell *cell = &t->cell[i * SHOWN + c];
        if (shown[c].from == SB_C_process__name)
            cell->s = sb_who(p, (int64_t)row[i] + 1);
        else if (shown[c].column.type == SB_TEXT)
            cell->s = sb_profile_text(p, v);
        else
            cell->i = v;
    }
}

void
sb_people_write(struct sb_people *w, const struct sb_served *b, struct sb_reply *r)
{
    struct sb_column *column = SB_NEW_N(r->arena, struct sb_column, SHOWN);
    uint64_t *row = SB_NEW_N(r->arena, uint64_t, w->id.n + 1);
    for (size_t c = 0; c < SHOWN; c++)
        column[c] = shown[c].column;
    struct sb_table *t = sb_reply_table(r, "process", column, SHOWN);
    size_t n = rows_of(w, b, row);
    for (size_t i = 0; i < n; i++)
        sb_table_row(t);
    for (unsigned c = 0; c < SHOWN; c++)
        fill(b->profile, c, row, n, t);
    sb_map_close(&w->seen);
    SB_VEC_FREE(&w->id);
}
