/*
 * The rings of a node that changes them after they were checked and while they are read: places, sizes and numbers come
 * from the copy that was checked, and nothing outside of the rings is touched. Sanitized builds show accesses beyond.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/file.h"
#include "base/progress.h"
#include "base/sanitized.h"
#include "live/drain/drain.h"
#include "live/drain/rings.h"
#include "trace/sbt/ring_image.h"
#include "trace/sbt/ring_read.h"
#include "trace/sbt/ring_write.h"
#include "trace/source.h"
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RINGS = 2, CHUNK = 4096, CHUNKS = 4, DATA_AT = (2 + RINGS) * 4096 };
enum { BYTES = DATA_AT + RINGS * CHUNKS * CHUNK, EVENTS = 150, NODES = 60, STEPS = 12 };

struct node { /* this process takes the part of the node */
    char folder[64], path[80], trace[80];
    struct sb_rings *rings;
    uint64_t random;
    _Atomic bool over;
};

static uint64_t
no_cpu(void)
{
    return 0;
}

static uint64_t
below(struct node *n, uint64_t most)
{
    n->random = n->random * 6364136223846793005u + 1442695040888963407u;
    return (n->random >> 33) % most;
}

static void
put_atom(struct sb_rings *r, const char *name)
{
    struct sb_dict_entry e = {.kind = SB_DICT_ATOM, .n = (uint16_t)strlen(name)};
    uint64_t at = atomic_load(&r->dict_used);
    memcpy((uint8_t *)r + r->dict_at + at, &e, sizeof e);
    memcpy((uint8_t *)r + r->dict_at + at + sizeof e, name, e.n);
    atomic_store(&r->dict_used, at + sb_dict_entry_bytes(e.n));
}

static void
write_events(struct sb_rings *r, unsigned ring, int64_t at_ns)
{
    struct sb_ring_writer w;
    sb_ring_writer_init(&w, r, ring, sb_lane_make(SB_LANE_NORMAL, ring + 1), no_cpu);
    for (unsigned i = 0; i < EVENTS; i++) {
        uint8_t *p = sb_ring_begin(&w, SB_EV_mark, sb_actor_make(SB_PID, 0, 0, 300 + i), at_ns + i * 1000, 0);
        assert_non_null(p);
        sb_ring_end(&w, SB_EV_mark, sb_wire_put_text(p, "a text of some bytes", 20));
    }
}

/* Whole rings with events, in a file. */
static void
begin_node(struct node *n, uint64_t seed)
{
    int64_t now = sb_clock_ns();
    *n = (struct node){.random = seed};
    snprintf(n->folder, sizeof n->folder, "/tmp/hostile-rings-XXXXXX");
    assert_non_null(mkdtemp(n->folder));
    snprintf(n->path, sizeof n->path, "%s/%d.rings", n->folder, (int)getpid());
    snprintf(n->trace, sizeof n->trace, "%s/x.sbt", n->folder);
    int fd = open(n->path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && ftruncate(fd, BYTES) == 0);
    n->rings = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    *n->rings = (struct sb_rings){.magic = SB_RING_MAGIC,
                                  .version = 1,
                                  .n_rings = RINGS,
                                  .total_bytes = BYTES,
                                  .dict_at = (1 + RINGS) * SB_RING_PAGE,
                                  .dict_bytes = SB_RING_PAGE,
                                  .os_pid = (uint32_t)getpid(),
                                  .event_kinds = SB_EVENT_KINDS,
                                  .start_ns = now - 1000000000,
                                  .state = SB_RINGS_ON};
    put_atom(n->rings, "shop");
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(n->rings, i);
        ring->data_at = DATA_AT + i * CHUNKS * CHUNK;
        ring->chunk_bytes = CHUNK;
        ring->n_chunks = CHUNKS;
        write_events(n->rings, i, now - 900000000);
    }
}

static void
end_node(struct node *n)
{
    char path[400];
    munmap(n->rings, BYTES);
    DIR *d = opendir(n->folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(path, sizeof path, "%s/%s", n->folder, e->d_name);
        unlink(path);
    }
    if (d)
        closedir(d);
    rmdir(n->folder); /* the drain removes it with the rings */
}

/* ---- what the node does */

/* The words that say where everything is, as no check would pass them. */
static void
move_all(struct node *n)
{
    n->rings->n_rings = UINT32_MAX;
    n->rings->dict_at = n->rings->dict_bytes = n->rings->total_bytes = UINT64_MAX - 7;
    n->rings->os_pid = 0;
    for (unsigned i = 0; i < RINGS; i++) {
        struct sb_ring *ring = sb_rings_at(n->rings, i);
        ring->data_at = UINT64_C(1) << 40;
        ring->chunk_bytes = UINT32_MAX;
        ring->n_chunks = 0;
    }
}

/* Any word of the heads, of a chunk's head or of the dictionary gets another value. */
static void
change_word(struct node *n)
{
    static const uint64_t value[] = {
        0, 1, 7, 65536, UINT32_MAX, UINT64_C(1) << 40, UINT64_MAX, UINT64_MAX - 7};
    uint64_t page = below(n, 3 + RINGS), word = below(n, 2) ? below(n, 24) : below(n, 512);
    uint64_t at = page < 2 + RINGS ? page * 4096 : DATA_AT + below(n, RINGS * CHUNKS) * CHUNK;
    uint64_t v = below(n, 3) ? value[below(n, sizeof value / sizeof *value)] : n->random;
    ((volatile uint64_t *)((uint8_t *)n->rings + at))[word] = v;
}

/* ---- who reads */

static void
read_rings(struct node *n, const struct sb_layout *l, uint64_t *events)
{
    struct sb_ring_reader *r = sb_ring_reader_open(l, false);
    const struct sb_event *ev;
    struct sb_err e = {0};
    *events = 0;
    for (unsigned step = 0; step < STEPS; step++) {
        for (unsigned i = 0; i < sb_ring_reader_rings(r); i++)
            for (size_t got = 1; got > 0 && sb_ring_reader_next(r, i, &ev, &got, &e);)
                *events += got;
        (void)sb_ring_reader_lost(r);
        (void)sb_ring_reader_cost_ns(r);
        if (n->random)
            change_word(n);
    }
    sb_ring_reader_close(r);
}

static void
copy_rings(struct node *n, const struct sb_layout *l)
{
    struct sb_ring_copier *c = sb_ring_copier_open(l);
    for (unsigned step = 0; step < STEPS; step++) {
        struct sb_ring_parts parts = {0};
        struct sb_err e = {0};
        sb_ring_copy(c, &parts, &e);
        SB_VEC_FREE(&parts);
        change_word(n);
    }
    sb_ring_copier_close(c);
}

static struct sb_drain *
open_drain(const struct node *n, bool flight)
{
    static const char *const when[] = {"run_queue > 1000", "call shop > 1s"};
    struct sb_drain_options o = {.rings = n->path, .trace = n->trace};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_drain *d = NULL;
    if (flight)
        o.flight = (struct sb_flight_options){.window_ns = 60000000000,
                                              .max_bytes = 1 << 20,
                                              .keep = 2,
                                              .when = {when[0], when[1]},
                                              .n_when = 2};
    if (!sb_drain_open(&d, &o, &e))
        fail_msg("%s", e.what);
    return d;
}

static void
drain_rings(struct node *n, bool flight)
{
    struct sb_drain *d = open_drain(n, flight);
    struct sb_err e = {0};
    enum sb_drained now = SB_DRAIN_MORE;
    for (unsigned step = 0; step < STEPS && now == SB_DRAIN_MORE; step++) {
        now = sb_drain_step(d, &e);
        change_word(n);
    }
    sb_drain_close(d);
}

/* ---- tests */

static void
test_moved_after_the_check(void **state)
{
    (void)state;
    struct node n;
    struct sb_layout l;
    uint64_t events;
    begin_node(&n, 0);
    assert_true(sb_layout_take(&l, n.rings, BYTES));
    move_all(&n);
    assert_false(sb_layout_is_same(&l));
    read_rings(&n, &l, &events);
    assert_int_equal(events, RINGS * EVENTS);
    sb_layout_free(&l);
    assert_false(sb_layout_take(&l, n.rings, BYTES));
    end_node(&n);
}

static void
test_moved_beside_the_drain(void **state)
{
    (void)state;
    struct node n;
    struct sb_err e = {0};
    struct sb_source *s;
    begin_node(&n, 0);
    struct sb_drain *d = open_drain(&n, false);
    move_all(&n);
    atomic_store(&n.rings->state, SB_RINGS_CLOSED);
    assert_int_equal(sb_drain_step(d, &e), SB_DRAIN_DONE);
    sb_drain_close(d);
    const char *path = n.trace;
    assert_true(sb_source_open(&s, &path, 1, NULL, &e));
    struct sb_events events = {0};
    uint64_t marks = 0;
    for (struct sb_block b; sb_source_next(s, &b, &e);) {
        events.n = 0;
        sb_source_decode(s, &b, &events);
        for (size_t i = 0; i < events.n; i++)
            marks += events.at[i].kind == SB_EV_mark;
    }
    SB_VEC_FREE(&events);
    assert_int_equal(marks, RINGS * EVENTS);
    assert_int_equal(sb_source_info(s)->damages, 0);
    sb_source_close(s);
    end_node(&n);
}

/* Between two steps of whoever reads. */
static void
test_changed_between_reads(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= NODES; seed++) {
        struct node n;
        struct sb_layout l;
        uint64_t events;
        begin_node(&n, seed);
        if (seed % 4 >= 2)
            drain_rings(&n, seed % 4 == 2);
        else {
            assert_true(sb_layout_take(&l, n.rings, BYTES));
            if (seed % 4 == 0)
                read_rings(&n, &l, &events);
            else
                copy_rings(&n, &l);
            sb_layout_free(&l);
        }
        end_node(&n);
    }
}

#if !SB_UNDER_TSAN
static void *
keep_changing(void *arg)
{
    struct node *n = arg;
    while (!atomic_load(&n->over))
        change_word(n);
    return NULL;
}

/* At any moment, by another thread. Data races are the point of it. */
static void
test_changed_while_read(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= NODES / 2; seed++) {
        struct node n;
        pthread_t other;
        struct sb_err e = {0};
        begin_node(&n, seed);
        struct sb_drain *d = open_drain(&n, seed % 2);
        pthread_create(&other, NULL, keep_changing, &n);
        for (unsigned step = 0; step < STEPS && sb_drain_step(d, &e) == SB_DRAIN_MORE; step++)
            ;
        atomic_store(&n.over, true);
        pthread_join(other, NULL);
        sb_drain_close(d);
        end_node(&n);
    }
}
#endif

/* The file has its heads alone, then nothing. */
static void
test_cut_short(void **state)
{
    (void)state;
    sb_file_survive_shrinking();
    for (unsigned pages = 0; pages <= 3; pages += 3) {
        struct node n;
        struct sb_err e = {0};
        begin_node(&n, 0);
        struct sb_drain *d = open_drain(&n, false);
        assert_int_equal(truncate(n.path, pages * SB_RING_PAGE), 0);
        assert_int_equal(sb_drain_step(d, &e), pages > 0 ? SB_DRAIN_FAILED : SB_DRAIN_MORE);
        sb_drain_close(d);
        end_node(&n);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moved_after_the_check),
        cmocka_unit_test(test_moved_beside_the_drain),
        cmocka_unit_test(test_changed_between_reads),
#if !SB_UNDER_TSAN
        cmocka_unit_test(test_changed_while_read),
#endif
        cmocka_unit_test(test_cut_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
