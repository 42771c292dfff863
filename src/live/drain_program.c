#include "live/drain_program.h"
#include "base/vec.h"
#include "live/start.h"
#include <signal.h>

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
sb_drain_program_start(pid_t *pid, const char *program, const struct sb_drain_options *o, struct sb_arena *a,
                       struct sb_err *e)
{
    struct arguments g = {.a = a};
    *SB_PUSH(&g.of) = program;
    add(&g, "--level", (uint64_t)o->level);
    add(&g, "--max-events", o->max_events);
    add(&g, "--max-bytes", o->max_bytes);
    add(&g, "--max-ns", (uint64_t)o->max_ns);
    if (o->flight.window_ns)
        add_flight(&g, &o->flight);
    *SB_PUSH(&g.of) = o->rings;
    *SB_PUSH(&g.of) = o->trace;
    *SB_PUSH(&g.of) = NULL;
    bool ok = sb_start_blocking(pid, (char *const *)g.of.at, SIGTERM, e); /* it ends the recording */
    SB_VEC_FREE(&g.of);
    return ok;
}
