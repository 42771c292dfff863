/*
 * The processes of a part. An unpacked process is in a seat, which never moves. A process without events yet is a
 * seed. One that has ended and has nothing open is packed to a third of its size or less, and its seat is reused; so
 * is any other, between its events, while many are unpacked. Any access unpacks it again, so callers need not know
 * whether it can still receive events. Of a million processes most are packed.
 */
#pragma once
#include "engine/state/proc.h"
#include <stdbool.h>

struct sb_seed { /* what is known of a process before its first event */
    sb_actor actor;
    uint64_t who;
    int64_t first_seen, last_seen, since;
    uint32_t id;
};

enum { SB_PACKED_STEP = 32, SB_PACKED_SIZES = 32 }; /* sizes of packed forms: multiples, up to number */
struct sb_procs {
    /* by index: address of the process; of its packed form, + 1 if it has ended, + 3 if not; of its seed, + 2 */
    uintptr_t *at;
    size_t n, cap, awake;
    SB_VEC(struct sb_proc *) free;
    void *free_packed[SB_PACKED_SIZES]; /* by size: lists, each linked by its first bytes */
    SB_VEC(struct sb_seed *) free_seeds;
    SB_VEC(uint32_t) tired; /* processes that may have ended: sb_procs_rest checks them */
    struct sb_arena arena;
};

uint32_t sb_procs_add(struct sb_procs *v, sb_actor actor, int64_t at, int64_t since);
void sb_procs_close(struct sb_procs *v);

static inline bool
sb_procs_sleeps(const struct sb_procs *v, size_t i)
{
    return v->at[i] & 3;
}
static inline bool
sb_procs_ended(const struct sb_procs *v, size_t i) /* and is packed */
{
    return (v->at[i] & 3) == 1;
}
static inline struct sb_seed * /* NULL: it has had an event */
sb_procs_seed(const struct sb_procs *v, size_t i)
{
    return (v->at[i] & 3) == 2 ? (struct sb_seed *)(v->at[i] - 2) : NULL;
}
struct sb_proc *sb_procs_wake(struct sb_procs *v, size_t i);
static inline struct sb_proc * /* valid until sb_procs_rest */
sb_procs_at(struct sb_procs *v, size_t i)
{
    return sb_procs_sleeps(v, i) ? sb_procs_wake(v, i) : (struct sb_proc *)v->at[i];
}
static inline struct sb_proc * /* NULL: it has ended and is packed */
sb_procs_awake(struct sb_procs *v, size_t i)
{
    return sb_procs_ended(v, i) ? NULL : sb_procs_at(v, i);
}
/* Prefetches a process that will be used soon. */
static inline void
sb_procs_expect(const struct sb_procs *v, size_t i)
{
    for (size_t k = 0; k < sizeof(struct sb_proc) && !sb_procs_sleeps(v, i); k += 64)
        __builtin_prefetch((const char *)v->at[i] + k);
}
/* Reads a process without unpacking it for good; a packed one is unpacked into `room`. */
const struct sb_proc *sb_procs_see(const struct sb_procs *v, size_t i, struct sb_proc *room);

void sb_procs_tire(struct sb_procs *v, const struct sb_proc *p);
/* Packs the processes that have ended: losses and the end of the trace do not concern them. In a merge those whose
 * calls are not copied yet wait for the end. */
void sb_procs_rest(struct sb_procs *v, bool merges);
/* Packs a process between its events, if many are unpacked: a trace may have any number that never end. */
void sb_procs_doze(struct sb_procs *v, const struct sb_proc *p);
void sb_procs_end(struct sb_procs *v,
                  size_t i); /* packs one that neither events nor the end concern any more */
