#include "why/find/alike.h"
#include "why/find/finding.h"
#include "profile/scan_row.h"

SB_RULE(tick_load) = {
    .name = "tick_load",
    .looks_for =
        "many processes of one kind that timers wake all the time, and that then send nothing: most of the "
        "work is looking whether something is due",
    .erlang = "set one timer for the time at which something is due, and set it again only when that "
              "changes; or look "
              "for all of them in one process, seldom",
    .of_work = true,
    .find = find,
};

enum { PROCESSES = 10, FEWEST = 1000, MANY = 10, LEAST_PERCENT = 25 };

struct ticking {           /* a process */
    struct sb_alike alike; /* by the messages that no process sent to it */
    int64_t sent;
};

/* What comes from a port comes from outside as well. */
static bool *
find_owners(const struct sb_why *w)
{
    bool *owns = SB_NEW_N(w->arena, bool, w->x.n_actors);
    SB_SCAN(s, w->x.profile, port, owner);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[owner][i] >= 1 && s.value[owner][i] < w->x.n_actors)
            owns[s.value[owner][i]] = true;
    return owns;
}

/* False if others write to it as well, or it works for them. */
static bool
read_ticks(const struct sb_why *w, int64_t id, struct ticking *t)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t ticks = 0, others = 0;
    for (uint32_t i = w->x.inbox[id]; i < w->x.inbox[id + 1]; i++) {
        bool is_tick = w->x.letter[i].sender <= 0 && w->x.letter[i].asker == 0;
        ticks += is_tick;
        others += !is_tick;
    }
    *t = (struct ticking){sb_alike(w->x.actor, id, ticks), w->x.outbox[id + 1] - w->x.outbox[id]};
    return a->like > 0 && a->is_program && ticks > MANY * others && ticks > MANY * t->sent;
}

static void
put(struct sb_why *w, const struct ticking *t, size_t n)
{
    int64_t ticks = 0, sent = 0, ns = 0;
    for (size_t i = 0; i < n; i++) {
        ticks += t[i].alike.most;
        sent += t[i].sent;
        ns += w->x.actor[t[i].alike.id].work_ns;
    }
    if (n < PROCESSES || ticks < sb_why_fewest(w, FEWEST) || 100 * ns < LEAST_PERCENT * w->x.work_ns)
        return;
    struct sb_finding f = {
        .process = t->alike.id,
        .gain = {SB_NULL, SB_NULL, ns},
        .confidence = "medium",
        .evidence = "SELECT who(id), receives, sends, run_ns FROM process ORDER BY receives DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "%s processes started alike, such as %s, got %s messages that no process sent, as of timers, "
               "and sent "
               "%s: their work was %d %% of all, %s for each of the messages",
               sb_words_count(w->arena, (int64_t)n), sb_why_who(w, t->alike.id),
               sb_words_count(w->arena, ticks), sent == 0 ? "none" : sb_words_count(w->arena, sent),
               sb_percent(ns, w->x.work_ns), sb_words_ns(w->arena, ns / ticks));
}

static void
find(struct sb_why *w)
{
    SB_VEC(struct ticking) v = {0};
    const bool *owns = find_owners(w);
    struct ticking t;
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.actor[id].receives >= MANY && !owns[id] && read_ticks(w, id, &t))
            *SB_PUSH(&v) = t;
    SB_EACH_ALIKE (&v, from, to)
        put(w, &v.at[from], to - from);
    SB_VEC_FREE(&v);
}
