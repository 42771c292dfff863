/*
 * What a pool did, for `strobe analyze --explain`: which work waited for which, and the CPU time of each piece. From
 * that follows how long the same work takes on any number of cores.
 *
 *     strand (the caller, or one job):  RUN 3 ms, GIVE jobs 7, RUN 1 ms, WAIT for jobs 7, RUN 2 ms
 *
 * The strand of a thread is kept per thread, so one log is open at a time. Without a log a pool does nothing for it.
 */
#pragma once
#include "base/pool.h"

struct sb_pool_log *sb_pool_log_open(void);  /* begins the strand of the caller */
void sb_pool_log_end(struct sb_pool_log *l); /* ends it */
void sb_pool_log_close(struct sb_pool_log *l);

/* ---- for the pool */

struct sb_pool_strand;
struct sb_pool_given sb_pool_log_give(struct sb_pool_log *l);
/* Begins the strand of a job, and returns that which rests meanwhile. */
struct sb_pool_strand *sb_pool_log_begin(struct sb_pool_log *l, struct sb_pool_given given);
void sb_pool_log_done(struct sb_pool_strand *rested);
void sb_pool_log_wait(struct sb_pool_given given);
void sb_pool_log_waited(void);
void sb_pool_log_stage(const char *stage);

/* ---- what follows */

struct sb_pool_stage {
    const char *name; /* NULL: none was named */
    size_t strands;
    int64_t work_ns;
    int64_t path_ns; /* its part of the longest chain of pieces that waited for each other */
};
/* Stages with most work first; the caller frees `at`. */
struct sb_pool_stages {
    struct sb_pool_stage *at;
    size_t n;
    int64_t work_ns, path_ns;
} sb_pool_log_stages(const struct sb_pool_log *l);
/* How long the work takes on so many cores, if a core costs nothing but itself: no memory that all wait for. */
int64_t sb_pool_log_on(const struct sb_pool_log *l, unsigned cores);
