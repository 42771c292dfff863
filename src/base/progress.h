/* Progress on stderr when that is a terminal: what, share, rate, time left. Otherwise nothing is printed. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct sb_progress {
    const char *what; /* "analysing" */
    const char *unit; /* "MB" with unit_size 1e6; NULL: only the share is told */
    double unit_size;
    uint64_t total;
    int64_t started_ns, drawn_ns;
    bool on;
};

void sb_progress_open(struct sb_progress *p, const char *what, const char *unit, double unit_size,
                      uint64_t total);
void sb_progress_set(struct sb_progress *p, uint64_t done); /* cheap; draws at most ten times a second */
void sb_progress_close(struct sb_progress *p);
int64_t sb_clock_ns(void);       /* CLOCK_MONOTONIC */
int64_t sb_clock_ahead_ns(void); /* of that of the machine, by the time namespace of this process */
int64_t sb_thread_cpu_ns(void);  /* CPU time of the calling thread */
