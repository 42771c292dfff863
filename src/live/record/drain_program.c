#include "live/record/drain_program.h"
#include "live/record/start.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESTARTS = 3 };

struct arguments {
    struct sb_arena *a;
    SB_VEC(const char *) of;
};

static void
add(struct arguments *g, const char *name, uint64_t v)
{
    *SB_PUSH(&g->of) = name;
    *SB_PUSH(&g->of) = sb_arena_printf(g->a, "%llu", (unsigned long long)v).p;
}

static void
add_flight(struct arguments *g, const struct sb_flight_options *f)
{
    add(g, "--flight", (uint64_t)f->window_ns);
    add(g, "--window-bytes", f->max_bytes);
    add(g, "--keep", f->keep);
    for (unsigned i = 0; i < f->n_when; i++) {
        *SB_PUSH(&g->of) = "--when";
        *SB_PUSH(&g->of) = f->when[i];
    }
}

bool
sb_drain_program_start(struct sb_drain_program *d, const struct sb_record_options *o, struct sb_arena *a,
                       struct sb_err *e)
{
    struct arguments g = {.a = a};
    *SB_PUSH(&g.of) = d->path;
    add(&g, "--level", (uint64_t)o->level);
    add(&g, "--max-events", o->max_events);
    add(&g, "--max-bytes", o->max_bytes);
    add(&g, "--max-ns", (uint64_t)o->what.max_ns);
    if (o->what.cpu_hz)
        add(&g, "--cpu", o->what.cpu_hz);
    if (o->what.cpu_told)
        add(&g, "--cpu-told", 1);
    if (d->keeps_map || (o->what.cpu_told && !o->what.cpu_mapped))
        add(&g, "--keep-map", 1);
    if (o->flight.window_ns)
        add_flight(&g, &o->flight);
    *SB_PUSH(&g.of) = d->rings;
    *SB_PUSH(&g.of) = d->trace;
    *SB_PUSH(&g.of) = NULL;
    bool ok = sb_start_drain(&d->pid, (char *const *)g.of.at, e);
    SB_VEC_FREE(&g.of);
    return ok;
}

bool
sb_drain_program_ended(struct sb_drain_program *d, int status, const struct sb_record_options *o,
                       struct sb_arena *a, struct sb_err *e)
{
    d->pid = 0;
    d->status = status;
    bool again = WIFSIGNALED(status) && access(d->rings, F_OK) == 0 && d->restarts++ < RESTARTS;
    return !again || sb_drain_program_start(d, o, a, e);
}
