#include "why/exit_signals.h"
#include "base/vec.h"
#include "why/otp.h"
#include <stdlib.h>

struct ending { /* a process was told of the end of another one */
    uint32_t who, to;
};

struct message {
    int64_t from, to, received, down;
};

struct finding {
    struct sb_history *h;
    int64_t *end; /* by process.id; SB_NULL: not in the trace */
    int64_t *node;
    SB_VEC(struct ending) ending;
    struct { /* of the last row: rows of one receiver are in order of time */
        int64_t receiver, received;
        uint64_t pause;
        const struct sb_pause *explained;
    } last;
};

static bool
is_process(const struct finding *f, int64_t id)
{
    return id >= 1 && (uint64_t)id <= f->h->n_processes;
}

static bool
is_unexplained(const struct sb_pause *g)
{
    return g->cause == SB_GAP_UNKNOWN && g->waited > g->start && !g->external;
}

/* The last pause of a process that ends at or before `at`; NULL: none, or the process pauses at that moment. */
static struct sb_pause *
pause_before(struct finding *f, int64_t process, int64_t at)
{
    const struct sb_history *h = f->h;
    uint64_t i = f->last.pause, end = h->pauses_from[process + 1];
    if (process != f->last.receiver || at < f->last.received) {
        const struct sb_pause *g = sb_history_pause(h, process, at);
        i = g ? (uint64_t)(g - h->pause) : h->pauses_from[process];
    }
    while (i + 1 < end && h->pause[i + 1].start < at)
        i++;
    f->last.receiver = process;
    f->last.received = at;
    f->last.pause = i;
    return i < end && h->pause[i].end <= at ? &h->pause[i] : NULL;
}

/* The process goes on after an 'EXIT' that names it: it sent the signal itself. */
static bool
lives_on(const struct finding *f, int64_t process, int64_t other, int64_t at)
{
    return is_process(f, process) && process != other && f->node[process] == f->node[other] &&
           (f->end[process] == SB_NULL || f->end[process] > at);
}

/* The signal was sent while the sender ran, before the process was back: the wait ended then. Returns false if the
 * sender was not seen at work. */
static bool
put_signal(const struct finding *f, struct sb_pause *g, int64_t sender)
{
    const struct sb_history_slice *s = sb_history_stay(f->h, sender, g->end);
    if (!s || s->end <= g->start)
        return false;
    g->cause = SB_GAP_SIGNAL;
    g->waker = (uint32_t)sender;
    if (g->waited <= s->start) /* it was inferred from when the process ran */
        g->waited = s->start + 1;
    g->handed = g->handed > g->waited ? g->handed : g->waited;
    g->ready = g->ready > g->handed ? g->ready : g->handed;
    return true;
}

/* The first message that a process receives after a wait explains the end of the wait, if no process sent it. */
static void
explain(struct finding *f, const struct message *m)
{
    struct sb_pause *g = pause_before(f, m->to, m->received);
    if (!g || g == f->last.explained)
        return;
    f->last.explained = g;
    if (is_unexplained(g) && m->from == SB_NULL)
        g->external = !(lives_on(f, m->down, m->to, m->received) && put_signal(f, g, m->down));
}

static void
read_messages(struct finding *f)
{
    struct sb_scan s;
    sb_scan_open(&s, f->h->p, SB_T_message);
    unsigned sender = sb_scan_want(&s, SB_C_message__sender),
             receiver = sb_scan_want(&s, SB_C_message__receiver),
             received = sb_scan_want(&s, SB_C_message__received), down = sb_scan_want(&s, SB_C_message__down);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct message m = {s.value[sender][i], s.value[receiver][i], s.value[received][i],
                                s.value[down][i]};
            if (!is_process(f, m.to) || m.received == SB_NULL)
                continue;
            explain(f, &m);
            if (is_process(f, m.down) && f->end[m.down] != SB_NULL && f->end[m.down] <= m.received)
                *SB_PUSH(&f->ending) = (struct ending){(uint32_t)m.down, (uint32_t)m.to};
        }
    sb_scan_close(&s);
}

/* ---- processes that exit when they wake ---- */

/* It ran just before the process was back, and waits for the end of that process, not for anything in its loop. */
static bool
may_have_sent(const struct finding *f, const struct sb_pause *g, int64_t sender)
{
    enum { SOON_NS = 1000000 };
    const struct sb_history_slice *s = sb_history_stay(f->h, sender, g->end);
    if (!s || s->end >= g->end)
        return s;
    bool soon = s->end >= g->waited || (uint64_t)g->waited - (uint64_t)s->end <= SOON_NS;
    return soon && !sb_is_loop(sb_profile_text(f->h->p, s->out));
}

static int
by_process(const void *p, const void *q)
{
    const struct ending *a = p, *b = q;
    return a->who != b->who ? (a->who > b->who) - (a->who < b->who) : (a->to > b->to) - (a->to < b->to);
}

/* Of several that were told of the end, only the parent can be taken for the sender. Returns 0 if none can. */
static int64_t
sender_of(const struct finding *f, const struct ending *e, size_t n)
{
    int64_t parent = sb_profile_cell(f->h->p, SB_T_process, SB_C_process__parent, e->who - 1);
    if (e[0].to == e[n - 1].to)
        return e[0].to;
    for (size_t i = 0; i < n; i++)
        if ((int64_t)e[i].to == parent)
            return parent;
    return 0;
}

static void
explain_end(const struct finding *f, const struct ending *e, size_t n, int64_t normal)
{
    const struct sb_history *h = f->h;
    int64_t reason = sb_profile_cell(h->p, SB_T_process, SB_C_process__exit_reason, e->who - 1);
    uint64_t end = h->pauses_from[e->who + 1];
    struct sb_pause *g = end > h->pauses_from[e->who] ? &h->pause[end - 1] : NULL;
    int64_t sender = sender_of(f, e, n);
    if (g && is_unexplained(g) && reason != SB_NULL && reason != normal && sender != 0 &&
        may_have_sent(f, g, sender))
        put_signal(f, g, sender);
}

static void
explain_ends(struct finding *f)
{
    int64_t normal = sb_profile_find_text(f->h->p, SB_STR("normal"));
    if (f->ending.n > 1)
        qsort(f->ending.at, f->ending.n, sizeof *f->ending.at, by_process);
    for (size_t i = 0, k; i < f->ending.n; i = k) {
        for (k = i + 1; k < f->ending.n && f->ending.at[k].who == f->ending.at[i].who;)
            k++;
        explain_end(f, &f->ending.at[i], k - i, normal);
    }
}

/* ---- */

static void
read_processes(struct finding *f)
{
    struct sb_scan s;
    sb_scan_open(&s, f->h->p, SB_T_process);
    unsigned end = sb_scan_want(&s, SB_C_process__end), node = sb_scan_want(&s, SB_C_process__node);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            f->end[s.row[i] + 1] = s.value[end][i];
            f->node[s.row[i] + 1] = s.value[node][i];
        }
    sb_scan_close(&s);
}

static bool
has_unexplained(const struct sb_history *h)
{
    for (uint64_t i = h->pauses_from[1]; i < h->pauses_from[h->n_processes + 1]; i++)
        if (is_unexplained(&h->pause[i]))
            return true;
    return false;
}

void
sb_exit_signals_find(struct sb_history *h)
{
    if (!has_unexplained(h))
        return;
    struct finding f = {.h = h,
                        .end = sb_zeroed_or_die(h->n_processes + 1, sizeof *f.end),
                        .node = sb_zeroed_or_die(h->n_processes + 1, sizeof *f.node)};
    read_processes(&f);
    read_messages(&f);
    explain_ends(&f);
    free(f.end);
    free(f.node);
    SB_VEC_FREE(&f.ending);
}
