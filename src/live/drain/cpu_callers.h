/*
 * The callers of the function that a sample is in, from the registers and a copy of the stack.
 *
 * Out of the functions of files the call frame information leads to the code of the JIT, which calls C functions on a
 * stack of their own. What is known around that one depends on the code (cpu.h).
 */
#pragma once
#include "live/drain/cpu_code.h"

enum { SB_CPU_DEPTH = 100 };
typedef SB_VEC(uint64_t) sb_cpu_addresses;

struct sb_cpu_found {
    uint32_t files;  /* functions of files, with the innermost; 0: that is no file's */
    uint32_t nif;    /* place among these of the one that calls a NIF; 0: none does, or dirty ones do */
    bool has_caller; /* the function of Erlang behind them is known */
};
struct sb_cpu_found sb_cpu_add_callers(struct sb_cpu_code *c, sb_cpu_addresses *to,
                                       const struct sb_cpu_stack *s, struct sb_cpu_regs r);
