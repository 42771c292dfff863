/*
 * Samples of the CPU: where each thread of the node is, so many times a second of its CPU time, by the kernel's perf
 * events. The node does nothing for a sample. A sample becomes a record `cpu_sample`; its stack is the number of its
 * innermost frame, and each frame, a record `cpu_frame`, names the one that called it.
 *
 * The frames of Erlang functions are those of code that keeps frame pointers (+JPperf map). From C code the call frame
 * information of its file leads to the Erlang function that called it (cpu_unwind.h); the functions around that one are
 * known where the frame pointer was still theirs.
 *
 * Of other code the node tells where its functions are, in a file beside the rings (strobe_functions.erl). The stack of
 * Erlang, which is that of the thread while it runs Erlang, holds return addresses, which no term looks like. While the
 * thread runs C code it is elsewhere, so of C code only the function that called it is known. x86-64 only.
 */
#pragma once
#include "live/drain/made.h"

struct sb_cpu;
struct sb_cpu_code;
/* Samples of `all`: few, without a flag for the VM, and none of a VM that uses less of the CPU. */
enum { SB_CPU_USUAL_HZ = 97, SB_CPU_USUAL_LEAST_MS = 250 };
bool sb_cpu_has_stacks(void);             /* copies of stacks, which lead to callers without frame pointers */
bool sb_cpu_is_allowed(struct sb_err *e); /* false: why the kernel refuses, and what to do */
/* NULL: the kernel refuses. */
struct sb_cpu *sb_cpu_open(uint32_t pid, const char *rings, unsigned hz);
/* NULL is allowed; removes the map of functions that the VM wrote, unless it keeps it for others. */
void sb_cpu_close(struct sb_cpu *c, bool keeps_map);
bool sb_cpu_has_map(uint32_t pid); /* the VM writes one: it was started with +JPperf map, or +JPperf true */
/* Takes the samples up to `now_ns`; last: none waits for its names any more. NULL is allowed. */
void sb_cpu_read(struct sb_cpu *c, int64_t now_ns, bool last);
bool sb_cpu_holds(const struct sb_cpu *c); /* samples that wait for their names: look again soon */
int sb_cpu_fd(const struct sb_cpu *c);     /* readable when a look is due earlier; -1: there is none */
const struct sb_cpu_code *sb_cpu_code_of(const struct sb_cpu *c);
struct sb_made *sb_cpu_made(struct sb_cpu *c);
void sb_cpu_count(const struct sb_cpu *c,
                  struct sb_sbt_trailer *t); /* adds events and losses; NULL is allowed */
