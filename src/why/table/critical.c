/* critical(id, process, kind, function, peer, start, dur). */
#include "why/account/critical.h"

static bool next_row(void *rows, union sb_cell *cell);

#define KIND(id, name) name " "
static const char kind_doc[] = "one of " SB_CRITICAL_KINDS(KIND);
#undef KIND
static const struct sb_column columns[] = {
    {"id", SB_INT, SB_U_ID, "steps in order of time, from 1"},
    {"process", SB_INT, SB_U_ID, "process.id; NULL: the trace shows no process at work"},
    {"kind", SB_TEXT, SB_U_NONE, kind_doc},
    {"function", SB_TEXT, SB_U_NONE, "where the slice began, or the function that waits"},
    {"peer", SB_INT, SB_U_ID,
     "process.id: of a message its sender, of a queue after a spawn the parent, of a timer the one that the "
     "process looked for again and again"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, "over all rows: the length of the profile"},
};

const struct sb_computed sb_why_critical = {
    .name = "critical",
    .doc = "the chain of work and waits that led to the end of the recording, step by step",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = sb_critical_rows,
    .next = next_row,
};

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_critical_rows *r = rows;
    if (r->next == r->path->n)
        return false;
    const struct sb_critical_step *s = &r->path->at[r->next++];
    cell[0].i = (int64_t)r->next;
    cell[1].i = s->process ? s->process : SB_NULL;
    cell[2].s = sb_str_of(sb_critical_names[s->kind]);
    cell[3].s = sb_profile_text(r->p, s->function);
    cell[4].i = s->peer ? s->peer : SB_NULL;
    cell[5].i = s->start;
    cell[6].i = s->dur;
    return true;
}
