#include "live/drain/trigger.h"
#include "base/map.h"
#include "base/table.h"
#include "base/vec.h"
#include "live/drain/trigger_names.h"
#include "trace/sbt/wire_record.h"

enum { FIRED = 16, LATELY = 1 << 13 };

struct trigger {
    struct sb_when when;
    int64_t held_ns;  /* the last time that it held; 0: never */
    int64_t since_ns; /* a run queue: over the limit since then; 0: it is not */
    sb_actor server;  /* a call: the process of that name; 0: none */
};

struct scan { /* of a ring */
    uint64_t number;
    uint32_t bytes; /* read of this chunk */
    struct sb_wire_state state;
    int64_t in_ns; /* a process runs since then; 0: none does, or unknown */
    sb_actor runs;
};

struct call { /* a request that has no answer yet */
    sb_actor client;
    unsigned trigger;
    int64_t sent_ns;
    bool waits; /* the client was scheduled out in gen:do_call/4 */
};

struct sb_triggers {
    const struct sb_layout *layout;
    struct sb_chunk *copy; /* of the chunk that is read */
    int64_t window_ns;
    struct trigger *trigger;
    unsigned n;
    bool in_node; /* none but `log`: records need no look */
    struct sb_trigger_names names;
    struct scan *scan;
    int64_t queued, queued_ns; /* processes in run queues, at a tick */
    SB_VEC(struct call) call;
    struct lately { /* the last time that a process was scheduled out elsewhere, by its hash */
        sb_actor who;
        int64_t out_ns;
    } * lately;
    struct sb_fired fired[FIRED];
    unsigned n_fired;
};

/* ---- firing */

static bool
is_new(struct sb_triggers *t, struct trigger *g, int64_t at_ns)
{
    bool again = g->held_ns == 0 || at_ns - g->held_ns > t->window_ns;
    g->held_ns = at_ns;
    return again && t->n_fired < FIRED;
}

/* About `one` and `other`, which may be 0. */
static void __attribute__((format(printf, 5, 6)))
fire(struct sb_triggers *t, int64_t at_ns, sb_actor one, sb_actor other, const char *fmt, ...)
{
    struct sb_fired *f = &t->fired[t->n_fired++];
    va_list args;
    *f = (struct sb_fired){.at_ns = at_ns, .about = {one, other}};
    va_start(args, fmt);
    vsnprintf(f->why, sizeof f->why, fmt, args);
    va_end(args);
}

bool
sb_triggers_next(struct sb_triggers *t, struct sb_fired *f)
{
    if (t->n_fired == 0)
        return false;
    *f = t->fired[0];
    memmove(t->fired, t->fired + 1, sizeof *t->fired * --t->n_fired);
    return true;
}

bool
sb_triggers_wait(const struct sb_triggers *t)
{
    return t->call.n > 0;
}

bool
sb_triggers_log(struct sb_triggers *t, int64_t at_ns)
{
    for (unsigned i = 0; i < t->n; i++)
        if (t->trigger[i].when.kind == SB_WHEN_LOG)
            return is_new(t, &t->trigger[i], at_ns);
    return false;
}

struct text {
    char at[40];
};

static struct text
name_of(sb_actor a)
{
    struct text t;
    snprintf(t.at, sizeof t.at, "<0.%u.%u>", sb_actor_number(a), sb_actor_serial(a));
    return t;
}

/* The process of the node that a text such as <0.7.0> names; 0: it names none. */
static sb_actor
actor_of(struct sb_str pid)
{
    unsigned number, serial;
    char text[40];
    snprintf(text, sizeof text, "%.*s", SB_STR_ARG(pid));
    return sscanf(text, "<0.%u.%u>", &number, &serial) == 2 ? sb_actor_make(SB_PID, 0, serial, number) : 0;
}

/* ---- samples of the VM */

static struct sb_str
key_of(const struct sb_wire_record *r)
{
    return r->text ? (struct sb_str){(const char *)r->text + 1, *r->text} : (struct sb_str){0};
}

static void
on_mailbox(struct sb_triggers *t, struct trigger *g, const struct sb_wire_record *r)
{
    struct sb_str key = key_of(r);
    int64_t n = r->ev.sample.value;
    if (n > g->when.limit && is_new(t, g, r->ev.at_ns))
        fire(t, r->ev.at_ns, actor_of(key), 0, "the mailbox of %.*s has %s messages", SB_STR_ARG(key),
             sb_human(n, SB_U_COUNT).text);
}

static void
on_memory(struct sb_triggers *t, struct trigger *g, const struct sb_wire_record *r)
{
    int64_t n = r->ev.sample.value;
    if (sb_str_eq(key_of(r), SB_STR("total")) && n > g->when.limit && is_new(t, g, r->ev.at_ns))
        fire(t, r->ev.at_ns, 0, 0, "the node's memory is %s", sb_human(n, SB_U_BYTES).text);
}

static void
on_queues(struct sb_triggers *t, struct trigger *g)
{
    if (t->queued <= g->when.limit) {
        g->since_ns = 0;
        return;
    }
    g->since_ns = g->since_ns ? g->since_ns : t->queued_ns;
    if (t->queued_ns - g->since_ns >= g->when.for_ns && is_new(t, g, t->queued_ns))
        fire(t, t->queued_ns, 0, 0, "%s processes are in run queues, more than %s for %s",
             sb_human(t->queued, SB_U_COUNT).text, sb_human(g->when.limit, SB_U_COUNT).text,
             sb_human(t->queued_ns - g->since_ns, SB_U_NS).text);
}

/* The queues of a tick are sampled one after another, from the first scheduler on. */
static void
take_queue(struct sb_triggers *t, const struct sb_wire_record *r)
{
    bool first = r->text && r->text[0] == 1 && r->text[1] == '1';
    if (first) {
        for (unsigned i = 0; i < t->n && t->queued_ns; i++)
            if (t->trigger[i].when.kind == SB_WHEN_RUN_QUEUE)
                on_queues(t, &t->trigger[i]);
        t->queued = 0;
        t->queued_ns = r->ev.at_ns;
    }
    t->queued += r->ev.sample.value;
}

static void
on_sample(struct sb_triggers *t, const struct sb_wire_record *r)
{
    uint32_t item = r->ev.sample.item;
    if (item == t->names.run_queue)
        take_queue(t, r);
    for (unsigned i = 0; i < t->n; i++) {
        struct trigger *g = &t->trigger[i];
        if (g->when.kind == SB_WHEN_MAILBOX && item == t->names.mailbox)
            on_mailbox(t, g, r);
        if (g->when.kind == SB_WHEN_MEMORY && item == t->names.memory)
            on_memory(t, g, r);
    }
}

/* ---- processes that do not yield */

static void
check_slice(struct sb_triggers *t, struct scan *s, int64_t now_ns, bool runs_still)
{
    for (unsigned i = 0; i < t->n && s->in_ns; i++) {
        struct trigger *g = &t->trigger[i];
        int64_t past = now_ns - s->in_ns;
        if (g->when.kind == SB_WHEN_NO_YIELD && past > g->when.limit && is_new(t, g, now_ns))
            fire(t, now_ns, s->runs, 0, runs_still ? "%s has not yielded for %s" : "%s did not yield for %s",
                 name_of(s->runs).at, sb_human(past, SB_U_NS).text);
    }
}

/* ---- calls: from the request until the client is scheduled out elsewhere, or the server sends to it */

static struct lately *
lately(struct sb_triggers *t, sb_actor who)
{
    return &t->lately[sb_mix64(who) % LATELY];
}

static void
end_call(struct sb_triggers *t, sb_actor client, int64_t at_ns)
{
    for (size_t i = t->call.n; i-- > 0;)
        if (t->call.at[i].client == client && t->call.at[i].sent_ns < at_ns)
            t->call.at[i] = t->call.at[--t->call.n];
}

static void
on_send(struct sb_triggers *t, const struct sb_event *ev)
{
    sb_actor to = ev->send.to;
    if (t->call.n > 0)
        end_call(t, ev->who, ev->at_ns);
    for (unsigned i = 0; i < t->n; i++) {
        struct trigger *g = &t->trigger[i];
        if (g->when.kind != SB_WHEN_CALL || !g->server)
            continue;
        if (ev->who == g->server && t->call.n > 0)
            end_call(t, to, ev->at_ns);
        bool is_ours = to == g->server || (sb_actor_kind(to) == SB_NAMED && !sb_actor_node(to) &&
                                           (to & UINT32_MAX) == t->names.server[i]);
        if (is_ours && lately(t, ev->who)->out_ns < ev->at_ns)
            *SB_PUSH(&t->call) = (struct call){ev->who, i, ev->at_ns, false};
    }
}

/* The client of a call is scheduled out in gen:do_call/4 only, until it has its answer. */
static void
on_out(struct sb_triggers *t, const struct sb_event *ev)
{
    bool in_call = t->names.do_call && ev->running.mfa == t->names.do_call;
    if (!in_call) {
        *lately(t, ev->who) = (struct lately){ev->who, ev->at_ns};
        if (t->call.n > 0)
            end_call(t, ev->who, ev->at_ns);
        return;
    }
    for (size_t i = 0; i < t->call.n; i++)
        t->call.at[i].waits |= t->call.at[i].client == ev->who && t->call.at[i].sent_ns <= ev->at_ns;
}

static void
check_calls(struct sb_triggers *t, int64_t now_ns)
{
    for (size_t i = t->call.n; i-- > 0;) {
        struct call c = t->call.at[i];
        struct trigger *g = &t->trigger[c.trigger];
        if (now_ns - c.sent_ns <= g->when.limit)
            continue;
        t->call.at[i] = t->call.at[--t->call.n];
        if (c.waits && is_new(t, g, now_ns))
            fire(t, now_ns, c.client, g->server, "a call of %s to %.*s takes longer than %s",
                 name_of(c.client).at, SB_STR_ARG(g->when.name), sb_human(g->when.limit, SB_U_NS).text);
    }
}

/* ---- names of servers */

static void
on_name(struct sb_triggers *t, sb_actor who, uint32_t name, bool has)
{
    for (unsigned i = 0; i < t->n && name; i++) {
        struct trigger *g = &t->trigger[i];
        if (g->when.kind == SB_WHEN_CALL && t->names.server[i] == name)
            g->server = has ? who : g->server == who ? 0 : g->server;
    }
}

/* ---- records */

static void
on_record(struct sb_triggers *t, struct scan *s, const struct sb_wire_record *r, bool is_scheduler)
{
    const struct sb_event *ev = &r->ev;
    switch (ev->kind) {
    case SB_EV_in:
        s->in_ns = is_scheduler && sb_actor_kind(ev->who) == SB_PID ? ev->at_ns : 0;
        s->runs = ev->who;
        break;
    case SB_EV_out:
    case SB_EV_out_exiting:
    case SB_EV_out_exited:
        check_slice(t, s, ev->at_ns, false);
        s->in_ns = 0;
        if (t->lately)
            on_out(t, ev);
        break;
    case SB_EV_exit:
        end_call(t, ev->who, ev->at_ns);
        break;
    case SB_EV_sample:
        on_sample(t, r);
        break;
    case SB_EV_send:
        if (t->lately)
            on_send(t, ev);
        break;
    case SB_EV_exists:
        on_name(t, ev->who, ev->exists.name, true);
        break;
    case SB_EV_registered:
        on_name(t, ev->who, ev->registered.name, true);
        break;
    case SB_EV_unregistered:
        on_name(t, ev->who, ev->unregistered.name, false);
        break;
    default:
        break;
    }
}

/* Reads on in a chunk. Losses before it may hide that a process was scheduled out. */
static void
scan_chunk(struct sb_triggers *t, unsigned ring, uint64_t number)
{
    struct scan *s = &t->scan[ring];
    uint64_t published = sb_layout_published(t->layout, ring, number);
    uint32_t bytes = (uint32_t)published;
    const struct sb_chunk *c = t->copy;
    if (s->number == number && bytes <= s->bytes)
        return;
    if (!sb_layout_copy_chunk(t->layout, ring, number, published, t->copy))
        return;
    bool is_scheduler = sb_lane_kind(c->lane) == SB_LANE_NORMAL;
    struct sb_wire_record r;
    if (s->number != number || s->bytes == 0) {
        s->number = number;
        s->bytes = 0;
        s->in_ns = c->gap_from_ns == SB_AT_UNKNOWN ? s->in_ns : 0;
        sb_wire_begin(&s->state, c->first_ns);
    }
    if (bytes <= s->bytes)
        return;
    sb_trigger_names_read(&t->names, t->layout); /* it has the names of all published records */
    const uint8_t *p = (const uint8_t *)(c + 1) + s->bytes, *end = (const uint8_t *)(c + 1) + bytes;
    while (p < end && (p = sb_wire_read(&s->state, p, end, &r)))
        on_record(t, s, &r, is_scheduler);
    s->bytes = bytes;
}

static void
scan_ring(struct sb_triggers *t, unsigned i, int64_t now_ns)
{
    const struct sb_ring *ring = sb_layout_ring(t->layout, i);
    struct scan *s = &t->scan[i];
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    for (uint64_t n = tail > s->number ? tail : s->number;
         n < head && head - n <= t->layout->ring[i].n_chunks; n++)
        scan_chunk(t, i, n);
    if (atomic_load(&ring->gap_from_ns) != SB_AT_UNKNOWN)
        s->in_ns = 0;
    check_slice(t, s, now_ns, true);
}

void
sb_triggers_look(struct sb_triggers *t, int64_t now_ns)
{
    if (t->in_node)
        return;
    for (unsigned i = 0; i < t->layout->n_rings; i++)
        scan_ring(t, i, now_ns);
    check_calls(t, now_ns);
}

/* ---- opening */

bool
sb_triggers_open(struct sb_triggers **out, const struct sb_layout *l, const char *const *when, unsigned n,
                 int64_t window_ns, struct sb_err *e)
{
    struct sb_triggers *t = sb_realloc_or_die(NULL, sizeof *t);
    *t = (struct sb_triggers){.layout = l, .window_ns = window_ns, .n = n, .in_node = true};
    t->trigger = sb_realloc_or_die(NULL, sizeof *t->trigger * (n + 1));
    t->scan = sb_zeroed_or_die(l->n_rings, sizeof *t->scan);
    t->copy = sb_realloc_or_die(NULL, l->largest);
    *out = t;
    for (unsigned i = 0; i < n; i++) {
        t->trigger[i] = (struct trigger){0};
        SB_TRY(sb_when_read(&t->trigger[i].when, when[i], e));
        t->in_node &= t->trigger[i].when.kind == SB_WHEN_LOG;
        if (t->trigger[i].when.kind == SB_WHEN_CALL) {
            t->names.name[i] = t->trigger[i].when.name;
            if (!t->lately)
                t->lately = sb_zeroed_or_die(LATELY, sizeof *t->lately);
        }
    }
    return true;
}

void
sb_triggers_close(struct sb_triggers *t)
{
    if (!t)
        return;
    SB_VEC_FREE(&t->call);
    free(t->lately);
    free(t->trigger);
    free(t->scan);
    free(t->copy);
    free(t);
}
