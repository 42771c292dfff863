/*
 * strobe-drain: writes the rings of a node to a trace file. It is a separate program, small and static, so
 * that a crash of the drain, the node or the user's shell does not affect the others.
 *
 *     strobe-drain [OPTION N]... RINGS TRACE      (live/drain/drain.h lists the options)
 */
#include "base/file.h"
#include "live/drain/drain.h"
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* SIGTERM: somebody asks for the end. SIGALRM: the time of a recording of several VMs is over. */
static volatile sig_atomic_t stop_signal;

static void
on_signal(int signal)
{
    stop_signal = signal;
}

/* Signals come during the wait alone: one that came just before it would be noticed after it. */
static void
wait_a_little(struct sb_drain *d)
{
    struct pollfd p[] = {{.fd = sb_drain_node_fd(d), .events = POLLIN},
                         {.fd = sb_drain_wake_fd(d), .events = POLLIN},
                         {.fd = sb_drain_cpu_fd(d), .events = POLLIN}}; /* poll ignores -1 */
    int ms = sb_drain_wait_ms(d);
    struct timespec wait = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    sigset_t none;
    sigemptyset(&none);
    if (ppoll(p, sizeof p / sizeof *p, &wait, &none) > 0 && (p[0].revents & POLLIN))
        sb_drain_node_is_gone(d);
    if (stop_signal)
        sb_drain_stop(d, stop_signal == SIGALRM ? SB_STOP_TIME : SB_STOP_USER);
}

static bool
drain(const struct sb_drain_options *o, struct sb_err *e)
{
    struct sb_drain *d;
    enum sb_drained now;
    char summary[200];
    SB_TRY(sb_drain_open(&d, o, e));
    while ((now = sb_drain_step(d, e)) == SB_DRAIN_MORE)
        wait_a_little(d);
    if (now == SB_DRAIN_DONE && o->summary)
        (void)!write(STDOUT_FILENO, summary, sb_drain_summary(d, summary, sizeof summary));
    sb_drain_close(d);
    return now == SB_DRAIN_DONE;
}

int
main(int argc, char **argv)
{
    struct sb_drain_options o;
    struct sb_err e = {0};
    if (!sb_drain_options_read(&o, argc - 1, (const char *const *)argv + 1)) {
        fputs("usage: strobe-drain [--level N] [--max-events N] [--max-bytes N] [--max-ns N] [--summary 1] "
              "[--cpu HZ] [--cpu-told 1] [--flight NS] [--window-bytes N] [--keep N] [--when TEXT]... RINGS "
              "TRACE\n",
              stderr);
        return 2;
    }
    setsid(); /* Ctrl-C is meant for the recorded program and for strobe record */
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a write beyond ulimit -f is an error instead */
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGALRM);
    sigprocmask(SIG_BLOCK, &stop, NULL);
    signal(SIGTERM, on_signal);
    signal(SIGALRM, on_signal);
    sb_file_survive_shrinking(); /* a hostile node can cut its rings short */
    o.waits = true;
    if (drain(&o, &e))
        return 0;
    sb_err_print(&e, stderr);
    return sb_err_exit_code(&e);
}
