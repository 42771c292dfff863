/*
 * One event, whatever it was read from. 64 bytes, no pointers: names are ids in the trace's own dictionary
 * (trace/names.h), processes and ports are packed into 64 bits. What a kind puts where stands in trace/event.def.
 */
#ifndef SB_TRACE_EVENT_H
#define SB_TRACE_EVENT_H
#include <stdbool.h>
#include <stdint.h>

/*
 * Who: process, port or name, in one word. 0 is nobody.
 *
 *     63 62 | 61 .. 52   | 51 .. 28 | 27 .. 0
 *      kind | node index |  serial  | number           SB_PID, SB_PORT
 *      kind | node index |     name id                 SB_NAMED: registered name on that node
 *      kind |            |     index                   a pid whose numbers do not fit: kept in the dictionary
 *
 * Node index 0 is the traced node itself, others come from the dictionary.
 */
typedef uint64_t sb_actor;
enum sb_actor_kind { SB_NAMED = 0, SB_PID = 1, SB_PORT = 2, SB_ODD = 3 };
#define SB_ACTOR_NODES 1024u

static inline enum sb_actor_kind
sb_actor_kind(sb_actor a)
{
    return (enum sb_actor_kind)(a >> 62);
}
static inline unsigned
sb_actor_node(sb_actor a)
{
    return (unsigned)(a >> 52) & (SB_ACTOR_NODES - 1);
}
static inline sb_actor
sb_actor_make(enum sb_actor_kind kind, unsigned node, uint64_t serial, uint64_t number)
{
    return (uint64_t)kind << 62 | (uint64_t)(node & (SB_ACTOR_NODES - 1)) << 52 | (serial & 0xffffff) << 28 |
           (number & 0xfffffff);
}
static inline uint32_t
sb_actor_number(sb_actor a)
{
    return (uint32_t)(a & 0xfffffff);
}
static inline uint32_t
sb_actor_serial(sb_actor a)
{
    return (uint32_t)(a >> 28 & 0xffffff);
}

#define SB_UNKNOWN UINT64_MAX /* a number that the source did not give; in 32-bit slots UINT32_MAX */
#define SB_UNKNOWN32 UINT32_MAX
#define SB_AT_UNKNOWN INT64_MIN /* at_ns of a record without a time stamp */

enum sb_class { SB_META, SB_PROCS, SB_RUNNING, SB_MESSAGES, SB_GC, SB_PORTS, SB_CALLS, SB_PROFILE, SB_MARKS, SB_VM, SB_SAMPLE,
                SB_COUNTS, SB_DICTIONARY, SB_CLASSES };

/*
 * The thread an event ran on: its kind in the upper 4 bits, its number (as the VM counts, from 1; OTP writes 0 off
 * a scheduler) in the lower 12. OTP's traces tell the number only: kind unknown.
 */
typedef uint16_t sb_lane;
enum sb_lane_kind { SB_LANE_UNKNOWN, SB_LANE_NORMAL, SB_LANE_DIRTY_CPU, SB_LANE_DIRTY_IO, SB_LANE_OTHER };
#define SB_LANE_NONE ((sb_lane)0x0fff) /* not told at all */

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
    SB_EVF_AT_LEAST = 2,  /* words is a lower bound: the walk was cut */
    SB_EVF_HAS_CP = 4,    /* call: g was given, 0 means it was `undefined` */
    SB_EVF_TO_ALIAS = 8,  /* send: went to an alias reference (in f) */
    SB_EVF_CPU_TIME = 16, /* at_ns is CPU time, not wall time */
    SB_EVF_RESOLVED = 32, /* send to a name: the engine knows who had it */
    SB_EVF_GOES_ON = 64,  /* the engine's: the event behind it in memory is the same process's next */
};

struct sb_event {
    int64_t at_ns;
    sb_actor who;
    sb_actor peer;
    uint64_t x, y, z;
    uint32_t f, g, n;
    sb_lane lane;
    uint8_t kind, flags;
};
_Static_assert(sizeof(struct sb_event) == 64, "an event is one cache line");

#endif
