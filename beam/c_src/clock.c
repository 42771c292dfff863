#include "clock.h"
#include <string.h>
#include <stdio.h>

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

/* Reads both clocks at one moment: the fastest of several attempts. */
static void
read_pair(uint64_t *cycles, int64_t *ns)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t before = clock_cycles();
        int64_t now = now_ns();
        uint64_t took = clock_cycles() - before;
        if (took < best) {
            best = took;
            *cycles = before + took / 2;
            *ns = now;
        }
    }
}

void
clock_open(struct clock *c)
{
    c->counter = kernel_uses_counter();
    atomic_store(&c->ns_per_cycle, 0);
    /* every reading is an anchor: the system clock is always used */
    atomic_store(&c->anchor_cycles, 0);
    if (c->counter)
        read_pair(&c->from_cycles, &c->from_ns);
}

void
clock_measure(struct clock *c)
{
    uint64_t cycles = 0;
    int64_t ns = 0;
    if (!c->counter || now_ns() - c->from_ns < CLOCK_MEASURE_NS)
        return;
    read_pair(&cycles, &ns);
    double rate = (double)(ns - c->from_ns) / (double)(cycles - c->from_cycles);
    atomic_store(&c->ns_per_cycle, (uint64_t)(rate * 4294967296.0));
    atomic_store(&c->anchor_cycles, (uint64_t)((double)CLOCK_ANCHOR_NS / rate));
}

int64_t
clock_anchor(struct clock *c, struct thread_clock *t)
{
    int64_t ns = now_ns();
    if (c->counter) {
        t->cycles = clock_cycles();
        t->ns = ns;
        t->valid_cycles = atomic_load_explicit(&c->anchor_cycles, memory_order_acquire);
        t->rate = atomic_load_explicit(&c->ns_per_cycle, memory_order_relaxed);
    }
    return t->last_ns = ns > t->last_ns ? ns : t->last_ns;
}
