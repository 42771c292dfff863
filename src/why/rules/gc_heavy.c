#include "why/find/finding.h"
#include "profile/scan_row.h"

SB_RULE(gc_heavy) = {
    .name = "gc_heavy",
    .looks_for = "garbage collection that copies data which stays alive, again and again",
    .erlang = "keep the data in ETS or persistent_term, and start the process with a larger min_heap_size",
    .elixir = "keep the data in ETS or :persistent_term, and start the process with a larger :min_heap_size",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

static const struct sb_cure full_ones = {
    .where = "nearly all of the collections are full ones",
    .erlang = "leave fullsweep_after at its default, do not call erlang:garbage_collect/0 again and again, "
              "and keep the data in ETS or persistent_term: a larger min_heap_size makes no full collection "
              "cheaper; if binaries cause them (column bin_before of table gc), a larger min_bin_vheap_size "
              "makes them fewer",
    .elixir = "leave :fullsweep_after at its default, do not call :erlang.garbage_collect/0 again and again, "
              "and keep the data in ETS or :persistent_term: a larger :min_heap_size makes no full "
              "collection cheaper; if binaries cause them (column bin_before of table gc), a larger "
              ":min_bin_vheap_size makes them fewer",
};

/* A heap that grows is copied some three times over; short-lived data is freed without a copy. */
enum { TIMES = 6 };

/* Processes that were started alike, or one that has no such sisters. */
struct collectors {
    int64_t n, most, gc_ns, kept_ns, work_ns, kept_words, peak_words, alone_ns, share_ns;
    struct collections {
        int64_t all, full;
    } times;
};

/* By process.id. The VM chooses a full collection seldom: where the old heap is full, or after 65,535 minor ones. */
static struct collections *
count_collections(const struct sb_why *w)
{
    struct collections *of = SB_NEW_N(w->arena, struct collections, w->x.n_actors);
    int64_t major = sb_profile_find_text(w->x.profile, SB_STR("major"));
    SB_SCAN(s, w->x.profile, gc, process, start, kind);
    sb_scan_where(&s, SB_C_gc__start, w->x.t0, w->x.t1 - 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t id = s.value[process][i], at = s.value[start][i];
        if (id < 1 || id >= w->x.n_actors || at < w->x.t0 || at >= w->x.t1)
            continue;
        of[id].all++;
        of[id].full += s.value[kind][i] == major;
    }
    return of;
}

static void
add(const struct sb_why *w, const struct collections *times, int64_t id, struct collectors *c)
{
    const struct sb_actor *a = &w->x.actor[id];
    c->n += a->gc_kept_ns > 0;
    c->most = c->most == 0 || a->gc_kept_ns > w->x.actor[c->most].gc_kept_ns ? id : c->most;
    c->gc_ns += a->gc_ns;
    c->kept_ns += a->gc_kept_ns;
    c->work_ns += a->work_ns;
    c->kept_words += a->gc_kept_words;
    c->peak_words += a->gc_peak_words;
    c->alone_ns += a->alone_ns;
    c->share_ns += a->share_ns;
    c->times.all += times[id].all;
    c->times.full += times[id].full;
}

/* The process with most of such collections, or its group, if the others in it have half as many at least. */
static struct collectors
collect_most(const struct sb_why *w)
{
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1;
    struct collectors *of = SB_NEW_N(w->arena, struct collectors, groups), best = {0}, one = {0};
    const struct collections *times = count_collections(w);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        struct collectors c = {0};
        if (a->service == SB_SERVICE_CODE || a->service == SB_SERVICE_LOADER || a->gc_kept_ns <= 0)
            continue;
        add(w, times, id, &c);
        one = c.kept_ns > one.kept_ns ? c : one;
        if (a->group >= 1 && (uint64_t)a->group < groups)
            add(w, times, id, &of[a->group]);
    }
    for (uint64_t g = 1; g < groups; g++)
        best = of[g].kept_ns > best.kept_ns ? of[g] : best;
    return 2 * best.kept_ns >= 3 * one.kept_ns ? best : one;
}

static const char *
full(const struct sb_why *w, const struct collections *t)
{
    return t->full == t->all
               ? sb_words(w->arena, "; all %s collections were full ones", sb_words_count(w->arena, t->all))
               : sb_words(w->arena, "; %s of %s collections were full ones",
                          sb_words_count(w->arena, t->full), sb_words_count(w->arena, t->all));
}

static void
put(struct sb_why *w, const struct collectors *c)
{
    bool is_full = 10 * c->times.full >= 9 * c->times.all;
    double part = (double)c->kept_ns / (double)c->work_ns;
    const char *who = sb_why_who(w, c->most),
               *all = c->n > 1 ? sb_words(w->arena, "%s processes started alike, such as %s,",
                                          sb_words_count(w->arena, c->n), who)
                               : who;
    part = part < 1 ? part : 1;
    struct sb_finding f = {
        .process = c->most,
        .subject = who,
        .gain = {(int64_t)((double)c->alone_ns * part / 2), (int64_t)((double)c->share_ns * part),
                 sb_least(c->gc_ns, c->work_ns)},
        .confidence = "high",
        .cure = is_full ? &full_ones : NULL,
        .evidence = "SELECT kind, count(*), sum(dur), sum(reclaimed_words), max(heap_after) FROM gc WHERE "
                    "process = {process} GROUP BY 1",
    };
    sb_why_put(w, f,
               "%s collected garbage for %s, %d %% of %s work, and copied %s live data %lld times over%s",
               all, sb_words_ns(w->arena, c->gc_ns), sb_percent(c->gc_ns, c->work_ns),
               c->n > 1 ? "their" : "its", c->n > 1 ? "their" : "its",
               (long long)(c->kept_words / c->peak_words), is_full ? full(w, &c->times) : "");
}

static void
find(struct sb_why *w)
{
    struct collectors c = collect_most(w);
    if (c.work_ns > 0 && c.peak_words > 0 && 5 * c.kept_ns >= 2 * c.work_ns &&
        c.kept_words / c.peak_words >= TIMES)
        put(w, &c);
}
