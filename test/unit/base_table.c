/* Tables and JSON, and how numbers are shown. */
#include "base/json.h"
#include "base/table.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void
assert_text(struct sb_out *o, const char *wanted)
{
    sb_out_char(o, '\0');
    assert_string_equal(o->buf, wanted);
    sb_out_abandon(o);
}

static void
json_is_well_formed(void **state)
{
    (void)state;
    struct sb_out o;
    struct sb_json j;
    sb_out_to_memory(&o);
    sb_json_open(&j, &o, false);
    sb_json_obj(&j);
    sb_json_key(&j, SB_STR("a\"\\\n\x01\xff\xc3\xa9"));
    sb_json_arr(&j);
    sb_json_i64(&j, INT64_MIN);
    sb_json_u64(&j, UINT64_MAX);
    sb_json_f64(&j, 0.1);
    sb_json_f64(&j, NAN);
    sb_json_bool(&j, true);
    sb_json_null(&j);
    sb_json_end(&j);
    sb_json_key(&j, SB_STR("b"));
    sb_json_obj(&j);
    sb_json_end(&j);
    sb_json_end(&j);
    assert_text(
        &o,
        "{\"a\\\"\\\\\\n\\u0001\xef\xbf\xbd\xc3\xa9\":[-9223372036854775808,18446744073709551615,0.1,null,"
        "true,null],\"b\":{}}");
}

static const struct sb_column columns[] = {{"name", SB_TEXT, SB_U_NONE, "who"},
                                           {"ns", SB_INT, SB_U_NS, "how long"},
                                           {"share", SB_REAL, SB_U_NONE, "part"}};

static void
fill(struct sb_table *t, struct sb_arena *a)
{
    sb_table_init(t, a, columns, 3);
    union sb_cell *row = sb_table_row(t);
    row[0].s = SB_STR("a, \"b\"\tc");
    row[1].i = 1234567;
    row[2].f = 0.5;
    row = sb_table_row(t);
    row[0].s = (struct sb_str){0};
    row[1].i = SB_NULL;
    row[2].f = NAN;
}

static void
tables_have_four_forms(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        [SB_FORMAT_TEXT] = "name           ns  share\na, \"b\"?c  1.23 ms  0.500\n--             --     --\n",
        [SB_FORMAT_JSON] =
            ("[\n  {\n    \"name\": \"a, \\\"b\\\"\\tc\",\n    \"ns\": 1234567,\n    \"share\": 0.5\n  },\n"
             "  {\n    \"name\": null,\n    \"ns\": null,\n    \"share\": null\n  }\n]\n"),
        [SB_FORMAT_CSV] = "name,ns,share\r\n\"a, \"\"b\"\"\tc\",1234567,0.5\r\n,,\r\n",
        [SB_FORMAT_TSV] = "name\tns\tshare\na, \"b\" c\t1234567\t0.5\n\t\t\n"};
    for (int f = SB_FORMAT_TEXT; f <= SB_FORMAT_TSV; f++) {
        struct sb_arena a;
        struct sb_table t;
        struct sb_out o;
        a = (struct sb_arena){0};
        fill(&t, &a);
        sb_out_to_memory(&o);
        sb_table_write(&t, (enum sb_format)f, &o);
        assert_text(&o, wanted[f]);
        sb_arena_close(&a);
    }
}

static void
text_tables_fit_80_columns(void **state)
{
    (void)state;
    struct sb_arena a;
    struct sb_table t;
    struct sb_out o;
    a = (struct sb_arena){0};
    fill(&t, &a);
    char *name = sb_arena_alloc(&a, 200, 1);
    memset(name, 'x', 200);
    sb_table_row(&t)[0].s = (struct sb_str){name, 200};
    sb_out_to_memory(&o);
    sb_table_write(&t, SB_FORMAT_TEXT, &o);
    size_t width = 0;
    for (size_t i = 0; i < o.n; i++) {
        if (o.buf[i] == '\n') {
            assert_true(width <= 80);
            width = 0;
        } else if (((uint8_t)o.buf[i] & 0xc0) != 0x80) {
            width++;
        }
    }
    sb_out_abandon(&o);
    sb_arena_close(&a);
}

static void
numbers_are_shown_short(void **state)
{
    (void)state;
    static const struct {
        int64_t v;
        enum sb_unit u;
        const char *wanted;
    } cases[] = {{0, SB_U_NS, "0 ns"},
                 {1500, SB_U_NS, "1.50 us"},
                 {12300000, SB_U_NS, "12.3 ms"},
                 {999499999, SB_U_NS, "999 ms"},
                 {999500000, SB_U_NS, "1.00 s"},
                 {99950000, SB_U_NS, "100 ms"},
                 {9996, SB_U_NS, "10.0 us"},
                 {999600, SB_U_BYTES, "1.00 MB"},
                 {-2500, SB_U_NS, "-2.50 us"},
                 {4500, SB_U_BYTES, "4.50 kB"},
                 {1234567, SB_U_COUNT, "1,234,567"},
                 {-999, SB_U_COUNT, "-999"},
                 {-1000, SB_U_WORDS, "-1,000"},
                 {1234, SB_U_ID, "1234"},
                 {125000, SB_U_PPM, "12.50 %"},
                 {1500000000, SB_U_AT_NS, "1.500000 s"},
                 {INT64_MIN, SB_U_COUNT, "-9,223,372,036,854,775,808"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(sb_human(cases[i].v, cases[i].u).text, cases[i].wanted);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_is_well_formed), cmocka_unit_test(tables_have_four_forms),
        cmocka_unit_test(text_tables_fit_80_columns), cmocka_unit_test(numbers_are_shown_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
