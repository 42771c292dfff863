#include "why/find/finding.h"
#include "base/order.h"
#include "base/sort.h"

SB_RULE(stampede) = {
    .name = "stampede",
    .looks_for =
        "processes started alike that do next to nothing most of the time, and now and then much at the "
        "same moments, as when all of them find a cached value expired and make it anew",
    .erlang =
        "let one process make the value, while the others use the old one or wait for it: a server that "
        "refreshes it before it expires, or a lock by key",
    .elixir =
        "let one process make the value, while the others use the old one or wait for it: a GenServer that "
        "refreshes it before it expires, or a lock by key",
    .of_work = true,
    .find = find,
};

enum {
    LEAST_NS = 1000000,
    TIMES = 10, /* the work of most times, at least */
    FEWEST = 3, /* processes at a moment */
    MOMENTS = 2,
    ALIKE = 4 /* the upper quartile of their work may be so many times the lower one */
};

struct
    piece { /* the work of a process between two waits, or the whole of one that never waits, as a request */
    int64_t start, end, work_ns;
    int32_t process, caller; /* caller: who sent what it began with, unasked; 0: none */
    bool is_whole;
};
typedef SB_VEC(struct piece) pieces;

struct member {
    int64_t group, id;
};
struct herd {
    int64_t first, n;          /* process.id of one of them; how many they are */
    int64_t moments, works;    /* with several of them at work; pieces of these */
    int64_t work_ns, twice_ns; /* of these pieces; without the longest of each moment */
    int64_t usual_ns;          /* the median of all pieces */
    struct sb_ranges twice;
};

SB_ORDER(by_group, struct member, SB_UP(group) ?: SB_UP(id))
SB_ORDER(by_start, struct piece, SB_UP(start) ?: SB_UP(process))

/* The first piece of a process is its start, unless it ends with it. */
static void
collect(const struct sb_why *w, int64_t id, pieces *v)
{
    const struct sb_step *before = NULL;
    struct piece p = {0};
    SB_EACH_STEP (&w->x, id, s) {
        if (p.work_ns == 0)
            p = (struct piece){.start = s->start,
                               .process = (int32_t)id,
                               .caller = before && before->wait == SB_WAIT_IDLE ? before->waker : 0};
        p.work_ns += s->dur;
        p.end = s->start + s->dur;
        if (s->wait == SB_WAIT_NONE)
            continue;
        if (before)
            *SB_PUSH(v) = p;
        p.work_ns = 0;
        before = s;
    }
    p.is_whole = !before && p.work_ns > 0 && w->x.actor[id].end != SB_NULL;
    if (p.is_whole)
        *SB_PUSH(v) = p;
}

/* So many quarters of the pieces work less. */
static int64_t
work_of(const struct sb_why *w, const struct piece *p, size_t n, size_t quarters)
{
    int64_t *ns = SB_NEW_N(w->arena, int64_t, n);
    for (size_t i = 0; i < n; i++)
        ns[i] = p[i].work_ns;
    sb_sort_signed(ns, n);
    return ns[quarters * n / 4];
}

/* What one process hands out to half of them or more is theirs to do. */
static bool
is_handed_out(const struct piece *p, size_t n)
{
    int32_t caller = 0;
    size_t ahead = 0, same = 0;
    for (size_t i = 0; i < n; i++) {
        caller = ahead == 0 ? p[i].caller : caller;
        ahead = p[i].caller == caller ? ahead + 1 : ahead - 1;
    }
    for (size_t i = 0; i < n; i++)
        same += p[i].caller == caller;
    return caller > 0 && 2 * same >= n;
}

/* Of requests that begin before the first answer is there hardly any finds less to do; else those of unlike size are
 * mixed. */
static bool
is_mixed(const struct piece *p, size_t n, const pieces *all)
{
    size_t lo = 0, hi = all->n, began = 0, same = 0;
    int64_t first_end = p->end;
    for (size_t i = 1; i < n; i++)
        first_end = p[i].end < first_end ? p[i].end : first_end;
    for (size_t i = 0; i < n; i++)
        same += p[i].start < first_end;
    SB_SEARCH(lo, hi, all->at[mid].start < p->start);
    for (; lo < all->n && all->at[lo].start < first_end; lo++)
        began++;
    return p->is_whole && 5 * same < 4 * began;
}

/* Pieces that began before the first of them had ended. */
static void
add_moment(const struct sb_why *w, struct herd *h, const struct piece *p, size_t n, const pieces *all)
{
    int64_t work_ns = 0;
    size_t longest = 0;
    if (n < FEWEST || work_of(w, p, n, 3) > ALIKE * work_of(w, p, n, 1) || is_handed_out(p, n) ||
        is_mixed(p, n, all))
        return;
    for (size_t i = 0; i < n; i++) {
        work_ns += p[i].work_ns;
        longest = p[i].work_ns > p[longest].work_ns ? i : longest;
    }
    h->moments++;
    h->works += (int64_t)n;
    h->work_ns += work_ns;
    h->twice_ns += work_ns - p[longest].work_ns;
    for (size_t i = 0; i < n; i++)
        if (i != longest)
            sb_ranges_add(&h->twice, p[i].start, p[i].end);
}

/* Long pieces that come at any time, or that follow each other all the time, are no answer to one event. */
static bool
is_herd(const struct herd *h, const pieces *v, int64_t span_ns)
{
    int64_t together = 0, until = 0;
    for (size_t i = 0; i < v->n; i++) {
        int64_t from = v->at[i].start > until ? v->at[i].start : until;
        together += v->at[i].end > from ? v->at[i].end - from : 0;
        until = v->at[i].end > until ? v->at[i].end : until;
    }
    return h->moments >= MOMENTS && 5 * h->works >= 4 * (int64_t)v->n && 3 * together <= 2 * span_ns;
}

static void
look_at(const struct sb_why *w, const struct member *m, size_t n, struct herd *h)
{
    SB_SCOPED pieces all = {0}, v = {0};
    for (size_t i = 0; i < n; i++)
        collect(w, m[i].id, &all);
    if (all.n == 0)
        return;
    h->usual_ns = work_of(w, all.at, all.n, 2);
    SB_SORT(&all, by_start);
    for (size_t i = 0; i < all.n; i++)
        if (all.at[i].work_ns >= LEAST_NS && all.at[i].work_ns >= TIMES * h->usual_ns)
            *SB_PUSH(&v) = all.at[i];
    for (size_t i = 0, to; i < v.n && 5 * v.n <= all.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].start < v.at[i].end;)
            to++;
        add_moment(w, h, v.at + i, to - i, &all);
    }
    if (!is_herd(h, &v, w->x.span_ns))
        h->moments = 0;
}

static void
put(struct sb_why *w, struct herd *h)
{
    sb_ranges_unite(&h->twice);
    struct sb_finding f = {
        .process = h->first,
        .gain = {0, sb_least(sb_ranges_within(&h->twice, &w->x.level, SB_LEVEL_SHARE), h->twice_ns),
                 h->twice_ns},
        .confidence = "medium",
        .evidence = sb_words(w->arena,
                             "SELECT who(process), start, dur FROM slice WHERE process IN (SELECT id FROM "
                             "process WHERE group_id = %lld) AND dur > %lld ORDER BY start LIMIT 40",
                             (long long)w->x.actor[h->first].group, (long long)LEAST_NS),
    };
    sb_why_put(
        w, f,
        "%s processes started alike, such as %s, had much to do at the same moments: %s times, %s of them on "
        "average, "
        "for %s each, and for %s at other times; if it was the same work, one of them could have done it",
        sb_words_count(w->arena, h->n), sb_why_who(w, h->first), sb_words_count(w->arena, h->moments),
        sb_words_count(w->arena, (h->works + h->moments / 2) / h->moments),
        sb_words_ns(w->arena, h->work_ns / h->works), sb_words_ns(w->arena, h->usual_ns));
}

static void
find(struct sb_why *w)
{
    SB_SCOPED SB_VEC(struct member) v = {0};
    uint64_t groups = sb_profile_rows(w->x.profile, SB_T_process_group) + 1;
    struct herd *of = SB_NEW_N(w->arena, struct herd, groups), most = {0};
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->n == 0 || a->group < 1 || (uint64_t)a->group >= groups || !a->is_program ||
            sb_why_is_test(w, id))
            continue;
        of[a->group].first = of[a->group].n++ > 0 ? of[a->group].first : id;
        *SB_PUSH(&v) = (struct member){a->group, id};
    }
    SB_SORT(&v, by_group);
    for (size_t i = 0, to; i < v.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].group == v.at[i].group;)
            to++;
        if (of[v.at[i].group].n < FEWEST)
            continue;
        struct herd h = of[v.at[i].group];
        look_at(w, &v.at[i], to - i, &h);
        if (h.moments > 0 && h.twice_ns > most.twice_ns) {
            SB_VEC_FREE(&most.twice);
            most = h;
        } else {
            SB_VEC_FREE(&h.twice);
        }
    }
    if (most.moments > 0)
        put(w, &most);
    SB_VEC_FREE(&most.twice);
}
