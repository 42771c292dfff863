/* Random traces in text form, for tests of the engine. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { PROCESSES = 6, MOST = 4000, FUNCTIONS = 5 };

struct lines {
    char (*at)[96];
    size_t n;
};

static uint64_t seed;
static inline unsigned
dice(unsigned sides)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)((seed >> 32) % sides);
}

static bool loses, vm_reports; /* records of lost events; system_profile was on */

/* Mostly what a real node does; `wild` lines of 100 are arbitrary. */
static inline void
make_line(char *to, size_t cap, long at, bool *on, bool *collects, unsigned wild)
{
    unsigned p = dice(PROCESSES), kind = dice(10), fn = dice(FUNCTIONS);
    bool any = dice(100) < wild;
    const char *dirty = dice(5) ? "" : dice(2) ? "d" : "i";
    int n = snprintf(to, cap, "%ld <0.%u.0> %s%u ", at, 10 + p, dirty, 1 + dice(3));
    if (loses && dice(100) == 0) {
        snprintf(to, cap, "%ld - - drop events=%u", at, 1 + dice(9));
        return;
    }
    if (vm_reports && dice(20) == 0) {
        snprintf(to, cap, "%ld - %u profile_scheduler_%s active=1", at, 1 + dice(9),
                 dice(2) ? "active" : "inactive");
        return;
    }
    if (vm_reports && dice(5) == 0) {
        snprintf(to, cap, "%ld <0.%u.0> - profile_%s mfa=m:f%u/0", at, 10 + p,
                 dice(2) ? "active" : "inactive", fn);
        return;
    }
    if (!on[p] && !any) {
        snprintf(to + n, cap - (size_t)n, "in mfa=m:f%u/0", fn);
        on[p] = true;
    } else if (kind < 3) {
        snprintf(to + n, cap - (size_t)n, "send to=<0.%u.0> words=%u ext=%u hash=%x", 10 + dice(PROCESSES),
                 2 + fn, 9 + fn, 1 + dice(6));
    } else if (kind < 5) {
        snprintf(to + n, cap - (size_t)n,
                 dice(8) ? "receive words=%u ext=%u hash=%x" : "receive words=1 ext=9 timeout", 2 + fn,
                 9 + fn, 1 + dice(6));
    } else if (kind == 5) {
        snprintf(to + n, cap - (size_t)n, "call mfa=m:g/0");
    } else if (kind == 6) {
        snprintf(to + n, cap - (size_t)n, "gc_minor_%s heap=9 block=9 bin=0 old=0 mbuf=0 need=1",
                 collects[p] ? "end" : "start");
        collects[p] = !collects[p];
    } else if (kind == 7 && dice(60) == 0) {
        snprintf(to + n, cap - (size_t)n, "exit reason=normal");
    } else {
        snprintf(to + n, cap - (size_t)n, any && dice(2) ? "in mfa=m:f%u/0" : "out mfa=m:f%u/0", fn);
        on[p] = false;
        collects[p] = false;
    }
}

static inline struct lines
make_trace(size_t n, unsigned wild, unsigned lost, unsigned twice)
{
    struct lines l = {calloc(2 * n + PROCESSES, sizeof *l.at), 0};
    bool on[PROCESSES] = {0}, collects[PROCESSES] = {0};
    long at = 1000;
    for (unsigned p = 1; p < PROCESSES; p++)
        if (dice(2))
            snprintf(l.at[l.n++], sizeof *l.at, "%ld <0.%u.0> 1 spawned parent=<0.10.0> mfa=m:s%u/0", at += 3,
                     10 + p, p % 2);
    while (l.n < n) {
        at += 1 + dice(40) + (dice(40) ? 0 : dice(3000000)); /* now and then as long as a timer */
        make_line(l.at[l.n], sizeof *l.at, at, on, collects, wild);
        if (dice(1000) < lost)
            continue;
        if (dice(1000) < twice)
            memcpy(l.at[l.n + 1], l.at[l.n], sizeof *l.at), l.n++;
        l.n++;
    }
    return l;
}

static inline void
write_lines(const char *path, const struct lines *l, size_t from, size_t to)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (size_t i = from; i < to; i++)
        fprintf(f, "%s\n", l->at[i]);
    fclose(f);
}

static inline void
shuffle(struct lines *l)
{
    for (size_t i = l->n; i > 1; i--) {
        size_t j = dice((unsigned)i);
        char keep[96];
        memcpy(keep, l->at[i - 1], sizeof keep);
        memcpy(l->at[i - 1], l->at[j], sizeof keep);
        memcpy(l->at[j], keep, sizeof keep);
    }
}
