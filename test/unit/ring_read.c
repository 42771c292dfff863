/*
 * Events read from a ring while a thread writes them: none twice, none missing but those that were counted as lost, in
 * order, at any pace of the reader. Runs under the thread sanitizer too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "live/watch/windows.h"
#include "trace/sbt/ring_read.h"
#include "trace/sbt/ring_image.h"
#include "trace/sbt/ring_write.h"
#include <pthread.h>

enum { CHUNK = 4096, CHUNKS = 4, EVENTS = 200000, PAGES = 64, DICT = 4096 };

struct pair {
    struct sb_rings *rings;
    struct sb_layout layout;
    _Atomic bool over;
    uint64_t read, dropped;
};

static uint64_t
no_cpu(void)
{
    return 0;
}

static void
put_dictionary(struct sb_rings *r, uint8_t kind, struct sb_dict_entry e, const char *bytes)
{
    uint64_t at = atomic_load(&r->dict_used);
    e.kind = kind;
    e.n = (uint16_t)strlen(bytes);
    memcpy((uint8_t *)r + r->dict_at + at, &e, sizeof e);
    memcpy((uint8_t *)r + r->dict_at + at + sizeof e, bytes, e.n);
    atomic_store(&r->dict_used, at + sb_dict_entry_bytes(e.n));
}

static void
lay_out(struct pair *p)
{
    struct sb_rings *r = aligned_alloc(SB_RING_PAGE, PAGES * SB_RING_PAGE);
    memset(r, 0, PAGES * SB_RING_PAGE);
    *r = (struct sb_rings){.magic = SB_RING_MAGIC,
                           .version = 1,
                           .n_rings = 1,
                           .total_bytes = PAGES * SB_RING_PAGE,
                           .dict_at = 2 * SB_RING_PAGE,
                           .dict_bytes = DICT,
                           .event_kinds = SB_EVENT_KINDS};
    struct sb_ring *ring = sb_rings_at(r, 0);
    ring->data_at = 2 * SB_RING_PAGE + DICT;
    ring->chunk_bytes = CHUNK;
    ring->n_chunks = CHUNKS;
    *p = (struct pair){.rings = r};
    assert_true(sb_layout_take(&p->layout, r, PAGES * SB_RING_PAGE));
}

static void
remove_rings(struct pair *p)
{
    sb_layout_free(&p->layout);
    free(p->rings);
}

/* Each event carries its number as the size of a message. */
static bool
write_event(struct sb_ring_writer *w, uint64_t i)
{
    uint8_t *at = sb_ring_begin(w, SB_EV_send, sb_actor_make(SB_PID, 0, 0, i % 300), (int64_t)i * 100, 0);
    if (!at)
        return false;
    at = sb_wire_put_actor(at, w->recent, sb_actor_make(SB_PID, 0, 0, 7));
    at = sb_wire_put_u(at, i);
    sb_ring_end(w, SB_EV_send, sb_wire_put_hex(at, 0));
    return true;
}

static void *
write_events(void *arg)
{
    struct pair *p = arg;
    struct sb_ring_writer w;
    sb_ring_writer_init(&w, p->rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (uint64_t i = 1; i <= EVENTS; i++)
        write_event(&w, i);
    atomic_store(&p->over, true);
    return NULL;
}

static void
take(struct pair *p, const struct sb_event *ev, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (ev[i].kind == SB_EV_drop) {
            p->dropped += ev[i].drop.events;
            continue;
        }
        assert_int_equal(ev[i].kind, SB_EV_send);
        uint64_t number = ev[i].send.words;
        assert_int_equal(number, p->read + p->dropped + 1);
        assert_int_equal(ev[i].at_ns, number * 100 / 8 * 8);
        assert_int_equal(sb_actor_number(ev[i].who), number % 300);
        p->read++;
    }
}

static void
read_all(struct pair *p, struct sb_ring_reader *r)
{
    const struct sb_event *ev;
    struct sb_err e;
    for (size_t n = 1; n > 0;) {
        assert_true(sb_ring_reader_next(r, 0, &ev, &n, &e));
        take(p, ev, n);
    }
}

static void
test_beside_the_writer(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_reader *r = sb_ring_reader_open(&p.layout, false);
    pthread_t writer;
    pthread_create(&writer, NULL, write_events, &p);
    for (bool over = false; !over;) {
        over = atomic_load(&p.over);
        read_all(&p, r);
    }
    pthread_join(writer, NULL);
    assert_int_equal(p.read, sb_rings_at(p.rings, 0)->kinds[SB_EV_send]);
    assert_int_equal(p.read + sb_ring_reader_lost(r), EVENTS);
    sb_ring_reader_close(r);
    remove_rings(&p);
}

static void
test_full_ring(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_reader *r = sb_ring_reader_open(&p.layout, false);
    struct sb_ring_writer w;
    uint64_t i = 1, lost = 0;
    sb_ring_writer_init(&w, p.rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (int round = 1; round <= 5; round++) {
        while (write_event(&w, i++))
            ;
        lost++;
        for (int more = 0; more < round; more++, lost++)
            assert_false(write_event(&w, i++));
        read_all(&p, r);
        assert_int_equal(sb_ring_reader_lost(r), lost);
        assert_true(write_event(&w, i++));
        read_all(&p, r);
        assert_int_equal(p.dropped, lost);
        assert_int_equal(p.read + p.dropped, i - 1);
    }
    sb_ring_reader_close(r);
    remove_rings(&p);
}

/* A reader beside the drain gets events in order, writes nothing, and says when it was late. */
static uint64_t
read_beside(struct sb_ring_reader *r, uint64_t *last)
{
    const struct sb_event *ev;
    struct sb_err e;
    uint64_t events = 0;
    for (size_t n = 1; n > 0;) {
        assert_true(sb_ring_reader_next(r, 0, &ev, &n, &e));
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(ev[i].kind, SB_EV_send);
            assert_true(ev[i].send.words > *last);
            *last = ev[i].send.words;
            events++;
        }
    }
    return events;
}

static void
test_beside_a_drain(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_reader *drain = sb_ring_reader_open(&p.layout, false),
                          *beside = sb_ring_reader_open(&p.layout, true);
    struct sb_ring_writer w;
    uint64_t i = 1, last = 0, events = 0;
    sb_ring_writer_init(&w, p.rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (int round = 0; round < 200; round++) { /* both keep up, and the drain releases what it has read */
        for (int k = 0; k < 100; k++)
            assert_true(write_event(&w, i++));
        read_all(&p, drain);
        uint64_t tail = atomic_load(&sb_rings_at(p.rings, 0)->tail);
        events += read_beside(beside, &last);
        assert_int_equal(tail, atomic_load(&sb_rings_at(p.rings, 0)->tail));
    }
    assert_int_equal(events, i - 1);
    assert_int_equal(last, i - 1);
    assert_int_equal(sb_ring_reader_lost(beside), 0);
    for (int round = 0; round < 200; round++) { /* the node overwrites what only the drain has read */
        for (int k = 0; k < 100; k++)
            assert_true(write_event(&w, i++));
        read_all(&p, drain);
    }
    events += read_beside(beside, &last);
    assert_true(sb_ring_reader_lost(beside) > 0);
    assert_true(events + sb_ring_reader_lost(beside) <= i - 1);
    assert_true(write_event(&w, i++));
    read_beside(beside, &last);
    assert_int_equal(last, i - 1);
    sb_ring_reader_close(beside);
    sb_ring_reader_close(drain);
    remove_rings(&p);
}

/* Events that are written one by one are read one by one, out of a chunk that is still open. */
static void
test_open_chunk(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_reader *r = sb_ring_reader_open(&p.layout, false);
    struct sb_ring_writer w;
    struct sb_err e;
    sb_ring_writer_init(&w, p.rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (uint64_t i = 1; i <= 3000; i++) {
        const struct sb_event *ev;
        size_t n;
        assert_true(write_event(&w, i));
        assert_true(sb_ring_reader_next(r, 0, &ev, &n, &e));
        assert_int_equal(n, 1);
        take(&p, ev, n);
        assert_true(sb_ring_reader_next(r, 0, &ev, &n, &e));
        assert_int_equal(n, 0);
    }
    sb_ring_reader_close(r);
    remove_rings(&p);
}

static void
copy(struct sb_ring_copier *c, struct sb_ring_image *image)
{
    struct sb_ring_parts parts = {0};
    struct sb_err e;
    assert_true(sb_ring_copy(c, &parts, &e));
    assert_true(sb_ring_image_add(image, (struct sb_str){(char *)parts.at, parts.n}, &e));
    SB_VEC_FREE(&parts);
}

/* An image holds what was written before the copy: a few events, none, or more than the ring has room for. */
static void
test_image(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_copier *c = sb_ring_copier_open(&p.layout);
    struct sb_ring_image image = {0};
    struct sb_ring_writer w;
    uint64_t i = 0;
    sb_ring_writer_init(&w, p.rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    copy(c, &image);
    struct sb_ring_reader *r = sb_ring_reader_open(&image.layout, false);
    for (unsigned round = 0; round < 200; round++) {
        unsigned most = round % 20 == 19 ? 4000 : round * 7919 % 300;
        for (unsigned k = 0; k < most; k++)
            write_event(&w, ++i);
        copy(c, &image);
        read_all(&p, r);
        assert_int_equal(p.read + sb_ring_reader_lost(r), i);
        assert_int_equal(sb_ring_copier_events(c), p.read);
    }
    assert_true(p.read > 5000 && sb_ring_reader_lost(r) > 1000);
    sb_ring_reader_close(r);
    sb_ring_image_close(&image);
    sb_ring_copier_close(c);
    remove_rings(&p);
}

static uint64_t
sends(const struct sb_tally *t)
{
    uint64_t sum = 0;
    for (unsigned who = 0; who < 300; who++) {
        const struct sb_tally_process *p = sb_tally_find(t, sb_actor_make(SB_PID, 0, 0, who));
        sum += p ? p->last.sends : 0;
    }
    return sum;
}

static void
add_copy(struct sb_windows *w, struct sb_ring_copier *c, struct sb_ring_image *image)
{
    struct sb_ring_parts parts = {0};
    struct sb_err e;
    assert_true(sb_ring_copy(c, &parts, &e));
    assert_true(sb_windows_add_copy(w, image, (struct sb_str){(char *)parts.at, parts.n}, &e));
    SB_VEC_FREE(&parts);
}

/* A copy has events that came after the end of its window. They count in the next window, though the next copy
 * overwrites their chunks. */
static void
test_windows_of_copies(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_ring_copier *c = sb_ring_copier_open(&p.layout);
    struct sb_ring_image image = {0};
    struct sb_ring_writer writer;
    struct sb_tally tally;
    struct sb_windows w = {.tally = &tally};
    struct sb_err e;
    uint64_t written = 0, before = 0;
    sb_ring_writer_init(&writer, p.rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    add_copy(&w, c, &image);
    w.reader = sb_ring_reader_open(&image.layout, false);
    w.n_held = 1;
    w.held = sb_zeroed_or_die(w.n_held, sizeof *w.held);
    sb_tally_init(&tally, sb_ring_reader_names(w.reader), 0);
    for (unsigned round = 0; round < 100; round++) {
        for (unsigned k = 0; k < 900; k++)
            assert_true(write_event(&writer, ++written));
        uint64_t last = written - round * 7919 % 850; /* in this window */
        int64_t to_ns = (int64_t)last * 100 + 50;
        add_copy(&w, c, &image);
        assert_true(sb_windows_read(&w, to_ns, &e));
        sb_windows_end(&w, to_ns);
        assert_int_equal(sends(&tally), last - before);
        assert_int_equal(w.lost, 0);
        before = last;
    }
    sb_windows_close(&w);
    sb_ring_image_close(&image);
    sb_ring_copier_close(c);
    remove_rings(&p);
}

static bool
adds(struct sb_ring_image *m, const struct sb_ring_parts *parts, size_t n)
{
    struct sb_err e;
    return sb_ring_image_add(m, (struct sb_str){(char *)parts->at, n}, &e);
}

/* A copy that is cut off, reaches beyond the rings, or moves a ring is refused. */
static void
test_damaged_copies(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_rings *rings = p.rings;
    struct sb_ring_copier *c = sb_ring_copier_open(&p.layout);
    struct sb_ring_parts parts = {0};
    struct sb_ring_image image = {0};
    struct sb_err e;
    assert_true(sb_ring_copy(c, &parts, &e));
    assert_false(adds(&image, &parts, 15));
    assert_false(adds(&image, &parts, parts.n - 8 - sizeof(struct sb_ring)));
    sb_ring_image_close(&image);
    assert_true(adds(&image, &parts, parts.n));
    uint64_t place = 0, beyond = PAGES * SB_RING_PAGE - 8;
    memcpy(parts.at, &beyond, sizeof beyond);
    assert_false(adds(&image, &parts, parts.n));
    memcpy(parts.at, &place, sizeof place);
    uint32_t chunks, fewer = CHUNKS - 1;
    uint8_t *n_chunks = parts.at + 16 + sizeof *rings + 16 + offsetof(struct sb_ring, n_chunks);
    memcpy(&chunks, n_chunks, sizeof chunks);
    assert_int_equal(chunks, CHUNKS);
    memcpy(n_chunks, &fewer, sizeof fewer);
    assert_false(adds(&image, &parts, parts.n));
    sb_ring_image_close(&image);
    SB_VEC_FREE(&parts);
    sb_ring_copier_close(c);
    remove_rings(&p);
}

/* Names come with the events that use them. Texts of events are left out. */
static void
test_names(void **state)
{
    (void)state;
    struct pair p;
    lay_out(&p);
    struct sb_rings *rings = p.rings;
    struct sb_ring_reader *r = sb_ring_reader_open(&p.layout, false);
    struct sb_ring_writer w;
    struct sb_err e;
    struct sb_arena a;
    a = (struct sb_arena){0};
    sb_ring_writer_init(&w, rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
    for (uint32_t i = 1; i <= 3; i++) {
        char name[8];
        const struct sb_event *ev;
        size_t n;
        snprintf(name, sizeof name, "m%u", i);
        put_dictionary(rings, SB_DICT_ATOM, (struct sb_dict_entry){0}, name);
        put_dictionary(rings, SB_DICT_MFA, (struct sb_dict_entry){.a = i, .b = i, .arity = 2}, "");
        uint8_t *at = sb_ring_begin(&w, SB_EV_in, sb_actor_make(SB_PID, 0, 0, 5), i * 1000, 0);
        sb_ring_end(&w, SB_EV_in, sb_varint_put(at, i));
        at = sb_ring_begin(&w, SB_EV_exit, sb_actor_make(SB_PID, 0, 0, 5), i * 1000, 0);
        sb_ring_end(&w, SB_EV_exit, sb_wire_put_text(at, "a reason", 8));
        assert_true(sb_ring_reader_next(r, 0, &ev, &n, &e));
        assert_int_equal(n, 2);
        struct sb_str mfa = sb_names_print(sb_ring_reader_names(r), ev[0].in.mfa, &a);
        assert_true(sb_str_eq(mfa, sb_arena_printf(&a, "m%u:m%u/2", i, i)));
        assert_int_equal(ev[1].kind, SB_EV_exit);
        assert_int_equal(ev[1].exit.reason, 0);
    }
    sb_arena_close(&a);
    sb_ring_reader_close(r);
    remove_rings(&p);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beside_the_writer), cmocka_unit_test(test_full_ring),
        cmocka_unit_test(test_beside_a_drain),    cmocka_unit_test(test_image),
        cmocka_unit_test(test_windows_of_copies), cmocka_unit_test(test_damaged_copies),
        cmocka_unit_test(test_open_chunk),        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
