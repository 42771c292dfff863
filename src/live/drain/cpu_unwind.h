/*
 * Out of a function of a file to the one that called it, by the call frame information of the file (.eh_frame), from
 * the registers and a copy of the stack. What it says is certain: it is what C++ uses for exceptions. x86-64 only.
 *
 *     sp  |-- frame of the innermost function --|ra|-- of its caller --|ra|  ... up to the end of the copy
 *                                                  cfa: the rule of an address says where, and where bp was saved
 */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "live/drain/cpu_elf.h"

struct sb_cpu_frames { /* of a file: how to leave its functions */
    uint8_t *bytes;    /* a copy of .eh_frame */
    size_t n;
    uint64_t address; /* of its first byte, as the file counts */
    struct sb_cpu_function_frame {
        uint64_t from, to;
        size_t cie, fde; /* places in `bytes` */
    } * function;        /* sorted */
    size_t n_functions, cap_functions;
    struct sb_map rule; /* of addresses that were asked for */
};
struct sb_cpu_regs {
    uint64_t ip, sp, bp;
};
struct sb_cpu_stack {
    const uint64_t *word; /* from `from` up */
    uint64_t from;
    size_t n;
};
void sb_cpu_frames_read(struct sb_cpu_frames *f, const struct sb_cpu_elf *e);
void sb_cpu_frames_close(struct sb_cpu_frames *f);
/* Where the function at `address` begins; 0: it has no entry. */
uint64_t sb_cpu_frames_begin(const struct sb_cpu_frames *f, uint64_t address);
/* The word at an address of the stack; false: it was not copied. */
bool sb_cpu_stack_word(const struct sb_cpu_stack *s, uint64_t address, uint64_t *word);
/* The registers in the caller of the function at `address`, which counts as in the file; `r->ip` becomes the return
 * address. false: unknown. */
bool sb_cpu_unwind(struct sb_cpu_frames *f, uint64_t address, const struct sb_cpu_stack *s,
                   struct sb_cpu_regs *r);
