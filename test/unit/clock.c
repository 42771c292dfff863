/* The clock of the tracer: every stamp lies between readings of the system clock around it, also of threads that are
 * interrupted while they read both clocks. */
#include "../../beam/c_src/clock.c"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <pthread.h>

enum { THREADS = 16, STAMPS = 800000 };

static struct clock shared;
static int64_t worst[THREADS];

static void *
stamp(void *arg)
{
    int64_t *most = arg;
    struct thread_clock mine = {0};
    for (int i = 0; i < STAMPS; i++) {
        int64_t before = now_ns(), at = clock_now(&shared, &mine), after = now_ns();
        int64_t off = at < before ? before - at : at > after ? at - after : 0;
        *most = off > *most ? off : *most;
        if (i % 1000 == 0)
            clock_measure(&shared);
    }
    return NULL;
}

static void
test_stamps(void **state)
{
    (void)state;
    pthread_t thread[THREADS];
    clock_open(&shared);
    uint64_t both = shared.counter ? shared.both_cycles : 0; /* a cycle is no longer than a nanosecond */
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, stamp, &worst[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_true((uint64_t)worst[i] < 1000 + AT_ONCE * both);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_stamps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
