/* The same records in another order, split over files, read by any number of threads and in any windows: the
 * same bytes. */
#include "engine_analyze.h"
#include "engine_profile.h"
#include "engine_traces.h"

static int
by_process_then_time(const void *a, const void *b)
{
    unsigned long at[2];
    char who[2][32];
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(sscanf(i ? b : a, "%lu %31s", &at[i], who[i]), 2);
    int c = strcmp(who[0], who[1]);
    return c ? c : (at[0] > at[1]) - (at[0] < at[1]);
}

/* The events of one process follow each other, as in a trace with long slices. */
static void
analyze_process_by_process(struct lines *l, const char *whole)
{
    const char *trace = in_dir("a.txt"), *again = in_dir("again.sbp");
    qsort(l->at, l->n, sizeof *l->at, by_process_then_time);
    write_lines(trace, l, 0, l->n);
    for (uint64_t memory = 1 << 10; memory <= 1 << 24; memory <<= 7) {
        analyze_within(&trace, 1, again, 2, memory);
        same_bytes(whole, again);
    }
}

/* What would lie in a file without a name stays in memory where none is to be had. */
static void
analyze_without_file(const char *trace, const char *whole)
{
    const char *again = in_dir("again.sbp");
    struct sb_engine_options o;
    struct sb_err e = {0};
    sb_engine_defaults(&o);
    o.memory_bytes = 1 << 10;
    o.tmp_dir = in_dir("nowhere");
    assert_true(sb_engine_analyze(&trace, 1, again, &o, NULL, &e));
    same_bytes(whole, again);
}

static void
analyze_every_way(size_t n)
{
    seed = 42;
    struct lines l = make_trace(n, 10, 10, 10);
    const char *trace = in_dir("d.txt"), *whole = in_dir("d.sbp"), *again = in_dir("again.sbp");
    write_lines(trace, &l, 0, l.n);
    analyze(&trace, 1, whole, 1);
    for (unsigned threads = 2; threads <= 8; threads += threads == 2 ? 1 : 5) {
        analyze(&trace, 1, again, threads);
        same_bytes(whole, again);
    }
    for (uint64_t memory = 1 << 10; memory <= 1 << 24; memory <<= 7) { /* many windows, and few */
        analyze_within(&trace, 1, again, 2, memory);
        same_bytes(whole, again);
    }
    analyze_without_file(trace, whole);
    shuffle(&l);
    write_lines(trace, &l, 0, l.n);
    analyze(&trace, 1, again, 2);
    same_bytes(whole, again);
    const char *parts[] = {in_dir("part0.txt"), in_dir("part1.txt"), in_dir("part2.txt")};
    write_lines(parts[0], &l, 0, 7);
    write_lines(parts[1], &l, 7, n / 3 * 2);
    write_lines(parts[2], &l, n / 3 * 2, l.n);
    analyze(parts, 3, again, 2);
    same_bytes(whole, again);
    analyze_process_by_process(&l, whole);
    free(l.at);
}

static void
neither_threads_nor_order_nor_files_show(void **state)
{
    (void)state;
    analyze_every_way(MANY);
}

/* What was known ends at a loss: when that is settled, no window may decide. */
static void
nor_do_they_beside_losses(void **state)
{
    (void)state;
    loses = true;
    analyze_every_way(FEW);
    vm_reports = true;
    analyze_every_way(FEW);
    loses = vm_reports = false;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(neither_threads_nor_order_nor_files_show),
                                       cmocka_unit_test(nor_do_they_beside_losses)};
    return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
