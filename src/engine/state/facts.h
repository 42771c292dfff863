/* What a run knows about its trace as a whole, and its time axis. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* What is known about the trace as a whole. order/facts.c writes it; what a window shows is in it before the
 * passes of the window run. */
struct sb_trace_facts {
    uint64_t recorded; /* bit per enum sb_class: as the sources state, else by the kinds seen */
    uint64_t seen_kinds;
    uint64_t n_events;
    /* stamps are CPU time, or there are none: only the order of the file is meaningful */
    bool file_order;
    bool untimed;  /* there are no stamps: times are unknown */
    bool vm_truth; /* system_profile reports runnable processes */
    /* a node may talk to others: any message may have its other end there */
    bool keep_hash;
    /* events were lost: occupants.h tracks the process on each scheduler */
    bool loses;
    bool has_lanes;          /* some event of a process had its scheduler */
    bool has_ports;          /* some port had a slice */
    bool has_words, has_ext; /* some message had a size */
    bool odd_mail; /* some message had no size before it was received, or was received before it was sent */
};

struct sb_axis {
    int64_t t0, end;    /* smallest and largest stamp of any record read so far */
    int64_t last;       /* the largest stamp of the trace */
    int64_t window_end; /* stamps of the window are below; INT64_MAX: the last one */
};
