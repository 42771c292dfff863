#include "answer/parallel.h"
#include "base/sort.h"
#include "base/vec.h"
#include "profile/stats.h"

enum { MOST_EXACT = 500000, MOST_BUCKETS = 1 << 17, CANDIDATES = 24 };

struct stay {
    int64_t from, to, process;
};

struct stays { /* a scan over the stays of processes on normal schedulers, clipped to the window */
    const struct sb_profile *profile;
    struct sb_scan s;
    unsigned start, dur, kind, process;
    int64_t t0, t1;
};

static void
open_stays(struct stays *x, const struct sb_profile *p, int64_t t0, int64_t t1)
{
    x->profile = p;
    sb_scan_open(&x->s, p, SB_T_slice);
    int64_t longest = sb_profile_stats(p, SB_T_slice, SB_C_slice__dur).most;
    sb_scan_where(&x->s, SB_C_slice__start, t0 - (longest == SB_NULL ? 0 : longest), t1);
    x->start = sb_scan_want(&x->s, SB_C_slice__start);
    x->dur = sb_scan_want(&x->s, SB_C_slice__dur);
    x->kind = sb_scan_want(&x->s, SB_C_slice__kind);
    x->process = sb_scan_want(&x->s, SB_C_slice__process);
    x->t0 = t0;
    x->t1 = t1;
}

static bool
stay_at(const struct stays *x, size_t i, struct stay *out)
{
    struct sb_str kind = sb_profile_text(x->profile, x->s.value[x->kind][i]);
    int64_t from = x->s.value[x->start][i], to = from + x->s.value[x->dur][i];
    *out = (struct stay){from < x->t0 ? x->t0 : from, to > x->t1 ? x->t1 : to, x->s.value[x->process][i]};
    return out->process != SB_NULL && out->to > out->from && !sb_str_starts(kind, SB_STR("dirty"));
}

static void
count_level(struct sb_parallel *s, int64_t level, int64_t ns)
{
    s->at_level_ns[level < 0 ? 0 : level < SB_PARALLEL_LEVELS ? level : SB_PARALLEL_LEVELS - 1] += ns;
}

static void
count_alone(struct sb_parallel *s, int64_t process, int64_t ns)
{
    if (process > 0 && (uint64_t)process < s->n_ids)
        s->alone_ns[process] += ns;
}

typedef SB_VEC(
    struct sb_sort_key) edges; /* key: time and 0 for an end, 1 for a beginning; value: the process */

static void
sweep_edges(struct sb_parallel *s, const edges *v, int64_t t0, int64_t t1)
{
    int64_t running = 0, last = t0, sum = 0; /* the sum of who runs is the one who runs, when it is one */
    for (size_t i = 0; i < v->n; i++) {
        int64_t at = (int64_t)(v->at[i].key >> 1), process = (int64_t)v->at[i].value;
        count_level(s, running, at - last);
        if (running == 1)
            count_alone(s, sum, at - last);
        running += v->at[i].key & 1 ? 1 : -1;
        sum += v->at[i].key & 1 ? process : -process;
        last = at;
    }
    count_level(s, 0, t1 - last);
}

/* Stays in blocks that lie wholly in the window: so many are there at least. */
static uint64_t
stays_within(const struct sb_profile *p, int64_t t0, int64_t t1)
{
    uint64_t n = 0, rows = sb_profile_rows(p, SB_T_slice);
    for (uint64_t at = 0, end; at < rows; at = end) {
        struct sb_zone z = sb_profile_zone(p, SB_T_slice, SB_C_slice__start, at);
        end = z.end;
        n += z.min >= t0 && z.max < t1 ? end - at : 0;
    }
    return n;
}

static bool
try_exact(struct sb_parallel *s, const struct sb_profile *p, int64_t t0, int64_t t1)
{
    if (stays_within(p, t0, t1) > MOST_EXACT)
        return false;
    struct stays x;
    struct stay stay;
    edges v = {0};
    open_stays(&x, p, t0, t1);
    while (v.n <= 2 * MOST_EXACT && sb_scan_next(&x.s))
        for (size_t i = 0; i < x.s.n; i++)
            if (stay_at(&x, i, &stay)) {
                *SB_PUSH(&v) = (struct sb_sort_key){(uint64_t)stay.from << 1 | 1, (uint64_t)stay.process};
                *SB_PUSH(&v) = (struct sb_sort_key){(uint64_t)stay.to << 1, (uint64_t)stay.process};
            }
    sb_scan_close(&x.s);
    bool few = v.n <= 2 * MOST_EXACT;
    if (few && v.n > 0) {
        struct sb_sort_key *tmp = sb_realloc_or_die(NULL, sb_mul_or_die(v.n, sizeof *tmp));
        sb_sort_radix(v.at, tmp, v.n);
        free(tmp);
    }
    if (few)
        sweep_edges(s, &v, t0, t1);
    SB_VEC_FREE(&v);
    return few;
}

/* ---- from the pyramids */

struct candidates { /* who may have run most while only one did: those that ran most in all */
    int64_t id[CANDIDATES], run[CANDIDATES];
    size_t n;
};

static void
consider(struct candidates *c, int64_t id, int64_t run)
{
    if (run <= 0 || (c->n == CANDIDATES && run <= c->run[CANDIDATES - 1]))
        return;
    size_t i = c->n < CANDIDATES ? c->n++ : CANDIDATES - 1;
    for (; i > 0 && c->run[i - 1] < run; i--)
        c->id[i] = c->id[i - 1], c->run[i] = c->run[i - 1];
    c->id[i] = id;
    c->run[i] = run;
}

static void
find_candidates(const struct sb_profile *p, struct candidates *c)
{
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_process);
    unsigned id = sb_scan_want(&s, SB_C_process__id), run = sb_scan_want(&s, SB_C_process__run_ns);
    c->n = 0;
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            consider(c, s.value[id][i], s.value[run][i]);
    sb_scan_close(&s);
}

static int64_t
ran_in(const struct sb_bucket *b)
{
    return b->v[SB_B_running] + b->v[SB_B_gc];
}

static bool
is_serial(const struct sb_bucket *b)
{
    return ran_in(b) > 0 && ran_in(b) <= b->dur + b->dur / 50;
}

/* A candidate's track; how finely it is kept bounds how finely all are looked at, so that none is read from
 * its rows. */
static bool
find_track(const struct sb_profile *p, int64_t process, struct sb_track *track, uint64_t *n, struct sb_err *e)
{
    char text[32];
    size_t len = (size_t)snprintf(text, sizeof text, "process:%lld", (long long)process);
    SB_TRY(sb_track_find(p, (struct sb_str){text, len}, track, e));
    uint64_t kept = sb_timeline_kept(p, track);
    *n = kept > 0 && kept < *n ? kept : *n;
    return true;
}

static bool
add_alone(struct sb_parallel *s, const struct sb_profile *p, const struct sb_track *track, int64_t t0,
          int64_t t1, const struct sb_buckets *all, struct sb_err *e)
{
    struct sb_buckets one = {0};
    SB_TRY(sb_timeline(p, track, t0, t1, all->n, &one, e));
    for (size_t i = 0; i < one.n && i < all->n; i++)
        if (is_serial(&all->at[i]))
            count_alone(s, track->ref, ran_in(&one.at[i]));
    SB_VEC_FREE(&one);
    return true;
}

static bool
by_buckets(struct sb_parallel *s, const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_err *e)
{
    struct candidates c;
    struct sb_track all, track[CANDIDATES];
    struct sb_buckets v = {0};
    find_candidates(p, &c);
    SB_TRY(sb_track_find(p, SB_STR("all"), &all, e));
    uint64_t n = sb_timeline_kept(p, &all);
    for (size_t k = 0; k < c.n; k++)
        SB_TRY(find_track(p, c.id[k], &track[k], &n, e));
    SB_TRY(sb_timeline(p, &all, t0, t1, n < MOST_BUCKETS ? n : MOST_BUCKETS, &v, e));
    for (size_t i = 0; i < v.n; i++)
        count_level(s, (ran_in(&v.at[i]) + v.at[i].dur / 2) / (v.at[i].dur ? v.at[i].dur : 1), v.at[i].dur);
    bool ok = true;
    for (size_t k = 0; ok && k < c.n; k++)
        ok = add_alone(s, p, &track[k], t0, t1, &v, e);
    SB_VEC_FREE(&v);
    return ok;
}

bool
sb_parallel_find(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a,
                 struct sb_parallel *out, struct sb_err *e)
{
    *out = (struct sb_parallel){.span_ns = t1 - t0, .n_ids = sb_profile_rows(p, SB_T_process) + 1};
    out->alone_ns = SB_NEW_N(a, int64_t, out->n_ids);
    out->exact = try_exact(out, p, t0, t1);
    return out->exact || by_buckets(out, p, t0, t1, e);
}

int64_t
sb_parallel_most_alone(const struct sb_parallel *s, int64_t *ns)
{
    int64_t who = 0;
    *ns = 0;
    for (uint64_t i = 1; i < s->n_ids; i++)
        if (s->alone_ns[i] > *ns) {
            *ns = s->alone_ns[i];
            who = (int64_t)i;
        }
    return who;
}
