/* What the simulation (sim.h) keeps of a process: its stack, and the clocks that are charged. */
#ifndef SB_ENGINE_FPROF_PROC_H
#define SB_ENGINE_FPROF_PROC_H
#include "base/map.h"
#include "base/vec.h"

struct fp_clock {
    int64_t cnt, own, acc;
    uint32_t caller, func;
    uint32_t seat; /* of func */
    bool touched;  /* charged, if only with 0: it is shown */
};

struct fp_seat {     /* what is on the stack of one function */
    uint32_t newest; /* its newest entry: index + 1, 0: none */
    uint32_t fronts; /* entries that are fronts of levels */
};

struct fp_entry {
    int64_t t;
    uint64_t at;          /* the record that t is from */
    uint32_t func, clock; /* clock 0: charged to nobody */
    uint32_t older; /* the next older entry of this function: index + 1, 0: none, this is the outermost */
};

struct fp_proc {
    uint32_t pid;
    bool known;   /* has a stack, be it an empty one */
    bool spawned; /* its start was seen: parent, spawned_at, calls hold */
    uint8_t n_calls;
    bool has_time;         /* strict: the next two hold */
    int64_t last_t, shift; /* strict: its own clock never goes back */
    uint32_t parent;       /* pid */
    uint64_t spawned_at;   /* the record that tells how */
    uint32_t calls[2];     /* the first functions called */
    SB_VEC(struct fp_entry) stack;
    SB_VEC(uint32_t) level;        /* index of each level's oldest entry */
    SB_VEC(struct fp_clock) clock; /* [0] is nobody's */
    SB_VEC(struct fp_seat) seat;
    struct sb_map clock_of; /* caller << 32 | func */
    struct sb_map seat_of;  /* func */
};

#endif
