/* The level of the machine against a count of every nanosecond, and ranges against sets. */
#include "why/find/finding.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { END = 2000, SPANS = 60, SCHEDULERS = 3 };

static int64_t
dice(int64_t sides)
{
    return rand() % sides;
}

static void
the_level_counts_every_nanosecond(void **state)
{
    (void)state;
    int working[END] = {0}, ready[END] = {0};
    struct sb_level_change c = {0};
    struct sb_level l;
    for (int i = 0; i < SPANS; i++) {
        int64_t from = dice(END), to = from + dice(100);
        bool works = dice(2);
        to = to < END ? to : END;
        sb_level_add(&c, from, to, works);
        for (int64_t t = from; t < to; t++)
            (works ? working : ready)[t]++;
    }
    sb_level_build(&c, 0, END, SCHEDULERS, &l);
    for (int k = 0; k < 200; k++) {
        int64_t from = dice(END), to = from + dice(END - from + 1), idle = 0, alone = 0, quiet = 0, held = 0;
        for (int64_t t = from; t < to; t++) {
            idle += working[t] + ready[t] == 0;
            alone += working[t] == 1 && ready[t] == 0;
            quiet += working[t] < 2;
            held += ready[t] > 0;
        }
        assert_int_equal(sb_level_within(&l, SB_LEVEL_IDLE, from, to), idle);
        assert_int_equal(sb_level_within(&l, SB_LEVEL_ALONE, from, to), alone);
        assert_int_equal(sb_level_within(&l, SB_LEVEL_QUIET, from, to), quiet);
        assert_int_equal(sb_level_within(&l, SB_LEVEL_HELD, from, to), held);
    }
    sb_level_close(&l);
}

static void
ranges_are_sets(void **state)
{
    (void)state;
    for (int round = 0; round < 50; round++) {
        char a[END] = {0}, b[END] = {0};
        struct sb_ranges r = {0}, s = {0};
        int64_t both = 0, one = 0;
        for (int i = 0; i < 10; i++) {
            int64_t from = dice(END), to = from + dice(200);
            to = to < END ? to : END;
            sb_ranges_add(i % 2 ? &r : &s, from, to);
            memset((i % 2 ? a : b) + from, 1, (size_t)(to > from ? to - from : 0));
        }
        sb_ranges_unite(&r);
        sb_ranges_unite(&s);
        for (int t = 0; t < END; t++)
            one += a[t], both += a[t] && b[t];
        assert_int_equal(sb_ranges_ns(&r), one);
        sb_ranges_cut(&r, &s);
        assert_int_equal(sb_ranges_ns(&r), both);
        free(r.at);
        free(s.at);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_counts_every_nanosecond),
        cmocka_unit_test(ranges_are_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
