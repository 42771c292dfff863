/*
 * The analysis runs in a child process, so that a signal ends it at once and no failure of it, not even a lack of
 * memory, can harm the recorder. The text comes back through a pipe and is printed only when it is whole:
 *
 *     strobe record ──fork──> analysis ──> T.sbp
 *           └──<── text ─── pipe ──<───┘
 */
#include "cli/record/first_look.h"
#include "answer/summary_row.h"
#include "base/signals.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "engine/engine.h"
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_EVENTS = 20000000 }; /* analysed in a few seconds: LIMITS.md has measurements */

static bool
is_wanted(const struct sb_recorded *trace, unsigned when)
{
    if (when == SB_LOOK_NEVER || !trace->complete || trace->totals.events == 0)
        return false;
    if (when == SB_LOOK_ALWAYS)
        return true;
    if (isatty(STDERR_FILENO) != 1)
        return false;
    if (trace->totals.events <= MOST_EVENTS)
        return true;
    fprintf(stderr, "strobe: %s has more than 20 M events, so the first report will analyse it\n",
            trace->path);
    return false;
}

/* ---- the child ---- */

/* Standard output is the pipe. */
static bool
send_text(const struct sb_cli_profile *c, struct sb_err *e)
{
    struct sb_arena arena;
    struct sb_out out;
    struct sb_table table = {0};
    struct sb_question q = {.since_ns = SB_NULL, .until_ns = SB_NULL, .width = sb_cli_width(STDERR_FILENO)};
    sb_arena_init(&arena);
    struct sb_ask ask = {c->profile, c->sql, &q, &arena};
    bool ok = sb_answer_run(sb_answer_find(SB_STR("summary")), &ask, &table, e) && sb_out_open(&out, NULL, e);
    if (ok) {
        sb_summary_write_first(&table, q.width, &out);
        ok = sb_out_close(&out, e);
    }
    sb_arena_close(&arena);
    return ok;
}

static int
analyse(const char *trace)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_cli_profile c;
    if (!sb_cli_profile_open(&c, trace, &e))
        return sb_cli_fail(&e);
    bool ok = send_text(&c, &e);
    int damage = sb_cli_profile_close(&c);
    return ok ? damage : sb_cli_fail(&e);
}

/* The child inherits the blocked signals: only the parent ends it. It writes to `pipe_end[1]`. -1: there is none. */
static pid_t
start(const char *trace, const int pipe_end[2])
{
    pid_t parent = getpid(), child = fork();
    if (child != 0)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(pipe_end[1], STDOUT_FILENO) < 0)
        _exit(1);
    close(pipe_end[0]);
    close(pipe_end[1]);
    _exit(analyse(trace));
}

/* ---- the parent ---- */

/* Collects what the child writes until it closes the pipe. True if a signal has ended the child before that. */
static bool
follow(pid_t child, int from, int signals, struct sb_out *text)
{
    struct pollfd p[] = {{.fd = from, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    struct signalfd_siginfo s;
    char buf[4096];
    for (ssize_t n = 1; n != 0;) {
        if (poll(p, 2, -1) < 0)
            continue;
        if (p[1].revents && read(signals, &s, sizeof s) == sizeof s) {
            kill(child, SIGKILL);
            return true;
        }
        n = p[0].revents ? read(from, buf, sizeof buf) : -1;
        if (n > 0)
            sb_out_bytes(text, buf, (size_t)n);
    }
    return false;
}

/* Only file systems without nameless files have anything of an unfinished profile. */
static void
remove_unfinished(const char *trace, pid_t child)
{
    char profile[SB_CLI_PATH];
    if (sb_engine_profile_path(trace, profile, sizeof profile))
        sb_out_remove_unfinished(profile, child);
    if ((size_t)snprintf(profile, sizeof profile, "%s.sbp", trace) < sizeof profile)
        sb_out_remove_unfinished(profile, child);
}

static void
print(bool stopped, int status, const struct sb_out *text)
{
    if (stopped)
        fprintf(stderr, "%sstrobe: the analysis was stopped; the trace is complete\n",
                isatty(STDERR_FILENO) == 1 ? "\r\033[K" : "");
    else if (WIFSIGNALED(status))
        fprintf(stderr, "strobe: the analysis was ended by signal %d; the trace is complete\n",
                WTERMSIG(status));
    else if (text->n > 0)
        fprintf(stderr, "\n%.*s\n", (int)text->n, text->buf);
}

void
sb_first_look(const struct sb_recorded *trace, unsigned when)
{
    int end[2], status = 0;
    if (!is_wanted(trace, when) || pipe(end) < 0)
        return;
    int signals = sb_signals_open(SB_SIGNALS_STOP);
    pid_t child = start(trace->path, end);
    close(end[1]);
    if (child < 0)
        fputs("strobe: no process for the analysis can be started; the trace is complete\n", stderr);
    if (child > 0) {
        struct sb_out text;
        sb_out_to_memory(&text);
        bool stopped = follow(child, end[0], signals, &text);
        waitpid(child, &status, 0);
        if (WIFSIGNALED(status))
            remove_unfinished(trace->path, child);
        print(stopped, status, &text);
        sb_out_abandon(&text);
    }
    close(end[0]);
    close(signals);
}
