/* External terms: walked, as trees, in order, and printed; the live comparison with Erlang is
 * test/fprof/live.escript. */
#include "trace/term/term_print.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define BYTES(lit) \
    { \
        (const uint8_t *)(lit), sizeof(lit) - 1 \
    }
struct bytes {
    const uint8_t *p;
    size_t n;
};
#define PID \
    "X" \
    "w\3n@h" \
    "\0\0\0\120" \
    "\0\0\0\1" \
    "\0\0\0\7"

/* In Erlang's order, so that the table serves that test too. */
static const struct {
    struct bytes term;
    const char *text;
} terms[] = {
    {BYTES("n\11\1\0\0\0\0\0\0\0\0\1"), "-18446744073709551616"},
    {BYTES("b\377\377\377\376"), "-2"},
    {BYTES("F\277\340\0\0\0\0\0\0"), "-0.5"},
    {BYTES("a\7"), "7"},
    {BYTES("F\100\36\0\0\0\0\0\0"), "7.5"},
    {BYTES("c8.00000000000000000000e+00\0\0\0\0\0"), "8.0"},
    {BYTES("F\100\217\100\0\0\0\0\0"), "1.0e3"},
    {BYTES("n\10\0\377\377\377\377\377\377\377\377"), "18446744073709551615"},
    {BYTES("d\0\1a"), "a"},
    {BYTES("w\3end"), "'end'"},
    {BYTES("s\3x y"), "'x y'"},
    {BYTES("w\2\303\251"), "é"},
    {BYTES("w\2\316\273"), "'λ'"},
    {BYTES("Z\0\2w\3n@h\0\0\0\0\0\0\0\1\0\0\0\2"), "#Ref<0.2.1>"},
    {BYTES("qd\0\5listsd\0\7reversea\1"), "fun lists:reverse/1"},
    {BYTES("xw\3n@h\0\0\0\0\0\0\0\5\0\0\0\0"), "#Port<0.5>"},
    {BYTES(PID), "<0.80.1>"},
    {BYTES("h\0"), "{}"},
    {BYTES("h\2w\1aa\1"), "{a,1}"},
    {BYTES("t\0\0\0\2w\1ba\2w\1aa\1"), "#{a => 1,b => 2}"},
    {BYTES("j"), "[]"},
    {BYTES("l\0\0\0\1a\1l\0\0\0\1a\2a\3"), "[1,2|3]"},
    {BYTES("k\0\2\1\2"), "[1,2]"},
    {BYTES("k\0\3a\"\n"), "\"a\\\"\\n\""},
    {BYTES("m\0\0\0\0"), "<<>>"},
    {BYTES("M\0\0\0\1\3\240"), "<<5:3>>"},
    {BYTES("m\0\0\0\2\303\251"), "<<\"é\"/utf8>>"},
    {BYTES("m\0\0\0\2\303\377"), "<<\"Ãÿ\">>"},
};
enum { N = sizeof terms / sizeof *terms };

static const struct sb_etf *
decode(struct sb_arena *a, struct bytes b)
{
    struct sb_etf *t = SB_NEW(a, struct sb_etf);
    const uint8_t *behind;
    assert_true(sb_etf_decode(b.p, b.p + b.n, a, t, &behind));
    assert_ptr_equal(behind, b.p + b.n);
    assert_ptr_equal(sb_etf_skip(b.p, b.p + b.n), b.p + b.n);
    return t;
}

static void
assert_printed(const struct sb_etf *t, unsigned column, enum sb_term_style style, const char *wanted)
{
    struct sb_out o;
    sb_out_to_memory(&o);
    sb_term_print(&o, t, column, style);
    sb_out_char(&o, '\0');
    assert_string_equal(o.buf, wanted);
    sb_out_abandon(&o);
}

static void
every_kind_prints_as_in_erlang(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < N; i++)
        assert_printed(decode(&a, terms[i].term), 1, SB_TERM_PLAIN, terms[i].text);
    sb_arena_close(&a);
}

static void
terms_are_ordered_as_in_erlang(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            int c = sb_etf_cmp(decode(&a, terms[i].term), decode(&a, terms[j].term));
            assert_int_equal((c > 0) - (c < 0), (i > j) - (i < j));
        }
    struct bytes one = BYTES("a\1"), one_float = BYTES("F\77\360\0\0\0\0\0\0");
    assert_int_equal(sb_etf_cmp(decode(&a, one), decode(&a, one_float)), 0);
    assert_true(sb_etf_cmp_exact(decode(&a, one), decode(&a, one_float)) < 0);
    sb_arena_close(&a);
}

static void
a_cut_term_is_no_term(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < N; i++)
        for (size_t n = 0; n < terms[i].term.n; n++) {
            struct sb_etf t;
            /* of that size, so that a sanitizer sees a step too far */
            uint8_t *copy = malloc(n ? n : 1);
            memcpy(copy, terms[i].term.p, n);
            assert_null(sb_etf_skip(copy, copy + n));
            assert_false(sb_etf_decode(copy, copy + n, &a, &t, NULL));
            free(copy);
        }
    sb_arena_close(&a);
}

static void
what_binary_to_term_refuses_is_refused(void **state)
{
    (void)state;
    static const struct bytes bad[] = {
        BYTES("t\0\0\0\2a\1a\2a\1a\3"), /* a key twice */
        BYTES("F\177\370\0\0\0\0\0\0"), /* not a number */
        BYTES("w\1\310"),               /* not UTF-8 */
        BYTES("M\0\0\0\1\0\1"),
        BYTES("M\0\0\0\1\11\1"),       /* 0 or 9 bits in the last byte */
        BYTES("l\377\377\377\377a\1"), /* longer than what is there */
        BYTES("i\377\377\377\377"),
        BYTES("c0123456789012345678901234567890"),
        BYTES("c1.5x456789012345678901234567890"),
        BYTES("R\1"),
        BYTES("\0"),
    };
    struct sb_arena a;
    struct sb_etf t;
    a = (struct sb_arena){0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(sb_etf_decode(bad[i].p, bad[i].p + bad[i].n, &a, &t, NULL));
    sb_arena_close(&a);
}

static void
any_depth_is_decoded_ordered_and_printed(void **state)
{
    (void)state;
    enum { DEEP = 1000000 };
    struct sb_arena a;
    a = (struct sb_arena){0};
    uint8_t *p = malloc(2 * DEEP + 1);
    for (size_t i = 0; i < DEEP; i++)
        memcpy(p + 2 * i, "h\1", 2);
    p[2 * DEEP] = 'j';
    const struct sb_etf *t = decode(&a, (struct bytes){p, 2 * DEEP + 1});
    assert_int_equal(sb_etf_cmp(t, t), 0);
    struct sb_out o;
    sb_out_to_memory(&o);
    sb_term_print(&o, t, 1, SB_TERM_PARSIFY);
    assert_true(o.n > SB_TERM_PRINT_DEPTH && o.n < 100 * SB_TERM_PRINT_DEPTH);
    sb_out_abandon(&o);
    free(p);
    sb_arena_close(&a);
}

static void
long_terms_are_broken_like_io_lib_pretty(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct sb_etf name = sb_etf_new_atom(SB_STR("a_module_with_a_long_name_for_a_module"));
    struct sb_etf mfa[] = {name, sb_etf_new_atom(SB_STR("a_function_with_a_long_name_as_well")),
                           sb_etf_new_int(12)};
    struct sb_etf t = sb_etf_new_tuple(&a, mfa, 3);
    assert_printed(&t, 1, SB_TERM_PLAIN,
                   "{a_module_with_a_long_name_for_a_module,a_function_with_a_long_name_as_well,\n"
                   "    12}");
    sb_arena_close(&a);
}

static void
what_consult_cannot_read_becomes_a_string(void **state)
{
    (void)state;
    struct sb_arena a;
    a = (struct sb_arena){0};
    struct bytes pid = BYTES(PID), tail = BYTES("l\0\0\0\1a\1" PID);
    assert_printed(decode(&a, pid), 1, SB_TERM_PARSIFY, "\"<0.80.1>\"");
    assert_printed(decode(&a, tail), 1, SB_TERM_PARSIFY, "[1,60,48,46,56,48,46,49,62]");
    sb_arena_close(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_prints_as_in_erlang),
        cmocka_unit_test(terms_are_ordered_as_in_erlang),
        cmocka_unit_test(a_cut_term_is_no_term),
        cmocka_unit_test(what_binary_to_term_refuses_is_refused),
        cmocka_unit_test(any_depth_is_decoded_ordered_and_printed),
        cmocka_unit_test(long_terms_are_broken_like_io_lib_pretty),
        cmocka_unit_test(what_consult_cannot_read_becomes_a_string),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
