#include "why/history.h"
#include "base/arena.h"
#include <stdlib.h>

/* ---- places: the rows of each process, in the order of the table ---- */

static int64_t
owner(const struct sb_history *h, int64_t process)
{
    return process >= 1 && (uint64_t)process <= h->n_processes ? process : 0;
}

/* Returns where the rows of each process begin, with room for the end of the last one. */
static uint64_t *
count_rows(const struct sb_history *h, enum sb_tab t, unsigned process)
{
    uint64_t *from = calloc(h->n_processes + 3, sizeof *from), sum = 0;
    if (!from)
        sb_out_of_memory((h->n_processes + 3) * sizeof *from);
    struct sb_scan s;
    sb_scan_open(&s, h->p, t);
    unsigned id = sb_scan_want(&s, process);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            from[owner(h, s.value[id][i]) + 2]++;
    sb_scan_close(&s);
    for (uint64_t i = 2; i < h->n_processes + 3; i++)
        from[i] = sum += from[i];
    return from; /* from[id + 1] moves from the begin to the end of its rows while they are placed */
}

static void *
new_rows(const struct sb_profile *p, enum sb_tab t, size_t bytes)
{
    return sb_realloc_or_die(NULL, sb_mul_or_die(sb_profile_rows(p, t) + 1, bytes));
}

static int64_t
after(int64_t at, int64_t ns)
{
    int64_t to;
    return ns <= 0 ? at : __builtin_add_overflow(at, ns, &to) ? INT64_MAX : to;
}

/* ---- the three tables ---- */

static void
read_stays(struct sb_history *h)
{
    int64_t dirty_cpu = sb_profile_find_text(h->p, SB_STR("dirty_cpu")),
            dirty_io = sb_profile_find_text(h->p, SB_STR("dirty_io"));
    struct sb_scan s;
    sb_scan_open(&s, h->p, SB_T_slice);
    unsigned process = sb_scan_want(&s, SB_C_slice__process), start = sb_scan_want(&s, SB_C_slice__start),
             dur = sb_scan_want(&s, SB_C_slice__dur), in = sb_scan_want(&s, SB_C_slice__in_function),
             out = sb_scan_want(&s, SB_C_slice__out_function), kind = sb_scan_want(&s, SB_C_slice__kind);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t k = s.value[kind][i], at = s.value[start][i];
            h->stay[h->stays_from[owner(h, s.value[process][i]) + 1]++] =
                (struct sb_history_slice){at,
                                          after(at, s.value[dur][i]),
                                          s.value[in][i],
                                          s.value[out][i],
                                          k != SB_NULL && (k == dirty_cpu || k == dirty_io),
                                          k != SB_NULL && k == dirty_cpu};
        }
    sb_scan_close(&s);
}

static uint8_t
cause_of(const struct sb_profile *p, int64_t text)
{
    static const char *const name[] = {"unknown",   "message", "exit",    "spawn",
                                       "preempted", "timeout", "handover"};
    struct sb_str s = sb_profile_text(p, text);
    for (uint8_t i = 0; i < sizeof name / sizeof *name; i++)
        if (sb_str_eq(s, sb_str_of(name[i])))
            return i;
    return SB_GAP_UNKNOWN;
}

static void
read_pauses(struct sb_history *h)
{
    int64_t text = SB_NULL;
    uint8_t cause = SB_GAP_UNKNOWN; /* of `text` */
    static const unsigned col[] = {SB_C_gap__process,     SB_C_gap__start,       SB_C_gap__wait_ns,
                                   SB_C_gap__handover_ns, SB_C_gap__runnable_ns, SB_C_gap__unknown_ns,
                                   SB_C_gap__cause,       SB_C_gap__waker};
    enum { PROCESS, START, WAIT, HANDOVER, RUNNABLE, UNKNOWN, CAUSE, WAKER };
    struct sb_scan s;
    sb_scan_open(&s, h->p, SB_T_gap);
    for (size_t c = 0; c < sizeof col / sizeof *col; c++)
        sb_scan_want(&s, col[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct sb_pause g = {.start = s.value[START][i], .waker = (uint32_t)owner(h, s.value[WAKER][i])};
            g.waited = after(g.start, s.value[WAIT][i]);
            g.handed = after(g.waited, s.value[HANDOVER][i]);
            g.ready = after(g.handed, s.value[RUNNABLE][i]);
            g.end = after(g.ready, s.value[UNKNOWN][i]);
            if (s.value[CAUSE][i] != text)
                cause = cause_of(h->p, text = s.value[CAUSE][i]);
            g.cause = cause;
            h->pause[h->pauses_from[owner(h, s.value[PROCESS][i]) + 1]++] = g;
        }
    sb_scan_close(&s);
}

static void
read_collections(struct sb_history *h)
{
    struct sb_scan s;
    sb_scan_open(&s, h->p, SB_T_gc);
    unsigned process = sb_scan_want(&s, SB_C_gc__process), start = sb_scan_want(&s, SB_C_gc__start),
             dur = sb_scan_want(&s, SB_C_gc__dur);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            h->collection[h->collections_from[owner(h, s.value[process][i]) + 1]++] =
                (struct sb_collection){s.value[start][i], after(s.value[start][i], s.value[dur][i])};
    sb_scan_close(&s);
}

bool
sb_history_read(struct sb_history *h, const struct sb_profile *p, struct sb_err *e)
{
    static const enum sb_tab tab[] = {SB_T_slice, SB_T_gap, SB_T_gc};
    *h = (struct sb_history){.p = p, .n_processes = sb_profile_rows(p, SB_T_process)};
    for (size_t i = 0; i < sizeof tab / sizeof *tab; i++)
        if (sb_profile_rows(p, tab[i]) > SB_HISTORY_ROWS)
            return sb_err_set(e, SB_ERR_LIMIT,
                              "the profile has too many rows for a critical path: at most %llu",
                              (unsigned long long)SB_HISTORY_ROWS) ||
                   sb_err_advise(e, "record a shorter part of the run");
    h->stays_from = count_rows(h, SB_T_slice, SB_C_slice__process);
    h->pauses_from = count_rows(h, SB_T_gap, SB_C_gap__process);
    h->collections_from = count_rows(h, SB_T_gc, SB_C_gc__process);
    h->stay = new_rows(p, SB_T_slice, sizeof *h->stay);
    h->pause = new_rows(p, SB_T_gap, sizeof *h->pause);
    h->collection = new_rows(p, SB_T_gc, sizeof *h->collection);
    read_stays(h);
    read_pauses(h);
    read_collections(h);
    return true;
}

void
sb_history_close(struct sb_history *h)
{
    free(h->stays_from);
    free(h->pauses_from);
    free(h->collections_from);
    free(h->stay);
    free(h->pause);
    free(h->collection);
}

/* ---- looking up ---- */

/* The rows of all three kinds begin with their start. */
static const void *
last_before(const void *rows, size_t bytes, const uint64_t *from, int64_t process, int64_t at)
{
    uint64_t low = from[process], high = from[process + 1];
    while (low < high) {
        uint64_t mid = (low + high) / 2;
        if (*(const int64_t *)((const char *)rows + mid * bytes) < at)
            low = mid + 1;
        else
            high = mid;
    }
    return low > from[process] ? (const char *)rows + (low - 1) * bytes : NULL;
}

const struct sb_history_slice *
sb_history_stay(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->stay, sizeof *h->stay, h->stays_from, process, at);
}

const struct sb_pause *
sb_history_pause(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->pause, sizeof *h->pause, h->pauses_from, process, at);
}

const struct sb_collection *
sb_history_collection(const struct sb_history *h, int64_t process, int64_t at)
{
    return last_before(h->collection, sizeof *h->collection, h->collections_from, process, at);
}

bool
sb_history_port_ran(const struct sb_history *h, int64_t at)
{
    enum { SOON_NS = 20000 };
    const struct sb_history_slice *s = sb_history_stay(h, 0, at);
    return s && (s->end >= at || (uint64_t)at - (uint64_t)s->end <= SOON_NS);
}

bool
sb_history_is_unexplained(const struct sb_history *h, const struct sb_pause *g)
{
    return g->cause == SB_GAP_UNKNOWN && g->waited > g->start && !g->external &&
           !sb_history_port_ran(h, g->waited);
}
