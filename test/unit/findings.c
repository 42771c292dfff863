/* The level of the machine against a count of every nanosecond, ranges against sets, and a section for each rule. */
#include "why/finding.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
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

/* FINDINGS.md has a section for each rule, with the cures that the rule gives. */
static void
each_rule_has_a_section(void **state)
{
    (void)state;
    char path[4096], line[8192], heading[64], wanted[2048];
    const char *root = getenv("SB_SRC");
    snprintf(path, sizeof path, "%s/FINDINGS.md", root ? root : ".");
    for (size_t i = 0; i < sb_n_rules; i++) {
        FILE *f = fopen(path, "r");
        bool in = false, cured = false;
        assert_non_null(f);
        snprintf(heading, sizeof heading, "## %s\n", sb_rules[i]->name);
        snprintf(wanted, sizeof wanted, "- *Cure in Erlang*: %s.\n", sb_rules[i]->erlang);
        while (fgets(line, sizeof line, f)) {
            in = strncmp(line, "## ", 3) == 0 ? strcmp(line, heading) == 0 : in;
            cured |= in && strcmp(line, wanted) == 0;
        }
        fclose(f);
        if (!cured)
            print_error("no section, or another cure: %s\n", sb_rules[i]->name);
        assert_true(cured);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_level_counts_every_nanosecond),
        cmocka_unit_test(ranges_are_sets),
        cmocka_unit_test(each_rule_has_a_section),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
