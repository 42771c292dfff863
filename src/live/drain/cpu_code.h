/* Which function an address of a process is in: of the JIT by the map that the VM writes, of files by their symbols. */
#pragma once
#include "base/intern.h"
#include "base/map.h"
#include "live/drain/cpu_unwind.h"

/* The path of the functions that a node tells, from that of its rings. */
#define SB_CPU_FUNCTIONS "%s.functions"
#define SB_CPU_MAP "/proc/%u/root/tmp/perf-%u.map" /* that the VM writes */

enum sb_cpu_code_kind {
    SB_CPU_CODE_ERLANG,
    SB_CPU_CODE_NATIVE,
    SB_CPU_CODE_KERNEL,
    SB_CPU_CODE_SHARED /* of the JIT: belongs to no function */
};
struct sb_cpu_code_range {
    uint64_t from, to;
    uint64_t reach;     /* the greatest `to` up to here, in their order */
    uint32_t name, nth; /* nth: code that was loaded later replaces what was there */
    uint8_t kind;
};
typedef SB_VEC(struct sb_cpu_code_range) sb_cpu_code_ranges; /* sorted by from, then nth */
struct sb_cpu_code_file {                                    /* a mapping of a file that holds code */
    uint64_t from, to, offset, shift;                        /* shift: from addresses as the file counts */
    struct sb_cpu_frames frames;
    uint32_t name; /* of the file, without its folder */
    char path[256];
    bool is_read, is_named; /* of the VM, and most of its functions have names */
};
struct sb_cpu_sampled {
    uint32_t name, frame; /* frame: number of the first one with it */
};
struct sb_cpu_nif {           /* cpu_nifs.h */
    uint32_t name, seen;      /* seen: ranges of the JIT by then */
    bool is_found, is_shared; /* by a function, by more than one */
};
struct sb_cpu_code {
    uint32_t pid;
    SB_VEC(struct sb_cpu_sampled) function; /* of Erlang, in samples */
    struct sb_map is_listed;                /* names of these */
    struct sb_intern names;
    struct sb_map nif_of; /* where a function in C begins -> place in `nif` */
    SB_VEC(struct sb_cpu_nif) nif;
    sb_cpu_code_ranges jit, native;
    SB_VEC(struct sb_cpu_code_file) files;
    SB_VEC(struct sb_cpu_code_range) memory; /* where the JIT puts code: executable, and of no file */
    bool has_map, has_frames;                /* the VM writes a map; the code keeps frame pointers too */
    char map
        [4200]; /* its path: of the VM's, or of the one that the node writes for us; empty: there is none */
    uint64_t map_read;             /* bytes of it */
    bool is_mapped;                /* the mappings were read again at this look */
    bool is_growing;               /* the last look found more of it, or it is empty */
    uint32_t calls_bif, calls_nif, /* names: of the code that calls built-in functions, or NIFs */
        normal_exit,               /* of where processes end */
        unnamed;                   /* and of all else that functions share, unless the VM writes a map */
};
struct sb_cpu_code_place {
    uint32_t name;
    uint8_t kind;
};
/* `rings`: where the node may tell its functions; NULL: it does not. */
/* Whether the node has told its functions, or its VM, which may write a map, does so and has used so many milliseconds
 * of the CPU. */
bool sb_cpu_code_is_there(uint32_t pid, const char *rings, bool may_map, int least_ms);
void sb_cpu_code_open(struct sb_cpu_code *c, uint32_t pid, const char *rings);
void sb_cpu_code_close(struct sb_cpu_code *c, bool remove_map);
void sb_cpu_code_list(struct sb_cpu_code *c, uint32_t name, uint32_t frame); /* among its functions, once */
void sb_cpu_code_remove_map(uint32_t pid);                                   /* that the VM wrote */
void sb_cpu_code_read_map(struct sb_cpu_code *c);                            /* what was added to it */
void sb_cpu_code_grow(struct sb_cpu_code *c);                                /* reads the mappings again */
struct sb_cpu_code_place sb_cpu_code_at(struct sb_cpu_code *c, uint64_t address);
/* The registers in the caller of the function of a file at `address`; false: unknown (cpu_unwind.h). */
bool sb_cpu_code_leave(struct sb_cpu_code *c, uint64_t address, const struct sb_cpu_stack *s,
                       struct sb_cpu_regs *r);
bool sb_cpu_code_is_jit(const struct sb_cpu_code *c, uint64_t address, struct sb_cpu_code_place *at);
bool sb_cpu_code_starts(struct sb_cpu_code *c, uint64_t address); /* a function of a file, which has a name */
/* Where the function of a file at `address` begins; 0: unknown. */
uint64_t sb_cpu_code_begin(struct sb_cpu_code *c, uint64_t address);
/* Reads the mappings again if none is around `address`, as of a library that was loaded just now; once a look. */
void sb_cpu_code_meet(struct sb_cpu_code *c, uint64_t address);
/* Whether there is code of the JIT that the node has not told yet. */
bool sb_cpu_code_is_untold(const struct sb_cpu_code *c, uint64_t address);
