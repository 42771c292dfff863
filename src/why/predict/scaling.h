/*
 * How a program scales: times of several runs at several numbers of schedulers, and what they support. A number of
 * cores has a result only if the ranges of its runs and of those at the first number do not overlap.
 */
#pragma once
#include "base/arena.h"

struct sb_scaling_point {
    uint32_t cores;
    const int64_t *run_ns;
    size_t n;
    bool within; /* the machine has so many cores, and the VM used that many schedulers */
    /* found: */
    int64_t low_ns, ns, high_ns; /* fastest, median and slowest run */
    double speedup, least, most; /* compared with the first point; least and most of any two runs */
    double efficiency;           /* speed-up per core */
    double serial;               /* share of Amdahl's law for this point alone; NaN: no result */
    bool differs;                /* from the first point, by more than the spread of the runs */
};
/* Points are in order of cores, the first with the fewest; each has a run. */
void sb_scaling_find(struct sb_scaling_point *p, size_t n);

struct sb_scaling_fit {
    const char *why_not;          /* NULL: the data supports the fit */
    double serial;                /* Amdahl: the share of the work that one core at a time can do */
    double contention, coherency; /* universal scalability law: sigma and kappa */
    double best_cores;            /* where the law is fastest; INFINITY: never slower with more */
    double misfit;                /* of the law at the worst point, as a share of the time there */
};
/* Fits need runs at three (Amdahl) and four (universal) numbers of cores, and times that follow the law within the
 * spread of the runs or 5 %. */
struct sb_scaling_fit sb_scaling_amdahl(const struct sb_scaling_point *p, size_t n);
struct sb_scaling_fit sb_scaling_universal(const struct sb_scaling_point *p, size_t n);

/* The work of a group of processes, compared between two traces. */
struct sb_scaling_work {
    int64_t run_ns;     /* on normal schedulers, whether these had a core or not */
    int64_t covered_ns; /* of run_ns, while the CPU time of the schedulers is known */
    int64_t lost_ns;  /* meanwhile, of all groups: schedulers without a core, and tracing; SB_NULL: unknown */
    double at_work;   /* of the run time of all groups, by the account: the share that was work */
    double preempted; /* of it, the share that other programs took */
};
enum sb_scaling_growth { SB_GREW_NOT, SB_GREW_MAYBE, SB_GREW, SB_GREW_UNKNOWN };
/* The estimate takes out an equal share of the costs. In the lower bound the group bore all of them, and did nothing
 * while they are unknown; the upper bound is its run time. */
int64_t sb_scaling_work_ns(const struct sb_scaling_work *w);
int64_t sb_scaling_work_low_ns(const struct sb_scaling_work *w);
/* `slowdown`: of the machine, with so many cores at work; less than that is no growth of the program. */
enum sb_scaling_growth sb_scaling_grew(const struct sb_scaling_work *from, const struct sb_scaling_work *to,
                                       double slowdown);
