/*
 * Where a part's processes lie: each in its seat, which never moves. Who is over and has nothing open sleeps,
 * packed to a third of its size, and its seat is another's. It is the same again as soon as somebody asks for
 * it: so nothing need be known of what may still be told of those who are over. Of a million processes most
 * are.
 */
#ifndef SB_ENGINE_PROCS_H
#define SB_ENGINE_PROCS_H
#include "engine/state/proc.h"
#include <stdbool.h>

struct sb_seat;
struct sb_procs {
    uintptr_t *at; /* by index: address of the process; of what is packed, + 1 */
    size_t n, cap;
    SB_VEC(struct sb_seat *) free;
    SB_VEC(uint32_t) tired; /* may be over: looked at by sb_procs_rest */
    struct sb_arena arena;
};

uint32_t sb_procs_add(struct sb_procs *v, const struct sb_proc *p);
void sb_procs_close(struct sb_procs *v);

static inline bool
sb_procs_sleeps(const struct sb_procs *v, size_t i)
{
    return v->at[i] & 1;
}
struct sb_proc *sb_procs_wake(struct sb_procs *v, size_t i);
static inline struct sb_proc * /* stays there until sb_procs_rest */
sb_procs_at(struct sb_procs *v, size_t i)
{
    return sb_procs_sleeps(v, i) ? sb_procs_wake(v, i) : (struct sb_proc *)v->at[i];
}
static inline struct sb_proc * /* NULL: it sleeps */
sb_procs_awake(const struct sb_procs *v, size_t i)
{
    return sb_procs_sleeps(v, i) ? NULL : (struct sb_proc *)v->at[i];
}
/* It will be looked at in a moment. */
static inline void
sb_procs_expect(const struct sb_procs *v, size_t i)
{
    for (size_t k = 0; k < sizeof(struct sb_proc) && !sb_procs_sleeps(v, i); k += 64)
        __builtin_prefetch((const char *)v->at[i] + k);
}
/* As it is, without waking it: in `room`, where it has to be unpacked. */
const struct sb_proc *sb_procs_see(const struct sb_procs *v, size_t i, struct sb_proc *room);

void sb_procs_tire(struct sb_procs *v, const struct sb_proc *p);
/* Those who are over go to sleep: losses, and the end of the trace, have nothing to say to them. */
void sb_procs_rest(struct sb_procs *v);

#endif
