/*
 * What happens next in a replay: each core has at most one event, and lines off the cores have any number. The events
 * of cores are the leaves of a tree in which each node holds the earlier of its two children:
 *
 *                 core 1 at 30
 *          core 1 at 30     core 2 at 40        a change of one core compares once a level, without a branch that
 *       core 0    core 1  core 2    none        depends on times
 */
#pragma once
#include "base/vec.h"

typedef unsigned __int128 sb_moment; /* time, number of the event, core: in this order of significance */
#define SB_NO_MOMENT (~(sb_moment)0)

struct sb_moments {
    uint32_t leaves; /* a power of two */
    uint64_t number; /* events so far: at one moment, those that were put earlier come first */
    sb_moment *node; /* 1 is the root, leaves + core the event of a core */
    SB_VEC(struct sb_moments_wait {
        sb_moment at;
        uint32_t line;
    }) wait; /* a heap */
};

static inline int64_t
sb_moment_ns(sb_moment m)
{
    return m == SB_NO_MOMENT ? INT64_MAX : (int64_t)(m >> 64);
}

static inline uint32_t
sb_moment_core(sb_moment m)
{
    return (uint32_t)m & 0xffff;
}

static inline void
sb_moments_set(struct sb_moments *s, uint32_t core, sb_moment at)
{
    uint32_t i = s->leaves + core;
    s->node[i] = at;
    for (; i > 1; i /= 2) {
        sb_moment other = s->node[i ^ 1];
        at = other < at ? other : at;
        s->node[i / 2] = at;
    }
}

static inline void
sb_moments_put(struct sb_moments *s, uint32_t core, int64_t ns)
{
    sb_moments_set(s, core, (sb_moment)(uint64_t)ns << 64 | s->number++ << 16 | core);
}

static inline sb_moment
sb_moments_of_waits(const struct sb_moments *s)
{
    return s->wait.n > 0 ? s->wait.at[0].at : SB_NO_MOMENT;
}

/* When something else than the event of this core happens; INT64_MAX: never. */
static inline int64_t
sb_moments_beside(const struct sb_moments *s, uint32_t core)
{
    uint64_t ns = (uint64_t)(sb_moments_of_waits(s) >> 64);
    for (uint32_t i = s->leaves + core; i > 1; i /= 2) {
        uint64_t other = (uint64_t)(s->node[i ^ 1] >> 64);
        ns = other < ns ? other : ns;
    }
    return ns > INT64_MAX ? INT64_MAX : (int64_t)ns;
}

void sb_moments_open(struct sb_moments *s, uint32_t cores);
void sb_moments_close(struct sb_moments *s);
/* For a line that is on no core. */
void sb_moments_put_wait(struct sb_moments *s, uint32_t line, int64_t ns);
/* Takes the first wait; returns its line. */
uint32_t sb_moments_take_wait(struct sb_moments *s);
