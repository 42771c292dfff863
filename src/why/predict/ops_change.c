#include "why/predict/ops_change.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "base/vec.h"

static void *
copy_of(const void *from, uint64_t n, size_t bytes)
{
    void *to = sb_realloc_or_die(NULL, sb_mul_or_die(n + 1, bytes));
    return n > 0 ? memcpy(to, from, n * bytes) : to;
}

void
sb_ops_change_open(struct sb_ops_change *c, const struct sb_ops *o)
{
    *c = (struct sb_ops_change){*o, o};
    c->ops.op = copy_of(o->op, o->from[o->n_lines + 1], sizeof *o->op);
    c->ops.rest_ns = copy_of(o->rest_ns, o->n_lines + 1, sizeof *o->rest_ns);
}

void
sb_ops_change_close(struct sb_ops_change *c)
{
    free(c->ops.op);
    free(c->ops.rest_ns);
    if (c->ops.from != c->original->from) {
        free(c->ops.from);
        free(c->ops.process);
    }
}

/* ---- faster ---- */

static void
take(struct sb_ops_change *c, int64_t *work, double part)
{
    int64_t less = (int64_t)(part * (double)*work);
    *work -= less;
    c->ops.work_ns -= less;
}

void
sb_ops_faster(struct sb_ops_change *c, const bool *of, double by)
{
    for (uint64_t line = 1; line <= c->ops.n_lines; line++) {
        if (!of[c->ops.process[line]])
            continue;
        for (uint32_t i = c->ops.from[line]; i < c->ops.from[line + 1]; i++)
            take(c, &c->ops.op[i].work_ns, 1 - 1 / by);
        take(c, &c->ops.rest_ns[line], 1 - 1 / by);
    }
}

struct spans { /* of one function, by process and time */
    struct span {
        uint32_t process;
        int64_t start, end;
        double busy; /* the part of it that the function is on the stack */
    } * at;
    size_t n, cap;
};

SB_ORDER(by_process, struct span, SB_UP(process) ?: SB_UP(start))

static void
read_calls(struct spans *v, const struct sb_ops *o, const struct sb_profile *p, int64_t function)
{
    SB_SCAN(s, p, activation, process, start, dur, mfa, busy_ns);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t id = s.value[process][i], from = s.value[start][i], ns = s.value[dur][i];
        if (s.value[mfa][i] != function || id < 1 || (uint64_t)id > o->n_processes || from < 0 || ns <= 0 ||
            from > o->end_ns)
            continue;
        double part = s.value[busy_ns][i] < 0 ? 1 : (double)s.value[busy_ns][i] / (double)ns;
        *SB_PUSH(v) = (struct span){(uint32_t)id, from, ns < o->end_ns - from ? from + ns : o->end_ns,
                                    part < 1 ? part : 1};
    }
}

static void
read_samples(struct spans *v, const struct sb_ops *o, const struct sb_sampled *s, int sign)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sb_sampled_span *at = &s->span[i];
        int64_t from = i > 0 && at[-1].process == at->process ? at[-1].end : 0;
        if (at->process <= o->n_processes)
            *SB_PUSH(v) = (struct span){at->process, from, at->end,
                                        sign < 0   ? at->of.low
                                        : sign > 0 ? at->of.high
                                                   : at->of.share};
    }
}

/* The part of [from, to) that the spans of a process cover; moments only grow from call to call. */
static double
covered(const struct spans *v, size_t *i, uint32_t process, int64_t from, int64_t to)
{
    double ns = 0;
    while (*i < v->n &&
           (v->at[*i].process < process || (v->at[*i].process == process && v->at[*i].end <= from)))
        (*i)++;
    for (size_t k = *i; k < v->n && v->at[k].process == process && v->at[k].start < to; k++) {
        int64_t a = v->at[k].start > from ? v->at[k].start : from, z = v->at[k].end < to ? v->at[k].end : to;
        ns += a < z ? v->at[k].busy * (double)(z - a) : 0;
    }
    return to > from && ns < (double)(to - from) ? ns / (double)(to - from) : to > from;
}

void
sb_ops_faster_function(struct sb_ops_change *c, const struct sb_profile *p, const struct sb_faster *f,
                       int sign)
{
    SB_SCOPED struct spans v = {0};
    struct sb_ops *o = &c->ops;
    size_t at = 0;
    double part = 1 - 1 / f->by;
    if (f->sampled)
        read_samples(&v, o, f->sampled, sign);
    else
        read_calls(&v, o, p, f->mfa);
    SB_SORT(&v, by_process);
    for (uint32_t id = 1; id <= o->n_processes; id++) {
        for (uint32_t i = o->from[id]; i < o->from[id + 1];
             i++) { /* the work ends where the operation begins */
            int64_t ns = (int64_t)((double)c->original->op[i].work_ns / o->scale[id]);
            take(c, &o->op[i].work_ns, part * covered(&v, &at, id, o->at[i] - ns, o->at[i]));
        }
        int64_t last = o->from[id + 1] > o->from[id] ? o->at[o->from[id + 1] - 1] : 0,
                ns = (int64_t)((double)c->original->rest_ns[id] / o->scale[id]);
        take(c, &o->rest_ns[id], part * covered(&v, &at, id, last, last + ns));
    }
}

/* ---- split ---- */

/*
 * A request begins with a message, unless that is the reply of a process that the server asked for the same request.
 * What ended the wait before it only matters if it was not fetched: a process that was woken by one message may fetch
 * another first.
 */
struct asking {
    uint32_t *sent_in; /* by process.id: the request in which the server last sent something there */
    bool *fetched;     /* by message */
    uint32_t request, client;
};

static void
open_asking(struct asking *a, const struct sb_ops *o)
{
    *a = (struct asking){.sent_in = sb_zeroed_or_die(o->n_processes + 1, sizeof *a->sent_in),
                         .fetched = sb_zeroed_or_die(o->n_messages + 1, sizeof *a->fetched)};
    for (uint32_t i = 0; i < o->from[o->n_lines + 1]; i++)
        if (o->op[i].kind == SB_OP_RECV && !o->op[i].woken)
            a->fetched[o->op[i].arg] = true;
}

static bool
is_only_wake(const struct asking *a, const struct sb_op *op)
{
    return op->kind == SB_OP_RECV && op->woken && a->fetched[op->arg];
}

static bool
is_spawn(const struct sb_ops *o, uint32_t m)
{
    uint32_t to = o->receiver[m], first = o->from[to];
    return first < o->from[to + 1] && o->op[first].kind == SB_OP_RECV && o->op[first].arg == m;
}

static bool
begins_request(struct asking *a, const struct sb_ops *o, uint32_t i, uint32_t first)
{
    const struct sb_op *op = &o->op[i];
    if (op->kind == SB_OP_SEND && !is_spawn(o, op->arg))
        a->sent_in[o->receiver[op->arg]] = a->request;
    if (op->kind != SB_OP_RECV)
        return false;
    uint32_t from = o->sender[op->arg];
    if (i == first) { /* it was spawned */
        a->client = from;
        return false;
    }
    bool is_one = !op->woken && o->op[i - 1].kind == SB_OP_RECV && o->op[i - 1].woken &&
                  !is_only_wake(a, &o->op[i - 1]);
    if (is_one || (a->sent_in[from] == a->request && from != a->client))
        return false;
    a->request++;
    a->client = from;
    return true;
}

struct writing {
    struct sb_op *op;
    uint32_t n_ops;
    SB_VEC(uint32_t) from;
    SB_VEC(int64_t) rest;
    SB_VEC(uint32_t) process;
};

static void
begin_line(struct writing *w, uint32_t process)
{
    *SB_PUSH(&w->from) = w->n_ops;
    *SB_PUSH(&w->process) = process;
    *SB_PUSH(&w->rest) = 0;
}

static void
write_whole(struct writing *w, const struct sb_ops *o, uint32_t id)
{
    uint32_t n = o->from[id + 1] - o->from[id];
    begin_line(w, id);
    memcpy(w->op + w->n_ops, o->op + o->from[id], n * sizeof *w->op);
    w->n_ops += n;
    w->rest.at[w->rest.n - 1] = o->rest_ns[id];
}

/* Writes what a process does before its first request, or each of its requests as a line. */
static void
write_requests(struct writing *w, const struct sb_ops *o, uint32_t id, struct asking *a, bool first_part)
{
    bool writes = first_part;
    int64_t before_ns = 0; /* work before operations that are left out */
    a->request++;
    a->client = 0;
    if (first_part)
        begin_line(w, id);
    for (uint32_t i = o->from[id]; i < o->from[id + 1]; i++) {
        struct sb_op op = o->op[i];
        op.work_ns += before_ns;
        before_ns = is_only_wake(a, &op) ? op.work_ns : 0;
        if (is_only_wake(a, &op))
            continue;
        if (begins_request(a, o, i, o->from[id])) {
            if (writes)
                w->rest.at[w->rest.n - 1] = op.work_ns;
            if (first_part)
                return;
            writes = true;
            begin_line(w, id);
            op.work_ns = 0;
        }
        if (writes)
            w->op[w->n_ops++] = op;
    }
    if (writes)
        w->rest.at[w->rest.n - 1] = o->rest_ns[id] + before_ns;
}

void
sb_ops_split(struct sb_ops_change *c, const uint32_t *copies)
{
    struct sb_ops *o = &c->ops;
    struct asking a;
    open_asking(&a, o);
    struct writing w = {.op = sb_realloc_or_die(NULL, (o->from[o->n_lines + 1] + 1) * sizeof *w.op)};
    begin_line(&w, 0);
    for (uint32_t id = 1; id <= o->n_processes; id++)
        if (copies[id] > 0)
            write_requests(&w, o, id, &a, true);
        else
            write_whole(&w, o, id);
    for (uint32_t id = 1; id <= o->n_processes; id++)
        if (copies[id] > 0)
            write_requests(&w, o, id, &a, false);
    o->n_lines = w.from.n - 1;
    *SB_PUSH(&w.from) = w.n_ops;
    free(a.sent_in);
    free(a.fetched);
    free(o->op);
    free(o->rest_ns);
    o->op = w.op;
    o->from = w.from.at;
    o->rest_ns = w.rest.at;
    o->process = w.process.at;
}
