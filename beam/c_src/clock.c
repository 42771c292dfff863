#include "clock.h"
#include <string.h>
#include <stdio.h>

/* Times that two readings take; after more, a clock would be behind until its next anchor. */
enum { AT_ONCE = 8 };

static bool
kernel_uses_counter(void)
{
#if defined(__x86_64__)
    char name[32] = "";
    FILE *f = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r");
    bool is = f && fgets(name, sizeof name, f) && strncmp(name, "tsc", 3) == 0;
    if (f)
        fclose(f);
    return is;
#else
    return false;
#endif
}

/* Reads both clocks; returns the cycles that this took, which are more where the thread was interrupted. */
static uint64_t
read_both(uint64_t *cycles, int64_t *ns)
{
    uint64_t before = clock_cycles();
    *ns = now_ns();
    uint64_t took = clock_cycles() - before;
    *cycles = before + took / 2;
    return took;
}

/* Reads both clocks at one moment: the fastest of several attempts. */
static void
read_pair(struct clock *c, uint64_t *cycles, int64_t *ns)
{
    uint64_t best = read_both(cycles, ns), took, at;
    int64_t now;
    for (int i = 1; i < 5; i++)
        if ((took = read_both(&at, &now)) < best) {
            best = took;
            *cycles = at;
            *ns = now;
        }
    if (best < atomic_load(&c->both_cycles))
        atomic_store(&c->both_cycles, best);
}

void
clock_open(struct clock *c)
{
    c->counter = kernel_uses_counter();
    atomic_store(&c->ns_per_cycle, 0);
    /* every reading is an anchor: the system clock is always used */
    atomic_store(&c->anchor_cycles, 0);
    atomic_store(&c->both_cycles, UINT64_MAX / AT_ONCE);
    if (c->counter)
        read_pair(c, &c->from_cycles, &c->from_ns);
}

void
clock_measure(struct clock *c)
{
    uint64_t cycles = 0;
    int64_t ns = 0;
    if (!c->counter || now_ns() - c->from_ns < CLOCK_MEASURE_NS)
        return;
    read_pair(c, &cycles, &ns);
    double rate = (double)(ns - c->from_ns) / (double)(cycles - c->from_cycles);
    atomic_store(&c->ns_per_cycle, (uint64_t)(rate * 4294967296.0));
    atomic_store(&c->anchor_cycles, (uint64_t)((double)CLOCK_ANCHOR_NS / rate));
}

int64_t
clock_anchor(struct clock *c, struct thread_clock *t)
{
    int64_t ns;
    uint64_t both = atomic_load_explicit(&c->both_cycles, memory_order_relaxed);
    bool at_once = read_both(&t->cycles, &ns) <= AT_ONCE * both;
    if (c->counter) {
        t->ns = ns;
        t->valid_cycles = at_once ? atomic_load_explicit(&c->anchor_cycles, memory_order_acquire) : 0;
        t->rate = atomic_load_explicit(&c->ns_per_cycle, memory_order_relaxed);
    }
    return t->last_ns = ns > t->last_ns ? ns : t->last_ns;
}
