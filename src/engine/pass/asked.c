/*
 * On whose behalf a process was started. A supervisor starts a child while it handles a request, and then replies:
 *
 *     caller      -- request -->                            <-- reply --
 *     supervisor                 | spawn child | its init |
 *
 * The first message that it sends to a process whose request it has not answered is the reply, and the children that
 * it spawned since that request were started for that process. A supervisor that waits for messages has handled
 * all of them, so it owes no reply, unless it waits for the child.
 *
 * Where that does not show who asked, it stays unknown: for requests without a reply; for processes that the
 * supervisor asks itself; for its own children, which may get a message for any reason; and for its parent, which
 * hands work to a new process in a message, until the supervisor has sent its parent one, as supervisors do.
 */
#include "engine/edges/edges.h"
#include "engine/pass/pass.h"
#include "engine/world/actors.h"
#include "engine/world/waits.h"

static sb_pass_fn on_arrival, on_spawn, on_send, on_in, on_out;
static void free_asked(struct sb_proc *p);
static void gather(const struct sb_run *r);
static void put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);

static const struct sb_on on[] = {{SB_EV_send, SB_ARRIVAL, on_arrival},
                                  {SB_EV_spawn, SB_OWN, on_spawn},
                                  {SB_EV_send, SB_OWN, on_send},
                                  {SB_EV_out, SB_OWN, on_out},
                                  {SB_EV_in, SB_OWN, on_in}};

const struct sb_pass sb_pass_asked = {
    "asked",    "who asked for a process", SB_ON_N(on),           .free = free_asked,
    .put = put, .gather = gather,          .reads = "life.parent"};

static void
on_arrival(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_asked *a = p->asking.all;
    struct sb_asker last = {x->sender, ev->at_ns};
    if (!a)
        p->asking.last = last; /* most processes start none: they need no more */
    else
        a->asker[a->asks++ % SB_ASKERS] = last;
}

static void
on_spawn(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    int64_t child = sb_actors_id(x->run, ev->spawn.child, ev->at_ns);
    if (!p->asking.all) {
        p->asking.all = sb_realloc_or_die(NULL, sizeof *p->asking.all);
        *p->asking.all = (struct sb_asked){.asker = {p->asking.last}, .asks = 1};
    }
    if (child == SB_NULL)
        return;
    *SB_PUSH(&p->asking.all->child) = (struct sb_asker){(uint32_t)child, ev->at_ns};
    sb_map_put(&p->asking.all->children, (uint64_t)child, NULL);
}

/* Returns the request of that process; NULL: it has none that was not answered. */
static struct sb_asker *
request_of(struct sb_asked *a, uint32_t who)
{
    for (uint32_t i = 0; i < SB_ASKERS && i < a->asks; i++) {
        struct sb_asker *k = &a->asker[(a->asks - 1 - i) % SB_ASKERS];
        if (k->who == who)
            return k;
    }
    return NULL;
}

/* A message to a process without a known request may be the reply to one that is not known. */
static void
on_send(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    bool to_parent = ev->send.to == p->life.parent;
    struct sb_asked *a = p->asking.all;
    int64_t to = a ? sb_actors_id(x->run, ev->send.to, ev->at_ns) : SB_NULL;
    struct sb_asker *request = to != SB_NULL ? request_of(a, (uint32_t)to) : NULL;
    bool knows = request && (!to_parent || p->asking.told_parent);
    p->asking.told_parent |= to_parent;
    if (to == SB_NULL || sb_map_get(&a->children, (uint64_t)to))
        return;
    for (size_t i = 0; knows && i < a->child.n; i++)
        if (a->child.at[i].at >= request->at)
            *SB_PUSH(&x->asked) = (struct sb_asked_by){
                .child = a->child.at[i].who, .parent = p->id, .asker = (uint32_t)to, .by_parent = to_parent};
    a->child.n = 0;
    if (request)
        request->who = 0;
}

/* It waits for a message, for no reply of its own: in a call it asks on behalf of its caller. */
static bool
is_idle(const struct sb_part *x, const struct sb_event *ev)
{
    const struct sb_names *names = x->run->names;
    return ev->out.mfa && sb_waits_of(x->run->waits, ev->out.mfa) != SB_WAITS_NEVER &&
           !sb_str_eq(sb_names_str(names, sb_names_mfa_of(names, ev->out.mfa).m), SB_STR("gen"));
}

static void
on_in(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (p->asking.all)
        p->asking.all->in_at = ev->at_ns;
}

/* What came while it ran may be handled or not. */
static void
on_out(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_asked *a = p->asking.all;
    if (!a)
        p->asking.last.who = 0;
    else if (a->child.n == 0 && a->asks > 0 && is_idle(x, ev))
        for (uint32_t i = 0; i < SB_ASKERS && i < a->asks; i++)
            a->asker[i].who = a->asker[i].at < a->in_at ? 0 : a->asker[i].who;
}

static void
free_asked(struct sb_proc *p)
{
    if (p->asking.all) {
        SB_VEC_FREE(&p->asking.all->child);
        sb_map_close(&p->asking.all->children);
    }
    free(p->asking.all);
    p->asking.all = NULL;
}

/* ---- after the last event ---- */

/* When the first message of a pair was sent. */
struct firsts {
    struct sb_map pair; /* sb_edge_pair -> index in `at` */
    SB_VEC(int64_t) at;
};

static int64_t *
first_of(const struct firsts *f, uint32_t sender, uint32_t receiver)
{
    const uint32_t *i = sb_map_get(&f->pair, sb_edge_pair(sender, receiver));
    return i ? &f->at.at[*i] : NULL;
}

static void
want(struct firsts *f, uint32_t sender, uint32_t receiver)
{
    (void)SB_AT_KEY(&f->pair, sb_edge_pair(sender, receiver), &f->at, INT64_MAX);
}

/* Each pair comes once, so workers write to different places. A walk ends with a batch without rows. */
static void
note_first(void *ctx, unsigned worker, const struct sb_edge *e, struct sb_rows *rows)
{
    int64_t *at = first_of(ctx, e->sender, e->receiver);
    (void)worker;
    sb_rows_put(rows, SB_T_message_edge, 0, 0);
    if (at)
        *at = e->first;
}

static void
read_firsts(const struct sb_run *r, struct firsts *f)
{
    struct sb_edge_walk *walk = sb_edges_walk(r, note_first, f);
    while (sb_edges_next(walk))
        ;
    sb_edges_end(walk);
}

/* Of two processes that talk to each other, the one that wrote first asks. */
static void
gather(const struct sb_run *r)
{
    struct firsts f = {0};
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].asked.n; k++) {
            want(&f, r->part[i].asked.at[k].asker, r->part[i].asked.at[k].parent);
            want(&f, r->part[i].asked.at[k].parent, r->part[i].asked.at[k].asker);
        }
    if (f.at.n > 0)
        read_firsts(r, &f);
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < r->part[i].asked.n; k++) {
            const struct sb_asked_by *a = &r->part[i].asked.at[k];
            if (a->by_parent || *first_of(&f, a->asker, a->parent) < *first_of(&f, a->parent, a->asker))
                *sb_map_put(&r->part[0].asked_by, a->child, NULL) = a->asker;
        }
    sb_map_close(&f.pair);
    SB_VEC_FREE(&f.at);
}

static void
put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const uint32_t *by = sb_map_get(&r->part[0].asked_by, p->id);
    c[SB_C_process__asked_by] = by ? *by : SB_NULL;
}
