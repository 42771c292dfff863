#include "live/record/slowdown.h"
#include "base/arena.h"
#include "base/progress.h"
#include <pthread.h>
#include <stdlib.h>

enum { STEPS = 2000, MOST_THREADS = 256, TRIES = 3 };
static const int64_t LONG_NS = 10000000; /* of CPU time, a thread and try */

struct spin {
    pthread_t thread;
    pthread_mutex_t *gate; /* open when all threads have been started */
    double rate;           /* steps in a nanosecond of CPU time */
    uint64_t sum;
};

/* Four chains of multiplications keep the units of a core busy, so the figure is that of programs that suffer most from
 * sharing it. */
static uint64_t
work(uint64_t seed)
{
    uint64_t a = seed | 1, b = a + 2, c = a + 4, d = a + 6;
    for (int i = 0; i < STEPS; i++) {
        a = (a ^ (a >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
        b = (b ^ (b >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
        c = (c ^ (c >> 27)) * UINT64_C(0x94D049BB133111EB);
        d = (d ^ (d >> 33)) * UINT64_C(0xD6E8FEB86659FD93);
    }
    return a ^ b ^ c ^ d;
}

static void *
spin(void *arg)
{
    struct spin *s = arg;
    int64_t steps = 0, took, from;
    pthread_mutex_lock(s->gate);
    pthread_mutex_unlock(s->gate);
    from = sb_thread_cpu_ns();
    do {
        s->sum = work(s->sum + (uint64_t)steps);
        steps += STEPS;
    } while ((took = sb_thread_cpu_ns() - from) < LONG_NS);
    s->rate = (double)steps / (double)took;
    return NULL;
}

/* Returns the mean rate of so many threads that work at once; 0: not all could be started. */
static double
rate_of(unsigned threads, uint64_t *sum)
{
    struct spin *s = sb_realloc_or_die(NULL, threads * sizeof *s);
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    unsigned started = 0;
    double rate = 0;
    pthread_mutex_lock(&gate);
    while (started < threads) {
        s[started] = (struct spin){.gate = &gate};
        if (pthread_create(&s[started].thread, NULL, spin, &s[started]) != 0)
            break;
        started++;
    }
    pthread_mutex_unlock(&gate);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(s[i].thread, NULL);
        rate += s[i].rate / threads;
        *sum ^= s[i].sum;
    }
    free(s);
    return started == threads ? rate : 0;
}

void
sb_core_speed_measure(struct sb_core_speed *s, unsigned threads)
{
    double alone = 0, together = 0;
    uint64_t sum = 1;
    if (threads < 2)
        return;
    for (int i = 0; i < TRIES; i++) {
        double one = rate_of(1, &sum), all = rate_of(threads < MOST_THREADS ? threads : MOST_THREADS, &sum);
        if (one == 0 || all == 0 || sum == 0) /* the sum keeps the work from being optimised away */
            return;
        alone = one > alone ? one : alone;
        together += all / (double)TRIES;
    }
    s->alone = alone > s->alone ? alone : s->alone;
    s->together = s->together == 0 || together < s->together ? together : s->together;
}

double
sb_core_slowdown(const struct sb_core_speed *s)
{
    return s->alone > s->together && s->together > 0 ? s->alone / s->together : 1;
}
