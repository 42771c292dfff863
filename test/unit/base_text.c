/* Strings, numbers, errors and the bytes they are written as. */
#include "base/base64.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"
#include "base/utf8.h"
#include "base/varint.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void
strings_are_cut_and_trimmed(void **state)
{
    (void)state;
    struct sb_str rest = SB_STR("a,,b"), s = sb_str_cut(&rest, ',');
    assert_true(sb_str_eq(s, SB_STR("a")));
    assert_int_equal(sb_str_cut(&rest, ',').n, 0);
    assert_true(sb_str_eq(sb_str_cut(&rest, ','), SB_STR("b")));
    assert_int_equal(rest.n, 0);
    assert_true(sb_str_eq(sb_str_trim(SB_STR(" \t x y\r\n")), SB_STR("x y")));
    assert_int_equal(sb_str_trim(SB_STR(" \n ")).n, 0);
    assert_true(sb_str_starts(SB_STR("abc"), SB_STR("ab")) && !sb_str_starts(SB_STR("a"), SB_STR("ab")));
    assert_true(sb_str_ends(SB_STR("abc"), SB_STR("bc")) && sb_str_ends(SB_STR("abc"), SB_STR("")));
    assert_true(sb_str_cmp(SB_STR("a"), SB_STR("ab")) < 0 && sb_str_cmp(SB_STR("b"), SB_STR("ab")) > 0);
}

static void
numbers_are_read_whole_or_not_at_all(void **state)
{
    (void)state;
    uint64_t u;
    int64_t i;
    assert_true(sb_str_to_u64(SB_STR("18446744073709551615"), &u) && u == UINT64_MAX);
    assert_false(sb_str_to_u64(SB_STR("18446744073709551616"), &u));
    assert_false(sb_str_to_u64(SB_STR(""), &u) || sb_str_to_u64(SB_STR("1x"), &u));
    assert_true(sb_str_to_i64(SB_STR("-9223372036854775808"), &i) && i == INT64_MIN);
    assert_false(sb_str_to_i64(SB_STR("9223372036854775808"), &i) || sb_str_to_i64(SB_STR("-"), &i));
    assert_true(sb_str_to_ns(SB_STR("1.5s"), &i) && i == 1500000000);
    assert_true(sb_str_to_ns(SB_STR("20ms"), &i) && i == 20000000);
    assert_true(sb_str_to_ns(SB_STR("-3us"), &i) && i == -3000);
    assert_true(sb_str_to_ns(SB_STR("2m"), &i) && i == 120000000000);
    assert_false(sb_str_to_ns(SB_STR("1.5.5s"), &i) || sb_str_to_ns(SB_STR("s"), &i) ||
                 sb_str_to_ns(SB_STR("1 s"), &i) || sb_str_to_ns(SB_STR("9999999999h"), &i));
    assert_true(sb_str_to_bytes(SB_STR("64M"), &u) && u == 64 << 20);
    assert_false(sb_str_to_bytes(SB_STR("64X"), &u) || sb_str_to_bytes(SB_STR("-1"), &u));
}

static ssize_t
count_write(void *writes, const char *text, size_t n)
{
    (void)text;
    ++*(int *)writes;
    return (ssize_t)n;
}

static void
errors_keep_where_and_what(void **state)
{
    (void)state;
    struct sb_err e;
    int writes = 0;
    char text[256] = "";
    assert_false(sb_err_set(&e, SB_ERR_INPUT, "bad tag %d", 7));
    sb_err_in(&e, "T.trace", 12);
    sb_err_in(&e, "other", 99);
    sb_err_advise(&e, "cut it there");
    FILE *f = fmemopen(text, sizeof text, "w");
    sb_err_print(&e, f);
    fclose(f);
    assert_string_equal(text, "strobe: T.trace: bad tag 7, at byte 12: cut it there\n");
    f = fopencookie(&writes, "w", (cookie_io_functions_t){.write = count_write});
    setvbuf(f, NULL, _IONBF, 0); /* as stderr, which other processes write to as well */
    sb_err_print(&e, f);
    fclose(f);
    assert_int_equal(writes, 1);
    assert_int_equal(sb_err_exit_code(&e), 1);
    char name[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    sb_err_set(&e, SB_ERR_USAGE, "x");
    sb_err_in(&e, name, SB_NO_BYTE);
    assert_string_equal(e.file + strlen(e.file) - 4, "x...");
    assert_int_equal(sb_err_exit_code(&e), 2);
    assert_false(sb_err_set(NULL, SB_ERR_INPUT, "nobody listens"));
}

static void
varints_and_zigzag_come_back(void **state)
{
    (void)state;
    static const int64_t values[] = {0, 1, -1, 127, 128, -64, -65, 1 << 20, INT64_MAX, INT64_MIN};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint8_t buf[SB_VARINT_MAX];
        const uint8_t *p = buf, *end = sb_varint_put(buf, sb_zigzag(values[i]));
        uint64_t v = 0;
        assert_true(sb_varint_get(&p, end, &v));
        assert_true(p == end && sb_unzigzag(v) == values[i]);
        p = buf;
        assert_false(sb_varint_get(&p, end - 1, &v));
    }
    static const uint8_t long_one[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
    const uint8_t *p = long_one;
    uint64_t v;
    assert_false(sb_varint_get(&p, long_one + sizeof long_one, &v));
}

static void
utf8_is_strict(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        uint32_t c;
    } cases[] = {{"a", 1, 'a'},
                 {"\xc3\xa9", 2, 0xe9},
                 {"\xe2\x82\xac", 3, 0x20ac},
                 {"\xf0\x9f\x98\x80", 4, 0x1f600},
                 {"\xc0\x80", 0, 0},
                 {"\xe0\x80\x80", 0, 0},
                 {"\xed\xa0\x80", 0, 0},
                 {"\xf4\x90\x80\x80", 0, 0},
                 {"\x80", 0, 0},
                 {"\xc3", 0, 0},
                 {"\xff", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t c = 0;
        char back[4];
        assert_int_equal(sb_utf8_get(cases[i].text, strlen(cases[i].text), &c), cases[i].n);
        if (cases[i].n) {
            assert_int_equal(c, cases[i].c);
            assert_int_equal(sb_utf8_put(back, c), cases[i].n);
            assert_memory_equal(back, cases[i].text, cases[i].n);
        }
    }
}

static const char *
nearest(const char *said)
{
    static const char *const word[] = {"report", "record", "query", "processes", "gc", "-o"};
    static struct sb_nearest n;
    n = sb_nearest_to(sb_str_of(said));
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        sb_nearest_offer(&n, sb_str_of(word[i]));
    return sb_nearest_hint(&n);
}

static void
the_nearest_word_differs_in_a_third_at_most(void **state)
{
    (void)state;
    assert_string_equal(nearest("reprot"), ", did you mean report?"); /* swapped */
    assert_string_equal(nearest("rcord"), ", did you mean record?");  /* missing */
    assert_string_equal(nearest("quuery"), ", did you mean query?");  /* too many */
    assert_string_equal(nearest("querx"), ", did you mean query?");   /* another */
    assert_string_equal(nearest("proc"), ", did you mean processes?");
    assert_string_equal(nearest("yaml"), "");
    assert_string_equal(nearest(""), "");
    char longer[200];
    memset(longer, 'x', sizeof longer);
    longer[199] = 0;
    assert_string_equal(nearest(longer), "");
}

static void
base64_comes_back(void **state)
{
    (void)state;
    static const char *const pair[][2] = {
        {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"\xff\xef\xbe", "/+++"}};
    for (unsigned i = 0; i < sizeof pair / sizeof *pair; i++) {
        struct sb_out text, bytes;
        sb_out_to_memory(&text);
        sb_out_to_memory(&bytes);
        sb_base64_write(&text, pair[i][0], strlen(pair[i][0]));
        assert_true(sb_str_eq((struct sb_str){text.buf, text.n}, sb_str_of(pair[i][1])));
        assert_true(sb_base64_read(&bytes, (struct sb_str){text.buf, text.n}));
        assert_true(sb_str_eq((struct sb_str){bytes.buf, bytes.n}, sb_str_of(pair[i][0])));
        sb_out_abandon(&text);
        sb_out_abandon(&bytes);
    }
    static const char *const bad[] = {"Zg", "Zg=", "Z===", "Zg=a", "Zm 9v===", "Zm9_"};
    for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct sb_out bytes;
        sb_out_to_memory(&bytes);
        assert_false(sb_base64_read(&bytes, sb_str_of(bad[i])));
        sb_out_abandon(&bytes);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings_are_cut_and_trimmed),
                                       cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
                                       cmocka_unit_test(errors_keep_where_and_what),
                                       cmocka_unit_test(varints_and_zigzag_come_back),
                                       cmocka_unit_test(utf8_is_strict),
                                       cmocka_unit_test(the_nearest_word_differs_in_a_third_at_most),
                                       cmocka_unit_test(base64_comes_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
