/*
 * One event, independent of the trace format. 64 bytes, no pointers: names are ids in the dictionary of the
 * trace (trace/names.h), processes and ports are packed into 64 bits. trace/event.def lists the slots of each
 * kind.
 */
#pragma once
#include "trace/actor.h"
#include <stdbool.h>
#include <stddef.h>

#define SB_UNKNOWN UINT64_MAX /* a number that the source does not give; UINT32_MAX in 32-bit slots */
static inline uint64_t        /* a sum of amounts that a file states: no more than a signed number holds */
sb_amount_sum(uint64_t a, uint64_t b)
{
    return a > INT64_MAX || b > INT64_MAX - a ? INT64_MAX : a + b;
}
#define SB_UNKNOWN32 UINT32_MAX
#define SB_AT_UNKNOWN INT64_MIN /* at_ns of a record without a time stamp */

#define SB_CPU_BEFORE "before " /* FILE:before SYMBOL: a function without a name that is before that one */

enum sb_class {
    SB_META,
    SB_PROCS,
    SB_RUNNING,
    SB_MESSAGES,
    SB_GC,
    SB_PORTS,
    SB_CALLS,
    SB_PROFILE,
    SB_MARKS,
    SB_VM,
    SB_SAMPLE,
    SB_COUNTS,
    SB_DICTIONARY,
    SB_CPU,
    SB_CLASSES
};

/*
 * The thread an event ran on: its kind in the upper 4 bits, its number in the lower 12. The VM counts
 * schedulers from 1; OTP writes 0 for threads that are not schedulers. The traces of OTP give the number
 * only, so the kind is unknown.
 */
typedef uint16_t sb_lane;
enum sb_lane_kind { SB_LANE_UNKNOWN, SB_LANE_NORMAL, SB_LANE_DIRTY_CPU, SB_LANE_DIRTY_IO, SB_LANE_OTHER };
#define SB_LANE_NONE ((sb_lane)0x0fff) /* the source gives no thread */

static inline sb_lane
sb_lane_make(enum sb_lane_kind kind, unsigned number)
{
    return (sb_lane)((unsigned)kind << 12 | (number < 0xffe ? number : 0xffe));
}
static inline enum sb_lane_kind
sb_lane_kind(sb_lane l)
{
    return (enum sb_lane_kind)(l >> 12);
}
static inline unsigned
sb_lane_number(sb_lane l)
{
    return l & 0xfffu;
}

enum sb_event_kind {
#define SLOT(...)
#define EVENT(id, ...) SB_EV_##id,
#include "trace/event.def"
#undef EVENT
#undef SLOT
    SB_EVENT_KINDS
};

enum sb_event_flag {
    SB_EVF_TIMEOUT = 1,   /* receive: an `after` elapsed */
    SB_EVF_AT_LEAST = 2,  /* words is a lower bound: flat_size stopped early */
    SB_EVF_HAS_CP = 4,    /* call: cp is known; 0 means `undefined` */
    SB_EVF_TO_ALIAS = 8,  /* send: the receiver was given as an alias reference */
    SB_EVF_CPU_TIME = 16, /* at_ns is CPU time, not wall time */
    SB_EVF_RESOLVED = 32, /* send to a name: the engine has found the process with that name */
    SB_EVF_GOES_ON = 64,  /* set by the engine: the next event in memory is this process's next event */
};

/* The values of receive.asks. */
enum { SB_ASKER = 1, SB_CALLER };

/* The slots of all kinds lie in the same few members; trace/event.def says which kind has what where. */
struct sb_event_raw {
    int64_t at_ns;
    sb_actor who;
    sb_actor peer;
    uint64_t x, y, z;
    uint32_t f, g, n;
    sb_lane lane;
    uint8_t kind, flags;
};

/* A slot by its name: ev->send.words, ev->exit.reason. Only code for any kind reads `raw` (trace/kind.h). */
struct sb_event {
    union {
        struct {
            int64_t at_ns;
            sb_actor who;
            sb_actor peer; /* the other process or port, for kinds that have one */
            char slots[offsetof(struct sb_event_raw, lane) - offsetof(struct sb_event_raw, x)];
            sb_lane lane;
            uint8_t kind, flags;
        };
        struct sb_event_raw raw;
#define SLOT(field, name, ...) \
    struct { \
        char before_##name[offsetof(struct sb_event_raw, field)]; \
        __typeof__(((struct sb_event_raw *)0)->field) name; \
    };
#define SHAPE(id, ...) \
    union { \
        __VA_ARGS__ \
    } id;
#define EVENT(id, tag, class, group, rank, marks, control, doc, ...) \
    union { \
        char any; \
        __VA_ARGS__ \
    } id;
#include "trace/event.def"
#undef EVENT
#undef SLOT
    };
};
_Static_assert(sizeof(struct sb_event) == 64, "an event is one cache line");
_Static_assert(offsetof(struct sb_event, lane) == offsetof(struct sb_event_raw, lane), "one layout");
