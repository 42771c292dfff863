#include "why/run/level.h"
#include "base/order.h"
#include "base/sort.h"
#include "why/run/at_work.h"

enum { POINTS_A_PART = 4 };

struct reading {
    struct sb_level *level;
    struct sb_at_work at_work;
    int64_t sum[SB_LEVEL_KINDS]; /* up to the last point */
};

/* `kinds`: bits of those that matter, since divisions take long. */
static void
add_time(const struct sb_level_point *p, int64_t ns, int64_t schedulers, unsigned kinds, int64_t *sum)
{
    enum { SPARES = 1 << SB_LEVEL_SPARE | 1 << SB_LEVEL_FEW };
    int64_t k = p->working, free = kinds & SPARES ? schedulers - k - p->ready : 0;
    int64_t spare = free > 0 ? (int64_t)((double)ns * (double)free / (double)schedulers) : 0;
    sum[SB_LEVEL_IDLE] += k + p->ready == 0 ? ns : 0;
    sum[SB_LEVEL_ALONE] += k == 1 && p->ready == 0 ? ns : 0;
    sum[SB_LEVEL_QUIET] += k < 2 ? ns : 0;
    sum[SB_LEVEL_SHARE] += kinds & 1 << SB_LEVEL_SHARE && k > 0 ? k == 1 ? ns : ns / k : 0;
    sum[SB_LEVEL_SPARE] += spare;
    sum[SB_LEVEL_FEW] += k > 1 ? spare : 0;
    sum[SB_LEVEL_HELD] += p->ready > 0 ? ns : 0;
}

static void
add_point(struct reading *r, const struct sb_level_point *p)
{
    struct sb_level *l = r->level;
    if (l->n % SB_LEVEL_SUMMED == 0)
        memcpy(*SB_PUSH(&l->sum), r->sum, sizeof r->sum);
    *SB_PUSH(l) = *p;
}

static struct sb_level_point *
point_at(struct reading *r, int64_t at)
{
    struct sb_level *l = r->level;
    struct sb_level_point last = l->at[l->n - 1];
    if (at > last.at) {
        add_time(&last, at - last.at, l->schedulers, SB_LEVEL_ALL, r->sum);
        last.at = at;
        add_point(r, &last);
    }
    return &l->at[l->n - 1];
}

static void
change(void *ctx, const struct sb_at_work_change *c)
{
    struct reading *r = ctx;
    struct sb_level_point *p = point_at(r, c->at);
    bool works = c->what == SB_DOES_RUN || c->what == SB_DOES_DIRTY,
         ready = c->what == SB_DOES_SURELY || c->what == SB_DOES_HANDOVER;
    p->working += (int32_t)((works ? c->step : 0) + sb_at_work_ports(&r->at_work, c));
    p->ready += (int32_t)(ready ? c->step : 0);
    if (works) { /* what is up to the end, less what is up to the start */
        struct sb_level_work *work = &r->level->work[c->id];
        work->ns -= c->step * c->at;
        work->alone_ns -= c->step * r->sum[SB_LEVEL_ALONE];
        work->share_ns -= c->step * r->sum[SB_LEVEL_SHARE];
    }
}

/* Notes for each of many equal parts of the time the last point at its beginning or before it. */
static void
index_points(struct sb_level *l)
{
    uint64_t n = l->n / POINTS_A_PART + 1;
    l->part_ns = (l->at[l->n - 1].at - l->at[0].at) / (int64_t)n + 1;
    l->n_parts = n;
    l->part = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *l->part, n + 1));
    for (uint64_t i = 0, k = 0; i <= n; i++) {
        while (k + 1 < l->n && l->at[k + 1].at - l->at[0].at <= (int64_t)i * l->part_ns)
            k++;
        l->part[i] = k;
    }
}

void
sb_level_read(const struct sb_profile *p, int64_t t0, int64_t t1, int64_t schedulers, struct sb_level *out)
{
    SB_ARENA(a);
    struct reading r = {.level = out};
    *out = (struct sb_level){.schedulers = schedulers};
    add_point(&r, &(struct sb_level_point){.at = t0});
    sb_at_work_open(&r.at_work, p, &a);
    out->work = sb_zeroed_or_die(r.at_work.n_processes + 1, sizeof *out->work);
    r.at_work.leaves_out = 1 << SB_DOES_LIKELY | 1 << SB_DOES_PERHAPS | 1 << SB_DOES_LOST |
                           1 << SB_DOES_WAKE | 1 << SB_DOES_COLLECT;
    r.at_work.ctx = &r;
    r.at_work.change = change;
    sb_at_work_sweep(&r.at_work, t0, t1, 0);
    point_at(&r, t1);
    index_points(out);
}

void
sb_level_close(struct sb_level *l)
{
    free(l->at);
    free(l->sum.at);
    free(l->part);
    free(l->work);
    *l = (struct sb_level){0};
}

/* The last point at that moment or before it; the first one if there is none. */
static const struct sb_level_point *
last_before(const struct sb_level *l, int64_t at)
{
    int64_t part = (at - l->at[0].at) / l->part_ns;
    uint64_t i = part < 0 ? 0 : (uint64_t)part < l->n_parts ? (uint64_t)part : l->n_parts - 1;
    size_t from = l->part[i], to = part > (int64_t)i ? l->n : l->part[i + 1] + 1;
    while (to - from > 1) {
        size_t mid = from + (to - from) / 2;
        if (l->at[mid].at <= at)
            from = mid;
        else
            to = mid;
    }
    return &l->at[from];
}

/* Adds the time from point p up to a moment, of which q is the last point before it. */
static void
add_up_to(const struct sb_level *l, const struct sb_level_point *p, const struct sb_level_point *q,
          int64_t at, unsigned kinds, int64_t ns[SB_LEVEL_KINDS])
{
    for (; p < q; p++)
        add_time(p, p[1].at - p->at, l->schedulers, kinds, ns);
    if (q + 1 < l->at + l->n && at > q->at)
        add_time(q, at - q->at, l->schedulers, kinds, ns);
}

/* The same from the beginning. */
static void
sums_up_to(const struct sb_level *l, const struct sb_level_point *q, int64_t at, unsigned kinds,
           int64_t ns[SB_LEVEL_KINDS])
{
    size_t i = (size_t)(q - l->at) / SB_LEVEL_SUMMED;
    memcpy(ns, l->sum.at[i], sizeof l->sum.at[i]);
    add_up_to(l, l->at + i * SB_LEVEL_SUMMED, q, at, kinds, ns);
}

void
sb_level_kinds(const struct sb_level *l, int64_t from, int64_t to, unsigned kinds, int64_t ns[SB_LEVEL_KINDS])
{
    memset(ns, 0, SB_LEVEL_KINDS * sizeof *ns);
    if (from >= to || l->n == 0)
        return;
    int64_t before[SB_LEVEL_KINDS] = {0};
    const struct sb_level_point *p = last_before(l, from), *q = p;
    while (q + 1 < l->at + l->n && q[1].at <= to && q - p < 8) /* most ranges are short */
        q++;
    if (q - p < 8) {
        add_up_to(l, p, p, from, kinds, before);
        add_up_to(l, p, q, to, kinds, ns);
    } else {
        sums_up_to(l, p, from, kinds, before);
        sums_up_to(l, last_before(l, to), to, kinds, ns);
    }
    for (unsigned k = 0; k < SB_LEVEL_KINDS; k++)
        ns[k] -= before[k];
}

int64_t
sb_level_within(const struct sb_level *l, enum sb_level_kind kind, int64_t from, int64_t to)
{
    int64_t ns[SB_LEVEL_KINDS];
    sb_level_kinds(l, from, to, 1U << kind, ns);
    return ns[kind];
}

/* ---- ranges ---- */

void
sb_ranges_add(struct sb_ranges *r, int64_t from, int64_t to)
{
    if (from < to)
        *SB_PUSH(r) = (struct sb_range){from, to};
}

void
sb_ranges_sort(struct sb_ranges *r)
{
    size_t i = 1;
    while (i < r->n && r->at[i - 1].from <= r->at[i].from)
        i++;
    if (i >= r->n)
        return;
    struct sb_sort_key *key = sb_realloc_or_die(NULL, sb_mul_or_die(2 * r->n, sizeof *key));
    for (i = 0; i < r->n; i++)
        key[i] = (struct sb_sort_key){sb_sort_key_of(r->at[i].from), (uint64_t)i};
    sb_sort_radix(key, key + r->n, r->n);
    struct sb_range *to = (struct sb_range *)(key + r->n);
    for (i = 0; i < r->n; i++)
        to[i] = r->at[key[i].value];
    memcpy(r->at, to, r->n * sizeof *to);
    free(key);
}

void
sb_ranges_unite(struct sb_ranges *r)
{
    size_t n = 0;
    sb_ranges_sort(r);
    for (size_t i = 0; i < r->n; i++)
        if (n > 0 && r->at[i].from <= r->at[n - 1].to)
            r->at[n - 1].to = r->at[i].to > r->at[n - 1].to ? r->at[i].to : r->at[n - 1].to;
        else
            r->at[n++] = r->at[i];
    r->n = n;
}

int64_t
sb_ranges_ns(const struct sb_ranges *r)
{
    int64_t ns = 0;
    for (size_t i = 0; i < r->n; i++)
        ns += r->at[i].to - r->at[i].from;
    return ns;
}

int64_t
sb_ranges_within(const struct sb_ranges *r, const struct sb_level *l, enum sb_level_kind kind)
{
    int64_t ns = 0;
    for (size_t i = 0; i < r->n; i++)
        ns += sb_level_within(l, kind, r->at[i].from, r->at[i].to);
    return ns;
}

void
sb_ranges_cut(struct sb_ranges *r, const struct sb_ranges *other)
{
    struct sb_ranges out = {0};
    for (size_t i = 0, k = 0; i < r->n && k < other->n;) {
        if (other->at[k].to <= r->at[i].from) { /* few ranges may be cut by very many */
            size_t end = other->n;
            SB_SEARCH(k, end, other->at[mid].to <= r->at[i].from);
            continue;
        }
        int64_t from = r->at[i].from > other->at[k].from ? r->at[i].from : other->at[k].from;
        int64_t to = r->at[i].to < other->at[k].to ? r->at[i].to : other->at[k].to;
        sb_ranges_add(&out, from, to);
        if (r->at[i].to < other->at[k].to)
            i++;
        else
            k++;
    }
    SB_VEC_FREE(r);
    *r = out;
}
