/*
 * What a process did in one go on one scheduler is one item, a stretch: an event of its own, and those behind
 * it in memory while they say that it goes on (SB_EVF_GOES_ON; the stamps never go back). So a few times less
 * is put in order and looked up. Where a window ends, what is left of a stretch is an item of the next.
 *
 *     decoded:  in send receive send out | in receive ...         items:  [stretch]  [stretch] ...
 *               `--goes on--------------'  another process                 and one for each who is sent to
 */
#ifndef SB_ENGINE_STRETCH_H
#define SB_ENGINE_STRETCH_H
#include "engine/state/part.h"

enum { SB_STRETCH_MOST = 32 }; /* events: a window is so many items, about */

/* What follows, if it is before `until`; what is not goes to `cut`. */
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

/* Its memory is cold where another thread decoded it, or long ago: the next item, and who it is of, is
   fetched while passes are busy with what came before it. */
enum { SB_STRETCH_AHEAD = 40 };
void sb_stretch_fetch(struct sb_part *x);

/* The part's items `from` to `to` of the window as single ones in the order of time: x->line. Whether each
   has its moment for itself. */
bool sb_stretch_lay_out(struct sb_part *x, size_t from, size_t to, int64_t until);

#endif
