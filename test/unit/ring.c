/*
 * A ring between a writer and a reader thread, as between a node and its drain: the records read and
 * those dropped are those written, in order, at any pace of the reader. Runs under the thread sanitizer too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/bytes.h"
#include "trace/sbt/ring_layout.h"
#include "trace/sbt/ring_write.h"
#include <pthread.h>
#include <time.h>

enum { CHUNK = 4096, CHUNKS = 4, EVENTS = 400000, PAGES = 64 };

struct pair {
    struct sb_rings *rings;
    unsigned pace;     /* chunks the reader takes between two rests; 0: rests never */
    _Atomic bool over; /* the writer has ended */
    uint64_t kept, dropped, last;
    bool ordered;
};

static uint64_t
no_cpu(void)
{
    return 0;
}

static struct sb_rings *
lay_out(void)
{
    struct sb_rings *r = aligned_alloc(SB_RING_PAGE, PAGES * SB_RING_PAGE);
    memset(r, 0, PAGES * SB_RING_PAGE);
    *r = (struct sb_rings){.magic = SB_RING_MAGIC,
                           .version = 1,
                           .n_rings = 1,
                           .total_bytes = PAGES * SB_RING_PAGE,
                           .dict_at = 2 * SB_RING_PAGE,
                           .event_kinds = SB_EVENT_KINDS};
    struct sb_ring *ring = sb_rings_at(r, 0);
    ring->data_at = 2 * SB_RING_PAGE;
    ring->chunk_bytes = CHUNK;
    ring->n_chunks = CHUNKS;
    struct sb_layout l;
    assert_true(sb_layout_take(&l, r, PAGES * SB_RING_PAGE));
    sb_layout_free(&l);
    assert_false(sb_layout_take(&l, r, SB_RING_PAGE));
    return r;
}

/* Marks that carry their number, a nanosecond apart. */
static void *
write_events(void *arg)
{
    struct pair *p = arg;
    struct sb_ring_writer w;
    sb_ring_writer_init(&w, p->rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (uint64_t i = 1; i <= EVENTS; i++) {
        uint8_t *at =
            sb_ring_begin(&w, SB_EV_mark, sb_actor_make(SB_PID, 0, 0, i % 300), (int64_t)i * 100, 0);
        if (at)
            sb_ring_end(&w, SB_EV_mark, sb_wire_put_text(at, (const char *)&i, sizeof i));
    }
    atomic_store(&p->over, true);
    return NULL;
}

static void
read_chunk(struct pair *p, const struct sb_chunk *c)
{
    uint64_t published = atomic_load_explicit(&c->published, memory_order_acquire);
    const uint8_t *at = (const uint8_t *)(c + 1), *end = at + (uint32_t)published;
    for (unsigned k = 0; k < SB_CLASSES_MAX; k++)
        p->dropped += c->dropped[k];
    for (uint64_t n = published >> 32; n > 0; n--) {
        uint64_t ticks, number;
        unsigned first = *at++;
        assert_true(sb_varint_get(&at, end, &ticks));
        if (!(first & SB_WIRE_SAME) && *at++ >= SB_WIRE_RECENT)
            /* a pid without serial, or one outside the recent ones */
            assert_true(sb_varint_get(&at, end, &ticks));
        number = sb_get_le64(at + 1);
        at += 1 + sizeof number;
        p->ordered &= number > p->last;
        p->last = number;
        p->kept++;
    }
    assert_ptr_equal(at, end);
}

static void *
read_events(void *arg)
{
    struct pair *p = arg;
    struct sb_ring *ring = sb_rings_at(p->rings, 0);
    for (uint64_t tail = 0, taken = 0;;) {
        bool over = atomic_load(&p->over);
        uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        uint64_t end = over || head == 0 ? head : head - 1;
        for (; tail < end; taken++) {
            read_chunk(p, sb_ring_chunk(p->rings, ring, tail));
            atomic_store_explicit(&ring->tail, ++tail, memory_order_release);
            if (p->pace && taken % p->pace == 0)
                nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        }
        if (over)
            return NULL;
    }
}

static void
run(unsigned pace, bool must_drop)
{
    struct pair p = {.rings = lay_out(), .pace = pace, .ordered = true};
    pthread_t writer, reader;
    pthread_create(&reader, NULL, read_events, &p);
    pthread_create(&writer, NULL, write_events, &p);
    pthread_join(writer, NULL);
    pthread_join(reader, NULL);
    struct sb_ring *ring = sb_rings_at(p.rings, 0);
    uint64_t dropped = atomic_load(&ring->dropped[SB_MARKS]);
    assert_true(p.ordered);
    assert_int_equal(p.kept, ring->kinds[SB_EV_mark]);
    assert_int_equal(p.kept + dropped, EVENTS);
    assert_true(p.dropped <= dropped); /* the rest came after the last chunk */
    if (must_drop)
        assert_true(dropped > 0);
    free(p.rings);
}

static void
test_slow_reader_costs_counted_drops(void **state)
{
    (void)state;
    run(1, true);
}

static void
test_eager_reader(void **state)
{
    (void)state;
    run(0, false);
}

enum { RINGS = 3 };

static struct sb_rings *
lay_out_several(void)
{
    struct sb_rings *r = aligned_alloc(SB_RING_PAGE, PAGES * SB_RING_PAGE);
    memset(r, 0, PAGES * SB_RING_PAGE);
    *r = (struct sb_rings){.magic = SB_RING_MAGIC, .n_rings = RINGS, .total_bytes = PAGES * SB_RING_PAGE};
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(r, i);
        ring->data_at = (1 + RINGS + i * CHUNKS) * SB_RING_PAGE;
        ring->chunk_bytes = CHUNK;
        ring->n_chunks = CHUNKS;
    }
    return r;
}

/* Fills a ring until events are dropped, and marks the cache lines that differ afterwards. */
static void
fill(struct sb_rings *r, unsigned ring, uint8_t *lines)
{
    uint8_t *before = malloc(PAGES * SB_RING_PAGE);
    memcpy(before, r, PAGES * SB_RING_PAGE);
    struct sb_ring_writer w;
    sb_ring_writer_init(&w, r, ring, sb_lane_make(SB_LANE_NORMAL, (uint16_t)(ring + 1)), no_cpu);
    for (uint64_t i = 1; i <= EVENTS; i++) {
        uint8_t *at = sb_ring_begin(&w, SB_EV_out, sb_actor_make(SB_PID, 0, 0, i), (int64_t)i * 100, 0);
        if (at)
            sb_ring_end(&w, SB_EV_out, sb_varint_put(at, 1));
    }
    assert_true(atomic_load(&sb_rings_at(r, ring)->dropped[SB_RUNNING]) > 0);
    for (size_t i = 0; i < PAGES * SB_RING_PAGE; i++)
        lines[i / SB_CACHE_LINE] |= before[i] != ((uint8_t *)r)[i];
    free(before);
}

/* The writers of several rings and a reader write to different cache lines. */
static void
test_writers_share_no_cache_line(void **state)
{
    (void)state;
    enum { LINES = PAGES * SB_RING_PAGE / SB_CACHE_LINE };
    static uint8_t lines[RINGS][LINES];
    struct sb_rings *r = lay_out_several();
    for (unsigned i = 0; i < RINGS; i++)
        fill(r, i, lines[i]);
    for (unsigned i = 0; i < LINES; i++)
        assert_true(lines[0][i] + lines[1][i] + lines[2][i] <= 1);
    for (unsigned i = 0; i < RINGS; i++)
        assert_false(lines[i][((uint8_t *)&sb_rings_at(r, i)->tail - (uint8_t *)r) / SB_CACHE_LINE]);
    free(r);
}

/* Memory that a writer has: the first `room` bytes of the rings. */
static uint64_t room, asked;

static bool
reserve(uint64_t at, uint64_t bytes)
{
    asked++;
    return at + bytes <= room;
}

static void
write_for(struct sb_ring_writer *w, uint64_t from_ns, uint64_t to_ns)
{
    for (uint64_t i = from_ns; i < to_ns; i += 100) {
        uint8_t *at = sb_ring_begin(w, SB_EV_out, sb_actor_make(SB_PID, 0, 0, i), (int64_t)i, 0);
        if (at)
            sb_ring_end(w, SB_EV_out, sb_varint_put(at, 1));
    }
}

/* A chunk without memory is never written. Its events are counted, the writer asks again after a while, and then goes
 * on. */
static void
test_chunks_without_memory_are_drops(void **state)
{
    (void)state;
    struct sb_rings *r = lay_out();
    struct sb_ring *ring = sb_rings_at(r, 0);
    struct sb_ring_writer w;
    sb_ring_writer_init(&w, r, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    w.reserve = reserve;
    room = ring->data_at + 2 * CHUNK, asked = 0;
    write_for(&w, 0, SB_RESERVE_RETRY_NS / 2);
    assert_int_equal(asked, 3);
    assert_int_equal(atomic_load(&ring->head), 2);
    assert_true(atomic_load(&ring->dropped[SB_RUNNING]) > 0);
    for (const uint8_t *p = (uint8_t *)r + room; p < (uint8_t *)r + PAGES * SB_RING_PAGE; p++)
        assert_int_equal(*p, 0);
    room = UINT64_MAX;
    write_for(&w, SB_RESERVE_RETRY_NS / 2, 2 * SB_RESERVE_RETRY_NS);
    assert_int_equal(atomic_load(&ring->head), CHUNKS);
    assert_int_equal(asked, CHUNKS + 1);
    assert_int_equal(ring->kinds[SB_EV_out] + atomic_load(&ring->dropped[SB_RUNNING]),
                     2 * SB_RESERVE_RETRY_NS / 100);
    free(r);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_writers_share_no_cache_line),
        cmocka_unit_test(test_slow_reader_costs_counted_drops),
        cmocka_unit_test(test_eager_reader),
        cmocka_unit_test(test_chunks_without_memory_are_drops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
