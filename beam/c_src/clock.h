/*
 * The clock of the time stamps: CLOCK_MONOTONIC in nanoseconds. If the kernel derives that time from the
 * cycle counter of an x86, so does strobe, since reading the counter takes a third of the time: each thread
 * anchors it to the clock every ten milliseconds and counts cycles in between. The length of a cycle is
 * measured while the capture runs. Until then, and on other machines, the system clock is used.
 */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

enum { CLOCK_ANCHOR_NS = 10000000, CLOCK_MEASURE_NS = 100000000 };

struct clock {            /* one per capture */
    bool counter;         /* the kernel uses the counter */
    uint64_t from_cycles; /* readings of both clocks when the capture was opened */
    int64_t from_ns;
    _Atomic uint64_t ns_per_cycle;  /* times 2^32; 0: unknown */
    _Atomic uint64_t anchor_cycles; /* cycles for which an anchor is valid */
    _Atomic uint64_t both_cycles;   /* between two readings of both clocks that nothing interrupts */
};

struct thread_clock {
    uint64_t cycles; /* the anchor: readings of both clocks at one moment */
    int64_t ns;
    uint64_t rate, valid_cycles; /* those of struct clock when the anchor was taken */
    int64_t last_ns;
};

void clock_open(struct clock *c);
/* call now and then: precision grows with the time since the capture was opened */
void clock_measure(struct clock *c);
int64_t clock_anchor(struct clock *c, struct thread_clock *t);

static inline uint64_t
clock_cycles(void)
{
#if defined(__x86_64__)
    return __rdtsc();
#else
    return 0;
#endif
}

static inline int64_t
now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* Returns the time. It never goes backwards within a thread. */
static inline int64_t
clock_now(struct clock *c, struct thread_clock *t)
{
    uint64_t since = clock_cycles() - t->cycles;
    if (__builtin_expect(since >= t->valid_cycles, 0))
        return clock_anchor(c, t);
    int64_t ns = t->ns + (int64_t)(since * t->rate >> 32);
    return t->last_ns = ns > t->last_ns ? ns : t->last_ns;
}
