/*
 * Why it is not faster, at a glance: how many ran at once, who ran alone, and the sums over all processes.
 * What is worth looking at is the answer `summary`, which the page asks as the command line does.
 */
#include "answer/parallel.h"
#include "serve/people.h"
#include "serve/route.h"

static const struct sb_column level_columns[] = {
    {"running", SB_INT, SB_U_COUNT, "exactly so many processes ran"}, {"ns", SB_INT, SB_U_NS, "for so long"}};
static const struct sb_column alone_columns[] = {{"process", SB_INT, SB_U_ID, "who"},
                                                 {"ns", SB_INT, SB_U_NS, "ran alone"}};
enum { ALONE_SHOWN = 8 };

struct sum { /* of a column; whether any process knows it */
    int64_t ns;
    bool known;
};

struct overview {
    const struct sb_book *book;
    int64_t t0, t1, schedulers, processes;
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
    sb_scan_open(&s, x->book->profile, SB_T_process);
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

/* Normal schedulers: as the nodes say, else as many as were seen. */
static int64_t
count_schedulers(const struct sb_profile *p)
{
    int64_t said = 0, seen = 0;
    uint64_t nodes = sb_profile_rows(p, SB_T_node), rows = sb_profile_rows(p, SB_T_scheduler);
    for (uint64_t i = 0; i < nodes; i++) {
        int64_t n = sb_profile_cell(p, SB_T_node, SB_C_node__schedulers, i);
        said += n != SB_NULL && n > 0 ? n : 0;
    }
    for (uint64_t i = 0; i < rows; i++)
        seen += sb_str_eq(sb_profile_text(p, sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__kind, i)),
                          SB_STR("normal"));
    return said > 0 ? said : seen > 0 ? seen : 1;
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
        ns[process] = 0; /* said; the next one comes to the front */
        sb_people_add(&x->people, process);
    }
}

static void
write_levels(const struct overview *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "level", level_columns, 2);
    int64_t below = 0, work = 0;
    for (int64_t k = 0; k < SB_PARALLEL_LEVELS; k++) {
        int64_t ns = x->parallel.at_level_ns[k];
        below += k < x->schedulers ? ns : 0;
        work += k * ns;
        if (ns == 0 && k > x->schedulers)
            continue;
        union sb_cell *c = sb_table_row(t);
        c[0].i = k;
        c[1].i = ns;
    }
    sb_reply_int(r, "below_ns", below);
    sb_reply_int(r, "work_ns", work);
    sb_reply_int(r, "serial_ns", x->parallel.at_level_ns[1]);
    sb_reply_int(r, "idle_ns", x->parallel.at_level_ns[0]);
}

bool
sb_route_overview(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct overview *x = SB_NEW(rq->arena, struct overview);
    x->book = rq->book;
    SB_TRY(sb_request_window(rq, &x->t0, &x->t1, e));
    x->schedulers = count_schedulers(rq->book->profile);
    SB_TRY(sb_parallel_find(rq->book->profile, x->t0, x->t1, rq->arena, &x->parallel, e));
    add_processes(x);
    write_levels(x, r);
    write_alone(x, r);
    sb_people_write(&x->people, rq->book, r);
    sb_reply_int(r, "schedulers", x->schedulers);
    sb_reply_int(r, "span_ns", x->parallel.span_ns);
    sb_reply_int(r, "processes", x->processes);
    sb_reply_int(r, "run_ns", x->run.ns);
    sb_reply_int(r, "runnable_ns", x->runnable.known ? x->runnable.ns : SB_NULL);
    sb_reply_int(r, "gc_ns", x->gc.known ? x->gc.ns : SB_NULL);
    sb_reply_bool(r, "exact", x->parallel.exact);
    return true;
}
