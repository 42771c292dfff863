#include "engine/world/control.h"
#include "base/order.h"
#include "engine/world/actors.h"
#include "engine/world/alias.h"
#include "engine/world/lanes.h"
#include "engine/world/occupants.h"
#include "engine/world/counted.h"
#include "engine/world/quiet.h"
#include "engine/world/waits.h"
#include "trace/kind.h"
#include <stdio.h>

enum { NEVER = 0 }; /* end of the lists below, whose links are index + 1 */

struct life {
    int64_t spawned, spawn; /* as recorded for the child; as recorded for its parent */
    uint32_t exit;          /* 1 + index in exits: the last, also of an earlier life */
    bool ended;
};
struct ended {
    int64_t at;
    uint32_t before;
};
struct owner {
    int64_t at;
    sb_actor who;
    uint32_t before;
};
struct link {
    sb_actor to;
    uint32_t next;
};

enum { MOST_HOPS = 1 << 28 };

struct sb_control {
    struct sb_arena arena; /* holds events made here until the end of their window */
    struct sb_map life_of; /* actor -> index in lives */
    SB_VEC(struct life) lives;
    SB_VEC(struct ended) exits;
    struct sb_map name_of; /* node << 32 | name -> 1 + index in owners: the last owner */
    SB_VEC(struct owner) owners;
    struct sb_aliases aliases;
    struct sb_occupants occupants; /* only of a trace that lost events */
    struct sb_map links_of;        /* actor -> 1 + index in links */
    SB_VEC(struct link) links;
    uint32_t free_links; /* those that were cut */
    uint64_t hops; /* from link to link: after so many that no program needs, links are not cut any more */
    SB_VEC(struct sb_event) losses;
    SB_VEC(struct sb_event) trace_facts; /* facts about the trace itself */
    SB_VEC(struct sb_event) stated;      /* which functions wait, and where they stand, in any order */
    uint64_t to_nobody;                  /* sends to names without a known owner */
};

struct sb_control *
sb_control_open(void)
{
    struct sb_control *c = sb_zeroed_or_die(1, sizeof *c);
    return c;
}

void
sb_control_forget(struct sb_control *c)
{
    sb_arena_close(&c->arena);
    sb_map_close(&c->life_of);
    sb_map_close(&c->name_of);
    sb_map_close(&c->links_of);
    SB_VEC_FREE(&c->lives);
    SB_VEC_FREE(&c->exits);
    SB_VEC_FREE(&c->owners);
    SB_VEC_FREE(&c->links);
}

void
sb_control_close(struct sb_control *c)
{
    if (!c)
        return;
    sb_control_forget(c);
    sb_aliases_close(&c->aliases);
    sb_occupants_close(&c->occupants);
    SB_VEC_FREE(&c->losses);
    SB_VEC_FREE(&c->trace_facts);
    SB_VEC_FREE(&c->stated);
    free(c);
}

/* ---- lives ---- */

static struct life *
life_of(struct sb_control *c, sb_actor a)
{
    return SB_AT_KEY(&c->life_of, a, &c->lives, SB_NULL, SB_NULL, NEVER, false);
}

/* A spawn has two events, one of the parent and one of the child, in either order. A third event, or one
 * after the process's end, is the spawn of a new process with the same pid. */
static void
spawned(struct sb_run *r, sb_actor child, int64_t at, bool by_parent)
{
    struct life *l = life_of(r->control, child);
    int64_t *mine = by_parent ? &l->spawn : &l->spawned;
    if (*mine == at)
        return; /* a duplicate record */
    bool other_just_reported = !l->ended && *mine == SB_NULL;
    if ((l->ended || *mine != SB_NULL) && !other_just_reported) {
        sb_actors_reborn(r, child, at);
        *l = (struct life){SB_NULL, SB_NULL, l->exit, false};
    }
    *mine = at;
}

static void
on_spawn(struct sb_run *r, const struct sb_event *ev)
{
    if (sb_actor_kind(ev->spawn.child) == SB_PID || sb_actor_kind(ev->spawn.child) == SB_ODD)
        spawned(r, ev->spawn.child, ev->at_ns, true);
}

static void
on_spawned(struct sb_run *r, const struct sb_event *ev)
{
    spawned(r, ev->who, ev->at_ns, false);
}

/* ---- links and exits ---- */

static void
add_link(struct sb_control *c, sb_actor from, sb_actor to)
{
    uint32_t *first = sb_map_put(&c->links_of, from, NULL);
    for (uint32_t i = *first, seen = 0; i != NEVER && seen < 8; i = c->links.at[i - 1].next, seen++)
        if (c->links.at[i - 1].to == to)
            return;
    uint32_t free = c->free_links;
    if (free != NEVER) {
        c->free_links = c->links.at[free - 1].next;
        c->links.at[free - 1] = (struct link){to, *first};
    } else
        *SB_PUSH(&c->links) = (struct link){to, *first};
    *first = free != NEVER ? free : (uint32_t)c->links.n;
}

static void
cut_link(struct sb_control *c, sb_actor from, sb_actor to)
{
    uint32_t *at = sb_map_get(&c->links_of, from);
    while (at && *at != NEVER && c->hops++ < MOST_HOPS) {
        uint32_t i = *at;
        struct link *l = &c->links.at[i - 1];
        if (l->to != to) {
            at = &l->next;
            continue;
        }
        *at = l->next;
        l->next = c->free_links;
        c->free_links = i;
    }
}

static void
on_link(struct sb_run *r, const struct sb_event *ev)
{
    add_link(r->control, ev->who, ev->link.to);
    add_link(r->control, ev->link.to, ev->who);
}

static void
on_unlink(struct sb_run *r, const struct sb_event *ev)
{
    cut_link(r->control, ev->who, ev->unlink.to);
    cut_link(r->control, ev->unlink.to, ev->who);
}

static void
put_copy(struct sb_run *r, const struct sb_event *ev, sb_actor to, enum sb_role role)
{
    struct sb_event *copy = sb_arena_alloc(&r->control->arena, sizeof *copy, 16);
    *copy = *ev;
    copy->peer = to;
    sb_item_put(&r->part[sb_actors_part(to)].items.window, copy, role);
}

static void
deliver(struct sb_run *r, const struct sb_event *ev, sb_actor to, enum sb_role role)
{
    if (sb_actor_kind(to) == SB_PID || sb_actor_kind(to) == SB_ODD)
        put_copy(r, ev, to, role);
}

static void
on_ended(struct sb_run *r, const struct sb_event *ev)
{
    struct sb_control *c = r->control;
    struct life *l = life_of(c, ev->who);
    l->ended = true;
    *SB_PUSH(&c->exits) = (struct ended){ev->at_ns, l->exit};
    l->exit = (uint32_t)c->exits.n;
    uint32_t *first = sb_map_get(&c->links_of, ev->who);
    for (uint32_t i = first ? *first : NEVER; i != NEVER; i = c->links.at[i - 1].next)
        deliver(r, ev, c->links.at[i - 1].to, SB_LINK_EXIT);
    if (first)
        *first = NEVER;
}

bool
sb_control_exit_of(const struct sb_control *c, sb_actor a, int64_t until, int64_t *at)
{
    const uint32_t *life = sb_map_get(&c->life_of, a);
    for (uint32_t i = life ? c->lives.at[*life].exit : NEVER; i != NEVER; i = c->exits.at[i - 1].before)
        if (c->exits.at[i - 1].at <= until) {
            *at = c->exits.at[i - 1].at;
            return true;
        }
    return false;
}

/* ---- names ---- */

static void
own_name(struct sb_control *c, unsigned node, uint32_t name, int64_t at, sb_actor who)
{
    bool is_new;
    uint32_t *last = sb_map_put(&c->name_of, (uint64_t)node << 32 | name, &is_new);
    *SB_PUSH(&c->owners) = (struct owner){at, who, is_new ? NEVER : *last};
    *last = (uint32_t)c->owners.n;
}

static void
on_register(struct sb_run *r, const struct sb_event *ev)
{
    own_name(r->control, sb_actor_node(ev->who), ev->registered.name, ev->at_ns, ev->who);
}

static void
on_unregister(struct sb_run *r, const struct sb_event *ev)
{
    own_name(r->control, sb_actor_node(ev->who), ev->registered.name, ev->at_ns, 0);
}

static void
on_exists(struct sb_run *r, const struct sb_event *ev)
{
    if (ev->exists.name)
        own_name(r->control, sb_actor_node(ev->who), ev->exists.name, ev->at_ns, ev->who);
}

/* Returns the owner of a name at that time, or 0 if it is unknown. */
static sb_actor
owner_at(const struct sb_control *c, unsigned node, uint32_t name, int64_t at)
{
    const uint32_t *last = sb_map_get(&c->name_of, (uint64_t)node << 32 | name);
    for (uint32_t i = last ? *last : NEVER; i != NEVER; i = c->owners.at[i - 1].before)
        if (c->owners.at[i - 1].at <= at)
            return c->owners.at[i - 1].who;
    return 0;
}

/* Returns the receiver of a send to a name or an alias, or 0 if it is unknown. */
static sb_actor
receiver(struct sb_run *r, const struct sb_event *ev)
{
    if (ev->send.to == 0)
        return sb_alias_owner(&r->control->aliases, sb_actor_node(ev->who), ev->send.alias);
    return owner_at(r->control, sb_actor_node(ev->send.to), (uint32_t)ev->send.to, ev->at_ns);
}

static void
resolve(struct sb_run *r, struct sb_event *ev)
{
    if (sb_actor_kind(ev->send.to) != SB_NAMED)
        return;
    sb_actor to = receiver(r, ev);
    if (to) {
        deliver(r, ev, to, SB_ARRIVAL);
        ev->flags |= SB_EVF_RESOLVED;
    } else
        r->control->to_nobody += ev->send.to != 0;
}

/* Records all aliases of one moment before it resolves sends to them. */
static void
resolve_all(struct sb_run *r, const struct sb_items *named)
{
    for (size_t i = 0, seen = 0; i < named->n; i++) {
        for (; seen < named->n && named->at[seen].key == named->at[i].key; seen++) {
            const struct sb_event *ev = sb_item_event(named->at[seen]);
            if (ev->send.offers)
                sb_alias_seen(&r->control->aliases, ev->send.offers, ev->who);
        }
        resolve(r, (struct sb_event *)(uintptr_t)sb_item_event(named->at[i]));
    }
}

/* ---- schedulers, losses, facts about the trace ---- */

/* Informs the process or port that ran on the scheduler before. */
static void
on_in(struct sb_run *r, const struct sb_event *ev)
{
    sb_actor displaced = sb_occupants_enter(&r->control->occupants, ev);
    if (displaced)
        put_copy(r, ev, displaced, SB_DISPLACED);
}

static void
on_scheduler(struct sb_run *r, const struct sb_event *ev)
{
    sb_lanes_note(&r->part[0], ev);
}

static bool
is_of_scheduler(const struct sb_event *ev)
{
    return (ev->kind == SB_EV_scheduler_active || ev->kind == SB_EV_scheduler_inactive) &&
           ev->lane != SB_LANE_NONE;
}

static void
on_drop(struct sb_run *r, const struct sb_event *ev)
{
    struct sb_event *last = r->control->losses.n ? r->control->losses.at + r->control->losses.n - 1 : NULL;
    if (last && last->at_ns == ev->at_ns && last->who == ev->who && last->drop.class == ev->drop.class &&
        last->drop.until == ev->drop.until && last->drop.events != SB_UNKNOWN &&
        ev->drop.events != SB_UNKNOWN)
        last->drop.events = sb_amount_sum(last->drop.events, ev->drop.events);
    else
        *SB_PUSH(&r->control->losses) = *ev;
}

const struct sb_event *
sb_control_loss(const struct sb_control *c, size_t n)
{
    return n < c->losses.n ? &c->losses.at[n] : NULL;
}

size_t
sb_control_loss_from(const struct sb_control *c, size_t n, int64_t at)
{
    size_t end = c->losses.n;
    SB_SEARCH(n, end, c->losses.at[mid].at_ns < at);
    return n;
}

static void
on_waits(struct sb_run *r, const struct sb_event *ev)
{
    static const enum sb_waits_kind kind[] = {SB_WAITS_NEVER, SB_WAITS_ALWAYS, SB_WAITS_BOTH};
    *SB_PUSH(&r->control->stated) = *ev;
    if (ev->waits.kind < sizeof kind / sizeof *kind)
        sb_waits_set(r->waits, ev->waits.mfa, kind[ev->waits.kind]);
}

static void
on_place(struct sb_run *r, const struct sb_event *ev)
{
    *SB_PUSH(&r->control->stated) = *ev;
}

bool
sb_control_is_stated(uint8_t kind)
{
    return kind == SB_EV_waits || kind == SB_EV_place;
}

const struct sb_event *
sb_control_stated(const struct sb_control *c, size_t n)
{
    return n < c->stated.n ? &c->stated.at[n] : NULL;
}

void
sb_control_restart(struct sb_control *c)
{
    c->stated.n = 0;
}

const struct sb_event *
sb_control_cpus(const struct sb_control *c, unsigned node)
{
    for (size_t i = 0; i < c->trace_facts.n; i++)
        if (c->trace_facts.at[i].kind == SB_EV_cpus && sb_actor_node(c->trace_facts.at[i].who) == node)
            return &c->trace_facts.at[i];
    return NULL;
}

static void
on_trace_fact(struct sb_run *r, const struct sb_event *ev)
{
    *SB_PUSH(&r->control->trace_facts) = *ev;
}

/* ---- the window ---- */

static void
on_sample(struct sb_run *r, const struct sb_event *ev)
{
    sb_quiet_sample(r, ev);
}

static void
on_counter(struct sb_run *r, const struct sb_event *ev)
{
    sb_counted_take(r, ev);
}

#define on_nothing NULL
#define SLOT(...)
#define EVENT(id, tag, class, group, rank, marks, control, ...) [SB_EV_##id] = on_##control,
static void (*const on[SB_EVENT_KINDS])(struct sb_run *r, const struct sb_event *ev) = {
#include "trace/event.def"
};
#undef EVENT
#undef SLOT

bool
sb_control_wants(const struct sb_run *r, uint8_t kind)
{
    return on[kind] != NULL && (on[kind] != on_in || r->facts.loses);
}

void
sb_control_ahead(struct sb_run *r, const struct sb_items *events)
{
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = sb_item_event(events->at[i]);
        if (sb_control_is_stated(ev->kind))
            on[ev->kind](r, ev);
    }
}

void
sb_control_samples(struct sb_run *r, const struct sb_items *events)
{
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = sb_item_event(events->at[i]);
        if (on[ev->kind] == on_sample)
            on_sample(r, ev);
    }
}

void
sb_control_window(struct sb_run *r, const struct sb_items *events, const struct sb_items *named)
{
    sb_arena_reset(&r->control->arena);
    for (size_t i = 0; i < events->n; i++) {
        const struct sb_event *ev = sb_item_event(events->at[i]);
        if (on[ev->kind] != on_sample && !sb_control_is_stated(ev->kind))
            on[ev->kind](r, ev);
    }
    resolve_all(r, named);
}

void
sb_control_schedulers(struct sb_run *r, const struct sb_items *events)
{
    for (size_t i = 0; i < events->n; i++)
        if (is_of_scheduler(sb_item_event(events->at[i])))
            sb_lanes_activity(r, sb_item_event(events->at[i]));
}

/* ---- the end ---- */

static void
loss_row(struct sb_run *r, const struct sb_event *ev)
{
    int64_t c[SB_N_loss] = {[SB_C_loss__node] = sb_node_id(r, sb_actor_node(ev->who)),
                            [SB_C_loss__events] = ev->drop.events == SB_UNKNOWN
                                                      ? SB_NULL
                                                      : (int64_t)sb_amount_sum(0, ev->drop.events),
                            [SB_C_loss__bytes] = SB_NULL,
                            [SB_C_loss__at] = sb_rel(r, ev->at_ns)};
    c[SB_C_loss__class] = sb_build_text(
        r->services.build, sb_str_of(ev->drop.class < SB_CLASSES ? sb_class_names[ev->drop.class] : "any"));
    c[SB_C_loss__stream] = SB_NULL;
    sb_build_row(r->services.build, SB_T_loss, c);
}

void
sb_control_finish(struct sb_run *r)
{
    struct sb_control *c = r->control;
    sb_lanes_finish(r);
    for (size_t i = 0; i < c->losses.n; i++)
        loss_row(r, &c->losses.at[i]);
    if (c->to_nobody > 0) {
        char text[24];
        size_t n = (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)c->to_nobody);
        sb_build_meta(r->services.build, SB_STR("sends_to_unknown_names"), (struct sb_str){text, n});
    }
    for (size_t i = 0; i < c->trace_facts.n; i++)
        if (c->trace_facts.at[i].kind == SB_EV_profile_opts)
            sb_build_meta(r->services.build, SB_STR("profile_opts"),
                          sb_names_str(r->names, c->trace_facts.at[i].profile_opts.opts));
}
