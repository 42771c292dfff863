/*
 * How parallel the run was: how many processes were at work at once, which were at work alone, and sums over
 * all processes. The findings are the answer `summary`, which the page shares with the command line.
 */
#include "answer/parallel.h"
#include "serve/people.h"
#include "serve/route.h"

static const struct sb_column level_columns[] = {
    {"running", SB_INT, SB_U_COUNT, "number of processes and ports at work"},
    {"ns", SB_INT, SB_U_NS, "total time with that number"}};
static const struct sb_column alone_columns[] = {{"process", SB_INT, SB_U_ID, "who"},
                                                 {"ns", SB_INT, SB_U_NS, "at work alone, nobody ready"}};
enum { ALONE_SHOWN = 8 };

struct sum { /* of a column, and whether it is known for any process */
    int64_t ns;
    bool known;
};

struct overview {
    const struct sb_served *served;
    int64_t t0, t1, processes;
    struct sb_parallel parallel;
    struct sum run, runnable, gc;
    struct sb_people people;
};

static void
add(struct sum *s, int64_t v)
{
    s->known |= v != SB_NULL;
    s->ns += v != SB_NULL ? v : 0;
}

static void
add_processes(struct overview *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->served->profile, SB_T_process);
    unsigned run = sb_scan_want(&s, SB_C_process__run_ns),
             runnable = sb_scan_want(&s, SB_C_process__runnable_ns),
             gc = sb_scan_want(&s, SB_C_process__gc_ns);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            x->processes++;
            add(&x->run, s.value[run][i]);
            add(&x->runnable, s.value[runnable][i]);
            add(&x->gc, s.value[gc][i]);
        }
    sb_scan_close(&s);
}

static void
write_alone(struct overview *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "alone", alone_columns, 2);
    int64_t *ns = x->parallel.alone_ns;
    for (unsigned k = 0; k < ALONE_SHOWN; k++) {
        int64_t most, process = sb_parallel_most_alone(&x->parallel, &most);
        if (process <= 0 || most <= 0)
            return;
        union sb_cell *c = sb_table_row(t);
        c[0].i = process;
        c[1].i = most;
        ns[process] = 0; /* written; the next one is the largest now */
        sb_people_add(&x->people, process);
    }
}

static void
write_levels(const struct overview *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "level", level_columns, 2);
    for (int64_t k = 0; k < SB_PARALLEL_LEVELS; k++) {
        int64_t ns = x->parallel.at_level_ns[k];
        if (ns == 0 && k > x->parallel.schedulers)
            continue;
        union sb_cell *c = sb_table_row(t);
        c[0].i = k;
        c[1].i = ns;
    }
    sb_reply_int(r, "left_out", x->parallel.left_out);
    sb_reply_int(r, "below_ns", x->parallel.few_ns);
    sb_reply_int(r, "work_ns", x->parallel.work_ns);
    sb_reply_int(r, "ready_ns", x->parallel.ready_ns);
    sb_reply_int(r, "serial_ns", x->parallel.serial_ns);
    sb_reply_int(r, "idle_ns", x->parallel.at_level_ns[0]);
    sb_reply_int(r, "held_up_ns", x->parallel.held_up_ns);
}

bool
sb_route_overview(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct overview *x = SB_NEW(rq->arena, struct overview);
    x->served = rq->served;
    SB_TRY(sb_request_window(rq, &x->t0, &x->t1, e));
    sb_parallel_find(rq->served->profile, x->t0, x->t1, 0, rq->arena, &x->parallel);
    add_processes(x);
    write_levels(x, r);
    write_alone(x, r);
    sb_people_write(&x->people, rq->served, r);
    sb_reply_int(r, "schedulers", x->parallel.schedulers > 0 ? x->parallel.schedulers : SB_NULL);
    sb_reply_int(r, "span_ns", x->parallel.span_ns);
    sb_reply_int(r, "processes", x->processes);
    sb_reply_int(r, "run_ns", x->run.ns);
    sb_reply_int(r, "runnable_ns", x->runnable.known ? x->runnable.ns : SB_NULL);
    sb_reply_int(r, "gc_ns", x->gc.known ? x->gc.ns : SB_NULL);
    return true;
}
