/*
 * Three kinds of tracks, stored in two ways.
 *
 *   all, schedulers    arrays by bucket, of fixed width (pyramid_track.c)
 *   processes          sparse lists of buckets, in time order; one width for all processes,
 *                      doubled when there are too many buckets (pyramid_process.c)
 */
#include "engine/pyramid/pyramid.h"
#include "engine/pyramid/pyramid_process.h"
#include "engine/pyramid/pyramid_track.h"

enum { SCHEDULER_BUCKETS = 1 << 15, FEW_BUCKETS = 512, MANY = 128 };

struct scheduler {
    struct sb_pyramid_track track;
    int64_t slice_ns, gc_ns, slices;
};
struct sb_pyramids {
    const struct sb_run *run;
    struct sb_pyramid_track all;
    struct sb_peaks *peaks;
    SB_VEC(struct scheduler) schedulers; /* by scheduler.id - 1 */
    struct sb_process_tracks *processes;
};

struct sb_pyramids *
sb_pyramids_open(const struct sb_run *r)
{
    struct sb_pyramids *y = sb_zeroed_or_die(1, sizeof *y);
    y->run = r;
    y->processes = sb_process_tracks_open(r);
    return y;
}

void
sb_pyramids_close(struct sb_pyramids *y)
{
    if (!y)
        return;
    sb_pyramid_track_close(&y->all);
    sb_peaks_close(y->peaks);
    for (size_t i = 0; i < y->schedulers.n; i++)
        sb_pyramid_track_close(&y->schedulers.at[i].track);
    SB_VEC_FREE(&y->schedulers);
    sb_process_tracks_close(y->processes);
    free(y);
}

/* ---- processes: called between the passes ---- */

static void
put_on_axis(const struct sb_run *r, struct sb_part_span *s)
{
    s->from = sb_rel(r, s->from);
    s->to = sb_rel(r, s->to);
    s->settled = sb_rel(r, s->settled);
}

void
sb_pyramids_part(struct sb_pyramids *y, struct sb_part *x)
{
    for (size_t i = 0; i < x->spans.n; i++)
        put_on_axis(y->run, &x->spans.at[i]);
    sb_process_tracks_part(y->processes, x);
    x->ended.n = 0;
}

void
sb_pyramids_settle(struct sb_pyramids *y)
{
    sb_process_tracks_settle(y->processes);
}

void
sb_pyramids_fit(struct sb_pyramids *y)
{
    sb_process_tracks_fit(y->processes);
}

/* ---- all processes of a window ---- */

/* Opens a track with at most so many buckets. One that grows has all of them from the start. */
static struct sb_pyramid_track
open_track(const struct sb_pyramids *y, struct sb_grid axis, size_t most)
{
    axis.n = y->run->grows ? most : axis.n;
    return sb_pyramid_track_open(axis, y->run->grows);
}

static void
add_to_all(struct sb_pyramids *y, const struct sb_found *found)
{
    struct sb_grid axis = sb_grid_of(found->last, SB_PEAK_BUCKETS, 0);
    if (y->all.axis.n == 0)
        y->all = open_track(y, axis, SB_PEAK_BUCKETS);
    sb_pyramid_track_widen(&y->all, axis);
    for (unsigned i = 0; i < SB_PARTS; i++)
        sb_pyramid_track_add(&y->all, found->spans[i].at, found->spans[i].n);
}

static void
add_to_peaks(struct sb_pyramids *y, const struct sb_found *found)
{
    struct sb_grid axis = sb_grid_of(found->last, SB_PEAK_BUCKETS, 0);
    if (!y->peaks)
        y->peaks = sb_peaks_open((struct sb_grid){axis.level, y->run->grows ? SB_PEAK_BUCKETS : axis.n},
                                 y->run->grows);
    sb_peaks_widen(y->peaks, axis);
    for (unsigned i = 0; i < SB_PARTS; i++)
        sb_peaks_add(y->peaks, &found->spans[i]);
    /* spans that the end of the trace closes arrive after the last window */
    if (found->window_end != INT64_MAX)
        sb_peaks_walk(y->peaks, sb_rel(y->run, found->window_end));
}

static size_t
most_buckets(size_t nth)
{
    return nth < MANY ? SCHEDULER_BUCKETS : FEW_BUCKETS;
}

static struct scheduler *
scheduler_of(struct sb_pyramids *y, const struct sb_found *found, unsigned id)
{
    while (y->schedulers.n < id) {
        size_t most = most_buckets(y->schedulers.n);
        struct sb_pyramid_track t = open_track(y, sb_grid_of(found->last, most, 0), most);
        *SB_PUSH(&y->schedulers) = (struct scheduler){.track = t};
    }
    return &y->schedulers.at[id - 1];
}

static void
add_to_scheduler(struct scheduler *to, const struct sb_part_span *s)
{
    int64_t ns = s->to > s->from ? s->to - s->from : 0;
    /* a scheduler's sums cover what processes ran, not ports */
    bool is_slice = s->state == SB_STATE_RUNNING || s->state == SB_STATE_DIRTY;
    sb_pyramid_track_add(&to->track, s, 1);
    to->slice_ns += is_slice ? ns : 0;
    to->slices += is_slice && ns > 0;
    to->gc_ns += s->state == SB_STATE_GC ? ns : 0;
}

static void
add_to_schedulers(struct sb_pyramids *y, const struct sb_found *found)
{
    for (size_t i = 0; i < y->schedulers.n; i++)
        sb_pyramid_track_widen(&y->schedulers.at[i].track, sb_grid_of(found->last, most_buckets(i), 0));
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < found->spans[i].n; k++) {
            const struct sb_part_span *s = &found->spans[i].at[k];
            if (s->scheduler)
                add_to_scheduler(scheduler_of(y, found, s->scheduler), s);
        }
}

void
sb_pyramids_window(struct sb_pyramids *y, const struct sb_found *found, enum sb_pyramid_job job)
{
    static void (*const add[])(struct sb_pyramids * y, const struct sb_found *found) = {
        [SB_PYRAMID_ALL] = add_to_all,
        [SB_PYRAMID_PEAKS] = add_to_peaks,
        [SB_PYRAMID_SCHEDULERS] = add_to_schedulers,
    };
    add[job](y, found);
}

void
sb_pyramids_finish(struct sb_pyramids *y)
{
    if (y->peaks)
        sb_peaks_walk(y->peaks, INT64_MAX);
    for (size_t i = 0; i < y->schedulers.n; i++) {
        const struct scheduler *from = &y->schedulers.at[i];
        struct sb_lane_row *l = &y->run->lanes.row.at[i];
        l->slice_ns = from->slice_ns;
        l->gc_ns = from->gc_ns;
        l->slices = from->slices;
    }
}

/* ---- writing ---- */

static void
write_track(struct sb_pyramid_out *to, const char *kind, int64_t ref, struct sb_pyramid_track *t,
            struct sb_peaks *peaks)
{
    sb_pyramid_track_write(to, sb_pyramid_out_track(to, kind, ref), t, peaks);
    sb_pyramid_track_close(t);
}

void
sb_pyramids_write(struct sb_pyramids *y, const struct sb_process_index *all)
{
    const struct sb_run *r = y->run;
    if (y->all.axis.n == 0 || r->facts.untimed || (!sb_recorded(r, SB_RUNNING) && !r->facts.vm_truth))
        return;
    struct sb_pyramid_out to = {.run = r};
    write_track(&to, "all", SB_NULL, &y->all, y->peaks);
    for (size_t i = 0; i < y->schedulers.n; i++)
        write_track(&to, "scheduler", (int64_t)i + 1, &y->schedulers.at[i].track, NULL);
    sb_process_tracks_write(y->processes, all, &to);
    sb_pyramid_out_flush(&to);
    sb_rows_free(&to.rows);
}
