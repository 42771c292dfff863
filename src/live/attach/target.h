/* Finds the node to attach to, from its name or the number of its operating system process. */
#pragma once
#include "live/attach/beam.h"
#include <netinet/in.h>

struct sb_target {
    struct sb_str node, host; /* "shop@here", "here" */
    struct in_addr address;
    uint16_t port;
    struct sb_beam beam;     /* os_pid 0: not visible from here */
    struct sb_str cookie;    /* never printed */
    const char *cookie_from; /* where it was found: "the node's command line" */
};

/* Returns the operating system process of a node on this machine, given as for attach. */
bool sb_target_os_pid(const char *given, uint32_t *os_pid, struct sb_arena *a, struct sb_err *e);
bool sb_target_find(struct sb_target *t, const char *given, struct sb_arena *a, struct sb_err *e);

/* Tells a node that has ended from one that refuses a connection or drops it, when that has happened. True: the node's
 * port takes no connections any more, and the error says so. Waits two seconds at most, for a process that is on its
 * way out. ended.c */
bool sb_target_has_ended(const struct sb_target *t, struct sb_err *e);
