/* Random tables written, read back, scanned by zones and by brute force: the same. */
#include "base/file.h"
#include "base/hash.h"
#include "profile/build.h"
#include "profile/profile.h"
#include "profile/squeeze.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static uint64_t
rnd(uint64_t *s)
{
    *s ^= *s << 13, *s ^= *s >> 7, *s ^= *s << 17;
    return *s;
}

/* numbers of every shape: constant, small, rising, wild, with NULLs and outliers */
static int64_t
number(uint64_t *s, unsigned shape, size_t i)
{
    if (shape & 8 && rnd(s) % 7 == 0)
        return SB_NULL;
    if (rnd(s) % 500 == 0)
        return (int64_t)(rnd(s) >> 2);
    switch (shape % 8) {
    case 0:
        return 42;
    case 1:
        return (int64_t)(rnd(s) % 16);
    case 2:
        return (int64_t)(i * 1000 + rnd(s) % 900);
    case 3:
        return (int64_t)rnd(s) == SB_NULL ? 0 : (int64_t)rnd(s);
    case 4:
        return -(int64_t)(rnd(s) % 100000);
    case 5:
        return rnd(s) % 2 ? INT64_MAX : INT64_MIN + 1;
    case 6:
        return SB_NULL;
    default:
        return (int64_t)(i / 100);
    }
}

static void
cut_to_cells(const int64_t *v, size_t n, int64_t *cut, uint32_t *cell)
{
    for (size_t i = 0; i < n; i++) {
        cut[i] = v[i] == SB_NULL ? SB_NULL : v[i] & 0xfffffff;
        cell[i] = v[i] == SB_NULL ? SB_NO_NUMBER : (uint32_t)cut[i];
    }
}

/* Whether they come as numbers or as cells, they make the same block. */
static void
pack_both_ways(const int64_t *v, const int64_t *near, bool nearby, size_t n)
{
    static int64_t cut[2][SB_BLOCK_ROWS];
    static uint32_t cell[2][SB_BLOCK_ROWS];
    static uint8_t out[2][SB_PACK_MAX + SB_PACK_SLACK];
    struct sb_packed d = {0}, e = {0};
    cut_to_cells(v, n, cut[0], cell[0]);
    cut_to_cells(near, n, cut[1], cell[1]);
    sb_pack((struct sb_pack_column){.v = cut[0]}, (struct sb_pack_near){{.v = nearby ? cut[1] : NULL}, 1}, n,
            out[0], &d);
    sb_pack((struct sb_pack_column){.cell = cell[0]},
            (struct sb_pack_near){{.cell = nearby ? cell[1] : NULL}, 1}, n, out[1], &e);
    assert_memory_equal(&d, &e, sizeof d);
    assert_memory_equal(out[0], out[1], d.bytes);
}

static void
test_pack(void **state)
{
    (void)state;
    uint64_t s = 88172645463325252u;
    int64_t v[SB_BLOCK_ROWS], near[SB_BLOCK_ROWS], back[SB_BLOCK_ROWS];
    static uint8_t out[SB_PACK_MAX + SB_PACK_SLACK];
    static uint8_t room[SB_PACK_MAX + SB_PACK_SLACK];
    struct sb_squeezer *squeezer = sb_squeezer_open();
    struct sb_unsqueezer unsqueezer = {NULL};
    unsigned ways = 0, patched = 0, shifted = 0, squeezed = 0;
    for (unsigned round = 0; round < 400; round++) {
        size_t n = round % 10 == 0 ? SB_BLOCK_ROWS : 1 + rnd(&s) % SB_BLOCK_ROWS;
        for (size_t i = 0; i < n; i++)
            v[i] = number(&s, round % 16, i);
        for (size_t i = 0; i < n; i++)
            near[i] = round % 3 == 0 || v[i] == SB_NULL ? number(&s, (round + 3) % 16, i)
                                                        : (int64_t)((uint64_t)v[i] - rnd(&s) % 9);
        for (size_t i = 0; i < n && round % 5 == 0; i++) { /* a clock that ticks every 8 ns */
            v[i] = v[i] == SB_NULL ? SB_NULL : v[i] & ~INT64_C(7);
            near[i] = near[i] == SB_NULL ? SB_NULL : near[i] & ~INT64_C(7);
        }
        struct sb_packed d;
        struct sb_pack_near with = {{.v = round % 2 ? near : NULL}, round};
        struct sb_pack_sums sums = sb_pack((struct sb_pack_column){.v = v}, with, n, out, &d);
        pack_both_ways(v, near, round % 2, n);
        uint64_t count = 0, total = 0;
        assert_true(!sb_packed_is_near(&d) || (with.of.v && sb_packed_near(out) == round));
        ways |= 1u << (d.how & ~(unsigned)SB_PACK_FLAGS);
        shifted += (d.how & SB_PACK_SHIFT) == 3 << 2;
        patched |= d.patches > 0 ? d.how & SB_PACK_WHOLE ? 2 : 1 : 0;
        assert_true(sb_packed_ok(&d, n));
        assert_true(d.bytes <= SB_PACK_MAX && d.bytes == sb_packed_whole(&d, n));
        sb_squeeze(squeezer, out, &d);
        assert_true(sb_packed_ok(&d, n) && d.bytes % 8 == 0);
        squeezed += d.bytes < sb_packed_whole(&d, n);
        const uint8_t *whole = sb_unsqueeze(&unsqueezer, out, &d, n, room);
        assert_non_null(whole);
        sb_unpack(whole, near, n, &d, back);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(v[i], back[i]);
            count += v[i] == SB_NULL;
            total += v[i] == SB_NULL ? 0 : (uint64_t)v[i];
            assert_true(v[i] == SB_NULL || (v[i] >= d.min && v[i] <= d.max));
        }
        assert_int_equal(sums.nulls, count);
        assert_int_equal(sums.total, total);
        if (d.bytes < sb_packed_whole(&d, n)) {
            out[rnd(&s) % 4] ^= 0x55; /* of the magic number of a frame */
            assert_null(sb_unsqueeze(&unsqueezer, out, &d, n, room));
        }
    }
    sb_squeezer_close(squeezer);
    sb_unsqueezer_close(&unsqueezer);
    assert_true(shifted > 10);
    assert_true(squeezed > 10 && squeezed < 390);
    assert_int_equal(ways, (1u << SB_PACK_HOWS) - 1);
    assert_int_equal(patched, 3);
}

static char path[64];

/* Ids are read only if the table that they name has such a row. */
static void
write_rows(struct sb_build *b, enum sb_tab t, int64_t n)
{
    int64_t cell[SB_ROW_MOST];
    for (size_t c = 0; c < SB_ROW_MOST; c++)
        cell[c] = SB_NULL;
    for (cell[0] = 1; cell[0] <= n; cell[0]++)
        sb_build_row(b, t, cell);
}

enum { PROCESSES = 50, SCHEDULERS = 2 };

static void
write_tables(size_t n, uint64_t seed)
{
    struct sb_err e = {0};
    struct sb_build *b;
    assert_true(sb_build_open(&b, path, &e));
    write_rows(b, SB_T_process, PROCESSES);
    write_rows(b, SB_T_scheduler, SCHEDULERS);
    for (size_t i = 0; i < n; i++) {
        char text[32];
        snprintf(text, sizeof text, "m:f/%u", (unsigned)(rnd(&seed) % 300));
        int64_t f = sb_build_text(b, sb_str_of(text));
        sb_build_row(b, SB_T_slice,
                     (int64_t[SB_N_slice]){(int64_t)(1 + rnd(&seed) % PROCESSES), i % 3 ? 1 : 2,
                                           (int64_t)i * 10, 7, f, i % 5 ? f : SB_NULL,
                                           sb_build_text(b, SB_STR("normal")), SB_NULL});
        sb_build_row(b, SB_T_mark,
                     (int64_t[SB_N_mark]){1 + (int64_t)i % PROCESSES, 1, (int64_t)i * 3,
                                          sb_build_text(b, SB_STR(""))});
    }
    sb_build_meta(b, SB_STR("k"), SB_STR("v"));
    assert_true(sb_build_close(b, &e));
}

/* Each value of a cell is read back: small ones from 4 bytes, large and odd ones from a list, times from
 * 8 bytes. Ports come first. */
static void
test_cells(void **state)
{
    (void)state;
    static const int64_t odd[] = {0,
                                  -1,
                                  1,
                                  UINT32_MAX,
                                  UINT32_MAX - 1,
                                  UINT32_MAX - (1 << 24),
                                  UINT32_MAX - (1 << 24) - 1,
                                  INT64_MAX,
                                  INT64_MIN + 1,
                                  SB_NULL,
                                  INT64_C(1) << 32,
                                  4711};
    enum { ODD = sizeof odd / sizeof *odd, ROWS = 3 * SB_BLOCK_ROWS + 7 };
    struct sb_err e = {0};
    struct sb_build *b;
    struct sb_profile *p;
    assert_true(sb_build_open(&b, path, &e));
    write_rows(b, SB_T_process, ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        sb_build_row(b, SB_T_gap,
                     (int64_t[SB_N_gap]){i % 3 == 0 ? SB_NULL : ROWS - i, odd[i % ODD], odd[i * 7 % ODD],
                                         odd[i * 5 % ODD], SB_NULL, SB_NULL, SB_NULL, SB_NULL, SB_NULL,
                                         SB_NULL});
    assert_true(sb_build_close(b, &e));
    assert_true(sb_profile_open(&p, path, &e));
    for (int64_t row = 0; row < ROWS; row++) {
        int64_t process = sb_profile_cell(p, SB_T_gap, SB_C_gap__process, row);
        int64_t i = process == SB_NULL ? row * 3 : ROWS - process;
        assert_int_equal(process == SB_NULL, row < (ROWS + 2) / 3);
        assert_int_equal(sb_profile_cell(p, SB_T_gap, SB_C_gap__start, row), odd[i % ODD]);
        assert_int_equal(sb_profile_cell(p, SB_T_gap, SB_C_gap__wait_ns, row), odd[i * 7 % ODD]);
        assert_int_equal(sb_profile_cell(p, SB_T_gap, SB_C_gap__runnable_ns, row), odd[i * 5 % ODD]);
    }
    sb_profile_close(p);
}

static void
test_tables(void **state)
{
    (void)state;
    size_t n = SB_SEGMENT_ROWS + 5000;
    write_tables(n, 7);
    struct sb_err e = {0};
    struct sb_profile *p;
    assert_true(sb_profile_open(&p, path, &e));
    assert_int_equal(sb_profile_rows(p, SB_T_slice), n);
    assert_int_equal(sb_profile_rows(p, SB_T_mark), n);
    assert_int_equal(sb_profile_cell(p, SB_T_mark, SB_C_mark__at, 4711), 4711 * 3);
    struct sb_str empty = sb_profile_text(p, sb_profile_cell(p, SB_T_mark, SB_C_mark__text, 1));
    assert_non_null(empty.p);
    assert_int_equal(empty.n, 0);
    assert_null(sb_profile_text(p, SB_NULL).p);
    assert_int_equal(sb_profile_find_text(p, SB_STR("nobody:said/0")), SB_NULL);
    assert_string_equal(
        sb_profile_text(p, sb_profile_cell(p, SB_T_meta, SB_C_meta__value, 0)).p[0] == 'v' ? "v" : "", "v");

    /* within a segment rows lie by process, and of one process in the order they came */
    int64_t *process = malloc(n * sizeof *process), *start = malloc(n * sizeof *start);
    int64_t *f = malloc(n * sizeof *f);
    sb_profile_read(p, SB_T_slice, SB_C_slice__process, 0, n, process);
    sb_profile_read(p, SB_T_slice, SB_C_slice__start, 0, n, start);
    sb_profile_read(p, SB_T_slice, SB_C_slice__out_function, 0, n, f);
    size_t wrong = 0;
    for (size_t i = 1; i < n; i++)
        if (i != SB_SEGMENT_ROWS)
            wrong +=
                process[i - 1] > process[i] || (process[i - 1] == process[i] && start[i - 1] >= start[i]);

    assert_int_equal(wrong, 0);

    int64_t text = sb_profile_find_text(p, SB_STR("m:f/17"));
    assert_true(text != SB_NULL);
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_slice);
    sb_scan_where(&s, SB_C_slice__process, 10, 12);
    sb_scan_where(&s, SB_C_slice__start, 5000, 5000000);
    sb_scan_where(&s, SB_C_slice__out_function, text, text);
    unsigned want = sb_scan_want(&s, SB_C_slice__start);
    size_t found = 0, truth = 0;
    for (size_t i = 0; i < n; i++)
        truth +=
            process[i] >= 10 && process[i] <= 12 && start[i] >= 5000 && start[i] <= 5000000 && f[i] == text;
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++, found++)
            assert_int_equal(s.value[want][i], start[s.row[i]]);
    sb_scan_close(&s);
    assert_true(truth > 0);
    assert_int_equal(found, truth);
    assert_false(sb_profile_damage(p, &e));
    sb_profile_close(p);
    free(process), free(start), free(f);
}

static void *
slurp(size_t *n)
{
    struct sb_file f;
    struct sb_err e;
    assert_true(sb_file_open(&f, path, &e));
    void *copy = malloc(f.n);
    memcpy(copy, f.p, *n = f.n);
    sb_file_close(&f);
    return copy;
}

static void
spill(const void *p, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(p, 1, n, f), n);
    fclose(f);
}

/* Reads all there is; true when the profile was refused or its damage is known. */
static bool
is_noticed(struct sb_err *e)
{
    struct sb_profile *p;
    if (!sb_profile_open(&p, path, e))
        return true;
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            for (uint64_t r = 0; r < sb_profile_rows(p, (enum sb_tab)t); r++) {
                int64_t v = sb_profile_cell(p, (enum sb_tab)t, c, r);
                if (sb_schema[t].column[c].type == SB_TEXT)
                    sb_profile_text(p, v);
            }
    bool damaged = !sb_profile_check(p, e); /* and ids, which are not read from the file */
    sb_profile_close(p);
    return damaged;
}

static void
test_bad_files(void **state)
{
    (void)state;
    write_tables(20, 3);
    size_t n;
    uint8_t *good = slurp(&n);
    struct sb_err e = {0};
    assert_false(is_noticed(&e));
    for (size_t cut = n; cut-- > 0;) {
        assert_int_equal(truncate(path, (off_t)cut), 0);
        e = (struct sb_err){0};
        assert_true(is_noticed(&e));
        assert_true(e.what[0] != 0 && e.file[0] != 0);
    }
    spill(good, n);
    int fd = open(path, O_WRONLY);
    for (size_t at = 0; at < n; at++) {
        uint8_t flipped = good[at] ^ (uint8_t)(1u << at % 8);
        assert_int_equal(pwrite(fd, &flipped, 1, (off_t)at), 1);
        e = (struct sb_err){0};
        assert_true(is_noticed(&e));
        assert_int_equal(pwrite(fd, &good[at], 1, (off_t)at), 1);
    }
    close(fd);
    good[8] = 99; /* of a newer version */
    spill(good, n);
    struct sb_profile *p;
    assert_false(sb_profile_open(&p, path, &e));
    assert_non_null(strstr(e.what, "newer strobe"));
    free(good);
}

/* A profile that was never finished leaves no file. */
static void
test_abandon(void **state)
{
    (void)state;
    unlink(path);
    struct sb_err e;
    struct sb_build *b;
    assert_true(sb_build_open(&b, path, &e));
    sb_build_row(b, SB_T_mark, (int64_t[SB_N_mark]){1, 1, 1, SB_NULL});
    sb_build_abandon(b);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* ---- windows: rows of three tables by time, from two finders, as many of them at once as anybody likes */

enum { ROWS = 700000, FINDERS = 2 };

static void
find(const struct sb_build *b, struct sb_rows *found, enum sb_tab tab, int64_t at)
{
    struct sb_rows *rows = &found[tab * FINDERS + (size_t)at % FINDERS];
    uint32_t *row = sb_rows_put(rows, tab, at, (uint64_t)at % 1000);
    for (unsigned c = 0; c < sb_schema[tab].n_columns; c++) {
        bool is_cluster = strcmp(sb_schema[tab].column[c].name, sb_schema[tab].cluster) == 0;
        int64_t number = is_cluster ? at % 1000 : c % 2 ? at : -at;
        sb_row_set(rows, sb_build_shape(b, tab), row, c,
                   sb_schema[tab].column[c].type == SB_TEXT ? 1 : number);
    }
}

static int64_t
handle_of(void *ctx, uint32_t name)
{
    return name == 1 ? *(int64_t *)ctx : SB_NULL;
}

static uint64_t
write_windows(size_t each)
{
    static const enum sb_tab tabs[] = {SB_T_message, SB_T_slice,   SB_T_message,
                                       SB_T_gap,     SB_T_message, SB_T_event};
    struct sb_build *b;
    struct sb_err e = {0};
    struct sb_rows found[SB_TABLES * FINDERS] = {0};
    assert_true(sb_build_open(&b, path, &e));
    int64_t text = sb_build_text(b, SB_STR("f"));
    sb_build_names(b, handle_of, &text);
    for (int64_t at = 0; at < ROWS; at++) {
        find(b, found, tabs[at % 6], at);
        if ((size_t)at % each != each - 1 && at + 1 < ROWS)
            continue;
        sb_build_window(b, found, FINDERS);
        for (size_t i = 0; i < SB_TABLES * FINDERS; i++)
            sb_rows_settle(&found[i]);
    }
    sb_build_last(b, found, FINDERS);
    assert_true(sb_build_close(b, &e));
    for (size_t i = 0; i < SB_TABLES * FINDERS; i++)
        sb_rows_free(&found[i]);
    struct sb_file f;
    assert_true(sb_file_open(&f, path, &e));
    uint64_t sum = sb_hash(f.p, f.n);
    sb_file_close(&f);
    return sum;
}

static void
test_windows(void **state)
{
    (void)state;
    uint64_t whole = write_windows(ROWS);
    assert_int_equal(whole, write_windows(70000));
    assert_int_equal(whole, write_windows(999));
}

int
main(void)
{
    snprintf(path, sizeof path, "/tmp/strobe-profile-%d.sbp", (int)getpid());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pack),      cmocka_unit_test(test_cells),   cmocka_unit_test(test_tables),
        cmocka_unit_test(test_bad_files), cmocka_unit_test(test_abandon), cmocka_unit_test(test_windows),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
