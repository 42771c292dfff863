/* Erlang's names as Elixir writes them. */
#include "answer/answer.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void
test_names(void **state)
{
    (void)state;
    static const struct {
        const char *erlang, *elixir, *all; /* all NULL: the same */
    } name[] = {
        {"'Elixir.Enum':map/2", "Enum.map/2", NULL},
        {"'Elixir.Foo.Bar':'-baz/2-fun-0-'/1", "anonymous fn/1 in Foo.Bar.baz/2", NULL},
        {"'Elixir.Foo':'-bar/2-lists^map/1-0-'/2", "comprehension in Foo.bar/2", NULL},
        {"'Elixir.Foo':'valid?'/1", "Foo.valid?/1", NULL},
        {"'Elixir.Foo':'MACRO-bar'/3", "Foo.bar/3 (macro)", NULL},
        {"'Elixir.Foo':'+'/2", "Foo.+/2", NULL},
        {"'Elixir.Foo':'Bar'/2", "Foo.\"Bar\"/2", NULL},
        {"  'Elixir.Foo':bar/2", "  Foo.bar/2", NULL},
        {"  lists:map/2", "  lists:map/2", "  :lists.map/2"},
        {"'Elixir.MyApp.Repo'", "MyApp.Repo", NULL},
        {"lists:map/2", "lists:map/2", ":lists.map/2"},
        {"elixir_compiler_0:'__FILE__'/1", "top level of a file", NULL},
        {"shop__escript__1796__247__3:main/1", "shop:main/1", ":shop.main/1"},
        {"shop__escript__1796", "shop__escript__1796", "shop__escript__1796"},
        {"shop__escript__1796__24705__758021__3", "shop", NULL},
        {"shop__escript__1796__24705__758021__3 <0.9.0>", "shop <0.9.0>", NULL},
        {"Elixir.Shop.Report", "Shop.Report", NULL},
        {"elixir_compiler_12:'-__FILE__/1-fun-3-'/2", "anonymous fn/2 at the top level of a file", NULL},
        {"elixir_compiler_0:'-__FILE__/1-lists^map/1-0-'/2", "comprehension at the top level of a file",
         NULL},
        {"elixir_compiler_shop:go/1", "elixir_compiler_shop:go/1", ":elixir_compiler_shop.go/1"},
        {"lists:'-map/2-fun-0-'/1", "lists:'-map/2-fun-0-'/1", "anonymous fn/1 in :lists.map/2"},
        {"'odd module':f/1", "'odd module':f/1", ":\"odd module\".f/1"},
        {"code_server", "code_server", NULL},
        {"<0.80.0>", "<0.80.0>", NULL},
        {"", "", NULL},
        {"'", "'", NULL},
        {"':", "':", NULL},
        {"'Elixir.", "'Elixir.", NULL},
        {"a:b", "a:b", NULL},
        {"'Elixir.Foo':'-'/1", "Foo.-/1", NULL},
        {"idle: all wait for m:f/2", "idle: all wait for m:f/2", NULL},
        {"idle: all wait for fn/3 in Foo.bar/2", "idle: all wait for fn/3 in Foo.bar/2", NULL},
        {"lists:map/2 <0.9.0>", "lists:map/2 <0.9.0>", ":lists.map/2 <0.9.0>"},
        {"'Elixir.Foo':'a b'/2 at lib/foo.ex:7", "Foo.\"a b\"/2 at lib/foo.ex:7", NULL},
        {"elixir_compiler_0:'-__FILE__/1-fun-3-'/2 <0.9.0>",
         "anonymous fn/2 at the top level of a file <0.9.0>", NULL},
        {"'Elixir.Foo' <0.9.0>", "Foo <0.9.0>", NULL},
        {"'Elixir.Foo':'-/-'/1", "Foo.\"-/-\"/1", NULL},
    };
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        struct sb_str some = sb_elixir_name(sb_str_of(name[i].erlang), false, &a);
        struct sb_str all = sb_elixir_name(sb_str_of(name[i].erlang), true, &a);
        const char *want = name[i].all ? name[i].all : name[i].elixir;
        if (!sb_str_eq(some, sb_str_of(name[i].elixir)) || !sb_str_eq(all, sb_str_of(want)))
            fail_msg("%s: %.*s, all: %.*s", name[i].erlang, SB_STR_ARG(some), SB_STR_ARG(all));
    }
    sb_arena_close(&a);
}

static void
test_sentences(void **state)
{
    (void)state;
    static const char *const text[][2] = {
        {"all wait for 'Elixir.Shop.Prices'", "all wait for Shop.Prices"},
        {"all wait for 'Elixir.Shop':'-run/0-fun-0-'/1 (2 processes)",
         "all wait for anonymous fn/1 in Shop.run/0 (2 processes)"},
        {"elixir_compiler_0:'__FILE__'/1 <0.9.0> waited", "top level of a file <0.9.0> waited"},
        {"a__escript__1__2:f/0 <0.9.0> asked a__escript__1__2:g/1", "a:f/0 <0.9.0> asked a:g/1"},
        {"'Elixir.A':f/10, 'Elixir.B' and lists:map/2", "A.f/10, B and lists:map/2"},
        {"all wait for 'Elixir.", "all wait for 'Elixir."},
        {"nothing", "nothing"},
    };
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++)
        assert_string_equal(sb_elixir_sentence(sb_str_of(text[i][0]), &a).p, text[i][1]);
    sb_arena_close(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names), cmocka_unit_test(test_sentences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
