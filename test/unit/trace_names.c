/* The dictionary: equal things get equal ids, from many threads at once, and print as Erlang writes them. */
#include "base/pool.h"
#include "base/sanitized.h"
#include "trace/names.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

enum { THREADS = 4, NAMES = SB_UNDER_TSAN ? 6000 : 20000 };

struct shared {
    struct sb_names *names;
    uint32_t id[THREADS][NAMES];
};

static void
put_all(void *ctx, size_t i, unsigned worker)
{
    struct shared *s = ctx;
    (void)worker;
    for (uint32_t k = 0; k < NAMES; k++) {
        uint32_t n = (uint32_t)(i % 2 ? NAMES - 1 - k : k); /* from both ends */
        char text[24];
        struct sb_str name = {text, (size_t)snprintf(text, sizeof text, "name_%u", n / 2)};
        uint32_t atom = sb_names_atom(s->names, name);
        s->id[i][n] = n % 2 ? atom : sb_names_mfa(s->names, (struct sb_mfa){atom, atom, n});
        sb_names_node(s->names, atom, n % 1500);
        sb_names_pid(s->names, SB_PID, 0, 1ull << 30, n % 5000);
        assert_int_equal(sb_names_kind(s->names, s->id[i][n]), n % 2 ? SB_NAME_ATOM : SB_NAME_MFA);
    }
}

static void
threads_agree_on_ids(void **state)
{
    (void)state;
    static struct shared s;
    s.names = sb_names_open();
    struct sb_pool *pool = sb_pool_open(THREADS);
    sb_pool_each(pool, THREADS, put_all, &s);
    sb_pool_close(pool);
    for (uint32_t n = 0; n < NAMES; n++) {
        char text[24];
        for (unsigned i = 1; i < THREADS; i++)
            assert_int_equal(s.id[i][n], s.id[0][n]);
        uint32_t atom = n % 2 ? s.id[0][n] : sb_names_mfa_of(s.names, s.id[0][n]).m;
        snprintf(text, sizeof text, "name_%u", n / 2);
        assert_true(sb_str_eq(sb_names_str(s.names, atom), sb_str_of(text)));
    }
    assert_int_equal(sb_names_count(s.names), 1 + NAMES);
    assert_true(sb_names_nodes(s.names) <= SB_ACTOR_NODES);
    sb_names_close(s.names);
}

static void
assert_prints(struct sb_str got, const char *wanted)
{
    struct sb_arena a;
    a = (struct sb_arena){0};
    assert_string_equal(sb_arena_str(&a, got).p, wanted);
    sb_arena_close(&a);
}

static void
names_print_as_erlang_writes_them(void **state)
{
    (void)state;
    static const struct {
        const char *atom, *printed;
    } cases[] = {{"abc", "abc"},
                 {"a@b_C9", "a@b_C9"},
                 {"Abc", "'Abc'"},
                 {"", "''"},
                 {"a b", "'a b'"},
                 {"a-b", "'a-b'"},
                 {"receive", "'receive'"},
                 {"it's", "'it\\'s'"},
                 {"back\\", "'back\\\\'"},
                 {"\n\t\x01", "'\\n\\t\\001'"},
                 {"\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9"},
                 {"\xd0\xb4", "'\xd0\xb4'"},
                 {"_x", "'_x'"},
                 {"1a", "'1a'"},
                 {"maybe", "maybe"}};
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_names *n = sb_names_open();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_prints(sb_names_print(n, sb_names_atom(n, sb_str_of(cases[i].atom)), &a), cases[i].printed);
    uint32_t m = sb_names_atom(n, SB_STR("Elixir.Enum")), f = sb_names_atom(n, SB_STR("-map/2-fun-0-"));
    assert_prints(sb_names_print(n, sb_names_mfa(n, (struct sb_mfa){m, f, 1}), &a),
                  "'Elixir.Enum':'-map/2-fun-0-'/1");
    assert_prints(sb_names_actor(n, sb_actor_make(SB_PID, 0, 3, 85), &a), "<0.85.3>");
    assert_prints(sb_names_actor(n, sb_actor_make(SB_PORT, 0, 1, 5), &a), "#Port<0.268435461>");
    assert_prints(sb_names_actor(n, sb_names_pid(n, SB_PID, 0, 1 << 30, 1), &a), "<0.1.1073741824>");
    assert_prints(sb_names_actor(n, f, &a), "'-map/2-fun-0-'");
    unsigned node = sb_names_node(n, sb_names_atom(n, SB_STR("b@host")), 3);
    assert_prints(sb_names_actor(n, (uint64_t)node << 52 | m, &a), "{'Elixir.Enum',b@host}");
    sb_names_close(n);
    sb_arena_close(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_agree_on_ids),
                                       cmocka_unit_test(names_print_as_erlang_writes_them)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
