/*
 * Records of a chunk one by one, with the ids of the dictionary as they are written, and back again. For code
 * that moves records between chunks; readers of a trace use sbt_decode.c, which is faster and translates ids.
 */
#pragma once
#include "trace/kind.h"
#include "trace/sbt/wire.h"

struct sb_wire_record {
    struct sb_event ev;  /* names are ids of the dictionary; the slot of a text is unused */
    const uint8_t *text; /* a length byte and that many bytes; NULL: the kind has no text */
};

struct sb_wire_state { /* what a record of a chunk depends on; the same for reading and writing */
    uint64_t tick;
    sb_actor who;
    sb_actor recent[SB_WIRE_RECENT];
};

void sb_wire_begin(struct sb_wire_state *s, int64_t base_ns);
/* Reads the record at p. Returns the end of the record; NULL: it is damaged, or does not end before `end`. */
const uint8_t *sb_wire_read(struct sb_wire_state *s, const uint8_t *p, const uint8_t *end,
                            struct sb_wire_record *r);
/* Writes a record, at most SB_WIRE_RECORD_MAX bytes; returns its end. Time never goes back. */
uint8_t *sb_wire_write(struct sb_wire_state *s, uint8_t *p, const struct sb_wire_record *r);
