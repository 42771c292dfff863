/* The state of a replay: cores with their queues, lines, messages, and what happens next. */
#pragma once
#include "why/predict/moments.h"
#include "why/predict/replay.h"

enum { SB_NO_LINE = 0 };
enum { SB_IS_SENT = 1, SB_IS_AWAITED = 2 }; /* of a message */

struct sb_replay_core {
    uint32_t line;       /* that it runs; SB_NO_LINE: none */
    bool is_waking;      /* it was called, and will look for a line */
    uint32_t head, tail; /* its queue: lines, linked by `link` */
    uint32_t place;      /* in `idle` */
    int64_t since;       /* it runs the present line */
    int64_t pressure;    /* reductions of lines before those that wait in its queue, since a core was woken */
};
struct sb_replay_line {
    uint32_t next, end; /* operations */
    uint32_t link;      /* the next line in the same queue */
    uint32_t core : 29; /* where it ran last */
    bool waits : 1;     /* for the end of a WAIT */
    bool is_dirty : 1;  /* it has a dirty scheduler, or waits for one */
    bool has_turn : 1;  /* it is one of the lines of its process that may run */
};

struct sb_replay_state {
    const struct sb_ops *o;
    const struct sb_replay_plan *plan;
    struct {
        bool any;
        int64_t send_ns, ready_ns, wake_ns, move_ns, receive_ns, dispatch_ns,
            start_ns; /* what one takes on the mean */
    } cost;
    uint32_t schedulers, cores; /* asked for; those that could ever be busy */
    bool full;
    uint64_t roots_left; /* lines of the root that have not ended */
    int64_t now, beside; /* `beside`: something happens on another core, or off the cores */
    uint64_t n_ready;
    struct sb_moments moments;
    struct sb_replay_core *core;
    uint32_t *queued; /* by core */
    uint32_t *idle, n_idle;
    struct sb_replay_line *line;
    uint8_t *message;       /* two bits each, so that those of a large run stay in the cache */
    uint32_t *waiter;       /* by message, where one waits for it */
    uint32_t *turns;        /* by process: how many further lines may run */
    uint32_t *first, *last; /* by process: lines that wait for their turn, linked by `link` */
    struct {
        bool on_cores; /* no core is left for the dirty schedulers: they use those of the normal ones */
        uint32_t free, head, tail; /* idle ones; lines that wait for one, linked by `link` */
    } dirty;
};
static inline unsigned
sb_replay_message(const struct sb_replay_state *r, uint32_t m)
{
    return r->message[m / 4] >> m % 4 * 2 & 3;
}
static inline void
sb_replay_mark(struct sb_replay_state *r, uint32_t m, unsigned is)
{
    r->message[m / 4] |= (uint8_t)(is << m % 4 * 2);
}
void sb_replay_state_open(struct sb_replay_state *r, const struct sb_replay_plan *plan, uint32_t cores);
void sb_replay_state_close(struct sb_replay_state *r);
