#include "capture.h"
#include "dict.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { TMPFS = 0x01021994 }; /* TMPFS_MAGIC; musl has no header with it */

struct capture capture;
static pthread_mutex_t closing = PTHREAD_MUTEX_INITIALIZER;
__thread struct seat *my_seat;

static uint64_t
thread_cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Allocates a part of the file before it is used: a full file system is reported here and cannot cause a SIGBUS
 * later. */
static bool
reserve(uint64_t at, uint64_t bytes)
{
    int err = 0;
    do
        err = capture.sparse ? posix_fallocate(capture.file, (off_t)at, (off_t)bytes) : 0;
    while (err == EINTR);
    errno = err;
    return err == 0;
}

/* ---- threads */

struct seat *
capture_my_seat(void)
{
    unsigned n = atomic_load(&capture.seats);
    while (n < SEATS_MAX && !atomic_compare_exchange_weak(&capture.seats, &n, n + 1))
        ;
    if (n >= SEATS_MAX)
        return NULL;
    return my_seat = &capture.seat[n];
}

/* Returns the number in a thread's name. The VM uses "erts_sched_1", "erts_dcpus_2"; later releases have
 * no prefix. */
static unsigned
thread_number(void)
{
    char name[32] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    for (const char *p = name; *p; p++)
        if (*p >= '0' && *p <= '9')
            return (unsigned)atoi(p);
    return 0;
}

static sb_lane
thread_lane(void)
{
    switch (enif_thread_type()) {
    case ERL_NIF_THR_NORMAL_SCHEDULER:
        return sb_lane_make(SB_LANE_NORMAL, thread_number());
    case ERL_NIF_THR_DIRTY_CPU_SCHEDULER:
        return sb_lane_make(SB_LANE_DIRTY_CPU, thread_number());
    case ERL_NIF_THR_DIRTY_IO_SCHEDULER:
        return sb_lane_make(SB_LANE_DIRTY_IO, thread_number());
    default:
        return sb_lane_make(SB_LANE_OTHER, thread_number());
    }
}

static bool
claim(_Atomic unsigned *next, unsigned end, unsigned *index)
{
    unsigned i = atomic_load(next);
    while (i < end)
        if (atomic_compare_exchange_weak(next, &i, i + 1)) {
            *index = i;
            return true;
        }
    return false;
}

/* Claims a ring for this thread: large for a scheduler, small for other threads, and the other size when
 * those are taken. */
static struct worker *
claim_worker(void)
{
    sb_lane lane = thread_lane();
    unsigned i;
    bool large = sb_lane_kind(lane) == SB_LANE_NORMAL;
    bool got = large ? claim(&capture.next_large, capture.n_large, &i) ||
                           claim(&capture.next_small, capture.n_rings, &i)
                     : claim(&capture.next_small, capture.n_rings, &i) ||
                           claim(&capture.next_large, capture.n_large, &i);
    if (!got)
        return NULL;
    struct worker *w = &capture.workers[i];
    sb_ring_writer_init(&w->writer, capture.rings, i, lane, thread_cpu_ns);
    w->writer.reserve = capture.sparse ? reserve : NULL;
    w->clock = (struct thread_clock){0};
    w->seat = my_seat;
    atomic_store(&w->runs, 0);
    memset(&w->mail, 0, sizeof w->mail);
    atomic_store(&w->writer.ring->claimed, 1);
    return w;
}

bool
capture_hide(ERL_NIF_TERM pid)
{
    return hidden_add(&capture.hidden, pid, layout_place(pid));
}

struct worker *
capture_seat(unsigned event_class)
{
    struct seat *s = my_seat;
    uint64_t g = atomic_load(&capture.generation);
    bool on = g & 1;
    if (on && g != s->generation) {
        s->worker = claim_worker();
        s->generation = g;
    }
    if (on && s->worker)
        return s->worker;
    if (on)
        atomic_fetch_add(&capture.rings->dropped[event_class], 1);
    atomic_store_explicit(&s->inside, 0, memory_order_release);
    return NULL;
}

/* ---- the file of the rings */

static uint64_t
page_up(uint64_t n)
{
    return (n + SB_RING_PAGE - 1) & ~(uint64_t)(SB_RING_PAGE - 1);
}

static uint64_t
total_bytes(const struct ring_sizes *s)
{
    return SB_RING_PAGE * (1u + s->n_large + s->n_small) + page_up(s->dict_bytes) +
           (uint64_t)s->n_large * page_up(s->large_bytes) + (uint64_t)s->n_small * page_up(s->small_bytes);
}

static void
lay_out(struct sb_rings *r, const struct ring_sizes *s, uint64_t total)
{
    unsigned n = s->n_large + s->n_small;
    r->version = 1;
    r->n_rings = n;
    r->total_bytes = total;
    r->event_kinds = SB_EVENT_KINDS;
    r->os_pid = (uint32_t)getpid();
    r->start_ns = now_ns();
    r->dict_at = SB_RING_PAGE * (1u + n);
    r->dict_bytes = page_up(s->dict_bytes);
    uint64_t at = r->dict_at + r->dict_bytes;
    for (unsigned i = 0; i < n; i++) {
        struct sb_ring *ring = sb_rings_at(r, i);
        bool large = i < s->n_large;
        ring->data_at = at;
        ring->chunk_bytes = large ? s->chunk_large : s->chunk_small;
        ring->n_chunks = (large ? s->large_bytes : s->small_bytes) / ring->chunk_bytes;
        atomic_store(&ring->gap_from_ns, SB_AT_UNKNOWN);
        at += page_up(large ? s->large_bytes : s->small_bytes);
    }
    atomic_thread_fence(memory_order_release);
    r->magic = SB_RING_MAGIC; /* last: the drain trusts the layout once this is set */
}

/* Whether a file there may be allocated in parts: that takes microseconds in shared memory, where an empty file of
 * this size must fit. */
static bool
is_shared_memory(int fd, uint64_t total, bool *fits)
{
    struct statfs fs;
    bool shared = fstatfs(fd, &fs) == 0 && fs.f_type == TMPFS;
    if (shared && fs.f_blocks > 0)
        *fits = fs.f_bavail >= total / (uint64_t)fs.f_bsize;
    return shared;
}

/* Allocates what is certain to be used: the heads of the rings. Elsewhere than in shared memory, all of it. */
static int
allocate(int fd, uint64_t heads, uint64_t total)
{
    struct rlimit most; /* of a file; the signal at this limit would end the node */
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && total > most.rlim_cur)
        return EFBIG;
    bool fits = true;
    capture.sparse = is_shared_memory(fd, total, &fits);
    if (!fits)
        return ENOSPC;
    if (capture.sparse && ftruncate(fd, (off_t)total) < 0)
        return errno;
    return posix_fallocate(fd, 0, (off_t)(capture.sparse ? heads : total));
}

static const char *
map_file(const char *path, uint64_t heads, uint64_t total)
{
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return "create";
    int err = allocate(fd, heads, total);
    void *p = err ? MAP_FAILED : mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (!err && p == MAP_FAILED)
        err = errno;
    if (err) {
        close(fd);
        unlink(path);
        errno = err;
        return "reserve";
    }
    capture.file = fd;
    capture.rings = p;
    capture.bytes = total;
    return NULL;
}

/* Maps rings in memory that nobody reads. */
static const char *
map_memory(uint64_t total)
{
    void *p = mmap(NULL, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return "reserve";
    capture.file = -1;
    capture.sparse = false;
    capture.rings = p;
    capture.bytes = total;
    return NULL;
}

static void
wake_drain(void)
{
    atomic_store(&capture.rings->asleep, 0);
    if (capture.file >= 0)
        futimens(capture.file, NULL);
}

void
capture_end_rest(ErlNifEnv *env, int64_t now_ns)
{
    if (rest_end(&capture.rest, env, now_ns))
        wake_drain();
}

static void
unmap_rings(void)
{
    munmap(capture.rings, capture.bytes);
    if (capture.file >= 0)
        close(capture.file);
    capture.rings = NULL;
}

const char *
capture_open(const char *path, const struct ring_sizes *s)
{
    uint64_t heads = SB_RING_PAGE * (1u + s->n_large + s->n_small), total = total_bytes(s);
    const char *failed = *path ? map_file(path, heads, total) : map_memory(total);
    if (failed)
        return failed;
    lay_out(capture.rings, s, capture.bytes);
    capture.n_large = s->n_large;
    capture.n_rings = s->n_large + s->n_small;
    size_t bytes = sizeof(struct worker) * capture.n_rings;
    capture.workers = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    capture.dict = capture.workers == MAP_FAILED ? NULL : dict_open(capture.rings, reserve);
    if (!capture.dict) {
        unmap_rings();
        unlink(path);
        errno = ENOMEM;
        return "allocate";
    }
    clock_open(&capture.clock);
    capture.opened++;
    atomic_store(&capture.next_large, 0);
    atomic_store(&capture.next_small, s->n_large);
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
    return NULL;
}

/*
 * Measures the cost of one record: that of a call, into a private ring that nobody reads. The VM's own cost
 * is not included. Returns the best of several rounds in hundredths of a nanosecond; 0 when there is no
 * memory for it.
 */
unsigned
capture_cost(void)
{
    enum { PAGES = 18, EVENTS = 200, ROUNDS = 5 };
    struct sb_rings *rings = NULL;
    struct sb_ring_writer writer;
    if (posix_memalign((void **)&rings, SB_RING_PAGE, PAGES * SB_RING_PAGE) != 0)
        return 0;
    int64_t best = INT64_MAX;
    for (int round = 0; round < ROUNDS; round++) {
        memset(rings, 0, PAGES * SB_RING_PAGE);
        struct sb_ring *ring = sb_rings_at(rings, 0);
        *ring = (struct sb_ring){.data_at = 2 * SB_RING_PAGE, .chunk_bytes = 8 * SB_RING_PAGE, .n_chunks = 2};
        sb_ring_writer_init(&writer, rings, 0, SB_LANE_NONE, thread_cpu_ns);
        struct thread_clock clock = {0};
        int64_t start = now_ns();
        for (unsigned i = 0; i < EVENTS; i++) {
            uint8_t *p = sb_ring_begin(&writer, SB_EV_call, 1, clock_now(&capture.clock, &clock), 0);
            if (p)
                sb_ring_end(&writer, SB_EV_call, sb_varint_put(p, i & 63));
        }
        int64_t took = now_ns() - start;
        best = took < best ? took : best;
    }
    free(rings);
    return (unsigned)(best * 100 / EVENTS);
}

void
capture_begin(void)
{
    atomic_store(&capture.rings->begun_ns, now_ns());
    atomic_store(&capture.rings->state, SB_RINGS_ON);
    atomic_fetch_add(&capture.generation, 1);
}

void
capture_halt(void)
{
    if (atomic_load(&capture.generation) & 1)
        atomic_fetch_add(&capture.generation, 1);
}

bool
capture_quiet(void)
{
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    unsigned n = atomic_load(&capture.seats);
    for (unsigned i = 0; i < n && i < SEATS_MAX; i++)
        if (atomic_load_explicit(&capture.seat[i].inside, memory_order_acquire))
            return false;
    return true;
}

static void
end_rings(void)
{
    atomic_store(&capture.rings->state, SB_RINGS_CLOSED);
    wake_drain();
}

static void
unmap(bool finished)
{
    if (finished)
        end_rings();
    dict_close(capture.dict);
    filters_free(atomic_exchange(&capture.filters, NULL), NULL);
    munmap(capture.workers, sizeof(struct worker) * capture.n_rings);
    unmap_rings();
    capture.dict = NULL;
    capture.workers = NULL;
    hidden_clear(&capture.hidden);
}

bool
capture_abandon(uint64_t number)
{
    struct timespec ms = {.tv_nsec = 1000000};
    pthread_mutex_lock(&closing);
    bool is_open = capture.rings && capture.opened == number;
    if (is_open) {
        capture_halt();
        for (int i = 0; i < 1000 && !capture_quiet(); i++)
            nanosleep(&ms, NULL);
        end_rings();
    }
    pthread_mutex_unlock(&closing);
    return is_open;
}

void
capture_close(bool finished)
{
    pthread_mutex_lock(&closing);
    if (capture.rings)
        unmap(finished);
    pthread_mutex_unlock(&closing);
}
