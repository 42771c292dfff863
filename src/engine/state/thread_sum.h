/* Sums of the readings of one operating-system thread: see event.def, kind thread. */
#pragma once
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
    uint64_t read[SB_THREAD_VALUES]; /* the last reading */
    int64_t sum[SB_THREAD_VALUES];   /* since the first reading; SB_NULL: unknown */
    int64_t queued;                  /* by the readings: sum[SB_THREAD_QUEUE] without its bound */
};

struct sb_thread_sums {
    SB_VEC(struct sb_thread_sum) at;
    struct sb_map place; /* node << 32 | tid -> index */
};

/*
 * The last reading is taken a little after the last event, so readings determine neither the beginning of the
 * trace nor its length.
 */
static inline bool
sb_is_reading(uint8_t kind)
{
    return kind == SB_EV_thread || kind == SB_EV_cpus || kind == SB_EV_cpu_frame || kind == SB_EV_cpu_sample;
}

/* Adds a reading, in time order. A count below the last one belongs to a new thread with the same tid; the
 * sum continues. A thread that ends while it is read is not named, and keeps its name. */
const struct sb_thread_sum *sb_thread_sums_add(struct sb_thread_sums *s, unsigned node,
                                               const struct sb_event *ev, bool is_named);
void sb_thread_sums_free(struct sb_thread_sums *s);
