#include "cli/recorder.h"
#include "base/signals.h"
#include "live/recorded.h"
#include "live/start.h"
#include "trace/sbt/sbt.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* `strobe clean` knows folders of this name if we are killed. */
static bool
make_private(struct sb_recorder *r, struct sb_arena *a, struct sb_err *e)
{
    const char *tmp = getenv("TMPDIR");
    char *folder =
        (char *)sb_arena_printf(a, "%s/strobe-%u-XXXXXX", tmp && *tmp ? tmp : "/tmp", (unsigned)getpid()).p;
    if (!mkdtemp(folder))
        return sb_err_errno(e, "create a folder for the trace");
    r->folder = folder;
    r->trace = sb_arena_printf(a, "%s/live.sbt", folder).p;
    r->profile = sb_arena_printf(a, "%s/live.sbp", folder).p;
    return true;
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
    return sb_start(&r->pid, (char *const *)argv, NULL, e);
}

static void
reap(struct sb_recorder *r, int how)
{
    int status;
    if (r->pid == 0 || waitpid(r->pid, &status, how) != r->pid)
        return;
    r->pid = 0;
    r->code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
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
    if (!r->folder)
        return;
    unlink(r->trace);
    unlink(r->profile);
    rmdir(r->folder);
}
