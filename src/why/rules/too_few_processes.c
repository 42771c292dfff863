#include "why/find/finding.h"
#include "base/order.h"

SB_RULE(too_few_processes) = {
    .name = "too_few_processes",
    .looks_for = "some processes at work, yet fewer than schedulers, and nothing ready; or processes that "
                 "wait, a few at a time, while others like them could wait beside them",
    .erlang =
        "start as many processes as schedulers for work that can be divided, and more if they wait; start "
        "the longest first",
    .elixir = "raise max_concurrency, or start as many processes as schedulers for work that can be divided, "
              "and more if they wait; start the longest first",
    .needs_all = true,
    .of_work = true,
    .find = find,
};

enum { FEWEST = 10, TIMES = 4 /* of those that lived at a time */, MOST = 64 /* that */ };

/* Processes that one parent started alike. */
struct family {
    const struct sb_child *at;
    size_t n;
    int64_t at_once, relieved; /* lived at a time; started in the place of another one that had just ended */
    int64_t longest_ns;
};

/* The process that ended the last wait of `id` that was over at that time; 0: none. */
static int64_t
woke(const struct sb_why *w, int64_t id, int64_t at)
{
    const struct sb_actor *a = &w->x.actor[id];
    uint32_t lo = a->first, hi = a->first + a->n;
    SB_SEARCH(lo, hi, w->x.step[mid].start <= at);
    for (uint32_t i = lo > a->first ? lo - 1 : a->first; i > a->first; i--)
        if (w->x.step[i - 1].wait != SB_WAIT_NONE)
            return w->x.step[i - 1].waker;
    return 0;
}

/* Of those that started before, only the last ones are looked at: more than these at a time are not few. The parent
 * starts another one for the end of one, or for one process that takes all results, as in Task.async_stream. If that
 * one asks and a timer woke it, it has a pace of its own, whatever woke the parent. */
static void
measure(const struct sb_why *w, int64_t asker, struct family *f)
{
    int64_t total_ns = 0, taker = asker;
    for (size_t i = 0; i < f->n; i++)
        total_ns += f->at[i].end - f->at[i].start;
    for (size_t i = 0; i < f->n; i++) {
        int64_t alive = 1, ended = SB_NULL, start = f->at[i].start, waker = woke(w, f->at[i].parent, start);
        for (size_t k = i, seen = 0; k-- > 0 && seen < MOST; seen++) {
            alive += f->at[k].end > start;
            ended = f->at[k].end <= start && f->at[k].end > ended ? f->at[k].end : ended;
        }
        f->at_once = alive > f->at_once ? alive : f->at_once;
        f->longest_ns = f->at[i].end - start > f->longest_ns ? f->at[i].end - start : f->longest_ns;
        if (waker <= 0 || ended == SB_NULL || 5 * (double)(start - ended) * (double)f->n > (double)total_ns)
            continue;
        bool is_sister = w->x.actor[waker].group == f->at[i].group;
        taker = taker || is_sister ? taker : waker;
        f->relieved += (is_sister || waker == taker) && (asker == 0 || woke(w, asker, start) > 0);
    }
}

/* Most of their time they waited for one server: more of them at a time would wait there. */
static bool
queue_for_one(const struct sb_why *w, const struct family *f)
{
    int64_t lives = 0;
    for (size_t i = 0; i < f->n; i++)
        lives += f->at[i].end - f->at[i].start;
    SB_EACH_PRESENT (&w->x, server) {
        int64_t ns = 0;
        for (uint32_t i = w->awaits.first[server]; i < w->awaits.first[server + 1]; i++) {
            const struct sb_await *a = &w->awaits.at[i];
            const struct sb_actor *client = &w->x.actor[a->client];
            ns += client->parent == f->at->parent && client->group == f->at->group ? a->to - a->from : 0;
        }
        if (2 * ns > lives)
            return true;
    }
    return false;
}

/* "; the last one, Fetch.run/1 <0.239.0>, was left alone for 1.23 s" */
static const char *
left_alone(const struct sb_why *w, const struct family *of)
{
    const struct sb_child *last = of->at;
    int64_t before = INT64_MIN;
    for (size_t i = 1; i < of->n; i++) {
        const struct sb_child *c = &of->at[i], *sooner = c->end > last->end ? last : c;
        before = sooner->end > before ? sooner->end : before;
        last = c->end > last->end ? c : last;
    }
    before = before > last->start ? before : last->start;
    return sb_why_is_material(w, last->end - before)
               ? sb_words(w->arena, "; the last one, %s, was left alone for %s", sb_why_who(w, last->id),
                          sb_words_ns(w->arena, last->end - before))
               : "";
}

static void
put_family(struct sb_why *w, const struct family *of)
{
    SB_SCOPED struct sb_ranges lives = {0};
    for (size_t i = 0; i < of->n; i++)
        sb_ranges_add(&lives, of->at[i].start, of->at[i].end);
    sb_ranges_unite(&lives);
    int64_t idle = sb_ranges_within(&lives, &w->x.level, SB_LEVEL_IDLE);
    struct sb_finding f = {
        .process = of->at[0].id,
        .gain = {0, idle - of->longest_ns, idle},
        .confidence = "medium",
        .evidence = sb_words(w->arena,
                             "SELECT who(id), start, end, run_ns FROM process WHERE parent = %lld AND "
                             "group_id = %lld ORDER BY start LIMIT 20",
                             (long long)of->at[0].parent, (long long)of->at[0].group),
    };
    sb_why_put(w, f,
               "%s processes started alike, such as %s, lived %s at a time, each started when another one "
               "had ended; nothing was at work for %s of their time%s",
               sb_words_count(w->arena, (int64_t)of->n), sb_why_who(w, of->at[0].id),
               of->at_once > 1 ? sb_words(w->arena, "at most %lld", (long long)of->at_once) : "one",
               sb_words_ns(w->arena, idle), of->at_once > 1 ? left_alone(w, of) : "");
}

/* A server starts processes when others ask it to, so they set how many live at a time. By process: the one that asks
 * it; 0: none; SB_NULL: several do. */
static int64_t *
find_askers(const struct sb_why *w)
{
    int64_t *of = SB_NEW_N(w->arena, int64_t, w->x.n_actors + 1);
    for (size_t i = 0; i < w->x.n_edges; i++) {
        const struct sb_traffic *e = &w->x.edge[i];
        const struct sb_actor *a = &w->x.actor[e->sender];
        if (e->count > 1 && a->service == SB_SERVICE_NONE && a->parent != e->receiver)
            of[e->receiver] = of[e->receiver] == 0 ? e->sender : SB_NULL;
    }
    return of;
}

static void
find_families(struct sb_why *w)
{
    SB_SCOPED SB_VEC(struct sb_child) v = {0};
    const int64_t *asker = find_askers(w);
    for (size_t i = 0, to; i < w->families.child.n; i = to) {
        const struct sb_child *c = &w->families.child.at[i];
        to = sb_family_end(&w->families, i);
        if (to - i < FEWEST || c->group < 1 || asker[c->parent] == SB_NULL)
            continue;
        v.n = 0;
        for (const struct sb_child *end = w->families.child.at + to; c < end; c++)
            if (c->start >= w->x.t0 && c->end != SB_NULL)
                *SB_PUSH(&v) = *c;
        struct family f = {.at = v.at, .n = v.n};
        if (f.n < FEWEST || sb_why_has(w, v.at[0].id) || sb_why_is_test(w, v.at[0].id))
            continue;
        measure(w, asker[v.at[0].parent], &f);
        if (f.at_once < MOST && TIMES * f.at_once <= (int64_t)f.n &&
            4 * (f.relieved + f.at_once) >= 3 * (int64_t)f.n && !queue_for_one(w, &f))
            put_family(w, &f);
    }
}

static void
find_few(struct sb_why *w)
{
    int64_t few = sb_level_within(&w->x.level, SB_LEVEL_FEW, w->x.t0, w->x.t1);
    if (w->x.schedulers < 3)
        return;
    struct sb_finding f = {
        .subject = "schedulers",
        .gain = {0, few, sb_least(few, sb_why_headroom(w))},
        .confidence = "medium",
        .evidence = "SELECT who(id), run_ns, start, end FROM process ORDER BY run_ns DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "several processes were at work, yet too few for %lld schedulers: %d %% of the schedulers' "
               "time was free beside them",
               (long long)w->x.schedulers, sb_percent(few, w->x.span_ns));
}

static void
find(struct sb_why *w)
{
    find_families(w);
    find_few(w);
}
