/* What a drain is asked to do, also as the arguments of a program. */
#pragma once
#include "live/drain/flight.h"

struct sb_drain_options {
    const char *rings, *trace;
    int level; /* zstd level */
    uint64_t max_events, max_bytes;
    int64_t max_ns;
    unsigned cpu_hz; /* samples of the CPU a second of each thread; 0: none */
    bool cpu_told;   /* samples begin when the node has told where its functions are */
    bool keeps_map; /* of functions, which the node writes by itself: nobody asked it to for this recording */
    bool summary;   /* print a summary at the end */
    bool waits;     /* the caller waits for sb_drain_wake_fd too, so that a wait can be long */
    struct sb_flight_options flight;
};
/*
 * [--level N] [--max-events N] [--max-bytes N] [--max-ns N] [--summary 1] [--cpu HZ] [--cpu-told 1] [--keep-map 1]
 * RINGS TRACE
 * A flight recorder: [--flight NS] [--window-bytes N] [--keep N] [--when TEXT]...
 */
bool sb_drain_options_read(struct sb_drain_options *o, int n, const char *const *arg);
