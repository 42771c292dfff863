/*
 * Allocation over time, from the collections. A heap with 100 words after a collection and 500 before the
 * next has allocated 400. That includes message fragments, which are added where their size is known.
 */
#include "answer/answer.h"
#include "profile/scan_row.h"
#include "base/map.h"
#include "profile/timeline.h"

static const struct sb_column columns[] = {
    {"start", SB_INT, SB_U_AT_NS, "start of the interval"},
    {"dur_ns", SB_INT, SB_U_NS, "its duration"},
    {"allocated_words", SB_INT, SB_U_WORDS,
     "on heaps that were collected in the interval, since their previous collection"},
    {"words_per_s", SB_INT, SB_U_WORDS, "allocated per second"},
    {"reclaimed_words", SB_INT, SB_U_WORDS, "reclaimed by collections"},
    {"gc_count", SB_INT, SB_U_COUNT, "garbage collections that started"},
    {"gc_ns", SB_INT, SB_U_NS, "time of these collections"},
    {"gc_ppm", SB_INT, SB_U_PPM, "gc_ns as a share of the run time of all processes"},
    {0},
};

SB_ANSWER(allocation) = {
    .name = "allocation",
    .title = "Words allocated over time",
    .doc = "One row per interval (at most --limit N rows, each 2^k ns). The allocation of a process becomes "
           "known when it collects garbage, so a process that never does is not included.",
    .needs = "--trace gc",
    .ask = answer,
    .own_limit = true,
    .limit = 20,
    .column = columns,
    .narrow = "start,allocated_words,words_per_s,reclaimed_words,gc_count,gc_ppm",
};

enum { START, DUR, ALLOCATED, RATE, RECLAIMED, COUNT, GC, SHARE, N_COLUMNS };

struct stretch {
    int64_t allocated, reclaimed, count, gc;
};

struct sums {
    const struct sb_buckets *buckets;
    struct stretch *at;
    struct sb_map only;   /* selected processes; empty: all */
    struct sb_map last;   /* process -> 1 + index in `left` */
    SB_VEC(int64_t) left; /* words left by its last collection */
};

static struct stretch *
stretch_of(const struct sums *s, int64_t at)
{
    const struct sb_bucket *first = s->buckets->at;
    if (s->buckets->n == 0 || at < first->start)
        return NULL;
    uint64_t i = (uint64_t)(at - first->start) / (uint64_t)first->dur;
    return i < s->buckets->n ? &s->at[i] : NULL;
}

/* The words allocated before this collection; SB_NULL if the previous one is not in the trace. */
static int64_t
since_the_last(struct sums *s, int64_t process, int64_t before, int64_t fragments, int64_t after)
{
    int64_t *left = SB_AT_KEY(&s->last, (uint64_t)process, &s->left, SB_NULL), grown = SB_NULL;
    if (*left != SB_NULL && before != SB_NULL)
        grown = before - *left + (fragments == SB_NULL ? 0 : fragments);
    *left = after;
    return grown;
}

static void
add_collections(struct sums *s, const struct sb_profile *p)
{
    SB_SCAN(scan, p, gc, process, start, dur, heap_before, heap_after, mbuf_words, reclaimed_words);
    for (size_t i = 0; sb_scan_row(&scan, &i); i++) {
        int64_t *const *v = scan.value, who = v[process][i];
        if (s->only.n > 0 && !sb_map_get(&s->only, (uint64_t)who))
            continue;
        int64_t grown = since_the_last(s, who, v[heap_before][i], v[mbuf_words][i], v[heap_after][i]);
        struct stretch *to = stretch_of(s, v[start][i]);
        if (!to)
            continue;
        to->allocated += grown > 0 ? grown : 0;
        to->reclaimed += v[reclaimed_words][i] == SB_NULL ? 0 : v[reclaimed_words][i];
        to->gc += v[dur][i] == SB_NULL ? 0 : v[dur][i];
        to->count++;
    }
}

static void
put_rows(const struct sums *s, struct sb_table *t)
{
    for (size_t i = 0; i < s->buckets->n; i++) {
        const struct sb_bucket *b = &s->buckets->at[i];
        union sb_cell *c = sb_table_row(t);
        int64_t run = b->v[SB_B_running] + b->v[SB_B_gc];
        c[START].i = b->start;
        c[DUR].i = b->dur;
        c[ALLOCATED].i = s->at[i].allocated;
        c[RATE].i = (int64_t)((double)s->at[i].allocated * 1e9 / (double)b->dur);
        c[RECLAIMED].i = s->at[i].reclaimed;
        c[COUNT].i = s->at[i].count;
        c[GC].i = s->at[i].gc;
        c[SHARE].i =
            s->only.n == 0 && run > 0 ? (int64_t)((double)b->v[SB_B_gc] * 1e6 / (double)run) : SB_NULL;
    }
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    enum { ROWS = 40 };
    struct sb_track all;
    struct sb_buckets b;
    struct sums s = {.buckets = &b};
    int64_t *ids;
    size_t n;
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    SB_TRY(sb_answer_chosen(ask, &ids, &n, e));
    if (sb_profile_rows(ask->profile, SB_T_gc) == 0)
        return true;
    SB_TRY(sb_track_find(ask->profile, SB_STR("all"), &all, e));
    struct sb_timeline_range range = {ask->q->since_ns, ask->q->until_ns,
                                      ask->q->limit ? ask->q->limit : ROWS};
    SB_TRY(sb_timeline(ask->profile, &all, range, &b, e));
    for (size_t i = 0; i < n; i++)
        sb_map_put(&s.only, (uint64_t)ids[i], NULL);
    s.at = SB_NEW_N(ask->arena, struct stretch, b.n + 1);
    add_collections(&s, ask->profile);
    put_rows(&s, t);
    SB_VEC_FREE(&s.left);
    sb_map_close(&s.last);
    sb_map_close(&s.only);
    SB_VEC_FREE(&b);
    return true;
}
