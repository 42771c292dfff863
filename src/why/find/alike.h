/* Processes with one fault that were started alike: a rule has one finding for them. */
#pragma once
#include "base/order.h"
#include "why/run/evidence.h"

struct sb_alike {           /* begins what a rule knows of a process */
    int64_t like, most, id; /* of those alike the one with most of it comes first */
};

/* A process that is like no other is a set of its own. */
static inline struct sb_alike
sb_alike(const struct sb_actor *of, int64_t id, int64_t most)
{
    return (struct sb_alike){of[id].like > 0 ? of[id].like : -id, most, id};
}

inline SB_ORDER(sb_by_likeness, struct sb_alike, SB_UP(like) ?: SB_DOWN(most) ?: SB_UP(id))

/* The end of the set that begins at the element `from`. */
static inline size_t
sb_alike_end(const void *at, size_t n, size_t bytes, size_t from)
{
    size_t to = from;
    for (const char *p = at; to < n && ((const struct sb_alike *)(p + to * bytes))->like ==
                                           ((const struct sb_alike *)(p + from * bytes))->like;)
        to++;
    return to;
}

/* Sorts a growing array of such elements and visits its sets: [from, to). */
#define SB_EACH_ALIKE(v, from, to) \
    for (size_t to, from = (SB_SORT(v, sb_by_likeness), 0); \
         (to = sb_alike_end((v)->at, (v)->n, sizeof *(v)->at, from)) > from; from = to)
