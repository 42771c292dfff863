#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_sequential_calls = {
    .name = "sequential_calls",
    .looks_for =
        "a process that makes one call after the other, with next to no work between, while nothing works",
    .erlang = "send all requests first (gen_server:send_request/2) and take the replies then, or ask for "
              "everything in one call",
    .elixir =
        "make the calls in parallel with Task.async and Task.await_many, or ask for everything in one call",
    .find = find,
};

enum { FEWEST = 10, SHORTEST_NS = 100000 };

struct burst {
    int64_t process;
    int64_t calls, waited_ns, longest_ns;
    struct sb_ranges waits;
};

/* A task is a child that is asked once: its owner started all of them before. */
static bool
is_task(const struct sb_why *w, int64_t process, int32_t server)
{
    int64_t n = 0;
    for (uint32_t i = w->awaits.first[server]; i < w->awaits.first[server + 1] && n < 2; i++)
        n += w->awaits.at[i].client == process;
    return w->x.actor[server].parent == process && n < 2;
}

/* Every wait for a reply that follows the one before with less work than the wait took. */
static void
collect(const struct sb_why *w, int64_t id, struct burst *b)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t last = SB_NULL, worked = 0, woke = w->x.t0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        worked += s->dur;
        if (s->wait == SB_WAIT_TIMER || s->wait == SB_WAIT_IDLE)
            last = SB_NULL;
        int64_t asked_from = woke;
        woke = s->wait != SB_WAIT_NONE ? s->start + s->dur + s->wait_ns : woke;
        if (s->wait != SB_WAIT_ASKED || s->wait_ns < SHORTEST_NS || sb_why_has(w, s->waker))
            continue;
        if (is_task(w, id, s->waker) ||
            !sb_evidence_sent_to(&w->x, id, s->waker, asked_from, s->start + s->dur))
            continue;
        if (last != SB_NULL && 2 * worked < s->wait_ns) {
            b->calls++;
            b->waited_ns += s->wait_ns;
            sb_ranges_add(&b->waits, s->start + s->dur, s->start + s->dur + s->wait_ns);
        }
        b->longest_ns = s->wait_ns > b->longest_ns ? s->wait_ns : b->longest_ns;
        last = s->start;
        worked = 0;
    }
    sb_ranges_unite(&b->waits);
}

static void
put(struct sb_why *w, int64_t id, const struct burst *b, int64_t idle)
{
    sb_why_put(
        w,
        (struct sb_finding){
            .process = id,
            .subject = sb_why_who(w, id),
            .title = sb_why_printf(
                w,
                "%.*s made %.*s calls one after the other and waited %.*s for each on average; nothing was "
                "at work for %.*s of that",
                SB_STR_ARG(sb_why_who(w, id)), SB_STR_ARG(sb_why_count(w, b->calls + 1)),
                SB_STR_ARG(sb_why_ns(w, b->waited_ns / b->calls)), SB_STR_ARG(sb_why_ns(w, idle))),
            .low_ns = 0,
            .gain_ns = idle - idle / (b->calls + 1),
            .high_ns = idle,
            .confidence = "medium",
            .evidence = sb_why_printf(
                w, "SELECT function, count, total_ns, max_ns FROM wait WHERE process = %lld", (long long)id),
        });
}

static void
find(struct sb_why *w)
{
    struct burst most = {0};
    int64_t most_idle = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        struct burst b = {0};
        if (w->x.actor[id].n < FEWEST || w->x.actor[id].service != SB_SERVICE_NONE ||
            sb_why_has(w, (int64_t)id))
            continue;
        collect(w, (int64_t)id, &b);
        int64_t idle = sb_ranges_within(&b.waits, &w->x.level, SB_LEVEL_IDLE);
        SB_VEC_FREE(&b.waits);
        if (b.calls >= FEWEST && idle > most_idle) {
            most = b;
            most.process = (int64_t)id;
            most_idle = idle;
        }
    }
    if (most_idle > 0)
        put(w, most.process, &most, most_idle);
}
