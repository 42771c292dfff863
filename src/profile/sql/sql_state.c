/* state: what each process did over time, as disjoint spans that cover its life. state_by(t0, t1): the
 * time of each process in each state within [t0, t1). Both proceed process by process, in bounded memory. */
#include "base/arena.h"
#include "profile/sql/sql_module.h"
#include "profile/states.h"

struct rows {
    struct sb_sql *q;
    struct sb_states *states;
    int64_t process, last; /* remaining ids */
    struct sb_range range;
    struct sb_spans spans;
    size_t i;
};

/* Rows of one process if it is given, else of all. */
static struct rows *
open_rows(const struct sb_computation *c, const struct sb_sql_arg *process)
{
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){.q = c->sql, .states = sb_states_open(c->profile), .process = 1};
    r->range = sb_range_of(c->profile, SB_NULL, SB_NULL);
    r->last = (int64_t)sb_profile_rows(c->profile, SB_T_process);
    if (process->s.p != NULL)
        r->process = r->last = process->i == SB_NULL ? 0 : process->i;
    return r;
}

static void
close_rows(void *rows)
{
    struct rows *r = rows;
    sb_states_close(r->states);
    SB_VEC_FREE(&r->spans);
}

/* ---- state ---- */

#define STATE(id, name, doc) " " name
static const char state_doc[] = "one of"
#include "profile/state.def"
    ;
#undef STATE
static const struct sb_column state_columns[] = {
    {"process", SB_INT, SB_U_ID, "process.id"},
    {"state", SB_TEXT, SB_U_NONE, state_doc},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {"dur", SB_INT, SB_U_NS, ""},
    {"scheduler", SB_INT, SB_U_ID, "scheduler.id, where it was on one"},
};

static void *
open_state(const struct sb_computation *c, struct sb_err *e)
{
    (void)e;
    return open_rows(c, &c->arg[0]);
}

static bool
next_state(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    for (; r->i == r->spans.n; r->process++) {
        if (r->process > r->last || sb_sql_expired(r->q))
            return false;
        r->i = 0;
        sb_states_of(r->states, r->process, r->range, &r->spans);
    }
    const struct sb_span *s = &r->spans.at[r->i++];
    cell[0].i = s->process;
    cell[1].s = sb_state_name(s->state);
    cell[2].i = s->start;
    cell[3].i = s->end - s->start;
    cell[4].i = s->scheduler;
    return true;
}

const struct sb_computed sb_sql_state = {
    .name = "state",
    .doc = "what each process did when: disjoint, covering its life",
    .column = state_columns,
    .n_columns = sizeof state_columns / sizeof state_columns[0],
    .arg = {"process"},
    .open = open_state,
    .next = next_state,
    .close = close_rows,
};

/* ---- state_by ---- */

static const struct sb_column sum_columns[] = {
    {"process", SB_INT, SB_U_ID, "process.id"},
#define STATE(id, name, doc) {name "_ns", SB_INT, SB_U_NS, doc},
#include "profile/state.def"
#undef STATE
};
enum { SUMS = 1 + SB_STATE_PORT /* never the state of a process */ };

static void *
open_sums(const struct sb_computation *c, struct sb_err *e)
{
    (void)e;
    struct rows *r = open_rows(c, &c->arg[2]);
    r->range = sb_range_of(c->profile, c->arg[0].i, c->arg[1].i);
    return r;
}

static bool
next_sums(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    for (; r->process <= r->last && !sb_sql_expired(r->q); r->process++) {
        sb_states_of(r->states, r->process, r->range, &r->spans);
        if (r->spans.n == 0)
            continue;
        for (unsigned c = 0; c < SUMS; c++)
            cell[c].i = 0;
        cell[0].i = r->process++;
        for (size_t i = 0; i < r->spans.n; i++) {
            const struct sb_span *s = &r->spans.at[i];
            if (s->state < SB_STATE_PORT)
                cell[1 + s->state].i += sb_range_part(r->range, s->start, s->end);
        }
        return true;
    }
    return false;
}

const struct sb_computed sb_sql_state_by = {
    .name = "state_by",
    .doc = "state_by(t0, t1): how long each process that lived then was in each state within [t0, t1)",
    .column = sum_columns,
    .n_columns = SUMS,
    .arg = {"t0", "t1", "process"},
    .open = open_sums,
    .next = next_sums,
    .close = close_rows,
};
