#include "cli/record/beside.h"
#include "base/file.h"
#include "base/progress.h"
#include "engine/growth.h"
#include "live/drain/drain_cpus.h"
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Most recordings are over before the first step. A thread that gets no core may not end a step for long. */
enum { SHORTEST_NS = 100000000 };
enum { FIRST_MS = 2000, PAUSE_MS = 500, PATIENCE_S = 2, ROOM = 8 /* times the trace */ };

bool
sb_beside_is_wanted(void)
{
    return sb_cpus_cores((uint32_t)getpid()) > 1 &&
           sb_cpus_quota("/proc/self/cgroup", "/sys/fs/cgroup") == UINT64_MAX;
}

/* ---- the thread */

static struct timespec
from_now(clockid_t clock, int64_t ms)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += ms / 1000;
    t.tv_nsec += ms % 1000 * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

/* false: the trace is complete. */
static bool
pause_for(struct sb_beside *x, int64_t ms)
{
    struct timespec until = from_now(CLOCK_REALTIME, ms);
    pthread_mutex_lock(&x->lock);
    while (!x->stop && pthread_cond_timedwait(&x->told, &x->lock, &until) == 0)
        ;
    bool stop = x->stop;
    pthread_mutex_unlock(&x->lock);
    return !stop;
}

/* Of the cores that this process may use; -1: unknown. */
static int64_t
idle_ns(void)
{
    char line[512];
    cpu_set_t mine;
    int64_t tick = 1000000000 / sysconf(_SC_CLK_TCK), sum = 0;
    SB_SCOPED_FILE FILE *f = fopen("/proc/stat", "re");
    if (!f || sched_getaffinity(0, sizeof mine, &mine) != 0)
        return -1;
    while (fgets(line, sizeof line, f)) {
        unsigned cpu;
        long long idle, wait;
        if (sscanf(line, "cpu%u %*d %*d %*d %lld %lld", &cpu, &idle, &wait) == 3 && cpu < CPU_SETSIZE &&
            CPU_ISSET(cpu, &mine))
            sum += (idle + wait) * tick;
    }
    return sum;
}

/* A core counts as idle with nine tenths of its time: the drain and the system need the rest. */
static bool
has_idle_core(struct sb_idle *x)
{
    int64_t now = sb_clock_ns(), all = idle_ns(), own = sb_thread_cpu_ns(), span = now - x->at_ns;
    if (span < SHORTEST_NS)
        return x->is_one;
    bool is_first = x->at_ns == 0;
    x->is_one = !is_first && all >= 0 && 10 * (all - x->idle_ns + own - x->own_ns) >= 9 * span;
    x->at_ns = now;
    x->idle_ns = all;
    x->own_ns = own;
    return x->is_one;
}

/* The profile may become about twice as large as the trace, and the recording must not end for it. */
static bool
has_room(const struct sb_beside *x)
{
    struct statvfs disk;
    struct stat trace;
    return fstatvfs(x->fd, &disk) == 0 && fstat(x->fd, &trace) == 0 &&
           disk.f_bavail * disk.f_frsize / ROOM > (uint64_t)trace.st_size;
}

static bool
open_trace(struct sb_beside *x)
{
    struct sb_engine_options o;
    if (x->fd < 0)
        x->fd = open(x->trace, O_RDONLY | O_CLOEXEC);
    if (x->fd < 0 || x->growth)
        return x->fd >= 0;
    snprintf(x->same, sizeof x->same, "/proc/self/fd/%d", x->fd);
    sb_engine_defaults(&o);
    o.threads = 1; /* others would stay idle ones */
    x->growth = sb_growth_open(x->same, x->profile, &o);
    return true;
}

static void *
take_in(void *ctx)
{
    struct sb_beside *x = ctx;
    struct sb_err ignored;
    enum sb_grown how = SB_GROWN_NOT_YET;
    bool is_idle = sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}) == 0;
    for (int64_t ms = FIRST_MS; is_idle && pause_for(x, ms); ms = how == SB_GROWN_SOME ? 0 : PAUSE_MS) {
        if (!open_trace(x))
            continue;
        if (!has_idle_core(&x->idle)) {
            how = SB_GROWN_NOT_YET;
            continue;
        }
        how = has_room(x) ? sb_growth_step(x->growth, &ignored) : SB_GROWN_FAILED;
        if (how == SB_GROWN_FAILED || how == SB_GROWN_BROKEN)
            break;
        atomic_store(x->taken, sb_growth_taken(x->growth));
    }
    if (how == SB_GROWN_FAILED) {
        sb_growth_close(x->growth);
        x->growth = NULL;
        atomic_store(x->taken, 0);
    }
    return NULL;
}

/* ---- its beginning and end */

/* Where memory runs out, this process goes first. */
static void
offer_memory(void)
{
    SB_SCOPED_FD int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd >= 0)
        (void)!write(fd, "1000", 4);
}

void
sb_beside_begin(struct sb_beside *x, const char *trace, _Atomic uint64_t *taken)
{
    *x = (struct sb_beside){.taken = taken, .trace = trace, .fd = -1};
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->told, NULL);
    offer_memory();
    x->runs = sb_engine_profile_path(trace, x->profile, sizeof x->profile) &&
              pthread_create(&x->thread, NULL, take_in, x) == 0;
}

void
sb_beside_end(struct sb_beside *x, const char *trace)
{
    char profile[4096];
    struct timespec until = from_now(CLOCK_REALTIME, PATIENCE_S * 1000);
    if (!x->runs)
        return;
    pthread_mutex_lock(&x->lock);
    x->stop = true;
    pthread_cond_signal(&x->told);
    pthread_mutex_unlock(&x->lock);
    if (pthread_timedjoin_np(x->thread, NULL, &until) == 0 && x->growth) {
        (void)sb_growth_keep(x->growth, trace, profile, sizeof profile);
        sb_growth_close(x->growth);
    }
}
