#include "cli/frame/members.h"
#include "base/signals.h"
#include "live/record/recorded.h"
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

const char *
sb_member_trace(const char *trace, const char *target, struct sb_arena *a)
{
    char *name = (char *)sb_arena_str(a, sb_str_of(target)).p;
    for (char *p = name; *p; p++)
        *p = *p == '/' ? '_' : *p;
    struct sb_str stem = sb_str_of(trace);
    stem.n -= sb_str_ends(stem, SB_STR(".sbt")) ? 4 : 0;
    return sb_arena_printf(a, "%.*s.%s.sbt", SB_STR_ARG(stem), name).p;
}

void
sb_member_begin(struct sb_member *m, sb_member_run *run, void *ctx)
{
    pid_t parent = getpid();
    m->code = 1;
    m->pid = fork();
    if (m->pid < 0)
        fprintf(stderr, "strobe: no process for %s can be started\n", m->target);
    m->pid = m->pid < 0 ? 0 : m->pid;
    if (m->pid != 0 || getpid() == parent)
        return;
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    _exit(getppid() == parent ? run(m->target, m->trace, ctx) : 1);
}

void
sb_members_add(struct sb_members *m, const char *target, const char *trace)
{
    struct sb_member *x = SB_PUSH(m);
    *x = (struct sb_member){.target = target, .trace = trace};
    sb_recorded_keep_old(trace); /* it would be taken for this one */
    sb_member_begin(x, m->run, m->ctx);
}

struct sb_member *
sb_members_find(const struct sb_members *m, const char *target)
{
    for (size_t i = m->n; i-- > 0;)
        if (strcmp(m->at[i].target, target) == 0)
            return &m->at[i];
    return NULL;
}

static void
reap(struct sb_member *x, int status, bool several)
{
    x->pid = 0;
    x->code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
    if (x->code && several)
        fprintf(stderr, "strobe: %s was not recorded as it should be; its error is above\n", x->target);
}

size_t
sb_members_running(struct sb_members *m)
{
    size_t running = 0;
    for (struct sb_member *x = m->at; x < m->at + m->n; x++) {
        int status;
        if (x->pid && waitpid(x->pid, &status, WNOHANG) == x->pid)
            reap(x, status, m->n > 1);
        running += x->pid != 0;
    }
    return running;
}

void
sb_members_end(const struct sb_members *m)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->at[i].pid)
            kill(m->at[i].pid, SIGTERM);
}

void
sb_members_wait(struct sb_members *m, int signals)
{
    while (sb_members_running(m) > 0) {
        struct pollfd p = {.fd = signals, .events = POLLIN};
        poll(&p, 1, 1000);
        if (p.revents && sb_signals_ask_to_stop(signals))
            sb_members_end(m);
    }
}

size_t
sb_members_traces(const struct sb_members *m, const char **trace)
{
    size_t found = 0;
    for (const struct sb_member *x = m->at; x < m->at + m->n; x++)
        if (access(x->trace, F_OK) == 0)
            trace[found++] = x->trace;
    return found;
}

int
sb_members_close(struct sb_members *m)
{
    int code = 0;
    for (size_t i = 0; i < m->n; i++)
        code = m->at[i].code > code ? m->at[i].code : code;
    SB_VEC_FREE(m);
    return code;
}
