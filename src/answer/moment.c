/*
 * What a process did at a moment: one slice, or the state that it was in between two slices, with what led to it and
 * what came of it. The page asks it for what is clicked, and each row is a step to another moment.
 */
#include "answer/answer.h"
#include "base/order.h"
#include "profile/places.h"
#include "profile/ran_on.h"
#include "profile/scan_row.h"
#include "profile/states.h"
#include "profile/sweep.h"
#include "profile/who.h"
#include "profile/otp.h"
#include "why/program/words.h"

#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
#include "answer/moment.def"
    {0},
};
#undef COLUMN
#define COLUMN(id, ...) id,
enum {
#include "answer/moment.def"
    N
};
#undef COLUMN

SB_ANSWER(moment) = {
    .name = "moment",
    .title = "What a process did at a moment",
    .doc =
        "strobe report P moment --process PID --since T: the slice or the state of the process at that "
        "moment, what woke it, what it received, sent and woke, and its states before and after. With "
        "--until U the longest slice from T to U; without --since its longest slice. strobe report P moment "
        "S --since T: the slice on the scheduler with that scheduler.id, which may be one of a port.",
    .none = "give --process P or a scheduler.id, and --since T for what it did at that moment",
    .needs = "--trace running,messages",
    .ask = answer,
    .limit = 40,
    .column = columns,
    .narrow = "relation,state,at,dur,process,cause",
    .hide = "id,node",
};

struct slice {
    int64_t start, dur, in, out, scheduler, kind, process, port; /* as slice_columns */
};
static const unsigned slice_columns[] = {
    SB_C_slice__start,     SB_C_slice__dur,  SB_C_slice__in_function, SB_C_slice__out_function,
    SB_C_slice__scheduler, SB_C_slice__kind, SB_C_slice__process,     SB_C_slice__port};
struct gap {
    int64_t start, wait, handover, runnable, unknown, low, high, cause, waker; /* as gap_columns */
};
static const unsigned gap_columns[] = {SB_C_gap__start,       SB_C_gap__wait_ns,    SB_C_gap__handover_ns,
                                       SB_C_gap__runnable_ns, SB_C_gap__unknown_ns, SB_C_gap__low_ns,
                                       SB_C_gap__high_ns,     SB_C_gap__cause,      SB_C_gap__waker};
enum {
    SLICE_COLUMNS = sizeof slice_columns / sizeof *slice_columns,
    GAP_COLUMNS = sizeof gap_columns / sizeof *gap_columns
};

struct moment {
    const struct sb_ask *ask;
    const struct sb_profile *p;
    struct sb_states *states;
    struct sb_spans spans;
    struct sb_table *t;
    int64_t process, start, end; /* of the slice or state */
    size_t section;              /* first row of those that are sorted by time */
};

static struct gap
gap_of(const struct sb_scan *s, size_t row)
{
    struct gap g;
    for (size_t c = 0; c < GAP_COLUMNS; c++)
        ((int64_t *)&g)[c] = s->value[c][row];
    return g;
}

static int64_t
woken_at(const struct gap *g)
{
    return sb_sweep_after(g->start, g->wait);
}

static int64_t
ran_at(const struct gap *g)
{
    return sb_sweep_after(sb_sweep_after(sb_sweep_after(woken_at(g), g->handover), g->runnable), g->unknown);
}

/* ---- rows ---- */

/* SB_NULL if one of the moments is unknown, or in a profile that claims an impossible length. */
static int64_t
between(int64_t from, int64_t to)
{
    int64_t ns;
    return from == SB_NULL || to == SB_NULL || __builtin_sub_overflow(to, from, &ns) ? SB_NULL : ns;
}

/* `process`: the one that the row names; SB_NULL: none */
static union sb_cell *
put(struct moment *x, const char *relation, int64_t at, int64_t dur, int64_t process)
{
    union sb_cell *c = sb_table_row(x->t);
    for (size_t i = 0; i < N; i++)
        if (columns[i].type == SB_TEXT)
            c[i].s = (struct sb_str){0};
        else
            c[i].i = SB_NULL;
    c[RELATION].s = sb_str_of(relation);
    c[AT].i = at;
    c[DUR].i = dur;
    c[ID].i = process;
    if (process != SB_NULL) {
        uint64_t row = (uint64_t)process - 1;
        c[PROCESS].s = sb_who(x->ask->profile, process);
        c[PID].s = sb_profile_text(x->p, SB_CELL(x->p, process, pid, row));
        c[NODE].i = SB_CELL(x->p, process, node, row);
    }
    return c;
}

/* A row about another process: `there` is the moment at it; the time between both moments is its length. */
static union sb_cell *
put_other(struct moment *x, const char *relation, int64_t at, int64_t there, int64_t process)
{
    union sb_cell *c = put(x, relation, at, at < there ? between(at, there) : between(there, at), process);
    c[OTHER_AT].i = there;
    return c;
}

SB_ORDER(by_time, union sb_cell, (a[AT].i > b[AT].i) - (a[AT].i < b[AT].i))

static void
sort_section(struct moment *x)
{
    sb_sort(x->t->cell + x->section * N, x->t->n_rows - x->section, N * sizeof *x->t->cell, by_time);
    x->section = x->t->n_rows;
}

/* ---- finding the slice or the state ---- */

/* The part of a slice in the range; -1: it is not in it. */
static int64_t
part_of(struct sb_range r, int64_t start, int64_t dur)
{
    int64_t part = dur > 0 ? sb_range_part(r, start, sb_sweep_after(start, dur)) : 0;
    return part > 0 ? part : dur <= 0 && sb_range_has(r, start) ? 0 : -1;
}

static void
take_slice(struct slice *out, const struct sb_scan *s, size_t row)
{
    for (size_t c = 0; c < SLICE_COLUMNS; c++)
        ((int64_t *)out)[c] = s->value[c][row];
}

/* Of which: a column of slice, and the number in it. */
static bool
find_slice(struct moment *x, unsigned of, int64_t which, struct sb_range r, struct slice *out)
{
    struct sb_scan s;
    int64_t best = -1;
    sb_scan_open_columns(&s, x->p, SB_T_slice, slice_columns, SLICE_COLUMNS);
    sb_scan_where(&s, of, which, which);
    sb_range_scan(r, &s, SB_C_slice__start, sb_profile_largest(x->p, SB_T_slice, SB_C_slice__dur));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t part = part_of(r, s.value[0][i], s.value[1][i]);
        if (part <= best)
            continue;
        best = part;
        take_slice(out, &s, i);
    }
    return best >= 0;
}

/* Finds the last gap that starts up to `from` and reaches `to`. */
static bool
find_gap(struct moment *x, int64_t from, int64_t to, struct gap *out)
{
    struct sb_scan s;
    *out = (struct gap){.start = SB_NULL};
    sb_scan_open_columns(&s, x->p, SB_T_gap, gap_columns, GAP_COLUMNS);
    sb_scan_where(&s, SB_C_gap__process, x->process, x->process);
    sb_scan_where(&s, SB_C_gap__start, SB_NULL + 1, from);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct gap g = gap_of(&s, i);
        if (ran_at(&g) >= to && g.start > out->start)
            *out = g;
    }
    return out->start != SB_NULL;
}

static void
put_span(struct moment *x, const char *relation, const struct sb_span *s, const struct gap *g)
{
    union sb_cell *c = put(x, relation, s->start, between(s->start, s->end), x->process);
    c[STATE].s = sb_state_name(s->state);
    c[SCHEDULER].i = s->scheduler;
    if (g->start != SB_NULL && s->state == SB_STATE_RUNNABLE && s->start >= g->start && s->end <= ran_at(g)) {
        c[LOW].i = g->low;
        c[HIGH].i = g->high;
    }
}

/* ---- what led to it ---- */

static int64_t
size_of_message(struct moment *x, int64_t sender, int64_t sent)
{
    struct sb_scan s;
    int64_t words = SB_NULL;
    sb_scan_open_columns(&s, x->p, SB_T_message, (unsigned[]){SB_C_message__words}, 1);
    sb_scan_where(&s, SB_C_message__receiver, x->process, x->process);
    sb_scan_where(&s, SB_C_message__sender, sender, sender);
    sb_scan_where(&s, SB_C_message__sent, sent, sent);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        words = s.value[0][i];
    return words;
}

/* Nobody wakes a process that was preempted or handed over; the row says so. */
static void
put_waker(struct moment *x, const struct gap *g)
{
    if (g->start == SB_NULL) {
        put(x, "woken_by", SB_NULL, SB_NULL, SB_NULL)[CAUSE].s = SB_STR("unknown");
        return;
    }
    struct sb_str cause = sb_profile_text(x->p, g->cause);
    bool is_spawn = sb_str_eq(cause, SB_STR("spawn"));
    int64_t at = g->unknown > 0 ? SB_NULL : woken_at(g), who = g->waker;
    if (is_spawn)
        who = SB_CELL(x->p, process, parent, (uint64_t)x->process - 1);
    union sb_cell *c = put(x, "woken_by", at, between(at, ran_at(g)), who);
    c[CAUSE].s = cause;
    c[OTHER_AT].i = who == SB_NULL ? SB_NULL : at;
    if (g->handover <= 0 && g->unknown <= 0) {
        c[LOW].i = g->low;
        c[HIGH].i = g->high;
    }
    if (who != SB_NULL && sb_str_eq(cause, SB_STR("message")))
        c[WORDS].i = size_of_message(x, who, at);
}

/* ---- what came of it ---- */

static void
put_messages(struct moment *x, const char *relation, unsigned own, unsigned own_at, unsigned other,
             unsigned other_at)
{
    struct sb_scan s;
    sb_scan_open_columns(&s, x->p, SB_T_message, (unsigned[]){own_at, other_at, other, SB_C_message__words},
                         4);
    sb_scan_where(&s, own, x->process, x->process);
    sb_scan_where(&s, own_at, x->start, x->end);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        put_other(x, relation, s.value[0][i], s.value[1][i], s.value[2][i])[WORDS].i = s.value[3][i];
    sort_section(x);
}

static void
put_woken(struct moment *x)
{
    struct sb_scan s;
    sb_scan_open_columns(&s, x->p, SB_T_gap, gap_columns, GAP_COLUMNS);
    unsigned who = sb_scan_want(&s, SB_C_gap__process);
    sb_scan_where(&s, SB_C_gap__waker, x->process, x->process);
    sb_scan_where(&s, SB_C_gap__start, SB_NULL + 1, x->end);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct gap g = gap_of(&s, i);
        if (woken_at(&g) < x->start || woken_at(&g) > x->end)
            continue;
        union sb_cell *c = put_other(x, "woke", woken_at(&g), ran_at(&g), s.value[who][i]);
        c[CAUSE].s = sb_profile_text(x->p, g.cause);
    }
    sort_section(x);
}

static void
put_marks(struct moment *x)
{
    struct sb_scan s;
    sb_scan_open_columns(&s, x->p, SB_T_mark, (unsigned[]){SB_C_mark__at, SB_C_mark__text}, 2);
    sb_scan_where(&s, SB_C_mark__process, x->process, x->process);
    sb_scan_where(&s, SB_C_mark__at, x->start, x->end);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        put(x, "marked", s.value[0][i], SB_NULL, SB_NULL)[TEXT].s = sb_profile_text(x->p, s.value[1][i]);
    sort_section(x);
}

/* ---- the process ---- */

static void
put_around(struct moment *x, const struct gap *g)
{
    const struct sb_span *before = NULL, *after = NULL;
    sb_states_of(x->states, x->process, (struct sb_range){x->start - 1, sb_sweep_after(x->end, 1)},
                 &x->spans);
    for (size_t i = 0; i < x->spans.n; i++) {
        const struct sb_span *s = &x->spans.at[i];
        before = s->end <= x->start ? s : before;
        after = after == NULL && s->start >= x->end ? s : after;
    }
    if (before)
        put_span(x, "before", before, g);
    if (after)
        put_span(x, "after", after, &(struct gap){.start = SB_NULL});
    x->section = x->t->n_rows;
}

static void
set_out(struct moment *x, union sb_cell *c, int64_t function)
{
    c[OUT].s = sb_profile_text(x->p, function);
    if (!sb_is_otp(c[OUT].s))
        c[PLACE].s = sb_place_text(x->p, function, x->ask->arena);
}

static void
put_slice(struct moment *x, const struct slice *s)
{
    struct gap g;
    struct sb_str kind = sb_profile_text(x->p, s->kind);
    x->start = s->start;
    x->end = sb_sweep_after(s->start, s->dur);
    union sb_cell *c = put(x, "it", x->start, between(x->start, x->end), x->process);
    c[STATE].s = sb_state_name(sb_str_starts(kind, SB_STR("dirty")) ? SB_STATE_DIRTY : SB_STATE_RUNNING);
    c[IN].s = sb_profile_text(x->p, s->in);
    set_out(x, c, s->out);
    c[SCHEDULER].i = s->scheduler;
    c[TEXT].s = kind;
    if (!find_gap(x, s->start - 1, s->start, &g) || ran_at(&g) != s->start)
        g.start = SB_NULL;
    put_waker(x, &g);
    put_around(x, &g);
    for (size_t i = 0; i < x->spans.n; i++) {
        const struct sb_span *gc = &x->spans.at[i];
        if (gc->state == SB_STATE_GC && gc->start >= x->start && gc->end <= x->end)
            put_span(x, "collected", gc, &(struct gap){.start = SB_NULL});
    }
    x->section = x->t->n_rows;
    put_marks(x);
    put_messages(x, "received", SB_C_message__receiver, SB_C_message__received, SB_C_message__sender,
                 SB_C_message__sent);
    put_messages(x, "sent", SB_C_message__sender, SB_C_message__sent, SB_C_message__receiver,
                 SB_C_message__received);
    put_woken(x);
}

/* The state that it is in between two slices, or before the first. */
static void
put_state(struct moment *x, int64_t at)
{
    struct gap g;
    struct slice before;
    sb_states_of(x->states, x->process, (struct sb_range){at, sb_sweep_after(at, 1)}, &x->spans);
    if (x->spans.n == 0)
        return;
    struct sb_span s = x->spans.at[0];
    x->start = s.start;
    x->end = s.end;
    bool in_gap = find_gap(x, s.start, s.end, &g);
    put_span(x, "it", &s, &g);
    if (in_gap && g.start > 0 &&
        find_slice(x, SB_C_slice__process, x->process, (struct sb_range){g.start - 1, g.start}, &before))
        set_out(x, &x->t->cell[(x->t->n_rows - 1) * N], before.out);
    put_waker(x, &g);
    put_around(x, &g);
}

/* ---- the port ---- */

static union sb_cell *
put_run(struct moment *x, const char *relation, const struct slice *s)
{
    union sb_cell *c = put(x, relation, s->start, s->dur, SB_NULL);
    c[STATE].s = sb_state_name(SB_STATE_PORT);
    c[SCHEDULER].i = s->scheduler;
    return c;
}

static void
put_port(struct moment *x, const struct slice *it)
{
    struct sb_scan s;
    struct slice before = {.start = SB_NULL}, after = before, of;
    union sb_cell *c = put_run(x, "it", it);
    if (it->port < 1 || (uint64_t)it->port > sb_profile_rows(x->p, SB_T_port))
        return;
    uint64_t row = (uint64_t)it->port - 1;
    c[PROCESS].s = sb_profile_text(x->p, SB_CELL(x->p, port, name, row));
    c[TEXT].s = sb_profile_text(x->p, SB_CELL(x->p, port, driver, row));
    int64_t owner = SB_CELL(x->p, port, owner, row);
    if (owner != SB_NULL)
        put_other(x, "owner", it->start, it->start, owner)[DUR].i = SB_NULL;
    sb_scan_open_columns(&s, x->p, SB_T_slice, slice_columns, SLICE_COLUMNS);
    sb_scan_where(&s, SB_C_slice__port, it->port, it->port);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        take_slice(&of, &s, i);
        if (of.start < it->start && of.start > before.start)
            before = of;
        if (of.start > it->start && (after.start == SB_NULL || of.start < after.start))
            after = of;
    }
    if (before.start != SB_NULL)
        put_run(x, "before", &before);
    if (after.start != SB_NULL)
        put_run(x, "after", &after);
}

static void
put_on(struct moment *x, int64_t scheduler, struct sb_range r)
{
    struct slice s;
    if (!find_slice(x, SB_C_slice__scheduler, scheduler, r, &s))
        return;
    x->process = s.process;
    if (s.process == SB_NULL)
        put_port(x, &s);
    else
        put_slice(x, &s);
}

static void
find_schedulers(struct moment *x)
{
    enum { AT_MOST = 512 };
    struct sb_ran_on ran;
    sb_ran_on_open(&ran, x->p);
    for (size_t i = 0; i < x->t->n_rows && i < AT_MOST; i++) {
        union sb_cell *c = &x->t->cell[i * N];
        c[OTHER_SCHEDULER].i = sb_ran_on(&ran, c[ID].i, c[OTHER_AT].i);
    }
    sb_ran_on_close(&ran);
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    int64_t *ids, on;
    size_t n;
    struct moment x = {.ask = ask, .p = ask->profile, .t = t};
    struct sb_range r = sb_answer_range(ask);
    SB_TRY(sb_answer_chosen(ask, &ids, &n, e));
    sb_table_init(t, ask->arena, columns, N);
    if (ask->q->since_ns != SB_NULL && ask->q->until_ns == SB_NULL)
        r.to = sb_sweep_after(r.from, 1);
    x.states = sb_states_open(ask->profile);
    bool timed = sb_profile_is_timed(ask->profile);
    if (sb_str_to_i64(ask->q->subject, &on) && timed)
        put_on(&x, on, r);
    for (size_t i = 0; i < n && timed; i++) {
        struct slice s;
        x.process = ids[i];
        if (find_slice(&x, SB_C_slice__process, ids[i], r, &s))
            put_slice(&x, &s);
        else
            put_state(&x, r.from > 0 ? r.from : 0);
    }
    find_schedulers(&x);
    sb_states_close(x.states);
    SB_VEC_FREE(&x.spans);
    return true;
}
