#include "why/find/finding.h"
#include "why/run/threads.h"

SB_RULE(long_native) = {
    .name = "long_native",
    .looks_for = "slices far longer than a scheduler lets a process run: native code that does not yield",
    .erlang = "use a dirty NIF (ERL_NIF_DIRTY_JOB_CPU_BOUND), cut the work into smaller calls, or limit how "
              "many run at once",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

/* A process yields after 4,000 reductions, about 1 ms of CPU. Preemption by other programs makes slices longer. */
enum { LONG_NS = 20000000, FEWEST = 3 };

static void
find(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    int64_t least = (int64_t)((double)LONG_NS * sb_threads_slowdown(&t));
    SB_SCOPED struct sb_ranges all = {0};
    int64_t n = 0, most = 0, most_ns = 0, longest = 0, total = 0;
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        int64_t ns = 0, slices = 0;
        size_t before = all.n;
        SB_EACH_STEP (&w->x, id, s) {
            if (s->dirty || s->dur < least)
                continue;
            ns += s->dur;
            slices++;
            longest = s->dur > longest ? s->dur : longest;
            sb_ranges_add(&all, s->start, s->start + s->dur);
        }
        if (10 * (ns - a->gc_ns) < 8 * a->work_ns) {
            all.n = before;
            continue;
        }
        n += slices;
        total += ns;
        if (ns > most_ns)
            most = id, most_ns = ns;
    }
    sb_ranges_unite(&all);
    int64_t held = sb_ranges_within(&all, &w->x.level, SB_LEVEL_HELD);
    if (n < FEWEST || !sb_why_is_material(w, total))
        return;
    struct sb_finding f = {
        .process = most,
        .gain = {SB_NULL, SB_NULL, held},
        .confidence = "medium",
        .evidence = "SELECT start, dur, in_function, out_function FROM slice WHERE process = {process} ORDER "
                    "BY dur DESC LIMIT 20",
    };
    sb_why_put(w, f,
               "%s slices ran %s each without a yield, up to %s, most of them in %s; other processes were "
               "ready for %s of that",
               sb_words_count(w->arena, n), sb_words_ns(w->arena, total / n), sb_words_ns(w->arena, longest),
               sb_why_who(w, most), sb_words_ns(w->arena, held));
}
