/*
 * Decoding in parallel gives what decoding in order gives, block by block; memory does not grow with the
 * file. The trace is made here: calls of a few hundred functions, a drop now and then, damage in three
 * places.
 */
#include "base/bytes.h"
#include "base/file.h"
#include "trace/each.h"
#include "trace/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

enum { RECORDS = 60000 };

static void
put_call(struct sb_out *o, uint32_t i)
{
    uint8_t b[128] = {0, 0, 0, 0, 0, 131, 104, 5, 119, 8};
    uint8_t *p = b + 10;
    char name[16];
    memcpy(p, "trace_ts", 8), p += 8;
    memcpy(p, "\x58w\1n\0\0\0\0\0\0\0\0\0\0\0\0", 16), sb_put_be32(p + 4, i % 97), p += 16;
    memcpy(p, "w\4call", 6), p += 6;
    memcpy(p, "\x68\3w\1mw", 6), p += 6;
    int n = snprintf(name, sizeof name, "f%u", i % 3001);
    *p++ = (uint8_t)n;
    memcpy(p, name, (size_t)n), p += n;
    *p++ = 97, *p++ = (uint8_t)(i % 7);
    *p++ = 98, sb_put_be32(p, i), p += 4;
    sb_put_be32(b + 1, (uint32_t)(p - b) - 5);
    sb_out_bytes(o, b, (size_t)(p - b));
}

static void
make_trace(const char *path)
{
    struct sb_out o;
    struct sb_err e;
    assert_true(sb_out_open(&o, path, &e));
    for (uint32_t i = 0; i < RECORDS; i++) {
        put_call(&o, i);
        if (i % 1000 == 0)
            sb_out_bytes(&o, "\1\0\0\0\2", 5);
        if (i % 20000 == 10000)
            sb_out_bytes(&o, "\7 no record at all", 18);
    }
    assert_true(sb_out_close(&o, &e));
}

struct blocks {
    struct sb_source *source;
    struct sb_out text[64]; /* of each block */
};

static void
keep(void *ctx, const struct sb_block *b, const struct sb_events *events, unsigned worker)
{
    struct blocks *all = ctx;
    (void)worker;
    assert_true(b->seq < 64);
    sb_out_to_memory(&all->text[b->seq]);
    for (size_t i = 0; i < events->n; i++)
        sb_text_write(&all->text[b->seq], sb_source_names(all->source), &events->at[i]);
}

static void
read_all(const char *path, unsigned threads, struct blocks *out)
{
    struct sb_err e = {0};
    *out = (struct blocks){0};
    assert_true(sb_source_open(&out->source, &path, 1, NULL, &e));
    struct sb_pool *pool = sb_pool_open(threads);
    assert_true(sb_source_each(out->source, pool, keep, out, &e));
    sb_pool_close(pool);
}

static void
forget(struct blocks *b)
{
    for (size_t i = 0; i < 64; i++)
        if (b->text[i].buf)
            sb_out_abandon(&b->text[i]);
    sb_source_close(b->source);
}

static void
threads_do_not_matter(void **state)
{
    (void)state;
    char path[] = "/tmp/strobe-decode.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    make_trace(path);
    static struct blocks one, four;
    read_all(path, 1, &one);
    read_all(path, 4, &four);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(one.text[i].n, four.text[i].n);
        if (one.text[i].n)
            assert_memory_equal(one.text[i].buf, four.text[i].buf, one.text[i].n);
    }
    const struct sb_source_info *info = sb_source_info(four.source);
    struct sb_err e = {0};
    assert_int_equal(info->records, RECORDS);
    assert_int_equal(info->lost_any, 2 * (RECORDS / 1000));
    assert_int_equal(info->damages, 3);
    assert_false(sb_source_whole(four.source, &e));
    assert_string_equal(e.what, "bad trace tag 7");
    assert_true(one.text[3].n > 0); /* there was more than one block to decode */
    forget(&one);
    forget(&four);
    unlink(path);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
