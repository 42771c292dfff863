/* An item: an event in the queue of a process that it concerns, with the role that it has for that
 * process. */
#pragma once
#include "base/sort.h"
#include "base/vec.h"
#include "trace/event.h"

/* The role of an event for a process. Events are aligned to 16 bytes, so a role fits below their address. */
enum sb_role {
    SB_OWN,
    SB_ARRIVAL,
    SB_LINK_EXIT,
    SB_MENTION,
    SB_LOSS, /* earlier events of the process may be missing: not an item, but delivered to passes (pass.c) */
    SB_DISPLACED, /* another process was scheduled in on its scheduler: occupants.h */
    SB_STRETCH,   /* own, with the events that follow it: stretch.h */
};

struct sb_items {
    struct sb_sort_key *at; /* key: time, biased; value: event | role */
    size_t n, cap;
};

static inline uint64_t
sb_bias(int64_t at_ns)
{
    return (uint64_t)at_ns ^ UINT64_C(1) << 63;
}
static inline int64_t
sb_item_at(struct sb_sort_key k)
{
    return (int64_t)(k.key ^ UINT64_C(1) << 63);
}
static inline const struct sb_event *
sb_item_event(struct sb_sort_key k)
{
    return (const struct sb_event *)(uintptr_t)(k.value & ~UINT64_C(15));
}
static inline enum sb_role
sb_item_role(struct sb_sort_key k)
{
    return (enum sb_role)(k.value & 15);
}
static inline sb_actor
sb_item_actor(struct sb_sort_key k)
{
    const struct sb_event *ev = sb_item_event(k);
    return sb_item_role(k) == SB_OWN || sb_item_role(k) == SB_STRETCH ? ev->who : ev->peer;
}
static inline struct sb_sort_key
sb_item(const struct sb_event *ev, enum sb_role role)
{
    return (struct sb_sort_key){sb_bias(ev->at_ns), (uint64_t)(uintptr_t)ev | role};
}
static inline void
sb_item_put(struct sb_items *v, const struct sb_event *ev, enum sb_role role)
{
    *SB_PUSH(v) = sb_item(ev, role);
}

struct sb_bundle { /* the items of a process in a window */
    uint32_t process, n;
    size_t end; /* index after the last of them */
};
