/*
 * The window of a flight recorder: at any moment each record that the rings took is either known from before the
 * window or in exactly one piece of its trace. Random records of three threads, one of which is idle for long.
 * And records that are read and written again, and the conditions of triggers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "live/drain/when.h"
#include "live/drain/window.h"
#include "trace/sbt/ring_write.h"
#include "trace/sbt/wire_event.h"

enum { RINGS = 3, CHUNK = 4096, CHUNKS = 3, EVENTS = 30000, PAGES = 5 + RINGS * CHUNKS };
static const int64_t WINDOW_NS = 2000000000, STEP_NS = 400000, START_NS = 1000000000;

struct model {
    struct sb_rings *rings;
    struct sb_layout layout;
    struct sb_ring_writer writer[RINGS];
    struct sb_window window;
    int64_t at_ns[EVENTS]; /* of the records that the rings took; 0: dropped */
    uint64_t dropped, random;
};

static uint64_t
no_cpu(void)
{
    return 0;
}

static uint64_t
below(struct model *m, uint64_t n)
{
    m->random = m->random * 6364136223846793005u + 1442695040888963407u;
    return (m->random >> 33) % n;
}

static void
lay_out(struct model *m)
{
    size_t bytes = (size_t)PAGES * SB_RING_PAGE;
    struct sb_rings *r = aligned_alloc(SB_RING_PAGE, bytes);
    memset(r, 0, bytes);
    *r = (struct sb_rings){.magic = SB_RING_MAGIC, .version = 1, .n_rings = RINGS, .total_bytes = bytes};
    r->event_kinds = SB_EVENT_KINDS;
    r->start_ns = START_NS;
    r->dict_at = SB_RING_PAGE * (1 + RINGS);
    r->dict_bytes = SB_RING_PAGE;
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(r, i);
        ring->data_at = SB_RING_PAGE * (2 + RINGS + i * CHUNKS);
        ring->chunk_bytes = CHUNK;
        ring->n_chunks = CHUNKS;
    }
    assert_true(sb_layout_take(&m->layout, r, bytes));
    m->rings = r;
    for (unsigned i = 0; i < RINGS; i++)
        sb_ring_writer_init(&m->writer[i], r, i, sb_lane_make(SB_LANE_NORMAL, i + 1), no_cpu);
    sb_window_init(&m->window, &m->layout, 1);
}

/* A message whose size is the number of the event. */
static void
write_event(struct model *m, uint64_t i, int64_t now_ns)
{
    sb_actor who = sb_actor_make(SB_PID, 0, 0, below(m, 9)), to = sb_actor_make(SB_PID, 0, 1, below(m, 300));
    unsigned ring = below(m, 400) == 0 ? 2 : (unsigned)below(m, 2);
    struct sb_ring_writer *w = &m->writer[ring];
    uint8_t *p = sb_ring_begin(w, SB_EV_send, who, now_ns, 0);
    if (p)
        sb_ring_end(w, SB_EV_send,
                    sb_wire_put_send(p, w->recent, (struct sb_wire_send){.to = to, .words = i, .hash = 7}));
    m->at_ns[i] = p ? now_ns & ~7 : 0;
    m->dropped += !p;
}

/* Moves the chunks that are complete into the window, as the drain does. */
static void
drain(struct model *m, int64_t now_ns)
{
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(m->rings, i);
        uint64_t head = atomic_load(&ring->head), tail = atomic_load(&ring->tail);
        for (; tail + 1 < head; tail++) {
            struct sb_chunk *c = sb_ring_chunk(m->rings, ring, tail);
            uint64_t published = atomic_load(&c->published);
            bool gap = c->gap_from_ns != SB_AT_UNKNOWN;
            struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                                     .lane = c->lane,
                                     .ring = c->ring,
                                     .number = c->number,
                                     .raw = (uint32_t)SB_CHUNK_PREFIX + (uint32_t)published,
                                     .events = (uint32_t)(published >> 32),
                                     .first_ns = gap ? c->gap_from_ns : c->first_ns,
                                     .last_ns = c->last_ns ? c->last_ns : now_ns};
            sb_window_put(&m->window, &b, &c->first_ns, 0);
            atomic_store(&ring->tail, tail + 1);
        }
    }
}

/* ---- a trace of the window */

static uint64_t
read_piece(struct sb_window_piece *p, bool *seen, uint64_t *events)
{
    struct sb_sbt_prefix prefix;
    struct sb_wire_state s;
    struct sb_wire_record r;
    uint8_t *raw = malloc(p->head.raw + 1u);
    if (p->packed)
        assert_true(sb_sbt_unpack_body(raw, p->packed + sizeof p->head, &p->head));
    else
        memcpy(raw, p->raw.at, p->head.raw);
    memcpy(&prefix, raw, sizeof prefix);
    sb_wire_begin(&s, prefix.base_ns);
    uint64_t n = 0, lost = 0;
    for (const uint8_t *at = raw + sizeof prefix, *end = raw + p->head.raw; at < end; n++) {
        at = sb_wire_read(&s, at, end, &r);
        assert_non_null(at);
        assert_int_equal(r.ev.kind, SB_EV_send);
        assert_false(seen[r.ev.send.words]);
        seen[r.ev.send.words] = true;
        assert_true(r.ev.at_ns >= p->head.first_ns && r.ev.at_ns <= p->head.last_ns);
    }
    assert_int_equal(n, p->head.events);
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++) {
        assert_int_equal(prefix.dropped[c], p->dropped[c]);
        lost += p->dropped[c];
        p->dropped[c] = 0;
    }
    free(raw);
    *events += n;
    return lost;
}

static void
check(struct model *m, uint64_t n, int64_t until_ns)
{
    struct sb_window_piece p = {0};
    bool *seen = calloc(EVENTS, sizeof *seen);
    uint64_t before = 0, got = 0, lost = 0;
    for (size_t i = m->window.first; i < m->window.block.n; i++)
        if (sb_window_piece(&m->window, i, until_ns, &p))
            lost += read_piece(&p, seen, &got);
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(m->rings, i);
        for (uint64_t c = atomic_load(&ring->tail); c < atomic_load(&ring->head); c++)
            if (sb_window_open_piece(&m->window, i, c, until_ns, &p))
                lost += read_piece(&p, seen, &got);
    }
    for (uint64_t i = 0; i < n; i++) {
        bool within = m->at_ns[i] >= m->window.from_ns && m->at_ns[i] <= until_ns;
        assert_int_equal(seen[i], m->at_ns[i] && within);
        before += m->at_ns[i] && m->at_ns[i] < m->window.from_ns;
    }
    assert_int_equal(m->window.known.events, before);
    assert_int_equal(p.kinds[SB_EV_send], got);
    assert_true(lost <= m->dropped);
    if (m->window.from_ns ==
        START_NS) { /* nothing has left the window: what is lost is in it, or not reported yet */
        for (unsigned i = 0; i < RINGS; i++)
            for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
                lost += m->writer[i].gap[c];
        assert_int_equal(lost, m->dropped);
    }
    SB_VEC_FREE(&p.raw);
    free(seen);
}

static void
test_window(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        struct model *m = calloc(1, sizeof *m);
        m->random = seed;
        lay_out(m);
        int64_t now_ns = START_NS;
        uint64_t pause = 100 + seed * 60; /* events between two passes: a ring holds about 300 */
        for (uint64_t i = 0; i < EVENTS; i++) {
            now_ns += (int64_t)below(m, (uint64_t)STEP_NS);
            write_event(m, i, now_ns);
            if (below(m, pause) == 0)
                drain(m, now_ns);
            if (below(m, 700) == 0 && now_ns - WINDOW_NS > START_NS)
                sb_window_advance(&m->window, now_ns - WINDOW_NS);
            if (below(m, 3000) == 0)
                check(m, i + 1, now_ns - (int64_t)below(m, 2) * STEP_NS * 5);
        }
        check(m, EVENTS, now_ns);
        assert_true(m->window.known.events > EVENTS / 4);
        assert_true(seed < 4 || m->dropped > 0);
        sb_window_advance(&m->window, sb_window_from(&m->window, 0)); /* no memory for blocks */
        assert_int_equal(m->window.bytes, 0);
        sb_window_close(&m->window);
        sb_layout_free(&m->layout);
        free(m->rings);
        free(m);
    }
}

/* ---- records of each kind, read and written again */

static void
test_records(void **state)
{
    (void)state;
    uint8_t text[] = {3, 'a', 'b', 'c'}, first[SB_WIRE_RECORD_MAX], again[SB_WIRE_RECORD_MAX];
    for (unsigned kind = 1; kind < SB_EVENT_KINDS; kind++) {
        struct sb_wire_record r = {.ev = sb_event_of((enum sb_event_kind)kind), .text = text}, got;
        struct sb_wire_state w, s;
        r.ev.who = sb_actor_make(SB_PID, kind % 3, kind, 12345);
        r.ev.at_ns = 80000;
        r.ev.flags = kind % 2 ? 1 : 0;
        for (unsigned i = 0; i < sb_kinds[kind].n_slots; i++)
            if (sb_kinds[kind].slot[i].type == SB_SLOT_PID)
                sb_slot_set(&sb_kinds[kind].slot[i], &r.ev, sb_actor_make(SB_PORT, 0, i, kind));
            else if (i % 2 == 0)
                sb_slot_set(&sb_kinds[kind].slot[i], &r.ev, 1000 + i);
        sb_wire_begin(&w, 40000);
        sb_wire_begin(&s, 40000);
        const uint8_t *end = sb_wire_write(&w, first, &r);
        assert_ptr_equal(sb_wire_read(&s, first, end, &got), end);
        assert_int_equal(got.ev.at_ns, 80000);
        for (const uint8_t *cut = first; cut < end; cut++) { /* no record ends before its end */
            sb_wire_begin(&s, 40000);
            assert_null(sb_wire_read(&s, first, cut, &(struct sb_wire_record){0}));
        }
        sb_wire_begin(&w, 40000);
        size_t n = (size_t)(sb_wire_write(&w, again, &got) - again);
        assert_int_equal(n, end - first);
        assert_memory_equal(first, again, n);
    }
}

/* ---- what is known of processes */

static void
known(struct sb_known *k, enum sb_event_kind kind, uint64_t who, struct sb_event ev, int64_t at_ns)
{
    ev.at_ns = at_ns;
    ev.kind = (uint8_t)kind;
    ev.who = sb_actor_make(SB_PID, 0, 0, who);
    sb_known_apply(k, &(struct sb_wire_record){.ev = ev});
}

static void
test_known(void **state)
{
    (void)state;
    struct sb_known k = {0};
    struct sb_event ev = {0};
    uint8_t waits[] = {0, 0, 1};
    struct sb_wire_record r;
    ev.spawned.parent = sb_actor_make(SB_PID, 0, 0, 1);
    ev.spawned.entry = 9;
    for (uint64_t i = 2; i < 6; i++)
        known(&k, SB_EV_spawned, i, ev, 5);
    ev = (struct sb_event){.registered.name = 4};
    known(&k, SB_EV_registered, 5, ev, 10);
    ev = (struct sb_event){.running.mfa = 2};
    known(&k, SB_EV_out, 5, ev, 20); /* it waits */
    known(&k, SB_EV_out, 4, ev, 20);
    ev = (struct sb_event){.send.to = sb_actor_make(SB_PID, 0, 0, 4)};
    known(&k, SB_EV_send, 5, ev, 30); /* so 4 may not wait any longer */
    known(&k, SB_EV_exit, 2, (struct sb_event){0}, 40);
    ev = (struct sb_event){.spawn.child = sb_actor_make(SB_PID, 0, 0, 2)};
    known(&k, SB_EV_spawn, 3, ev, 35); /* of another thread, applied after the exit */
    sb_known_settle(&k);
    assert_int_equal(k.actor.n, 3);
    unsigned found = 0;
    for (size_t i = 0; sb_known_record(&k, i, 50, waits, 3, &r); i++) {
        unsigned who = sb_actor_number(r.ev.who);
        found |= 1u << who;
        assert_int_equal(r.ev.at_ns, 50);
        assert_int_equal(r.ev.exists.entry, 9);
        assert_int_equal(sb_actor_number(r.ev.exists.parent), 1);
        assert_int_equal(r.ev.exists.name, who == 5 ? 4 : 0);
        assert_int_equal(r.ev.exists.status, who == 5 ? 0 : SB_UNKNOWN32);
    }
    assert_int_equal(found, 1u << 3 | 1u << 4 | 1u << 5);
    sb_known_close(&k);
}

/* ---- conditions */

static void
test_when(void **state)
{
    (void)state;
    struct sb_when w;
    struct sb_err e = {0};
    assert_true(sb_when_read(&w, " run_queue  > 50 for 2s ", &e));
    assert_true(w.kind == SB_WHEN_RUN_QUEUE && w.limit == 50 && w.for_ns == 2000000000);
    assert_true(sb_when_read(&w, "call Elixir.Shop.Stock > 500ms", &e));
    assert_true(w.limit == 500000000 && sb_str_eq(w.name, SB_STR("Elixir.Shop.Stock")));
    assert_true(sb_when_read(&w, "memory > 2GB", &e) && w.limit > 1000000000);
    assert_true(sb_when_read(&w, "log error", &e) && w.kind == SB_WHEN_LOG);
    static const char *const wrong[] = {"",
                                        "mailbox",
                                        "mailbox > many",
                                        "mailbox > 10 for 1s",
                                        "no_yield > 5",
                                        "call > 500ms",
                                        "log loud",
                                        "memory 2G",
                                        "mailbox < 10",
                                        "run_queue > 5 for",
                                        "log error now",
                                        "run_queue > 5 for 2s more"};
    for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        e = (struct sb_err){0};
        assert_false(sb_when_read(&w, wrong[i], &e));
        assert_int_equal(e.code, SB_ERR_USAGE);
        assert_non_null(strstr(e.what, "is no condition"));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_window), cmocka_unit_test(test_records),
                                       cmocka_unit_test(test_known), cmocka_unit_test(test_when)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
