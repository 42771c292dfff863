/*
 * How parallel the run was: how many processes were at work at once, and which were at work alone. Sums over processes
 * and findings are rows of the answer `summary`, which the page shares with the command line. `of=program`: of the part
 * that the answer calls the program, which is named in the reply if it is not the whole run.
 */
#include "why/account/whole.h"
#include "serve/people.h"
#include "serve/route.h"
#include "why/program/phases.h"

static const struct sb_column level_columns[] = {
    {"running", SB_INT, SB_U_COUNT, "number of processes and ports at work"},
    {"ns", SB_INT, SB_U_NS, "total time with that number"}};
static const struct sb_column alone_columns[] = {{"process", SB_INT, SB_U_ID, "who"},
                                                 {"ns", SB_INT, SB_U_NS, "at work alone, nobody ready"}};
enum { ALONE_SHOWN = 8 };

struct overview {
    struct sb_arena *arena;
    struct sb_parallel *parallel;
    struct sb_people people;
};

static void
write_alone(struct overview *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "alone", alone_columns, 2);
    int64_t *ns = x->parallel->alone_ns;
    for (unsigned k = 0; k < ALONE_SHOWN; k++) {
        int64_t most, process = sb_parallel_most_alone(x->parallel, &most);
        if (process <= 0 || most <= 0)
            return;
        SB_ROW(t, {.i = process}, {.i = most});
        ns[process] = 0; /* written; the next one is the largest now */
        sb_people_add(&x->people, process);
    }
}

static void
write_bounded(const struct overview *x, struct sb_reply *r, const char *name, struct sb_bounded b)
{
    struct sb_arena *a = x->arena;
    sb_reply_int(r, sb_arena_printf(a, "%s_ns", name).p, b.ns);
    sb_reply_int(r, sb_arena_printf(a, "%s_low_ns", name).p, b.low);
    sb_reply_int(r, sb_arena_printf(a, "%s_high_ns", name).p, b.high);
}

static void
write_levels(const struct overview *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "level", level_columns, 2);
    for (int64_t k = 0; k < SB_PARALLEL_LEVELS; k++) {
        int64_t ns = x->parallel->at_level_ns[k];
        if (ns == 0 && k > x->parallel->schedulers)
            continue;
        SB_ROW(t, {.i = k}, {.i = ns});
    }
    sb_reply_int(r, "left_out", x->parallel->left_out);
    write_bounded(x, r, "below", x->parallel->few);
    sb_reply_int(r, "work_ns", x->parallel->work_ns);
    write_bounded(x, r, "ready", x->parallel->ready);
    write_bounded(x, r, "serial", x->parallel->serial);
    sb_reply_int(r, "idle_ns", x->parallel->at_level_ns[0]);
    write_bounded(x, r, "held_up", x->parallel->held_up);
}

bool
sb_route_overview(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct overview *x = SB_NEW(rq->arena, struct overview);
    int64_t t0, t1;
    x->arena = rq->arena;
    SB_TRY(sb_request_window(rq, &t0, &t1, e));
    if (sb_str_eq(sb_request_text(rq, "of"), SB_STR("program")) &&
        sb_whole_has_part(sb_whole_of(rq->served->profile))) {
        const struct sb_program *part = sb_program_of(rq->served->profile);
        sb_reply_int(r, "from_ns", t0 = part->from_ns);
        sb_reply_int(r, "to_ns", t1 = part->to_ns);
    }
    x->parallel = sb_parallel_of(rq->served->profile, t0, t1, rq->arena);
    write_levels(x, r);
    write_alone(x, r);
    sb_people_write(&x->people, rq->served, r);
    sb_reply_int(r, "schedulers", x->parallel->schedulers > 0 ? x->parallel->schedulers : SB_NULL);
    sb_reply_int(r, "span_ns", x->parallel->span_ns);
    return true;
}
