/* Processes, ports and registered names as one word. */
#pragma once
#include <stdint.h>

/*
 * A process, a port or a registered name, packed into one word. 0 is none.
 *
 *     63 62 | 61 .. 52   | 51 .. 28 | 27 .. 0
 *      kind | node index |  serial  | number           SB_PID, SB_PORT
 *      kind | node index |     name id                 SB_NAMED: registered name on that node
 *      kind | node index |          | index            SB_ODD: pid or port with larger numbers
 * (trace/names.h)
 *
 * Node index 0 is the traced node; the others are indices of nodes in the dictionary.
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
