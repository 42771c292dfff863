/*
 * critical_link(id, process, peer, kind, function, start, dur, steps, first_step, KIND_ns...): the critical path with
 * one row for the consecutive steps of one process.
 *
 *     critical        | queue | run | gc | run |m| queue | run |
 *     critical_link   |  client                ||  server      |
 */
#include "why/account/critical.h"

static bool next_row(void *rows, union sb_cell *cell);

enum { FIXED = 9 };

#define KIND(id, name) {name "_ns", SB_INT, SB_U_NS, "of dur"},
static const struct sb_column columns[] = {
    {"id", SB_INT, SB_U_ID, "links in order of time, from 1"},
    {"process", SB_INT, SB_U_ID, "process.id; NULL: the trace shows no process at work"},
    {"peer", SB_INT, SB_U_ID,
     "process.id: sender of the message that the link begins with, parent, or the one looked for"},
    {"kind", SB_TEXT, SB_U_NONE, "kind of step that took most of it, as in table critical"},
    {"function", SB_TEXT, SB_U_NONE, "function of its longest step that has one"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, "over all rows: the length of the profile"},
    {"steps", SB_INT, SB_U_COUNT, "rows of table critical"},
    {"first_step", SB_INT, SB_U_ID, "critical.id of the first of them"},
    SB_CRITICAL_KINDS(KIND)};
#undef KIND

const struct sb_computed sb_why_critical_link = {
    .name = "critical_link",
    .doc = "the chain of table critical, with consecutive steps of one process as one row",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = sb_critical_rows,
    .next = next_row,
};

struct link {
    size_t first, n;
    int64_t dur, kind_ns[SB_CRITICAL_N], function, longest_ns;
    uint32_t peer;
};

static void
add_step(struct link *l, const struct sb_critical_step *s)
{
    l->n++;
    l->dur += s->dur;
    l->kind_ns[s->kind] += s->dur;
    if (!l->peer)
        l->peer = s->peer;
    if (s->function != SB_NULL && s->dur > l->longest_ns) {
        l->function = s->function;
        l->longest_ns = s->dur;
    }
}

/* A link begins at a step of another process, and at a message that ended a wait. */
static struct link
read_link(const struct sb_critical *c, size_t first)
{
    struct link l = {.first = first, .function = SB_NULL, .longest_ns = -1};
    do
        add_step(&l, &c->at[first + l.n]);
    while (first + l.n < c->n && c->at[first + l.n].process == c->at[first].process &&
           c->at[first + l.n].kind != SB_CRITICAL_MESSAGE);
    return l;
}

static int
main_kind(const struct link *l)
{
    int best = 0;
    for (int k = 1; k < SB_CRITICAL_N; k++)
        if (l->kind_ns[k] > l->kind_ns[best])
            best = k;
    return best;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct sb_critical_rows *r = rows;
    if (r->next == r->path->n)
        return false;
    struct link l = read_link(r->path, r->next);
    const struct sb_critical_step *s = &r->path->at[l.first];
    r->next += l.n;
    cell[0].i = ++r->id;
    cell[1].i = s->process ? s->process : SB_NULL;
    cell[2].i = l.peer ? l.peer : SB_NULL;
    cell[3].s = sb_str_of(sb_critical_names[l.dur > 0 ? main_kind(&l) : s->kind]);
    cell[4].s = sb_profile_text(r->p, l.function);
    cell[5].i = s->start;
    cell[6].i = l.dur;
    cell[7].i = (int64_t)l.n;
    cell[8].i = (int64_t)l.first + 1;
    for (int k = 0; k < SB_CRITICAL_N; k++)
        cell[FIXED + k].i = l.kind_ns[k];
    return true;
}
