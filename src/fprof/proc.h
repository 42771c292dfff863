/* The state of a process in the simulation (sim.h): its stack, and the clocks that are charged. */
#pragma once
#include "base/map.h"
#include "base/vec.h"

struct fp_clock {
    int64_t cnt, own, acc;
    uint32_t caller, func;
    uint32_t seat; /* of func */
    bool touched;  /* charged, even with 0: it is printed */
};

struct fp_seat {     /* the entries of one function on the stack */
    uint32_t newest; /* its newest entry: index + 1, 0: none */
    uint32_t fronts; /* entries that are fronts of levels */
};

struct fp_entry {
    int64_t t;
    uint64_t at;          /* the record that t comes from */
    uint32_t func, clock; /* clock 0: time is charged to no function */
    uint32_t older;       /* the next older entry of this function: index + 1; 0: this is the outermost one */
};

struct fp_proc {
    uint32_t pid;
    bool known;   /* has a stack, possibly an empty one */
    bool spawned; /* its start is in the trace: parent, spawned_at and calls are valid */
    uint8_t n_calls;
    bool has_time;         /* strict: the next two are valid */
    int64_t last_t, shift; /* strict: the process's own clock never goes backwards */
    uint32_t parent;       /* pid */
    uint64_t spawned_at;   /* the record of the spawn */
    uint32_t calls[2];     /* the first functions that it called */
    SB_VEC(struct fp_entry) stack;
    SB_VEC(uint32_t) level;        /* index of each level's oldest entry */
    SB_VEC(struct fp_clock) clock; /* [0] is not charged to any function */
    SB_VEC(struct fp_seat) seat;
    struct sb_map clock_of; /* key: caller << 32 | func */
    struct sb_map seat_of;  /* key: func */
};
