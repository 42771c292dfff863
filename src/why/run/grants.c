#include "why/run/grants.h"

enum { FEWEST = 10 /* late turns */ };

struct reading {
    const struct sb_evidence *x;
    int64_t server;
    uint32_t *late; /* by process.id: its late turns */
    bool *has;      /* by process.id: it has a turn now */
    int64_t *asked; /* by process.id: when its last message was received */
    struct sb_grants g;
    int64_t now,
        by_clients; /* turns that are out; late ones that a client gave back which waited late itself */
};

/* A message of a client that has a turn gives it back; one of a client that has none asks for it. */
static void
take(struct reading *r, const struct sb_letter *l)
{
    r->now -= r->has[l->sender];
    r->has[l->sender] = false;
    r->asked[l->sender] = l->received;
}

/* The turn is late if the server waited after the client had asked, until another client wrote. */
static void
grant(struct reading *r, int32_t client, int32_t trigger, int64_t woke, bool counts)
{
    bool is_late = trigger > 0 && trigger != client && r->asked[client] < woke;
    r->now += !r->has[client];
    r->has[client] = true;
    r->g.at_once = r->now > r->g.at_once ? r->now : r->g.at_once;
    r->late[client] += is_late && !counts;
    r->g.all += counts;
    r->g.late += is_late && counts;
    r->by_clients += is_late && counts && r->late[trigger] > 0;
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
                trigger = x->letter[in].sender;
                take(r, &x->letter[in]);
            }
        for (; step < a->first + a->n && x->step[step].start + x->step[step].dur < out->sent; step++)
            if (x->step[step].wait != SB_WAIT_NONE)
                woke = x->step[step].start + x->step[step].dur + x->step[step].wait_ns;
        if (out->receiver > 0)
            grant(r, out->receiver, trigger, woke, counts);
    }
}

static void
forget_turns(struct reading *r)
{
    for (uint64_t id = 0; id < r->x->n_actors; id++) {
        r->g.clients += r->late[id] > 0;
        r->has[id] = false;
        r->asked[id] = INT64_MAX;
    }
    r->now = 0;
}

/*
 * In a queue of items, too, a message of one process leads to a reply to another; but the producers there do not wait.
 * At a barrier all go on at once.
 */
struct sb_grants
sb_grants_of(const struct sb_evidence *x, struct sb_arena *a, int64_t server)
{
    struct reading r = {.x = x,
                        .server = server,
                        .late = SB_NEW_N(a, uint32_t, x->n_actors + 1),
                        .has = SB_NEW_N(a, bool, x->n_actors + 1),
                        .asked = SB_NEW_N(a, int64_t, x->n_actors + 1)};
    forget_turns(&r);
    go_through(&r, false);
    forget_turns(&r);
    go_through(&r, true);
    bool is_one = r.g.late >= FEWEST && 3 * r.g.late >= r.g.all && 2 * r.by_clients >= r.g.late &&
                  r.g.at_once < r.g.clients;
    return is_one ? r.g : (struct sb_grants){0};
}
