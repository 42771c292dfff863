/*
 * Samples of the CPU by the work of the VM that they saw, and by the function of Erlang that made the VM do it: the
 * innermost one on the stack, or a NIF. Only samples within slices count, so waiting for work is not among them.
 */
#pragma once
#include "profile/cpu.h"

/* Fewer are as good as none: of 40 samples a share has an error of up to 16 points (two standard errors). */
enum { SB_VM_LEAST_SAMPLES = 40 };
/* What a sample is of several kinds of counts as the first of them. */
enum sb_vm_work {
    SB_VM_TRACING, /* the recorder's own cost, which is not of the program: it does not count */
    SB_VM_LOCK,    /* waits for one: somebody else has it */
    SB_VM_ETS,
    SB_VM_EXTERNAL,
    SB_VM_REGEX,
    SB_VM_BINARY,
    SB_VM_LIST,
    SB_VM_PERSISTENT,
    SB_VM_GC,
    SB_VM_COPY,
    SB_VM_LOCKING, /* takes a lock and gives it back, which costs something where nobody wants it, too */
    SB_VM_MAP,
    SB_VM_ARITHMETIC,
    SB_VM_OTHER, /* none of them: code of Erlang, and what has no name */
    SB_VM_WORKS
};
struct sb_vm_caller {
    int64_t function;        /* text; SB_NULL: none is known */
    uint64_t samples, known; /* of the function, and of all whose function is known */
};
struct sb_vm_samples {
    const struct sb_cpu_samples *all;
    struct sb_arena *arena;
    struct sb_range range;
    int64_t *function; /* by frame: the innermost function of Erlang, or NIF; SB_NULL: unknown */
    int64_t *own;      /* by frame: the innermost function of Erlang that is none of OTP or Elixir */
    int64_t *called;   /* by frame: the function of OTP or Elixir that `own` called there; SB_NULL: none */
    uint8_t *work;     /* by frame: enum sb_vm_work */
    bool *locks;       /* by frame: it, or one that called it, is a function of locks */
    uint64_t n;        /* samples in processes */
    uint64_t of[SB_VM_WORKS], in_locks;
};
void sb_vm_samples_find(const struct sb_profile *p, struct sb_range range, struct sb_arena *a,
                        struct sb_vm_samples *v);
/* The same for those of the samples in v->all whose number in `set` is `one`. */
struct sb_vm_samples sb_vm_samples_in(const struct sb_vm_samples *v, const uint32_t *set, uint32_t one);
/* False for samples outside of processes or of the range, and for the cost of tracing. */
bool sb_vm_counts(const struct sb_vm_samples *v, const struct sb_cpu_sample *s);
/* SYMBOL of a function of a file, FILE:SYMBOL or FILE:before SYMBOL: only the first is its own. Empty: FILE alone. */
struct sb_str sb_vm_symbol(struct sb_str name, bool *is_its_own);
/* "ETS"; NULL: the work has no name of its own. */
const char *sb_vm_work_word(enum sb_vm_work work);
enum sb_vm_work sb_vm_sample_work(const struct sb_vm_samples *v, const struct sb_cpu_sample *s);
/* True if the part is so many percent of all samples; of few samples, also if it is as far too large as it may be. */
bool sb_vm_takes(uint64_t part, uint64_t all, unsigned percent);
/* True if it copies what a process begins with. */
bool sb_vm_copies_for_spawn(const struct sb_vm_samples *v, const struct sb_cpu_sample *s);
/* The functions with samples of the work, most first; SB_VM_WORKS: of any. process: 0 for all. */
size_t sb_vm_callers(const struct sb_vm_samples *v, enum sb_vm_work work, int64_t process,
                     struct sb_vm_caller **out);
struct sb_vm_caller sb_vm_caller_of(const struct sb_vm_samples *v, enum sb_vm_work work, int64_t process);
/* The function of the program with most samples, with those of what it called of OTP and Elixir. */
struct sb_vm_caller sb_vm_own_of(const struct sb_vm_samples *v, int64_t process);
/* The function of the program that most samples of `function` were made for; SB_NULL: it is one, or of fewer. */
int64_t sb_vm_own_caller(const struct sb_vm_samples *v, int64_t function);
/* The function of OTP or Elixir that most samples of a function of the program were in when it had called it. */
int64_t sb_vm_called_most(const struct sb_vm_samples *v, int64_t own, int64_t process);
/* " (called by Worker.dedupe/2)": that function; empty: none is known. */
const char *sb_words_called_by(struct sb_arena *a, const struct sb_vm_samples *v, int64_t function,
                               bool elixir);
/* Samples of a process: of the work, and in `all` of any. */
uint64_t sb_vm_work_of(const struct sb_vm_samples *v, int64_t process, enum sb_vm_work work, uint64_t *all);
