/*
 * How fast traces are decoded: `bench_decode TRACE [THREADS]` prints one line a run with tabs between
 *     what  threads  seconds  events  bytes  CPU-seconds
 * where `xxh3` is one plain pass of the hash over the same bytes, `frames` the first step alone, `scan` what
 * looks at all of it beforehand.
 */
#include "base/file.h"
#include "base/hash.h"
#include "base/progress.h"
#include "trace/each.h"
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

/* Both clocks: on a machine that others use too, CPU time says what one core does. */
struct watch {
    int64_t wall_ns, cpu_ns;
};

static struct watch
now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (struct watch){sb_clock_ns(), (int64_t)t.tv_sec * 1000000000 + t.tv_nsec};
}

static void
report(const char *what, unsigned threads, struct watch since, uint64_t events, uint64_t bytes)
{
    struct watch until = now();
    printf("%s\t%u\t%.4f\t%" PRIu64 "\t%" PRIu64 "\t%.4f\n", what, threads,
           (double)(until.wall_ns - since.wall_ns) / 1e9, events, bytes,
           (double)(until.cpu_ns - since.cpu_ns) / 1e9);
}

static bool
hash_pass(const char *path, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e));
    struct watch since = now();
    uint64_t hash = sb_hash(f.p, f.n);
    report(hash ? "xxh3" : "xxh3 of nothing", 1, since, 0, f.n);
    sb_file_close(&f);
    return true;
}

static void
add(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker)
{
    (void)b;
    ((uint64_t *)ctx)[worker * 8] += events->n;
}

static bool
decode_pass(const char *path, unsigned threads, struct sb_err *e)
{
    struct sb_source *s;
    uint64_t *count = calloc(threads * 8, sizeof *count), events = 0;
    struct watch since = now();
    SB_TRY(sb_source_open(&s, &path, 1, NULL, e));
    struct sb_pool *pool = sb_pool_open(threads);
    bool ok = sb_source_each(s, pool, add, count, e);
    sb_pool_close(pool);
    for (unsigned i = 0; i < threads; i++)
        events += count[i * 8];
    report("decode", threads, since, events, sb_source_info(s)->bytes);
    sb_source_close(s);
    free(count);
    return ok;
}

static bool
frame_pass(const char *path, struct sb_err *e)
{
    struct sb_source *s;
    struct watch since = now();
    SB_TRY(sb_source_open(&s, &path, 1, NULL, e));
    for (struct sb_block b; sb_source_next(s, &b, e);)
        ;
    report("frames", 1, since, sb_source_info(s)->records, sb_source_info(s)->bytes);
    sb_source_close(s);
    return e->code == SB_OK;
}

static bool
scan_pass(const char *path, unsigned threads, struct sb_err *e)
{
    struct sb_source *s;
    SB_TRY(sb_source_open(&s, &path, 1, NULL, e));
    struct sb_pool *pool = sb_pool_open(threads);
    struct watch since = now();
    sb_source_scan(s, pool);
    report("scan", threads, since, 0, sb_source_info(s)->bytes);
    sb_pool_close(pool);
    sb_source_close(s);
    return true;
}

int
main(int argc, char **argv)
{
    struct sb_err e = {0};
    unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
    if (argc < 2 || threads < 1 || threads > 64) {
        fputs("bench_decode TRACE [THREADS]\n", stderr);
        return 2;
    }
    if (hash_pass(argv[1], &e) && frame_pass(argv[1], &e) && scan_pass(argv[1], threads, &e) &&
        decode_pass(argv[1], threads, &e))
        return 0;
    sb_err_print(&e, stderr);
    return 1;
}
