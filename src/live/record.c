#include "live/record.h"
#include "base/progress.h"
#include "live/start.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESTARTS = 3, STRAY_NS = 500000000 };

struct drain_of { /* the drain of one VM */
    const char *rings, *trace;
    uint32_t os_pid;
    pid_t pid; /* 0: has ended */
    unsigned restarts;
};

struct recorder {
    const struct sb_record_options *o;
    struct sb_arena *a;
    struct sb_folder folder;
    int signals, watch;
    pid_t command; /* 0: has ended */
    int status;
    int64_t ended_ns;
    unsigned interrupts;
    bool told_strays;
    SB_VEC(struct drain_of) drain;
};

/* ---- drains */

static bool
start_drain(struct recorder *r, struct drain_of *d, struct sb_err *e)
{
    const char *max_events = sb_arena_printf(r->a, "%llu", (unsigned long long)r->o->max_events).p;
    const char *max_bytes = sb_arena_printf(r->a, "%llu", (unsigned long long)r->o->max_bytes).p;
    const char *max_ns = sb_arena_printf(r->a, "%lld", (long long)r->o->max_ns).p;
    const char *level = sb_arena_printf(r->a, "%d", r->o->level).p;
    const char *argv[] = {r->folder.drain, "--level",  level,  "--max-events", max_events, "--max-bytes",
                          max_bytes,       "--max-ns", max_ns, d->rings,       d->trace,   NULL};
    return sb_start(&d->pid, (char *const *)argv, NULL, e);
}

static struct drain_of *
known(struct recorder *r, const char *rings)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (strcmp(r->drain.at[i].rings, rings) == 0)
            return &r->drain.at[i];
    return NULL;
}

/* "x.sbt" -> "x.4711.sbt" */
static const char *
trace_of(struct recorder *r, uint32_t os_pid)
{
    struct sb_str t = sb_str_of(r->o->trace);
    if (sb_str_ends(t, SB_STR(".sbt")))
        t.n -= 4;
    return sb_arena_printf(r->a, "%.*s.%u.sbt", SB_STR_ARG(t), os_pid).p;
}

static bool
new_rings(struct recorder *r, const char *name, struct sb_err *e)
{
    struct sb_str s = sb_str_of(name);
    uint64_t os_pid;
    if (!sb_str_ends(s, SB_STR(".rings")) || !sb_str_to_u64(sb_str_sub(s, 0, s.n - 6), &os_pid))
        return true;
    const char *rings = sb_arena_printf(r->a, "%s/%s", r->folder.path, name).p;
    if (known(r, rings))
        return true;
    struct drain_of *d = SB_PUSH(&r->drain);
    *d =
        (struct drain_of){.rings = rings, .trace = trace_of(r, (uint32_t)os_pid), .os_pid = (uint32_t)os_pid};
    sb_recorded_keep_old(d->trace);
    return start_drain(r, d, e);
}

static bool
look_for_rings(struct recorder *r, struct sb_err *e)
{
    _Alignas(struct inotify_event) char buf[8192];
    for (ssize_t n; (n = read(r->watch, buf, sizeof buf)) > 0;)
        for (char *p = buf; p < buf + n;) {
            struct inotify_event *ev = (struct inotify_event *)p;
            if (ev->len)
                SB_TRY(new_rings(r, ev->name, e));
            p += sizeof *ev + ev->len;
        }
    return true;
}

static void
signal_drains(struct recorder *r, int sig)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (r->drain.at[i].pid)
            kill(r->drain.at[i].pid, sig);
}

static bool
draining(const struct recorder *r)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (r->drain.at[i].pid)
            return true;
    return false;
}

/* ---- children and signals */

static bool
reap(struct recorder *r, struct sb_err *e)
{
    int status;
    for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
        if (pid == r->command) {
            r->command = 0;
            r->status = status;
            r->ended_ns = sb_clock_ns();
        }
        for (size_t i = 0; i < r->drain.n; i++) {
            struct drain_of *d = &r->drain.at[i];
            if (d->pid != pid)
                continue;
            /* a drain that was killed is restarted, and resumes where the first one stopped */
            d->pid = 0;
            if (WIFSIGNALED(status) && access(d->rings, F_OK) == 0 && d->restarts++ < RESTARTS)
                SB_TRY(start_drain(r, d, e));
        }
    }
    return true;
}

/*
 * The first Ctrl-C ends the recording; the terminal has sent it to the command too, which may continue. A
 * signal that only strobe got is passed on as SIGTERM, on which a VM stops in an orderly way. The second one
 * repeats that, the third kills.
 */
static void
interrupted(struct recorder *r, const struct signalfd_siginfo *s)
{
    static const int insist[] = {SIGTERM, SIGTERM, SIGKILL};
    bool from_terminal = s->ssi_code == SI_KERNEL;
    unsigned n = r->interrupts++;
    signal_drains(r, SIGTERM);
    if (!r->command || (from_terminal && n == 0))
        return;
    kill(r->command, s->ssi_signo == SIGHUP ? SIGHUP : insist[n < 2 ? n : 2]);
}

static bool
take_signals(struct recorder *r, struct sb_err *e)
{
    struct signalfd_siginfo s;
    while (read(r->signals, &s, sizeof s) == sizeof s)
        if (s.ssi_signo != SIGCHLD)
            interrupted(r, &s);
    return reap(r, e);
}

/* Ends the recording of VMs that the command left running: strobe does not wait for them. */
static void
leave_strays(struct recorder *r)
{
    if (r->command || r->told_strays || sb_clock_ns() - r->ended_ns < STRAY_NS)
        return;
    signal_drains(r, SIGTERM);
    r->told_strays = true;
}

static bool
run(struct recorder *r, struct sb_err *e)
{
    struct pollfd p[] = {{.fd = r->signals, .events = POLLIN}, {.fd = r->watch, .events = POLLIN}};
    while (r->command || draining(r)) {
        poll(p, 2, r->command ? -1 : 100);
        SB_TRY(look_for_rings(r, e));
        SB_TRY(take_signals(r, e));
        leave_strays(r);
    }
    return true;
}

/* ---- results */

static int
by_events(const void *pa, const void *pb)
{
    const struct sb_recorded *a = pa, *b = pb;
    if (a->totals.events != b->totals.events)
        return a->totals.events < b->totals.events ? 1 : -1;
    return (a->os_pid > b->os_pid) - (a->os_pid < b->os_pid);
}

static void
collect(struct recorder *r, struct sb_record_result *out)
{
    for (size_t i = 0; i < r->drain.n; i++) {
        struct sb_recorded v;
        if (sb_recorded_read(&v, r->drain.at[i].trace, r->drain.at[i].os_pid))
            *SB_PUSH(&out->vm) = v;
    }
    if (out->vm.n == 0)
        return;
    qsort(out->vm.at, out->vm.n, sizeof *out->vm.at, by_events);
    out->missing = sb_folder_missing(&r->folder, out->vm.at[0].os_pid, r->a);
    out->kept_old = sb_recorded_keep_old(r->o->trace);
    if (rename(out->vm.at[0].path, r->o->trace) == 0)
        out->vm.at[0].path = r->o->trace;
}

static bool
set_up(struct recorder *r, struct sb_err *e)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN);
    r->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    r->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (r->signals < 0 || r->watch < 0 || inotify_add_watch(r->watch, r->folder.path, IN_CREATE) < 0)
        return sb_err_errno(e, "watch for virtual machines");
    return true;
}

static bool
record(struct recorder *r, struct sb_record_result *out, struct sb_err *e)
{
    SB_TRY(set_up(r, e));
    if (!sb_start(&r->command, r->o->command, &r->folder, e)) {
        out->exit_code = sb_start_exit_code();
        return false;
    }
    bool ok = run(r, e);
    if (!ok)
        signal_drains(r, SIGTERM);
    out->exit_code = WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
    collect(r, out);
    sb_folder_failures(&r->folder, r->a, &out->failed);
    return ok;
}

bool
sb_record(const struct sb_record_options *o, struct sb_arena *a, struct sb_record_result *out,
          struct sb_err *e)
{
    struct recorder r = {.o = o, .a = a, .signals = -1, .watch = -1};
    SB_TRY(sb_folder_open(&r.folder, &o->what, a, e));
    bool ok = record(&r, out, e);
    SB_VEC_FREE(&r.drain);
    if (r.signals >= 0)
        close(r.signals);
    if (r.watch >= 0)
        close(r.watch);
    sb_folder_close(&r.folder);
    return ok;
}
