/*
 * A span of any length costs two updates, one at each end. The time that a bucket is covered follows from the
 * number of spans that continue past its end and from the offsets of ends inside it:
 *
 *     |    from-------|-------------|-----to      |
 *      -from     +1 W           +1 W  +to          ns of the bucket, W its width
 *          +1                          -1          more
 */
#include "engine/pyramid/pyramid_track.h"

enum { FEW_BUCKETS = 512, MANY_BUCKETS = 64 };

/* Arrays have one extra element, so that every pair of buckets has a second. */
struct sb_pyramid_track
sb_pyramid_track_open(struct sb_grid axis, bool grows)
{
    struct sb_pyramid_track t = {.axis = axis, .used = axis.n};
    t.longest = sb_zeroed_or_die(axis.n + 1, sizeof *t.longest);
    t.run = sb_zeroed_or_die(axis.n + 1, sizeof *t.run);
    t.n_above = grows ? (unsigned)__builtin_ctzll(axis.n) : 0;
    SB_ASSERT(!grows || axis.n == (size_t)1 << t.n_above);
    for (unsigned k = 0; k < t.n_above; k++)
        t.run_above[k] = sb_zeroed_or_die(axis.n >> (k + 1), sizeof *t.run);
    return t;
}

void
sb_pyramid_track_close(struct sb_pyramid_track *t)
{
    for (unsigned s = 0; s < SB_TRACK_NUMBERS; s++) {
        free(t->ns[s]);
        free(t->more[s]);
    }
    for (unsigned k = 0; k < t->n_above; k++)
        free(t->run_above[k]);
    free(t->cover);
    free(t->longest);
    free(t->run);
    *t = (struct sb_pyramid_track){0};
}

/* ---- adding a span ---- */

static void
open_state(struct sb_pyramid_track *t, unsigned state)
{
    t->ns[state] = sb_zeroed_or_die(t->axis.n + 1, sizeof *t->ns[state]);
    t->more[state] = sb_zeroed_or_die(t->axis.n + 1, sizeof *t->more[state]);
}

static inline void
add_end(struct sb_grid axis, int64_t *ns, int32_t *more, int64_t at, int sign)
{
    size_t b = sb_grid_bucket(axis, at);
    int64_t into = at - sb_grid_start(axis, b);
    ns[b] -= sign > 0 ? into : -into;
    more[b] += sign;
}

static inline void
add(struct sb_pyramid_track *t, struct sb_grid axis, unsigned state, const struct sb_part_span *s, int sign)
{
    if (!t->ns[state])
        open_state(t, state);
    int64_t *ns = t->ns[state];
    int32_t *more = t->more[state];
    add_end(axis, ns, more, s->from, sign);
    add_end(axis, ns, more, s->to, -sign);
    t->spans++;
}

/* Returns whether this run is kept. */
static inline bool
keep_run(struct sb_track_run *kept, struct sb_track_run run)
{
    bool longer = run.ns > kept->ns || (run.ns == kept->ns && run.who < kept->who);
    if (longer)
        *kept = run;
    return longer;
}

/* ---- spans over many buckets ----
 *
 * Such a span marks a few nodes of a binary tree over the buckets, numbered as a heap is; spread() hands the marks
 * down. So it costs no more than a short one, however many there are at a time.
 */

static size_t
leaves_of(const struct sb_pyramid_track *t)
{
    size_t n = 1;
    while (n < t->axis.n)
        n *= 2;
    return n;
}

static void
mark(struct sb_track_cover *of, struct sb_track_cover with)
{
    if (with.longest > 0 && (of->longest == 0 || with.who < of->who))
        of->who = with.who;
    if (of->longest < with.longest)
        of->longest = with.longest;
}

/* Buckets from `first` up to `last`, without that one. */
static void
cover(struct sb_pyramid_track *t, size_t first, size_t last, struct sb_track_cover with)
{
    size_t leaves = leaves_of(t);
    if (!t->cover)
        t->cover = sb_zeroed_or_die(2 * leaves, sizeof *t->cover);
    for (first += leaves, last += leaves; first < last; first /= 2, last /= 2) {
        if (first & 1)
            mark(&t->cover[first++], with);
        if (last & 1)
            mark(&t->cover[--last], with);
    }
}

static void
spread(struct sb_pyramid_track *t)
{
    if (!t->cover)
        return;
    size_t leaves = leaves_of(t), level = (size_t)__builtin_ctzll(leaves);
    for (size_t i = 1; i < 2 * leaves; i++) {
        level -= i > 1 && (i & (i - 1)) == 0;
        const struct sb_track_cover *c = &t->cover[i];
        size_t b = i - (leaves >> level);
        if (c->longest == 0)
            continue;
        if (i < leaves) {
            mark(&t->cover[2 * i], *c);
            mark(&t->cover[2 * i + 1], *c);
        } else if (t->longest[b] < c->longest)
            t->longest[b] = c->longest;
        if (level <= t->n_above)
            keep_run(level ? &t->run_above[level - 1][b] : &t->run[b],
                     (struct sb_track_run){sb_grid_start(t->axis, 1) << level, c->who});
    }
    free(t->cover);
    t->cover = NULL;
}

static inline void
touch(struct sb_pyramid_track *t, struct sb_grid axis, const struct sb_part_span *s, uint32_t who)
{
    int64_t from = s->from, to = s->to, dur = to - from;
    size_t first = sb_grid_bucket(axis, from), last = sb_grid_bucket(axis, to - 1);
    bool is_wide = last - first > MANY_BUCKETS;
    if (is_wide)
        cover(t, first + 1, last, (struct sb_track_cover){dur, who});
    for (size_t b = first;; b = is_wide && b == first ? last : b + 1) {
        int64_t end = sb_grid_start(axis, b + 1);
        if (t->longest[b] < dur)
            t->longest[b] = dur;
        keep_run(&t->run[b], (struct sb_track_run){(to < end ? to : end) - from, who});
        if (to <= end || b + 1 == axis.n)
            return;
        from = is_wide ? sb_grid_start(axis, last) : end;
    }
}

/* A span inside one bucket that is not kept there is not kept above either: what was kept was offered there too. */
static void
touch_above(struct sb_pyramid_track *t, const struct sb_part_span *s, uint32_t who)
{
    for (unsigned k = 0; k < t->n_above; k++) {
        struct sb_grid axis = {t->axis.level + k + 1, t->axis.n >> (k + 1)};
        size_t first = sb_grid_bucket(axis, s->from), last = sb_grid_bucket(axis, s->to - 1);
        bool kept = false, is_wide = last - first > MANY_BUCKETS; /* the buckets between are covered() */
        for (size_t b = first; b <= last; b = is_wide && b == first ? last : b + 1) {
            int64_t from = b > first ? sb_grid_start(axis, b) : s->from;
            int64_t to = b < last ? sb_grid_start(axis, b + 1) : s->to;
            kept |= keep_run(&t->run_above[k][b], (struct sb_track_run){to - from, who});
        }
        if (first == last && !kept)
            return;
    }
}

void
sb_pyramid_track_add(struct sb_pyramid_track *t, const struct sb_part_span *s, size_t n)
{
    struct sb_grid axis = t->axis;
    for (const struct sb_part_span *end = s + n; s < end; s++) {
        if (s->to <= s->from)
            continue;
        add(t, axis, s->state, s, 1);
        if (s->state == SB_STATE_GC)
            add(t, axis, s->less, s, -1);
        if (s->state == SB_STATE_GC && s->less == SB_STATE_DIRTY)
            add(t, axis, SB_TRACK_DIRTY_GC, s, 1);
        if (!sb_span_is_on(s))
            continue;
        uint32_t who = s->state == SB_STATE_PORT ? 0 : s->id;
        touch(t, axis, s, who);
        touch_above(t, s, who);
    }
}

/* ---- an axis that grows ---- */

/* Merges pairs of buckets whose times have not been summed over the buckets before (level_out): the offset of an end
 * in the second bucket of a pair is one bucket more in the pair. */
static void
widen_times(int64_t *ns, int32_t *more, size_t n, int64_t width)
{
    size_t pairs = (n + 1) / 2;
    for (size_t b = 0; b < pairs; b++) {
        ns[b] = ns[2 * b] + ns[2 * b + 1] - width * more[2 * b + 1];
        more[b] = more[2 * b] + more[2 * b + 1];
    }
    memset(ns + pairs, 0, (n - pairs) * sizeof *ns);
    memset(more + pairs, 0, (n - pairs) * sizeof *more);
}

static void
widen_longest(int64_t *longest, size_t n)
{
    size_t pairs = (n + 1) / 2;
    for (size_t b = 0; b < pairs; b++)
        longest[b] = longest[2 * b] > longest[2 * b + 1] ? longest[2 * b] : longest[2 * b + 1];
    memset(longest + pairs, 0, (n - pairs) * sizeof *longest);
}

/* Returns a copy with room for `n`, and frees the original, which has `used`. */
static struct sb_track_run *
longer(struct sb_track_run *run, size_t used, size_t n)
{
    struct sb_track_run *to = sb_zeroed_or_die(n, sizeof *to);
    memcpy(to, run, used * sizeof *to);
    free(run);
    return to;
}

/* Each level takes the place of the one below. The topmost one had one bucket, which everything so far was in. */
static void
widen_runs(struct sb_pyramid_track *t)
{
    unsigned n = t->n_above;
    struct sb_track_run all = t->run_above[n - 1][0];
    free(t->run);
    t->run = longer(t->run_above[0], (t->used + 1) / 2, t->axis.n + 1);
    for (unsigned k = 1; k < n; k++)
        t->run_above[k - 1] = longer(t->run_above[k], ((t->used - 1) >> (k + 1)) + 1, t->axis.n >> k);
    t->run_above[n - 1] = sb_zeroed_or_die(1, sizeof all);
    t->run_above[n - 1][0] = all;
}

static void
widen(struct sb_pyramid_track *t)
{
    spread(t);
    for (unsigned s = 0; s < SB_TRACK_NUMBERS; s++)
        if (t->ns[s])
            widen_times(t->ns[s], t->more[s], t->used, sb_grid_start(t->axis, 1));
    widen_longest(t->longest, t->used);
    widen_runs(t);
    t->used = (t->used + 1) / 2;
    t->axis.level++;
}

void
sb_pyramid_track_widen(struct sb_pyramid_track *t, struct sb_grid now)
{
    while (t->axis.level < now.level)
        widen(t);
    t->used = now.n;
}

/* ---- writing ---- */

static void
level_out(struct sb_pyramid_track *t)
{
    for (unsigned s = 0; s < SB_TRACK_NUMBERS; s++) {
        int64_t go_on = 0;
        for (size_t b = 0; t->ns[s] && b < t->axis.n; b++) {
            go_on += t->more[s][b];
            t->ns[s][b] += go_on * sb_grid_start(t->axis, 1);
        }
    }
}

static int64_t
ns_of(const struct sb_pyramid_track *t, unsigned state, size_t b)
{
    return t->ns[state] ? t->ns[state][b] : 0;
}

static void
write_buckets(struct sb_pyramid_out *to, int64_t id, const struct sb_pyramid_track *t,
              const struct sb_peaks *peaks)
{
    struct sb_rows *rows = &to->rows;
    for (size_t b = 0; b < t->axis.n; b++) {
        int64_t running = ns_of(t, SB_STATE_RUNNING, b), gc = ns_of(t, SB_STATE_GC, b),
                dirty = ns_of(t, SB_STATE_DIRTY, b), runnable = ns_of(t, SB_STATE_RUNNABLE, b),
                waiting = ns_of(t, SB_STATE_WAITING, b), handover = ns_of(t, SB_STATE_HANDOVER, b),
                dirty_gc = ns_of(t, SB_TRACK_DIRTY_GC, b), ports = ns_of(t, SB_STATE_PORT, b);
        int32_t most[2] = {peaks ? peaks->most[0][b] : 0, peaks ? peaks->most[1][b] : 0};
        if ((running | gc | dirty | runnable | waiting | handover | ports | most[0] | most[1]) == 0)
            continue;
        struct sb_pyramid_row *row = sb_pyramid_out_row(to);
        row->track = sb_cell(rows, id);
        row->level = t->axis.level;
        row->bucket = (uint32_t)b;
        row->running_ns = sb_cell(rows, running);
        row->gc_ns = sb_cell(rows, gc);
        row->dirty_ns = sb_cell(rows, dirty);
        row->runnable_ns = sb_cell(rows, runnable);
        row->waiting_ns = sb_cell(rows, waiting);
        row->handover_ns = sb_cell(rows, handover);
        row->dirty_gc_ns = sb_cell(rows, dirty_gc);
        row->ports_ns = sb_cell(rows, ports);
        row->schedulers_ns = sb_cell(rows, running + gc + dirty + ports);
        row->longest_ns = sb_cell(rows, t->longest[b]);
        row->peak_running = peaks ? sb_cell(rows, most[0]) : SB_NO_NUMBER;
        row->peak_runnable = peaks ? sb_cell(rows, most[1]) : SB_NO_NUMBER;
        row->process = sb_cell_id(t->run[b].who);
    }
}

static void
halve_slices(struct sb_pyramid_track *t, size_t n)
{
    for (size_t b = 0; b < n; b++) {
        int64_t one = t->longest[2 * b], other = t->longest[2 * b + 1];
        struct sb_track_run second = t->run[2 * b + 1];
        t->longest[b] = one > other ? one : other;
        t->run[b] = t->run[2 * b];
        keep_run(&t->run[b], second);
    }
}

/* Merges pairs of buckets. */
static void
halve(struct sb_pyramid_track *t, struct sb_peaks *peaks)
{
    size_t was = t->axis.n, n = (was + 1) / 2;
    for (unsigned s = 0; s < SB_TRACK_NUMBERS; s++) {
        int64_t *ns = t->ns[s];
        if (!ns)
            continue;
        ns[was] = 0;
        for (size_t b = 0; b < n; b++)
            ns[b] = ns[2 * b] + ns[2 * b + 1];
    }
    t->longest[was] = 0;
    t->run[was] = (struct sb_track_run){0};
    halve_slices(t, n);
    if (peaks)
        sb_peaks_halve(peaks, was);
    t->axis.n = n;
    t->axis.level++;
}

void
sb_pyramid_track_write(struct sb_pyramid_out *to, int64_t id, struct sb_pyramid_track *t,
                       struct sb_peaks *peaks)
{
    spread(t);
    level_out(t);
    if (peaks)
        sb_peaks_level_out(peaks);
    size_t n = (size_t)((uint64_t)sb_rel(to->run, to->run->axis.end) >> t->axis.level) + 1;
    t->axis.n = t->axis.n < n ? t->axis.n : n; /* the arrays were sized for the latest possible end */
    while (t->axis.n > FEW_BUCKETS && t->axis.n > t->spans / 8) /* finer than the number of spans justifies */
        halve(t, peaks);
    for (write_buckets(to, id, t, peaks); t->axis.n > 1; write_buckets(to, id, t, peaks))
        halve(t, peaks);
}
