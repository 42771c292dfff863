#include "live/drain/known.h"

enum { WAITING = 0, RUNNING = 2, NOT_RECORDED = 6 }; /* exists.status, see trace/event.def */

static struct sb_known_actor *
find(const struct sb_known *k, sb_actor who)
{
    const uint32_t *place = sb_map_get(&k->place, who);
    return place ? &k->actor.at[*place] : NULL;
}

static struct sb_known_actor *
add(struct sb_known *k, sb_actor who)
{
    return SB_AT_KEY(&k->place, who, &k->actor, .who = who, .status = SB_UNKNOWN32);
}

static void
set_name(struct sb_known *k, struct sb_known_actor *a, uint32_t name)
{
    a->name = name;
    if (name)
        *sb_map_put(&k->named, name, NULL) = (uint32_t)(a - k->actor.at);
}

static void
born(struct sb_known *k, sb_actor child, sb_actor parent, uint32_t entry)
{
    if (!child)
        return;
    struct sb_known_actor *a = add(k, child);
    a->parent = parent ? parent : a->parent;
    a->entry = a->entry ? a->entry : entry;
}

static void
ended(struct sb_known *k, sb_actor who)
{
    struct sb_known_actor *a = add(k, who); /* its birth may be applied later */
    if (!a->is_gone)
        *SB_PUSH(&k->gone) = who;
    a->is_gone = true;
}

static void
moved(struct sb_known *k, const struct sb_event *ev, bool runs)
{
    struct sb_known_actor *a = find(k, ev->who);
    if (!a || ev->at_ns < a->moved_ns)
        return;
    a->moved_ns = ev->at_ns;
    a->runs = runs;
    a->in = ev->running.mfa;
}

static void
mailed(struct sb_known *k, const struct sb_event *ev)
{
    sb_actor to = ev->send.to;
    struct sb_known_actor *a;
    if (sb_actor_kind(to) == SB_NAMED) {
        const uint32_t *place = sb_actor_node(to) ? NULL : sb_map_get(&k->named, to & UINT32_MAX);
        a = place ? &k->actor.at[*place] : NULL;
    } else
        a = find(k, to);
    if (a && a->mail_ns < ev->at_ns)
        a->mail_ns = ev->at_ns;
}

static void
existed(struct sb_known *k, const struct sb_event *ev)
{
    struct sb_known_actor *a = add(k, ev->who);
    a->parent = ev->exists.parent;
    a->entry = ev->exists.entry;
    a->status = ev->exists.status;
    set_name(k, a, ev->exists.name);
}

static void
unnamed(struct sb_known *k, const struct sb_event *ev)
{
    struct sb_known_actor *a = find(k, ev->who);
    if (a && a->name == ev->unregistered.name) {
        sb_map_del(&k->named, a->name);
        a->name = 0;
    }
}

static void
counted(struct sb_known *k, uint32_t mfa)
{
    for (size_t i = 0; i < k->counted.n; i++)
        if (k->counted.at[i] == mfa)
            return;
    *SB_PUSH(&k->counted) = mfa;
}

void
sb_known_apply(struct sb_known *k, const struct sb_wire_record *r)
{
    const struct sb_event *ev = &r->ev;
    k->events++;
    switch (ev->kind) {
    case SB_EV_in:
    case SB_EV_in_exiting:
        moved(k, ev, true);
        break;
    case SB_EV_out:
    case SB_EV_out_exiting:
        moved(k, ev, false);
        break;
    case SB_EV_send:
        mailed(k, ev);
        break;
    case SB_EV_spawn:
        born(k, ev->spawn.child, ev->who, ev->spawn.entry);
        break;
    case SB_EV_spawned:
        born(k, ev->who, ev->spawned.parent, ev->spawned.entry);
        break;
    case SB_EV_open:
        born(k, ev->who, ev->open.owner, 0);
        break;
    case SB_EV_entry:
        add(k, ev->who)->entry = ev->entry.mfa;
        break;
    case SB_EV_exists:
        existed(k, ev);
        break;
    case SB_EV_registered:
        set_name(k, add(k, ev->who), ev->registered.name);
        break;
    case SB_EV_unregistered:
        unnamed(k, ev);
        break;
    case SB_EV_exit:
    case SB_EV_out_exited:
    case SB_EV_closed:
        ended(k, ev->who);
        break;
    case SB_EV_counter:
        counted(k, ev->counter.mfa);
        break;
    default:
        break;
    }
}

/* Forgets an actor; the last one takes its place. */
static void
forget(struct sb_known *k, sb_actor who)
{
    struct sb_known_actor *a = find(k, who), *last = &k->actor.at[k->actor.n - 1];
    const uint32_t *named = a && a->name ? sb_map_get(&k->named, a->name) : NULL;
    if (!a)
        return;
    if (named && k->actor.at[*named].who == who)
        sb_map_del(&k->named, a->name);
    sb_map_del(&k->place, who);
    if (a != last) {
        *a = *last;
        uint32_t place = (uint32_t)(a - k->actor.at);
        *sb_map_put(&k->place, a->who, NULL) = place;
        named = a->name ? sb_map_get(&k->named, a->name) : NULL;
        if (named && *named == k->actor.n - 1)
            *sb_map_put(&k->named, a->name, NULL) = place;
    }
    k->actor.n--;
}

void
sb_known_settle(struct sb_known *k)
{
    for (size_t i = 0; i < k->gone.n; i++)
        forget(k, k->gone.at[i]);
    k->gone.n = 0;
}

/* Whether a process waits at the end of the records. A message since it was scheduled out may have ended that. */
static uint32_t
status(const struct sb_known_actor *a, const uint8_t *waits, size_t n_waits)
{
    if (a->status == NOT_RECORDED && a->moved_ns == 0)
        return NOT_RECORDED;
    if (a->moved_ns == 0)
        return a->mail_ns ? SB_UNKNOWN32 : a->status;
    if (a->runs)
        return RUNNING;
    bool waiting = a->in < n_waits && waits[a->in] && a->mail_ns <= a->moved_ns;
    return waiting ? WAITING : SB_UNKNOWN32;
}

bool
sb_known_record(const struct sb_known *k, size_t i, int64_t at_ns, const uint8_t *waits, size_t n_waits,
                struct sb_wire_record *r)
{
    bool is_actor = i < k->actor.n;
    if (!is_actor && i - k->actor.n >= k->counted.n)
        return false;
    *r = (struct sb_wire_record){.ev = sb_event_of(is_actor ? SB_EV_exists : SB_EV_counter)};
    r->ev.at_ns = at_ns;
    if (!is_actor) {
        r->ev.counter.mfa = k->counted.at[i - k->actor.n];
        return true;
    }
    const struct sb_known_actor *a = &k->actor.at[i];
    r->ev.who = a->who;
    r->ev.exists.parent = a->parent;
    r->ev.exists.name = a->name;
    r->ev.exists.entry = a->entry;
    r->ev.exists.status = status(a, waits, n_waits);
    return true;
}

void
sb_known_close(struct sb_known *k)
{
    SB_VEC_FREE(&k->actor);
    SB_VEC_FREE(&k->gone);
    SB_VEC_FREE(&k->counted);
    sb_map_close(&k->place);
    sb_map_close(&k->named);
}
