#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_small_pool = {
    .name = "small_pool",
    .looks_for =
        "callers that wait for a pool whose workers are fewer than the schedulers and always at work",
    .erlang =
        "start as many workers as erlang:system_info(schedulers_online), or more if they wait themselves",
    .elixir =
        "set the size of the pool to System.schedulers_online(), or more if the workers wait themselves",
    .serializes = true,
    .find = find,
};

struct pool {
    int64_t process, worker;
    int64_t workers, busy_ns, waited_ns;
    struct sb_ranges queue; /* when callers waited for the pool */
};

static bool
is_client(const struct sb_why *w, int64_t server, int32_t client)
{
    for (uint32_t i = w->awaits.first[server]; i < w->awaits.first[server + 1]; i++)
        if (w->awaits.at[i].client == client)
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
        if (client != last && !is_client(w, pool, client))
            return false;
        last = client;
    }
    return last != 0;
}

static void
add_workers(const struct sb_why *w, struct pool *p)
{
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        if ((int64_t)id == p->process || w->awaits.clients[id] == 0 ||
            !serves_the_same(w, (int64_t)id, p->process))
            continue;
        int64_t busy = sb_work_within(&w->x, (int64_t)id, &p->queue);
        p->workers += 10 * busy >= p->waited_ns;
        if (busy > p->busy_ns) {
            p->busy_ns = busy;
            p->worker = (int64_t)id;
        }
    }
}

static void
put(struct sb_why *w, const struct pool *p)
{
    struct sb_ranges work = {0};
    sb_slices_of(&w->x, p->worker, &work);
    int64_t busy = sb_ranges_ns(&work), spare = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
    int64_t alone = sb_ranges_within(&work, &w->x.level, SB_LEVEL_ALONE);
    SB_VEC_FREE(&work);
    sb_why_put(
        w, (struct sb_finding){
               .process = p->process,
               .with = p->worker,
               .subject = sb_why_who(w, p->process),
               .title = sb_why_printf(
                   w,
                   "%u processes waited %.*s for %.*s, which hands out %lld %s; %.*s was at work %d %% of "
                   "that time",
                   w->awaits.clients[p->process], SB_STR_ARG(sb_why_ns(w, p->waited_ns)),
                   SB_STR_ARG(sb_why_who(w, p->process)), (long long)p->workers,
                   p->workers == 1 ? "worker" : "workers", SB_STR_ARG(sb_why_who(w, p->worker)),
                   sb_percent(p->busy_ns, p->waited_ns)),
               .low_ns = sb_least(alone, spare) / 2,
               .gain_ns = sb_why_serial_gain(w, busy, spare),
               .high_ns = sb_least(sb_why_spread(w, busy), sb_why_headroom(w)),
               .confidence = "high",
               .evidence =
                   sb_why_printf(w, "SELECT who(id), run_ns, wait_ns FROM process WHERE id IN (%lld, %lld)",
                                 (long long)p->process, (long long)p->worker),
           });
}

/* A pool works little itself, and lets its callers wait. */
static void
look_at(struct sb_why *w, int64_t id)
{
    struct pool p = {.process = id};
    sb_awaits_of(&w->awaits, id, &p.queue);
    p.waited_ns = sb_ranges_ns(&p.queue);
    if (sb_why_is_material(w, p.waited_ns) && 4 * sb_work_within(&w->x, id, &p.queue) < p.waited_ns) {
        add_workers(w, &p);
        if (p.workers > 0 && p.workers < w->x.schedulers && 10 * p.busy_ns >= 7 * p.waited_ns)
            put(w, &p);
    }
    SB_VEC_FREE(&p.queue);
}

static void
find(struct sb_why *w)
{
    for (uint64_t id = 1; id < w->x.n_actors && w->x.schedulers > 1; id++)
        if (w->awaits.clients[id] > 1 && w->x.actor[id].service == SB_SERVICE_NONE)
            look_at(w, (int64_t)id);
}
