#include "why/run/history.h"
#include "base/order.h"
#include "base/vec.h"
#include "profile/scan_row.h"
#include "profile/sweep.h"
#include "profile/otp.h"

/* ---- rows ---- */

struct reaching { /* a slice that starts before the range */
    uint64_t process;
    struct sb_history_slice slice;
};
struct reading {
    struct sb_history *h;
    int64_t from, to; /* of the starts; `to` SB_NULL: all rows */
    int64_t dirty_cpu, dirty_io;
    int64_t text; /* of the last cause */
    uint8_t cause;
    SB_VEC(struct reaching) reaching;
};

enum { PROCESS, START, DUR, IN, OUT, KIND };
enum { WAIT = START + 1, HANDOVER, RUNNABLE, UNKNOWN, LOW, CAUSE, WAKER, COLUMNS };

static int32_t
text_of(int64_t v)
{
    return v == SB_NULL || v > INT32_MAX ? 0 : (int32_t)v;
}

static void
read_slice(struct reading *r, int64_t *const *v, size_t i, void *into)
{
    int64_t at = v[START][i], kind = v[KIND][i];
    *(struct sb_history_slice *)into =
        (struct sb_history_slice){at,
                                  sb_sweep_after(at, v[DUR][i]),
                                  text_of(v[IN][i]),
                                  text_of(v[OUT][i]),
                                  kind != SB_NULL && (kind == r->dirty_cpu || kind == r->dirty_io),
                                  kind != SB_NULL && kind == r->dirty_cpu};
}

static uint8_t
cause_of(const struct sb_profile *p, int64_t text)
{
    static const char *const name[] = {"unknown",   "message", "exit",     "spawn",
                                       "preempted", "timeout", "handover", "busy"};
    struct sb_str s = sb_profile_text(p, text);
    for (uint8_t i = 0; i < sizeof name / sizeof *name; i++)
        if (sb_str_eq(s, sb_str_of(name[i])))
            return i;
    return SB_GAP_UNKNOWN;
}

static void
read_gap(struct reading *r, int64_t *const *v, size_t i, void *into)
{
    struct sb_history_gap g = {.start = v[START][i],
                               .ready_low_ns = v[LOW][i] > 0 ? v[LOW][i] : 0,
                               .waker = (uint32_t)sb_history_process(r->h, v[WAKER][i])};
    g.waited = sb_sweep_after(g.start, v[WAIT][i]);
    g.handed = sb_sweep_after(g.waited, v[HANDOVER][i]);
    g.ready = sb_sweep_after(g.handed, v[RUNNABLE][i]);
    g.end = sb_sweep_after(g.ready, v[UNKNOWN][i]);
    if (v[CAUSE][i] != r->text)
        r->cause = cause_of(r->h->p, r->text = v[CAUSE][i]);
    g.cause = r->cause;
    *(struct sb_history_gap *)into = g;
}

static void
read_collection(struct reading *r, int64_t *const *v, size_t i, void *into)
{
    (void)r;
    *(struct sb_history_collection *)into =
        (struct sb_history_collection){v[START][i], sb_sweep_after(v[START][i], v[DUR][i])};
}

/* ---- the tables ---- */

static const struct rows {
    enum sb_tab tab;
    unsigned n_columns, column[COLUMNS]; /* process and start first */
    size_t bytes;
    void (*read)(struct reading *r, int64_t *const *v, size_t i, void *into);
} slices = {SB_T_slice,
            6,
            {SB_C_slice__process, SB_C_slice__start, SB_C_slice__dur, SB_C_slice__in_function,
             SB_C_slice__out_function, SB_C_slice__kind},
            sizeof(struct sb_history_slice),
            read_slice},
  gaps = {SB_T_gap,
          9,
          {SB_C_gap__process, SB_C_gap__start, SB_C_gap__wait_ns, SB_C_gap__handover_ns,
           SB_C_gap__runnable_ns, SB_C_gap__unknown_ns, SB_C_gap__low_ns, SB_C_gap__cause, SB_C_gap__waker},
          sizeof(struct sb_history_gap),
          read_gap},
  collections = {SB_T_gc,
                 3,
                 {SB_C_gc__process, SB_C_gc__start, SB_C_gc__dur},
                 sizeof(struct sb_history_collection),
                 read_collection};

static void
open_scan(const struct reading *r, const struct rows *t, struct sb_scan *s, unsigned n_columns)
{
    sb_scan_open_columns(s, r->h->p, t->tab, t->column, n_columns);
    if (r->to != SB_NULL)
        sb_scan_where(s, t->column[START], r->from, r->to - 1);
}

/* Returns where the rows of each process begin, with room for the end of the last one. */
static uint64_t *
count_rows(const struct reading *r, const struct rows *t)
{
    uint64_t n = r->h->n_processes + 3, *from = sb_zeroed_or_die(n, sizeof *from);
    struct sb_scan s;
    open_scan(r, t, &s, 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        from[sb_history_process(r->h, s.value[PROCESS][i]) + 2]++;
    for (size_t i = 0; t->tab == SB_T_slice && i < r->reaching.n; i++)
        from[r->reaching.at[i].process + 2]++;
    for (uint64_t i = 2; i < n; i++)
        from[i] += from[i - 1];
    return from; /* from[id + 1] moves from the begin to the end of its rows while they are placed */
}

/* Somebody may write to the file between the two readings: no process gets more rows than were counted, and rows that
 * are gone stay zero. */
static void *
read_rows(struct reading *r, const struct rows *t, uint64_t **from)
{
    uint64_t *next = *from = count_rows(r, t), n = r->h->n_processes,
             *end = sb_realloc_or_die(NULL, (n + 2) * sizeof *end);
    memcpy(end, next + 1, (n + 2) * sizeof *end);
    char *row = sb_zeroed_or_die(next[n + 2] + 1, t->bytes);
    struct sb_scan s;
    for (size_t i = 0; t->tab == SB_T_slice && i < r->reaching.n; i++)
        ((struct sb_history_slice *)(void *)row)[next[r->reaching.at[i].process + 1]++] =
            r->reaching.at[i].slice;
    open_scan(r, t, &s, t->n_columns);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        uint64_t id = (uint64_t)sb_history_process(r->h, s.value[PROCESS][i]);
        if (next[id + 1] < end[id + 1])
            t->read(r, s.value, i, row + next[id + 1]++ * t->bytes);
    }
    free(end);
    for (uint64_t id = 1; id <= n; id++) /* they are not in order in a trace that contradicts itself */
        sb_sort(row + next[id] * t->bytes, next[id + 1] - next[id], t->bytes, sb_by_number);
    return row;
}

/* A sleep takes no message: whatever wakes the process before its time, it waits for its timer. */
static void
find_sleeps(struct sb_history *h, uint64_t id, const int64_t sleeps[SB_SLEEPS])
{
    const struct sb_history_slice *s = h->slice + h->slices_from[id],
                                  *end = h->slice + h->slices_from[id + 1];
    for (uint64_t i = h->gaps_from[id]; i < h->gaps_from[id + 1]; i++) {
        struct sb_history_gap *g = &h->gap[i];
        while (s < end && s->end < g->start)
            s++;
        bool sleeps_on = end - s > 1 && s->end == g->start && s->out > 0 && s[1].out == s->out &&
                         (s->out == sleeps[0] || s->out == sleeps[1]);
        if (!sleeps_on || (g->cause != SB_GAP_UNKNOWN && g->cause != SB_GAP_MESSAGE))
            continue;
        g->cause = SB_GAP_TIMEOUT;
        g->waker = 0;
        g->interrupted = true;
    }
}

static void
add_reaching(struct reading *r, uint64_t block)
{
    int64_t value[KIND + 1][SB_BLOCK_ROWS], *v[KIND + 1];
    size_t n = 0;
    for (unsigned c = 0; c < slices.n_columns; c++)
        n = sb_profile_block(r->h->p, slices.tab, slices.column[c], block, v[c] = value[c]);
    for (size_t i = 0; i < n; i++) {
        struct reaching x = {.process = (uint64_t)sb_history_process(r->h, v[PROCESS][i])};
        read_slice(r, v, i, &x.slice);
        if (v[START][i] != SB_NULL && x.slice.start < r->from && x.slice.end > r->from)
            *SB_PUSH(&r->reaching) = x;
    }
}

/* Zone maps show the few blocks that may hold such slices. */
static void
find_reaching(struct reading *r)
{
    struct sb_zone z;
    for (uint64_t at = 0, n = sb_profile_rows(r->h->p, slices.tab); at < n; at = z.end) {
        z = sb_profile_zone(r->h->p, slices.tab, slices.column[START], at);
        int64_t longest = sb_profile_zone(r->h->p, slices.tab, slices.column[DUR], at).max;
        if (z.min <= z.max && z.min < r->from && sb_sweep_after(z.max, longest) > r->from)
            add_reaching(r, at / SB_BLOCK_ROWS);
    }
}

static struct reading
read_both(struct sb_history *h, const struct sb_profile *p, int64_t from, int64_t to, bool reaching)
{
    *h = (struct sb_history){.p = p, .n_processes = sb_profile_rows(p, SB_T_process)};
    struct reading r = {h,
                        from,
                        to,
                        sb_profile_find_text(p, SB_STR("dirty_cpu")),
                        sb_profile_find_text(p, SB_STR("dirty_io")),
                        SB_NULL,
                        SB_GAP_UNKNOWN,
                        {0}};
    if (reaching)
        find_reaching(&r);
    h->slice = read_rows(&r, &slices, &h->slices_from);
    h->gap = read_rows(&r, &gaps, &h->gaps_from);
    SB_VEC_FREE(&r.reaching);
    int64_t sleeps[SB_SLEEPS];
    sb_sleeps_find(p, sleeps);
    for (uint64_t id = 1; id <= h->n_processes && (sleeps[0] > 0 || sleeps[1] > 0); id++)
        find_sleeps(h, id, sleeps);
    return r;
}

void
sb_history_read(struct sb_history *h, const struct sb_profile *p, int64_t from, int64_t to, bool reaching)
{
    read_both(h, p, from, to, reaching);
}

bool
sb_history_read_all(struct sb_history *h, const struct sb_profile *p, struct sb_err *e)
{
    if (sb_profile_rows(p, SB_T_slice) > SB_HISTORY_ROWS || sb_profile_rows(p, SB_T_gap) > SB_HISTORY_ROWS ||
        sb_profile_rows(p, SB_T_gc) > SB_HISTORY_ROWS)
        return sb_err_set(e, SB_ERR_LIMIT, "the profile has too many rows for a critical path: at most %llu",
                          (unsigned long long)SB_HISTORY_ROWS) ||
               sb_err_advise(e, "record a shorter part of the run");
    struct reading r = read_both(h, p, 0, SB_NULL, false);
    h->collection = read_rows(&r, &collections, &h->collections_from);
    return true;
}

void
sb_history_close(struct sb_history *h)
{
    free(h->slices_from);
    free(h->gaps_from);
    free(h->collections_from);
    free(h->slice);
    free(h->gap);
    free(h->collection);
    *h = (struct sb_history){0};
}

void
sb_history_close_gaps(struct sb_history *h)
{
    free(h->gap);
    free(h->collection);
    h->gap = NULL;
    h->collection = NULL;
}

static void
pass_messages(const struct sb_history *h, unsigned where, int64_t from, int64_t to,
              void (*each)(void *ctx, const struct sb_history_message *m), void *ctx)
{
    SB_SCAN(s, h->p, message, sender, receiver, sent, received, words, down, asker, call);
    if (to != SB_NULL)
        sb_scan_where(&s, where, from, to - 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (where == SB_C_message__sent || s.value[sent][i] == SB_NULL)
            each(ctx, &(struct sb_history_message){.sent = s.value[sent][i],
                                                   .received = s.value[received][i],
                                                   .sender = sb_history_process(h, s.value[sender][i]),
                                                   .receiver = sb_history_process(h, s.value[receiver][i]),
                                                   .down = sb_history_process(h, s.value[down][i]),
                                                   .asker = sb_history_process(h, s.value[asker][i]),
                                                   .is_call = s.value[call][i] == 1,
                                                   .is_from_outside = s.value[sender][i] == SB_NULL,
                                                   .words = s.value[words][i]});
}

void
sb_history_messages(const struct sb_history *h, int64_t from, int64_t to,
                    void (*each)(void *ctx, const struct sb_history_message *m), void *ctx)
{
    pass_messages(h, SB_C_message__sent, from, to, each, ctx);
    if (to != SB_NULL)
        pass_messages(h, SB_C_message__received, from, to, each, ctx);
}

/* ---- looking up ---- */

/* Without a branch that depends on the times. */
static const void *
last_before(const void *rows, size_t bytes, const uint64_t *from, int64_t process, int64_t at)
{
    const char *first = (const char *)rows + from[process] * bytes;
    uint64_t n = from[process + 1] - from[process];
    if (n == 0 || *(const int64_t *)first >= at)
        return NULL;
    for (uint64_t half; n > 1; n -= half) {
        half = n / 2;
        first += *(const int64_t *)(first + half * bytes) < at ? half * bytes : 0;
    }
    return first;
}

const struct sb_history_slice *
sb_history_slice(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->slice, sizeof *h->slice, h->slices_from, process, at);
}

const struct sb_history_gap *
sb_history_gap(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->gap, sizeof *h->gap, h->gaps_from, process, at);
}

const struct sb_history_collection *
sb_history_collection(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->collection, sizeof *h->collection, h->collections_from, process, at);
}

bool
sb_history_port_ran(const struct sb_history *h, int64_t at)
{
    enum { SOON_NS = 20000 };
    const struct sb_history_slice *s = sb_history_slice(h, 0, at);
    return s && (s->end >= at || (uint64_t)at - (uint64_t)s->end <= SOON_NS);
}

bool
sb_history_is_unexplained(const struct sb_history *h, const struct sb_history_gap *g)
{
    return g->cause == SB_GAP_UNKNOWN && g->waited > g->start && !g->external &&
           !sb_history_port_ran(h, g->waited);
}
