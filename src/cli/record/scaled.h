/* What `strobe scale` has measured, and its tables. */
#pragma once
#include "cli/frame/cli.h"
#include "live/record/slowdown.h"
#include "why/account/account.h"
#include "why/predict/scaling.h"

enum { SB_SCALED_PARTS = SB_PART_COUNT };

struct sb_scaled_count { /* a number of schedulers */
    uint32_t cores;
    int64_t *run_ns, *cpu_ns; /* of each run without recording */
    const char *trace;
    int64_t schedulers;                       /* that the VM used, SB_NULL: unknown */
    struct sb_core_speed speed;               /* of this machine, with so many cores at work */
    int64_t part_ns[SB_SCALED_PARTS];         /* the account; SB_NULL: unknown */
    int64_t known_from, known_to, no_core_ns; /* when the CPU time of its schedulers is known, and what they
                                                        waited for a core then; SB_NULL: unknown */
    double share[SB_SCALED_PARTS];            /* of the account, NaN: unknown */
    bool all_groups;                          /* its trace has no other groups than those in `group` */
};
struct sb_scaled_group {
    struct sb_str name;
    int64_t *run_ns, *covered_ns; /* by number of schedulers; SB_NULL: unknown */
};
struct sb_scaled {
    const char *command;
    uint32_t machine; /* cores that this process may use */
    size_t n, runs;
    struct sb_scaled_count *count;
    struct sb_scaling_point *point;
    struct sb_scaled_group *group;
    size_t n_groups;
    struct sb_arena *arena;
    bool traces_stay;
};
/* Reads the traces, analysing them first. */
bool sb_scaled_read(struct sb_scaled *s, struct sb_err *e);
/* Finds speed-ups from the runs, after the traces have been read. */
void sb_scaled_find(struct sb_scaled *s);
bool sb_scaled_print(const struct sb_scaled *s, enum sb_format format, struct sb_err *e);
/* Why the number has no result, or what is to be known about it; empty: nothing. */
struct sb_str sb_scaled_note(const struct sb_scaled *s, size_t i);
/* The work of a group in the trace of number `i`. */
struct sb_scaling_work sb_scaled_work(const struct sb_scaled *s, const struct sb_scaled_group *g, size_t i);
/* A group is shown if its work is a twentieth of all in some trace. */
bool sb_scaled_is_material(const struct sb_scaled *s, const struct sb_scaled_group *g);
struct sb_str sb_scaled_growth(const struct sb_scaled *s, const struct sb_scaled_group *g, size_t i);
