#include "live/record/trial.h"
#include "base/progress.h"
#include "live/record/start.h"
#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

static int64_t
ns_of(struct timeval t)
{
    return (int64_t)t.tv_sec * 1000000000 + (int64_t)t.tv_usec * 1000;
}

bool
sb_trial_run(char *const *argv, struct sb_trial *t, struct sb_err *e)
{
    pid_t pid;
    int status;
    struct rusage used;
    int64_t began = sb_clock_ns();
    *t = (struct sb_trial){0};
    if (!sb_start(&pid, argv, NULL, e)) {
        t->exit_code = sb_start_exit_code();
        return false;
    }
    while (wait4(pid, &status, 0, &used) < 0)
        if (errno != EINTR)
            return sb_err_errno(e, "wait for the command");
    t->ns = sb_clock_ns() - began;
    t->cpu_ns = ns_of(used.ru_utime) + ns_of(used.ru_stime);
    t->exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return true;
}
