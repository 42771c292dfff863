/* The node of a process in a text, for profiles of several nodes: a pid such as <0.9.0> exists on each of them. */
#ifndef SB_WHY_ON_NODE_H
#define SB_WHY_ON_NODE_H
#include "profile/profile.h"

/* " on NODE"; empty if only one node was traced, or if the node has no name */
struct sb_str sb_on_node(const struct sb_profile *p, int64_t process, struct sb_arena *a);

#endif
