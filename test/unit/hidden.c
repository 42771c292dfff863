/* The table of processes that are not recorded: full, with one home slot for all, and from several threads. */
#include "../../beam/c_src/hidden.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>
#include <pthread.h>

enum { THREADS = 4 };

static void
test_a_full_table_has_each(void **state)
{
    (void)state;
    static const unsigned step[] = {0, 1, 7, 511};
    for (size_t s = 0; s < sizeof step / sizeof *step; s++) {
        struct hidden h;
        hidden_clear(&h);
        for (uint64_t pid = 1; pid <= HIDDEN; pid++) {
            assert_false(hidden_has(&h, pid, 500 + pid * step[s]));
            assert_true(hidden_add(&h, pid, 500 + pid * step[s]));
            assert_true(hidden_add(&h, pid, 500 + pid * step[s]));
        }
        for (uint64_t pid = 1; pid <= HIDDEN; pid++)
            assert_true(hidden_has(&h, pid, 500 + pid * step[s]));
        assert_false(hidden_add(&h, HIDDEN + 1, 3));
        assert_false(hidden_has(&h, HIDDEN + 1, 3));
    }
}

static struct hidden shared;

static void *
add_all(void *unused)
{
    for (uint64_t pid = 1; pid <= HIDDEN; pid++)
        if (!hidden_add(&shared, pid, pid / 100))
            return &shared;
    return unused;
}

static void
test_threads_share_it(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, add_all, NULL), 0);
    for (unsigned i = 0; i < THREADS; i++) {
        void *failed;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    for (uint64_t pid = 1; pid <= HIDDEN; pid++)
        assert_true(hidden_has(&shared, pid, pid / 100));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_full_table_has_each),
        cmocka_unit_test(test_threads_share_it),
    };
    return cmocka_run_group_tests_name("hidden", tests, NULL, NULL);
}
