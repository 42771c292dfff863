#include "live/record/record.h"
#include "base/file.h"
#include "base/order.h"
#include "base/progress.h"
#include "base/signals.h"
#include "base/gone.h"
#include "live/drain/rings.h"
#include "live/record/drain_program.h"
#include "live/record/start.h"
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STRAY_NS = 500000000 };
static const int64_t BOOT_NS = 10000000000; /* a daemon's VM has created its rings by then */

struct drain_of { /* the drain of one VM */
    struct sb_drain_program program;
    uint32_t os_pid;
    uid_t user;
    bool notified; /* that it is complete */
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
    bool left_strays, kept_old, some_stopped;
    bool over; /* the time limit has ended one recording, so all end */
    struct sb_str failed;
    SB_VEC(struct drain_of) drain;
};

static void
notify(const struct recorder *r, struct sb_record_notice n)
{
    if (r->o->notify)
        r->o->notify(r->o, &n);
}

/* ---- drains */

static struct drain_of *
known(struct recorder *r, const char *rings)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (strcmp(r->drain.at[i].program.rings, rings) == 0)
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

/* "4711.rings" -> 4711 */
static bool
is_name_of(const char *name, struct sb_str suffix, uint32_t *os_pid)
{
    struct sb_str s = sb_str_of(name);
    uint64_t n;
    if (!sb_str_ends(s, suffix) || !sb_str_to_u64(sb_str_sub(s, 0, s.n - suffix.n), &n) || n > INT32_MAX)
        return false;
    *os_pid = (uint32_t)n;
    return true;
}

/* Root's folder is open to every user, so rings there must be those of a process that the command started. */
static bool
is_trusted(const char *rings, uid_t user)
{
    struct stat st;
    return geteuid() != 0 ||
           (lstat(rings, &st) == 0 && S_ISREG(st.st_mode) && (st.st_uid == 0 || st.st_uid == user));
}

/* Others can create any number of files, of which nothing is kept. */
static bool
new_rings(struct recorder *r, const char *name, uint32_t os_pid, struct sb_err *e)
{
    char rings[4096 + 300];
    uid_t user = sb_descendant_user((pid_t)os_pid);
    snprintf(rings, sizeof rings, "%s/%s", r->folder.path, name);
    if (known(r, rings))
        return true;
    if (!is_trusted(rings, user)) {
        unlink(rings);
        return true;
    }
    struct drain_of *d = SB_PUSH(&r->drain);
    bool flight = r->o->flight.window_ns > 0;
    *d = (struct drain_of){.program = {.path = r->folder.drain,
                                       .rings = sb_arena_str(r->a, sb_str_of(rings)).p,
                                       .trace = flight ? r->o->trace : trace_of(r, os_pid)},
                           .os_pid = os_pid,
                           .user = user};
    if (!flight)
        unlink(d->program.trace); /* left by an earlier recording */
    SB_TRY(sb_drain_program_start(&d->program, r->o, r->a, e));
    notify(r,
           (struct sb_record_notice){.moment = SB_RECORD_BEGUN, .os_pid = os_pid, .trace = d->program.trace});
    return true;
}

static void
new_failure(struct recorder *r, const char *name, uint32_t os_pid)
{
    struct sb_str why = sb_folder_read(&r->folder, name, sb_descendant_user((pid_t)os_pid), r->a);
    if (why.n == 0)
        return;
    r->failed = sb_str_sub(why, 0, why.n < 200 ? why.n : 200);
    notify(r, (struct sb_record_notice){.moment = SB_RECORD_FAILED, .os_pid = os_pid, .why = r->failed});
}

static bool
new_file(struct recorder *r, const struct inotify_event *ev, struct sb_err *e)
{
    uint32_t os_pid;
    if (ev->mask & IN_CLOSE_WRITE && is_name_of(ev->name, SB_STR(".failed"), &os_pid))
        new_failure(r, ev->name, os_pid);
    return !is_name_of(ev->name, SB_STR(".rings"), &os_pid) || new_rings(r, ev->name, os_pid, e);
}

/* More happened in the folder than was kept for us. */
static bool
look_at_all(struct recorder *r, struct sb_err *e)
{
    uint32_t os_pid;
    SB_SCOPED_DIR DIR *d = opendir(r->folder.path);
    for (struct dirent *f; d && (f = readdir(d));)
        SB_TRY(!is_name_of(f->d_name, SB_STR(".rings"), &os_pid) || new_rings(r, f->d_name, os_pid, e));
    return true;
}

static bool
look_for_rings(struct recorder *r, struct sb_err *e)
{
    _Alignas(struct inotify_event) char buf[8192];
    for (ssize_t n; (n = read(r->watch, buf, sizeof buf)) > 0;)
        for (char *p = buf; p < buf + n;) {
            struct inotify_event *ev = (struct inotify_event *)p;
            if (ev->len)
                SB_TRY(new_file(r, ev, e));
            SB_TRY(!(ev->mask & IN_Q_OVERFLOW) || look_at_all(r, e));
            p += sizeof *ev + ev->len;
        }
    return true;
}

static void
signal_drains(struct recorder *r, int sig)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (r->drain.at[i].program.pid)
            kill(r->drain.at[i].program.pid, sig);
}

static bool
draining(const struct recorder *r)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (r->drain.at[i].program.pid)
            return true;
    return false;
}

/* ---- results */

SB_ORDER(by_events, struct sb_recorded, SB_DOWN(totals.events) ?: SB_UP(os_pid))

static struct drain_of *
drain_of(struct recorder *r, uint32_t os_pid)
{
    for (size_t i = 0; i < r->drain.n; i++)
        if (r->drain.at[i].os_pid == os_pid)
            return &r->drain.at[i];
    return NULL;
}

/* Gives the requested name to the trace of this VM, and takes it from the VM that had it so far. */
static void
give_name(struct recorder *r, struct sb_recorded *best)
{
    struct drain_of *d = drain_of(r, best->os_pid);
    bool taken = false;
    for (size_t i = 0; i < r->drain.n; i++) {
        struct drain_of *other = &r->drain.at[i];
        if (other == d || other->program.trace != r->o->trace)
            continue;
        other->program.trace = trace_of(r, other->os_pid);
        taken = rename(r->o->trace, other->program.trace) == 0;
        sb_rings_name_trace(other->program.rings, other->program.trace);
    }
    if (d->program.trace != r->o->trace) {
        r->kept_old |= !taken && sb_recorded_keep_old(r->o->trace);
        if (rename(d->program.trace, r->o->trace) == 0)
            d->program.trace = r->o->trace;
        sb_rings_name_trace(d->program.rings, d->program.trace);
    }
    best->path = d->program.trace;
}

/* Reads the traces of drains that have ended; most events first. */
static void
rank(const struct recorder *r, struct sb_record_result *out)
{
    out->vm.n = 0;
    for (size_t i = 0; i < r->drain.n && !r->o->flight.window_ns; i++) {
        const struct drain_of *d = &r->drain.at[i];
        struct sb_recorded v;
        if (!d->program.pid && sb_recorded_read(&v, d->program.trace, d->program.rings, d->os_pid))
            *SB_PUSH(&out->vm) = v;
    }
    SB_SORT(&out->vm, by_events);
}

/* Where a VM has reached the time limit, others end as well, and those that start later are not recorded. */
static void
end_in_time(struct recorder *r, const struct sb_record_result *so_far)
{
    for (size_t i = 0; i < so_far->vm.n && !r->over; i++)
        r->over = so_far->vm.at[i].totals.stop == SB_STOP_TIME;
    if (r->over) {
        sb_folder_end(&r->folder);
        signal_drains(r, SIGALRM);
    }
}

/* Traces that a limit or Ctrl-C has completed get their names while the command continues. */
static void
name_stopped(struct recorder *r)
{
    struct sb_record_result so_far = {0};
    if (!r->some_stopped || !r->command || (r->over && draining(r)))
        return;
    rank(r, &so_far);
    if (!r->over)
        end_in_time(r, &so_far);
    r->some_stopped = r->over && draining(r);
    if (!r->some_stopped && so_far.vm.n > 0 && so_far.vm.at[0].complete &&
        (r->over || so_far.vm.at[0].totals.stop != SB_STOP_NONE)) {
        struct drain_of *d = drain_of(r, so_far.vm.at[0].os_pid);
        give_name(r, &so_far.vm.at[0]);
        if (!d->notified)
            notify(r, (struct sb_record_notice){
                          .moment = SB_RECORD_STOPPED, .os_pid = d->os_pid, .vm = &so_far.vm.at[0]});
        d->notified = true;
    }
    SB_VEC_FREE(&so_far.vm);
}

static void
collect(struct recorder *r, struct sb_record_result *out)
{
    rank(r, out);
    out->failed = r->failed;
    out->begun = r->drain.n;
    if (out->vm.n == 0)
        return;
    give_name(r, &out->vm.at[0]);
    for (size_t i = 1; i < out->vm.n; i++)
        out->vm.at[i].path = drain_of(r, out->vm.at[i].os_pid)->program.trace;
    out->notified = drain_of(r, out->vm.at[0].os_pid)->notified;
    out->kept_old = r->kept_old;
    const char *missing = sb_arena_printf(r->a, "%u.missing", out->vm.at[0].os_pid).p;
    out->missing = sb_folder_read(&r->folder, missing, drain_of(r, out->vm.at[0].os_pid)->user, r->a);
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
            if (d->program.pid != pid)
                continue;
            r->some_stopped = true;
            SB_TRY(sb_drain_program_ended(&d->program, status, r->o, r->a, e));
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

/* Whether the command has started a daemon, or another process in the background, that may become a VM. */
static bool
awaits_vm(const struct recorder *r)
{
    siginfo_t child; /* fails if there is none, running or ended */
    return r->drain.n == 0 && !r->interrupts && sb_clock_ns() - r->ended_ns < BOOT_NS &&
           waitid(P_ALL, 0, &child, WEXITED | WNOHANG | WNOWAIT) == 0;
}

/* VMs that the command left behind, as a daemon, are recorded until they end. */
static void
look_for_strays(struct recorder *r)
{
    if (r->command || r->left_strays || r->interrupts || sb_clock_ns() - r->ended_ns < STRAY_NS)
        return;
    for (size_t i = 0; i < r->drain.n && !r->left_strays; i++) {
        uint32_t os_pid = r->drain.at[i].os_pid;
        r->left_strays = r->drain.at[i].program.pid && !sb_process_is_gone((pid_t)os_pid);
        if (r->left_strays)
            notify(r, (struct sb_record_notice){.moment = SB_RECORD_LEFT, .os_pid = os_pid});
    }
}

static bool
run(struct recorder *r, struct sb_err *e)
{
    struct pollfd p[] = {{.fd = r->signals, .events = POLLIN}, {.fd = r->watch, .events = POLLIN}};
    while (r->command || draining(r) || awaits_vm(r)) {
        poll(p, 2, r->command ? -1 : 100);
        SB_TRY(look_for_rings(r, e));
        SB_TRY(take_signals(r, e));
        name_stopped(r);
        look_for_strays(r);
    }
    return look_for_rings(r, e);
}

static bool
set_up(struct recorder *r, struct sb_err *e)
{
    r->signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    r->watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (r->signals < 0 || r->watch < 0 ||
        inotify_add_watch(r->watch, r->folder.path, IN_CREATE | IN_CLOSE_WRITE) < 0)
        return sb_err_errno(e, "watch for virtual machines");
    return true;
}

static bool
record(struct recorder *r, struct sb_record_result *out, struct sb_err *e)
{
    SB_TRY(set_up(r, e));
    sb_descendants_keep();
    if (r->folder.is_private)
        notify(r, (struct sb_record_notice){.moment = SB_RECORD_PRIVATE});
    if (!sb_start(&r->command, r->o->command, &r->folder, e)) {
        out->exit_code = sb_start_exit_code();
        return false;
    }
    bool ok = run(r, e);
    if (!ok)
        signal_drains(r, SIGTERM);
    out->exit_code = WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
    collect(r, out);
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
    sb_close(r.signals);
    sb_close(r.watch);
    sb_folder_close(&r.folder);
    return ok;
}
