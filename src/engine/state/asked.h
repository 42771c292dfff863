/* What asked.c stores: who sent a process messages, and what it spawned since. */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include <stdbool.h>
#include <stdint.h>

struct sb_asker { /* a process and a moment */
    uint32_t who; /* process.id; 0: unknown */
    int64_t at;
};
enum { SB_ASKERS = 32 };
struct sb_asked_by { /* processes by id */
    uint32_t child, parent, asker;
    bool by_parent; /* the asker is the parent's parent */
};
struct sb_asked {                     /* of a process that spawned others */
    struct sb_asker asker[SB_ASKERS]; /* a ring: senders of the last messages to it */
    uint32_t asks;
    int64_t in_at;                 /* scheduled in last */
    SB_VEC(struct sb_asker) child; /* spawned since its last reply */
    struct sb_map children;        /* process.id of all children */
};

struct sb_asking {        /* of any process */
    struct sb_asker last; /* sent it the last message, before it started a process */
    bool told_parent;     /* it has sent its parent a message */
    struct sb_asked *all; /* NULL: it started none */
};
