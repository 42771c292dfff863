/* Asks epmd, the daemon that knows the distribution ports of the nodes of a machine. */
#pragma once
#include "base/arena.h"
#include "base/err.h"
#include <netinet/in.h>

struct sb_epmd {
    struct in_addr host;
    uint16_t port;
};

/* The lines of epmd's answer: "name shop at port 41001". Fails if there is no epmd. */
bool sb_epmd_names(const struct sb_epmd *at, struct sb_arena *a, struct sb_str *lines, struct sb_err *e);
/* Takes the next node off these lines. */
bool sb_epmd_next(struct sb_str *lines, struct sb_str *name, uint16_t *port);
