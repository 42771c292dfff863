/* Pairs that talk: the same for any number that is added up at a time, and the same as a slow sum. */
#include "profile/build.h"
#include "serve/pairs.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PROCESSES = 14, GROUPS = 4, MESSAGES = 900, END = 1000 };

static int64_t from[MESSAGES], to[MESSAGES], sent[MESSAGES], received[MESSAGES], words[MESSAGES];
static uint32_t group_of[PROCESSES + 1];

static int64_t
group(int64_t process)
{
    return process % GROUPS + 1;
}

static void
put_messages(struct sb_build *b)
{
    for (int i = 0; i < MESSAGES; i++) {
        int64_t c[SB_N_message];
        for (size_t k = 0; k < sizeof c / sizeof *c; k++)
            c[k] = SB_NULL;
        c[SB_C_message__sender] = from[i];
        c[SB_C_message__receiver] = to[i];
        c[SB_C_message__sent] = sent[i];
        c[SB_C_message__received] = received[i];
        c[SB_C_message__words] = words[i];
        sb_build_row(b, SB_T_message, c);
    }
}

/* One row a pair, in order of both ends. */
static void
put_edges(struct sb_build *b)
{
    for (int64_t a = 1; a <= PROCESSES; a++)
        for (int64_t z = 1; z <= PROCESSES; z++) {
            int64_t c[SB_N_message_edge] = {a, z};
            c[SB_C_message_edge__total_ext_bytes] = SB_NULL;
            for (int i = 0; i < MESSAGES; i++) {
                if (from[i] != a || to[i] != z)
                    continue;
                c[SB_C_message_edge__count]++;
                c[SB_C_message_edge__matched]++;
                c[SB_C_message_edge__total_words] += words[i];
                c[SB_C_message_edge__latency_ns] += received[i] - sent[i];
                if (words[i] > c[SB_C_message_edge__max_words])
                    c[SB_C_message_edge__max_words] = words[i];
                if (received[i] - sent[i] > c[SB_C_message_edge__max_latency_ns])
                    c[SB_C_message_edge__max_latency_ns] = received[i] - sent[i];
            }
            if (c[SB_C_message_edge__count] > 0)
                sb_build_row(b, SB_T_message_edge, c);
        }
}

static void
make_book(struct sb_served *served)
{
    char path[64];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_build *b;
    srand(7);
    for (int i = 0; i < MESSAGES; i++) {
        from[i] = 1 + rand() % PROCESSES;
        to[i] = 1 + rand() % PROCESSES * (rand() % 3) / 2;
        sent[i] = i;
        received[i] = i + rand() % 50;
        words[i] = rand() % 100;
    }
    snprintf(path, sizeof path, "/tmp/serve_pairs.%ld.sbp", (long)getpid());
    assert_true(sb_build_open(&b, path, &e));
    for (int64_t g = 1; g <= GROUPS; g++) {
        int64_t c[64] = {0};
        c[SB_C_process_group__id] = g;
        sb_build_row(b, SB_T_process_group, c);
    }
    for (int64_t id = 1; id <= PROCESSES; id++)
        sb_build_row(b, SB_T_process, (int64_t[SB_N_process]){id});
    put_messages(b);
    put_edges(b);
    assert_true(sb_build_close(b, &e));
    for (int64_t p = 1; p <= PROCESSES; p++)
        group_of[p] = (uint32_t)group(p);
    *served = (struct sb_served){.end_ns = END, .group_of = group_of, .n_ids = PROCESSES + 1};
    assert_true(sb_profile_open(&served->profile, path, &e));
    unlink(path);
}

/* What the pair's messages from t0 to t1 add up to. */
static struct sb_pair
slowly(const struct sb_pairs_question *q, int64_t a, int64_t z)
{
    struct sb_pair p = {.from = a, .to = z, .ext_bytes = SB_NULL};
    for (int i = 0; i < MESSAGES; i++) {
        bool by_group = q->level == SB_BY_GROUP;
        if ((by_group ? group(from[i]) : from[i]) != a || (by_group ? group(to[i]) : to[i]) != z)
            continue;
        if ((q->of_window && !sb_range_has(q->range, sent[i])) ||
            (q->n_ids > 0 && from[i] != q->id[0] && to[i] != q->id[0]))
            continue;
        p.count++;
        p.words += words[i];
        p.latency_ns += received[i] - sent[i];
        p.max_words = words[i] > p.max_words ? words[i] : p.max_words;
    }
    return p;
}

static void
check(const struct sb_pairs_question *question)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_pairs all = {0}, some = {0};
    struct sb_pairs_question q = *question;
    q.most = 4000;
    assert_true(sb_pairs_find(&q, &all, &e));
    int64_t counted = 0, ends = q.level == SB_BY_GROUP ? GROUPS : PROCESSES, pairs = 0;
    for (int64_t a = 1; a <= ends; a++)
        for (int64_t z = 1; z <= ends; z++) {
            struct sb_pair want = slowly(&q, a, z);
            pairs += want.count > 0;
            counted += want.count;
            for (size_t i = 0; i < all.v.n; i++)
                if (all.v.at[i].from == a && all.v.at[i].to == z) {
                    assert_int_equal(all.v.at[i].count, want.count);
                    assert_int_equal(all.v.at[i].matched, want.count);
                    assert_int_equal(all.v.at[i].words, want.words);
                    assert_int_equal(all.v.at[i].max_words, want.max_words);
                    assert_int_equal(all.v.at[i].latency_ns, want.latency_ns);
                    want.count = 0;
                }
            assert_true(want.count == 0 || want.count < q.min_count || want.words / want.count < q.min_words);
        }
    assert_int_equal(all.n, pairs);
    assert_int_equal(all.messages, counted);
    q.most = 5;
    q.at_once = 3;
    assert_true(sb_pairs_find(&q, &some, &e));
    assert_int_equal(some.v.n, all.v.n < 5 ? all.v.n : 5);
    assert_int_equal(some.left_out, all.v.n - some.v.n);
    assert_int_equal(some.n, all.n);
    assert_int_equal(some.messages, all.messages);
    for (size_t i = 0; i < some.v.n; i++) {
        some.v.at[i].row = all.v.at[i].row;
        assert_memory_equal(&some.v.at[i], &all.v.at[i], sizeof some.v.at[i]);
        assert_true(i == 0 || some.v.at[i - 1].count >= some.v.at[i].count);
    }
    SB_VEC_FREE(&all.v);
    SB_VEC_FREE(&some.v);
}

static void
pairs_equal_a_slow_sum(void **state)
{
    (void)state;
    static const int64_t one[] = {5};
    struct sb_served served;
    make_book(&served);
    struct sb_request rq = {.served = &served};
    for (int k = 0; k < 16; k++)
        check(&(struct sb_pairs_question){.rq = &rq,
                                          .level = k & 1 ? SB_BY_GROUP : SB_BY_PROCESS,
                                          .of_window = k & 2,
                                          .range = {200, 700},
                                          .id = one,
                                          .n_ids = k & 4 ? 1 : 0,
                                          .min_count = k & 8 ? 3 : 1,
                                          .min_words = k & 8 ? 40 : 0});
    sb_profile_close(served.profile);
}

static void
what_takes_too_long_ends(void **state)
{
    (void)state;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_pairs found;
    struct sb_served served;
    make_book(&served);
    struct sb_request rq = {.served = &served, .deadline_ns = 1};
    struct sb_pairs_question q = {.rq = &rq, .level = SB_BY_GROUP, .most = 10, .min_count = 1};
    assert_false(sb_pairs_find(&q, &found, &e));
    assert_int_equal(e.code, SB_ERR_LIMIT);
    SB_VEC_FREE(&found.v);
    sb_profile_close(served.profile);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_equal_a_slow_sum),
        cmocka_unit_test(what_takes_too_long_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
