/* Containers: arenas, maps, interned texts, and sorting. */
#include "base/arena.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sort.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static void
arenas_give_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (int round = 0; round < 3; round++) {
        for (size_t n = 1; n < 5000; n = n * 3 + 1) {
            char *p = sb_arena_alloc(&a, n, 64);
            assert_int_equal((uintptr_t)p % 64, 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, n);
        }
        sb_arena_reset(&a);
    }
    struct sb_str s = sb_arena_printf(&a, "%s-%d", "x", 5);
    assert_string_equal(s.p, "x-5");
    assert_int_equal(s.n, 3);
    sb_arena_close(&a);
}

static void
maps_find_what_was_put(void **state)
{
    (void)state;
    struct sb_map m = {0};
    enum { N = 5000 };
    for (uint64_t i = 0; i < N; i++)
        *sb_map_put(&m, i * 7919, NULL) = (uint32_t)i;
    for (uint64_t i = 0; i < N; i += 2)
        assert_true(sb_map_del(&m, i * 7919));
    assert_false(sb_map_del(&m, 0));
    for (uint64_t i = 0; i < N; i++) {
        uint32_t *v = sb_map_get(&m, i * 7919);
        assert_true(i % 2 ? v && *v == i : !v);
    }
    bool is_new;
    *sb_map_put(&m, 7919, &is_new) += 1;
    assert_false(is_new);
    assert_int_equal(m.n, N / 2);
    sb_map_clear(&m);
    assert_null(sb_map_get(&m, 7919));
    sb_map_close(&m);
}

static void
texts_are_stored_once(void **state)
{
    (void)state;
    struct sb_intern t;
    char text[16];
    uint32_t id;
    sb_intern_init(&t);
    assert_int_equal(sb_intern_put(&t, SB_STR("")), 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i < 2000; i++) {
            int n = snprintf(text, sizeof text, "t%u", i);
            assert_int_equal(sb_intern_put(&t, (struct sb_str){text, (size_t)n}), i);
        }
    assert_true(sb_intern_find(&t, SB_STR("t77"), &id) && id == 77);
    assert_false(sb_intern_find(&t, SB_STR("t2000"), &id));
    assert_true(sb_str_eq(sb_intern_text(&t, 5), SB_STR("t5")));
    sb_intern_close(&t);
}

/* Anything, few values, a crowd with some far away, pairs; 1, 7 and 64 stretches in order. */
static uint64_t
key_of(size_t shape, size_t i, size_t n, uint64_t x)
{
    static const size_t runs[] = {1, 7, 64};
    switch (shape) {
    case 0:
        return x;
    case 1:
        return x % 100 << 40;
    case 2:
        return x % 8 ? x >> 52 : x;
    case 3:
        return x % 3000 << 32 | (x >> 32) % 3000;
    default:
        return (i % (n / runs[shape - 4] + 1) << 8) + x % 256;
    }
}

static void
sort_is_stable(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 11, 12, 47, 48, 1000, 70000};
    enum { SIZES = sizeof sizes / sizeof *sizes, SHAPES = 7 };
    uint64_t x = 88172645463325252u;
    for (size_t k = 0; k < SHAPES * SIZES; k++) {
        size_t n = sizes[k % SIZES];
        struct sb_sort_key *at = calloc(n + 1, sizeof *at), *tmp = calloc(n + 1, sizeof *tmp);
        uint64_t *number = calloc(n + 1, sizeof *number), *spare = calloc(n + 1, sizeof *spare);
        for (size_t i = 0; i < n; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            at[i] = (struct sb_sort_key){key_of(k / SIZES, i, n, x), i};
            number[i] = at[i].key;
        }
        sb_sort_radix(at, tmp, n);
        sb_sort_numbers(number, spare, n);
        for (size_t i = 0; i < n; i++)
            assert_true(number[i] == at[i].key);
        for (size_t i = 1; i < n; i++)
            assert_true(at[i - 1].key < at[i].key ||
                        (at[i - 1].key == at[i].key && at[i - 1].value < at[i].value));
        free(at);
        free(tmp);
        free(number);
        free(spare);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas_give_zeroed_aligned_memory), cmocka_unit_test(maps_find_what_was_put),
        cmocka_unit_test(texts_are_stored_once), cmocka_unit_test(sort_is_stable)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
