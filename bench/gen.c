/*
 * Makes traces of any size to measure with: a small world of processes on schedulers that send, receive,
 * wait, collect and spawn, so that whatever reads the trace sees sane causes and effects. The mix of records
 * and their sizes are those of Percept2's own case (about 125 bytes a record) or of fprof's (calls and
 * returns), or each process lives for a moment.
 *
 *     strobe-gen [--format otp|sbt] [--mix percept|fprof|spawn] [--events N | --bytes N] [--processes N]
 *                [--schedulers N] [--seed N] -o FILE
 *
 * The world (simulate) knows nothing of bytes; the writers (bench/gen_otp.c, bench/gen_sbt.c) nothing of the
 * world.
 */
#include "gen.h"
#include "cli/frame/cli.h"
#include <stdlib.h>
#include <string.h>

enum { MAILBOX = 32, MODULES = 40, FUNCTIONS = 25 };

struct letter {
    uint32_t seq, payload;
};

struct process {
    sb_actor pid;
    struct letter mailbox[MAILBOX];
    uint32_t head, waiting, loop;
    uint64_t heap;
    bool queued, worker;
};

struct world {
    const struct gen_format *format;
    void *to;
    uint64_t random, events, most_events, most_bytes;
    int64_t step_ns; /* of time */
    struct process *process;
    uint32_t n_processes, n_schedulers, next_number, seq;
    uint32_t *queue, queue_head, queued;
    int64_t *clock_ns; /* of each scheduler */
    bool calls, spawns;
    uint64_t lose_each, emitted; /* one record in so many is lost; 0: none */
};

static uint32_t
dice(struct world *w, uint32_t sides)
{
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return (uint32_t)((w->random >> 32) * sides >> 32);
}

static bool
enough(const struct world *w)
{
    return w->events >= w->most_events || w->format->written(w->to) >= w->most_bytes;
}

static void
emit(struct world *w, struct gen_record r)
{
    if (w->lose_each && ++w->emitted % w->lose_each == 0)
        w->format->lose(w->to, &r);
    else
        w->events += w->format->write(w->to, &r);
}

static void
make_runnable(struct world *w, uint32_t p, int64_t at_ns)
{
    if (w->process[p].queued)
        return;
    w->process[p].queued = true;
    w->queue[(w->queue_head + w->queued++) % w->n_processes] = p;
    if (!w->calls)
        emit(w, (struct gen_record){GEN_ACTIVE, at_ns, w->process[p].pid, .function = w->process[p].loop});
}

/* Time advances by 1 to 8 steps with each event; by default these are microseconds, the unit of erlang:now. */
static int64_t
tick(struct world *w, uint32_t scheduler)
{
    return w->clock_ns[scheduler] += w->step_ns * (1 + (int64_t)dice(w, 8));
}

static void
receive_all(struct world *w, uint32_t p, uint32_t scheduler)
{
    struct process *me = &w->process[p];
    for (; me->waiting > 0; me->waiting--, me->head++) {
        struct letter l = me->mailbox[me->head % MAILBOX];
        emit(w, (struct gen_record){GEN_RECEIVE, tick(w, scheduler), me->pid, scheduler + 1, .seq = l.seq,
                                    .payload = l.payload});
        me->heap += l.payload / 8 + 6;
    }
}

static void
send_to(struct world *w, uint32_t p, uint32_t to, uint32_t scheduler)
{
    struct process *peer = &w->process[to];
    if (peer->waiting == MAILBOX)
        return;
    struct letter l = {++w->seq, dice(w, 10) ? dice(w, 40) : dice(w, 400)};
    int64_t at_ns = tick(w, scheduler);
    emit(w, (struct gen_record){GEN_SEND, at_ns, w->process[p].pid, scheduler + 1, .peer = peer->pid,
                                .seq = l.seq, .payload = l.payload});
    peer->mailbox[(peer->head + peer->waiting++) % MAILBOX] = l;
    make_runnable(w, to, at_ns);
}

static void
collect(struct world *w, uint32_t p, uint32_t scheduler)
{
    struct process *me = &w->process[p];
    bool major = dice(w, 8) == 0;
    uint64_t live = me->heap / 3;
    emit(w, (struct gen_record){major ? GEN_GC_MAJOR_START : GEN_GC_MINOR_START, tick(w, scheduler), me->pid,
                                scheduler + 1, .heap = me->heap});
    emit(w, (struct gen_record){major ? GEN_GC_MAJOR_END : GEN_GC_MINOR_END, tick(w, scheduler), me->pid,
                                scheduler + 1, .heap = live});
    me->heap = live;
}

/* A function calls a few others, mostly the same, and those further down: a program, not noise. */
static uint32_t
callee(struct world *w, uint32_t function)
{
    enum { ALL = MODULES * FUNCTIONS, CALLEES = 3 };
    uint32_t which = dice(w, 16) == 0 ? dice(w, CALLEES) : 0;
    return (function * 7 + which * 13 + 1) % ALL;
}

/* Calls nest and return, as a walk that never goes below where it began. */
static void
compute(struct world *w, uint32_t p, uint32_t scheduler)
{
    uint32_t stack[16], depth = 0;
    stack[0] = w->process[p].loop;
    for (uint32_t i = 0; i < 60 && !enough(w); i++) {
        if (depth < 15 && dice(w, 5) < 3) {
            stack[depth + 1] = callee(w, stack[depth]);
            emit(w, (struct gen_record){GEN_CALL, tick(w, scheduler), w->process[p].pid,
                                        .function = stack[depth + 1], .caller = stack[depth]});
            depth++;
        } else if (depth > 0) {
            depth--;
            emit(w, (struct gen_record){GEN_RETURN_TO, tick(w, scheduler), w->process[p].pid,
                                        .function = stack[depth]});
        }
    }
}

/* A worker lives for one stay on a scheduler; its place in the table goes to a new process of the same trade.
 */
static void
replace_worker(struct world *w, uint32_t p, uint32_t parent, uint32_t scheduler)
{
    struct process *me = &w->process[p];
    if (me->worker)
        emit(w, (struct gen_record){GEN_EXIT, tick(w, scheduler), me->pid, scheduler + 1, .peer = 0});
    sb_actor pid = sb_actor_make(SB_PID, 0, w->next_number >> 15, w->next_number & 0x7fff);
    w->next_number++;
    int64_t at_ns = tick(w, scheduler);
    emit(w, (struct gen_record){GEN_SPAWN, at_ns, w->process[parent].pid, scheduler + 1, .peer = pid,
                                .function = me->loop});
    emit(w, (struct gen_record){GEN_SPAWNED, at_ns + 1000, pid, scheduler + 1, .peer = w->process[parent].pid,
                                .function = me->loop});
    *me = (struct process){.pid = pid, .loop = me->loop, .worker = true, .heap = 233};
}

static void
stay(struct world *w, uint32_t p, uint32_t scheduler)
{
    struct process *me = &w->process[p];
    emit(w, (struct gen_record){GEN_IN, tick(w, scheduler), me->pid, scheduler + 1, .function = me->loop});
    if (!w->calls)
        receive_all(w, p, scheduler);
    me->waiting = 0;
    if (w->calls)
        compute(w, p, scheduler);
    for (uint32_t n = w->calls ? 1 : 1 + dice(w, 3); n > 0; n--) {
        uint32_t to = dice(w, w->n_processes);
        if (w->calls)
            make_runnable(w, to, w->clock_ns[scheduler]);
        else if (to != p)
            send_to(w, p, to, scheduler);
    }
    if (me->heap > 600 + dice(w, 4000))
        collect(w, p, scheduler);
    emit(w, (struct gen_record){GEN_OUT, tick(w, scheduler), me->pid, scheduler + 1, .function = me->loop});
    me->queued = false;
    if (!w->calls)
        emit(w, (struct gen_record){GEN_INACTIVE, w->clock_ns[scheduler], me->pid, .function = me->loop});
    if (me->worker && dice(w, 20) == 0)
        replace_worker(w, p, 0, scheduler);
}

/* The scheduler whose clock is behind runs next, whatever has waited longest; somebody is always there to
 * run. */
static void
simulate(struct world *w)
{
    while (!enough(w)) {
        uint32_t scheduler = 0;
        for (uint32_t i = 1; i < w->n_schedulers; i++)
            if (w->clock_ns[i] < w->clock_ns[scheduler])
                scheduler = i;
        if (w->queued == 0)
            make_runnable(w, dice(w, w->n_processes), w->clock_ns[scheduler]);
        uint32_t p = w->queue[w->queue_head];
        w->queue_head = (w->queue_head + 1) % w->n_processes;
        w->queued--;
        stay(w, p, scheduler);
    }
}

/* Each process lives for one stay on a scheduler; the first one spawns all others. */
static void
simulate_spawns(struct world *w)
{
    for (uint32_t i = 0; !enough(w); i++) {
        struct process *me = &w->process[1];
        uint32_t scheduler = i % w->n_schedulers;
        me->worker = false;
        replace_worker(w, 1, 0, scheduler);
        emit(w,
             (struct gen_record){GEN_IN, tick(w, scheduler), me->pid, scheduler + 1, .function = me->loop});
        emit(w, (struct gen_record){GEN_OUT, tick(w, scheduler), me->pid, scheduler + 1});
        emit(w, (struct gen_record){GEN_EXIT, tick(w, scheduler), me->pid, scheduler + 1});
    }
}

static const int64_t start_ns = 1700000000000000000;

static void
populate(struct world *w)
{
    w->process = calloc(w->n_processes, sizeof *w->process);
    w->queue = calloc(w->n_processes, sizeof *w->queue);
    w->clock_ns = calloc(w->n_schedulers, sizeof *w->clock_ns);
    SB_ASSERT(w->process && w->queue && w->clock_ns);
    for (uint32_t i = 0; i < w->n_processes; i++)
        w->process[i] = (struct process){.pid = sb_actor_make(SB_PID, 0, 0, w->next_number++),
                                         .loop = dice(w, MODULES * FUNCTIONS),
                                         .worker = i % 4 == 3,
                                         .heap = 233};
    for (uint32_t i = 0; i < w->n_schedulers; i++)
        w->clock_ns[i] = start_ns + i * 1000;
}

static bool
generate(struct world *w, const char *path, struct sb_err *e)
{
    const struct gen_facts facts = {MODULES, FUNCTIONS, w->n_schedulers, start_ns - 1000000, w->calls};
    w->to = w->format->open(path, &facts, e);
    if (!w->to)
        return false;
    populate(w);
    (w->spawns ? simulate_spawns : simulate)(w);
    bool ok = w->format->close(w->to, w->clock_ns[0], e);
    free(w->process);
    free(w->queue);
    free(w->clock_ns);
    return ok;
}

struct request {
    uint64_t events, bytes, processes, schedulers, seed, lose;
    int64_t step_ns;
    unsigned mix, format;
    const char *path;
};

static const struct sb_option options[] = {
    {"--events", SB_OPT_U64, offsetof(struct request, events), "N", "number of events"},
    {"--bytes", SB_OPT_BYTES, offsetof(struct request, bytes), "N", "size of the trace"},
    {"--processes", SB_OPT_U64, offsetof(struct request, processes), "N", "number of processes", 2, 1000000},
    {"--schedulers", SB_OPT_U64, offsetof(struct request, schedulers), "N", "number of schedulers", 1, 1000},
    {"--seed", SB_OPT_U64, offsetof(struct request, seed), "N", "of the random numbers"},
    {"--lose", SB_OPT_U64, offsetof(struct request, lose), "N", "one event of N is lost"},
    {"--step", SB_OPT_SPAN, offsetof(struct request, step_ns), "T",
     "the time between two events of a scheduler is 1 to 8 times as long (1us)"},
    {"--mix", SB_OPT_CHOICE, offsetof(struct request, mix), "percept|fprof|spawn", "kinds of events"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "otp|sbt", "format of the trace"},
    {"-o", SB_OPT_TEXT, offsetof(struct request, path), "FILE", "the trace"},
    {0}};

static const struct sb_command command = {.name = "strobe-gen", .option = options};

int
main(int argc, char **argv)
{
    struct request r = {.events = UINT64_MAX,
                        .bytes = UINT64_MAX,
                        .processes = 1000,
                        .schedulers = 4,
                        .seed = 1,
                        .step_ns = 1000};
    struct sb_err e = {0};
    bool ok = sb_cli_options(&command, &r, &argc, argv, &e);
    if (ok && (!r.path || argc > 0 || (r.events == UINT64_MAX && r.bytes == UINT64_MAX)))
        ok = sb_err_set(&e, SB_ERR_USAGE,
                        "strobe-gen [--format otp|sbt] [--mix percept|fprof|spawn] --events N | --bytes N "
                        "[--processes N] "
                        "[--schedulers N] [--seed N] [--lose N] [--step T] -o FILE");
    struct world w = {.random = r.seed * 0x9e3779b97f4a7c15u + 1,
                      .most_events = r.events,
                      .most_bytes = r.bytes,
                      .step_ns = r.step_ns,
                      .n_processes = (uint32_t)r.processes,
                      .n_schedulers = (uint32_t)r.schedulers,
                      .format = r.format == 1 ? &gen_sbt : &gen_otp,
                      .next_number = 100,
                      .lose_each = r.lose,
                      .calls = r.mix == 1,
                      .spawns = r.mix == 2};
    ok = ok && generate(&w, r.path, &e);
    return ok ? 0 : sb_cli_fail(&e);
}
