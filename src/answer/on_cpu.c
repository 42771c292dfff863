#include "answer/on_cpu.h"
#include "base/map.h"
#include "profile/scan_row.h"
#include "profile/timeline.h"

enum { VALUES = 3, BUCKETS = 4096 };

/* The first and the last reading in [t0, t1); if the trace is too short for two, the first one after its
 * end. */
static void
find_bounds(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_on_cpu *out)
{
    int64_t behind = INT64_MIN;
    bool whole = t1 >= sb_profile_span(p);
    out->from = INT64_MAX;
    out->to = INT64_MIN;
    SB_SCAN(s, p, thread_sample, at);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t moment = s.value[at][i];
        out->from = moment >= t0 && moment < out->from ? moment : out->from;
        out->to = moment <= t1 && moment > out->to ? moment : out->to;
        behind = moment > behind ? moment : behind;
    }
    if (whole && out->from < t1 && out->to - out->from < (t1 - t0) / 2)
        out->to = behind;
    if (out->to <= out->from)
        out->from = out->to = t0;
}

static uint64_t
key_of(int64_t node, int64_t tid)
{
    return (uint64_t)node << 32 | (uint32_t)tid;
}

static void
place_threads(const struct sb_profile *p, struct sb_map *place)
{
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_thread); i++)
        *sb_map_put(place, key_of(SB_CELL(p, thread, node, i), SB_CELL(p, thread, tid, i)), NULL) =
            (uint32_t)i;
}

struct ends { /* values of a thread's last readings up to `from` and up to `to`; they only grow */
    int64_t first[VALUES], last[VALUES];
};

static void
read_ends(const struct sb_profile *p, const struct sb_on_cpu *c, struct ends *of)
{
    SB_SCOPED_MAP struct sb_map place = {0};
    place_threads(p, &place);
    SB_SCAN(s, p, thread_sample, node, tid, at, cpu_ns, queue_ns, involuntary);
    const unsigned column[VALUES] = {cpu_ns, queue_ns, involuntary};
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        const uint32_t *thread = sb_map_get(&place, key_of(s.value[node][i], s.value[tid][i]));
        for (unsigned k = 0; thread && k < VALUES && s.value[at][i] <= c->to; k++) {
            int64_t v = s.value[column[k]][i], *first = &of[*thread].first[k], *last = &of[*thread].last[k];
            *last = v > *last ? v : *last;
            if (s.value[at][i] <= c->from)
                *first = v > *first ? v : *first;
        }
    }
}

/* A thread whose first reading is after `from` counts from 0. */
static int64_t
grown(const struct ends *e, unsigned k)
{
    return e->last[k] == SB_NULL ? SB_NULL : e->last[k] - (e->first[k] == SB_NULL ? 0 : e->first[k]);
}

static const struct sb_thread_use unknown = {SB_NULL, SB_NULL, SB_NULL};

void
sb_on_cpu_find(const struct sb_profile *p, int64_t t0, int64_t t1, struct sb_arena *a, struct sb_on_cpu *out)
{
    uint64_t n = sb_profile_rows(p, SB_T_thread);
    int64_t other = sb_profile_find_text(p, SB_STR("other"));
    struct ends *of = SB_NEW_N(a, struct ends, n + 1);
    *out = (struct sb_on_cpu){.of = SB_NEW_N(a, struct sb_thread_use, n + 1), .schedulers = unknown};
    for (uint64_t i = 0; i < n; i++)
        for (unsigned k = 0; k < VALUES; k++)
            of[i].first[k] = of[i].last[k] = SB_NULL;
    if (n > 0)
        find_bounds(p, t0, t1, out);
    bool known = out->to > out->from;
    if (known)
        read_ends(p, out, of);
    for (uint64_t i = 0; i < n; i++) {
        out->of[i] =
            known ? (struct sb_thread_use){grown(&of[i], 0), grown(&of[i], 1), grown(&of[i], 2)} : unknown;
        if (SB_CELL(p, thread, kind, i) == other)
            continue;
        sb_add_known(&out->schedulers.cpu_ns, out->of[i].cpu_ns);
        sb_add_known(&out->schedulers.queue_ns, out->of[i].queue_ns);
        sb_add_known(&out->schedulers.involuntary, out->of[i].involuntary);
    }
}

/* A bucket that extends beyond the range counts in proportion, as if its work were evenly spread. */
bool
sb_on_cpu_work(const struct sb_profile *p, const struct sb_on_cpu *c, int64_t *work_ns, struct sb_err *e)
{
    struct sb_track all;
    SB_SCOPED struct sb_buckets v = {0};
    double work = 0;
    int64_t end = sb_profile_span(p), to = c->to < end ? c->to : end;
    SB_TRY(sb_track_find(p, SB_STR("all"), &all, e));
    *work_ns = SB_NULL;
    if (sb_timeline_kept(p, &all) == 0 || to <= c->from)
        return true;
    SB_TRY(sb_timeline(p, &all, (struct sb_timeline_range){c->from, to, BUCKETS}, &v, e));
    for (size_t i = 0; i < v.n; i++) {
        const struct sb_bucket *b = &v.at[i];
        int64_t from = b->start > c->from ? b->start : c->from;
        int64_t until = b->start + b->dur < to ? b->start + b->dur : to;
        int64_t length = b->start + b->dur < end ? b->dur : end - b->start;
        int64_t ns = b->v[SB_B_running] + b->v[SB_B_gc] + b->v[SB_B_dirty];
        work += length > 0 ? (double)ns * (double)(until - from) / (double)length : 0;
    }
    *work_ns = (int64_t)work;
    return true;
}
