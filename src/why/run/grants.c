#include "why/run/grants.h"

enum { FEWEST = 10 /* late turns */ };

struct reading {
    const struct sb_evidence *x;
    int64_t server;
    bool by_role;       /* leaves out those that it asks */
    struct sb_turn *of; /* by process.id */
    struct sb_grants g;
    int64_t now,
        by_clients; /* turns that are out; late ones that a client gave back which waited late itself */
};

/* A message of a client that has a turn gives it back; one of a client that has none asks for it. */
static void
take(struct reading *r, const struct sb_letter *l)
{
    struct sb_turn *t = &r->of[l->sender];
    r->now -= t->has;
    t->has = false;
    t->has_asked = true;
    t->asked = l->received;
}

/* The turn is late if the server waited after the client had asked, until another client wrote. `woke`: the end of that
 * wait; SB_NULL: it was for a timer or for the reply of a call, as in a server that sleeps or asks another one in a
 * request and gets others meanwhile. */
static void
grant(struct reading *r, int32_t client, int32_t trigger, int64_t woke, bool counts)
{
    struct sb_turn *t = &r->of[client];
    if (!t->has_asked) /* as its parent has not, which it tells that it is there */
        return;
    bool is_late = trigger > 0 && trigger != client && t->asked < woke;
    r->now += !t->has;
    t->has = true;
    r->g.at_once = r->now > r->g.at_once ? r->now : r->g.at_once;
    r->g.clients += is_late && !counts && t->late == 0;
    t->late += is_late && !counts;
    r->g.all += counts;
    r->g.late += is_late && counts;
    r->by_clients += is_late && counts && r->of[trigger].late > 0;
}

/* A server that this one calls gives no turn back when it replies. Workers that it started do. */
static bool
is_client(const struct reading *r, int32_t other)
{
    return other > 0 && (!r->by_role || r->x->actor[other].parent == r->server ||
                         !sb_evidence_asks(r->x, r->server, other));
}

/* What it received and sent, in the order of time. */
static void
go_through(struct reading *r, bool counts)
{
    const struct sb_evidence *x = r->x;
    const struct sb_actor *a = &x->actor[r->server];
    uint32_t in = x->inbox[r->server], end = x->inbox[r->server + 1], step = a->first;
    int32_t trigger = 0;
    int64_t woke = x->t0;
    for (uint32_t i = x->outbox[r->server]; i < x->outbox[r->server + 1]; i++) {
        const struct sb_letter *out = &x->letter[x->by_sender[i]];
        for (; in < end && x->letter[in].received <= out->sent; in++)
            if (x->letter[in].received != SB_NULL) {
                trigger = is_client(r, x->letter[in].sender) ? x->letter[in].sender : 0;
                if (trigger)
                    take(r, &x->letter[in]);
            }
        for (; step < a->first + a->n && x->step[step].start + x->step[step].dur < out->sent; step++)
            if (x->step[step].wait != SB_WAIT_NONE)
                woke =
                    x->step[step].wait == SB_WAIT_TIMER || sb_is_call(sb_evidence_text(x, x->step[step].out))
                        ? SB_NULL
                        : x->step[step].start + x->step[step].dur + x->step[step].wait_ns;
        if (is_client(r, out->receiver))
            grant(r, out->receiver, trigger, woke, counts);
    }
}

static void
forget(struct reading *r, int32_t client, bool all)
{
    r->of[client] = (struct sb_turn){.late = all ? 0 : r->of[client].late};
}

/* The turns of those that it exchanged messages with, or all that was noted of them. */
static void
forget_turns(struct reading *r, bool all)
{
    const struct sb_evidence *x = r->x;
    for (uint32_t i = x->inbox[r->server]; i < x->inbox[r->server + 1]; i++)
        forget(r, x->letter[i].sender, all);
    for (uint32_t i = x->outbox[r->server]; i < x->outbox[r->server + 1]; i++)
        forget(r, x->letter[x->by_sender[i]].receiver, all);
    r->now = 0;
}

/*
 * In a queue of items, too, a message of one process leads to a reply to another; but the producers there do not wait.
 * At a barrier all go on at once.
 */
static struct sb_grants
find(const struct sb_evidence *x, int64_t server, bool by_role)
{
    struct reading r = {.x = x, .server = server, .by_role = by_role, .of = x->turn};
    go_through(&r, false);
    forget_turns(&r, false);
    go_through(&r, true);
    forget_turns(&r, true);
    bool is_one = r.g.late >= FEWEST && 3 * r.g.late >= r.g.all && 2 * r.by_clients >= r.g.late &&
                  r.g.at_once < r.g.clients;
    return is_one ? r.g : (struct sb_grants){0};
}

/* Who asks whom takes long to find out. */
struct sb_grants
sb_grants_of(const struct sb_evidence *x, int64_t server)
{
    struct sb_grants g = find(x, server, false);
    return g.clients > 0 ? find(x, server, true) : g;
}
