#include "live/drain/drain_threads.h"
#include "base/file.h"
#include "base/progress.h"
#include "live/drain/drain_cpus.h"
#include "trace/sbt/wire_event.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int64_t IDLE_NS = 5000000000;
enum { BUSY_NS = 100000000, QUIET_NS = 1000000000, BUSY_EVENTS = 100, NAME_MOST = 15 };
enum {
    BUSY_CPU_NS = 10000000,
    IDLE_CPU_NS = 1000000,
    ROUND_NS = 1000000,
    THREAD_NS = 20000,
    MOST_ROUNDS = 4
};

struct sb_thread_read {
    uint32_t tid;
    uint64_t cpu_ns, queue_ns;
};

struct status {
    uint32_t voluntary, involuntary;
    char name[NAME_MOST + 1];
};

/* ---- finding the threads ---- */

/* Returns whether a line of /proc/PID/maps is a mapping of the rings: "from-to rwxs offset dev inode
 * path". */
static bool
is_of(const char *line, uint64_t inode, const char *name)
{
    unsigned long long found;
    const char *slash = strrchr(line, '/');
    return slash && sscanf(line, "%*s %*s %*s %*s %llu", &found) == 1 && found == inode &&
           strncmp(slash + 1, name, strlen(name)) == 0;
}

static bool
has_mapped(uint32_t pid, const char *rings)
{
    char path[40], *line = NULL;
    size_t room = 0;
    struct stat st;
    const char *slash = strrchr(rings, '/');
    bool found = pid == (uint32_t)getpid();
    snprintf(path, sizeof path, "/proc/%u/maps", pid);
    SB_SCOPED_FILE FILE *f = found || stat(rings, &st) != 0 ? NULL : fopen(path, "re");
    while (f && !found && getline(&line, &room, f) > 0)
        found = is_of(line, st.st_ino, slash ? slash + 1 : rings);
    free(line);
    return found;
}

void
sb_threads_open(struct sb_threads *t, uint32_t pid, const char *rings)
{
    char path[40];
    *t = (struct sb_threads){.pid = pid};
    snprintf(path, sizeof path, "/proc/%u/task", pid);
    if (has_mapped(pid, rings))
        t->task = opendir(path);
}

void
sb_threads_close(struct sb_threads *t)
{
    if (t->task)
        closedir(t->task);
    SB_VEC_FREE(&t->thread);
    SB_VEC_FREE(&t->round);
    sb_made_close(&t->made);
    *t = (struct sb_threads){0};
}

/* ---- reading ---- */

static bool
read_file(const struct sb_threads *t, uint32_t tid, const char *name, char *text, size_t room)
{
    char path[40];
    snprintf(path, sizeof path, "%u/%s", tid, name);
    SB_SCOPED_FD int fd = openat(dirfd(t->task), path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, room - 1);
    text[n > 0 ? n : 0] = 0;
    return n > 0;
}

static bool
read_times(const struct sb_threads *t, uint32_t tid, struct sb_thread_read *r)
{
    char text[100];
    unsigned long long cpu, queue;
    if (!read_file(t, tid, "schedstat", text, sizeof text) || sscanf(text, "%llu %llu", &cpu, &queue) != 2)
        return false;
    *r = (struct sb_thread_read){tid, cpu, queue};
    return true;
}

static void
read_round(struct sb_threads *t)
{
    struct sb_thread_read r;
    t->round.n = 0;
    rewinddir(t->task);
    for (struct dirent *entry; (entry = readdir(t->task));) {
        uint32_t tid = (uint32_t)strtoul(entry->d_name, NULL, 10);
        if (tid != 0 && read_times(t, tid, &r))
            *SB_PUSH(&t->round) = r;
    }
}

/* Reads the times of all threads and returns the time stamp of the round. The stamp is that of its beginning, so a
 * round in which the drain lost its core counts CPU time that the threads used after the stamp: it is read again. */
static int64_t
read_all_times(struct sb_threads *t)
{
    for (unsigned rounds = 1;; rounds++) {
        int64_t at = sb_clock_ns();
        read_round(t);
        if (sb_clock_ns() - at <= ROUND_NS + THREAD_NS * (int64_t)t->round.n || rounds == MOST_ROUNDS)
            return at;
    }
}

static uint32_t
switches(const char *status, const char *key)
{
    const char *at = strstr(status, key);
    return at ? (uint32_t)(strtoull(at + strlen(key), NULL, 10) % UINT32_MAX) : SB_UNKNOWN32;
}

static void
read_status(const struct sb_threads *t, uint32_t tid, struct status *r)
{
    char text[8192];
    bool got = read_file(t, tid, "status", text, sizeof text);
    r->voluntary = got ? switches(text, "\nvoluntary_ctxt_switches:") : SB_UNKNOWN32;
    r->involuntary = got ? switches(text, "\nnonvoluntary_ctxt_switches:") : SB_UNKNOWN32;
    if (!got || sscanf(text, "Name: %15[^\n]", r->name) != 1)
        r->name[0] = 0;
}

/* Finds or adds a thread. The kernel lists threads in the same order each time, so `guess` is mostly
 * right. */
static struct sb_thread_read *
known(struct sb_threads *t, uint32_t tid, size_t guess, bool *is_new)
{
    *is_new = false;
    if (guess < t->thread.n && t->thread.at[guess].tid == tid)
        return &t->thread.at[guess];
    for (size_t i = 0; i < t->thread.n; i++)
        if (t->thread.at[i].tid == tid)
            return &t->thread.at[i];
    *is_new = true;
    *SB_PUSH(&t->thread) = (struct sb_thread_read){.tid = tid};
    return &t->thread.at[t->thread.n - 1];
}

/* ---- writing ---- */

static void
put_thread(struct sb_threads *t, const struct sb_thread_read *r, int64_t at_ns)
{
    struct status s;
    read_status(t, r->tid, &s);
    uint8_t *p = sb_made_begin(&t->made, SB_EV_thread, at_ns);
    struct sb_wire_thread slots = {.name = {s.name, strlen(s.name)},
                                   .tid = r->tid,
                                   .cpu = r->cpu_ns,
                                   .queue = r->queue_ns,
                                   .voluntary = s.voluntary,
                                   .involuntary = s.involuntary};
    sb_made_end(&t->made, sb_wire_put_thread(p, NULL, slots));
}

static void
put_cpus(struct sb_threads *t, int64_t now_ns)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/%u/cgroup", t->pid);
    uint8_t *p = sb_made_begin(&t->made, SB_EV_cpus, now_ns);
    struct sb_wire_cpus slots = {.cores = sb_cpus_cores(t->pid),
                                 .quota = sb_cpus_quota(path, "/sys/fs/cgroup")};
    sb_made_end(&t->made, sb_wire_put_cpus(p, NULL, slots));
}

/* ---- timing ---- */

/* The CPU time of the whole node; 0: unknown. */
static int64_t
node_cpu_ns(const struct sb_threads *t)
{
    clockid_t clock;
    struct timespec s;
    if (clock_getcpuclockid((pid_t)t->pid, &clock) != 0 || clock_gettime(clock, &s) != 0)
        return 0;
    return (int64_t)s.tv_sec * 1000000000 + s.tv_nsec;
}

/* A node that computes may write few events, and they are not seen before a chunk is full. */
bool
sb_threads_is_due(const struct sb_threads *t, int64_t now_ns, uint64_t events)
{
    int64_t past = now_ns - t->read_ns;
    if (t->read_ns == 0 || past >= IDLE_NS)
        return true;
    if (past < BUSY_NS)
        return false;
    return events - t->seen >= BUSY_EVENTS ||
           node_cpu_ns(t) - t->cpu_ns >= (past < QUIET_NS ? BUSY_CPU_NS : IDLE_CPU_NS);
}

void
sb_threads_read(struct sb_threads *t, int64_t now_ns, uint64_t events, bool all)
{
    if (!t->task)
        return;
    if (t->read_ns == 0)
        put_cpus(t, now_ns);
    t->read_ns = now_ns;
    t->seen = events;
    t->cpu_ns = node_cpu_ns(t);
    int64_t at_ns = read_all_times(t);
    for (size_t i = 0; i < t->round.n; i++) {
        const struct sb_thread_read *r = &t->round.at[i];
        bool is_new;
        struct sb_thread_read *before = known(t, r->tid, i, &is_new);
        if (!all && !is_new && before->cpu_ns == r->cpu_ns && before->queue_ns == r->queue_ns)
            continue;
        *before = *r;
        put_thread(t, r, at_ns);
    }
}

void
sb_threads_again(struct sb_threads *t)
{
    t->read_ns = 0;
}
