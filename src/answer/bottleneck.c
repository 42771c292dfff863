/*
 * Sums waiting by process and by the process that ended most of it (gap.waker). A large profile has too many
 * gaps for a summary, so every k-th block is read, always the same ones.
 */
#include "answer/bottleneck.h"
#include "why/otp.h"
#include <stdlib.h>

enum { MOST_BLOCKS = 1024, RELEASE_EVERY = 128, LONGEST_CHAIN = 8, FEWEST_WAITERS = 2 };

struct waiter {
    /* in total, and in loops of OTP or in the function that it was spawned with */
    int64_t waits_ns, idle_ns;
    int64_t by, lead_ns;     /* candidate for the process that ended most of its waiting: a weighted
                                majority vote */
    int64_t ended_ns, ended; /* the time and number of waits that `by` ended */
    int64_t asked;           /* messages to `by` */
    int64_t parent, work_ns, life_ns, entry, spawn_mfa;
};

struct waiters {
    const struct sb_profile *p;
    struct waiter *at; /* by process.id */
    uint64_t n;
    int64_t step; /* every step-th block of gaps is read */
};

static struct waiter *
waiter_of(struct waiters *x, int64_t process)
{
    return process >= 1 && (uint64_t)process <= x->n ? &x->at[process] : NULL;
}

static int64_t
known(int64_t ns)
{
    return ns > 0 ? ns : 0;
}

/* ---- facts about each process ---- */

static void
read_processes(struct waiters *x)
{
    static const unsigned column[] = {SB_C_process__run_ns,      SB_C_process__dirty_ns,
                                      SB_C_process__wait_ns,     SB_C_process__runnable_ns,
                                      SB_C_process__handover_ns, SB_C_process__unknown_ns};
    enum { PARTS = sizeof column / sizeof *column, WORK = 2 };
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_process);
    unsigned id = sb_scan_want(&s, SB_C_process__id), parent = sb_scan_want(&s, SB_C_process__parent),
             entry = sb_scan_want(&s, SB_C_process__entry), mfa = sb_scan_want(&s, SB_C_process__spawn_mfa),
             part[PARTS];
    for (unsigned k = 0; k < PARTS; k++)
        part[k] = sb_scan_want(&s, column[k]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct waiter *w = waiter_of(x, s.value[id][i]);
            if (!w)
                continue;
            w->parent = s.value[parent][i];
            w->entry = s.value[entry][i];
            w->spawn_mfa = s.value[mfa][i];
            for (unsigned k = 0; k < PARTS; k++) {
                w->work_ns += k < WORK ? known(s.value[part[k]][i]) : 0;
                w->life_ns += known(s.value[part[k]][i]);
            }
        }
    sb_scan_close(&s);
}

static void
read_places(struct waiters *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_wait);
    unsigned process = sb_scan_want(&s, SB_C_wait__process), function = sb_scan_want(&s, SB_C_wait__function),
             total = sb_scan_want(&s, SB_C_wait__total_ns);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct waiter *w = waiter_of(x, s.value[process][i]);
            if (!w)
                continue;
            int64_t place = s.value[function][i];
            struct sb_str mfa = sb_profile_text(x->p, place);
            bool idle = place == w->entry || place == w->spawn_mfa || (sb_is_otp(mfa) && !sb_is_call(mfa));
            w->waits_ns += known(s.value[total][i]);
            w->idle_ns += idle ? known(s.value[total][i]) : 0;
        }
    sb_scan_close(&s);
}

/* ---- the processes that ended waits ---- */

static void
vote(struct waiter *w, int64_t waker, int64_t ns)
{
    if (w->by == waker)
        w->lead_ns += ns;
    else if (w->lead_ns >= ns)
        w->lead_ns -= ns;
    else {
        w->by = waker;
        w->lead_ns = ns - w->lead_ns;
    }
}

static void
add_up(struct waiter *w, int64_t waker, int64_t ns)
{
    w->ended_ns += w->by == waker ? ns : 0;
    w->ended += w->by == waker;
}

static void
each_wait(struct waiters *x, void (*fn)(struct waiter *w, int64_t waker, int64_t ns))
{
    int64_t waker[SB_BLOCK_ROWS], wait[SB_BLOCK_ROWS], process[SB_BLOCK_ROWS];
    uint64_t blocks = (sb_profile_rows(x->p, SB_T_gap) + SB_BLOCK_ROWS - 1) / SB_BLOCK_ROWS;
    x->step = (int64_t)(blocks / MOST_BLOCKS + 1);
    for (uint64_t b = 0, seen = 0; b < blocks; b += (uint64_t)x->step) {
        if (++seen % RELEASE_EVERY == 0)
            sb_profile_release(x->p);
        size_t n = sb_profile_block(x->p, SB_T_gap, SB_C_gap__waker, b, waker);
        sb_profile_block(x->p, SB_T_gap, SB_C_gap__wait_ns, b, wait);
        sb_profile_block(x->p, SB_T_gap, SB_C_gap__process, b, process);
        for (size_t i = 0; i < n; i++) {
            struct waiter *w = waiter_of(x, process[i]);
            if (w && wait[i] > 0 && waker[i] != process[i] && waiter_of(x, waker[i]))
                fn(w, waker[i], wait[i]);
        }
    }
}

static void
read_requests(struct waiters *x)
{
    struct sb_scan s;
    sb_scan_open(&s, x->p, SB_T_message_edge);
    unsigned from = sb_scan_want(&s, SB_C_message_edge__sender),
             to = sb_scan_want(&s, SB_C_message_edge__receiver),
             count = sb_scan_want(&s, SB_C_message_edge__count);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            struct waiter *w = waiter_of(x, s.value[from][i]);
            if (w && w->by == s.value[to][i])
                w->asked += known(s.value[count][i]);
        }
    sb_scan_close(&s);
}

/* ---- the process that is waited for ---- */

/* True if the process waited half of its life or more, mostly for one process to which it had sent a
 * request. */
static bool
waits_for_one(const struct waiters *x, const struct waiter *w)
{
    bool asked = 2 * w->asked >= w->ended * x->step || w->parent == w->by;
    return w->by > 0 && asked && 5 * w->idle_ns <= w->waits_ns &&
           5 * w->ended_ns * x->step >= 4 * w->waits_ns && 2 * w->waits_ns >= w->life_ns;
}

static int64_t
root_of(const struct waiters *x, int64_t process)
{
    for (unsigned k = 0; k < LONGEST_CHAIN && waits_for_one(x, &x->at[process]); k++)
        process = x->at[process].by;
    return process;
}

static void
find_most(struct waiters *x, int64_t busy_ns, struct sb_bottleneck *f)
{
    struct sb_bottleneck *of = calloc(x->n + 1, sizeof *of);
    if (!of)
        sb_out_of_memory((x->n + 1) * sizeof *of);
    for (uint64_t i = 1; i <= x->n; i++) {
        const struct waiter *w = &x->at[i];
        if (!waits_for_one(x, w))
            continue;
        struct sb_bottleneck *to = &of[root_of(x, w->by)];
        to->waiters++;
        to->waited_ns += w->ended_ns * x->step;
        to->lives_ns += w->life_ns;
    }
    for (uint64_t i = 1; i <= x->n; i++)
        if (of[i].waiters >= FEWEST_WAITERS && of[i].waited_ns > f->waited_ns &&
            2 * x->at[i].work_ns >= busy_ns) {
            *f = of[i];
            f->process = (int64_t)i;
            f->work_ns = x->at[i].work_ns;
        }
    free(of);
    f->is_sample = x->step > 1;
}

void
sb_bottleneck_find(const struct sb_ask *ask, int64_t busy_ns, struct sb_bottleneck *f)
{
    struct waiters x = {.p = ask->profile, .n = sb_profile_rows(ask->profile, SB_T_process)};
    *f = (struct sb_bottleneck){.process = SB_NULL};
    x.at = calloc(x.n + 1, sizeof *x.at);
    if (!x.at)
        sb_out_of_memory((x.n + 1) * sizeof *x.at);
    read_processes(&x);
    read_places(&x);
    each_wait(&x, vote);
    each_wait(&x, add_up);
    read_requests(&x);
    find_most(&x, busy_ns, f);
    free(x.at);
}
