/* Ids and numbers of rows that a profile claims: readers have arrays by both. */
#include "base/sanitized.h"
#include "hostile_forge.h"
#include "answer/answer.h"
#include "profile/build.h"
#include "profile/padding.h"
#include "why/run/history.h"
#include "why/why.h"
#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- ids ---- */

static bool
answer_one(struct sb_profile *p, const struct sb_answer *a)
{
    struct sb_sql *sql;
    struct sb_err e;
    struct sb_arena arena;
    struct sb_table t;
    struct sb_question q = {.since_ns = SB_NULL, .until_ns = SB_NULL};
    if (strncmp(a->name, "caller", 6) == 0 || strcmp(a->name, "function") == 0)
        q.subject = SB_STR("m:f/1");
    arena = (struct sb_arena){0};
    bool ok = sb_sql_open(&sql, p, sb_why_tables, &e) &&
              sb_answer_run(a, &(struct sb_ask){p, sql, &q, &arena}, &t, &e);
    sb_sql_close(sql);
    sb_arena_close(&arena);
    return ok;
}

static void
answer_all(struct sb_profile *p)
{
    for (size_t i = 0; i < sb_n_answers; i++)
        assert_true(answer_one(p, sb_answers[i]));
}

/* What the code looks for by name is no more to be trusted than the rest. */
static void
test_named_processes(void **state)
{
    (void)state;
    for (const char *const *name = forge_names; *name; name++) {
        struct forged f;
        struct sb_profile *p;
        struct sb_err e;
        forge_read(&f, good);
        struct forged_table *t = &f.table[SB_T_process];
        f.text[t->column[SB_C_process__name].v[2]] = sb_str_of(*name);
        f.text[t->column[SB_C_process__entry].v[3]] = sb_str_of(*name);
        for (uint64_t i = 0; i < t->rows; i++) {
            t->column[SB_C_process__id].v[i] = INT64_C(1) << 40;
            t->column[SB_C_process__name].v[i] = t->column[SB_C_process__name].v[2];
            t->column[SB_C_process__entry].v[i] = t->column[SB_C_process__entry].v[3];
        }
        write_forged(&f);
        assert_true(sb_profile_open(&p, bad_path, &e));
        answer_all(p);
        sb_profile_close(p);
    }
}

/* An id is the number of its row, whatever the file says. */
static void
test_keys_are_rows(void **state)
{
    (void)state;
    static const int64_t id[] = {SB_NULL, -1, 0, INT64_MAX};
    for (unsigned k = 0; k < 4 * SB_TABLES; k++) {
        enum sb_tab t = (enum sb_tab)(k / 4);
        struct sb_profile *p;
        struct sb_err e;
        if (sb_schema[t].ref[0].kind != SB_REF_KEY)
            continue;
        forge_one(t, 0, false, id[k % 4]);
        assert_true(sb_profile_open(&p, bad_path, &e));
        uint64_t rows = sb_profile_rows(p, t);
        for (uint64_t i = 0; i < rows; i++)
            assert_int_equal(sb_profile_cell(p, t, 0, i), i + 1);
        assert_int_equal(sb_profile_largest(p, t, 0), rows);
        answer_all(p);
        sb_profile_close(p);
    }
}

/* Every value of a column x: with the zones that it has, or with zones that hide it. */
static void
forge_ref(enum sb_tab t, unsigned column, int64_t x, bool hidden)
{
    struct forged f;
    forge_read(&f, good);
    struct forged_column *c = &f.table[t].column[column];
    for (uint64_t i = 0; i < f.table[t].rows; i++)
        c->v[i] = i == 0 && hidden ? 1 : x;
    forge_write(&f);
    struct sb_dir_block *d = (void *)(f.out.buf + f.foot.dir_at + f.blocks.at[c->first_block]);
    if (hidden)
        d->packed.max = d->packed.min = 1;
    forge_mend(&f);
    FILE *to = fopen(bad_path, "w");
    fwrite(f.out.buf, 1, f.out.n, to);
    fclose(to);
    forge_free(&f);
}

static void
check_ref(enum sb_tab t, unsigned column)
{
    const struct sb_ref *ref = &sb_schema[t].ref[column];
    const int64_t beyond[] = {ref->least - 1, (int64_t)sb_profile_rows(good, ref->to) + 1, INT64_MAX};
    for (size_t k = 0; k < sizeof beyond / sizeof *beyond; k++) {
        struct sb_profile *p;
        struct sb_err e;
        bool hidden = k > 0; /* no code is below the least value of a block */
        forge_ref(t, column, beyond[k], hidden);
        assert_true(sb_profile_open(&p, bad_path, &e));
        for (uint64_t i = 0; i < sb_profile_rows(p, t); i++)
            assert_int_equal(sb_profile_cell(p, t, column, i), i == 0 && hidden ? 1 : SB_NULL);
        assert_true(sb_profile_damage(p, &e) || (hidden && sb_profile_rows(p, t) == 1));
        assert_true(sb_profile_largest(p, t, column) <= (int64_t)sb_profile_rows(p, ref->to));
        answer_all(p);
        sb_profile_close(p);
    }
}

static void
test_refs_name_rows(void **state)
{
    (void)state;
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns && sb_profile_rows(good, (enum sb_tab)t) > 0; c++)
            if (sb_schema[t].ref[c].kind == SB_REF_ROW)
                check_ref((enum sb_tab)t, c);
}

/* ---- few bytes that claim many rows ---- */

static void
inflate(struct forged *f, enum sb_tab t, int64_t rows)
{
    f->table[t].inflated = true;
    f->table[t].claims = rows;
}

/* Equal rows take no bytes. As many as readers can take are read, more are refused. */
static int64_t
most_equal_rows(enum sb_tab t)
{
    int64_t rows = 1;
    while (sb_padding_least(t, (uint64_t)rows * 2) == 0)
        rows *= 2;
    return rows;
}

static void
test_equal_rows(void **state)
{
    (void)state;
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (int64_t k = 0; k < 2; k++) {
            struct forged f;
            struct sb_profile *p;
            struct sb_err e = {0};
            enum { BEYOND = 1 << 16 }; /* the dictionaries have some bytes */
            forge_read(&f, good);
            inflate(&f, (enum sb_tab)t, most_equal_rows((enum sb_tab)t) + k * BEYOND);
            write_forged(&f);
            assert_int_equal(sb_profile_open(&p, bad_path, &e), k == 0);
            if (k == 0)
                sb_profile_close(p);
            else
                assert_non_null(strstr(e.what, "claims"));
        }
}

/* Blocks that share bytes do not back more rows than those bytes do. */
static void
test_shared_bytes(void **state)
{
    (void)state;
    struct forged f;
    struct sb_profile *p;
    struct sb_err e = {0};
    forge_read(&f, good);
    inflate(&f, SB_T_slice, 1 << 16);
    forge_write(&f);
    for (size_t i = 0; i < f.blocks.n; i++) {
        struct sb_dir_block *d = (void *)(f.out.buf + f.foot.dir_at + f.blocks.at[i]);
        if (d->packed.bytes == 0 && d->nulls == 0) {
            d->at = sizeof(struct sb_sbp_head);
            d->packed.bits = 1;
            d->packed.bytes = SB_BLOCK_ROWS / 8;
        }
    }
    forge_mend(&f);
    FILE *to = fopen(bad_path, "w");
    fwrite(f.out.buf, 1, f.out.n, to);
    fclose(to);
    forge_free(&f);
    assert_false(sb_profile_open(&p, bad_path, &e));
}

/* A recording whose rows are all alike is padded, so it is read. */
static void
test_regular_rows(void **state)
{
    (void)state;
    enum { ROWS = (1 << 18) + 5000 };
    struct sb_build *b;
    struct sb_profile *p;
    struct sb_err e = {0};
    assert_true(sb_build_open(&b, bad_path, &e));
    int64_t row[SB_ROW_MOST];
    for (size_t c = 0; c < SB_ROW_MOST; c++)
        row[c] = SB_NULL;
    for (int64_t i = 0; i < ROWS; i++) {
        row[0] = i + 1;
        sb_build_row(b, SB_T_port, row);
    }
    assert_true(sb_build_close(b, &e));
    assert_true(sb_profile_open(&p, bad_path, &e));
    assert_int_equal(sb_profile_rows(p, SB_T_port), ROWS);
    assert_int_equal(sb_profile_cell(p, SB_T_port, SB_C_port__runs, ROWS - 1), SB_NULL);
    assert_true(sb_profile_check(p, &e));
    sb_profile_close(p);
}

/* Readers take hundreds of bytes for a node. */
static void
test_many_nodes(void **state)
{
    (void)state;
    struct sb_build *b;
    struct sb_err e = {0};
    int64_t row[SB_ROW_MOST] = {0};
    assert_true(sb_build_open(&b, bad_path, &e));
    for (int64_t i = 0; sb_padding_least(SB_T_node, (uint64_t)i) == 0; i++) {
        row[0] = i + 1;
        sb_build_row(b, SB_T_node, row);
    }
    assert_false(sb_build_close(b, &e));
    assert_non_null(strstr(e.what, "table node"));
}

/* ---- values that change between two readings ---- */

struct change {
    struct sb_out now, other;
    _Atomic bool done;
};

/* The good profile with the slices of one process, but for the last; those of two profiles differ in values alone. */
static struct sb_out
slices_of(int64_t process, int64_t last)
{
    struct forged f;
    forge_read(&f, good);
    struct forged_table *t = &f.table[SB_T_slice];
    for (uint64_t i = 0; i < t->rows; i++)
        t->column[SB_C_slice__process].v[i] = i + 1 < t->rows ? process : last;
    forge_write(&f);
    forge_mend(&f);
    struct sb_out out = f.out;
    f.out = (struct sb_out){0};
    forge_free(&f);
    return out;
}

static void *
change_values(void *ctx)
{
    struct change *c = ctx;
    int file = open(bad_path, O_WRONLY);
    for (unsigned i = 0; !c->done; i++) {
        const struct sb_out *to = i % 2 ? &c->now : &c->other;
        assert_int_equal(pwrite(file, to->buf, to->n, 0), to->n);
    }
    close(file);
    return NULL;
}

static void
test_values_change_without_tsan(void **state)
{
    (void)state;
    enum { TIMES = 20000 };
    struct change c = {slices_of(1, 2), slices_of(2, 1), false};
    struct sb_profile *p;
    struct sb_err e;
    pthread_t writer;
    if (SB_UNDER_TSAN) /* the race is the file's */
        skip();
    assert_int_equal(c.now.n, c.other.n);
    FILE *to = fopen(bad_path, "w");
    assert_int_equal(fwrite(c.now.buf, 1, c.now.n, to), c.now.n);
    fclose(to);
    assert_true(sb_profile_open(&p, bad_path, &e));
    assert_int_equal(pthread_create(&writer, NULL, change_values, &c), 0);
    for (unsigned i = 0; i < TIMES; i++) {
        struct sb_history h;
        sb_history_read(&h, p, 0, SB_NULL, true);
        for (uint64_t id = 0; id <= h.n_processes; id++)
            assert_true(h.slices_from[id] <= h.slices_from[id + 1]);
        assert_true(h.slices_from[h.n_processes + 1] <= sb_profile_rows(p, SB_T_slice));
        sb_history_close(&h);
    }
    c.done = true;
    pthread_join(writer, NULL);
    sb_profile_close(p);
    free(c.now.buf);
    free(c.other.buf);
}

/* The good profile with the values of all columns in the opposite order. */
static struct sb_out
reversed(void)
{
    struct forged f;
    forge_read(&f, good);
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            for (uint64_t i = 0, n = f.table[t].rows; f.table[t].column[c].v && i < n / 2; i++) {
                int64_t *v = f.table[t].column[c].v, x = v[i];
                v[i] = v[n - 1 - i];
                v[n - 1 - i] = x;
            }
    forge_write(&f);
    forge_mend(&f);
    struct sb_out out = f.out;
    f.out = (struct sb_out){0};
    forge_free(&f);
    return out;
}

/* Whatever the answers are: none reads or writes outside its arrays. */
static void
test_all_values_change_without_tsan(void **state)
{
    (void)state;
    enum { TIMES = 100 };
    struct change c = {slices_of(1, 2), reversed(), false};
    pthread_t writer;
    if (SB_UNDER_TSAN)
        skip();
    FILE *to = fopen(bad_path, "w");
    assert_int_equal(fwrite(c.now.buf, 1, c.now.n, to), c.now.n);
    fclose(to);
    assert_int_equal(pthread_create(&writer, NULL, change_values, &c), 0);
    for (unsigned i = 0; i < TIMES;) {
        struct sb_profile *p;
        struct sb_err e;
        if (!sb_profile_open(&p, bad_path, &e))
            continue;
        for (size_t k = 0; k < sb_n_answers; k++)
            answer_one(p, sb_answers[k]);
        sb_profile_close(p);
        i++;
    }
    c.done = true;
    pthread_join(writer, NULL);
    free(c.now.buf);
    free(c.other.buf);
}

static void
test_bounded_unsanitized(void **state)
{
    (void)state;
    static const char *const answers[] = {"summary", "critical", "tree", "schedulers", "why"};
    struct forged f;
    if (SB_UNDER_ASAN || SB_UNDER_TSAN) /* takes memory and time of its own */
        skip();
    forge_read(&f, good);
    for (unsigned t = 0; t < SB_TABLES; t++)
        inflate(&f, (enum sb_tab)t, most_equal_rows((enum sb_tab)t));
    write_forged(&f);
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct rusage used;
        int status;
        pid_t child = fork();
        if (child == 0) {
            struct sb_profile *p;
            struct sb_err e;
            setrlimit(RLIMIT_CPU, &(struct rlimit){20, 20}); /* 2 s on an idle machine */
            _exit(sb_profile_open(&p, bad_path, &e) && answer_one(p, sb_answer_find(sb_str_of(answers[i])))
                      ? 0
                      : 1);
        }
        assert_int_equal(wait4(child, &status, 0, &used), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        assert_true(used.ru_maxrss < 512 << 10);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_processes),
        cmocka_unit_test(test_keys_are_rows),
        cmocka_unit_test(test_refs_name_rows),
        cmocka_unit_test(test_equal_rows),
        cmocka_unit_test(test_shared_bytes),
        cmocka_unit_test(test_regular_rows),
        cmocka_unit_test(test_many_nodes),
        cmocka_unit_test(test_bounded_unsanitized),
        cmocka_unit_test(test_values_change_without_tsan),
        cmocka_unit_test(test_all_values_change_without_tsan),
    };
    return cmocka_run_group_tests(tests, make_good, remove_good);
}
