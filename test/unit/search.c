/* What is shown is found: in any script and case, in the words of Erlang or Elixir, in any order. */
#include "answer/search.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static bool
finds(const char *words, const char *name, const char *pid)
{
    struct sb_arena a;
    struct sb_search s;
    struct sb_str text[] = {sb_str_of(name), {0}, sb_str_of(pid)};
    a = (struct sb_arena){0};
    sb_search_read(&s, sb_str_of(words), &a);
    bool found = sb_search_matches(&s, text, 3, &a);
    sb_arena_close(&a);
    return found;
}

static void
names_are_found(void **state)
{
    (void)state;
    const char *task = "'Elixir.Task.Supervised':reply/2";
    assert_true(finds("Task.Supervised.reply", task, "<0.5.0>"));
    assert_true(finds("'Elixir.Task.Supervised':reply/2", task, "<0.5.0>"));
    assert_true(finds("elixir.task", task, "<0.5.0>"));
    assert_true(finds("REPLY task", task, "<0.5.0>"));
    assert_true(finds(" 0.5.0   reply ", task, "<0.5.0>"));
    assert_true(finds(":lists.map", "lists:map/2", "<0.5.0>"));
    assert_true(finds("", task, "<0.5.0>"));
    assert_false(finds("reply other", task, "<0.5.0>"));
    assert_false(finds("'", task, "<0.5.0>"));
    assert_false(finds("0.50.0", task, "<0.5.0>"));
}

static void
any_script(void **state)
{
    (void)state;
    assert_true(finds("ÜNÏ", "ünïcode", ""));
    assert_true(finds("ünï", "ÜNÏCODE", ""));
    assert_true(finds("ПРОЦЕСС", "мой процесс", ""));
    assert_true(finds("ёж", "ЁЖ", ""));
    assert_true(finds("ΣΊΣΥΦΟΣ", "σίσυφος", ""));
    assert_true(finds("日本", "日本語", ""));
    assert_true(finds("żółw", "ŻÓŁW", ""));
    assert_false(finds("日木", "日本語", ""));
    assert_true(finds("b\xff", "ab\xff", ""));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_are_found), cmocka_unit_test(any_script)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
