/* Sums of the readings of one thread of the operating system: see event.def, kind thread. */
#ifndef SB_ENGINE_THREAD_SUM_H
#define SB_ENGINE_THREAD_SUM_H
#include "base/map.h"
#include "base/vec.h"
#include "trace/event.h"

enum sb_thread_value {
    SB_THREAD_CPU,
    SB_THREAD_QUEUE,
    SB_THREAD_VOLUNTARY,
    SB_THREAD_INVOLUNTARY,
    SB_THREAD_VALUES
};

struct sb_thread_sum {
    unsigned node; /* index in the run's names */
    uint32_t tid, name;
    int64_t first, last;             /* stamps of its readings */
    uint64_t read[SB_THREAD_VALUES]; /* as read last */
    int64_t sum[SB_THREAD_VALUES];   /* since the first reading; SB_NULL: not told */
};

struct sb_thread_sums {
    SB_VEC(struct sb_thread_sum) at;
    struct sb_map place; /* node << 32 | tid -> 1 + index */
};

/*
 * Readings are taken from outside, the last one a little after the last event: neither the beginning of the
 * trace nor its length follows from them.
 */
static inline bool
sb_is_reading(uint8_t kind)
{
    return kind == SB_EV_thread || kind == SB_EV_cpus;
}

/* Adds a reading, in order of time. A thread that has used less than before began anew: its sum goes on. */
const struct sb_thread_sum *sb_thread_sums_add(struct sb_thread_sums *s, unsigned node,
                                               const struct sb_event *ev);
void sb_thread_sums_free(struct sb_thread_sums *s);

#endif
