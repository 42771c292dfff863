/* The bottom layer: what each module promises in its header. */
#include "base/arena.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/intern.h"
#include "base/json.h"
#include "base/map.h"
#include "base/pool.h"
#include "base/sort.h"
#include "base/table.h"
#include "base/utf8.h"
#include "base/varint.h"
#include "base/vec.h"
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/stat.h>
#include <cmocka.h>

static void
assert_text(struct sb_out *o, const char *wanted)
{
    sb_out_char(o, '\0');
    assert_string_equal(o->buf, wanted);
    sb_out_abandon(o);
}

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

static void
errors_keep_where_and_what(void **state)
{
    (void)state;
    struct sb_err e;
    char text[256] = "";
    assert_false(sb_err_set(&e, SB_ERR_INPUT, "bad tag %d", 7));
    sb_err_in(&e, "T.trace", 12);
    sb_err_in(&e, "other", 99);
    sb_err_advise(&e, "cut it there");
    FILE *f = fmemopen(text, sizeof text, "w");
    sb_err_print(&e, f);
    fclose(f);
    assert_string_equal(text, "strobe: T.trace: bad tag 7, at byte 12: cut it there\n");
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
arenas_give_zeroed_aligned_memory(void **state)
{
    (void)state;
    struct sb_arena a;
    sb_arena_init(&a);
    for (int round = 0; round < 3; round++) {
        for (size_t n = 1; n < 5000; n = n * 3 + 1) {
            char *p = sb_arena_alloc(&a, n, 64);
            assert_int_equal((uintptr_t)p % 64, 0);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(p[i], 0);
            memset(p, 0xff, n);
        }
        sb_arena_reset(&a);
    }
    struct sb_str s = sb_arena_printf(&a, "%s-%d", "x", 5);
    assert_string_equal(s.p, "x-5");
    assert_int_equal(s.n, 3);
    sb_arena_close(&a);
}

static void
maps_find_what_was_put(void **state)
{
    (void)state;
    struct sb_map m = {0};
    enum { N = 5000 };
    for (uint64_t i = 0; i < N; i++)
        *sb_map_put(&m, i * 7919, NULL) = (uint32_t)i;
    for (uint64_t i = 0; i < N; i += 2)
        assert_true(sb_map_del(&m, i * 7919));
    assert_false(sb_map_del(&m, 0));
    for (uint64_t i = 0; i < N; i++) {
        uint32_t *v = sb_map_get(&m, i * 7919);
        assert_true(i % 2 ? v && *v == i : !v);
    }
    bool is_new;
    *sb_map_put(&m, 7919, &is_new) += 1;
    assert_false(is_new);
    assert_int_equal(m.n, N / 2);
    sb_map_clear(&m);
    assert_null(sb_map_get(&m, 7919));
    sb_map_close(&m);
}

static void
texts_are_said_once(void **state)
{
    (void)state;
    struct sb_intern t;
    char text[16];
    uint32_t id;
    sb_intern_init(&t);
    assert_int_equal(sb_intern_put(&t, SB_STR("")), 0);
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 1; i < 2000; i++) {
            int n = snprintf(text, sizeof text, "t%u", i);
            assert_int_equal(sb_intern_put(&t, (struct sb_str){text, (size_t)n}), i);
        }
    assert_true(sb_intern_find(&t, SB_STR("t77"), &id) && id == 77);
    assert_false(sb_intern_find(&t, SB_STR("t2000"), &id));
    assert_true(sb_str_eq(sb_intern_text(&t, 5), SB_STR("t5")));
    sb_intern_close(&t);
}

/* Anything, few values, a crowd with some far away, pairs; 1, 7 and 64 stretches in order. */
static uint64_t
key_of(size_t shape, size_t i, size_t n, uint64_t x)
{
    static const size_t runs[] = {1, 7, 64};
    switch (shape) {
    case 0:
        return x;
    case 1:
        return x % 100 << 40;
    case 2:
        return x % 8 ? x >> 52 : x;
    case 3:
        return x % 3000 << 32 | (x >> 32) % 3000;
    default:
        return (i % (n / runs[shape - 4] + 1) << 8) + x % 256;
    }
}

static void
sort_is_stable(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 11, 12, 47, 48, 1000, 70000};
    enum { SIZES = sizeof sizes / sizeof *sizes, SHAPES = 7 };
    uint64_t x = 88172645463325252u;
    for (size_t k = 0; k < SHAPES * SIZES; k++) {
        size_t n = sizes[k % SIZES];
        struct sb_sort_key *at = calloc(n + 1, sizeof *at), *tmp = calloc(n + 1, sizeof *tmp);
        uint64_t *number = calloc(n + 1, sizeof *number), *spare = calloc(n + 1, sizeof *spare);
        for (size_t i = 0; i < n; i++) {
            x ^= x << 13, x ^= x >> 7, x ^= x << 17;
            at[i] = (struct sb_sort_key){key_of(k / SIZES, i, n, x), i};
            number[i] = at[i].key;
        }
        sb_sort_radix(at, tmp, n);
        sb_sort_numbers(number, spare, n);
        for (size_t i = 0; i < n; i++)
            assert_true(number[i] == at[i].key);
        for (size_t i = 1; i < n; i++)
            assert_true(at[i - 1].key < at[i].key ||
                        (at[i - 1].key == at[i].key && at[i - 1].value < at[i].value));
        free(at);
        free(tmp);
        free(number);
        free(spare);
    }
}

struct sums {
    uint64_t of[8];
};

static void
add(void *ctx, size_t i, unsigned worker)
{
    ((struct sums *)ctx)->of[worker] += i;
}

static void
pools_do_each_job_once(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct sb_pool *p = sb_pool_open(threads);
        struct sums s = {{0}};
        assert_int_equal(sb_pool_threads(p), threads);
        sb_pool_each(p, 10001, add, &s);
        sb_pool_each(p, 0, add, &s);
        uint64_t total = 0;
        for (unsigned i = 0; i < 8; i++)
            total += s.of[i];
        assert_int_equal(total, 10000 * 10001 / 2);
        sb_pool_close(p);
    }
}

struct nest {
    struct sb_pool *pool;
    struct sums sums;
    atomic_uint submitted;
};

static void
add_ten(void *ctx, size_t i, unsigned worker)
{
    (void)i;
    (void)worker;
    struct nest *n = ctx;
    sb_pool_each(n->pool, 10, add, &n->sums);
}

static void
count(void *arg, unsigned worker)
{
    (void)worker;
    atomic_uint *n = arg;
    (*n)++;
}

static void
jobs_of_pools_may_have_jobs_themselves(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        struct nest n = {.pool = sb_pool_open(threads)};
        struct sb_jobs some = {.n = 500, .fn = add_ten, .ctx = &n}, more = {.n = 0, .fn = add_ten, .ctx = &n};
        sb_pool_start(n.pool, &some);
        sb_pool_start(n.pool, &more);
        for (unsigned i = 0; i < 20; i++)
            sb_pool_submit(n.pool, count, &n.submitted);
        sb_pool_each(n.pool, 500, add_ten, &n);
        sb_pool_wait(n.pool, &more);
        sb_pool_wait(n.pool, &some);
        sb_pool_drain(n.pool);
        uint64_t total = 0;
        for (unsigned i = 0; i < 8; i++)
            total += n.sums.of[i];
        assert_int_equal(total, 1000 * 45);
        assert_int_equal(n.submitted, 20);
        sb_pool_close(n.pool);
    }
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
        sb_arena_init(&a);
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
    sb_arena_init(&a);
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
                 {-2500, SB_U_NS, "-2.50 us"},
                 {4500, SB_U_BYTES, "4.50 kB"},
                 {1234567, SB_U_COUNT, "1,234,567"},
                 {-999, SB_U_COUNT, "-999"},
                 {-1000, SB_U_WORDS, "-1,000"},
                 {1234, SB_U_ID, "1234"},
                 {125000, SB_U_PPM, "12.50 %"},
                 {1500000000, SB_U_AT_NS, "1.500000 s"},
                 {INT64_MIN, SB_U_COUNT, "-9,223,372,036,854,775,808"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char buf[64], tiny[4];
        assert_int_equal(sb_human(buf, sizeof buf, cases[i].v, cases[i].u), strlen(cases[i].wanted));
        assert_string_equal(buf, cases[i].wanted);
        assert_true(sb_human(tiny, sizeof tiny, cases[i].v, cases[i].u) < sizeof tiny);
    }
}

static void
outputs_appear_whole_or_not_at_all(void **state)
{
    (void)state;
    char dir[] = "/tmp/strobe-unit.XXXXXX", path[64];
    struct sb_out o;
    struct sb_err e = {0};
    struct sb_file f;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/out", dir);
    assert_true(sb_out_open(&o, path, &e));
    for (int i = 0; i < 100000; i++)
        sb_out_printf(&o, "%d\n", i);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_true(sb_out_close(&o, &e));
    assert_true(sb_file_open(&f, path, &e));
    assert_int_equal(f.n, 588890);
    sb_file_close(&f);
    assert_true(sb_out_open(&o, path, &e));
    sb_out_z(&o, "not kept");
    sb_out_abandon(&o);
    assert_true(sb_file_open(&f, path, &e));
    assert_int_equal(f.n, 588890);
    sb_file_close(&f);
    unlink(path);
    assert_int_equal(rmdir(dir), 0); /* no temporary file is left */
}

static void
what_cannot_be_opened_says_why(void **state)
{
    (void)state;
    struct sb_file f;
    struct sb_out o;
    struct sb_err e = {0};
    assert_false(sb_file_open(&f, "/nowhere/at/all", &e));
    assert_int_equal(e.code, SB_ERR_SYSTEM);
    assert_string_equal(e.file, "/nowhere/at/all");
    assert_false(sb_file_open(&f, "/tmp", &e));
    assert_string_equal(e.what, "is a directory");
    assert_false(sb_file_open(&f, "/dev/null", &e));
    assert_false(sb_out_open(&o, "/nowhere/at/all", &e));
    assert_true(sb_out_open(&o, "/dev/full", &e));
    sb_out_z(&o, "x");
    assert_false(sb_out_close(&o, &e));
    assert_non_null(strstr(e.what, "No space left"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strings_are_cut_and_trimmed),
                                       cmocka_unit_test(numbers_are_read_whole_or_not_at_all),
                                       cmocka_unit_test(errors_keep_where_and_what),
                                       cmocka_unit_test(arenas_give_zeroed_aligned_memory),
                                       cmocka_unit_test(maps_find_what_was_put),
                                       cmocka_unit_test(texts_are_said_once),
                                       cmocka_unit_test(sort_is_stable),
                                       cmocka_unit_test(pools_do_each_job_once),
        cmocka_unit_test(jobs_of_pools_may_have_jobs_themselves),
                                       cmocka_unit_test(varints_and_zigzag_come_back),
                                       cmocka_unit_test(utf8_is_strict),
                                       cmocka_unit_test(json_is_well_formed),
                                       cmocka_unit_test(tables_have_four_forms),
                                       cmocka_unit_test(text_tables_fit_80_columns),
                                       cmocka_unit_test(numbers_are_shown_short),
                                       cmocka_unit_test(outputs_appear_whole_or_not_at_all),
                                       cmocka_unit_test(what_cannot_be_opened_says_why)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
