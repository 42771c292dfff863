#include "cli/record/recorder.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "cli/frame/cli.h"
#include "live/record/recorded.h"
#include "live/record/start.h"
#include "trace/sbt/sbt.h"
#include <glob.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* `strobe clean` knows folders of this name if the keeper is killed as well. */
static bool
make_private(struct sb_recorder *r, struct sb_arena *a, struct sb_err *e)
{
    const char *name = sb_arena_printf(a, "strobe-%u", (unsigned)getpid()).p;
    r->folder = sb_temporary_folder(name, "the trace", a, e);
    if (!r->folder)
        return false;
    r->trace = sb_arena_printf(a, "%s/live.sbt", r->folder).p;
    return true;
}

/* The folders of a process: of its private trace, and of the profiles that follow it (serve/follow.c). */
static void
remove_folders(pid_t of)
{
    char pattern[4096];
    glob_t found = {0};
    if (snprintf(pattern, sizeof pattern, "%s/strobe-%u-??????", sb_temporary_root(), (unsigned)of) <
            (int)sizeof pattern &&
        glob(pattern, GLOB_NOSORT, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++)
            sb_temporary_remove(found.gl_pathv[i]);
    globfree(&found);
}

static int
exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* Runs `strobe attach` and asks it to end if the server asks, or ends. Returns its exit code. */
static int
keep(const char *const *argv, pid_t server)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sigset_t signals = sb_signals(SB_SIGNALS_STOP_AND_CHILD);
    pid_t attach;
    int status = 0;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (!sb_start(&attach, (char *const *)argv, NULL, &e))
        return sb_cli_fail(&e);
    if (getppid() != server)
        kill(attach, SIGTERM);
    while (waitpid(attach, &status, WNOHANG) != attach)
        if (sigwaitinfo(&signals, NULL) == SIGTERM)
            kill(attach, SIGTERM);
    if (getppid() != server)
        remove_folders(server);
    return exit_code(status);
}

bool
sb_recorder_start(struct sb_recorder *r, const struct sb_recorder_options *o, struct sb_arena *a,
                  struct sb_err *e)
{
    const char *argv[16];
    size_t n = 0;
    *r = (struct sb_recorder){.trace = o->trace};
    if (!r->trace)
        SB_TRY(make_private(r, a, e));
    else
        sb_recorded_keep_old(r->trace); /* it would be taken for this one */
    argv[n++] = "/proc/self/exe";
    argv[n++] = "attach";
    if (o->target)
        argv[n++] = o->target;
    if (o->via) {
        argv[n++] = "--via";
        argv[n++] = o->via;
    }
    argv[n++] = "-o";
    argv[n++] = r->trace;
    argv[n++] = "--report";
    argv[n++] = "never";
    if (o->classes) {
        argv[n++] = "--trace";
        argv[n++] = o->classes;
    }
    if (o->duration) {
        argv[n++] = "--duration";
        argv[n++] = o->duration;
    }
    if (o->force)
        argv[n++] = "--force";
    argv[n] = NULL;
    pid_t server = getpid();
    r->pid = fork();
    if (r->pid == 0)
        _exit(keep(argv, server));
    return r->pid > 0 || sb_err_errno(e, "start a process");
}

static void
reap(struct sb_recorder *r, int how)
{
    int status;
    if (r->pid == 0 || waitpid(r->pid, &status, how) != r->pid)
        return;
    r->pid = 0;
    r->code = exit_code(status);
}

bool
sb_recorder_has_ended(struct sb_recorder *r)
{
    reap(r, WNOHANG);
    return r->pid == 0;
}

bool
sb_recorder_await(struct sb_recorder *r)
{
    enum { STEP_NS = 50000000 };
    sigset_t signals = sb_signals(SB_SIGNALS_STOP_AND_CHILD);
    while (access(r->trace, F_OK) != 0) {
        siginfo_t s;
        int got = sigtimedwait(&signals, &s, &(struct timespec){.tv_nsec = STEP_NS});
        if (sb_recorder_has_ended(r))
            return access(r->trace, F_OK) == 0;
        if (got > 0 && got != SIGCHLD)
            kill(r->pid, SIGTERM);
    }
    return true;
}

void
sb_recorder_close(struct sb_recorder *r)
{
    if (r->pid)
        kill(r->pid, SIGTERM);
    reap(r, 0);
    if (r->folder)
        sb_temporary_remove(r->folder);
}
