#include "cli/record/recorder.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "cli/frame/cli.h"
#include "live/record/start.h"
#include <fcntl.h>
#include <glob.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- in the process of a keeper */

/* The folders of a process: of its private traces, and of the profiles that follow them (serve/follow.c). */
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

static void
write_command(const struct sb_recorder_options *o, const char *target, const char *trace, const char **argv)
{
    const char *const option[][2] = {{"-o", trace},
                                     {"--report", "never"},
                                     {"--via", o->via},
                                     {"--trace", o->classes},
                                     {"--duration", o->duration}};
    *argv++ = "/proc/self/exe";
    *argv++ = "attach";
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        if (option[i][1]) {
            *argv++ = option[i][0];
            *argv++ = option[i][1];
        }
    if (o->force)
        *argv++ = "--force";
    *argv++ = o->n ? target : NULL;
    *argv = NULL;
}

/* Runs `strobe attach` and asks it to end if the server asks, or ends. Returns its exit code. */
static int
keep(const char *target, const char *trace, void *ctx)
{
    const struct sb_recorder *r = ctx;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sigset_t signals = sb_signals(SB_SIGNALS_STOP_AND_CHILD);
    const char *argv[16];
    pid_t attach;
    int status = 0;
    write_command(r->o, target, trace, argv);
    if (!sb_start(&attach, (char *const *)argv, NULL, &e))
        return sb_cli_fail(&e);
    if (getppid() != r->server)
        kill(attach, SIGTERM);
    while (waitpid(attach, &status, WNOHANG) != attach)
        if (sigwaitinfo(&signals, NULL) == SIGTERM)
            kill(attach, SIGTERM);
    close(r->ended[1]);
    if (getppid() != r->server) {
        (void)!read(r->ended[0], &(char){0}, 1); /* returns once all have ended */
        remove_folders(r->server);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

/* ---- in the process of the server */

/* `strobe clean` knows folders of this name if the keepers are killed as well. */
static const char *
make_private(struct sb_recorder *r, struct sb_arena *a, struct sb_err *e)
{
    const char *name = sb_arena_printf(a, "strobe-%u", (unsigned)getpid()).p;
    r->folder = sb_temporary_folder(name, "the trace", a, e);
    return r->folder ? sb_arena_printf(a, "%s/live.sbt", r->folder).p : NULL;
}

bool
sb_recorder_start(struct sb_recorder *r, const struct sb_recorder_options *o, struct sb_arena *a,
                  struct sb_err *e)
{
    *r = (struct sb_recorder){.o = o, .members = {.run = keep, .ctx = r}, .server = getpid()};
    const char *trace = o->trace ? o->trace : make_private(r, a, e);
    SB_TRY(trace != NULL);
    if (pipe2(r->ended, O_CLOEXEC) != 0)
        return sb_err_errno(e, "start the recordings");
    if (o->n < 2)
        sb_members_add(&r->members, o->n ? o->target[0] : o->via, trace);
    for (size_t i = 0; o->n > 1 && i < o->n; i++)
        if (!sb_members_find(&r->members, o->target[i]))
            sb_members_add(&r->members, o->target[i], sb_member_trace(trace, o->target[i], a));
    return true;
}

static bool
has_begun(const struct sb_recorder *r)
{
    for (size_t i = 0; i < r->members.n; i++)
        if (access(r->members.at[i].trace, F_OK) == 0)
            return true;
    return false;
}

bool
sb_recorder_await(struct sb_recorder *r)
{
    enum { STEP_NS = 50000000 };
    sigset_t signals = sb_signals(SB_SIGNALS_STOP_AND_CHILD);
    while (sb_members_running(&r->members) > 0 && !has_begun(r)) {
        siginfo_t s;
        int got = sigtimedwait(&signals, &s, &(struct timespec){.tv_nsec = STEP_NS});
        if (got > 0 && got != SIGCHLD)
            sb_members_end(&r->members);
    }
    return has_begun(r);
}

int
sb_recorder_close(struct sb_recorder *r)
{
    int signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    sb_members_end(&r->members);
    sb_members_wait(&r->members, signals);
    close(signals);
    close(r->ended[0]);
    close(r->ended[1]);
    if (r->folder)
        sb_temporary_remove(r->folder);
    return sb_members_close(&r->members);
}
