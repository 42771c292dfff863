/*
 * The account of scheduler time: the normal schedulers of each node times the length of the profile, split into
 * parts that add up exactly. A sweep (whole.c) says what each scheduler did at each moment; costs that are known as
 * sums alone (tracing, preemption by the operating system) are then moved out of the parts that contain them.
 */
#pragma once
#include "why/run/at_work.h"

enum sb_account_part {
#define PART(id, name, words) SB_PART_##id,
#include "why/account/account_parts.def"
    SB_PART_COUNT
};
enum sb_outside {
    SB_OUTSIDE_UNKNOWN,
    SB_OUTSIDE_TIMER,
    SB_OUTSIDE_PORT,
    SB_OUTSIDE_DIRTY,
    SB_OUTSIDE_NODE,
    SB_OUTSIDES
};

struct sb_account {     /* of a node */
    int64_t schedulers; /* 0: unknown, and so is everything else */
    int64_t ns[SB_PART_COUNT];
    int64_t switches;                    /* behind ns[SB_PART_SWITCHING] */
    int64_t for_several_ns;              /* of ns[SB_PART_PROCESS]: more than one process ran */
    int64_t outside_ns[SB_OUTSIDES];     /* of ns[SB_PART_OUTSIDE] */
    int64_t taken_ns;                    /* of ns[SB_PART_PREEMPTED]: while a process or port was at work */
    bool knows_tracing, knows_preempted; /* else it is in the work, unknown how much */
};
struct sb_accounts {
    int64_t span_ns;
    uint64_t n_nodes, n_processes;
    struct sb_account *node; /* by row of table node */
    int64_t *for_process;    /* by process.id: its part of SB_PART_PROCESS, while it alone ran on its node */
    uint32_t *node_of;       /* by process.id: node row + 1, 0: unknown */
};
/* To be told of each change of a sweep over the whole run. */
struct sb_accounting *sb_accounting_begin(const struct sb_at_work *w, struct sb_arena *a,
                                          struct sb_accounts *out);
void sb_accounting_change(struct sb_accounting *x, const struct sb_at_work_change *c);
void sb_accounting_end(struct sb_accounting *x, struct sb_arena *a);
/* Moves costs that are known as sums only out of the work that contains them: the tracer's, and the time in which the
 * operating system ran something else while a scheduler thread was ready. account_costs.c */
void sb_account_take_costs(const struct sb_profile *p, struct sb_accounts *x, struct sb_arena *a);
extern const char *const sb_part_names[SB_PART_COUNT], *const sb_part_words[SB_PART_COUNT];
