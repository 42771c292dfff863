#include "cli/record/recording.h"
#include "base/signals.h"
#include "cli/record/attached.h"
#include "cli/frame/members.h"
#include <fcntl.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct nodes {
    struct sb_recording_options *r;
    struct sb_arena *a;
    struct sb_members members;
    struct sb_member command;
    sb_record_command *record;
    int signals;
    int begun[2];  /* a pipe; a member closes its end when its recording has begun */
    int traces[2]; /* a pipe for the paths of the command's traces */
};

typedef SB_VEC(const char *) targets;

/* ---- in the process of a node */

static void
has_begun(void *ctx, const struct sb_attach_begun *b)
{
    const struct nodes *n = ctx;
    sb_attached_print_plan(&n->r->o, b);
    close(n->begun[1]);
}

static int
record_node(const char *target, const char *trace, void *ctx)
{
    struct nodes *n = ctx;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_attach_result r = {0};
    n->r->o.trace = trace; /* this process records only this node */
    n->r->o.what.delay_ns = 0;
    struct sb_attach_options o = {
        .target = target, .how = &n->r->o, .force = n->r->force, .begun = has_begun, .ctx = n};
    close(n->begun[0]);
    bool ok = sb_attach(&o, n->a, &r, &e);
    if (ok || r.node.n)
        sb_attached_print(&r, &n->r->look, ok);
    int code = ok ? r.left.n > 0 : sb_cli_fail(&e);
    SB_VEC_FREE(&r.left);
    return code;
}

/* ---- in the process of the command */

static int
record_command(const char *target, const char *trace, void *ctx)
{
    struct nodes *n = ctx;
    (void)target, (void)trace;
    SB_OUT_TO_MEMORY(traces);
    int code = n->record(n->r, &traces, n->a);
    for (size_t at = 0; at < traces.n;) {
        ssize_t wrote = write(n->traces[1], traces.buf + at, traces.n - at);
        if (wrote <= 0)
            break;
        at += (size_t)wrote;
    }
    return code;
}

/* ---- in the process of strobe */

/* False: a signal asks to stop before each node records or has refused. */
static bool
await_nodes(struct nodes *n)
{
    struct pollfd p[] = {{.fd = n->signals, .events = POLLIN}, {.fd = n->begun[0], .events = POLLIN}};
    close(n->begun[1]);
    do {
        poll(p, 2, -1);
        if (p[0].revents && sb_signals_ask_to_stop(n->signals))
            return false;
    } while (!p[1].revents); /* the end of the pipe */
    close(n->begun[0]);
    return true;
}

/* The terminal sends Ctrl-C to all processes; what only strobe got is passed on. */
static void
pass_on(struct nodes *n, const struct signalfd_siginfo *s)
{
    if (s->ssi_signo == SIGCHLD || s->ssi_code == SI_KERNEL)
        return;
    kill(n->command.pid, (int)s->ssi_signo);
    sb_members_end(&n->members);
}

static void
run_command(struct nodes *n)
{
    struct sb_members one = {.at = &n->command, .n = 1};
    struct pollfd p = {.fd = n->signals, .events = POLLIN};
    sb_member_begin(&n->command, record_command, n);
    close(n->traces[1]);
    while (sb_members_running(&one) > 0) {
        struct signalfd_siginfo s;
        poll(&p, 1, 1000);
        while (read(n->signals, &s, sizeof s) == sizeof s)
            pass_on(n, &s);
    }
}

/* The traces of the command, whose process has ended, and those of the nodes. */
static void
print_traces(struct nodes *n)
{
    SB_SCOPED SB_VEC(const char *) all = {0};
    char *path = sb_arena_alloc(n->a, 1 << 16, 1); /* what a pipe holds; zeroed */
    ssize_t got = read(n->traces[0], path, (1 << 16) - 1);
    for (const char *end = path + (got > 0 ? got : 0); path < end; path += strlen(path) + 1)
        *SB_PUSH(&all) = path;
    const char **trace = sb_zeroed_or_die(n->members.n, sizeof *trace);
    size_t found = sb_members_traces(&n->members, trace);
    for (size_t i = 0; i < found; i++)
        *SB_PUSH(&all) = trace[i];
    if (all.n > 1)
        sb_recorded_print_all(all.at, all.n, n->a);
    free(trace);
}

static int
record(struct nodes *n, const targets *target)
{
    n->signals = sb_signals_open(SB_SIGNALS_STOP_AND_CHILD);
    if (n->signals < 0 || pipe2(n->begun, O_CLOEXEC) != 0 || pipe2(n->traces, O_CLOEXEC) != 0) {
        struct sb_err e = {.at_byte = SB_NO_BYTE};
        sb_err_errno(&e, "start the recordings");
        return sb_cli_fail(&e), SB_CLI_OWN_FAILURE;
    }
    n->members = (struct sb_members){.run = record_node, .ctx = n};
    for (size_t i = 0; i < target->n; i++)
        sb_members_add(&n->members, target->at[i], sb_member_trace(n->r->o.trace, target->at[i], n->a));
    n->command = (struct sb_member){.target = "the command", .code = SB_CLI_OWN_FAILURE};
    if (await_nodes(n))
        run_command(n);
    else
        fprintf(stderr, "strobe: stopped before each node was reached: %s was not started\n",
                n->r->o.command[0]);
    sb_members_end(&n->members);
    sb_members_wait(&n->members, n->signals);
    print_traces(n);
    int failed = sb_members_close(&n->members);
    return n->command.code ? n->command.code : failed ? SB_CLI_OWN_FAILURE : 0;
}

static const char *
misused(const struct sb_recording_options *r)
{
    return !r->nodes               ? "--force is of --nodes"
           : r->runs || r->against ? "--nodes records one run: leave --runs and --against out"
           : r->o.flight.window_ns ? "--nodes records whole runs: leave --flight out"
                                   : NULL;
}

/* "a@h,b@h"; returns what is wrong with it, or NULL. */
static const char *
read_nodes(targets *t, const char *nodes, struct sb_arena *a)
{
    struct sb_str rest = sb_str_of(nodes);
    for (bool more = true; more;) {
        more = sb_str_find(rest, ',') < rest.n;
        struct sb_str name = sb_arena_str(a, sb_str_cut(&rest, ','));
        for (size_t i = 0; i < t->n; i++)
            if (strcmp(t->at[i], name.p) == 0)
                return "--nodes has a node twice";
        if (name.n == 0)
            return "--nodes takes names of nodes with a comma between two: a@h,b@h";
        *SB_PUSH(t) = name.p;
    }
    return NULL;
}

int
sb_record_nodes(struct sb_recording_options *r, sb_record_command *command, struct sb_arena *a)
{
    struct nodes n = {.r = r, .a = a, .record = command};
    SB_SCOPED targets target = {0};
    const char *wrong = misused(r);
    wrong = wrong ? wrong : read_nodes(&target, r->nodes, a);
    int code = wrong ? sb_cli_usage("record", "%s", wrong) : sb_recording_check(r, "record", a);
    r->look.report = SB_LOOK_NEVER; /* nodes would be recorded meanwhile */
    if (code == 0)
        code = record(&n, &target);
    return code;
}
