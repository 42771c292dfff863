/* Who may ask the server, and what its parameters may be. */
#include "serve/guard.h"
#include "serve/request.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct sb_guard guard;

static struct sb_caller
page_itself(void)
{
    return (struct sb_caller){
        .host = SB_STR("127.0.0.1:4711"), .header_token = sb_str_of(guard.token), .for_data = true};
}

static int
set_up(void **state)
{
    struct sb_err e;
    (void)state;
    sb_guard_port(&guard, 0);
    bool ok = sb_guard_init(&guard, &e);
    sb_guard_port(&guard, 4711);
    return ok ? 0 : -1;
}

static void
lets_the_page_in(void **state)
{
    (void)state;
    struct sb_caller c = page_itself();
    assert_int_equal(sb_guard_judge(&guard, &c), SB_LET_IN);
    c.host = SB_STR("localhost:4711");
    c.origin = SB_STR("http://localhost:4711");
    c.fetch_site = SB_STR("same-origin");
    assert_int_equal(sb_guard_judge(&guard, &c), SB_LET_IN);
}

static void
refuses_other_hosts_and_origins(void **state)
{
    static const char *const hosts[] = {"", "127.0.0.1", "127.0.0.1:4712", "evil.example:4711",
                                        "127.0.0.1:4711.evil.example"};
    static const char *const origins[] = {"http://evil.example", "https://127.0.0.1:4711", "null",
                                          "http://127.0.0.1:47110"};
    (void)state;
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++) {
        struct sb_caller c = page_itself();
        c.host = sb_str_of(hosts[i]);
        assert_int_equal(sb_guard_judge(&guard, &c), SB_FOREIGN);
    }
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        struct sb_caller c = page_itself();
        c.origin = sb_str_of(origins[i]);
        assert_int_equal(sb_guard_judge(&guard, &c), SB_FOREIGN);
    }
    struct sb_caller c = page_itself();
    c.fetch_site = SB_STR("cross-site");
    assert_int_equal(sb_guard_judge(&guard, &c), SB_FOREIGN);
    c = page_itself();
    c.repeats = true;
    assert_int_equal(sb_guard_judge(&guard, &c), SB_FOREIGN);
}

static void
wants_the_token(void **state)
{
    char cookie[128], wrong[SB_TOKEN_CHARS + 1];
    (void)state;
    struct sb_caller c = page_itself();
    c.header_token = (struct sb_str){0};
    assert_int_equal(sb_guard_judge(&guard, &c), SB_NO_TOKEN);
    snprintf(wrong, sizeof wrong, "%s", guard.token);
    wrong[SB_TOKEN_CHARS - 1] ^= 1;
    c.header_token = sb_str_of(wrong);
    assert_int_equal(sb_guard_judge(&guard, &c), SB_WRONG_TOKEN);
    c.query_token = sb_str_of(guard.token);
    assert_int_equal(sb_guard_judge(&guard, &c), SB_LET_IN_AND_REMEMBER);
    c.query_token = (struct sb_str){0};
    snprintf(cookie, sizeof cookie, "strobe-1=x; strobe-4711=%s; other=y", guard.token);
    c.cookie = sb_str_of(cookie);
    assert_int_equal(sb_guard_judge(&guard, &c), SB_LET_IN);
}

static void
reads_parameters_with_bounds(void **state)
{
    struct sb_arena a;
    struct sb_err e = {0};
    int64_t v, *id;
    size_t n;
    (void)state;
    a = (struct sb_arena){0};
    struct sb_request r = {.arena = &a};
    assert_true(sb_request_params(&r, SB_STR("n=12&q=a%20b+c&p=1,2,30&bad=1x&sort=run_ns"), &e));
    assert_true(sb_request_int(&r, "n", (struct sb_request_limits){1, 20, 5}, &v, &e) && v == 12);
    assert_true(sb_request_int(&r, "absent", (struct sb_request_limits){1, 20, 5}, &v, &e) && v == 5);
    assert_false(sb_request_int(&r, "n", (struct sb_request_limits){1, 10, 5}, &v, &e));
    assert_false(sb_request_int(&r, "bad", (struct sb_request_limits){1, 10, 5}, &v, &e));
    assert_true(sb_str_eq(sb_request_text(&r, "q"), SB_STR("a b c")));
    assert_true(sb_request_ids(&r, "p", &id, &n, &e) && n == 3 && id[2] == 30);
    assert_false(sb_request_ids(&r, "sort", &id, &n, &e));
    assert_false(sb_request_params(&r, SB_STR("q=%zz"), &e));
    assert_false(sb_request_params(&r, SB_STR("q=%2"), &e));
    sb_arena_close(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lets_the_page_in),
        cmocka_unit_test(refuses_other_hosts_and_origins),
        cmocka_unit_test(wants_the_token),
        cmocka_unit_test(reads_parameters_with_bounds),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
