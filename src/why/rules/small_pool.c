#include "why/find/finding.h"
#include "why/run/grants.h"

SB_RULE(small_pool) = {
    .name = "small_pool",
    .looks_for = "callers that wait for a pool whose workers, or turns, are always taken: fewer than "
                 "schedulers, or they wait",
    .erlang = "start as many workers, or let as many processes work at a time, as "
              "erlang:system_info(schedulers_online), or more if they wait themselves",
    .elixir =
        "set the size of the pool to System.schedulers_online(), or more if the workers wait themselves",
    .serializes = true,
    .of_requests = true,
    .find = find,
};

static const struct sb_cure of_lock = {
    .where = "it is a lock",
    .erlang = "hold the lock for less time: do what waits or takes long before it is taken or after it is "
              "given back; or take a lock for each key or file",
};

static const struct sb_cure of_turns = {
    .where = "it hands out what its callers use themselves",
    .erlang = "use it for less time: do what waits, such as a call of another service, before it is taken "
              "or after it is given back; or make the pool larger",
};

struct pool {
    int64_t process, worker;
    int64_t workers, taken_ns, work_ns, waited_ns; /* of the worker that was taken longest */
    struct sb_ranges queue;                        /* when callers waited for the pool */
};

static bool
is_client(const struct sb_why *w, int64_t server, int32_t client)
{
    for (uint32_t i = w->awaits.first[server]; i < w->awaits.first[server + 1]; i++)
        if (w->awaits.at[i].is_request && w->awaits.at[i].client == client)
            return true;
    return false;
}

/* True if all that wait for the process wait for the pool at other times. */
static bool
serves_the_same(const struct sb_why *w, int64_t process, int64_t pool)
{
    int32_t last = 0;
    for (uint32_t i = w->awaits.first[process]; i < w->awaits.first[process + 1]; i++) {
        int32_t client = w->awaits.at[i].client;
        if (!w->awaits.at[i].is_request)
            continue;
        if (client != last && !is_client(w, pool, client))
            return false;
        last = client;
    }
    return last != 0;
}

/* Adds the times from each request to its reply, and the slices. */
static void
taken_of(const struct sb_why *w, int64_t worker, struct sb_ranges *out)
{
    const struct sb_evidence *x = &w->x;
    uint32_t reply = x->outbox[worker], end = x->outbox[worker + 1];
    for (uint32_t i = x->inbox[worker]; i < x->inbox[worker + 1]; i++) {
        int64_t from = x->letter[i].received;
        while (reply < end && x->letter[x->by_sender[reply]].sent < from)
            reply++;
        if (from != SB_NULL && reply < end && x->letter[x->by_sender[reply]].receiver == x->letter[i].sender)
            sb_ranges_add(out, from, x->letter[x->by_sender[reply]].sent);
    }
    sb_slices_of(x, worker, out);
}

static void
add_workers(const struct sb_why *w, struct pool *p)
{
    SB_EACH_PRESENT (&w->x, id) {
        SB_SCOPED struct sb_ranges taken = {0};
        if (id == p->process || w->awaits.clients[id] == 0 || !serves_the_same(w, id, p->process))
            continue;
        taken_of(w, id, &taken);
        sb_ranges_cut(&taken, &p->queue);
        int64_t ns = sb_ranges_ns(&taken);
        p->workers += 10 * ns >= p->waited_ns;
        if (ns > p->taken_ns) {
            p->taken_ns = ns;
            p->worker = id;
        }
    }
    p->work_ns = p->worker ? sb_work_within(&w->x, p->worker, &p->queue) : 0;
}

static bool
waits_itself(const struct pool *p)
{
    return 2 * p->work_ns < p->taken_ns;
}

/* A worker that waits leaves its scheduler to others, so more workers use what is free while callers wait. */
static struct sb_finding
gain_of(const struct sb_why *w, const struct pool *p)
{
    SB_SCOPED struct sb_ranges work = {0};
    sb_slices_of(&w->x, p->worker, &work);
    int64_t busy = sb_ranges_ns(&work), spare = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
    int64_t alone = sb_ranges_within(&work, &w->x.level, SB_LEVEL_ALONE);
    if (waits_itself(p)) {
        int64_t free = sb_ranges_within(&p->queue, &w->x.level, SB_LEVEL_SPARE);
        return (struct sb_finding){
            .gain = {0, sb_least(free, sb_why_headroom(w)), p->waited_ns},
        };
    }
    return (struct sb_finding){
        .gain = {sb_least(alone, spare) / 2, sb_why_serial_gain(w, busy, spare),
                 sb_least(sb_why_spread(w, busy), sb_why_headroom(w))},
    };
}

static void
put(struct sb_why *w, const struct pool *p)
{
    struct sb_finding f = gain_of(w, p);
    f.process = p->process;
    f.with = p->worker;
    f.subject = sb_why_who(w, p->process);
    f.confidence = "high";
    f.evidence = "SELECT who(id), run_ns, wait_ns FROM process WHERE id IN ({process}, {with})";
    sb_why_put(w, f,
               "%s processes waited %s for %s, which hands out %lld %s; %s was taken %d %% of that time%s",
               sb_words_count(w->arena, w->awaits.clients[p->process]), sb_words_ns(w->arena, p->waited_ns),
               sb_why_who(w, p->process), (long long)p->workers, p->workers == 1 ? "worker" : "workers",
               sb_why_who(w, p->worker), sb_percent(p->taken_ns, p->waited_ns),
               waits_itself(p) ? ", and waited for something else itself most of it" : "");
}

/* A pool of turns has no workers: its callers do the work, a few at a time. With one turn it is a lock. */
static void
put_turns(struct sb_why *w, const struct pool *p, const struct sb_grants *g)
{
    int64_t free = sb_ranges_within(&p->queue, &w->x.level, SB_LEVEL_SPARE);
    const char *who = sb_why_who(w, p->process);
    struct sb_finding f = {
        .process = p->process,
        .subject = who,
        .gain = {0, sb_least(free, sb_why_headroom(w)), p->waited_ns},
        .confidence = "medium",
        .evidence = "SELECT * FROM server WHERE process = {process}",
        .cure = g->at_once == 1 ? &of_lock : &of_turns,
    };
    sb_why_put(w, f,
               "%s lets only %lld of %s processes work at a time%s: %s times one began only when another "
               "had ended, and at least one waited for %s",
               who, (long long)g->at_once, sb_words_count(w->arena, g->clients),
               g->at_once == 1 ? ", as a lock does" : "", sb_words_count(w->arena, g->late),
               sb_words_ns(w->arena, p->waited_ns));
}

/* A pool is idle while its callers wait: neither does it work, nor does it wait for something on their behalf. */
static bool
is_idle(const struct sb_why *w, const struct pool *p)
{
    SB_SCOPED struct sb_ranges idle = {0};
    sb_gaps_of(&w->x, p->process, SB_WAIT_IDLE, &idle);
    sb_ranges_unite(&idle);
    sb_ranges_cut(&idle, &p->queue);
    int64_t ns = sb_ranges_ns(&idle);
    return 2 * ns > p->waited_ns;
}

static void
look_at(struct sb_why *w, int64_t id)
{
    struct pool p = {.process = id};
    struct sb_grants turns;
    sb_awaits_of(&w->awaits, id, &p.queue);
    p.waited_ns = sb_ranges_ns(&p.queue);
    if (sb_why_is_material(w, p.waited_ns) && is_idle(w, &p)) {
        add_workers(w, &p);
        if (p.workers > 0 && (p.workers < w->x.schedulers || waits_itself(&p)) &&
            10 * p.taken_ns >= 7 * p.waited_ns)
            put(w, &p);
        else if ((turns = sb_grants_of(&w->x, id)).clients > 0)
            put_turns(w, &p, &turns);
    }
    SB_VEC_FREE(&p.queue);
}

static void
find(struct sb_why *w)
{
    if (w->x.schedulers < 2)
        return;
    SB_EACH_PRESENT (&w->x, id)
        if (w->awaits.clients[id] > 1 && w->x.actor[id].service == SB_SERVICE_NONE)
            look_at(w, id);
}
