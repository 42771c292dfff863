#include "live/drain/drain.h"
#include "base/file.h"
#include "base/gone.h"
#include "base/progress.h"
#include "live/drain/cpu.h"
#include "live/drain/cpu_code.h"
#include "live/drain/drain_threads.h"
#include "live/drain/drain_totals.h"
#include "live/drain/rings.h"
#include "live/drain/sink.h"
#include "live/drain/sweep.h"
#include "live/drain/wake.h"
#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>
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
    struct sb_chunk *copy; /* of the chunk that is written */
    struct sb_sink sink;
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
    int64_t first_ns;           /* of the first chunk written */
    uint64_t fill;              /* quarters of the fullest ring */
    struct sb_threads threads;  /* of the node */
    struct sb_cpu *cpu_samples; /* NULL: not wanted, or not allowed */
    char cwd[4096];             /* working directory of the node; empty when unknown */
};

/* ---- moving chunks */

static uint64_t
cpu_so_far(const struct sb_drain *d)
{
    return (uint64_t)sb_thread_cpu_ns() - d->cpu.began;
}

static bool
put_events(struct sb_drain *d, const struct sb_sbt_block *b, const void *raw, struct sb_err *e)
{
    return d->sink.type->put(&d->sink, b, raw, cpu_so_far(d), e);
}

static bool
put_chunk(struct sb_drain *d, unsigned ring, uint64_t number, uint64_t published, int64_t now,
          struct sb_err *e)
{
    const struct sb_chunk *c = d->copy;
    struct sb_sbt_block b;
    int64_t last_ns = sb_layout_chunk(d->layout, ring, number)->last_ns;
    if (!sb_layout_copy_chunk(d->layout, ring, number, published, d->copy))
        return sb_err_set(e, SB_ERR_INPUT, "the rings are damaged");
    if (!sb_sbt_held_lacks(d->sink.held, c, last_ns ? last_ns : now, &b))
        return true;
    d->first_ns = c->first_ns < d->first_ns ? c->first_ns : d->first_ns;
    SB_TRY(put_events(d, &b, &c->first_ns, e));
    for (unsigned i = 0; i < SB_CLASSES_MAX && !b.again; i++)
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
    if (!seen->quiet || !d->sink.type->takes_open)
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
    SB_TRY(!d->sink.type->put_names || d->sink.type->put_names(&d->sink, e));
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

/* ---- what the drain sees of the node's threads, written as more rings */

enum { OF_THREADS = 1, OF_CPU }; /* after the node's rings and that of the facts */

/* A capture without events gets no readings and samples of threads, since it has no range of time. */
static bool
put_made(struct sb_drain *d, struct sb_made *m, unsigned which, int64_t now, bool last, struct sb_err *e)
{
    unsigned ring = d->layout->n_rings + which;
    if (m->events == 0 || d->first_ns == INT64_MAX || !(last || sb_made_is_due(m, now)))
        return true;
    struct sb_sbt_block b;
    uint8_t *raw = sb_made_take(m, ring, d->sink.held, &b);
    bool ok = put_events(d, &b, raw, e);
    free(raw);
    return ok;
}

static bool
put_threads(struct sb_drain *d, int64_t now, bool last, struct sb_err *e)
{
    return put_made(d, &d->threads.made, OF_THREADS, now, last, e) &&
           (!d->cpu_samples || put_made(d, sb_cpu_made(d->cpu_samples), OF_CPU, now, last, e));
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

static uint64_t
bytes_written(const struct sb_drain *d)
{
    return d->sink.type->bytes ? d->sink.type->bytes(&d->sink) : 0;
}

/* A recording lasts from the moment at which the tracing was switched on: a busy node may need seconds until then. */
static int64_t
left_ns(const struct sb_drain *d)
{
    int64_t begun = atomic_load(&d->rings->begun_ns), now = sb_clock_ns();
    if (begun == 0)
        return d->o.max_ns;
    return d->o.max_ns - (now - (begun < d->layout->start_ns || begun > now ? d->layout->start_ns : begun));
}

static enum sb_stop_reason
limit_reached(const struct sb_drain *d)
{
    if (d->stop_wanted)
        return d->stop_wanted;
    if (d->o.max_ns && left_ns(d) <= 0)
        return SB_STOP_TIME;
    if (d->o.max_events && sb_totals_events(d->layout) >= d->o.max_events)
        return SB_STOP_EVENTS;
    if (d->o.max_bytes && bytes_written(d) >= d->o.max_bytes)
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

static struct sb_sink_moment
moment(const struct sb_drain *d, int64_t now)
{
    return (struct sb_sink_moment){.now_ns = now,
                                   .first_ns = d->first_ns,
                                   .cpu_ns = cpu_so_far(d),
                                   .hurries = d->fill >= HALF,
                                   .cpu = d->cpu_samples,
                                   .alive = d->alive};
}

/* What the drain itself has put. */
static void
count_made(struct sb_drain *d)
{
    uint64_t readings = d->threads.made.taken;
    d->totals.kinds[SB_EV_cpus] = readings > 0;
    d->totals.kinds[SB_EV_thread] = readings - (readings > 0);
    sb_cpu_count(d->cpu_samples, &d->totals);
}

static void
read_cpu(struct sb_drain *d, int64_t now)
{
    if (d->o.cpu_hz && !d->cpu_samples &&
        (!d->o.cpu_told ||
         sb_cpu_code_is_there(d->layout->os_pid, d->o.rings, !d->o.keeps_map, SB_CPU_USUAL_LEAST_MS))) {
        d->cpu_samples = d->threads.task ? sb_cpu_open(d->layout->os_pid, d->o.rings, d->o.cpu_hz) : NULL;
        d->o.cpu_hz = d->cpu_samples ? d->o.cpu_hz : 0;
    }
    sb_cpu_read(d->cpu_samples, now, false);
    if (sb_cpu_holds(d->cpu_samples) && d->wait_ms > IDLE_MS)
        d->wait_ms = IDLE_MS;
}

static bool
finish(struct sb_drain *d, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    read_threads(d, now, true);
    SB_TRY(pass(d, true, e));
    sb_cpu_read(d->cpu_samples, sb_clock_ns(), true);
    SB_TRY(put_threads(d, now, true, e));
    d->totals = (struct sb_sbt_trailer){.node_died = !d->alive, .drain_cpu_ns = cpu_so_far(d)};
    count_made(d);
    struct sb_sink_moment m = moment(d, sb_clock_ns());
    SB_TRY(d->sink.type->finish(&d->sink, &m, &d->totals, e));
    atomic_store(&d->rings->drained, SB_DRAINED_WHOLE);
    unlink(d->o.rings);
    sb_sweep_own(d->o.rings);
    return true;
}

/* ---- opening */

static bool
open_all(struct sb_drain *d, struct sb_err *e)
{
    SB_TRY(sb_rings_open(&d->map, d->o.rings, e));
    d->layout = &d->map.layout;
    d->rings = d->map.rings;
    d->copy = sb_realloc_or_die(NULL, d->layout->largest);
    d->pidfd = (int)syscall(SYS_pidfd_open, d->layout->os_pid, 0);
    if (d->pidfd >=
        0) /* the clock of the node, which may be in another time namespace; else it is the same */
        (void)setns(d->pidfd, CLONE_NEWTIME);
    d->alive = d->pidfd >= 0 || errno != ESRCH;
    char proc[40];
    snprintf(proc, sizeof proc, "/proc/%u/cwd", d->layout->os_pid);
    ssize_t n = readlink(proc, d->cwd, sizeof d->cwd - 1);
    d->cwd[n > 0 ? n : 0] = 0;
    sb_threads_open(&d->threads, d->layout->os_pid, d->o.rings);
    read_cpu(d, sb_clock_ns());
    sb_sweep_beside(d->o.rings);
    d->wake_fd = d->o.waits ? sb_wake_open(d->o.rings) : -1;
    /* a drain of root that records the node of another user must not write files where that user says */
    d->o.flight.takes_paths = d->map.is_ours;
    d->sink = (struct sb_sink){
        .type = d->o.flight.window_ns ? &sb_sink_flight : &sb_sink_file, .layout = d->layout, .cwd = d->cwd};
    return d->sink.type->open(&d->sink, &d->o, e);
}

bool
sb_drain_open(struct sb_drain **out, const struct sb_drain_options *o, struct sb_err *e)
{
    struct sb_drain *d = sb_realloc_or_die(NULL, sizeof *d);
    *d = (struct sb_drain){
        .o = *o, .wait_ms = BUSY_MS, .first_ns = INT64_MAX, .pidfd = -1, .wake_fd = -1, .map = {.fd = -1}};
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
    if (d->sink.state)
        d->sink.type->close(&d->sink);
    sb_close(d->pidfd);
    sb_close(d->wake_fd);
    sb_threads_close(&d->threads);
    if (d->o.cpu_told && !d->o.keeps_map && !d->cpu_samples)
        sb_cpu_code_remove_map(d->layout->os_pid);
    sb_cpu_close(d->cpu_samples, d->o.keeps_map);
    sb_rings_close(&d->map);
    free(d->copy);
    sb_arena_close(&d->names);
    free(d);
}

/* ---- one step */

static bool
step(struct sb_drain *d, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    bool busy, reads;
    if (d->sink.type->look)
        d->sink.type->look(&d->sink, now);
    sb_rings_reserve(&d->map, now);
    read_threads(d, now, false);
    SB_TRY(pass(d, false, e));
    read_cpu(d, now);
    SB_TRY(put_threads(d, now, false, e));
    struct sb_sink_moment m = moment(d, now);
    SB_TRY(d->sink.type->step(&d->sink, &m, &busy, &reads, e));
    d->wait_ms = busy ? BUSY_MS : d->wait_ms;
    if (!reads)
        return true;
    sb_threads_again(&d->threads);
    read_threads(d, now, true);
    return put_threads(d, now, true, e);
}

enum sb_drained
sb_drain_step(struct sb_drain *d, struct sb_err *e)
{
    d->cpu.began = (uint64_t)sb_thread_cpu_ns() - d->cpu.ns;
    sb_wake_take(d->wake_fd); /* before the rings are looked at, so that no change after that is missed */
    bool over = is_over(d), ok = over ? finish(d, e) : step(d, e);
    d->cpu.ns = (uint64_t)sb_thread_cpu_ns() - d->cpu.began;
    if (!ok)
        atomic_store(&d->rings->stop, SB_STOP_DISK);
    return !ok ? SB_DRAIN_FAILED : over ? SB_DRAIN_DONE : SB_DRAIN_MORE;
}

int
sb_drain_wait_ms(const struct sb_drain *d)
{
    if (!d->o.max_ns || d->stop_asked_ns)
        return d->wait_ms;
    int64_t ms = left_ns(d) / 1000000 + 1;
    return ms < 1 ? 1 : ms < d->wait_ms ? (int)ms : d->wait_ms; /* a full wait would overrun */
}

int
sb_drain_node_fd(const struct sb_drain *d)
{
    return d->pidfd;
}

int
sb_drain_cpu_fd(const struct sb_drain *d)
{
    return sb_cpu_fd(d->cpu_samples);
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
sb_drain_stop(struct sb_drain *d, enum sb_stop_reason why)
{
    if (d->stop_wanted == SB_STOP_NONE)
        d->stop_wanted = why;
}

size_t
sb_drain_summary(const struct sb_drain *d, char *out, size_t room)
{
    int n = snprintf(out, room, "events %llu bytes %llu lost %llu drain_cpu_ns %llu stop %u\n",
                     (unsigned long long)d->totals.events, (unsigned long long)bytes_written(d),
                     (unsigned long long)sb_totals_lost(&d->totals),
                     (unsigned long long)d->totals.drain_cpu_ns, d->totals.stop);
    return n > 0 && (size_t)n < room ? (size_t)n : 0;
}
