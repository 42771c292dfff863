/*
 * What a process did in one go on one scheduler is one item, a *stretch*: its first event, and the events
 * after it in memory as long as each has the flag SB_EVF_GOES_ON; their stamps never decrease. This leaves
 * several times fewer items to sort and look up. At the end of a window, the rest of a stretch becomes an
 * item of the next.
 *
 *     decoded:  in send receive send out | in receive ...         items:  [stretch]  [stretch] ...
 *               `--goes on--------------'  another process                 and one for each receiver
 */
#pragma once
#include "engine/state/part.h"

enum { SB_STRETCH_MOST = 32 }; /* most events per stretch: about the largest size of a window, in items */

/* Returns the next event of the stretch if it is before `until`; a later rest goes to `cut`. */
static inline const struct sb_event *
sb_stretch_next(const struct sb_event *ev, int64_t until, struct sb_items *cut)
{
    if (!(ev->flags & SB_EVF_GOES_ON))
        return NULL;
    if (ev[1].at_ns < until)
        return ev + 1;
    sb_item_put(cut, ev + 1, SB_STRETCH);
    return NULL;
}

/* Prefetches an item and its sender while the passes handle earlier items: events that another thread
 * decoded, or that were decoded long ago, are not in the cache. */
enum { SB_STRETCH_AHEAD = 40 };
void sb_stretch_fetch(struct sb_part *x);

/* Expands the part's items `from` to `to` of the window into single events in time order: x->items.line. Returns
 * whether all stamps differ. */
bool sb_stretch_lay_out(struct sb_part *x, size_t from, size_t to, int64_t until);
