/* The nodes that a node is connected to, now and from now on. */
#pragma once
#include "base/err.h"
#include "base/str.h"

/* Asks the node once a second, and calls `joined` with each that it was not connected to a second before: first with
 * all of them, and then with an empty name. Hidden nodes are left out. Does not return unless an error occurs. */
void sb_joined_follow(const char *target, void (*joined)(void *ctx, struct sb_str node), void *ctx,
                      struct sb_err *e);
