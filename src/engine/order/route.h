/* Which parts an event concerns. One router a worker, so that routing takes no lock. */
#ifndef SB_ENGINE_ROUTE_H
#define SB_ENGINE_ROUTE_H
#include "engine/state/run.h"
#include "engine/state/store.h"

/* Items on their way to a part, in pages that need no moving when they become more. All but the last are
   full; what is told of that one stands with its part's, as what all pages begin with falls into a few lines
   of the cache. */
enum { SB_PAGE_ITEMS = 255 };
struct sb_item_page {
    struct sb_item_page *next;
    struct sb_sort_key at[SB_PAGE_ITEMS];
};
struct sb_item_pages {
    struct sb_item_page *first, *last;
    uint32_t pages, room; /* room: items that the last page takes yet */
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

struct sb_told {           /* by events that were routed */
    int64_t min, max;      /* stamps, without those of readings; min > max: none */
    int64_t until;         /* the largest of all: so long the events are needed */
    uint64_t kinds, laned; /* bit per kind: there was one, and one that told its scheduler */
};

struct sb_router {
    struct sb_item_pages to[SB_PARTS];
    struct sb_item_page *spare;
    struct sb_store store; /* of the pages */
    struct sb_items control, named;
    struct sb_told told;
    uint64_t n_events;
    uint8_t concerns[SB_EVENT_KINDS]; /* more than whose event it is: enum concern */
};

/* Further from 0 no honest clock stands; closer, differences never overflow. */
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
                   const struct sb_run *r); /* when it is known whether events were lost */
void sb_route_close(struct sb_router *t);
/* Into stretches where stamps say what follows what; else in the order of the file, one by one. What these
 * told. */
struct sb_told sb_route_events(struct sb_router *t, const struct sb_events *events, bool stretches);
void sb_told_add(struct sb_told *to, const struct sb_told *more);
void sb_route_taken(struct sb_router *t,
                    bool for_good); /* all pages have been read; for good: none will come */

#endif
