#include "engine/order/route.h"
#include "engine/world/actors.h"
#include "engine/world/control.h"
#include "engine/order/stretch.h"
#include "engine/state/thread_sum.h"
#include "trace/kind.h"

#define NOTHING_ROUTED ((struct sb_routed){.min = INT64_MAX, .max = INT64_MIN, .until = INT64_MIN})
enum concern { OTHER = 1, CONTROL = 2 }; /* what else an event concerns: another process or port; control */

static bool
names_other(const struct sb_kind *k)
{
    for (unsigned i = 0; i < k->n_slots; i++)
        if (k->slot[i].type == SB_SLOT_PID)
            return true;
    return false;
}

void
sb_route_init(struct sb_router *t, const struct sb_run *r)
{
    *t = (struct sb_router){.routed = NOTHING_ROUTED};
    for (unsigned k = 0; k < SB_EVENT_KINDS; k++)
        t->concerns[k] = (uint8_t)((names_other(&sb_kinds[k]) ? OTHER : 0) |
                                   (sb_control_wants(r, (uint8_t)k) ? CONTROL : 0));
}

void
sb_route_close(struct sb_router *t)
{
    sb_store_close(&t->store);
    SB_VEC_FREE(&t->control);
    SB_VEC_FREE(&t->named);
}

void
sb_routed_add(struct sb_routed *to, const struct sb_routed *more)
{
    to->min = more->min < to->min ? more->min : to->min;
    to->max = more->max > to->max ? more->max : to->max;
    to->until = more->until > to->until ? more->until : to->until;
    to->kinds |= more->kinds;
    to->laned |= more->laned;
}

static inline void
note(struct sb_routed *routed, struct sb_event *ev)
{
    uint64_t kind = UINT64_C(1) << ev->kind;
    routed->kinds |= kind;
    routed->laned |= ev->lane != SB_LANE_NONE ? kind : 0;
    if (sb_route_is_far(ev->at_ns)) {
        if (ev->at_ns == SB_AT_UNKNOWN)
            return;
        ev->at_ns = sb_route_bound(ev->at_ns);
    }
    routed->until = ev->at_ns > routed->until ? ev->at_ns : routed->until;
    if (sb_is_reading(ev->kind))
        return;
    routed->min = ev->at_ns < routed->min ? ev->at_ns : routed->min;
    routed->max = ev->at_ns > routed->max ? ev->at_ns : routed->max;
}

static void
add_page(struct sb_router *t, struct sb_item_pages *to)
{
    struct sb_item_page *page = t->spare ? t->spare : sb_store_take(&t->store, sizeof *page);
    if (t->spare)
        t->spare = page->next;
    page->next = NULL;
    if (to->last)
        to->last->next = page;
    else
        to->first = page;
    to->last = page;
    to->pages++;
    to->room = SB_PAGE_ITEMS;
}

static inline void
put(struct sb_router *t, sb_actor who, const struct sb_event *ev, enum sb_role role)
{
    struct sb_item_pages *to = &t->to[sb_actors_part(who)];
    if (to->room == 0)
        add_page(t, to);
    to->last->at[SB_PAGE_ITEMS - to->room--] = sb_item(ev, role);
}

void
sb_route_taken(struct sb_router *t, bool for_good)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        if (t->to[i].last) {
            t->to[i].last->next = t->spare;
            t->spare = t->to[i].first;
        }
        t->to[i] = (struct sb_item_pages){0};
    }
    if (for_good) {
        t->spare = NULL;
        sb_store_reset(&t->store);
    }
}

static void
route_other(struct sb_router *t, const struct sb_event *ev)
{
    sb_actor other = ev->peer;
    bool to_process = sb_actor_kind(other) == SB_PID || sb_actor_kind(other) == SB_ODD;
    if (ev->kind == SB_EV_send && (sb_actor_kind(other) == SB_NAMED || ev->send.offers))
        sb_item_put(&t->named, ev, SB_OWN);
    bool port_links = ev->kind == SB_EV_getting_linked && sb_actor_kind(other) == SB_PORT;
    if ((to_process && (ev->kind == SB_EV_send || ev->kind == SB_EV_spawn)) || port_links)
        put(t, other, ev, SB_ARRIVAL);
    else if (sb_actor_kind(other) != SB_NAMED)
        put(t, other, ev, SB_MENTION);
}

static inline bool
goes_on(const struct sb_event *ev, const struct sb_event *next)
{
    return next->who == ev->who && next->at_ns >= ev->at_ns && next->lane == ev->lane;
}

struct sb_routed
sb_route_events(struct sb_router *t, const struct sb_events *events, bool stretches)
{
    enum sb_role own = stretches ? SB_STRETCH : SB_OWN;
    struct sb_routed routed = NOTHING_ROUTED;
    unsigned length = 0; /* of the current run of events */
    for (struct sb_event *ev = events->at, *end = ev + events->n; ev < end; ev++) {
        unsigned concerns = t->concerns[ev->kind];
        note(&routed, ev);
        ev->flags &= (uint8_t)~SB_EVF_GOES_ON;
        if (stretches && length % SB_STRETCH_MOST && goes_on(ev - 1, ev)) {
            ev[-1].flags |= SB_EVF_GOES_ON;
            length++;
        } else {
            put(t, ev->who, ev, own);
            length = 1;
        }
        if (concerns & CONTROL)
            sb_item_put(&t->control, ev, SB_OWN);
        if (concerns & OTHER && (ev->peer || ev->flags & SB_EVF_TO_ALIAS))
            route_other(t, ev);
    }
    t->n_events += events->n;
    sb_routed_add(&t->routed, &routed);
    return routed;
}
