/* Ranges against sets. */
#include "why/run/level.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { END = 2000 };

static int64_t
dice(int64_t sides)
{
    return rand() % sides;
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
        cmocka_unit_test(ranges_are_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
