#include "live/attach/shell.h"
#include "base/progress.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { OUT_MAX = 8 << 20, ERR_MAX = 64 << 10, FLOOD = 64 << 20, CHUNK = 16 << 10 };

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
take(struct sb_shell *r, int fd, struct sb_out *into, size_t most)
{
    char piece[CHUNK];
    ssize_t n = read(fd, piece, sizeof piece);
    r->printed += n > 0 ? (uint64_t)n : 0;
    if (n > 0 && into->n < most)
        sb_out_bytes(into, piece, (size_t)n < most - into->n ? (size_t)n : most - into->n);
    return n > 0 || (n < 0 && errno == EINTR);
}

static void
take_from(struct sb_shell *r, int *fd, bool ready, struct sb_out *into, size_t most)
{
    if (!ready || take(r, *fd, into, most))
        return;
    close(*fd);
    *fd = -1;
}

unsigned
sb_shell_poll(const struct sb_shell *r, struct pollfd p[2])
{
    p[0] = (struct pollfd){.fd = r->fd[0], .events = POLLIN};
    p[1] = (struct pollfd){.fd = r->fd[1], .events = POLLIN};
    return 2;
}

bool
sb_shell_step(struct sb_shell *r, int wait_ms)
{
    struct pollfd p[2];
    int64_t left_ms = (r->end_ns - sb_clock_ns()) / 1000000;
    if (left_ms <= 0 || r->printed > FLOOD || (r->fd[0] < 0 && r->fd[1] < 0))
        return true;
    sb_shell_poll(r, p);
    poll(p, 2, left_ms < wait_ms ? (int)left_ms : wait_ms);
    take_from(r, &r->fd[0], p[0].revents != 0, &r->out, OUT_MAX);
    take_from(r, &r->fd[1], p[1].revents != 0, &r->err, ERR_MAX);
    return r->fd[0] < 0 && r->fd[1] < 0;
}

/* Waits for the end of the command, which may close its output and go on. */
static bool
wait_until(pid_t pid, int64_t end)
{
    while (waitpid(pid, NULL, WNOHANG) == 0) {
        if (sb_clock_ns() >= end)
            return false;
        usleep(1000);
    }
    return true;
}

static bool
start(struct sb_shell *r)
{
    int o[2], x[2];
    if (pipe2(o, O_CLOEXEC) < 0)
        return false;
    if (pipe2(x, O_CLOEXEC) < 0) {
        close(o[0]);
        close(o[1]);
        return false;
    }
    r->pid = fork();
    if (r->pid == 0)
        child(r, o[1], x[1]);
    close(o[1]);
    close(x[1]);
    r->fd[0] = o[0];
    r->fd[1] = x[0];
    return r->pid > 0;
}

bool
sb_shell_start(struct sb_shell *r, struct sb_err *e)
{
    r->fd[0] = r->fd[1] = -1;
    r->pid = 0;
    r->printed = 0;
    sb_out_to_memory(&r->out);
    sb_out_to_memory(&r->err);
    r->end_ns = sb_clock_ns() + (int64_t)r->patience_ms * 1000000;
    if (start(r))
        return true;
    sb_err_errno(e, "run the command of --via");
    sb_shell_free(r);
    return false;
}

bool
sb_shell_end(struct sb_shell *r, struct sb_err *e)
{
    bool ended = r->fd[0] < 0 && r->fd[1] < 0 && wait_until(r->pid, r->end_ns);
    if (!ended) {
        kill(-r->pid, SIGKILL);
        wait_until(r->pid, INT64_MAX);
    }
    r->pid = 0;
    if (!ended && r->printed > FLOOD)
        return sb_err_set(e, SB_ERR_SYSTEM, "the command of --via prints without end");
    if (ended)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "the command of --via has not ended after %d s", r->patience_ms / 1000);
    return sb_err_advise(e, "try it in a shell");
}

void
sb_shell_free(struct sb_shell *r)
{
    struct sb_err ignored;
    if (r->pid > 0)
        sb_shell_end(r, &ignored);
    for (unsigned i = 0; i < 2; i++) {
        sb_close(r->fd[i]);
        r->fd[i] = -1;
    }
    sb_out_abandon(&r->out);
    sb_out_abandon(&r->err);
}
