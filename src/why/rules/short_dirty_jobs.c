#include "why/find/finding.h"

SB_RULE(short_dirty_jobs) = {
    .name = "short_dirty_jobs",
    .looks_for = "short jobs on dirty schedulers, such as small reads and writes of files: the way there and "
                 "back takes longer than the jobs",
    .erlang =
        "do more in each call: write an iolist at a time, or open the file with [raw, {delayed_write, 65536, "
        "1000}] or {read_ahead, 65536}; a NIF that takes less than 1 ms needs no dirty scheduler",
    .of_requests = true,
    .find = find,
};

static const struct sb_cure of_dets = {
    .where = "the process of a table of dets writes to its file",
    .erlang = "insert many objects in one call (dets:insert/2 takes a list), or keep the table in ETS and "
              "save it at "
              "times (dets:from_ets/2, ets:tab2file/2)",
    .elixir = "insert many objects in one call (:dets.insert/2 takes a list), or keep the table in ETS and "
              "save it at "
              "times (:dets.from_ets/2, :ets.tab2file/2)",
};

enum {
    FEWEST = 1000,
    SHORT_NS = 100000,
    QUEUED_NS = 1000000 /* a longer way is a queue: rule dirty_bound */
};

struct jobs {
    int64_t processes, most, most_n, n, work_ns, way_ns, quick_ns; /* quick: of ways that were no queue */
    struct sb_ranges ways;
    SB_VEC(int64_t) who; /* process.id of all */
};

/* Whoever loads code cannot change how the loader reads it, and files have a rule: see code_loading, file_bound. */
static void
add(const struct sb_why *w, int64_t id, struct jobs *all)
{
    struct jobs own = {0};
    if (w->x.actor[id].service != SB_SERVICE_NONE)
        return;
    SB_EACH_STEP (&w->x, id, s) {
        own.n += s->dirty;
        own.work_ns += s->dirty ? s->dur : 0;
        own.way_ns += s->handover_ns;
        own.quick_ns += s->handover_ns < QUEUED_NS ? s->handover_ns : 0;
    }
    if (own.n < sb_why_fewest(w, FEWEST) || own.work_ns / own.n > SHORT_NS || own.quick_ns < own.work_ns)
        return;
    SB_EACH_STEP (&w->x, id, s) /* no job, no way: queues too end with the cure */
        if (s->handover_ns > 0)
            sb_ranges_add(&all->ways, s->start + s->dur + s->wait_ns,
                          s->start + s->dur + s->wait_ns + s->handover_ns);
    all->processes++;
    *SB_PUSH(&all->who) = id;
    all->n += own.n;
    all->work_ns += own.work_ns;
    all->way_ns += own.way_ns;
    if (own.n > all->most_n) {
        all->most = id;
        all->most_n = own.n;
    }
}

/* The function that more than half of the jobs of these processes began with; empty if there is none. */
static const char *
function_of(const struct sb_why *w, const struct jobs *j)
{
    uint64_t texts = (uint64_t)sb_profile_texts(w->x.profile) + 1;
    int64_t *n = SB_NEW_N(w->arena, int64_t, texts);
    int32_t best = 0;
    for (size_t i = 0; i < j->who.n; i++)
        SB_EACH_STEP (&w->x, j->who.at[i], s) {
            n[s->in] += s->dirty && s->in > 0;
            best = n[s->in] > n[best] ? s->in : best;
        }
    return 2 * n[best] > j->n ? sb_words(w->arena, ", mostly %s", sb_why_function(w, best)) : "";
}

static void
put(struct sb_why *w, const struct jobs *j, int64_t ways_ns, int64_t quiet_ns)
{
    const char *who = sb_why_who(w, j->most),
               *all = j->processes == 1 ? who
                                        : sb_words(w->arena, "%s processes, %s most,",
                                                   sb_words_count(w->arena, j->processes), who);
    int64_t entry = w->x.actor[j->most].entry;
    bool is_dets = sb_str_eq(sb_profile_text(w->x.profile, entry), SB_STR("dets:init/2"));
    struct sb_finding f = {
        .process = j->most,
        .gain = {0, quiet_ns, ways_ns},
        .cure = is_dets ? &of_dets : NULL,
        .confidence = "medium",
        .evidence =
            "SELECT who(id), slices, dirty_ns, handover_ns FROM process ORDER BY handover_ns DESC LIMIT 10",
    };
    sb_why_put(
        w, f, "%s did %s short jobs on dirty schedulers%s: each took %s there, and the way there and back %s",
        all, sb_words_count(w->arena, j->n), function_of(w, j), sb_words_ns(w->arena, j->work_ns / j->n),
        sb_words_ns(w->arena, j->way_ns / j->n));
}

static void
find(struct sb_why *w)
{
    struct jobs j = {0};
    SB_EACH_PRESENT (&w->x, id)
        add(w, id, &j);
    sb_ranges_unite(&j.ways);
    int64_t ways_ns = sb_ranges_ns(&j.ways),
            quiet_ns = sb_ranges_within(&j.ways, &w->x.level, SB_LEVEL_QUIET);
    SB_VEC_FREE(&j.ways);
    if (j.most > 0)
        put(w, &j, ways_ns, quiet_ns);
    SB_VEC_FREE(&j.who);
}
