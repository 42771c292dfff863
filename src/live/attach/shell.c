#include "live/attach/shell.h"
#include "base/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_MAX = 8 << 20, ERR_MAX = 64 << 10, CHUNK = 16 << 10 };

static void
child(const struct sb_shell *r, int out, int err)
{
    sigset_t none;
    int nothing = open("/dev/null", O_RDONLY);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", r->script, "sh", r->argument, (char *)NULL);
    _exit(127);
}

/* Returns false at the end of the output. What is too much is read and dropped, so that the command can end. */
static bool
take(int fd, struct sb_out *into, size_t most)
{
    char piece[CHUNK];
    ssize_t n = read(fd, piece, sizeof piece);
    if (n > 0 && into->n < most)
        sb_out_bytes(into, piece, (size_t)n < most - into->n ? (size_t)n : most - into->n);
    return n > 0 || (n < 0 && errno == EINTR);
}

static bool
collect(struct sb_shell *r, int out, int err)
{
    int64_t end = sb_clock_ns() + (int64_t)r->patience_ms * 1000000;
    struct pollfd p[] = {{.fd = out, .events = POLLIN}, {.fd = err, .events = POLLIN}};
    while (p[0].fd >= 0 || p[1].fd >= 0) {
        int64_t left = (end - sb_clock_ns()) / 1000000;
        if (left <= 0)
            return false;
        poll(p, 2, (int)left);
        if (p[0].revents && !take(out, &r->out, OUT_MAX))
            p[0].fd = -1;
        if (p[1].revents && !take(err, &r->err, ERR_MAX))
            p[1].fd = -1;
    }
    return true;
}

static bool
start(const struct sb_shell *r, pid_t *pid, int *out, int *err)
{
    int o[2], x[2];
    if (pipe2(o, O_CLOEXEC) < 0)
        return false;
    if (pipe2(x, O_CLOEXEC) < 0) {
        close(o[0]);
        close(o[1]);
        return false;
    }
    *pid = fork();
    if (*pid == 0)
        child(r, o[1], x[1]);
    close(o[1]);
    close(x[1]);
    *out = o[0];
    *err = x[0];
    return *pid > 0;
}

bool
sb_shell_run(struct sb_shell *r, struct sb_err *e)
{
    pid_t pid = 0;
    int out = -1, err = -1;
    sb_out_to_memory(&r->out);
    sb_out_to_memory(&r->err);
    bool started = start(r, &pid, &out, &err);
    bool ended = started && collect(r, out, err);
    if (started && !ended)
        kill(-pid, SIGKILL);
    if (started)
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    if (out >= 0)
        close(out);
    if (err >= 0)
        close(err);
    if (!started)
        return sb_err_errno(e, "run the command of --via");
    return ended || sb_err_set(e, SB_ERR_SYSTEM, "the command of --via has not ended after %d s",
                               r->patience_ms / 1000);
}

void
sb_shell_free(struct sb_shell *r)
{
    sb_out_abandon(&r->out);
    sb_out_abandon(&r->err);
}
