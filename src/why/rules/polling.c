#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_polling = {
    .name = "polling",
    .looks_for = "processes that sleep, look whether something happened, and sleep again",
    .erlang = "wait for a message in a receive, and let the process that has the news send it",
    .elixir = "wait for a message in receive or handle_info, and let the process that has the news send it",
    .needs_all = true,
    .find = find,
};

enum { FEWEST = 5, SHORT_NS = 2000000 };

/* Sleeps after which the process did little, sent nothing, and slept again. */
static int64_t
looks(const struct sb_why *w, int64_t id, struct sb_ranges *sleeps, int32_t *function)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t n = 0, slept = SB_NULL, worked = 0, slept_ns = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        int64_t from = s->start + s->dur;
        worked += s->dur;
        if (s->wait == SB_WAIT_NONE)
            continue;
        if (s->wait == SB_WAIT_TIMER && slept != SB_NULL && worked < SHORT_NS &&
            sb_evidence_sent(&w->x, id, slept, from) == 0) {
            n++;
            sb_ranges_add(sleeps, slept - slept_ns, slept);
            *function = s->out;
        }
        slept = s->wait == SB_WAIT_TIMER ? from + s->wait_ns : SB_NULL;
        slept_ns = s->wait_ns;
        worked = 0;
    }
    return n;
}

/* A process that sleeps while nothing else of the program runs waits for time to pass, not for news. */
static bool
others_ran(const struct sb_why *w, int64_t id, const struct sb_range *first, const struct sb_range *last)
{
    for (uint64_t other = 1; other < w->x.n_actors; other++) {
        const struct sb_actor *a = &w->x.actor[other];
        for (uint32_t i = 0; a->is_program && (int64_t)other != id && i < a->n; i++)
            if (w->x.step[a->first + i].start > first->from && w->x.step[a->first + i].start < last->to)
                return true;
    }
    return false;
}

static void
find(struct sb_why *w)
{
    struct sb_ranges all = {0};
    int64_t pollers = 0, most = 0, most_n = 0, most_ns = 0;
    int32_t where = 0;
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        size_t before = all.n;
        int32_t function = 0;
        if (w->x.actor[id].timeouts < FEWEST)
            continue;
        int64_t n = looks(w, (int64_t)id, &all, &function), ns = 0;
        if (n < FEWEST || !others_ran(w, (int64_t)id, &all.at[before], &all.at[all.n - 1]) ||
            !(w->x.actor[id].is_program || sb_is_sleep(sb_evidence_text(&w->x, function)))) {
            all.n = before;
            continue;
        }
        for (size_t i = before; i < all.n; i++)
            ns += all.at[i].to - all.at[i].from;
        pollers++;
        if (ns > most_ns)
            most = (int64_t)id, most_n = n, most_ns = ns, where = function;
    }
    sb_ranges_unite(&all);
    int64_t idle = sb_ranges_within(&all, &w->x.level, SB_LEVEL_IDLE);
    SB_VEC_FREE(&all);
    if (pollers == 0)
        return;
    sb_why_put(
        w, (struct sb_finding){
               .process = most,
               .subject = sb_why_who(w, most),
               .title = sb_why_printf(w,
                                      "%lld %s slept, looked and slept again, %.*s most: %.*s times %.*s in "
                                      "%.*s; nothing was at work "
                                      "for %.*s of these sleeps",
                                      (long long)pollers, pollers == 1 ? "process" : "processes",
                                      SB_STR_ARG(sb_why_who(w, most)), SB_STR_ARG(sb_why_count(w, most_n)),
                                      SB_STR_ARG(sb_why_ns(w, most_ns / most_n)),
                                      SB_STR_ARG(sb_why_text(w, where)), SB_STR_ARG(sb_why_ns(w, idle))),
               .low_ns = 0,
               .gain_ns = idle,
               .high_ns = idle,
               .confidence = "medium",
               .evidence = sb_why_printf(
                   w, "SELECT who(process), function, count, total_ns, max_ns FROM wait WHERE process = %lld",
                   (long long)most),
           });
}
