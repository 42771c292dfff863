/*
 * The analysis runs in a child process, so that a signal ends it at once and no failure of it, not even a lack of
 * memory, can harm the recorder. It may begin with the recording (beside.h). It is told the name of the trace when
 * that is complete; the text comes back and is printed only when it is whole:
 *
 *     strobe record ──fork──> analysis ──> T.sbp
 *           └── name ─────── socket ─────────┘
 *           └──<── text ────────┘
 */
#include "cli/record/first_look.h"
#include "answer/summary_row.h"
#include "base/signals.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "cli/record/beside.h"
#include "engine/engine.h"
#include "why/program/elixir.h"
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_EVENTS = 20000000 }; /* analysed in a few seconds: LIMITS.md has measurements */

static bool
is_asked_for(const struct sb_look *l)
{
    return l->report == SB_LOOK_ALWAYS || (l->report == SB_LOOK_AUTO && isatty(STDERR_FILENO) == 1);
}

static double
events_left(const struct sb_look *l, const struct sb_recorded *trace)
{
    double taken = l->beside && trace->bytes > 0 ? (double)atomic_load(l->taken) / (double)trace->bytes : 0;
    return taken < 1 ? (1 - taken) * (double)trace->totals.events : 0;
}

static bool
is_wanted(const struct sb_look *l, const struct sb_recorded *trace)
{
    if (!is_asked_for(l) || !trace->complete || trace->totals.events == 0)
        return false;
    if (l->report == SB_LOOK_ALWAYS || events_left(l, trace) <= MOST_EVENTS)
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
    SB_ARENA(arena);
    struct sb_out out;
    struct sb_table table = {0};
    struct sb_question q = {.since_ns = SB_NULL,
                            .until_ns = SB_NULL,
                            .width = sb_cli_width(STDERR_FILENO),
                            .elixir = sb_is_elixir(c->profile)};
    struct sb_ask ask = {c->profile, c->sql, &q, &arena};
    bool ok = sb_answer_run(sb_answer_find(SB_STR("summary")), &ask, &table, e) && sb_out_open(&out, NULL, e);
    if (ok) {
        sb_summary_write_first(&table, q.width, &out);
        ok = sb_out_close(&out, e);
    }
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

/* Up to its NUL. Fails where the parent does not want a look, or is gone. */
static bool
read_name(char name[SB_CLI_PATH])
{
    for (size_t n = 0; n < SB_CLI_PATH && read(STDIN_FILENO, name + n, 1) == 1; n++)
        if (name[n] == '\0')
            return true;
    return false;
}

static _Noreturn void
run_child(struct sb_look *l, pid_t parent, int talk)
{
    char name[SB_CLI_PATH];
    struct sb_beside beside;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent || dup2(talk, STDIN_FILENO) < 0 || dup2(talk, STDOUT_FILENO) < 0)
        _exit(1);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    if (l->beside)
        sb_beside_begin(&beside, l->beside, l->taken);
    if (!read_name(name))
        _exit(0);
    if (l->beside)
        sb_beside_end(&beside, name);
    _exit(analyse(name));
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

/* The child inherits the blocked signals: only the parent ends it. `beside`: a trace to take in while it is written. */
static bool
start(struct sb_look *l, const char *beside)
{
    int end[2];
    pid_t parent = getpid();
    l->beside = beside;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, end) < 0)
        return false;
    l->child = fork();
    if (l->child == 0)
        run_child(l, parent, end[1]);
    close(end[1]);
    l->talk = end[0];
    if (l->child < 0)
        close(l->talk);
    return l->child > 0;
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

static void
end(struct sb_look *l)
{
    if (l->taken)
        munmap((void *)l->taken, sizeof *l->taken);
    l->taken = NULL;
    l->beside = NULL;
    l->child = 0;
}

void
sb_look_begin(struct sb_look *l, const char *trace, uint32_t os_pid)
{
    if (l->child || l->analyze == SB_ANALYZE_AFTER || !is_asked_for(l) || !sb_beside_is_wanted())
        return;
    void *shared = mmap(NULL, sizeof *l->taken, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return;
    l->taken = shared;
    l->os_pid = os_pid;
    if (!start(l, trace))
        end(l);
}

void
sb_look_end(struct sb_look *l)
{
    if (l->child <= 0)
        return;
    kill(l->child, SIGKILL);
    waitpid(l->child, NULL, 0);
    if (l->beside)
        remove_unfinished(l->beside, l->child);
    close(l->talk);
    end(l);
}

/* The one that was begun, if it is of this trace and still there. */
static bool
child_for(struct sb_look *l, const struct sb_recorded *trace)
{
    if (l->child > 0 && (l->os_pid == 0 || l->os_pid == trace->os_pid) &&
        waitpid(l->child, NULL, WNOHANG) == 0)
        return true;
    sb_look_end(l);
    return start(l, NULL);
}

void
sb_first_look(struct sb_look *l, const struct sb_recorded *trace)
{
    int status = 0;
    if (!is_wanted(l, trace))
        return;
    int signals = sb_signals_open(SB_SIGNALS_STOP);
    if (!child_for(l, trace)) {
        fputs("strobe: no process for the analysis can be started; the trace is complete\n", stderr);
        end(l);
        return;
    }
    SB_OUT_TO_MEMORY(text);
    (void)!send(l->talk, trace->path, strlen(trace->path) + 1, MSG_NOSIGNAL);
    bool stopped = follow(l->child, l->talk, signals, &text);
    waitpid(l->child, &status, 0);
    if (WIFSIGNALED(status))
        remove_unfinished(trace->path, l->child);
    print(stopped, status, &text);
    close(l->talk);
    close(signals);
    end(l);
}
