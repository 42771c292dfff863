/* A drain beside a quiet ring: its last events reach the file within seconds, each once, whatever follows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>
#include "base/progress.h"
#include "live/drain/drain.h"
#include "trace/sbt/ring_write.h"
#include "trace/source.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK = 4096, CHUNKS = 4, BYTES = (2 + CHUNKS + 1) * 4096 };
static const int64_t SECOND = 1000000000;

struct node { /* this process takes the part of the node */
    char parent[64], folder[80], rings_path[112], trace[112];
    struct sb_rings *rings;
    struct sb_ring_writer writer;
    int64_t began_ns; /* the stamp of its first event, some seconds ago */
    uint64_t marks;   /* written so far; each carries its number */
};

static uint64_t
no_cpu(void)
{
    return 0;
}

static void
begin_node(struct node *n, int64_t began_ns)
{
    *n = (struct node){.began_ns = began_ns};
    snprintf(n->parent, sizeof n->parent, "/tmp/drain-of-strobe-XXXXXX");
    assert_non_null(mkdtemp(n->parent));
    snprintf(n->folder, sizeof n->folder, "%s/strobe-1", n->parent); /* where readers look for rings */
    assert_int_equal(mkdir(n->folder, 0700), 0);
    snprintf(n->rings_path, sizeof n->rings_path, "%s/%d.rings", n->folder, (int)getpid());
    snprintf(n->trace, sizeof n->trace, "%s/x.sbt", n->parent);
    int fd = open(n->rings_path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0 && ftruncate(fd, BYTES) == 0);
    n->rings = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    *n->rings = (struct sb_rings){.magic = SB_RING_MAGIC,
                                  .version = 1,
                                  .n_rings = 1,
                                  .total_bytes = BYTES,
                                  .dict_at = 2 * SB_RING_PAGE,
                                  .dict_bytes = SB_RING_PAGE,
                                  .os_pid = (uint32_t)getpid(),
                                  .event_kinds = SB_EVENT_KINDS,
                                  .start_ns = n->began_ns,
                                  .state = SB_RINGS_ON};
    struct sb_ring *ring = sb_rings_at(n->rings, 0);
    ring->data_at = 3 * SB_RING_PAGE;
    ring->chunk_bytes = CHUNK;
    ring->n_chunks = CHUNKS;
    sb_ring_writer_init(&n->writer, n->rings, 0, sb_lane_make(SB_LANE_NORMAL, 1), no_cpu);
}

/* Writes marks that happened so long after the first one. */
static void
write_marks(struct node *n, unsigned count, int64_t after_ns)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t number = ++n->marks;
        uint8_t *p = sb_ring_begin(&n->writer, SB_EV_mark, sb_actor_make(SB_PID, 0, 0, number),
                                   n->began_ns + after_ns, 0);
        if (p)
            sb_ring_end(&n->writer, SB_EV_mark, sb_wire_put_text(p, (const char *)&number, sizeof number));
    }
}

static struct sb_drain *
start_drain(const struct node *n)
{
    struct sb_drain *d;
    struct sb_err e = {0};
    assert_true(sb_drain_open(&d, &(struct sb_drain_options){.rings = n->rings_path, .trace = n->trace}, &e));
    return d;
}

static void
step(struct sb_drain *d, enum sb_drained wanted)
{
    struct sb_err e = {0};
    assert_int_equal(sb_drain_step(d, &e), wanted);
}

struct found {
    uint64_t marks, dropped;
};

/* Reads the trace as a reader of a growing file does. The marks that were not dropped come in order, none twice. */
static struct found
read_trace(const struct node *n)
{
    struct found f = {0};
    struct sb_source *s;
    struct sb_block b;
    struct sb_err e = {0};
    struct sb_events events = {0};
    uint64_t last = 0;
    const char *path = n->trace;
    assert_true(sb_source_open(&s, &path, 1, NULL, &e));
    while (sb_source_next(s, &b, &e)) {
        events.n = 0;
        sb_source_decode(s, &b, &events);
        for (const struct sb_event *ev = events.at; ev < events.at + events.n; ev++) {
            if (ev->kind == SB_EV_drop)
                f.dropped += ev->drop.events;
            if (ev->kind != SB_EV_mark)
                continue;
            assert_true(ev->at_ns >= b.first_ns && ev->at_ns <= b.last_ns);
            assert_true(ev->who == sb_actor_make(SB_PID, 0, 0, last + 1) || f.dropped > 0);
            last = ev->who & UINT32_MAX;
            f.marks++;
        }
    }
    assert_int_equal(sb_source_info(s)->damages, 0);
    SB_VEC_FREE(&events);
    sb_source_close(s);
    return f;
}

static void
end_node(struct node *n)
{
    munmap(n->rings, BYTES);
    unlink(n->trace);
    unlink(n->rings_path);
    rmdir(n->folder);
    assert_int_equal(rmdir(n->parent), 0);
}

/* Ends the recording, as a node does. */
static void
finish(struct node *n, struct sb_drain *d)
{
    atomic_store(&n->rings->state, SB_RINGS_CLOSED);
    step(d, SB_DRAIN_DONE);
    sb_drain_close(d);
}

static void
quiet_events_reach_the_file(void **state)
{
    (void)state;
    struct node n;
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    struct sb_drain *d = start_drain(&n);
    write_marks(&n, 3, 0);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 3);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 3);
    write_marks(&n, 1, 2 * SECOND); /* in another chunk */
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 4);
    finish(&n, d);
    assert_int_equal(read_trace(&n).marks, 4);
    end_node(&n);
}

/* A chunk that is younger than a second may grow. Its stamps are in the future, so that it remains young. */
static void
new_events_are_left_in_the_ring(void **state)
{
    (void)state;
    struct node n;
    begin_node(&n, sb_clock_ns() + 3600 * SECOND);
    struct sb_drain *d = start_drain(&n);
    write_marks(&n, 3, 0);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 0);
    finish(&n, d);
    end_node(&n);
}

/* A thread that is stopped between reading the clock and writing adds to a chunk that is in the file. */
static void
late_events_follow(void **state)
{
    (void)state;
    struct node n;
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    struct sb_drain *d = start_drain(&n);
    write_marks(&n, 3, 0);
    step(d, SB_DRAIN_MORE);
    write_marks(&n, 2, 0);
    write_marks(&n, 1, 2 * SECOND);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 6);
    write_marks(&n, 2, 2 * SECOND);
    finish(&n, d);
    assert_int_equal(read_trace(&n).marks, 8);
    end_node(&n);
}

static void
another_drain_continues(void **state)
{
    (void)state;
    struct node n;
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    struct sb_drain *d = start_drain(&n);
    write_marks(&n, 3, 0);
    step(d, SB_DRAIN_MORE);
    write_marks(&n, 2, 0);
    sb_drain_close(d);                         /* as if it were killed */
    assert_int_equal(read_trace(&n).marks, 5); /* three of the file, two of the rings */
    d = start_drain(&n);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(read_trace(&n).marks, 5);
    sb_drain_close(d);
    d = start_drain(&n);
    write_marks(&n, 1, 2 * SECOND);
    finish(&n, d);
    assert_int_equal(read_trace(&n).marks, 6);
    end_node(&n);
}

static void
drops_are_counted_once(void **state)
{
    (void)state;
    struct node n;
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    struct sb_drain *d = start_drain(&n);
    write_marks(&n, 4000, 0);
    step(d, SB_DRAIN_MORE);
    write_marks(&n, 1, 2 * SECOND); /* the head of this chunk counts the drops */
    step(d, SB_DRAIN_MORE);
    struct found before = read_trace(&n);
    assert_true(before.dropped > 0);
    assert_int_equal(before.marks + before.dropped, n.marks);
    write_marks(&n, 2, 2 * SECOND);
    finish(&n, d);
    struct found after = read_trace(&n);
    assert_int_equal(after.dropped, before.dropped);
    assert_int_equal(after.marks, before.marks + 2);
    end_node(&n);
}

static bool
is_readable(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return poll(&p, 1, 0) == 1;
}

/* A drain waits long only while the node records nothing, and a change of the file's times ends that. */
static void
a_node_wakes_its_drain(void **state)
{
    (void)state;
    enum { SHORT_MS = 100 };
    struct node n;
    struct sb_drain *d;
    struct sb_err e = {0};
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    assert_true(sb_drain_open(
        &d, &(struct sb_drain_options){.rings = n.rings_path, .trace = n.trace, .waits = true}, &e));
    step(d, SB_DRAIN_MORE);
    assert_true(sb_drain_wait_ms(d) <= SHORT_MS);
    atomic_store(&n.rings->asleep, 1);
    step(d, SB_DRAIN_MORE);
    assert_true(sb_drain_wait_ms(d) > SHORT_MS);
    assert_false(is_readable(sb_drain_wake_fd(d)));
    atomic_store(&n.rings->asleep, 0);
    assert_int_equal(utimensat(AT_FDCWD, n.rings_path, NULL, 0), 0);
    assert_true(is_readable(sb_drain_wake_fd(d)));
    step(d, SB_DRAIN_MORE);
    assert_false(is_readable(sb_drain_wake_fd(d)));
    assert_true(sb_drain_wait_ms(d) <= SHORT_MS);
    write_marks(&n, 3, 0);
    finish(&n, d);
    assert_int_equal(read_trace(&n).marks, 3);
    end_node(&n);
}

/* The time of a recording begins when the node has switched its tracing on, whatever the node says of that moment. */
static void
time_counts_from_the_beginning(void **state)
{
    (void)state;
    struct node n;
    struct sb_drain *d;
    struct sb_err e = {0};
    begin_node(&n, sb_clock_ns() - 5 * SECOND);
    assert_true(sb_drain_open(
        &d, &(struct sb_drain_options){.rings = n.rings_path, .trace = n.trace, .max_ns = 3600 * SECOND},
        &e));
    atomic_store(&n.rings->begun_ns, n.began_ns - 3600 * SECOND); /* before the rings were there */
    step(d, SB_DRAIN_MORE);
    assert_int_equal(atomic_load(&n.rings->stop), SB_STOP_NONE);
    sb_drain_close(d);
    unlink(n.trace);
    assert_true(sb_drain_open(
        &d, &(struct sb_drain_options){.rings = n.rings_path, .trace = n.trace, .max_ns = SECOND}, &e));
    atomic_store(&n.rings->begun_ns, 0);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(atomic_load(&n.rings->stop), SB_STOP_NONE);
    atomic_store(&n.rings->begun_ns, sb_clock_ns() - 2 * SECOND);
    step(d, SB_DRAIN_MORE);
    assert_int_equal(atomic_load(&n.rings->stop), SB_STOP_TIME);
    finish(&n, d);
    end_node(&n);
}

/* A condition that cannot be understood: nothing of the recorder that was begun remains. */
static void
wrong_condition(void **state)
{
    (void)state;
    struct node n;
    struct sb_drain *d = NULL;
    struct sb_err e = {0};
    begin_node(&n, sb_clock_ns());
    struct sb_drain_options o = {
        .rings = n.rings_path,
        .trace = n.trace,
        .flight = {.window_ns = SECOND, .keep = 1, .when = {"moon > 3"}, .n_when = 1}};
    assert_false(sb_drain_open(&d, &o, &e));
    assert_non_null(strstr(e.what, "moon"));
    end_node(&n);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quiet_events_reach_the_file),
        cmocka_unit_test(new_events_are_left_in_the_ring),
        cmocka_unit_test(late_events_follow),
        cmocka_unit_test(another_drain_continues),
        cmocka_unit_test(drops_are_counted_once),
        cmocka_unit_test(a_node_wakes_its_drain),
        cmocka_unit_test(time_counts_from_the_beginning),
        cmocka_unit_test(wrong_condition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
