/* Lanes at the requested zoom: what ran on each scheduler, or the states of some processes. */
#include "serve/lane_flows.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "serve/lane_track.h"
#include "serve/route.h"
#include <stdlib.h>

/* Above the first number of rows the pyramid answers if its buckets are not much wider than pixels; above the
   second it answers whatever their width. */
enum {
    MOST_LANES = 1024,
    MOST_LINKS = 4000,
    MOST_CELLS = 1 << 16,
    MANY_ROWS = 1 << 20,
    TOO_MANY_ROWS = 1 << 24,
    WIDE = 4,
    AHEAD = 32 /* slices whose pixels are prefetched */
};

struct lanes {
    const struct sb_served *served;
    struct sb_arena *arena;
    int64_t t0, t1, n;
    struct sb_range range;
    int64_t *id;
    size_t n_ids;
    struct sb_lane *lane;
    struct sb_map at; /* by id */
    struct sb_table *cells;
    struct sb_lane_tracks tracks;
    struct sb_scan slice, gc, gap; /* one for all lanes: neighbours share blocks */
    /* widest bucket of the pyramid that may replace rows, in pixels; 0: none */
    int64_t widest;
};

static bool
is_dirty(struct sb_str kind)
{
    return sb_str_starts(kind, SB_STR("dirty"));
}

static struct sb_lane *
lane_of(struct lanes *x, int64_t id)
{
    uint32_t *at = id == SB_NULL ? NULL : sb_map_get(&x->at, (uint64_t)id);
    return at ? &x->lane[*at] : NULL;
}

/* Slices are searched by start, and one that began before the range may overlap it. */
static void
scan_window(struct sb_scan *s, const struct lanes *x, unsigned start, int64_t longest, unsigned who,
            int64_t process)
{
    sb_scan_restart(s);
    if (process != SB_NULL)
        sb_scan_where(s, who, process, process);
    sb_range_scan(x->range, s, start, longest);
}

static void
open_scans(struct lanes *x)
{
    static const unsigned slice[] = {SB_C_slice__process, SB_C_slice__scheduler,   SB_C_slice__start,
                                     SB_C_slice__dur,     SB_C_slice__in_function, SB_C_slice__kind},
                          gc[] = {SB_C_gc__process, SB_C_gc__scheduler, SB_C_gc__start, SB_C_gc__dur},
                          gap[] = {SB_C_gap__start, SB_C_gap__wait_ns, SB_C_gap__handover_ns,
                                   SB_C_gap__runnable_ns, SB_C_gap__unknown_ns};
    sb_scan_open_columns(&x->slice, x->served->profile, SB_T_slice, slice, sizeof slice / sizeof *slice);
    sb_scan_open_columns(&x->gc, x->served->profile, SB_T_gc, gc, sizeof gc / sizeof *gc);
    sb_scan_open_columns(&x->gap, x->served->profile, SB_T_gap, gap, sizeof gap / sizeof *gap);
}

static void
close_scans(struct lanes *x)
{
    sb_scan_close(&x->slice);
    sb_scan_close(&x->gc);
    sb_scan_close(&x->gap);
}

static void
add_slice(struct lanes *x, struct sb_lane *l, size_t i, bool by_process)
{
    int64_t *const *v = x->slice.value;
    bool dirty = by_process && is_dirty(sb_profile_text(x->served->profile, v[5][i]));
    sb_lane_add(l, &(struct sb_lane_piece){dirty ? SB_STATE_DIRTY : SB_STATE_RUNNING, v[2][i], v[3][i],
                                           v[0][i], v[4][i]});
}

/* Adds the slices of one process, or (SB_NULL) of all schedulers. */
static void
add_slices(struct lanes *x, int64_t process)
{
    struct sb_scan *s = &x->slice;
    bool by_process = process != SB_NULL;
    scan_window(s, x, SB_C_slice__start, x->served->longest_slice_ns, SB_C_slice__process, process);
    while (sb_scan_next(s))
        for (size_t from = 0; from < s->n; from += AHEAD) {
            struct sb_lane *lane[AHEAD];
            size_t n = s->n - from < AHEAD ? s->n - from : AHEAD;
            for (size_t k = 0; k < n; k++) {
                lane[k] = lane_of(x, s->value[by_process ? 0 : 1][from + k]);
                if (lane[k])
                    sb_lane_soon(lane[k], s->value[2][from + k]);
            }
            for (size_t k = 0; k < n; k++)
                if (lane[k])
                    add_slice(x, lane[k], from + k, by_process);
        }
}

static void
add_gcs(struct lanes *x, int64_t process)
{
    struct sb_scan *s = &x->gc;
    scan_window(s, x, SB_C_gc__start, x->served->longest_gc_ns, SB_C_gc__process, process);
    while (sb_scan_next(s))
        for (size_t i = 0; i < s->n; i++) {
            struct sb_lane *l = lane_of(x, process != SB_NULL ? s->value[0][i] : s->value[1][i]);
            if (l)
                sb_lane_add(l, &(struct sb_lane_piece){SB_STATE_GC, s->value[2][i], s->value[3][i],
                                                       s->value[0][i], SB_NULL});
        }
}

/* Returns the start of the gap that contains the moment `at`: the last one before it, searched in growing
   steps back. */
static int64_t
gap_over(struct lanes *x, int64_t process, int64_t at)
{
    struct sb_scan *s = &x->gap;
    int64_t last = SB_NULL, reach = x->t1 - x->t0;
    for (int64_t from = at - reach;; reach = reach < at / 16 ? reach * 16 : at, from = at - reach) {
        sb_scan_restart(s);
        sb_scan_where(s, SB_C_gap__process, process, process);
        sb_scan_where(s, SB_C_gap__start, from, at);
        while (sb_scan_next(s))
            for (size_t i = 0; i < s->n; i++)
                if (last == SB_NULL || s->value[0][i] > last)
                    last = s->value[0][i];
        if (last != SB_NULL || from <= 0)
            return last == SB_NULL ? at : last;
    }
}

/* A gap is first waiting, then hand-over, then runnable; or it is unknown. */
static void
add_gaps(struct lanes *x, int64_t process)
{
    struct sb_scan *s = &x->gap;
    int64_t from = gap_over(x, process, x->t0);
    sb_scan_restart(s);
    sb_scan_where(s, SB_C_gap__process, process, process);
    sb_scan_where(s, SB_C_gap__start, from, x->t1);
    while (sb_scan_next(s))
        for (size_t i = 0; i < s->n; i++) {
            static const enum sb_state part[] = {SB_STATE_WAITING, SB_STATE_HANDOVER, SB_STATE_RUNNABLE,
                                                 SB_STATE_UNKNOWN};
            int64_t at = s->value[0][i];
            for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
                int64_t ns = s->value[1 + k][i];
                if (ns <= 0)
                    continue;
                sb_lane_add(&x->lane[0], &(struct sb_lane_piece){part[k], at, ns, process, SB_NULL});
                at += ns;
            }
        }
}

static bool
take_track(struct lanes *x, size_t i, const struct sb_lane *l)
{
    return x->widest > 0 && sb_lane_from_track(&x->tracks, x->id[i], l, x->widest, x->cells);
}

/* Fills the lanes without a pyramid from rows, all in one pass. */
static void
answer_schedulers(struct lanes *x)
{
    size_t left = 0;
    x->lane = SB_NEW_N(x->arena, struct sb_lane, x->n_ids + 1);
    sb_lane_init(&x->lane[0], x->arena, x->t0, x->t1, (size_t)x->n);
    for (size_t i = 0; i < x->n_ids; i++) {
        if (take_track(x, i, &x->lane[0]))
            continue;
        if (left > 0)
            sb_lane_init(&x->lane[left], x->arena, x->t0, x->t1, (size_t)x->n);
        *sb_map_put(&x->at, (uint64_t)x->id[i], NULL) = (uint32_t)left;
        x->id[left++] = x->id[i];
    }
    if (left == 0)
        return;
    add_slices(x, SB_NULL);
    add_gcs(x, SB_NULL);
    for (size_t i = 0; i < left; i++) {
        sb_lane_write(&x->lane[i], x->id[i], x->served, x->cells);
        sb_lane_close(&x->lane[i]);
    }
}

/* Fills lanes one by one with the memory of one lane: rows of a process are adjacent, and near those of the
   next. */
static void
answer_processes(struct lanes *x)
{
    if (x->n_ids > 0)
        qsort(x->id, x->n_ids, sizeof *x->id, sb_by_number);
    x->lane = SB_NEW(x->arena, struct sb_lane);
    sb_lane_init(x->lane, x->arena, x->t0, x->t1, (size_t)x->n);
    for (size_t i = 0; i < x->n_ids; i++) {
        if (take_track(x, i, x->lane))
            continue;
        sb_map_clear(&x->at);
        *sb_map_put(&x->at, (uint64_t)x->id[i], NULL) = 0;
        sb_lane_reset(x->lane);
        add_slices(x, x->id[i]);
        add_gcs(x, x->id[i]);
        add_gaps(x, x->id[i]);
        sb_lane_write(x->lane, x->id[i], x->served, x->cells);
    }
    sb_lane_close(x->lane);
}

/* Returns the number of slices to read: for schedulers all in the range, for processes their own. */
static uint64_t
rows_to_read(const struct lanes *x, bool by_process)
{
    uint64_t in_window = sb_lane_rows(x->served, x->t0, x->t1), own = 0, row;
    double share = (double)(x->t1 - x->t0) / (double)x->served->end_ns;
    for (size_t i = 0; i < x->n_ids && by_process; i++)
        if (sb_served_process_row(x->served, x->id[i], &row)) {
            int64_t slices = SB_CELL(x->served->profile, process, slices, row);
            own += slices > 0 ? (uint64_t)((double)slices * share) : 0;
        }
    return by_process ? own : in_window;
}

static const struct sb_column link_columns[] = {{"process", SB_INT, SB_U_ID, ""},
                                                {"at", SB_INT, SB_U_AT_NS, ""},
                                                {"from", SB_INT, SB_U_ID, "scheduler.id"},
                                                {"to", SB_INT, SB_U_ID, "scheduler.id"}};

/* Writes all migrations if they can be distinguished, else none, since a part would mislead. */
static void
write_migrations(const struct lanes *x, struct sb_reply *r)
{
    size_t in_window = 0;
    struct sb_table *t = sb_reply_table(r, "migration", link_columns, 4);
    SB_SCAN(s, x->served->profile, migration, process, at, from_scheduler, to_scheduler);
    sb_range_scan(x->range, &s, SB_C_migration__at, 0);
    while (in_window <= MOST_LINKS && sb_scan_next(&s))
        for (size_t i = 0; i < s.n && in_window++ < MOST_LINKS; i++)
            SB_ROW(t, {.i = s.value[process][i]}, {.i = s.value[at][i]}, {.i = s.value[from_scheduler][i]},
                   {.i = s.value[to_scheduler][i]});
    if (in_window > MOST_LINKS)
        t->n_rows = 0;
    sb_reply_bool(r, "crowded", in_window > MOST_LINKS);
}

static const struct sb_column mark_columns[] = {{"process", SB_INT, SB_U_ID, ""},
                                                {"scheduler", SB_INT, SB_U_ID, ""},
                                                {"at", SB_INT, SB_U_AT_NS, ""},
                                                {"text", SB_TEXT, SB_U_NONE, ""}};

static void
write_marks(const struct lanes *x, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "mark", mark_columns, 4);
    SB_SCAN(s, x->served->profile, mark, process, scheduler, at, text);
    sb_range_scan(x->range, &s, SB_C_mark__at, 0);
    for (size_t i = 0; t->n_rows < MOST_LINKS && sb_scan_row(&s, &i); i++)
        SB_ROW(t, {.i = s.value[process][i]}, {.i = s.value[scheduler][i]}, {.i = s.value[at][i]},
               {.s = sb_profile_text(x->served->profile, s.value[text][i])});
}

static void
all_schedulers(struct lanes *x)
{
    uint64_t rows = sb_profile_rows(x->served->profile, SB_T_scheduler);
    for (uint64_t i = 0; i < rows && x->n_ids < MOST_LANES; i++)
        x->id[x->n_ids++] = SB_CELL(x->served->profile, scheduler, id, i);
}

bool
sb_route_lanes(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    struct lanes x = {.served = rq->served, .arena = rq->arena};
    unsigned of;
    SB_TRY(sb_request_choice(rq, "of", "scheduler|process", &of, e));
    SB_TRY(sb_request_window(rq, &x.t0, &x.t1, e));
    x.range = sb_range_of(rq->served->profile, x.t0, x.t1);
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){1, 4096, 1024}, &x.n, e));
    SB_TRY(sb_request_ids(rq, "ids", &x.id, &x.n_ids, e));
    if (x.n_ids > MOST_LANES)
        return sb_err_set(e, SB_ERR_INPUT, "ids takes at most %d lanes at a time", MOST_LANES);
    if (of == 0 && x.n_ids == 0)
        all_schedulers(&x);
    if (x.n_ids > 0 && x.n > MOST_CELLS / (int64_t)x.n_ids)
        x.n = MOST_CELLS / (int64_t)x.n_ids;
    x.cells = sb_reply_table(r, "cell", sb_lane_columns, sb_lane_n_columns);
    x.tracks = (struct sb_lane_tracks){.served = rq->served,
                                       .kind = of == 0 ? SB_TRACK_SCHEDULER : SB_TRACK_PROCESS};
    uint64_t rows = rows_to_read(&x, of == 1);
    x.widest = rows > TOO_MANY_ROWS ? INT64_MAX : rows > MANY_ROWS ? WIDE : 0;
    sb_table_reserve(x.cells, x.n_ids * (size_t)x.n);
    open_scans(&x);
    (of == 0 ? answer_schedulers : answer_processes)(&x);
    close_scans(&x);
    sb_lane_tracks_close(&x.tracks);
    if (of == 0)
        write_migrations(&x, r);
    write_marks(&x, r);
    sb_lane_flows(x.served, x.t0, x.t1, x.id, of == 0 ? 0 : x.n_ids, r);
    sb_map_close(&x.at);
    sb_reply_int(r, "pixel_ns", x.lane[0].width_ns);
    return true;
}
