/*
 * Samples of the CPU, each with the process whose slice it fell into: computed once for a profile, from the samples as
 * recorded (tables cpu_frame and cpu_tick), the threads of schedulers, slices and collections.
 */
#pragma once
#include "profile/range.h"

enum sb_cpu_kind {                 /* what the thread did */
                   SB_CPU_OUTSIDE, /* of processes: scheduling, polling, waiting for work, other threads */
                   SB_CPU_RUN,
                   SB_CPU_GC,
                   SB_CPU_DIRTY
};
extern const char *const sb_cpu_kinds[]; /* as words */
enum sb_cpu_language { SB_CPU_ERLANG, SB_CPU_NATIVE, SB_CPU_KERNEL, SB_CPU_CODES };
extern const char *const sb_cpu_codes[];

struct sb_cpu_sample {
    int64_t at;
    uint32_t node, scheduler, process, stack; /* ids; 0: none. stack: place in `frame` */
    uint8_t kind;                             /* enum sb_cpu_kind */
};
struct sb_cpu_frame { /* from 1; the frame that called it has a lower number */
    uint32_t caller;  /* 0: it is the outermost */
    uint8_t code;     /* enum sb_cpu_language */
    int64_t function; /* text id */
};
struct sb_cpu_samples {
    const struct sb_profile *profile;
    struct sb_cpu_sample *sample; /* by time */
    size_t n_samples;
    struct sb_cpu_frame *frame;
    size_t n_frames; /* with frame 0, which is none */
};
const struct sb_cpu_samples *sb_cpu_samples_of(const struct sb_profile *p);

struct sb_cpu_function {
    int64_t function; /* text id */
    uint64_t self, total, processes;
    uint8_t code;
};
struct sb_cpu_functions { /* most samples of their own first */
    struct sb_cpu_function *at;
    size_t n;
    uint64_t samples; /* that were counted */
};
struct sb_cpu_choice { /* of samples */
    struct sb_range range;
    const int64_t *process; /* ids; none: all */
    size_t n;
};
/* The limits of a share at 95 %, by Wilson: the lower one for `sign` -1, the upper one for 1. */
double sb_cpu_limit(double part, double whole, int sign);
int64_t sb_cpu_error_ppm(uint64_t part, uint64_t whole); /* half of what is between them, in millionths */
bool sb_cpu_is_chosen(const struct sb_cpu_choice *c, const struct sb_cpu_sample *s);
/* The functions of the chosen samples. A function counts once in a stack. */
void sb_cpu_functions_find(const struct sb_cpu_samples *s, const struct sb_cpu_choice *choice,
                           struct sb_arena *a, struct sb_cpu_functions *out);
