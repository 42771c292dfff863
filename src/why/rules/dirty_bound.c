#include "why/find/finding.h"
#include "profile/stats.h"

SB_RULE(dirty_bound) = {
    .name = "dirty_bound",
    .looks_for = "processes that queue for dirty schedulers",
    .erlang = "start fewer dirty jobs at once, or more dirty schedulers (+SDcpu); where they collect large "
              "heaps, keep large data outside of the heaps",
    .of_work = true,
    .find = find,
};

enum { LONG_NS = 1000000, FEWEST = 2 };

/* Large heaps are collected on dirty schedulers. */
static const char *
collections(const struct sb_why *w, int64_t work_ns)
{
    int64_t ns = sb_profile_stats(w->x.profile, SB_T_process, SB_C_process__dirty_gc_ns).sum;
    return ns == SB_NULL || 2 * ns < work_ns ? ""
                                             : sb_words(w->arena, ", %d %% of it collecting large heaps",
                                                        sb_percent(sb_least(ns, work_ns), work_ns));
}

static void
find(struct sb_why *w)
{
    SB_SCOPED struct sb_ranges queue = {0}, busy = {0};
    int64_t n = 0, processes = 0, total = 0, most = 0, most_ns = 0, work = 0;
    SB_EACH_PRESENT (&w->x, id) {
        int64_t ns = 0;
        SB_EACH_STEP (&w->x, id, s) {
            if (s->dirty) {
                work += s->dur;
                sb_ranges_add(&busy, s->start, s->start + s->dur);
            }
            if (s->handover_ns < LONG_NS)
                continue;
            ns += s->handover_ns;
            n++;
            sb_ranges_add(&queue, s->start + s->dur + s->wait_ns,
                          s->start + s->dur + s->wait_ns + s->handover_ns);
        }
        processes += ns > 0;
        total += ns;
        if (ns > most_ns)
            most = id, most_ns = ns;
    }
    sb_ranges_unite(&queue);
    int64_t ns = sb_ranges_ns(&queue);
    sb_ranges_unite(&busy);
    sb_ranges_cut(&busy, &queue);
    int64_t both = sb_ranges_ns(&busy);
    if (processes < FEWEST || !sb_why_is_material(w, ns) || 10 * both < 9 * ns)
        return;
    struct sb_finding f = {
        .process = most,
        .gain = {SB_NULL, SB_NULL, ns},
        .confidence = "medium",
        .evidence = "SELECT who(id), handover_ns, dirty_ns FROM process ORDER BY handover_ns DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "%s processes waited %s in all for a dirty scheduler, %s each time on average; dirty "
               "schedulers worked %s%s",
               sb_words_count(w->arena, processes), sb_words_ns(w->arena, total),
               sb_words_ns(w->arena, total / n), sb_words_ns(w->arena, work), collections(w, work));
}
