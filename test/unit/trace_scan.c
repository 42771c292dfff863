/*
 * Scanning an OTP trace ahead (sb_source_scan) does not change the events read, and the facts it reports of a
 * block are those that decoding finds in it: bounds, kinds, and whether some event has no stamp. The trace is
 * larger than the part that one thread scans, and holds hard cases: late records, records damaged inside with
 * timestamps found nowhere else, damage between records, drops, and at a thread's start a message that itself
 * holds frames.
 */
#include "base/bytes.h"
#include "base/file.h"
#include "base/sanitized.h"
#include "trace/source.h"
#include "trace/text.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <cmocka.h>

enum { BYTES = 9 << 20, STRETCH = 8 << 20, NEAR = 100 << 10, INNER = 3000 };
enum clock { TUPLES, NUMBERS, NONE };
static const unsigned clocks = SB_UNDER_ASAN || SB_UNDER_TSAN ? 1 : 3;

struct record {
    uint8_t at[512 << 10];
    size_t n;
};

static void
put(struct record *r, const void *p, size_t n)
{
    memcpy(r->at + r->n, p, n);
    r->n += n;
}

static void
put_u32(struct record *r, uint32_t v)
{
    sb_put_be32(r->at + r->n, v);
    r->n += 4;
}

static void
put_atom(struct record *r, const char *text)
{
    uint8_t head[2] = {119, (uint8_t)strlen(text)};
    put(r, head, 2);
    put(r, text, head[1]);
}

static void
put_pid(struct record *r, uint32_t number)
{
    put(r, "X", 1);
    put_atom(r, "n@h");
    put_u32(r, number);
    put_u32(r, 0);
    put_u32(r, 7);
}

static void
put_number(struct record *r, uint32_t v)
{
    if (v < 256) {
        put(r, (uint8_t[]){97, (uint8_t)v}, 2);
        return;
    }
    put(r, "b", 1);
    put_u32(r, v);
}

static void
put_stamp(struct record *r, enum clock clock, uint32_t us)
{
    if (clock == NUMBERS)
        put_number(r, us);
    if (clock != TUPLES)
        return;
    put(r, "\150\3", 2);
    put_number(r, 1700);
    put_number(r, 5 + us / 1000000);
    put_number(r, us % 1000000);
}

static void
begin(struct record *r, const char *head, unsigned arity, uint32_t who, const char *tag)
{
    r->n = 5;
    put(r, (uint8_t[]){131, 104, (uint8_t)arity}, 3);
    put_atom(r, head);
    put_pid(r, who);
    put_atom(r, tag);
}

static void
put_function(struct record *r, unsigned i)
{
    char name[16];
    snprintf(name, sizeof name, "f%u", i % 301);
    put(r, "\150\3", 2);
    put_atom(r, "mod");
    put_atom(r, name);
    put_number(r, i % 7);
}

static void
end(struct sb_out *o, struct record *r)
{
    r->at[0] = 0;
    sb_put_be32(r->at + 1, (uint32_t)(r->n - 5));
    sb_out_bytes(o, r->at, r->n);
}

static void
make_record(struct record *r, enum clock clock, uint32_t i, uint32_t us)
{
    static const char *const tags[] = {"call", "in", "out", "return_to"};
    bool profile = i % 5 == 0, stamped = clock != NONE && i % 9001 != 8000;
    begin(r,
          profile   ? "profile"
          : stamped ? "trace_ts"
                    : "trace",
          profile ? 5 : 4 + stamped, 1 + i % 97,
          profile              ? i % 2 ? "active" : "inactive"
          : i % 30000 == 29999 ? "from_the_future"
                               : tags[i % 4]);
    put_function(r, i);
    if (profile)
        put_number(r, 0);
    if (profile || stamped)
        put_stamp(r, clock == NONE ? TUPLES : clock, us);
}

/* A message of many frames, of a time long gone. */
static void
make_nested(struct record *r, enum clock clock)
{
    static struct record inner;
    begin(r, "trace_ts", 6, 1, "send");
    put(r, "m", 1);
    size_t length_at = r->n;
    put_u32(r, 0);
    for (uint32_t i = 0; i < INNER; i++) {
        make_record(&inner, clock, i, i % 9);
        inner.at[0] = 0;
        sb_put_be32(inner.at + 1, (uint32_t)(inner.n - 5));
        put(r, inner.at, inner.n);
    }
    sb_put_be32(r->at + length_at, (uint32_t)(r->n - length_at - 4));
    put_pid(r, 2);
    put_stamp(r, clock == NONE ? TUPLES : clock, 77777);
}

static bool
is_odd(uint32_t i) /* damaged inside, or without a stamp */
{
    return i % 20011 == 20010 || i % 771 == 770 || i % 9001 == 8000;
}

static void
write_trace(const char *path, enum clock clock)
{
    static struct record r;
    struct sb_out o;
    struct sb_err e;
    bool nested = false;
    assert_true(sb_out_open(&o, path, &e));
    for (uint32_t i = 0; o.written + o.n < BYTES; i++) {
        uint64_t here = (o.written + o.n) % STRETCH;
        uint32_t us = 1000 + i * 3 - (i % 1013 == 0 ? i : 0);
        if (here > STRETCH - NEAR && !nested) {
            make_nested(&r, clock);
            end(&o, &r);
        }
        nested = here > STRETCH - NEAR;
        make_record(&r, clock, i, i % 20011 == 20010 ? 4000000000 + i : us);
        if (i % 20011 == 20010 || i % 771 == 770)
            r.at[35] = 200; /* in the middle: no tag at all */
        end(&o, &r);
        if (i % 333 == 0 && clock != NONE && !is_odd(i) && !is_odd(i + 1))
            sb_out_bytes(&o, "\1\0\0\0\2", 5);
        if (i % 40000 == 10000)
            sb_out_bytes(&o, "\7 no record at all", 18);
    }
    sb_out_bytes(&o, "\0\0\0\1\0 cut", 9);
    assert_true(sb_out_close(&o, &e));
}

static void
check_block(const struct sb_block *b, const struct sb_events *events, size_t from)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    uint64_t kinds = 0;
    bool untimed = false;
    for (size_t i = from; i < events->n; i++) {
        const struct sb_event *ev = &events->at[i];
        kinds |= UINT64_C(1) << ev->kind;
        untimed |= ev->at_ns == SB_AT_UNKNOWN;
        first = ev->at_ns < first ? ev->at_ns : first;
        last = ev->at_ns > last ? ev->at_ns : last;
    }
    assert_int_equal(b->kinds, kinds);
    assert_int_equal(b->first_ns, untimed ? INT64_MIN : first);
    assert_int_equal(b->last_ns, last);
}

struct read {
    struct sb_source *source;
    struct sb_events events;
    size_t blocks;
};

static struct read
read_all(const char *path, unsigned threads)
{
    struct read r = {0};
    struct sb_err e = {0};
    struct sb_block b;
    assert_true(sb_source_open(&r.source, &path, 1, NULL, &e));
    struct sb_pool *pool = sb_pool_open(threads ? threads : 1);
    if (threads)
        sb_source_scan(r.source, pool);
    for (; sb_source_next(r.source, &b, &e); r.blocks++) {
        size_t had = r.events.n;
        sb_source_decode(r.source, &b, &r.events);
        if (threads)
            check_block(&b, &r.events, had);
    }
    sb_pool_close(pool);
    return r;
}

static void
forget(struct read *r)
{
    SB_VEC_FREE(&r->events);
    sb_source_close(r->source);
}

static struct sb_out
as_text(const struct read *r)
{
    struct sb_out o;
    sb_out_to_memory(&o);
    for (size_t i = 0; i < r->events.n; i++)
        sb_text_write(&o, sb_source_names(r->source), &r->events.at[i]);
    return o;
}

static void
same(const struct read *a, const struct read *b)
{
    const struct sb_source_info *x = sb_source_info(a->source), *y = sb_source_info(b->source);
    assert_int_equal(x->records, y->records);
    assert_int_equal(x->lost_any, y->lost_any);
    assert_int_equal(x->damages, y->damages);
    struct sb_out p = as_text(a), q = as_text(b);
    assert_int_equal(p.n, q.n);
    assert_memory_equal(p.buf, q.buf, p.n);
    sb_out_abandon(&p);
    sb_out_abandon(&q);
}

static void
looking_ahead_changes_nothing(void **state)
{
    (void)state;
    for (unsigned i = 0; i < clocks; i++) {
        enum clock clock = (enum clock)i;
        char path[] = "/tmp/strobe-scan.XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        close(fd);
        write_trace(path, clock);
        struct read plain = read_all(path, 0), ahead = read_all(path, 4), alone = read_all(path, 1);
        assert_true(plain.events.n > 80000 && sb_source_info(plain.source)->damages > 100);
        assert_true(ahead.blocks > BYTES >> 19 && ahead.blocks == alone.blocks);
        same(&plain, &ahead);
        same(&plain, &alone);
        forget(&plain);
        forget(&ahead);
        forget(&alone);
        unlink(path);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(looking_ahead_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
