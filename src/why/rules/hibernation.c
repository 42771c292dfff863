#include "why/find/finding.h"

SB_RULE(hibernation) = {
    .name = "hibernation",
    .looks_for =
        "processes with large heaps that hibernate between requests: each time all of the heap is collected",
    .erlang = "hibernate only where a process will be idle for long, such as after a timeout: return "
              "{hibernate_after, Ms} to gen_server:start_link/4, not hibernate from each callback",
    .elixir =
        "hibernate only where a process will be idle for long: start it with hibernate_after: ms, and do not "
        "return :hibernate from each callback",
    .of_work = true,
    .find = find,
};

struct hibernating {
    int64_t processes, most, times, ns, most_ns;
};

static bool
hibernates(const struct sb_why *w, int32_t text)
{
    return sb_str_starts(sb_evidence_text(&w->x, text), SB_STR("erlang:hibernate/"));
}

/* A large heap is collected on a dirty scheduler, and the process is handed over to it and back. The slice that handles
 * a request begins and ends in hibernate too, but not on a dirty scheduler. */
static void
add(const struct sb_why *w, int64_t id, struct hibernating *h)
{
    int64_t ns = 0, times = 0;
    SB_EACH_STEP (&w->x, id, s) {
        if (!hibernates(w, s->out))
            continue;
        ns += s->handover_ns + (s->dirty ? s->dur : 0);
        times += s->dirty;
    }
    h->processes += times > 0;
    h->times += times;
    h->ns += ns;
    if (ns > h->most_ns) {
        h->most = id;
        h->most_ns = ns;
    }
}

static void
find(struct sb_why *w)
{
    enum { FEWEST = 10 };
    struct hibernating h = {0};
    for (uint64_t id = 1; id < w->x.n_actors; id++)
        if (w->x.actor[id].service == SB_SERVICE_NONE)
            add(w, (int64_t)id, &h);
    if (h.times < FEWEST || h.most == 0)
        return;
    const char *others =
        h.processes > 1 ? sb_words(w->arena, " and %lld more", (long long)h.processes - 1) : "";
    sb_why_put(w, (struct sb_finding){
                      .process = h.most,
                      .title = sb_words(w->arena,
                                        "%s%s hibernated: a dirty scheduler collected the heap %s "
                                        "times, for %s with the way there and back",
                                        sb_why_who(w, h.most), others, sb_words_count(w->arena, h.times),
                                        sb_words_ns(w->arena, h.ns)),
                      .gain = {0, sb_least(h.ns, w->x.span_ns), sb_least(h.ns, w->x.span_ns)},
                      .confidence = "medium",
                      .evidence =
                          "SELECT who(process), kind, count(*), sum(dur) FROM slice WHERE out_function = "
                          "'erlang:hibernate/3' GROUP BY 1, 2 ORDER BY 4 DESC LIMIT 10",
                  });
}
