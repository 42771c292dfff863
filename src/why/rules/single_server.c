#include "why/find/finding.h"
#include "base/order.h"

extern const struct sb_rule sb_rule_own_work;

SB_RULE(single_server) = {
    .name = "single_server",
    .looks_for =
        "one process does the work of many that wait for its replies, while schedulers have nothing to run",
    .erlang = "do the work in the caller, with the data in ETS or persistent_term; or start several servers "
              "and choose one by key",
    .elixir = "do the work in the caller, with the data in ETS or :persistent_term; or use "
              "PartitionSupervisor with one server a key",
    .serializes = true,
    .of_work = true,
    .of_requests = true,
    .find = find,
};

struct candidate {
    int64_t process, busy_ns, alone_ns, spare_ns, waited_ns;
};

static void
measure(const struct sb_why *w, struct candidate *c)
{
    SB_SCOPED struct sb_ranges queue = {0}, work = {0};
    sb_awaits_of(&w->awaits, c->process, &queue);
    sb_slices_of(&w->x, c->process, &work);
    sb_ranges_cut(&work, &queue);
    c->waited_ns = sb_ranges_ns(&queue);
    c->busy_ns = sb_ranges_ns(&work);
    c->spare_ns = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
    c->alone_ns = sb_ranges_within(&work, &w->x.level, SB_LEVEL_ALONE);
}

/* "; 8 of its 400 requests, 40.0 ms each on average, were 78 % of its work": those that others wait for. Work for other
 * messages that were in its mailbox before a request would look like work for that. */
static const char *
few_long(const struct sb_why *w, int64_t process)
{
    enum { FEWEST = 40, TIMES = 10, SHARE = 20 };
    const struct sb_server_row *s = NULL;
    for (size_t i = 0; i < w->servers.n; i++)
        s = w->servers.at[i].process == process ? &w->servers.at[i] : s;
    int64_t taken = w->x.inbox[process + 1] - w->x.inbox[process];
    if (!s || s->replies < FEWEST || taken * 10 > s->replies * 11)
        return "";
    SB_SCOPED SB_VEC(int64_t) work = {0};
    int64_t all = 0, ns = 0, n = 0;
    for (int64_t i = 0; i < s->replies; i++) {
        *SB_PUSH(&work) = w->servers.trips.at[s->first + (size_t)i].work_ns;
        all += work.at[i];
    }
    qsort(work.at, work.n, sizeof *work.at, sb_by_number);
    int64_t like = 0; /* a long one: half of the work was in those that took as much */
    for (; n < s->replies && (2 * ns < all || 2 * work.at[s->replies - 1 - n] >= like); n++) {
        like = 2 * ns < all ? work.at[s->replies - 1 - n] : like;
        ns += work.at[s->replies - 1 - n];
    }
    return SHARE * n > s->replies || like < TIMES * work.at[work.n / 2] || ns <= 0
               ? ""
               : sb_words(w->arena, "; %s of its %s requests, %s each on average, were %d %% of its work",
                          sb_words_count(w->arena, n), sb_words_count(w->arena, s->replies),
                          sb_words_ns(w->arena, ns / n), sb_percent(ns, all));
}

static void
put(struct sb_why *w, const struct candidate *c)
{
    int64_t high = sb_why_serial_most(w, c->busy_ns);
    struct sb_finding f = {
        .process = c->process,
        .gain = {sb_why_spread(w, c->alone_ns) / 2, sb_why_serial_gain(w, c->busy_ns, c->spare_ns), high},
        .split = (uint32_t)w->x.schedulers,
        .bound = sb_why_serial_words(w, c->busy_ns, c->spare_ns),
        .confidence = 2 * c->busy_ns >= w->x.span_ns ? "high" : "medium",
        .evidence = "SELECT * FROM server WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s processes waited for %s, which serves one at a time: it was at work %d %% of the time "
               "that somebody waited for it%s%s%s",
               sb_words_count(w->arena, w->awaits.clients[c->process]), sb_why_who(w, c->process),
               sb_percent(c->busy_ns, c->waited_ns), sb_why_dirty(w, c->process), few_long(w, c->process),
               sb_why_hot(w, c->process, false, NULL));
}

/* Processes that were started alike and serve too, with half as much work at least: together they are a pool. Two of
 * them, and registered ones, are no group. */
static int64_t
servers_like(const struct sb_why *w, int64_t process)
{
    const struct sb_actor *a = &w->x.actor[process];
    int64_t n = 0;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *b = &w->x.actor[id];
        bool alike = b == a || (a->entry > 0 && b->entry == a->entry && b->parent == a->parent);
        n += alike && w->awaits.clients[id] > 0 && 2 * b->work_ns >= a->work_ns;
    }
    return n;
}

static void
find(struct sb_why *w)
{
    if (w->x.schedulers < 2)
        return;
    SB_EACH_PRESENT (&w->x, id) {
        struct candidate c = {.process = id};
        if (w->awaits.clients[id] < 2 || w->x.actor[id].service != SB_SERVICE_NONE ||
            sb_why_has_alike(w, id, &sb_rule_own_work) || !sb_why_is_material(w, w->x.actor[id].work_ns))
            continue;
        measure(w, &c);
        if (10 * c.busy_ns >= 3 * c.waited_ns && servers_like(w, c.process) < w->x.schedulers)
            put(w, &c);
    }
}
