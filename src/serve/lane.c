#include "serve/lane.h"
#include "serve/profiles.h"

const struct sb_column sb_lane_columns[] = {
    {"lane", SB_INT, SB_U_ID, "scheduler.id or process.id"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"end", SB_INT, SB_U_AT_NS, ""},
    {"state", SB_INT, SB_U_NONE,
     "0 running, 1 gc, 2 dirty, 3 runnable, 4 waiting, 5 handover, 6 unknown; of a merged cell the one with "
     "most time"},
    {"count", SB_INT, SB_U_COUNT, "pieces in it; 1 is an exact cell, NULL one of the pyramid"},
    {"process", SB_INT, SB_U_ID, "who; of a merged cell, of its longest piece"},
    {"group", SB_INT, SB_U_ID, "process_group.id of it"},
    {"function", SB_TEXT, SB_U_NONE, "in which it was scheduled in"},
    {"shares", SB_INT, SB_U_NONE, "250ths of the cell in each state, eight bits each; NULL in an exact cell"},
};
const size_t sb_lane_n_columns = sizeof sb_lane_columns / sizeof *sb_lane_columns;

enum {
    EXACT_MOST = 4
}; /* spans of a lane that are as long as a pixel, by pixels: a stay and what happens in it */

void
sb_lane_init(struct sb_lane *l, struct sb_arena *a, int64_t t0, int64_t t1, size_t n)
{
    unsigned level = 0;
    while ((uint64_t)(t1 - t0) >> level > n)
        level++;
    *l = (struct sb_lane){.t0 = t0 >> level << level, .width_ns = INT64_C(1) << level, .level = level};
    l->n = (size_t)(((t1 - 1) >> level) - (t0 >> level)) + 1;
    l->t1 = l->t0 + (int64_t)(l->n << level);
    l->pixel = SB_NEW_N(a, struct sb_pixel, l->n + 1);
}

void
sb_lane_close(struct sb_lane *l)
{
    SB_VEC_FREE(&l->exact);
}

void
sb_lane_reset(struct sb_lane *l)
{
    memset(l->pixel, 0, (l->n + 1) * sizeof *l->pixel);
    l->exact.n = 0;
}

/* Converts to 32 bits; a number that does not fit becomes unknown. */
static uint32_t
number(int64_t v)
{
    return v >= 0 && v < UINT32_MAX ? (uint32_t)v : UINT32_MAX;
}

static int64_t
known(uint32_t v)
{
    return v == UINT32_MAX ? SB_NULL : v;
}

/* A span shorter than a pixel touches at most two pixels. */
static void
add_short(struct sb_lane *l, const struct sb_lane_piece *p, int64_t from, int64_t to)
{
    unsigned coarse = l->level > 32 ? l->level - 32 : 0;
    for (int64_t at = from; at < to || at == from;) {
        size_t i = (size_t)((at - l->t0) >> l->level);
        int64_t edge = l->t0 + (int64_t)(i + 1) * l->width_ns, end = edge < to ? edge : to;
        struct sb_pixel *px = &l->pixel[i < l->n ? i : l->n];
        uint32_t long_as = (uint32_t)((end - at) >> coarse);
        px->ns[p->state] += end - at;
        px->count++;
        if (long_as >= px->longest && p->state <= SB_STATE_DIRTY) {
            px->longest = long_as;
            px->process = number(p->process);
            px->function = number(p->function);
        }
        if (end <= at)
            break;
        at = end;
    }
}

void
sb_lane_add(struct sb_lane *l, const struct sb_lane_piece *p)
{
    int64_t from = p->start_ns, to = p->start_ns + p->dur_ns;
    if (to < l->t0 || from >= l->t1 || p->dur_ns < 0)
        return;
    from = from < l->t0 ? l->t0 : from;
    to = to > l->t1 ? l->t1 : to;
    bool is_exact = p->dur_ns >= l->width_ns && to > from;
    if (is_exact && l->exact.n < EXACT_MOST * l->n)
        *SB_PUSH(&l->exact) = *p;
    else if (is_exact) /* more only overlap: in a file that is wrong */
        add_short(l, p, from, from + 1);
    else if (p->dur_ns < l->width_ns)
        add_short(l, p, from, to);
}

void
sb_lane_who(union sb_cell *c, int64_t process, int64_t function, const struct sb_served *b)
{
    c[SB_LANE_C_PROCESS].i = process > 0 ? process : SB_NULL;
    c[SB_LANE_C_GROUP].i = process > 0 ? sb_served_group(b, process) : SB_NULL;
    c[SB_LANE_C_FUNCTION].s =
        process != 0 && function != SB_NULL ? sb_profile_text(b->profile, function) : (struct sb_str){0};
}

static void
write_exact(const struct sb_lane_piece *p, int64_t lane, const struct sb_served *b, struct sb_table *t)
{
    union sb_cell *c = sb_table_row(t);
    c[SB_LANE_C_LANE].i = lane;
    c[SB_LANE_C_START].i = p->start_ns;
    c[SB_LANE_C_END].i = p->start_ns + p->dur_ns;
    c[SB_LANE_C_STATE].i = p->state;
    c[SB_LANE_C_COUNT].i = 1;
    sb_lane_who(c, p->process, p->function, b);
    c[SB_LANE_C_SHARES].i = SB_NULL;
}

enum { WHOLE = 250, BITS = 8 };
_Static_assert(BITS *SB_STATE_UNKNOWN <= 53, "shares have to fit in a double");

int64_t
sb_lane_shares(const int64_t ns[SB_STATE_UNKNOWN], int64_t width_ns)
{
    int64_t all = 0;
    for (unsigned s = 0; s < SB_STATE_UNKNOWN; s++) {
        double share = (double)ns[s] / (double)width_ns;
        int64_t parts = share >= 1 ? WHOLE : (int64_t)(share * (double)WHOLE + 0.5);
        all |= (parts > 0 || ns[s] <= 0 ? parts : 1) << (BITS * s);
    }
    return all;
}

static unsigned
main_state(const struct sb_pixel *px)
{
    unsigned most = 0;
    for (unsigned s = 1; s < SB_STATE_PORT; s++)
        if (px->ns[s] > px->ns[most])
            most = s;
    return most;
}

static void
write_merged(const struct sb_lane *l, size_t i, int64_t lane, const struct sb_served *b, struct sb_table *t)
{
    struct sb_pixel *px = &l->pixel[i];
    union sb_cell *c = sb_table_row(t);
    px->ns[SB_STATE_RUNNING] -= px->ns[SB_STATE_GC] < px->ns[SB_STATE_RUNNING] ? px->ns[SB_STATE_GC] : 0;
    c[SB_LANE_C_LANE].i = lane;
    c[SB_LANE_C_START].i = l->t0 + (int64_t)i * l->width_ns;
    c[SB_LANE_C_END].i = c[SB_LANE_C_START].i + l->width_ns;
    c[SB_LANE_C_STATE].i = main_state(px);
    c[SB_LANE_C_COUNT].i = px->count;
    sb_lane_who(c, known(px->process), known(px->function), b);
    c[SB_LANE_C_SHARES].i = sb_lane_shares(px->ns, l->width_ns);
}

void
sb_lane_write(struct sb_lane *l, int64_t lane, const struct sb_served *b, struct sb_table *t)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->pixel[i].count > 0)
            write_merged(l, i, lane, b, t);
    for (size_t i = 0; i < l->exact.n; i++)
        write_exact(&l->exact.at[i], lane, b, t);
}
