#include "engine/growth.h"
#include "base/file.h"
#include "base/hash.h"
#include "engine/edges/edges.h"
#include "engine/input/inputs.h"
#include "engine/kept.h"
#include "engine/order/facts.h"
#include "engine/order/order.h"
#include "engine/out/emit.h"
#include "engine/steps.h"
#include "engine/world/waits.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WINDOWS_A_STEP = 8, MOST_RESTARTS = 3, WAIT_NS = 5000000 };

struct sb_growth {
    struct sb_run run;
    struct sb_engine_options o;
    char *trace, *path;
    struct sb_order *order; /* NULL: not begun */
    struct sb_dispatch dispatch;
    uint64_t facts;  /* hash of what the source stated when the run began */
    bool has_window; /* at least one was made, with this: */
    bool vm_truth;   /* and what was recorded: */
    uint64_t recorded;
    bool loses;              /* the trace has shown it by now */
    bool is_begun, is_ended; /* the file of the profile */
    bool misled;             /* what was used is not what the trace says now */
    unsigned restarts;
    int64_t shown_ns; /* the end of the last edition */
    uint64_t taken;   /* bytes of the trace */
};

/* ---- beginning ---- */

static const struct sb_source_info *
info_of(const struct sb_growth *g)
{
    return sb_source_info(g->run.inputs.at[0].source);
}

/* What the passes use of it. The rest is needed at the end only. */
static uint64_t
facts_of(const struct sb_source_info *info)
{
    SB_OUT_TO_MEMORY(facts);
    sb_out_str(&facts, info->node_name);
    sb_out_bytes(&facts, &info->vm, sizeof info->vm);
    sb_out_bytes(&facts, &info->recorded, sizeof info->recorded);
    sb_out_bytes(&facts, &info->creation, sizeof info->creation);
    return sb_hash(facts.buf, facts.n);
}

static void
end_run(struct sb_growth *g)
{
    struct sb_run *r = &g->run;
    sb_order_close(g->order);
    if (g->is_begun && !g->is_ended) {
        sb_emit_wait(r->services.emit);
        sb_build_abandon(r->services.build);
    }
    sb_steps_close(r);
    g->order = NULL;
    g->is_begun = g->has_window = g->misled = false;
}

static bool
begin_run(struct sb_growth *g, bool *has_begun, struct sb_err *e)
{
    struct sb_run *r = &g->run;
    const char *trace = g->trace;
    struct sb_source_growth grown;
    *r = (struct sb_run){.o = &g->o, .path = g->path, .grows = true, .facts.loses = g->loses};
    r->services.pool = sb_pool_open(g->o.threads);
    r->services.workers = sb_pool_threads(r->services.pool);
    SB_TRY(sb_inputs_open(r, &trace, 1, e) && sb_clocks_align(r, &trace, 1, e));
    SB_TRY(sb_source_grow(r->inputs.at[0].source, &grown, e));
    g->taken = grown.taken;
    *has_begun = grown.has_begun;
    if (!*has_begun)
        return true;
    sb_steps_open(r);
    g->is_begun = sb_steps_begin(r, &trace, 1, e);
    g->order = sb_order_open(r);
    g->facts = facts_of(info_of(g));
    return g->is_begun;
}

struct sb_growth *
sb_growth_open(const char *trace, const char *path, const struct sb_engine_options *o)
{
    struct sb_growth *g = SB_HEAP(struct sb_growth, .o = *o, .trace = strdup(trace), .path = strdup(path),
                                  .shown_ns = INT64_MIN);
    if (!g->trace || !g->path)
        sb_out_of_memory(strlen(trace));
    sb_pass_layout(&g->dispatch);
    return g;
}

void
sb_growth_close(struct sb_growth *g)
{
    if (!g)
        return;
    if (g->order)
        end_run(g);
    free(g->trace);
    free(g->path);
    free(g);
}

/* ---- steps ---- */

/* Returns whether the run has to end, because the trace says by now what the passes did not know. */
static bool
has_to_start_over(struct sb_growth *g, const struct sb_source_growth *grown)
{
    struct sb_run *r = &g->run;
    bool lost = !r->facts.loses && sb_facts_lost_any(r);
    g->loses |= lost;
    g->misled |= lost || grown->misled || sb_order_misled(g->order) || sb_waits_contradicted(r->waits) ||
                 g->facts != facts_of(info_of(g)) ||
                 (g->has_window && (g->vm_truth != r->facts.vm_truth || g->recorded != r->facts.recorded));
    return lost || (g->misled && g->restarts < MOST_RESTARTS);
}

static enum sb_grown
start_over(struct sb_growth *g)
{
    end_run(g);
    g->restarts++;
    return SB_GROWN_SOME;
}

static enum sb_grown
at_the_end(const struct sb_growth *g, const struct sb_source_growth *grown)
{
    if (!grown->whole)
        return SB_GROWN_ALL;
    return grown->broken || g->misled ? SB_GROWN_BROKEN : SB_GROWN_WHOLE;
}

static enum sb_grown
take_windows(struct sb_growth *g, const struct sb_source_growth *grown, struct sb_err *e)
{
    struct sb_run *r = &g->run;
    for (unsigned n = 0; n < WINDOWS_A_STEP; n++) {
        sb_waits_expect(r->waits, sb_names_count(r->names));
        if (!sb_order_next(g->order, e))
            return e->code != SB_OK ? SB_GROWN_FAILED : at_the_end(g, grown);
        sb_steps_window(r, &g->dispatch);
        if (!g->has_window) {
            g->vm_truth = r->facts.vm_truth;
            g->recorded = r->facts.recorded;
        }
        g->has_window = true;
    }
    return SB_GROWN_SOME;
}

static enum sb_grown
go_on(struct sb_growth *g, struct sb_err *e)
{
    struct sb_source_growth grown;
    sb_order_rest(g->order);
    if (!sb_source_grow(g->run.inputs.at[0].source, &grown, e))
        return SB_GROWN_FAILED;
    g->taken = grown.taken;
    if (has_to_start_over(g, &grown))
        return start_over(g);
    if (!sb_order_grow(g->order, grown.known_ns, e))
        return SB_GROWN_FAILED;
    enum sb_grown how = take_windows(g, &grown, e);
    if (how != SB_GROWN_FAILED && has_to_start_over(g, &grown))
        return start_over(g);
    return how == SB_GROWN_WHOLE ? at_the_end(g, &grown) : how; /* the last events may mislead it, too */
}

enum sb_grown
sb_growth_step(struct sb_growth *g, struct sb_err *e)
{
    bool has_begun = g->order != NULL, ok = has_begun || begin_run(g, &has_begun, e);
    if (ok && has_begun)
        return go_on(g, e);
    end_run(g);
    return ok ? SB_GROWN_NOT_YET : SB_GROWN_FAILED;
}

bool
sb_growth_has_more(const struct sb_growth *g)
{
    return g->order && g->has_window && g->run.axis.window_end > g->shown_ns;
}

uint64_t
sb_growth_taken(const struct sb_growth *g)
{
    return g->taken;
}

/* ---- editions ---- */

/*
 * In the copy of the process, which has a file of its own and leaves those of the first one alone. Other threads of the
 * process do not exist in the copy, so it must not need a lock that one of them may have held. The engine with one
 * thread shares no lock with any other: those of names, source, reader and pool belong to this run. It uses two things
 * of the C library that have locks. Memory: fork prepares it (glibc, musl since 1.2.2). Streams: none is written to.
 */
static bool
end_here(struct sb_growth *g, const char *path, struct sb_err *e)
{
    struct sb_run *r = &g->run;
    r->edges->file.full = true;
    SB_TRY(sb_build_go_on(r->services.build, path, true, e));
    sb_build_private_as(r->services.build, g->trace);
    sb_source_end_here(r->inputs.at[0].source, r->axis.window_end);
    sb_order_end_here(g->order);
    return sb_steps_end(r, e);
}

/* A connection of the server stays open as long as any process has it. */
static void
close_sockets(void)
{
    struct stat st;
    SB_SCOPED_DIR DIR *all = opendir("/proc/self/fd");
    for (struct dirent *d; all && (d = readdir(all));) {
        uint64_t fd;
        if (sb_str_to_u64(sb_str_of(d->d_name), &fd) && fd <= INT_MAX && fstat((int)fd, &st) == 0 &&
            S_ISSOCK(st.st_mode))
            close((int)fd);
    }
}

static _Noreturn void
run_copy(struct sb_growth *g, const char *path, pid_t first, struct sb_err *e)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != first)
        _exit(1);
    close_sockets();
    _exit(!end_here(g, path, e));
}

/* Waits for the copy, and ends it if the analysis is stopped. */
static bool
wait_for(const struct sb_growth *g, pid_t copy, int64_t *cpu_ns)
{
    struct rusage u = {0};
    int status = -1;
    for (pid_t ended; (ended = wait4(copy, &status, WNOHANG, &u)) != copy;) {
        if (ended < 0 && errno != EINTR)
            return false;
        if (g->o.progress && !g->o.progress(g->o.ctx, 0, 0))
            kill(copy, SIGKILL);
        nanosleep(&(struct timespec){.tv_nsec = WAIT_NS}, NULL);
    }
    int64_t us = (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000 + u.ru_utime.tv_usec + u.ru_stime.tv_usec;
    *cpu_ns = us * 1000;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool
sb_growth_edition(struct sb_growth *g, const char *path, int64_t *cpu_ns, struct sb_err *e)
{
    struct sb_err *said = mmap(NULL, sizeof *said, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    SB_ASSERT(g->run.services.workers == 1);
    if (said == MAP_FAILED)
        return sb_err_errno(e, "copy the analysis");
    sb_err_set(said, SB_ERR_SYSTEM, "the copy of the analysis was ended");
    pid_t first = getpid(), copy = fork();
    if (copy == 0)
        run_copy(g, path, first, said);
    bool ok = copy > 0 ? wait_for(g, copy, cpu_ns) : sb_err_errno(said, "copy the analysis");
    if (ok)
        g->shown_ns = g->run.axis.window_end;
    else
        *e = *said;
    munmap(said, sizeof *said);
    return ok;
}

bool
sb_growth_finish(struct sb_growth *g, const char *path, const char *identity, struct sb_err *e)
{
    struct sb_run *r = &g->run;
    SB_TRY(sb_build_go_on(r->services.build, path, false, e));
    sb_build_private_as(r->services.build, g->trace);
    g->o.trace = identity;
    g->is_ended = true;
    return sb_steps_end(r, e);
}

bool
sb_growth_keep(struct sb_growth *g, const char *trace, char *profile_path, size_t cap)
{
    char identity[SB_TRACE_IDENTITY_MAX];
    struct sb_err ignored;
    enum sb_grown how;
    bool fits;
    sb_trace_identity(trace, identity);
    if (!sb_engine_profile_place(trace, identity, profile_path, cap, &fits, &ignored))
        return false;
    if (fits)
        return true;
    do
        how = sb_growth_step(g, &ignored);
    while (how == SB_GROWN_SOME);
    return how == SB_GROWN_WHOLE && sb_growth_finish(g, profile_path, identity, &ignored);
}
