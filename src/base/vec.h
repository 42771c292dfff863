/*
 * Growing arrays: any struct with the members `at`, `n`, `cap` is one.
 *     struct { struct sb_event *at; size_t n, cap; } events = {0};
 *     *SB_PUSH(&events) = e;   ...   SB_VEC_FREE(&events);
 */
#pragma once
#include "base/arena.h"
#include <stdlib.h>

#define SB_VEC(type) \
    struct { \
        type *at; \
        size_t n, cap; \
    }
/* room for `more` further elements; then v->at[v->n .. v->n + more) may be written */
#define SB_RESERVE(v, more) \
    ((v)->n + (more) <= (v)->cap \
         ? (void)0 \
         : (void)((v)->at = sb_vec_grow((v)->at, (v)->n + (more), &(v)->cap, sizeof *(v)->at)))
/* The same for many short arrays: capacity starts at one element, not at 16. */
#define SB_RESERVE_FEW(v, more) \
    ((v)->n + (more) <= (v)->cap \
         ? (void)0 \
         : (void)((v)->at = sb_vec_grow_few((v)->at, (v)->n + (more), &(v)->cap, sizeof *(v)->at)))
/* makes v->at[i] exist; new elements are zero */
#define SB_REACH(v, i) \
    ((i) < (v)->n ? (void)0 \
                  : (void)((v)->at = sb_vec_reach((v)->at, (i), &(v)->n, &(v)->cap, sizeof *(v)->at)))
#define SB_PUSH(v) (SB_RESERVE(v, 1), &(v)->at[(v)->n++])
#define SB_PUSH_FEW(v) (SB_RESERVE_FEW(v, 1), &(v)->at[(v)->n++])
#define SB_VEC_FREE(v) (free((v)->at), (v)->at = NULL, (v)->n = (v)->cap = 0)
/* Before the declaration of one: it is freed where its block ends. `at` is its first member. */
#define SB_SCOPED __attribute__((cleanup(sb_vec_close)))

void *sb_vec_grow(void *at, size_t need, size_t *cap, size_t elem); /* at least doubles */
void *sb_vec_grow_few(void *at, size_t need, size_t *cap,
                      size_t elem); /* the same, starting at one element */
void sb_vec_close(void *v);
void *sb_vec_reach(void *at, size_t i, size_t *n, size_t *cap, size_t elem);
