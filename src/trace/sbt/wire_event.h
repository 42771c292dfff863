/*
 * The slots of each event kind as strobe's recorders write them, from trace/event.def: a struct with a member a
 * slot (those without OTP_SLOT), and a function that encodes it after the head of its record. SHAPEs have both too.
 *
 *     p = sb_wire_put_open(p, recent, (struct sb_wire_open){.owner = owner, .driver = driver});
 */
#pragma once
#include "trace/sbt/wire.h"

struct sb_wire_text {
    const char *at;
    size_t n;
};

#define SB_WIRE_RAW(field) __typeof__(((struct sb_event_raw *)0)->field)
#define SB_WIRE_MEMBER_PID(field, name) sb_actor name;
#define SB_WIRE_MEMBER_MFA(field, name) uint32_t name;
#define SB_WIRE_MEMBER_ATOM(field, name) uint32_t name;
#define SB_WIRE_MEMBER_TEXT(field, name) struct sb_wire_text name;
#define SB_WIRE_MEMBER_U(field, name) SB_WIRE_RAW(field) name;
#define SB_WIRE_MEMBER_NUM(field, name) SB_WIRE_RAW(field) name;
#define SB_WIRE_MEMBER_I(field, name) int64_t name;
#define SB_WIRE_MEMBER_HEX(field, name) uint16_t name;

#define OTP_SLOT(...)
#define SLOT(field, name, type, ...) SB_WIRE_MEMBER_##type(field, name)
#define SHAPE(id, ...) \
    struct sb_wire_##id { \
        __VA_ARGS__ \
    };
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) SHAPE(id, __VA_ARGS__)
#include "trace/event.def"
#undef EVENT
#undef SLOT

#define SB_WIRE_PUT_PID(name) sb_wire_put_actor(p, recent, s.name)
#define SB_WIRE_PUT_MFA(name) sb_varint_put(p, s.name)
#define SB_WIRE_PUT_ATOM(name) sb_varint_put(p, s.name)
#define SB_WIRE_PUT_TEXT(name) sb_wire_put_text(p, s.name.at, s.name.n)
#define SB_WIRE_PUT_U(name) \
    (sizeof s.name == 4 ? sb_wire_put_u32(p, (uint32_t)s.name) : sb_wire_put_u(p, s.name))
#define SB_WIRE_PUT_NUM(name) sb_varint_put(p, s.name)
#define SB_WIRE_PUT_I(name) sb_varint_put(p, sb_zigzag(s.name))
#define SB_WIRE_PUT_HEX(name) sb_wire_put_hex(p, s.name)

#define OTP_SLOT(...)
#define SLOT(field, name, type, ...) p = SB_WIRE_PUT_##type(name);
#define SHAPE(id, ...) \
    static inline uint8_t *sb_wire_put_##id(uint8_t *p, sb_actor recent[SB_WIRE_RECENT], \
                                            struct sb_wire_##id s) \
    { \
        (void)recent, (void)s; \
        __VA_ARGS__ \
        return p; \
    }
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) SHAPE(id, __VA_ARGS__)
#include "trace/event.def"
#undef EVENT
#undef SLOT
