/*
 * What time went where, a stack at a time: the one source of every format that shows stacks. Values are
 * additive: the same stack may come more than once, and a reader adds up. Frames are ids of `names`,
 * outermost first, and the outermost is always the type of the process (what it was spawned with).
 *
 * The tree of calls folds recursion: no stack names a function twice, and what a recursive call did counts
 * for the outermost one. Own times and totals are right; the edges of a stack are not all the calls there
 * were. sb_stacks_each_edge has those.
 *
 *     calls     a row of call_node: own time of its function on that path
 *     slices    a process and a scheduler, in the window: type > function at out (at in where it ended)
 *     waits     type > function that waited, with the time
 *     samples   type > frames of a sampled stack, with the count
 *     cpu       type > frames of a sample of the CPU, in the window, with the count
 */
#pragma once
#include "base/intern.h"
#include "base/vec.h"
#include "base/map.h"
#include "export/export.h"
#include "profile/places.h"

enum { SB_STACK_FRAMES = 256 }; /* of a path of calls; no program nests so many functions */
#define SB_STACKS_WHAT "calls slices waits samples cpu"

enum sb_stack_source { SB_STACK_CALLS, SB_STACK_SLICES, SB_STACK_WAITS, SB_STACK_SAMPLES, SB_STACK_CPU };

struct sb_stack {
    int64_t process, scheduler; /* ids; 0 when it has none */
    const uint32_t *frame;
    size_t n;
    bool is_typed;   /* frame[0] is the type alone, no frame of the stack */
    int64_t wall_ns; /* own time: running, collecting, waiting */
    int64_t cpu_ns;  /* of that, on a scheduler */
    int64_t gc_ns;   /* of that, collecting */
    int64_t calls;   /* calls, stays or waits */
    int64_t samples;
};

struct sb_stack_edge { /* calls of one function by another in a process */
    int64_t process, calls;
    uint32_t caller, callee; /* 0: unknown caller; the type of the process stands for it */
    bool no_caller;
    int64_t acc_ns, outer_ns; /* as in call_edge */
};

struct sb_stacks {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    struct sb_intern names;
    struct sb_map of_text;    /* text id -> name */
    SB_VEC(int64_t) function; /* by name: 1 + text id of the function; 0: it is none */
    enum sb_stack_source source;
    bool wall; /* values include the time of waiting; waits are nothing else */
    bool (*visit)(void *ctx, const struct sb_stack *s); /* false stops; the visitor knows the reason */
    void *ctx;
    int64_t type_of; /* the process whose type is `type` */
    uint32_t type;
};

/* Chooses the source by --what or by what the profile has; adds a note if something else is shown instead
 * of call trees. */
bool sb_stacks_open(struct sb_stacks *s, const struct sb_profile *p, const struct sb_export_options *o,
                    struct sb_err *e);
void sb_stacks_close(struct sb_stacks *s);
bool sb_stacks_each(struct sb_stacks *s, bool (*visit)(void *ctx, const struct sb_stack *st), void *ctx);

/* For formats that hold only stacks: adds a note where folded recursion makes totals by function too
 * small. */
void sb_stacks_note_folding(struct sb_stacks *s);
void sb_stacks_each_edge(struct sb_stacks *s, void (*visit)(void *ctx, const struct sb_stack_edge *e),
                         void *ctx);

/* stacks_names.c */
uint32_t sb_stacks_name(struct sb_stacks *s, int64_t text_id);
struct sb_source_place sb_stacks_place(const struct sb_stacks *s, uint32_t name);
uint32_t sb_stacks_type(struct sb_stacks *s, int64_t process);
bool sb_stacks_counts(const struct sb_stacks *s);      /* the main number is one of samples, not of ns */
const char *sb_stacks_unit(const struct sb_stacks *s); /* of sb_stacks_value: "ns" or "samples" */
int64_t sb_stacks_value(const struct sb_stacks *s, const struct sb_stack *st); /* the main number */
bool sb_stacks_each_cpu(struct sb_stacks *s);                                  /* stacks_cpu.c */
