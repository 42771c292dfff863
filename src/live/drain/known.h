/*
 * What a flight recorder knows of the processes and ports of a node at a moment: those that exist, with their
 * parents, names and functions, from all records before that moment. A trace of the last seconds begins with
 * it, as the trace of a whole recording begins with the processes that exist then.
 *
 * Records are applied in any order within a span of time; sb_known_settle ends the span.
 */
#pragma once
#include "base/map.h"
#include "base/vec.h"
#include "trace/sbt/wire_record.h"

struct sb_known_actor {
    sb_actor who, parent;
    uint32_t name, entry;      /* ids of the dictionary; 0: none */
    uint32_t in;               /* the function in which it was scheduled out last */
    uint32_t status;           /* of its event `exists`; SB_UNKNOWN32: there was none */
    int64_t moved_ns, mail_ns; /* last scheduled in or out; last message to it; 0: never */
    bool runs, is_gone;
};

struct sb_known {
    SB_VEC(struct sb_known_actor) actor;
    struct sb_map place;      /* of an actor in `actor` */
    struct sb_map named;      /* registered name -> place */
    SB_VEC(sb_actor) gone;    /* since the last settling */
    SB_VEC(uint32_t) counted; /* functions whose calls are only counted from some moment on */
    uint64_t events;          /* applied so far */
};

void sb_known_apply(struct sb_known *k, const struct sb_wire_record *r);
void sb_known_settle(struct sb_known *k);
/* Returns record i of the trace's beginning, with this time; false: there are no more. `waits`: by id of a
 * function, whether a process that was scheduled out in it waits. */
bool sb_known_record(const struct sb_known *k, size_t i, int64_t at_ns, const uint8_t *waits, size_t n_waits,
                     struct sb_wire_record *r);
void sb_known_close(struct sb_known *k);
