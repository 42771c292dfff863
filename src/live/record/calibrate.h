/*
 * Measures what messages between cores cost on this machine: the same loops in a VM with one scheduler and in a VM
 * with many, each started with `erl` (beam/src/strobe_calibrate.erl). The differences are the costs.
 */
#pragma once
#include "base/arena.h"
#include "base/err.h"

#define SB_LOOPS(X) \
    X(schedulers) X(hop) X(cross) X(within) X(send) X(receive) X(wake) X(yield) X(spawn) X(memory)

struct sb_loops { /* ns each, of one VM */
#define LOOP(name) double name;
    SB_LOOPS(LOOP)
#undef LOOP
};
unsigned sb_calibrate_cores(void); /* that this process may use */
bool sb_calibrate_run(unsigned schedulers, struct sb_loops *out, struct sb_arena *a, struct sb_err *e);
