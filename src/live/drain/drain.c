#include "live/drain/drain.h"
#include "base/arena.h"
#include "base/progress.h"
#include "live/drain/drain_facts.h"
#include "live/drain/drain_threads.h"
#include "live/drain/drain_totals.h"
#include "live/drain/flight.h"
#include "live/drain/gone.h"
#include "live/drain/rings.h"
#include "live/drain/sweep.h"
#include "live/drain/wake.h"
#include "trace/sbt/sbt.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { PASS_MS = 20, BUSY_MS = 2, IDLE_MS = 100, ASLEEP_MS = 500, GROWTH_MS = 5, GRACE_NS = 2000000000 };
enum { HALF = 2 };               /* of a ring, in quarters */
enum { BYTES_PER_MS = 1 << 15 }; /* three times what a thread writes at most */

struct sb_drain {
    struct sb_drain_options o; /* its texts are copied into `names` */
    struct sb_arena names;
    struct sb_rings_map map;
    const struct sb_layout *layout;
    struct sb_rings *rings;
    struct sb_chunk *copy;     /* of the chunk that is written */
    struct sb_sbt_writer *out; /* NULL: a flight recorder */
    struct sb_flight *flight;  /* NULL: all is written */
    struct sb_sbt_trailer totals;
    int pidfd, wake_fd; /* -1: not available */
    bool alive, slept;  /* slept: nothing was recorded at the last step */
    enum sb_stop_reason stop_wanted;
    int64_t stop_asked_ns; /* 0: no request yet */
    int wait_ms;
    struct {
        uint64_t ns;    /* spent so far, on any thread */
        uint64_t began; /* value of this thread's CPU clock at which ns would have been 0 */
    } cpu;
    int64_t first_ns; /* of the first chunk written */
    uint64_t fill;    /* quarters of the fullest ring */
    /* Facts about functions. Not of a flight recorder: its traces have their own. */
    struct sb_stating stating;
    struct sb_threads threads; /* of the node */
    uint64_t thread_records;   /* records about threads in the file */
    uint64_t thread_blocks;    /* number of their next block */
    char cwd[4096];            /* working directory of the node; empty when unknown */
};

/* ---- moving chunks */

static uint64_t
thread_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool
put_dictionary(struct sb_drain *d, struct sb_err *e)
{
    if (d->flight)
        return true;
    uint64_t used = atomic_load_explicit(&d->rings->dict_used, memory_order_acquire);
    uint64_t done = sb_sbt_dict_written(d->out);
    return used > d->layout->dict_bytes || sb_drain_names_put(d->out, d->layout, done, used, e);
}

static uint64_t
cpu_so_far(const struct sb_drain *d)
{
    return thread_cpu_ns() - d->cpu.began;
}

/* Writes a block of events to the trace, or adds it to the window of the flight recorder. */
static bool
put_events(struct sb_drain *d, const struct sb_sbt_block *b, const void *raw, struct sb_err *e)
{
    if (!d->flight)
        return sb_sbt_put(d->out, b, raw, e);
    sb_flight_put(d->flight, b, raw, cpu_so_far(d));
    return true;
}

/* Writes what a chunk holds beyond its events that are in the file: those of a quiet ring, or what an earlier drain
 * wrote before it died. */
static bool
put_chunk(struct sb_drain *d, unsigned ring, uint64_t number, uint64_t published, int64_t now,
          struct sb_err *e)
{
    const struct sb_chunk *c = d->copy;
    uint32_t bytes = (uint32_t)published, events = (uint32_t)(published >> 32);
    int64_t last_ns = sb_layout_chunk(d->layout, ring, number)->last_ns;
    if (!sb_layout_copy_chunk(d->layout, ring, number, published, d->copy))
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    uint32_t had = d->flight ? 0 : sb_sbt_events_of(d->out, c->ring, c->number);
    bool again = !d->flight && c->number < sb_sbt_next_chunk(d->out, c->ring);
    bool gap = !again && c->gap_from_ns != SB_AT_UNKNOWN;
    if (events <= had && !gap)
        return true;
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = c->lane,
                             .ring = c->ring,
                             .number = c->number,
                             .raw = (uint32_t)SB_CHUNK_PREFIX + bytes,
                             .events = events - had,
                             .again = again,
                             .first_ns = gap ? c->gap_from_ns : c->first_ns,
                             .last_ns = last_ns ? last_ns : now};
    d->first_ns = c->first_ns < d->first_ns ? c->first_ns : d->first_ns;
    SB_TRY(put_events(d, &b, &c->first_ns, e));
    for (unsigned i = 0; i < SB_CLASSES_MAX && !again; i++)
        sb_layout_ring(d->layout, ring)->reported[i] += c->dropped[i];
    return true;
}

/* Writes the chunks up to `end`, and releases each to the node once it is in the file. */
static bool
put_ring(struct sb_drain *d, unsigned i, uint64_t end, int64_t now, struct sb_err *e)
{
    struct sb_ring *ring = sb_layout_ring(d->layout, i);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (end - tail > d->layout->ring[i].n_chunks)
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    for (; tail < end; tail++) {
        SB_TRY(put_chunk(d, i, tail, sb_layout_published(d->layout, i, tail), now, e));
        atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
    }
    return true;
}

/* Returns whether the node wakes the drain when it records again. */
static bool
is_asleep(const struct sb_drain *d)
{
    return d->wake_fd >= 0 && d->pidfd >= 0 && atomic_load(&d->rings->asleep);
}

/* The time until the next pass while nothing comes: it grows, but remains too short for a ring to fill. */
static int
idle_ms(const struct sb_drain *d)
{
    const struct sb_ring_place *r = &d->layout->ring[0];
    uint64_t most = (uint64_t)r->chunk_bytes * r->n_chunks / BYTES_PER_MS;
    int longer = d->wait_ms + GROWTH_MS, longest = most < PASS_MS   ? PASS_MS
                                                   : most < IDLE_MS ? (int)most
                                                                    : IDLE_MS;
    /* the threads are read when the recording begins */
    if (atomic_load(&d->rings->state) == SB_RINGS_OPEN)
        return BUSY_MS;
    return is_asleep(d) ? ASLEEP_MS : longer < longest ? longer : longest;
}

static bool
put_quiet(struct sb_drain *d, unsigned ring, struct sb_ring_seen *seen, int64_t now, struct sb_err *e)
{
    if (!seen->quiet || d->flight) /* a flight recorder reads open chunks when it writes a trace */
        return true;
    seen->open_ns = now;
    return put_chunk(d, ring, seen->end, seen->quiet, now, e);
}

/*
 * One pass over all rings. They are looked at before the dictionary, so that every name in a chunk is in the
 * file before the chunk.
 */
static bool
pass(struct sb_drain *d, bool last, struct sb_err *e)
{
    unsigned n = d->layout->n_rings;
    uint64_t most = 0;
    for (unsigned i = 0; i < n; i++) {
        uint64_t fill = sb_rings_look(&d->map, i, last);
        most = fill > most ? fill : most;
    }
    SB_TRY(put_dictionary(d, e));
    int64_t now = sb_clock_ns();
    bool any = false;
    for (unsigned i = 0; i < n; i++) {
        const struct sb_ring *ring = sb_layout_ring(d->layout, i);
        struct sb_ring_seen *seen = &d->map.seen[i];
        any |= seen->end != atomic_load_explicit(&ring->tail, memory_order_relaxed);
        SB_TRY(put_ring(d, i, seen->end, now, e) && put_quiet(d, i, seen, now, e));
    }
    d->fill = most;
    d->wait_ms = most ? BUSY_MS : any ? PASS_MS : idle_ms(d);
    return true;
}

/* ---- facts about functions, written as one more ring */

/* Reads a file only while no ring fills up. */
static bool
state_facts(struct sb_drain *d, struct sb_err *e)
{
    bool more = false;
    if (!d->flight && d->fill < HALF)
        SB_TRY(sb_stating_step(&d->stating, d->out, d->layout, d->first_ns, &more, e));
    d->wait_ms = more ? BUSY_MS : d->wait_ms;
    return true;
}

/* ---- the threads of the node, written as one more ring */

/* A capture without events gets no readings of threads, since it has no range of time. */
static bool
put_threads(struct sb_drain *d, int64_t now, bool last, struct sb_err *e)
{
    struct sb_threads *t = &d->threads;
    unsigned ring = d->layout->n_rings + 1;
    if (t->events == 0 || d->first_ns == INT64_MAX || !(last || sb_threads_make_a_block(t, now)))
        return true;
    struct sb_sbt_prefix prefix = {.base_ns = t->base_ns, .gap_from_ns = SB_AT_UNKNOWN};
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = SB_LANE_NONE,
                             .ring = (uint16_t)ring,
                             .number = d->flight ? d->thread_blocks++ : sb_sbt_next_chunk(d->out, ring),
                             .raw = (uint32_t)(sizeof prefix + t->records.n),
                             .events = t->events,
                             .first_ns = t->base_ns,
                             .last_ns = t->last_ns};
    uint8_t *raw = sb_realloc_or_die(NULL, b.raw);
    memcpy(raw, &prefix, sizeof prefix);
    memcpy(raw + sizeof prefix, t->records.at, t->records.n);
    bool ok = put_events(d, &b, raw, e);
    free(raw);
    d->thread_records += t->events;
    sb_threads_written(t);
    return ok;
}

/* Reads the threads from the first event. One reading is enough until a chunk of events is in the file. A reading at
 * the end of a rest separates it from what follows. */
static void
read_threads(struct sb_drain *d, int64_t now, bool last)
{
    uint64_t events = sb_totals_events(d->layout);
    bool woke = d->slept && !is_asleep(d);
    bool begun = events > 0 && (last || d->threads.read_ns == 0 || d->first_ns != INT64_MAX);
    if (begun && (last || woke || sb_threads_is_due(&d->threads, now, events)))
        sb_threads_read(&d->threads, now, events, last);
    d->slept = is_asleep(d);
}

/* ---- conditions that end the drain */

static enum sb_stop_reason
limit_reached(const struct sb_drain *d)
{
    if (d->stop_wanted)
        return d->stop_wanted;
    if (d->o.max_ns && sb_clock_ns() - d->layout->start_ns >= d->o.max_ns)
        return SB_STOP_TIME;
    if (d->o.max_events && sb_totals_events(d->layout) >= d->o.max_events)
        return SB_STOP_EVENTS;
    if (!d->flight && d->o.max_bytes && sb_sbt_bytes(d->out) >= d->o.max_bytes)
        return SB_STOP_BYTES;
    return SB_STOP_NONE;
}

/* Returns whether the node is gone; used where the node has no pidfd to poll. */
static bool
has_gone(const struct sb_drain *d)
{
    return d->pidfd < 0 && sb_process_is_gone((pid_t)d->layout->os_pid);
}

static bool
is_over(struct sb_drain *d)
{
    d->alive = d->alive && !has_gone(d);
    if (!d->alive || atomic_load(&d->rings->state) == SB_RINGS_CLOSED)
        return true;
    enum sb_stop_reason why = limit_reached(d);
    if (why && !d->stop_asked_ns) {
        atomic_store(&d->rings->stop, why);
        d->stop_asked_ns = sb_clock_ns();
        d->wait_ms = BUSY_MS;
    }
    return d->stop_asked_ns && sb_clock_ns() - d->stop_asked_ns > GRACE_NS;
}

/* ---- closing the trace */

static void
drained(struct sb_drain *d)
{
    atomic_store(&d->rings->drained, SB_DRAINED_WHOLE);
    unlink(d->o.rings);
    sb_sweep_own(d->o.rings);
}

/* A node that is gone cannot be asked any more: what led to its end is in the window. */
static bool
finish_flight(struct sb_drain *d)
{
    const char *why = d->alive ? NULL : "the node ended without ending its recording";
    d->totals.stop = atomic_load(&d->rings->stop);
    d->totals.drain_cpu_ns = cpu_so_far(d);
    sb_flight_finish(d->flight, why, sb_clock_ns(), cpu_so_far(d), d->cwd);
    drained(d);
    return true;
}

static bool
finish(struct sb_drain *d, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    read_threads(d, now, true);
    SB_TRY(pass(d, true, e) && put_threads(d, now, true, e));
    if (d->flight)
        return finish_flight(d);
    SB_TRY(sb_stating_last(&d->stating, d->out, d->layout, d->first_ns, e));
    struct sb_sbt_gap *gaps = sb_realloc_or_die(NULL, sizeof *gaps * SB_TOTALS_GAPS);
    d->totals = (struct sb_sbt_trailer){.node_died = !d->alive, .drain_cpu_ns = cpu_so_far(d)};
    sb_totals_sum(d->layout, &d->totals, gaps);
    d->totals.kinds[SB_EV_waits] += d->stating.events;
    d->totals.kinds[SB_EV_cpus] += d->thread_records > 0;
    d->totals.kinds[SB_EV_thread] += d->thread_records - (d->thread_records > 0);
    d->totals.events += d->stating.events + d->thread_records;
    bool ok = sb_sbt_finish(d->out, &d->totals, gaps, e);
    free(gaps);
    if (ok)
        drained(d);
    return ok;
}

/* ---- opening */

static bool
open_trace(struct sb_drain *d, struct sb_err *e)
{
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    struct sb_sbt_head head = {.magic = SB_SBT_MAGIC,
                               .version = 1,
                               .head_bytes = sizeof head,
                               .start_ns = d->layout->start_ns,
                               .os_pid = d->layout->os_pid,
                               .tick_shift = 3};
    head.wall_ns = (int64_t)wall.tv_sec * 1000000000 + wall.tv_nsec - sb_clock_ns() + head.start_ns;
    char *whole = realpath(d->o.rings, NULL);
    snprintf(head.rings, sizeof head.rings, "%s", whole && strlen(whole) < sizeof head.rings ? whole : "");
    free(whole);
    return sb_sbt_open(&d->out, d->o.trace, &head, &(struct sb_sbt_options){.level = d->o.level}, e);
}

static bool
open_all(struct sb_drain *d, struct sb_err *e)
{
    SB_TRY(sb_rings_open(&d->map, d->o.rings, e));
    d->layout = &d->map.layout;
    d->rings = d->map.rings;
    d->copy = sb_realloc_or_die(NULL, d->layout->largest);
    d->pidfd = (int)syscall(SYS_pidfd_open, d->layout->os_pid, 0);
    d->alive = d->pidfd >= 0 || errno != ESRCH;
    char proc[40];
    snprintf(proc, sizeof proc, "/proc/%u/cwd", d->layout->os_pid);
    ssize_t n = readlink(proc, d->cwd, sizeof d->cwd - 1);
    d->cwd[n > 0 ? n : 0] = 0;
    sb_threads_open(&d->threads, d->layout->os_pid, d->o.rings);
    sb_sweep_beside(d->o.rings);
    d->wake_fd = d->o.waits ? sb_wake_open(d->o.rings) : -1;
    /* a drain of root that records the node of another user must not write files where that user says */
    d->o.flight.takes_paths = d->map.is_ours;
    if (d->o.flight.window_ns)
        return sb_flight_open(&d->flight, d->layout, d->o.trace, d->o.level, &d->o.flight, e);
    d->stating.finder = sb_wait_finder_open(d->cwd);
    if (open_trace(d, e))
        return true;
    atomic_store(&d->rings->stop, SB_STOP_DISK);
    return false;
}

bool
sb_drain_open(struct sb_drain **out, const struct sb_drain_options *o, struct sb_err *e)
{
    struct sb_drain *d = sb_realloc_or_die(NULL, sizeof *d);
    *d = (struct sb_drain){
        .o = *o, .wait_ms = BUSY_MS, .first_ns = INT64_MAX, .pidfd = -1, .wake_fd = -1, .map = {.fd = -1}};
    sb_arena_init(&d->names);
    d->o.rings = sb_arena_str(&d->names, sb_str_of(o->rings)).p;
    d->o.trace = sb_arena_str(&d->names, sb_str_of(o->trace)).p;
    for (unsigned i = 0; i < o->flight.n_when; i++)
        d->o.flight.when[i] = sb_arena_str(&d->names, sb_str_of(o->flight.when[i])).p;
    if (!open_all(d, e)) {
        sb_drain_close(d);
        return false;
    }
    *out = d;
    return true;
}

void
sb_drain_close(struct sb_drain *d)
{
    sb_sbt_close(d->out);
    sb_flight_close(d->flight);
    sb_stating_close(&d->stating);
    if (d->pidfd >= 0)
        close(d->pidfd);
    if (d->wake_fd >= 0)
        close(d->wake_fd);
    sb_threads_close(&d->threads);
    sb_rings_close(&d->map);
    free(d->copy);
    sb_arena_close(&d->names);
    free(d);
}

/* ---- one step */

/* A trace begins in the pass after the one that was asked for it: all earlier events are in the rings by then. */
static bool
step_flight(struct sb_drain *d, int64_t now, struct sb_err *e)
{
    bool begins = sb_flight_wants(d->flight, now);
    if (begins) {
        sb_threads_again(&d->threads);
        read_threads(d, now, true);
        SB_TRY(put_threads(d, now, true, e));
    } else
        sb_flight_step(d->flight, now, cpu_so_far(d), d->cwd);
    d->wait_ms = sb_flight_is_writing(d->flight) ? BUSY_MS : d->wait_ms;
    return true;
}

static bool
step(struct sb_drain *d, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    if (d->flight)
        sb_flight_look(d->flight, now);
    sb_rings_reserve(&d->map, now);
    read_threads(d, now, false);
    return pass(d, false, e) && state_facts(d, e) && put_threads(d, now, false, e) &&
           (!d->flight || step_flight(d, now, e));
}

enum sb_drained
sb_drain_step(struct sb_drain *d, struct sb_err *e)
{
    d->cpu.began = thread_cpu_ns() - d->cpu.ns;
    sb_wake_take(d->wake_fd); /* before the rings are looked at, so that no change after that is missed */
    bool over = is_over(d), ok = over ? finish(d, e) : step(d, e);
    d->cpu.ns = thread_cpu_ns() - d->cpu.began;
    if (!ok)
        atomic_store(&d->rings->stop, SB_STOP_DISK);
    return !ok ? SB_DRAIN_FAILED : over ? SB_DRAIN_DONE : SB_DRAIN_MORE;
}

int
sb_drain_wait_ms(const struct sb_drain *d)
{
    if (!d->o.max_ns || d->stop_asked_ns)
        return d->wait_ms;
    int64_t left_ns = d->layout->start_ns + d->o.max_ns - sb_clock_ns(), ms = left_ns / 1000000 + 1;
    return ms < 1 ? 1 : ms < d->wait_ms ? (int)ms : d->wait_ms; /* a full wait would overrun */
}

int
sb_drain_node_fd(const struct sb_drain *d)
{
    return d->pidfd;
}

int
sb_drain_wake_fd(const struct sb_drain *d)
{
    return d->wake_fd;
}

void
sb_drain_node_is_gone(struct sb_drain *d)
{
    d->alive = false;
}

void
sb_drain_stop(struct sb_drain *d)
{
    d->stop_wanted = SB_STOP_USER;
}

size_t
sb_drain_summary(const struct sb_drain *d, char *out, size_t room)
{
    int n = snprintf(out, room, "events %llu bytes %llu lost %llu drain_cpu_ns %llu stop %u\n",
                     (unsigned long long)d->totals.events,
                     (unsigned long long)(d->out ? sb_sbt_bytes(d->out) : 0),
                     (unsigned long long)sb_totals_lost(&d->totals),
                     (unsigned long long)d->totals.drain_cpu_ns, d->totals.stop);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}
