/*
 * Stacks as a tree: a path is a node, its parent the path without the last frame. Bounded: once full, a new
 * path ends at its deepest existing frame, so sums stay complete and only detail is lost.
 */
#pragma once
#include "base/vec.h"
#include "export/stacks.h"

#define SB_PATHS_MAX 200000

struct sb_path {
    int64_t own;   /* value added to the node itself */
    int64_t total; /* own plus the nodes below */
    uint32_t name, parent;
    uint32_t child, next; /* its first child, its next sibling; 0: none */
    uint32_t depth;
};
struct sb_paths {
    SB_VEC(struct sb_path) nodes; /* node 0 is the root: no frame */
    struct sb_map child_of;       /* parent and name -> node */
};

void sb_paths_open(struct sb_paths *p);
void sb_paths_close(struct sb_paths *p);
uint32_t sb_paths_add(struct sb_paths *p, const uint32_t *frame, size_t n, int64_t value); /* the node */
void sb_paths_add_all(struct sb_paths *p, struct sb_stacks *s); /* every stack with its value */
