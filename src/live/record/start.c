#include "live/record/start.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void
child(char *const *argv, const struct sb_folder *recorded, const sigset_t *blocked, int report)
{
    sigprocmask(SIG_SETMASK, blocked, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (recorded) {
        setenv("STROBE_RECORD", recorded->path, 1);
        setenv("ERL_AFLAGS", recorded->erl_aflags, 1);
        if (recorded->otp29_flags)
            setenv(SB_OTP29_FLAGS, recorded->otp29_flags, 1);
    }
    execvp(argv[0], argv);
    int err = errno;
    (void)!write(report, &err, sizeof err);
    _exit(125);
}

/* Starts a program. The pipe closes at exec, or delivers the errno of an exec that failed. */
static bool
start(pid_t *pid, char *const *argv, const struct sb_folder *recorded, const sigset_t *blocked,
      struct sb_err *e)
{
    int report[2], err = 0;
    if (pipe2(report, O_CLOEXEC) < 0)
        return sb_err_errno(e, "start a program");
    *pid = fork();
    if (*pid < 0) {
        close(report[0]);
        close(report[1]);
        *pid = 0;
        return sb_err_errno(e, "start a program");
    }
    if (*pid == 0)
        child(argv, recorded, blocked, report[1]);
    close(report[1]);
    bool failed = read(report[0], &err, sizeof err) == sizeof err;
    close(report[0]);
    if (!failed)
        return true;
    *pid = 0;
    errno = err;
    char doing[200];
    snprintf(doing, sizeof doing, "run '%.150s'", argv[0]);
    sb_err_errno(e, doing);
    errno = err;
    return false;
}

bool
sb_start(pid_t *pid, char *const *argv, const struct sb_folder *recorded, struct sb_err *e)
{
    sigset_t none;
    sigemptyset(&none);
    return start(pid, argv, recorded, &none, e);
}

bool
sb_start_drain(pid_t *pid, char *const *argv, struct sb_err *e)
{
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGTERM);
    sigaddset(&blocked, SIGALRM);
    return start(pid, argv, NULL, &blocked, e);
}

int
sb_start_exit_code(void)
{
    return errno == ENOENT ? 127 : 126;
}
