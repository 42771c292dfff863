#include "live/watch/tally.h"
#include "base/order.h"
#include "trace/kind.h"

void
sb_tally_sums_add(struct sb_tally_sums *to, const struct sb_tally_sums *s)
{
    to->core_ns += s->core_ns;
    to->gc_ns += s->gc_ns;
    to->dirty_ns += s->dirty_ns;
    to->slices += s->slices;
    to->sends += s->sends;
    to->receives += s->receives;
}

void
sb_tally_init(struct sb_tally *t, const struct sb_names *names, int64_t from_ns)
{
    *t =
        (struct sb_tally){.names = names, .from_ns = from_ns, .last_from_ns = from_ns, .last_to_ns = from_ns};
}

void
sb_tally_close(struct sb_tally *t)
{
    for (size_t i = 0; i < t->process.n; i++)
        free(t->process.at[i].label);
    SB_VEC_FREE(&t->process);
    SB_VEC_FREE(&t->lane);
    SB_VEC_FREE(&t->senders);
    SB_VEC_FREE(&t->last_senders);
    sb_map_close(&t->place);
    sb_map_close(&t->sent);
}

struct sb_tally_process *
sb_tally_find(const struct sb_tally *t, sb_actor who)
{
    const uint32_t *at = sb_map_get(&t->place, who);
    return at ? &t->process.at[*at] : NULL;
}

struct sb_tally_process *
sb_tally_process(struct sb_tally *t, sb_actor who)
{
    struct sb_tally_process *p = SB_AT_KEY(&t->place, who, &t->process, .who = who,
                                           .memory = SB_TALLY_UNKNOWN, .mailbox = SB_TALLY_UNKNOWN);
    p->seen = t->sweep;
    return p;
}

static void
forget(struct sb_tally *t, size_t i)
{
    struct sb_tally_process *p = &t->process.at[i], *last = &t->process.at[t->process.n - 1];
    free(p->label);
    sb_map_del(&t->place, p->who);
    if (p != last) {
        *p = *last;
        *sb_map_put(&t->place, p->who, NULL) = (uint32_t)i;
    }
    t->process.n--;
}

/* ---- what runs on a thread */

static void
add_span(struct sb_tally_sums *to, int64_t ns, int64_t gc_ns, bool dirty)
{
    to->core_ns += ns;
    to->gc_ns += gc_ns;
    to->dirty_ns += dirty ? ns - gc_ns : 0;
}

/* Adds the time that the process of a thread has run until `at_ns`; it may continue to run. */
static void
settle(struct sb_tally *t, struct sb_tally_lane *l, int64_t at_ns)
{
    int64_t ns = at_ns > l->since_ns ? at_ns - l->since_ns : 0, gc_ns = 0;
    if (l->gc_ns != SB_TALLY_UNKNOWN) {
        gc_ns = at_ns > l->gc_ns ? at_ns - l->gc_ns : 0;
        gc_ns = gc_ns < ns ? gc_ns : ns;
    }
    if (l->running && ns > 0) {
        bool dirty = sb_lane_kind(l->lane) == SB_LANE_DIRTY_CPU || sb_lane_kind(l->lane) == SB_LANE_DIRTY_IO;
        add_span(&sb_tally_process(t, l->running)->now, ns, gc_ns, dirty);
        add_span(&l->now, ns, gc_ns, dirty);
    }
    l->since_ns = at_ns > l->since_ns ? at_ns : l->since_ns;
}

/* A collection's time is added when it ends, or with the rest of the window. */
static void
collects(struct sb_tally *t, struct sb_tally_lane *l, int64_t at_ns, bool begins)
{
    settle(t, l, at_ns);
    l->gc_ns = begins ? at_ns : SB_TALLY_UNKNOWN;
}

static void
run(struct sb_tally *t, struct sb_tally_lane *l, sb_actor who, int64_t at_ns)
{
    settle(t, l, at_ns);
    l->running = who;
    l->gc_ns = SB_TALLY_UNKNOWN;
}

/* A thread whose first event is not that something is scheduled in has run that process all the time before it. After
 * a loss it is not known for how long. */
static void
notice(struct sb_tally_lane *l, const struct sb_event *ev, int64_t at_ns)
{
    bool in = ev->kind == SB_EV_in || ev->kind == SB_EV_in_exiting;
    if (l->seen || sb_kinds[ev->kind].class == SB_PROCS) /* these come between two windows, too */
        return;
    l->seen = true;
    if (in || l->lossy)
        l->since_ns = at_ns;
    l->running = in ? 0 : ev->who;
    if (ev->kind == SB_EV_gc_minor_end || ev->kind == SB_EV_gc_major_end)
        l->gc_ns = l->since_ns;
}

static struct sb_tally_lane *
lane_of(struct sb_tally *t, unsigned ring)
{
    while (t->lane.n <= ring)
        *SB_PUSH(&t->lane) =
            (struct sb_tally_lane){.lane = SB_LANE_NONE, .since_ns = t->from_ns, .gc_ns = SB_TALLY_UNKNOWN};
    return &t->lane.at[ring];
}

static void
lose(struct sb_tally_lane *l)
{
    l->seen = false;
    l->lossy = true;
    l->running = 0;
    l->gc_ns = SB_TALLY_UNKNOWN;
}

/* ---- messages */

static void
count_sender(struct sb_tally *t, const struct sb_event *ev)
{
    const struct sb_tally_process *p = t->watched ? sb_tally_find(t, t->watched) : NULL;
    sb_actor to = ev->send.to;
    bool by_name =
        p && p->name && sb_actor_kind(to) == SB_NAMED && sb_actor_node(to) == 0 && (uint32_t)to == p->name;
    if (!p || (to != t->watched && !by_name))
        return;
    SB_AT_KEY(&t->sent, ev->who, &t->senders, .who = ev->who)->messages++;
}

SB_ORDER(most_first, struct sb_tally_sender, SB_DOWN(messages) ?: SB_UP(who))

static void
end_senders(struct sb_tally *t)
{
    t->last_senders.n = 0;
    for (size_t i = 0; i < t->senders.n; i++)
        *SB_PUSH(&t->last_senders) = t->senders.at[i];
    SB_SORT(&t->last_senders, most_first);
    t->senders.n = 0;
    sb_map_clear(&t->sent);
}

void
sb_tally_watch(struct sb_tally *t, sb_actor who, int64_t now_ns)
{
    if (who == t->watched)
        return;
    t->watched = who;
    t->watched_ns = now_ns;
    t->senders.n = t->last_senders.n = 0;
    sb_map_clear(&t->sent);
}

/* ---- processes */

static void
born(struct sb_tally *t, sb_actor who, const struct sb_event *ev)
{
    struct sb_tally_process *p = sb_tally_process(t, who);
    p->entry = ev->birth.entry ? ev->birth.entry : ev->birth.mfa;
}

/* A task of Elixir has the function that it runs as its entry. */
static void
enters(struct sb_tally *t, const struct sb_event *ev)
{
    struct sb_tally_process *p = sb_tally_process(t, ev->who);
    struct sb_str module = sb_names_str(t->names, sb_names_mfa_of(t->names, p->entry).m);
    if (p->entry && sb_str_eq(module, SB_STR("Elixir.Task.Supervised")))
        p->entry = ev->entry.mfa;
}

/* Facts hold whatever the window, in which counts are of this window alone. */
static void
add_fact(struct sb_tally *t, const struct sb_event *ev)
{
    switch (ev->kind) {
    case SB_EV_spawn:
        born(t, ev->spawn.child, ev);
        break;
    case SB_EV_spawned:
        born(t, ev->who, ev);
        break;
    case SB_EV_entry:
        enters(t, ev);
        break;
    case SB_EV_exists:
        sb_tally_process(t, ev->who)->name = ev->exists.name;
        sb_tally_process(t, ev->who)->entry = ev->exists.entry;
        break;
    case SB_EV_exit:
        sb_tally_process(t, ev->who)->ended = true;
        break;
    case SB_EV_registered:
        sb_tally_process(t, ev->who)->name = ev->registered.name;
        break;
    case SB_EV_unregistered:
        sb_tally_process(t, ev->who)->name = 0;
        break;
    default:
        break;
    }
}

static void
add_count(struct sb_tally *t, struct sb_tally_lane *l, const struct sb_event *ev)
{
    struct sb_tally_sums *of = &sb_tally_process(t, ev->who)->now;
    switch (ev->kind) {
    case SB_EV_in:
    case SB_EV_in_exiting:
        of->slices++;
        l->now.slices++;
        break;
    case SB_EV_send:
    case SB_EV_send_dead:
        of->sends++;
        count_sender(t, ev);
        break;
    case SB_EV_receive:
        of->receives += !(ev->flags & SB_EVF_TIMEOUT);
        break;
    default:
        break;
    }
}

static void
add_time(struct sb_tally *t, struct sb_tally_lane *l, const struct sb_event *ev, int64_t at_ns)
{
    switch (ev->kind) {
    case SB_EV_in:
    case SB_EV_in_exiting:
        run(t, l, ev->who, at_ns);
        break;
    case SB_EV_out:
    case SB_EV_out_exiting:
    case SB_EV_out_exited:
        run(t, l, 0, at_ns);
        break;
    case SB_EV_gc_minor_start:
    case SB_EV_gc_major_start:
        collects(t, l, at_ns, true);
        break;
    case SB_EV_gc_minor_end:
    case SB_EV_gc_major_end:
        collects(t, l, at_ns, false);
        break;
    default:
        break;
    }
}

void
sb_tally_add(struct sb_tally *t, unsigned ring, const struct sb_event *ev)
{
    struct sb_tally_lane *l = lane_of(t, ring);
    int64_t at_ns = ev->at_ns > t->from_ns ? ev->at_ns : t->from_ns;
    if (ev->kind == SB_EV_drop) {
        settle(t, l, at_ns);
        lose(l);
        return;
    }
    l->lane = ev->lane;
    if (sb_actor_kind(ev->who) != SB_PID || sb_actor_node(ev->who) != 0)
        return;
    notice(l, ev, at_ns);
    add_time(t, l, ev, at_ns);
    if (ev->at_ns >= t->from_ns)
        add_count(t, l, ev);
    add_fact(t, ev);
}

/* ---- windows */

void
sb_tally_end_window(struct sb_tally *t, int64_t to_ns)
{
    for (size_t i = 0; i < t->lane.n; i++) {
        struct sb_tally_lane *l = &t->lane.at[i];
        settle(t, l, to_ns);
        if (l->gc_ns != SB_TALLY_UNKNOWN)
            l->gc_ns = to_ns;
        l->last = l->now;
        l->now = (struct sb_tally_sums){0};
    }
    for (size_t i = 0; i < t->process.n;) {
        struct sb_tally_process *p = &t->process.at[i];
        static const struct sb_tally_sums none;
        if (p->ended && memcmp(&p->now, &none, sizeof none) == 0) {
            forget(t, i);
            continue;
        }
        p->ran |= p->now.slices > 0 || p->now.core_ns > 0;
        p->last = p->now;
        p->now = none;
        i++;
    }
    end_senders(t);
    t->every_ns = to_ns - t->last_to_ns;
    t->last_from_ns = t->from_ns;
    t->last_to_ns = to_ns;
    t->from_ns = to_ns;
}

void
sb_tally_begin_window(struct sb_tally *t, int64_t from_ns)
{
    for (size_t i = 0; i < t->lane.n; i++) {
        sb_lane lane = t->lane.at[i].lane;
        struct sb_tally_sums last = t->lane.at[i].last;
        t->lane.at[i] = (struct sb_tally_lane){
            .lane = lane, .since_ns = from_ns, .gc_ns = SB_TALLY_UNKNOWN, .last = last};
    }
    for (size_t i = 0; i < t->process.n; i++) {
        t->process.at[i].now = (struct sb_tally_sums){0};
        t->process.at[i].ran = true; /* for all that is known */
    }
    t->senders.n = 0;
    sb_map_clear(&t->sent);
    t->from_ns = from_ns;
}

void
sb_tally_end_sweep(struct sb_tally *t)
{
    enum { SWEEPS_KEPT = 2 };
    t->sweep++;
    for (size_t i = 0; i < t->process.n;)
        if (t->sweep - t->process.at[i].seen > SWEEPS_KEPT)
            forget(t, i);
        else
            i++;
}
