/*
 * The encoding of a record, the same in rings and in .sbt files. Shared by the node (encoding) and the
 * reader.
 *
 *     byte 0        kind (6 bits) | SAME: the process of the previous record | FLAGS: a byte of flags follows
 *     varint        time since the previous record (since the chunk's first_ns), in ticks of 8 ns
 *     actor         who, unless SAME
 *     byte          flags (enum sb_event_flag, and WIRE_PEER), if FLAGS
 *     slots         in the order of trace/event.def, by type, without those that the recorder does not know
 *                   (OTP_SLOT; the peer of a receive is written under a flag)
 *
 *     U: varint of value + 1, 0 unknown   NUM: varint   I: varint, zigzag   HEX: two bytes
 *     ATOM, MFA: varint id in the dictionary, 0 none (in/out of a port: an atom)   TEXT: length byte, bytes
 *
 * A recently written actor is one byte below 0x80: its slot in a table of 128 entries, which both sides
 * maintain with sb_wire_place() and which is empty at the start of a chunk. Any other actor is a tag (enum
 * sb_wire_actor) and its parts.
 */
#pragma once
#include "base/varint.h"
#include "trace/event.h"
#include <string.h>

enum { SB_WIRE_SAME = 0x40, SB_WIRE_FLAGS = 0x80, SB_WIRE_KIND = 0x3f };
/* in the flags of a receive: peer is written; the value of `asks` */
enum { SB_WIRE_PEER = 0x80, SB_WIRE_ASKS_SHIFT = 2, SB_WIRE_ASKS = 3 << SB_WIRE_ASKS_SHIFT };
enum { SB_WIRE_RECORD_MAX = 512, SB_WIRE_TEXT_MAX = 255, SB_WIRE_RECENT = 128, SB_WIRE_TICK_SHIFT = 3 };

enum sb_wire_actor { /* the tags of an actor */
                     SB_WIRE_NOBODY = 0x80,
                     SB_WIRE_PID,        /* number */
                     SB_WIRE_PID_SERIAL, /* number, serial */
                     SB_WIRE_PORT,       /* number, serial */
                     SB_WIRE_NAME,       /* node index, atom id */
                     SB_WIRE_FAR_PID,    /* node index, number, serial */
                     SB_WIRE_FAR_PORT,
};

static inline unsigned
sb_wire_place(sb_actor a)
{
    return (unsigned)(a ^ a >> 28 ^ a >> 57) & (SB_WIRE_RECENT - 1);
}

static inline uint8_t *
sb_wire_put_new_actor(uint8_t *p, sb_actor a)
{
    unsigned node = sb_actor_node(a);
    if (!a) {
        *p++ = SB_WIRE_NOBODY;
        return p;
    }
    if (sb_actor_kind(a) == SB_NAMED) {
        *p++ = SB_WIRE_NAME;
        p = sb_varint_put(p, node);
        return sb_varint_put(p, a & 0xfffffffffffffu);
    }
    bool pid = sb_actor_kind(a) == SB_PID, bare = pid && !node && !sb_actor_serial(a);
    *p++ = node ? (pid ? SB_WIRE_FAR_PID : SB_WIRE_FAR_PORT)
                : (bare  ? SB_WIRE_PID
                   : pid ? SB_WIRE_PID_SERIAL
                         : SB_WIRE_PORT);
    if (node)
        p = sb_varint_put(p, node);
    p = sb_varint_put(p, sb_actor_number(a));
    return bare ? p : sb_varint_put(p, sb_actor_serial(a));
}

static inline uint8_t *
sb_wire_put_actor(uint8_t *p, sb_actor recent[SB_WIRE_RECENT], sb_actor a)
{
    unsigned place = sb_wire_place(a);
    if (recent[place] == a && a) {
        *p++ = (uint8_t)place;
        return p;
    }
    recent[place] = a;
    return sb_wire_put_new_actor(p, a);
}

static inline uint8_t *
sb_wire_put_u(uint8_t *p, uint64_t v)
{
    return sb_varint_put(p, v + 1); /* SB_UNKNOWN becomes 0 */
}
static inline uint8_t *
sb_wire_put_u32(uint8_t *p, uint32_t v)
{
    return sb_varint_put(p, v == SB_UNKNOWN32 ? 0 : (uint64_t)v + 1);
}
static inline uint8_t *
sb_wire_put_hex(uint8_t *p, uint64_t v)
{
    *p++ = (uint8_t)v;
    *p++ = (uint8_t)(v >> 8);
    return p;
}
static inline uint8_t *
sb_wire_put_text(uint8_t *p, const char *text, size_t n)
{
    n = n < SB_WIRE_TEXT_MAX ? n : SB_WIRE_TEXT_MAX;
    *p++ = (uint8_t)n;
    if (n)
        memcpy(p, text, n);
    return p + n;
}
