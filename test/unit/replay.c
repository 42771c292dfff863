/* A replay of random graphs keeps the laws of greedy schedules; one that cannot end names who waits for whom. */
#include "why/predict/replays.h"
#include "why/predict/span.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

enum { LINES = 12, MESSAGES = 60, OPS = 2 * MESSAGES + 20, WORK = 1000 };

struct graph {
    struct sb_ops o;
    uint32_t from[LINES + 2], process[LINES + 1], sender[MESSAGES], receiver[MESSAGES];
    struct sb_op op[OPS];
    int64_t rest[LINES + 1], waits[1];
    int64_t done[LINES + 1], total; /* the longest chain up to the end of a line; all work */
};

static int64_t
dice(int64_t sides)
{
    return rand() % sides;
}

/*
 * A message goes from a line to a later moment of another one: events are drawn in an order that a run could have, so
 * no cycle can arise. `chain` holds the longest chain up to each event, counted here without a replay.
 */
static void
draw(struct graph *g)
{
    struct event {
        uint32_t line, message;
        uint8_t kind;
        int64_t work;
    } event[OPS];
    uint32_t n = 0, sent = 0, received = 0;
    int64_t at_send[MESSAGES];
    *g = (struct graph){0};
    while (received < MESSAGES) {
        struct event *e = &event[n++];
        bool send = sent < MESSAGES && (sent == received || dice(2));
        uint32_t line = 1 + (uint32_t)dice(LINES);
        *e = (struct event){line, 0, SB_OP_SEND, dice(WORK)};
        if (send) {
            e->message = sent++;
            g->sender[e->message] = line;
            g->receiver[e->message] = 1 + line % LINES;
        } else {
            e->message = received++;
            e->kind = SB_OP_RECV;
            e->line = g->receiver[e->message];
        }
        g->total += e->work;
        g->done[e->line] += e->work;
        if (e->kind == SB_OP_SEND)
            at_send[e->message] = g->done[e->line];
        else if (g->done[e->line] < at_send[e->message])
            g->done[e->line] = at_send[e->message];
    }
    uint32_t k = 0;
    for (uint32_t line = 1; line <= LINES; line++) {
        g->from[line] = k;
        g->process[line] = line;
        g->rest[line] = dice(WORK);
        g->total += g->rest[line];
        g->done[line] += g->rest[line];
        for (uint32_t i = 0; i < n; i++)
            if (event[i].line == line)
                g->op[k++] = (struct sb_op){{event[i].work}, event[i].message, event[i].kind, false};
    }
    g->from[LINES + 1] = k;
    g->o = (struct sb_ops){.n_lines = LINES,
                           .n_processes = LINES,
                           .from = g->from,
                           .op = g->op,
                           .rest_ns = g->rest,
                           .process = g->process,
                           .waits = g->waits,
                           .n_messages = MESSAGES,
                           .sender = g->sender,
                           .receiver = g->receiver,
                           .root = 1 + (uint32_t)dice(LINES)};
}

static void
laws_hold(void **state)
{
    (void)state;
    struct graph g;
    for (int round = 0; round < 500; round++) {
        draw(&g);
        struct sb_replay_plan plan = {.ops = &g.o};
        int64_t span = g.done[g.o.root];
        assert_int_equal(sb_span_find(&plan).ns, span);
        for (uint32_t cores = 1; cores <= LINES + 1; cores++) {
            struct sb_replay r = sb_replay_run(&plan, cores);
            assert_int_equal(r.stuck, 0);
            assert_true(r.ns >= span);
            assert_true(r.ns <= g.total / cores + span + 1);
            assert_true(cores > 1 || r.ns <= g.total);
            if (cores > LINES)
                assert_int_equal(r.ns, span);
            if (!r.full)
                assert_int_equal(r.ns, span);
        }
    }
}

static void
costs_only_lengthen_one_chain(void **state)
{
    (void)state;
    struct graph g;
    struct sb_replay_costs costs = {.send = 10, .wake = 20, .receive = 5, .dispatch = 7, .start = 30};
    for (int round = 0; round < 100; round++) {
        draw(&g);
        struct sb_replay_plan plan = {.ops = &g.o, .costs = &costs};
        assert_true(sb_span_find(&plan).ns >= g.done[g.o.root]);
        assert_true(sb_replay_run(&plan, 1).ns <= g.total); /* one core pays nothing */
    }
}

/* Line 1 starts line 2, is away for a while, and then sends it what it waits for by then. */
static void
costs_are_those_of_the_way(void **state)
{
    (void)state;
    struct sb_op op[] = {{{0}, 0, SB_OP_SEND, false},
                         {{0}, 0, SB_OP_WAIT, false},
                         {{0}, 1, SB_OP_SEND, false},
                         {{0}, 0, SB_OP_RECV, true},
                         {{0}, 1, SB_OP_RECV, true}};
    uint32_t from[] = {0, 0, 3, 5}, process[] = {0, 1, 2}, sender[] = {1, 1}, receiver[] = {2, 2};
    int64_t rest[] = {0, 100, 0}, waits[] = {1000};
    struct sb_ops o = {.n_lines = 2,
                       .n_processes = 2,
                       .from = from,
                       .op = op,
                       .rest_ns = rest,
                       .process = process,
                       .waits = waits,
                       .n_messages = 2,
                       .sender = sender,
                       .receiver = receiver,
                       .root = 1};
    struct sb_replay_costs costs = {
        .change = 1, .send = 20, .ready = 40, .wake = 80, .receive = 5, .dispatch = 7, .start = 30};
    struct sb_replay_plan plan = {.ops = &o, .costs = &costs};
    assert_int_equal(sb_replay_run(&plan, 1).ns, 1 + 1000 + 1 + 100);
    /* both are in the queue of one core; of two cores the other one is as likely */
    assert_int_equal(sb_replay_run(&plan, 2).ns, 30 + 8 + 1000 + 30 + 8 + (20 + 40) / 2 + 100);
}

static void
a_halt_names_the_message(void **state)
{
    (void)state;
    /* 1 needs message 0 of 2, which first needs message 1 of 3, which sends nothing */
    struct sb_op op[] = {
        {{100}, 0, SB_OP_RECV, false}, {{100}, 1, SB_OP_RECV, false}, {{100}, 0, SB_OP_SEND, false}};
    uint32_t from[] = {0, 0, 1, 3, 3}, process[] = {0, 1, 2, 3}, sender[] = {2, 3}, receiver[] = {1, 2};
    int64_t rest[] = {0, 10, 10, 500};
    struct sb_ops o = {.n_lines = 3,
                       .n_processes = 3,
                       .from = from,
                       .op = op,
                       .rest_ns = rest,
                       .process = process,
                       .n_messages = 2,
                       .sender = sender,
                       .receiver = receiver,
                       .root = 1};
    struct sb_replay_plan plan = {.ops = &o};
    for (uint32_t cores = 1; cores <= 4; cores++) {
        struct sb_replay r = sb_replay_run(&plan, cores);
        assert_int_equal(r.stuck, 2);
        assert_int_equal(r.stuck_for, 3);
    }
}

static void
copies_take_turns(void **state)
{
    (void)state;
    /* line 1 sends four requests at once; each is a line of process 2 that works for 100 and answers */
    enum { REQUESTS = 4 };
    struct sb_op op[4 * REQUESTS];
    uint32_t from[REQUESTS + 4], process[REQUESTS + 3] = {0, 1, 2}, sender[2 * REQUESTS],
                                                    receiver[2 * REQUESTS];
    int64_t rest[REQUESTS + 3] = {0}, ns[] = {0, 400, 200, 200, 100};
    from[0] = from[1] = 0;
    from[2] = from[3] = 2 * REQUESTS;
    for (uint32_t i = 0; i < REQUESTS; i++) {
        op[i] = (struct sb_op){{0}, i, SB_OP_SEND, false};
        op[REQUESTS + i] = (struct sb_op){{0}, REQUESTS + i, SB_OP_RECV, false};
        op[2 * REQUESTS + 2 * i] = (struct sb_op){{0}, i, SB_OP_RECV, false};
        op[2 * REQUESTS + 2 * i + 1] = (struct sb_op){{100}, REQUESTS + i, SB_OP_SEND, false};
        sender[i] = receiver[REQUESTS + i] = 1;
        receiver[i] = sender[REQUESTS + i] = 2;
        process[3 + i] = 2;
        from[4 + i] = 2 * REQUESTS + 2 * (i + 1);
    }
    struct sb_ops o = {.n_lines = REQUESTS + 2,
                       .n_processes = 2,
                       .from = from,
                       .op = op,
                       .rest_ns = rest,
                       .process = process,
                       .n_messages = 2 * REQUESTS,
                       .sender = sender,
                       .receiver = receiver,
                       .root = 1};
    for (uint32_t copies = 1; copies <= REQUESTS; copies++) {
        uint32_t of[] = {0, 0, copies};
        struct sb_replay_plan plan = {.ops = &o, .copies = of};
        assert_int_equal(sb_replay_run(&plan, 8).ns, ns[copies]);
    }
}

/* The root never waits, so one core is enough, although more of them are all busy for a moment. */
static void
what_is_as_fast_as_the_chain_is_not_replayed_again(void **state)
{
    (void)state;
    enum { OTHERS = 20, LONG = 1000000, SHORT = 100 };
    struct sb_op op[2 * OTHERS];
    uint32_t from[OTHERS + 3] = {0, 0}, process[OTHERS + 2], sender[OTHERS], receiver[OTHERS];
    int64_t rest[OTHERS + 2] = {0, LONG};
    from[2] = OTHERS;
    process[0] = 0, process[1] = 1;
    for (uint32_t i = 0; i < OTHERS; i++) {
        op[i] = (struct sb_op){{0}, i, SB_OP_SEND, false};
        op[OTHERS + i] = (struct sb_op){{0}, i, SB_OP_RECV, true};
        sender[i] = 1;
        receiver[i] = process[2 + i] = 2 + i;
        rest[2 + i] = SHORT;
        from[3 + i] = OTHERS + i + 1;
    }
    struct sb_ops o = {.n_lines = OTHERS + 1,
                       .n_processes = OTHERS + 1,
                       .from = from,
                       .op = op,
                       .rest_ns = rest,
                       .process = process,
                       .n_messages = OTHERS,
                       .sender = sender,
                       .receiver = receiver,
                       .root = 1};
    struct sb_calibration calibration = {.cores = 1, .memory = 1};
    struct sb_replays r = {.plan = {.ops = &o}, .calibration = &calibration};
    static const uint32_t cores[] = {0, 1, 2, 4, 8};
    for (size_t i = 0; i < 5; i++)
        sb_replays_need(&r, cores[i], 0);
    sb_replays_make(&r);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(r.at[i].is_made, r.at[i].cores <= 1);
    assert_int_equal(sb_replays_of(&r, 0, 0).ns, LONG);
    for (size_t i = 1; i < 5; i++) {
        int64_t ns = sb_replay_run(&r.plan, cores[i]).ns;
        assert_true(sb_replays_of(&r, cores[i], 0).ns - ns <= ns / 500);
        assert_true(ns - sb_replays_of(&r, cores[i], 0).ns <= ns / 500);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(costs_only_lengthen_one_chain),
        cmocka_unit_test(costs_are_those_of_the_way),
        cmocka_unit_test(a_halt_names_the_message),
        cmocka_unit_test(copies_take_turns),
        cmocka_unit_test(what_is_as_fast_as_the_chain_is_not_replayed_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
