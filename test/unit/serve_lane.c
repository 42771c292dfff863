/* Level of detail: whatever the zoom, no nanosecond is lost, and full, in-between and nothing stay apart. */
#include "profile/build.h"
#include "serve/lane_track.h"
#include "serve/profiles.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { LANE, START, END, STATE, COUNT, PROCESS, GROUP, FUNCTION, SHARES };

static const struct sb_served no_book;
static struct sb_arena arena;

static int
open_arena(void **state)
{
    (void)state;
    arena = (struct sb_arena){0};
    return 0;
}

static int
close_arena(void **state)
{
    (void)state;
    sb_arena_close(&arena);
    return 0;
}

static struct sb_table
cells(const struct sb_lane_piece *piece, size_t n, int64_t t1, size_t pixels)
{
    struct sb_lane l;
    struct sb_table t;
    sb_table_init(&t, &arena, sb_lane_columns, sb_lane_n_columns);
    sb_lane_init(&l, &arena, 0, t1, pixels);
    for (size_t i = 0; i < n; i++)
        sb_lane_add(&l, &piece[i]);
    sb_lane_write(&l, 1, &no_book, &t);
    sb_lane_close(&l);
    return t;
}

static union sb_cell *
row(const struct sb_table *t, size_t i)
{
    return &t->cell[i * t->n_columns];
}

static int64_t
share(const union sb_cell *c, enum sb_state s)
{
    return c[SHARES].i >> (8 * s) & 255;
}

static void
a_lone_microsecond_in_an_hour_is_there(void **state)
{
    (void)state;
    struct sb_lane_piece one = {SB_STATE_RUNNING, INT64_C(1800000000000), 1000, SB_NULL, SB_NULL};
    struct sb_table t = cells(&one, 1, INT64_C(3600000000000), 1000);
    assert_int_equal(t.n_rows, 1);
    assert_int_equal(row(&t, 0)[COUNT].i, 1);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNING), 1);
}

/* Spans of a lane do not overlap, but a file may say so. */
static void
spans_that_overlap_are_few_cells(void **state)
{
    (void)state;
    enum { SPANS = 10000, PIXELS = 100 };
    static struct sb_lane_piece same[SPANS];
    for (size_t i = 0; i < SPANS; i++)
        same[i] = (struct sb_lane_piece){SB_STATE_RUNNING, 0, 1000000, 1, SB_NULL};
    struct sb_table t = cells(same, SPANS, 1000000, PIXELS);
    int64_t count = 0;
    for (size_t i = 0; i < t.n_rows; i++)
        count += row(&t, i)[COUNT].i;
    assert_true(t.n_rows < 10 * PIXELS);
    assert_int_equal(count, SPANS);
}

static void
long_pieces_stay_themselves(void **state)
{
    (void)state;
    struct sb_lane_piece two[] = {{SB_STATE_RUNNING, 100, 5000, SB_NULL, SB_NULL},
                                  {SB_STATE_RUNNING, 6000, 10, SB_NULL, SB_NULL}};
    struct sb_table t = cells(two, 2, 10240, 10);
    assert_int_equal(t.n_rows, 2);
    assert_true(row(&t, 1)[SHARES].i == SB_NULL);
    assert_int_equal(row(&t, 1)[START].i, 100);
    assert_int_equal(row(&t, 1)[END].i, 5100);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNING), 2); /* 10 of 1024 */
}

/* A thousand short pieces: at most a cell per pixel, and the shares add up to what ran. */
static void
no_nanosecond_is_lost(void **state)
{
    (void)state;
    struct sb_lane_piece many[1000];
    double ran = 0;
    for (int i = 0; i < 1000; i++)
        many[i] = (struct sb_lane_piece){SB_STATE_RUNNING, i * 97, 31, SB_NULL, SB_NULL};
    struct sb_table t = cells(many, 1000, 102400, 100);
    assert_true(t.n_rows <= 100);
    for (size_t i = 0; i < t.n_rows; i++)
        ran += (double)share(row(&t, i), SB_STATE_RUNNING) * 4.096;
    assert_true(fabs(ran - 31000) < 0.5 * 4.096 * 100);
}

static void
a_collection_is_not_counted_twice(void **state)
{
    (void)state;
    struct sb_lane_piece two[] = {{SB_STATE_RUNNING, 0, 80, SB_NULL, SB_NULL},
                                  {SB_STATE_GC, 20, 30, SB_NULL, SB_NULL}};
    struct sb_table t = cells(two, 2, 1280, 10);
    assert_int_equal(t.n_rows, 1);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNING), 98); /* 50 of 128 */
    assert_int_equal(share(row(&t, 0), SB_STATE_GC), 59);
}

/* A process that was handed over is neither ready nor waiting, in an exact cell and in a merged one. */
static void
a_handover_has_a_share(void **state)
{
    (void)state;
    struct sb_lane_piece two[] = {{SB_STATE_HANDOVER, 0, 64, SB_NULL, SB_NULL},
                                  {SB_STATE_HANDOVER, 256, 1024, SB_NULL, SB_NULL}};
    struct sb_table t = cells(two, 2, 1280, 10);
    assert_int_equal(t.n_rows, 2);
    assert_int_equal(share(row(&t, 0), SB_STATE_HANDOVER), 125);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNABLE), 0);
    assert_int_equal(share(row(&t, 0), SB_STATE_WAITING), 0);
    assert_int_equal(row(&t, 1)[STATE].i, SB_STATE_HANDOVER);
}

/* Wherever the window starts, a pixel starts at a multiple of its width: what is moved looks the same. */
static void
pixels_stay_where_they_are(void **state)
{
    (void)state;
    struct sb_lane l;
    sb_lane_init(&l, &arena, 1000, 1000 + 10240, 10);
    assert_int_equal(l.width_ns, 1024);
    assert_int_equal(l.t0, 0);
    assert_int_equal(l.t1, 11 * 1024);
    assert_int_equal(l.n, 11);
}

/* A scheduler that ran process 7 for half of its bucket 3, stored at two levels. */
static struct sb_profile *
profile_with_a_track(void)
{
    char path[64];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_build *b;
    struct sb_profile *p;
    snprintf(path, sizeof path, "/tmp/serve_lane.%ld.sbp", (long)getpid());
    assert_true(sb_build_open(&b, path, &e));
    for (int64_t id = 1; id <= 7; id++)
        sb_build_row(b, SB_T_process, (int64_t[SB_N_process]){id});
    for (int64_t id = 1; id <= 2; id++)
        sb_build_row(b, SB_T_scheduler, (int64_t[SB_N_scheduler]){id});
    sb_build_row(b, SB_T_track, (int64_t[SB_N_track]){1, sb_build_text(b, SB_STR("scheduler")), 2});
    for (int64_t level = 10; level <= 11; level++) {
        int64_t c[SB_N_pyramid] = {[SB_C_pyramid__track] = 1,
                                   [SB_C_pyramid__level] = level,
                                   [SB_C_pyramid__bucket] = 3 >> (level - 10),
                                   [SB_C_pyramid__running_ns] = 512,
                                   [SB_C_pyramid__gc_ns] = 1,
                                   [SB_C_pyramid__longest_ns] = 512,
                                   [SB_C_pyramid__process] = 7};
        sb_build_row(b, SB_T_pyramid, c);
    }
    assert_true(sb_build_close(b, &e));
    assert_true(sb_profile_open(&p, path, &e));
    unlink(path);
    return p;
}

/* The cells of scheduler `ref` in [0, t1) with n pixels, from a pyramid whose buckets are at most
 * `most_pixels` wide. */
static bool
from_track(const struct sb_profile *p, int64_t ref, int64_t t1, size_t n, int64_t most_pixels,
           struct sb_table *t)
{
    struct sb_lane l;
    struct sb_served served = {.profile = (struct sb_profile *)(uintptr_t)p};
    struct sb_lane_tracks k = {.served = &served, .kind = SB_TRACK_SCHEDULER};
    sb_table_init(t, &arena, sb_lane_columns, sb_lane_n_columns);
    sb_lane_init(&l, &arena, 0, t1, n);
    bool found = sb_lane_from_track(&k, ref, &l, most_pixels, t);
    sb_lane_tracks_close(&k);
    return found;
}

static void
a_lane_comes_out_of_the_pyramid(void **state)
{
    (void)state;
    struct sb_table t;
    struct sb_profile *p = profile_with_a_track();
    assert_true(from_track(p, 2, 8192, 8, 4, &t));
    assert_int_equal(t.n_rows, 1);
    assert_int_equal(row(&t, 0)[LANE].i, 2);
    assert_int_equal(row(&t, 0)[START].i, 3072);
    assert_int_equal(row(&t, 0)[END].i, 4096);
    assert_int_equal(row(&t, 0)[PROCESS].i, 7);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNING), 125);
    assert_int_equal(share(row(&t, 0), SB_STATE_GC), 1); /* a tiny share is not zero */
    assert_true(from_track(p, 2, 8192, 4, 4, &t));
    assert_int_equal(row(&t, 0)[START].i, 2048);
    assert_int_equal(share(row(&t, 0), SB_STATE_RUNNING), 63);
    assert_true(from_track(p, 2, 8192, 32, 4, &t));
    assert_int_equal(row(&t, 0)[END].i - row(&t, 0)[START].i, 1024);
    assert_false(from_track(p, 2, 8192, 64, 4, &t)); /* buckets too wide to replace rows */
    assert_false(from_track(p, 3, 8192, 8, 4, &t));  /* no such track */
    assert_int_equal(t.n_rows, 0);
    sb_profile_close(p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lone_microsecond_in_an_hour_is_there),
        cmocka_unit_test(long_pieces_stay_themselves),
        cmocka_unit_test(spans_that_overlap_are_few_cells),
        cmocka_unit_test(no_nanosecond_is_lost),
        cmocka_unit_test(a_collection_is_not_counted_twice),
        cmocka_unit_test(a_handover_has_a_share),
        cmocka_unit_test(pixels_stay_where_they_are),
        cmocka_unit_test(a_lane_comes_out_of_the_pyramid),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
