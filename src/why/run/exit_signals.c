#include "why/run/exit_signals.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "base/vec.h"
#include "profile/otp.h"

struct ending { /* a process was told of the end of another one */
    uint32_t who, to;
};

struct finding {
    struct sb_history *h;
    int64_t *end; /* by process.id; SB_NULL: not in the trace */
    int64_t *node;
    SB_VEC(struct ending) ending;
    struct { /* of the last row: rows of one receiver are in order of time */
        int64_t receiver, received;
        uint64_t gap;
        const struct sb_history_gap *explained;
    } last;
};

static bool
is_unexplained(const struct sb_history_gap *g)
{
    return g->cause == SB_GAP_UNKNOWN && g->waited > g->start && !g->external;
}

/* The last gap of a process that ends at or before `at`; NULL: none, or the process is in a gap at that moment. */
static struct sb_history_gap *
gap_before(struct finding *f, int64_t process, int64_t at)
{
    const struct sb_history *h = f->h;
    uint64_t i = f->last.gap, end = h->gaps_from[process + 1];
    if (process != f->last.receiver || at < f->last.received) {
        const struct sb_history_gap *g = sb_history_gap(h, process, at);
        i = g ? (uint64_t)(g - h->gap) : h->gaps_from[process];
    }
    while (i + 1 < end && h->gap[i + 1].start < at)
        i++;
    f->last.receiver = process;
    f->last.received = at;
    f->last.gap = i;
    return i < end && h->gap[i].end <= at ? &h->gap[i] : NULL;
}

/* The process goes on after an 'EXIT' that names it: it sent the signal itself. */
static bool
lives_on(const struct finding *f, int64_t process, int64_t other, int64_t at)
{
    return process > 0 && process != other && f->node[process] == f->node[other] &&
           (f->end[process] == SB_NULL || f->end[process] > at);
}

/* The signal was sent while the sender ran, before the process was back: the wait ended then. Returns false if the
 * sender was not seen at work. */
static bool
put_signal(const struct finding *f, struct sb_history_gap *g, int64_t sender)
{
    const struct sb_history_slice *s = sb_history_slice(f->h, sender, g->end);
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
explain(struct finding *f, const struct sb_history_message *m)
{
    struct sb_history_gap *g = gap_before(f, m->receiver, m->received);
    if (!g || g == f->last.explained)
        return;
    f->last.explained = g;
    if (is_unexplained(g) && m->is_from_outside)
        g->external = !(lives_on(f, m->down, m->receiver, m->received) && put_signal(f, g, m->down));
}

static void
look_at_message(void *ctx, const struct sb_history_message *m)
{
    struct finding *f = ctx;
    if (m->receiver == 0 || m->received == SB_NULL)
        return;
    explain(f, m);
    if (m->down > 0 && f->end[m->down] != SB_NULL && f->end[m->down] <= m->received)
        *SB_PUSH(&f->ending) = (struct ending){(uint32_t)m->down, (uint32_t)m->receiver};
}

/* ---- processes that exit when they wake ---- */

/* It ran just before the process was back, and waits for the end of that process, not for anything in its loop. */
static bool
may_have_sent(const struct finding *f, const struct sb_history_gap *g, int64_t sender)
{
    enum { SOON_NS = 1000000 };
    const struct sb_history_slice *s = sb_history_slice(f->h, sender, g->end);
    if (!s || s->end >= g->end)
        return s;
    bool soon = s->end >= g->waited || (uint64_t)g->waited - (uint64_t)s->end <= SOON_NS;
    return soon && !sb_is_loop(sb_profile_text(f->h->p, s->out));
}

SB_ORDER(by_process, struct ending, SB_UP(who) ?: SB_UP(to))

/* Of several that were told of the end, only the parent can be taken for the sender. Returns 0 if none can. */
static int64_t
sender_of(const struct finding *f, const struct ending *e, size_t n)
{
    int64_t parent = SB_CELL(f->h->p, process, parent, e->who - 1);
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
    int64_t reason = SB_CELL(h->p, process, exit_reason, e->who - 1);
    uint64_t end = h->gaps_from[e->who + 1];
    struct sb_history_gap *g = end > h->gaps_from[e->who] ? &h->gap[end - 1] : NULL;
    int64_t sender = sender_of(f, e, n);
    if (g && is_unexplained(g) && reason != SB_NULL && reason != normal && sender != 0 &&
        may_have_sent(f, g, sender))
        put_signal(f, g, sender);
}

static void
explain_ends(struct finding *f)
{
    int64_t normal = sb_profile_find_text(f->h->p, SB_STR("normal"));
    SB_SORT(&f->ending, by_process);
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
    SB_SCAN(s, f->h->p, process, end, node);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        f->end[s.row[i] + 1] = s.value[end][i];
        f->node[s.row[i] + 1] = s.value[node][i];
    }
}

static bool
has_unexplained(const struct sb_history *h)
{
    for (uint64_t i = h->gaps_from[1]; i < h->gaps_from[h->n_processes + 1]; i++)
        if (is_unexplained(&h->gap[i]))
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
    sb_history_messages(h, 0, SB_NULL, look_at_message, &f);
    explain_ends(&f);
    free(f.end);
    free(f.node);
    SB_VEC_FREE(&f.ending);
}
