/* The window of a flight recorder, which reads open chunks and the dictionary when it writes a trace. */
#include "live/drain/sink.h"

struct window {
    struct sb_flight *flight;
    struct sb_sbt_held held;
};

static struct sb_flight *
flight_of(struct sb_sink *s)
{
    return ((struct window *)s->state)->flight;
}

static bool
open_window(struct sb_sink *s, const struct sb_drain_options *o, struct sb_err *e)
{
    struct window *w = s->state = sb_zeroed_or_die(1, sizeof *w);
    s->held = &w->held;
    return sb_flight_open(&w->flight, s->layout, o->trace, o->level, &o->flight, e);
}

static void
look(struct sb_sink *s, int64_t now_ns)
{
    sb_flight_look(flight_of(s), now_ns);
}

static bool
put(struct sb_sink *s, const struct sb_sbt_block *b, const void *raw, uint64_t cpu_ns, struct sb_err *e)
{
    (void)e;
    sb_flight_put(flight_of(s), b, raw, cpu_ns);
    sb_sbt_hold(&((struct window *)s->state)->held, b);
    return true;
}

/* A trace begins in the pass after the one that was asked for it: all earlier events are in the rings by then. */
static bool
step(struct sb_sink *s, const struct sb_sink_moment *m, bool *busy, bool *reads, struct sb_err *e)
{
    (void)e;
    *reads = sb_flight_wants(flight_of(s), m->now_ns);
    if (!*reads)
        sb_flight_step(flight_of(s), m->now_ns, m->cpu_ns, s->cwd);
    *busy = sb_flight_is_busy(flight_of(s));
    return true;
}

/* A node that is gone cannot be asked any more: what led to its end is in the window. */
static bool
finish(struct sb_sink *s, const struct sb_sink_moment *m, struct sb_sbt_trailer *t, struct sb_err *e)
{
    (void)e;
    const char *why = m->alive ? NULL : "the node ended without ending its recording";
    *t = (struct sb_sbt_trailer){.stop = atomic_load(&s->layout->rings->stop), .drain_cpu_ns = m->cpu_ns};
    sb_flight_finish(flight_of(s), why, m->now_ns, m->cpu_ns, s->cwd);
    return true;
}

static void
close_window(struct sb_sink *s)
{
    struct window *w = s->state;
    sb_flight_close(w->flight);
    SB_VEC_FREE(&w->held.ring);
    free(w);
}

const struct sb_sink_type sb_sink_flight = {
    .open = open_window,
    .look = look,
    .put = put,
    .step = step,
    .finish = finish,
    .close = close_window,
};
