/*
 * Aligns the clocks of several nodes. A message that is known at both ends was received after it was sent,
 * which bounds the clocks of its two nodes:
 *
 *     sent by A at s, received by B at r:   B - A  <=  r - s
 *
 * The VM stamps a send to another node after it handed the message over, which on a busy machine may be after
 * the message was received. It certainly left after the sender's previous event. So the errors are computed
 * from the stamps before the sends, and the offsets from the stamps of the sends themselves where possible.
 *
 * Nodes of one boot of one kernel have one clock, whatever their messages say.
 *
 * The bounds of all pairs of nodes are closed together (clock_bounds.h): between nodes with messages in both
 * directions, each clock has an interval, and the error is guaranteed. Other clocks are placed by wall time,
 * within the existing bounds, and their error is unknown. Messages are paired within (receiver, hash, size)
 * if only one node sent such messages and none is missing: the n-th sent is then not received after the
 * n-th received, whatever the order of delivery. Of equal messages, such as heartbeats, those at the beginning
 * may be missing, and each would be paired with the one before: they are used if their senders were born in
 * the trace.
 */
#include "engine/input/clock_bounds.h"
#include "base/order.h"
#include "engine/input/inputs.h"
#include "engine/world/lanes.h"

enum { MOST = 1 << 22 }; /* most ends to collect */

struct end {                   /* one end of a message */
    sb_actor receiver, sender; /* 0: of a receive */
    uint64_t class;            /* hash of receiver, message hash and size */
    int64_t at, began;         /* began: of a send, its sender's previous stamp; SB_AT_UNKNOWN: none */
    uint32_t node;             /* of the sender; for a receive, of the receiver */
    bool received;
};
struct act { /* an event of a process itself */
    sb_actor who;
    int64_t at;
};
struct ends {
    SB_VEC(struct end) of;
    /* node << 32 | name -> index in owners */
    struct sb_map owner;
    SB_VEC(sb_actor) owners;  /* 0: several processes had the name */
    struct sb_map is_sent_to; /* names that other nodes send to, also listed in names */
    SB_VEC(sb_actor) names;
    struct sb_map receivers; /* processes that other nodes send to */
    struct sb_map senders;   /* processes that send to other nodes */
    struct sb_map born;      /* processes whose birth is in the traces */
    SB_VEC(struct act) acts; /* events of the senders */
};

static uint64_t
class_of(sb_actor receiver, const struct sb_event *ev)
{
    return sb_mix64(sb_mix64(receiver) ^ (uint32_t)(ev->message.hash ^ ev->message.hash >> 32)) ^
           sb_mix64(ev->message.ext);
}

static uint64_t
name_key(unsigned node, uint32_t name)
{
    return (uint64_t)node << 32 | name;
}

static void
look_at_name(struct ends *all, const struct sb_event *ev)
{
    bool named = ev->kind == SB_EV_registered || ev->kind == SB_EV_exists;
    if (!named || !ev->named.name)
        return;
    uint32_t i = sb_map_place(&all->owner, name_key(sb_actor_node(ev->who), ev->named.name), all->owners.n);
    if (i == all->owners.n)
        *SB_PUSH(&all->owners) = ev->who;
    else if (all->owners.at[i] != ev->who)
        all->owners.at[i] = 0;
}

/* Returns the receiver of a send to `to`, or 0 if it is unknown. */
static sb_actor
receiver_of(const struct ends *all, sb_actor to)
{
    if (sb_actor_kind(to) != SB_NAMED)
        return sb_actor_kind(to) == SB_PID ? to : 0;
    const uint32_t *i = sb_map_get(&all->owner, name_key(sb_actor_node(to), (uint32_t)to));
    return i ? all->owners.at[*i] : 0;
}

static void
look_at_send(struct ends *all, const struct sb_event *ev)
{
    bool is_new = false;
    if (ev->kind != SB_EV_send || !ev->message.hash || sb_actor_node(ev->send.to) == sb_actor_node(ev->who))
        return;
    sb_map_put(&all->senders, ev->who, NULL);
    if (sb_actor_kind(ev->send.to) == SB_PID)
        sb_map_put(&all->receivers, ev->send.to, NULL);
    else if (sb_actor_kind(ev->send.to) == SB_NAMED)
        sb_map_put(&all->is_sent_to, ev->send.to, &is_new);
    if (is_new)
        *SB_PUSH(&all->names) = ev->send.to;
}

static void
look_at_birth(struct ends *all, const struct sb_event *ev)
{
    if (ev->kind == SB_EV_spawn || ev->kind == SB_EV_spawned)
        sb_map_put(&all->born, ev->kind == SB_EV_spawn ? ev->peer : ev->who, NULL);
}

static void
look_who(struct ends *all, const struct sb_event *ev)
{
    look_at_name(all, ev);
    look_at_send(all, ev);
    look_at_birth(all, ev);
}

/* Adds the owners of all names that other nodes send to; runs after all names are known. */
static void
find_named_receivers(struct ends *all)
{
    for (size_t i = 0; i < all->names.n; i++) {
        sb_actor to = receiver_of(all, all->names.at[i]);
        if (to)
            sb_map_put(&all->receivers, to, NULL);
    }
}

/* Uses only kinds that a replayed profile also has, so that a merge finds the same bounds. Scheduling and
 * garbage collection are excluded, since they may occur during a send. */
static void
look_at_act(struct ends *all, const struct sb_event *ev)
{
    bool is_act = ev->kind == SB_EV_send || ev->kind == SB_EV_send_dead || ev->kind == SB_EV_receive;
    if (is_act && all->acts.n < MOST && sb_map_get(&all->senders, ev->who))
        *SB_PUSH(&all->acts) = (struct act){ev->who, ev->at_ns};
}

static void
look_at_end(struct ends *all, const struct sb_event *ev)
{
    look_at_act(all, ev);
    sb_actor to = ev->kind == SB_EV_send ? receiver_of(all, ev->send.to) : 0;
    bool sent = to != 0, received = ev->kind == SB_EV_receive && !(ev->flags & SB_EVF_TIMEOUT);
    sb_actor receiver = sent ? to : ev->who;
    if ((!sent && !received) || !ev->message.hash || all->of.n >= MOST ||
        !sb_map_get(&all->receivers, receiver))
        return;
    struct sb_event key = *ev;
    if (ev->message.ext == SB_UNKNOWN)
        key.message.ext = 0;
    *SB_PUSH(&all->of) = (struct end){.receiver = receiver,
                                      .sender = sent ? ev->who : 0,
                                      .class = class_of(receiver, &key),
                                      .at = ev->at_ns,
                                      .began = SB_AT_UNKNOWN,
                                      .node = sb_actor_node(ev->who),
                                      .received = received};
}

/* ---- reading everything: blocks are decoded in parallel and examined in order */

enum { AT_ONCE = 16 };
struct reading {
    const struct sb_run *run;
    const struct sb_planned *first;
    struct sb_events events[AT_ONCE];
};

static void
decode(void *ctx, size_t i, unsigned worker)
{
    struct reading *g = ctx;
    g->events[i].n = 0;
    sb_inputs_decode(g->run, g->first[i].input, &g->first[i].b, worker, &g->events[i]);
}

static void
read_all(const struct sb_run *r, struct sb_pool *pool, struct ends *all,
         void (*look)(struct ends *all, const struct sb_event *ev))
{
    struct reading g = {.run = r};
    for (size_t at = 0, n; at < r->plan.n; at += n) {
        n = r->plan.n - at < AT_ONCE ? r->plan.n - at : AT_ONCE;
        g.first = &r->plan.at[at];
        sb_pool_each(pool, n, decode, &g);
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < g.events[i].n; k++)
                look(all, &g.events[i].at[k]);
    }
    for (size_t i = 0; i < AT_ONCE; i++)
        SB_VEC_FREE(&g.events[i]);
}

/* ---- bounds between two nodes ---- */

struct clocks {                       /* nodes of one boot, and inputs of one node, share one */
    struct sb_clock_bounds bounds;    /* from the stamps before the sends */
    struct sb_clock_bounds close;     /* from the stamps of the sends */
    size_t of_node[SB_ACTOR_NODES];   /* 1 + index; 0: the node has no trace */
    int64_t shift_ns[SB_ACTOR_NODES]; /* by node: added to its stamps to get its clock */
    bool loses[SB_ACTOR_NODES];       /* by node: events of its trace are missing, or it has several traces */
    struct sb_clock clock[SB_ACTOR_NODES];
};

SB_ORDER(by_class, struct end, SB_UP(receiver) ?: SB_UP(class) ?: SB_UP(received) ?: SB_UP(at))

/* Bounds the clocks of both nodes by a message that was sent at `sent_ns` or later. */
static void
add_bound(struct sb_clock_bounds *b, const struct clocks *c, const struct end *from, int64_t sent_ns,
          const struct end *to)
{
    sb_clock_bounds_add(b, c->of_node[from->node] - 1, c->of_node[to->node] - 1,
                        (__int128)to->at + c->shift_ns[to->node] - sent_ns - c->shift_ns[from->node]);
}

static bool
is_born(const struct ends *all, sb_actor who)
{
    return sb_map_get(&all->born, who) != NULL;
}

/* Whether one node sent all these messages, and sent none before. */
static bool
are_from_the_first(const struct ends *all, const struct end *at, size_t sent, const struct clocks *c)
{
    for (size_t i = 0; sent > 1 && i < sent; i++)
        if (at[i].node != at[0].node || c->loses[at[0].node] || !is_born(all, at[i].sender))
            return false;
    return true;
}

/* Uses the messages of one class, if all come from one other node and none is missing. */
static void
use_class(const struct ends *all, const struct end *at, size_t n, struct clocks *c)
{
    size_t sent = 0;
    while (sent < n && !at[sent].received)
        sent++;
    if (sent * 2 != n || at[0].node == at[n - 1].node || !are_from_the_first(all, at, sent, c))
        return;
    size_t from = c->of_node[at[0].node], to = c->of_node[at[n - 1].node];
    for (size_t i = 0; from && to && from != to && i < sent; i++) {
        add_bound(&c->close, c, &at[i], at[i].at, &at[sent + i]);
        if (at[i].began != SB_AT_UNKNOWN)
            add_bound(&c->bounds, c, &at[i], at[i].began, &at[sent + i]);
    }
}

static size_t
class_length(const struct end *at, size_t n)
{
    size_t i = 1;
    while (i < n && at[i].class == at[0].class)
        i++;
    return i;
}

/*
 * A hash may have as few as 16 bits, so unpaired messages could be paired by chance. Returns false for a
 * receiver with so many unpaired messages that this may have happened.
 */
static bool
is_certain(const struct end *at, size_t n)
{
    enum { BY_CHANCE = 1 << 6 }; /* one in a thousand of 65,536 hashes */
    uint64_t sent = 0, received = 0;
    for (size_t i = 0, k; i < n; i += k) {
        size_t here = 0;
        k = class_length(at + i, n - i);
        for (size_t m = i; m < i + k; m++)
            here += !at[m].received;
        sent += here * 2 == k ? 0 : here;
        received += here * 2 == k ? 0 : k - here;
    }
    return sent == 0 || received == 0 || (sent < BY_CHANCE && received <= BY_CHANCE / sent);
}

SB_ORDER(by_who, struct act, SB_UP(who) ?: SB_UP(at))

/* Returns the last stamp of that process before `at`. */
static int64_t
stamp_before(const struct ends *all, sb_actor who, int64_t at)
{
    size_t from = 0, to = all->acts.n;
    const struct act key = {who, at};
    SB_SEARCH(from, to, by_who(&all->acts.at[mid], &key) < 0);
    return from > 0 && all->acts.at[from - 1].who == who ? all->acts.at[from - 1].at : SB_AT_UNKNOWN;
}

static void
date_beginnings(struct ends *all)
{
    SB_SORT(&all->acts, by_who);
    for (size_t i = 0; i < all->of.n; i++)
        if (all->of.at[i].sender)
            all->of.at[i].began = stamp_before(all, all->of.at[i].sender, all->of.at[i].at);
}

static void
find_bounds(struct ends *all, struct clocks *c)
{
    SB_SORT(&all->of, by_class);
    for (size_t i = 0, j; i < all->of.n; i = j) {
        const struct end *at = &all->of.at[i];
        for (j = i + 1; j < all->of.n && all->of.at[j].receiver == at->receiver;)
            j++;
        bool certain = is_certain(at, j - i);
        for (size_t m = 0, k; certain && m < j - i; m += k) {
            k = class_length(at + m, j - i - m);
            use_class(all, at + m, k, c);
        }
    }
}

/* ---- offsets ---- */

static int64_t
wall_of(const struct sb_input *in)
{
    const struct sb_source_info *info = sb_source_info(in->source);
    return info->clock_is_wall ? 0 : info->clock.wall_ns;
}

static int64_t
wall_between(const struct sb_input *a, const struct sb_input *b)
{
    int64_t x = wall_of(a), y = wall_of(b), ns;
    return x == SB_AT_UNKNOWN || y == SB_AT_UNKNOWN || __builtin_sub_overflow(x, y, &ns) ? 0 : ns;
}

/* Returns by how much the stamps of `in` are behind those of the first input, if both count from one boot. */
static bool
is_one_clock(const struct sb_input *first, const struct sb_input *in, int64_t *behind_ns)
{
    const struct sb_source_info *a = sb_source_info(first->source), *b = sb_source_info(in->source);
    const int64_t limit = INT64_MAX / 8; /* what is further apart is damaged */
    return a->clock.boot.n > 0 && sb_str_eq(a->clock.boot, b->clock.boot) &&
           !__builtin_sub_overflow(b->clock.boot_ns, a->clock.boot_ns, behind_ns) && *behind_ns > -limit &&
           *behind_ns < limit;
}

static void
open_clocks(struct clocks *c, const struct sb_run *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->inputs.n; i++) {
        const struct sb_input *in = &r->inputs.at[i];
        for (size_t k = 0; k < i && !c->of_node[in->node]; k++)
            if (is_one_clock(&r->inputs.at[k], in, &c->shift_ns[in->node])) {
                c->of_node[in->node] = c->of_node[r->inputs.at[k].node];
                c->shift_ns[in->node] += c->shift_ns[r->inputs.at[k].node];
            }
        if (c->of_node[in->node])
            continue;
        c->shift_ns[in->node] = 0;
        c->clock[n++].guess_ns = wall_between(&r->inputs.at[0], in);
        c->of_node[in->node] = n;
    }
    sb_clock_bounds_init(&c->bounds, n);
    sb_clock_bounds_init(&c->close, n);
}

/* Two traces of a node without a creation may come from two VMs: only the boot or wall time relates their clocks. */
static void
set_offset(const struct sb_run *r, struct sb_input *in, const struct clocks *c)
{
    const struct sb_input *first = sb_input_of(r, in->node);
    const struct sb_clock *clock = &c->clock[c->of_node[in->node] - 1];
    int64_t behind_ns = 0;
    bool other =
        in != first && !is_one_clock(first, in, &behind_ns) && sb_source_info(in->source)->creation == 0;
    in->offset_ns = c->shift_ns[in->node] - clock->ahead_ns + (other ? wall_between(in, first) : behind_ns);
    in->error_ns = other ? SB_NULL : clock->error_ns;
    in->drift_ns = clock->drift_ns;
}

static void
look_for_bounds(const struct sb_run *look, struct sb_pool *pool, struct clocks *c)
{
    struct ends all = {0};
    read_all(look, pool, &all, look_who);
    find_named_receivers(&all);
    read_all(look, pool, &all, look_at_end);
    date_beginnings(&all);
    for (size_t i = 0; i < look->inputs.n; i++) {
        const struct sb_input *in = &look->inputs.at[i];
        c->loses[in->node] |=
            in != sb_input_of(look, in->node) || sb_source_loses(sb_source_info(in->source));
    }
    find_bounds(&all, c);
    SB_VEC_FREE(&all.acts);
    sb_map_close(&all.senders);
    sb_map_close(&all.born);
    SB_VEC_FREE(&all.of);
    SB_VEC_FREE(&all.names);
    sb_map_close(&all.is_sent_to);
    sb_map_close(&all.receivers);
    sb_map_close(&all.owner);
    SB_VEC_FREE(&all.owners);
}

/* Uses the offsets from the stamps of the sends if the certain bounds allow them; the errors always come
 * from the certain bounds. */
static void
solve(struct clocks *c)
{
    struct sb_clock likely[SB_ACTOR_NODES];
    memcpy(likely, c->clock, sizeof likely);
    sb_clock_bounds_solve(&c->close, likely);
    bool possible = sb_clock_bounds_allow(&c->bounds, likely);
    sb_clock_bounds_solve(&c->bounds, c->clock);
    for (size_t i = 0; possible && i < c->bounds.n; i++) {
        struct sb_clock *k = &c->clock[i];
        k->ahead_ns = likely[i].ahead_ns;
        int64_t above = k->high_ns - k->ahead_ns, below = k->ahead_ns - k->low_ns;
        if (i > 0 && k->error_ns != SB_NULL)
            k->error_ns = above > below ? above : below;
    }
}

static bool
look_at_traces(struct sb_run *look, struct sb_pool *pool, struct sb_err *e)
{
    SB_TRY(sb_inputs_plan(look, e));
    struct clocks *c = sb_zeroed_or_die(1, sizeof *c);
    open_clocks(c, look);
    look_for_bounds(look, pool, c);
    solve(c);
    for (size_t i = 0; i < look->inputs.n; i++) {
        struct sb_input *in = &look->inputs.at[i];
        set_offset(look, in, c);
    }
    sb_clock_bounds_close(&c->bounds);
    sb_clock_bounds_close(&c->close);
    free(c);
    return true;
}

/* Opens the traces a second time for this, so that damage counted during decoding is counted once. */
bool
sb_clocks_align(const struct sb_run *r, const char *const *paths, size_t n, struct sb_err *e)
{
    r->inputs.at[0].error_ns = 0;
    if (r->inputs.n == 1)
        return true;
    struct sb_run look = {.o = r->o, .services.workers = r->services.workers, .merges = r->merges};
    bool ok = sb_inputs_open(&look, paths, n, e) && look_at_traces(&look, r->services.pool, e);
    for (size_t i = 0; ok && i < r->inputs.n; i++) {
        r->inputs.at[i].offset_ns = look.inputs.at[i].offset_ns;
        r->inputs.at[i].error_ns = look.inputs.at[i].error_ns;
        r->inputs.at[i].drift_ns = look.inputs.at[i].drift_ns;
    }
    sb_inputs_close(&look);
    sb_lanes_close(&look.lanes);
    return ok;
}
