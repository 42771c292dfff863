#include "why/predict/span.h"
#include "base/vec.h"

enum { NOBODY = 0, NOT_SENT = -1 };

/* Each line advances on a clock of its own until it needs a message that has no time yet; the sender lets it go on. */
struct chain {
    const struct sb_ops *o;
    const struct sb_replay_plan *plan;
    uint32_t *next;   /* by line: operation */
    int64_t *clock;   /* by line */
    int64_t *sent;    /* by message: when, or NOT_SENT */
    uint32_t *waiter; /* by message: the line that needs it */
    uint32_t *ready;  /* a stack of lines */
    uint64_t n_ready;
};

static const struct sb_replay_costs *
costs_of(const struct chain *c, uint32_t m)
{
    return c->plan->free && c->plan->free[m] ? NULL : c->plan->costs;
}

static void
send(struct chain *c, uint32_t line, uint32_t m)
{
    const struct sb_replay_costs *costs = costs_of(c, m);
    c->sent[m] = c->clock[line];
    if (costs)
        c->clock[line] += (int64_t)costs->send;
    if (c->waiter[m] != NOBODY)
        c->ready[c->n_ready++] = c->waiter[m];
}

/* Returns false if the message has no time yet. */
static bool
receive(struct chain *c, uint32_t line, const struct sb_op *op)
{
    const struct sb_replay_costs *costs = costs_of(c, op->arg);
    int64_t sent = c->sent[op->arg];
    if (sent == NOT_SENT) {
        c->waiter[op->arg] = line;
        return false;
    }
    if (sent >= c->clock[line])
        c->clock[line] = sent + (costs ? (int64_t)(costs->start + costs->change + costs->dispatch) : 0);
    else if (costs && !op->woken)
        c->clock[line] += (int64_t)costs->receive;
    return true;
}

/* Runs a line until it ends or needs a message; where it stopped for one, the work before that is done. */
static void
advance(struct chain *c, uint32_t line)
{
    const struct sb_ops *o = c->o;
    uint32_t end = o->from[line + 1], i = c->next[line];
    bool done = i < end && o->op[i].kind == SB_OP_RECV && c->waiter[o->op[i].arg] == line;
    for (; i < end; i++) {
        const struct sb_op *op = &o->op[i];
        c->clock[line] += done ? 0 : op->work_ns;
        done = false;
        if (op->kind == SB_OP_SEND)
            send(c, line, op->arg);
        else if (op->kind == SB_OP_WAIT || op->kind == SB_OP_DIRTY)
            c->clock[line] += c->plan->is_least && op->unexplained ? 0 : o->waits[op->arg];
        else if (op->kind == SB_OP_RECV && !receive(c, line, op))
            break;
    }
    c->next[line] = i;
    c->clock[line] += i == end ? o->rest_ns[line] : 0;
}

/* When the root has ended, with all its lines; NOT_SENT: it waits for ever. */
static int64_t
end_of(const struct chain *c)
{
    int64_t ns = 0;
    for (uint32_t line = 1; line <= c->o->n_lines; line++) {
        if (c->o->process[line] != c->o->root)
            continue;
        if (c->next[line] < c->o->from[line + 1])
            return NOT_SENT;
        ns = ns > c->clock[line] ? ns : c->clock[line];
    }
    return ns;
}

static int64_t
find(const struct sb_replay_plan *plan)
{
    const struct sb_ops *o = plan->ops;
    uint64_t lines = o->n_lines + 1;
    struct chain c = {.o = o,
                      .plan = plan,
                      .next = sb_zeroed_or_die(lines + 1, sizeof *c.next),
                      .clock = sb_zeroed_or_die(lines + 1, sizeof *c.clock),
                      .sent = sb_zeroed_or_die(o->n_messages + 1, sizeof *c.sent),
                      .waiter = sb_zeroed_or_die(o->n_messages + 1, sizeof *c.waiter),
                      .ready = sb_zeroed_or_die(lines + 1, sizeof *c.ready)};
    memset(c.sent, 0xff, o->n_messages * sizeof *c.sent);
    for (uint32_t line = 1; line < lines; line++)
        c.next[line] = o->from[line];
    for (uint32_t line = 1; line < lines; line++) {
        advance(&c, line);
        while (c.n_ready > 0)
            advance(&c, c.ready[--c.n_ready]);
    }
    int64_t ns = end_of(&c);
    free(c.next);
    free(c.clock);
    free(c.sent);
    free(c.waiter);
    free(c.ready);
    return ns;
}

struct sb_replay
sb_span_find(const struct sb_replay_plan *plan)
{
    int64_t ns = find(plan);
    return ns == NOT_SENT ? sb_replay_run(plan, (uint32_t)plan->ops->n_lines + 1)
                          : (struct sb_replay){.ns = ns};
}
