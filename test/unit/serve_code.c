/* The first and last line of a function's code, and that only the name of a module finds a file. */
#include "serve/code.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char erlang[] = "-module(m).\n"
                             "\n"
                             "%% Adds.\n"
                             "-spec add(a) -> b.\n"
                             "add(0) ->\n"
                             "    0;\n"
                             "add(N) ->\n"
                             "    N.\n"
                             "\n"
                             "address(X) -> X.\n";
static const char elixir[] = "defmodule M do\n"
                             "  def other, do: 1\n"
                             "\n"
                             "  @doc \"Adds.\"\n"
                             "  def add(0), do: 0\n"
                             "  def add(n) do\n"
                             "    n\n"
                             "  end\n"
                             "\n"
                             "  defp address(x), do: x\n"
                             "end\n";

static void
reads_names(void **state)
{
    struct sb_code_function f;
    (void)state;
    assert_true(sb_code_function_parse(SB_STR("lists:map/2"), &f));
    assert_true(sb_str_eq(f.module, SB_STR("lists")) && sb_str_eq(f.function, SB_STR("map")));
    assert_true(sb_code_function_parse(SB_STR("'Elixir.A.B':'-run/1-fun-0-'/2"), &f));
    assert_true(sb_str_eq(f.module, SB_STR("Elixir.A.B")) && sb_str_eq(f.function, SB_STR("run")));
    static const char *const wrong[] = {"", "suspend", "m:", "m:/1", ":f/1", "m:f"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(sb_code_function_parse(sb_str_of(wrong[i]), &f));
}

static void
cuts_a_function_out(void **state)
{
    int64_t line = 0;
    (void)state;
    struct sb_str s = sb_code_cut(sb_str_of(erlang), SB_STR("add"), false, &line);
    assert_int_equal(line, 3);
    assert_true(sb_str_starts(s, SB_STR("%% Adds.")) && sb_str_ends(s, SB_STR("    N.")));
    s = sb_code_cut(sb_str_of(elixir), SB_STR("add"), true, &line);
    assert_int_equal(line, 4);
    assert_true(sb_str_starts(s, SB_STR("  @doc")) && sb_str_ends(s, SB_STR("  end")));
    assert_int_equal(sb_code_cut(sb_str_of(erlang), SB_STR("absent"), false, &line).n, 0);
}

static void
finds_no_path(void **state)
{
    static const char *const folder[] = {"src"};
    struct sb_arena a;
    struct sb_code found;
    struct sb_code_function f = {SB_STR("../../etc/passwd"), SB_STR("root")};
    (void)state;
    a = (struct sb_arena){0};
    sb_code_find(folder, 1, &f, &a, &found);
    assert_int_equal(found.text.n, 0);
    sb_arena_close(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_names), cmocka_unit_test(cuts_a_function_out),
                                       cmocka_unit_test(finds_no_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
