#include "profile/timeline.h"
#include "base/arena.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "profile/states.h"
#include <stdlib.h>

enum { MOST_BUCKETS = 1 << 20, ROWS_AT_ONCE = 1 << 20 };

static const int64_t LAST_NS = INT64_C(1) << 62; /* 146 years: room to add a bucket */

/* ---- tracks ---- */

static const char *const kind_name[] = {"all", "scheduler", "process", "group"};

static bool
is_track(const struct sb_profile *p, uint64_t row, const struct sb_track *t)
{
    struct sb_str kind = sb_profile_text(p, SB_CELL(p, track, kind, row));
    return sb_str_eq(kind, sb_str_of(kind_name[t->kind])) &&
           (t->kind == SB_TRACK_ALL || SB_CELL(p, track, ref, row) == t->ref);
}

static void
find_id(const struct sb_profile *p, struct sb_track *t)
{
    t->id = SB_NULL;
    SB_SCAN(s, p, track, id);
    if (t->kind != SB_TRACK_ALL)
        sb_scan_where(&s, SB_C_track__ref, t->ref, t->ref);
    for (size_t i = 0; t->id == SB_NULL && sb_scan_row(&s, &i); i++)
        if (is_track(p, s.row[i], t))
            t->id = s.value[id][i];
}

static bool
track_of_id(const struct sb_profile *p, int64_t id, struct sb_track *t)
{
    SB_SCAN(s, p, track, ref);
    sb_scan_where(&s, SB_C_track__id, id, id);
    if (sb_scan_next(&s))
        for (unsigned k = 0; k < 4; k++) {
            *t = (struct sb_track){(enum sb_track_kind)k, s.value[ref][0], id};
            if (is_track(p, s.row[0], t))
                return true;
        }
    return false;
}

static enum sb_tab
table_of(enum sb_track_kind k)
{
    return k == SB_TRACK_SCHEDULER ? SB_T_scheduler
           : k == SB_TRACK_PROCESS ? SB_T_process
                                   : SB_T_process_group;
}

bool
sb_track_find(const struct sb_profile *p, struct sb_str text, struct sb_track *t, struct sb_err *e)
{
    struct sb_str ref = text, kind = sb_str_cut(&ref, ':');
    int64_t id;
    *t = (struct sb_track){.kind = SB_TRACK_ALL, .ref = SB_NULL};
    if (sb_str_to_i64(text, &id) && track_of_id(p, id, t))
        return true;
    bool known = sb_str_eq(text, SB_STR("all"));
    for (unsigned k = SB_TRACK_SCHEDULER; k <= SB_TRACK_GROUP && !known; k++) {
        known = sb_str_eq(kind, sb_str_of(kind_name[k])) && sb_str_to_i64(ref, &t->ref) && t->ref >= 1 &&
                (uint64_t)t->ref <= sb_profile_rows(p, table_of((enum sb_track_kind)k));
        t->kind = (enum sb_track_kind)k;
    }
    if (!known)
        return sb_err_set(e, SB_ERR_USAGE,
                          "no track '%.*s': all, scheduler:ID, process:ID, group:ID or a track.id",
                          SB_STR_ARG(text));
    find_id(p, t);
    return true;
}

/* ---- buckets ---- */

static unsigned
level_of(int64_t t0, int64_t t1, uint64_t n)
{
    unsigned level = 0;
    while ((uint64_t)(((t1 - 1) >> level) - (t0 >> level)) >= n && level < 62)
        level++;
    return level;
}

static void
lay_out(struct sb_buckets *out, int64_t t0, int64_t t1, unsigned level)
{
    int64_t first = t0 >> level, last = (t1 - 1) >> level;
    SB_RESERVE(out, (size_t)(last - first + 1));
    for (int64_t b = first; b <= last; b++)
        out->at[out->n++] = (struct sb_bucket){.start = b << level, .dur = INT64_C(1) << level};
}

static bool
is_most(unsigned value)
{
    return value == SB_B_longest || value == SB_B_peak_running || value == SB_B_peak_runnable;
}

static void
put(struct sb_bucket *b, unsigned value, int64_t v)
{
    if (!is_most(value))
        __builtin_add_overflow(b->v[value], v, &b->v[value]);
    else if (v > b->v[value])
        b->v[value] = v;
}

/* ---- from the pyramid ---- */

struct levels {
    int64_t finest, coarsest; /* finest > coarsest: none */
};

static struct levels
levels_of(const struct sb_profile *p, int64_t track)
{
    struct levels l = {64, -1};
    if (track == SB_NULL)
        return l;
    SB_SCAN(s, p, pyramid, level);
    sb_scan_where(&s, SB_C_pyramid__track, track, track);
    sb_scan_where(&s, SB_C_pyramid__level, 0, 62);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        l.finest = s.value[level][i] < l.finest ? s.value[level][i] : l.finest;
        l.coarsest = s.value[level][i] > l.coarsest ? s.value[level][i] : l.coarsest;
    }
    return l;
}

uint64_t
sb_timeline_kept(const struct sb_profile *p, const struct sb_track *t)
{
    struct levels l = levels_of(p, t->id);
    int64_t span = sb_profile_span(p);
    return l.finest > l.coarsest || span <= 0 ? 0 : (uint64_t)((span - 1) >> l.finest) + 1;
}

/* A track without peaks in the profile has unknown peaks, not 0. */
static void
forget_peaks(struct sb_buckets *out)
{
    for (size_t i = 0; i < out->n; i++)
        for (unsigned k = SB_B_PEAKS; k < SB_B_VALUES; k++)
            out->at[i].v[k] = SB_NULL;
}

static void
read_pyramid(const struct sb_profile *p, int64_t track, int64_t from_level, unsigned level,
             struct sb_buckets *out)
{
    int64_t first = out->at[0].start, end = out->at[out->n - 1].start + out->at[0].dur;
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_pyramid);
    sb_scan_where(&s, SB_C_pyramid__track, track, track);
    sb_scan_where(&s, SB_C_pyramid__level, from_level, from_level);
    sb_scan_where(&s, SB_C_pyramid__bucket, first >> from_level, (end - 1) >> from_level);
    unsigned bucket = sb_scan_want(&s, SB_C_pyramid__bucket), value[SB_B_VALUES];
    for (unsigned k = 0; k < SB_B_VALUES; k++)
        value[k] = sb_scan_want(&s, SB_C_pyramid__running_ns + k);
    bool peaks = false;
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        peaks |= s.value[value[SB_B_PEAKS]][i] != SB_NULL;
        size_t at = (size_t)((s.value[bucket][i] >> (level - from_level)) - (first >> level));
        for (unsigned k = 0; k < SB_B_VALUES && at < out->n; k++)
            put(&out->at[at], k, sb_known(s.value[value[k]][i]));
    }
    if (!peaks)
        forget_peaks(out);
}

/* ---- a group: its processes, one after another ---- */

static void
read_group(const struct sb_profile *p, int64_t group, struct sb_timeline_range range, struct sb_buckets *out)
{
    SB_SCAN(s, p, process, id);
    sb_scan_where(&s, SB_C_process__group_id, group, group);
    for (size_t k = 0; sb_scan_row(&s, &k); k++) {
        struct sb_track one = {.kind = SB_TRACK_PROCESS, .ref = s.value[id][k]};
        struct sb_buckets b;
        find_id(p, &one);
        sb_timeline(p, &one, range, &b, NULL);
        for (size_t i = 0; i < out->n && i < b.n; i++)
            for (unsigned v = 0; v < SB_B_PEAKS; v++) /* peaks are unknown this way */
                put(&out->at[i], v, b.at[i].v[v]);
        out->exact_from_rows |= b.exact_from_rows;
        SB_VEC_FREE(&b);
    }
    forget_peaks(out);
}

/* ---- from rows ---- */

static const struct {
    int value, on_scheduler; /* on_scheduler: counts as a running scheduler */
} of_state[SB_STATES] = {
    [SB_STATE_RUNNING] = {SB_B_running, 1}, [SB_STATE_GC] = {SB_B_gc, 1},
    [SB_STATE_DIRTY] = {SB_B_dirty, 1},     [SB_STATE_RUNNABLE] = {SB_B_runnable, 0},
    [SB_STATE_WAITING] = {SB_B_waiting, 0}, [SB_STATE_UNKNOWN] = {-1, 0},
    [SB_STATE_PORT] = {SB_B_ports, 1},      [SB_STATE_HANDOVER] = {SB_B_handover, 0},
};

struct edge { /* a process starts or stops running or being runnable */
    int64_t at;
    int step;
};
struct edges {
    struct edge *at;
    size_t n, cap;
};

/* At equal times, ends precede starts. */
SB_ORDER(by_time, struct edge, SB_UP(at) ?: SB_UP(step))

static void
add_span(struct sb_buckets *out, unsigned level, const struct sb_span *s, unsigned value)
{
    int64_t first = out->at[0].start >> level, from = s->start, end = s->end;
    int64_t stop = out->at[out->n - 1].start + out->at[0].dur;
    from = from > out->at[0].start ? from : out->at[0].start;
    end = end < stop ? end : stop;
    for (int64_t at = from; at < end;) {
        struct sb_bucket *b = &out->at[(at >> level) - first];
        int64_t to = b->start + b->dur < end ? b->start + b->dur : end;
        put(b, value, to - at);
        at = to;
    }
}

static void
add_longest(struct sb_buckets *out, unsigned level, int64_t start, int64_t end)
{
    int64_t first = out->at[0].start >> level, from = start >> level, to = (end - 1) >> level;
    for (int64_t b = from > first ? from : first; b <= to && b - first < (int64_t)out->n; b++)
        put(&out->at[b - first], SB_B_longest, end - start);
}

static void
add_peaks(struct sb_buckets *out, struct edges *edges, unsigned value)
{
    SB_SORT(edges, by_time);
    int64_t now = 0;
    size_t k = 0;
    for (size_t i = 0; i < out->n; i++) {
        for (; k < edges->n && edges->at[k].at <= out->at[i].start; k++)
            now += edges->at[k].step;
        put(&out->at[i], value, now);
        for (; k < edges->n && edges->at[k].at < out->at[i].start + out->at[i].dur; k++)
            put(&out->at[i], value, now += edges->at[k].step);
    }
}

static void
add_edges(struct edges *edges, const struct sb_span *s)
{
    *SB_PUSH(edges) = (struct edge){s->start, 1};
    *SB_PUSH(edges) = (struct edge){s->end, -1};
}

static bool
is_run(const struct sb_span *s)
{
    return s->state == SB_STATE_RUNNING || s->state == SB_STATE_GC || s->state == SB_STATE_DIRTY;
}

/* The index after the last span of the stay at i. A stay is one run, including its collections. */
static size_t
end_of_stay(const struct sb_spans *spans, size_t i)
{
    size_t k = i + 1;
    while (k < spans->n && is_run(&spans->at[k]) && spans->at[k].process == spans->at[i].process &&
           spans->at[k].scheduler == spans->at[i].scheduler && spans->at[k].start == spans->at[k - 1].end)
        k++;
    return k;
}

static void
read_spans(unsigned level, struct sb_spans *spans, struct sb_buckets *out)
{
    struct edges running = {0}, ready = {0};
    size_t n = spans->n;
    for (size_t i = 0; i < n; i++) {
        const struct sb_span *s = &spans->at[i];
        if (of_state[s->state].value >= 0)
            add_span(out, level, s, (unsigned)of_state[s->state].value);
        if (s->state == SB_STATE_GC && s->dirty)
            add_span(out, level, s, SB_B_dirty_gc);
        if (of_state[s->state].on_scheduler)
            add_span(out, level, s, SB_B_schedulers);
        if (s->state == SB_STATE_RUNNABLE)
            add_edges(&ready, s);
    }
    for (size_t i = 0; i < n; i++)
        if (is_run(&spans->at[i])) {
            size_t end = end_of_stay(spans, i);
            struct sb_span stay = spans->at[i];
            stay.end = spans->at[end - 1].end;
            add_longest(out, level, stay.start, stay.end);
            add_edges(&running, &stay);
            i = end - 1;
        }
    add_peaks(out, &running, SB_B_peak_running);
    add_peaks(out, &ready, SB_B_peak_runnable);
    SB_VEC_FREE(&running);
    SB_VEC_FREE(&ready);
}

static void
keep(struct sb_spans *spans, const struct sb_track *t, const int64_t *group, uint64_t n_processes)
{
    size_t n = 0;
    for (size_t i = 0; i < spans->n; i++) {
        const struct sb_span *s = &spans->at[i];
        bool port = s->state == SB_STATE_PORT,
             known = !port && s->process >= 1 && (uint64_t)s->process <= n_processes;
        bool is = t->kind == SB_TRACK_SCHEDULER ? s->scheduler == t->ref
                  : t->kind == SB_TRACK_PROCESS
                      ? !port && s->process == t->ref
                      : t->kind == SB_TRACK_ALL || (known && group[s->process - 1] == t->ref);
        if (is)
            spans->at[n++] = *s;
    }
    spans->n = n;
}

static void
read_rows(const struct sb_profile *p, const struct sb_track *t, unsigned level, struct sb_buckets *out)
{
    struct sb_states *states = sb_states_open(p);
    SB_SCOPED struct sb_spans spans = {0};
    int64_t *group = NULL, end = out->at[out->n - 1].start + out->at[0].dur;
    uint64_t n = sb_profile_rows(p, SB_T_process);
    if (t->kind == SB_TRACK_GROUP) {
        group = sb_realloc_or_die(NULL, (n + 1) * sizeof *group);
        sb_profile_read(p, SB_T_process, SB_C_process__group_id, 0, n, group);
    }
    sb_states_of(states, t->kind == SB_TRACK_PROCESS ? t->ref : SB_NULL,
                 (struct sb_range){out->at[0].start, end}, &spans);
    keep(&spans, t, group, n);
    read_spans(level, &spans, out);
    out->exact_from_rows = true;
    free(group);
    sb_states_close(states);
}

bool
sb_timeline(const struct sb_profile *p, const struct sb_track *t, struct sb_timeline_range range,
            struct sb_buckets *out, struct sb_err *e)
{
    *out = (struct sb_buckets){0};
    int64_t t0 = range.t0 == SB_NULL || range.t0 < 0 ? 0 : range.t0;
    int64_t t1 = range.t1 == SB_NULL ? sb_profile_span(p) : range.t1 > LAST_NS ? LAST_NS : range.t1;
    if (range.n > MOST_BUCKETS)
        return sb_err_set(e, SB_ERR_LIMIT, "more than %d buckets asked for", MOST_BUCKETS);
    if (t0 >= t1 || range.n == 0)
        return true;
    unsigned level = level_of(t0, t1, range.n);
    struct levels has = levels_of(p, t->id);
    lay_out(out, t0, t1, level);
    if (has.finest > has.coarsest && t->kind == SB_TRACK_GROUP &&
        sb_profile_rows(p, SB_T_slice) > ROWS_AT_ONCE)
        read_group(p, t->ref, (struct sb_timeline_range){t0, t1, range.n}, out);
    else if (has.finest <= (int64_t)level)
        read_pyramid(p, t->id, has.coarsest < (int64_t)level ? has.coarsest : (int64_t)level, level, out);
    else
        read_rows(p, t, level, out);
    return true;
}
