/* Profiles whose checksums fit and whose content does not: each is refused with a reason, or answered. */
#include "hostile_forge.h"
#include "export/export.h"
#include "profile/sql/sql.h"
#include "serve/pairs.h"

static bool
is_refused(void)
{
    struct sb_profile *p;
    struct sb_err e = {0};
    if (!sb_profile_open(&p, bad_path, &e))
        return strstr(e.what, "the directory makes no sense") && e.advice[0];
    sb_profile_close(p);
    return false;
}

static void
test_unchanged(void **state)
{
    (void)state;
    struct forged f;
    struct sb_profile *p;
    struct sb_err e;
    forge_read(&f, good);
    write_forged(&f);
    assert_true(sb_profile_open(&p, bad_path, &e));
    assert_true(sb_profile_check(p, &e));
    for (unsigned t = 0; t < SB_TABLES; t++) {
        assert_int_equal(sb_profile_rows(p, (enum sb_tab)t), sb_profile_rows(good, (enum sb_tab)t));
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            for (uint64_t i = 0; i < sb_profile_rows(p, (enum sb_tab)t); i++)
                assert_int_equal(sb_profile_cell(p, (enum sb_tab)t, c, i),
                                 sb_profile_cell(good, (enum sb_tab)t, c, i));
    }
    sb_profile_close(p);
}

static void
test_rows_need_blocks(void **state)
{
    (void)state;
    static const int64_t rows[] = {1, 4097, 1 << 27, INT64_C(1) << 40, (INT64_C(1) << 61) - 1};
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct forged f;
            forge_read(&f, good);
            f.table[t].bare = true;
            f.table[t].claims = rows[i];
            write_forged(&f);
            assert_true(is_refused());
        }
}

/* Twice the same table: the columns of the first would be read with the rows of the second. */
static void
test_table_once(void **state)
{
    (void)state;
    struct forged f;
    forge_read(&f, good);
    f.table[SB_T_process].written = 2;
    write_forged(&f);
    assert_true(is_refused());
}

static void
test_texts_need_room(void **state)
{
    (void)state;
    struct forged f;
    forge_read(&f, good);
    forge_write(&f);
    char *c = f.out.buf + f.foot.dir_at + f.chunks.at[0] + offsetof(struct sb_dir_chunk, bytes);
    memset(c, 0, sizeof(uint32_t));
    forge_mend(&f);
    FILE *to = fopen(bad_path, "w");
    fwrite(f.out.buf, 1, f.out.n, to);
    fclose(to);
    forge_free(&f);
    assert_true(is_refused());
}

/* Readers keep what they know of a text in arrays by its id. */
static void
test_texts_that_do_not_exist(void **state)
{
    (void)state;
    struct forged f;
    struct sb_profile *p;
    struct sb_err e;
    forge_read(&f, good);
    for (size_t i = 0; i < f.n_texts; i++)
        f.text_id[i] += (uint32_t)f.n_texts + (1u << 20);
    write_forged(&f);
    assert_true(sb_profile_open(&p, bad_path, &e));
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            for (uint64_t i = 0;
                 sb_schema[t].column[c].type == SB_TEXT && i < sb_profile_rows(p, (enum sb_tab)t); i++)
                assert_int_equal(sb_profile_cell(p, (enum sb_tab)t, c, i), SB_NULL);
    sb_profile_close(p);
}

/* Thousands of traced nodes, each of which would be a source with all processes. */
static void
test_merge_of_many_nodes(void **state)
{
    (void)state;
    enum { NODES = SB_BLOCK_ROWS };
    struct forged f;
    struct sb_err e = {0};
    struct sb_engine_options o;
    char out[120];
    sb_engine_defaults(&o);
    snprintf(out, sizeof out, "%s/merged.sbp", folder);
    forge_read(&f, good);
    struct forged_table *t = &f.table[SB_T_node];
    for (unsigned c = 0; c < sb_schema[SB_T_node].n_columns; c++) {
        t->column[c].v = sb_realloc_or_die(t->column[c].v, NODES * sizeof(int64_t));
        for (uint64_t i = t->rows; i < NODES; i++)
            t->column[c].v[i] = t->column[c].v[0];
    }
    t->rows = NODES;
    write_forged(&f);
    const char *const paths[] = {bad_path, bad_path};
    assert_false(sb_engine_merge(paths, 2, out, &o, NULL, &e));
    assert_non_null(strstr(e.what, "traced nodes"));
}

static void
test_merge_of_calls_of_nobody(void **state)
{
    (void)state;
    static const enum sb_tab tab[] = {SB_T_call_node, SB_T_activation, SB_T_call_edge, SB_T_stack};
    static const unsigned process[] = {SB_C_call_node__process, SB_C_activation__process,
                                       SB_C_call_edge__process, SB_C_stack__process};
    char out[120];
    snprintf(out, sizeof out, "%s/merged.sbp", folder);
    for (size_t i = 0; i < sizeof tab / sizeof *tab; i++) {
        struct sb_engine_options o;
        struct sb_err e;
        const char *const paths[] = {bad_path, good_path};
        sb_engine_defaults(&o);
        assert_true(sb_profile_rows(good, tab[i]) > 0);
        forge_one(tab[i], process[i], true, SB_NULL);
        assert_true(sb_engine_merge(paths, 2, out, &o, NULL, &e));
        unlink(out);
    }
}

static void
test_exports_of_nobody(void **state)
{
    (void)state;
    static const enum sb_tab tab[] = {SB_T_slice, SB_T_gap, SB_T_message, SB_T_gc};
    for (size_t k = 0; k < sizeof tab / sizeof *tab; k++) {
        struct sb_profile *p;
        struct sb_err e;
        forge_one(tab[k], 0, false, SB_NULL);
        assert_true(sb_profile_open(&p, bad_path, &e));
        for (size_t i = 0; i < sb_n_exporters; i++) {
            const struct sb_exporter *x = sb_exporters[i];
            struct sb_export_options o = {
                .since_ns = SB_NULL, .until_ns = SB_NULL, .table = x->per_table ? "process" : NULL};
            struct sb_out out;
            sb_out_to_memory(&out);
            assert_true(x->write == NULL || x->write(p, &o, &out, &e));
            sb_out_abandon(&out);
        }
        sb_profile_close(p);
    }
}

static void
test_pairs_without_messages(void **state)
{
    (void)state;
    static const int64_t count[] = {SB_NULL, 0, -1, INT64_MAX};
    for (size_t k = 0; k < sizeof count / sizeof *count; k++) {
        struct sb_served served = {0};
        struct sb_request rq = {.served = &served};
        struct sb_err e;
        forge_one(SB_T_message_edge, SB_C_message_edge__count, false, count[k]);
        assert_true(sb_served_open(&served, bad_path, &e));
        for (unsigned level = SB_BY_PROCESS; level <= SB_BY_NODE; level++) {
            struct sb_pairs_question q = {
                .rq = &rq, .level = level, .most = 10, .min_words = 1, .range = {0, 1000000}};
            struct sb_pairs pairs;
            assert_true(sb_pairs_find(&q, &pairs, &e));
            SB_VEC_FREE(&pairs.v);
        }
        sb_served_close(&served);
    }
}

/* Another program writes into the file while the profile is open: its directory was copied, and what is read
 * in place may hold any bytes. */
static void
test_overwritten_while_open(void **state)
{
    (void)state;
    struct forged f;
    struct sb_profile *p;
    struct sb_err e;
    for (unsigned byte = 0; byte < 256; byte += 85) {
        forge_read(&f, good);
        write_forged(&f);
        assert_true(sb_profile_open(&p, bad_path, &e));
        assert_true(byte > 0 || sb_profile_check(p, &e)); /* all blocks were found good before */
        FILE *to = fopen(bad_path, "r+");
        for (unsigned i = 0; i < 200000; i++)
            fputc((int)byte, to);
        fclose(to);
        for (size_t i = 0; i < sb_n_exporters; i++)
            if (sb_exporters[i]->write) {
                struct sb_export_options o = {.since_ns = SB_NULL, .until_ns = SB_NULL};
                struct sb_out out;
                sb_out_to_memory(&out);
                sb_exporters[i]->write(p, &o, &out, &e);
                sb_out_abandon(&out);
            }
        assert_true(byte == 0 || !sb_profile_check(p, &e));
        sb_profile_close(p);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged),
        cmocka_unit_test(test_rows_need_blocks),
        cmocka_unit_test(test_table_once),
        cmocka_unit_test(test_texts_need_room),
        cmocka_unit_test(test_texts_that_do_not_exist),
        cmocka_unit_test(test_merge_of_many_nodes),
        cmocka_unit_test(test_merge_of_calls_of_nobody),
        cmocka_unit_test(test_exports_of_nobody),
        cmocka_unit_test(test_pairs_without_messages),
        cmocka_unit_test(test_overwritten_while_open),
    };
    return cmocka_run_group_tests(tests, make_good, remove_good);
}
