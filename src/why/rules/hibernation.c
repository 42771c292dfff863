#include "why/find/finding.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include <stdlib.h>

SB_RULE(hibernation) = {
    .name = "hibernation",
    .looks_for =
        "processes with large heaps that hibernate between requests: each time all of the heap is collected",
    .erlang = "hibernate only where a process will be idle for long, such as after a timeout: return "
              "{hibernate_after, Ms} to gen_server:start_link/4, not hibernate from each callback",
    .elixir = "hibernate only where a process will be idle for long: start it with hibernate_after: ms, and "
              "do not return :hibernate from each callback",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

struct hibernating { /* a process, or the sums of several */
    int64_t processes, times, ns;
    /* with the rest of the slices that end so: moving the heap that is left takes time too */
    int64_t most_ns;
    bool dirty;
};

/* The heap has no free word when the process wakes up, so that the first message collects it once more. */
static bool
hibernates(const struct sb_why *w, int32_t text)
{
    static const char *const in[] = {"erlang:hibernate/", "gen_server:wake_hib/", "gen_event:wake_hib/",
                                     "gen_statem:wakeup_from_hibernate/", "proc_lib:wake_up/"};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (sb_str_starts(sb_evidence_text(&w->x, text), sb_str_of(in[i])))
            return true;
    return false;
}

/* A large heap is collected on a dirty scheduler, and the process is handed over to it and back. The slice that handles
 * a request begins and ends in hibernate too, but not on a dirty scheduler. */
static void
add_dirty(const struct sb_why *w, int64_t id, struct hibernating *h)
{
    SB_EACH_STEP (&w->x, id, s) {
        if (!hibernates(w, s->out))
            continue;
        h->ns += s->handover_ns + (s->dirty ? s->dur : 0);
        h->most_ns += s->handover_ns + s->dur;
        h->times += s->dirty;
        h->dirty |= s->dirty;
    }
}

/* Smaller heaps are collected at the end of the slice that hibernates. */
static void
add_collections(const struct sb_why *w, struct hibernating *of)
{
    SB_SCAN(s, w->x.profile, gc, process, start, dur);
    sb_scan_where(&s, SB_C_gc__start, w->x.t0, w->x.t1 - 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t id = s.value[process][i];
        if (id < 1 || id >= w->x.n_actors || of[id].most_ns == 0)
            continue;
        const struct sb_step *at = sb_evidence_step_at(&w->x, id, s.value[start][i]);
        if (at && s.value[start][i] < at->start + at->dur && !at->dirty && hibernates(w, at->out)) {
            of[id].times++;
            of[id].ns += s.value[dur][i] > 0 ? s.value[dur][i] : 0;
        }
    }
}

static void
put(struct sb_why *w, const struct hibernating *h, int64_t most)
{
    const char *others =
        h->processes > 1 ? sb_words(w->arena, " and %lld more", (long long)h->processes - 1) : "";
    struct sb_finding f = {
        .process = most,
        .gain = {0, sb_least(h->ns, w->x.span_ns), sb_least(h->most_ns, w->x.span_ns)},
        .confidence = "medium",
        .evidence =
            "SELECT who(process), kind, out_function, count(*), sum(dur) FROM slice WHERE out_function = "
            "'erlang:hibernate/3' OR out_function LIKE '%:wake%' GROUP BY 1, 2, 3 ORDER BY 5 DESC LIMIT 10",
    };
    sb_why_put(w, f, "%s%s hibernated: the whole heap was collected %s times, for %s%s", sb_why_who(w, most),
               others, sb_words_count(w->arena, h->times), sb_words_ns(w->arena, h->ns),
               h->dirty ? ", the way to a dirty scheduler and back included" : "");
}

static void
find(struct sb_why *w)
{
    enum { FEWEST = 10 };
    struct hibernating *of = sb_zeroed_or_die(w->x.n_actors, sizeof *of), all = {0};
    int64_t most = 0;
    SB_EACH_PRESENT (&w->x, id)
        if (w->x.actor[id].service == SB_SERVICE_NONE)
            add_dirty(w, id, &of[id]);
    add_collections(w, of);
    SB_EACH_PRESENT (&w->x, id) {
        all.processes += of[id].times > 0;
        all.times += of[id].times;
        all.ns += of[id].ns;
        all.most_ns += of[id].times > 0 ? of[id].most_ns : 0;
        all.dirty |= of[id].dirty;
        most = of[id].ns > of[most].ns ? id : most;
    }
    if (all.times >= FEWEST && most > 0)
        put(w, &all, most);
    free(of);
}
