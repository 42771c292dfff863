/* Routes each event to the parts that it concerns. Each worker has its own router, so routing takes no
 * lock. */
#pragma once
#include "engine/state/run.h"
#include "engine/state/store.h"

/* Items on their way to a part, in pages that never move. All pages but the last are full. The fill count
 * is stored with the part, not in the page: page headers would all share a few cache lines. */
enum { SB_PAGE_ITEMS = 255 };
struct sb_item_page {
    struct sb_item_page *next;
    struct sb_sort_key at[SB_PAGE_ITEMS];
};
struct sb_item_pages {
    struct sb_item_page *first, *last;
    uint32_t pages, room; /* room: free places in the last page */
};
static inline size_t
sb_pages_items(const struct sb_item_pages *v)
{
    return (size_t)v->pages * SB_PAGE_ITEMS - v->room;
}
static inline size_t
sb_page_items(const struct sb_item_pages *v, const struct sb_item_page *p)
{
    return p == v->last ? SB_PAGE_ITEMS - v->room : SB_PAGE_ITEMS;
}

struct sb_routed {         /* facts about the routed events */
    int64_t min, max;      /* stamps, without those of readings; min > max: none */
    int64_t until;         /* the largest stamp of all: the events are needed until then */
    uint64_t kinds, laned; /* bit per kind: any event; any event with a scheduler */
};

struct sb_router {
    struct sb_item_pages to[SB_PARTS];
    struct sb_item_page *spare;
    struct sb_store store; /* memory of the pages */
    struct sb_items control, named;
    struct sb_routed routed;
    uint64_t n_events;
    uint8_t concerns[SB_EVENT_KINDS]; /* enum concern, by kind */
};

/* No real clock is further from 0; within this, differences never overflow. */
#define SB_FAR_NS (INT64_MAX >> 2)
static inline bool
sb_route_is_far(int64_t at_ns)
{
    return (uint64_t)at_ns + (uint64_t)SB_FAR_NS > 2 * (uint64_t)SB_FAR_NS;
}
static inline int64_t
sb_route_bound(int64_t at_ns)
{
    return at_ns > SB_FAR_NS ? SB_FAR_NS : at_ns < -SB_FAR_NS ? -SB_FAR_NS : at_ns;
}

void sb_route_init(struct sb_router *t,
                   const struct sb_run *r); /* after it is known whether events were lost */
void sb_route_close(struct sb_router *t);
/* Routes events, in runs if stamps define their order, else one by one in the order of the file. Returns
 * facts about them. */
struct sb_routed sb_route_events(struct sb_router *t, const struct sb_events *events, bool stretches);
void sb_routed_add(struct sb_routed *to, const struct sb_routed *more);
void sb_route_taken(struct sb_router *t, bool for_good); /* all pages have been read; for_good: free them */
