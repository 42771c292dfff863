/* Answers that are kept beside a large profile: they are used as long as nothing has changed, and whatever else the
 * file holds, the answer is the computed one. */
#include "answer/answer.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "profile/build.h"
#include "why/why.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MESSAGES = 1 << 18, MADE_WITH = 8, HASH = 16, BODY = 24 };
static char folder[] = "/tmp/strobe-keep-XXXXXX", profile[64], answers[80];

static void
write_profile(const char *path, int64_t messages)
{
    struct sb_err e;
    struct sb_build *b;
    assert_true(sb_build_open(&b, path, &e));
    int64_t c[64];
    for (size_t i = 0; i < 64; i++)
        c[i] = SB_NULL;
    for (int64_t i = 1; i <= 2; i++) {
        c[SB_C_process__id] = i;
        c[SB_C_process__sends] = i == 1 ? messages : 0;
        c[SB_C_process__receives] = i == 1 ? 0 : messages;
        sb_build_row(b, SB_T_process, c);
        c[SB_C_process__sends] = c[SB_C_process__receives] = SB_NULL;
    }
    c[SB_C_process__id] = SB_NULL;
    for (int64_t i = 0; i < messages; i++) {
        c[SB_C_message__sender] = 1;
        c[SB_C_message__receiver] = 2;
        c[SB_C_message__sent] = 10 * i;
        sb_build_row(b, SB_T_message, c);
    }
    sb_build_meta(b, SB_STR("span_ns"), SB_STR("10000000"));
    assert_true(sb_build_close(b, &e));
}

/* The summary as JSON. */
static struct sb_str
ask(struct sb_arena *a)
{
    struct sb_err e;
    struct sb_profile *p;
    struct sb_sql *sql = NULL;
    struct sb_out out;
    struct sb_table t = {0};
    struct sb_question q = {.since_ns = SB_NULL, .until_ns = SB_NULL};
    sb_out_to_memory(&out);
    assert_true(sb_profile_open(&p, profile, &e) && sb_sql_open(&sql, p, sb_why_tables, &e));
    struct sb_ask ask = {p, sql, &q, a};
    for (size_t i = 0; i < sb_n_answers; i++)
        if (sb_answers[i]->model != SB_MODEL_NONE) {
            struct sb_table *at =
                sb_str_eq(sb_str_of(sb_answers[i]->name), SB_STR("summary")) ? &t : &(struct sb_table){0};
            assert_true(sb_answer_run(sb_answers[i], &ask, at, &e));
        }
    sb_table_write(&t, SB_FORMAT_JSON, &out);
    struct sb_str s = sb_arena_str(a, (struct sb_str){out.buf, out.n});
    sb_out_abandon(&out);
    sb_sql_close(sql);
    sb_profile_close(p);
    return s;
}

struct file {
    uint8_t *p;
    size_t n;
};

static struct file
read_answers(void)
{
    struct sb_file f;
    struct sb_err e;
    assert_true(sb_file_open(&f, answers, &e));
    struct file copy = {sb_realloc_or_die(NULL, f.n), f.n};
    memcpy(copy.p, f.p, f.n);
    sb_file_close(&f);
    return copy;
}

static void
write_answers(struct file f, size_t n, bool right_hash)
{
    if (right_hash)
        sb_put_le64(f.p + HASH, sb_hash(f.p + BODY, n - BODY));
    FILE *to = fopen(answers, "w");
    assert_true(to && fwrite(f.p, 1, n, to) == n && fclose(to) == 0);
}

static bool
shows(struct sb_str s, const char *text)
{
    return memmem(s.p, s.n, text, strlen(text)) != NULL;
}

static uint8_t *
place_of(struct file f, const char *text)
{
    uint8_t *at = memmem(f.p, f.n, text, strlen(text));
    assert_non_null(at);
    return at;
}

/* ---- what is used, and what is not ---- */

static void
a_kept_answer_is_used_while_nothing_has_changed(void **state)
{
    struct sb_arena *a = *state;
    struct sb_str computed = ask(a);
    assert_true(shows(computed, "262,144 sent"));
    struct file f = read_answers();
    assert_true(sb_str_eq(ask(a), computed));
    *place_of(f, "262,144 sent") = '9';
    write_answers(f, f.n, true);
    assert_true(shows(ask(a), "962,144 sent"));
    f.p[MADE_WITH] ^= 1;
    write_answers(f, f.n, true);
    assert_true(sb_str_eq(ask(a), computed)); /* and the file is right again */
    assert_true(sb_str_eq(ask(a), computed));
    f.p[MADE_WITH] ^= 1;
    f.p[HASH] ^= 1;
    write_answers(f, f.n, false);
    assert_true(sb_str_eq(ask(a), computed));
    free(f.p);
}

static void
another_profile_has_other_answers(void **state)
{
    ask(*state);
    write_profile(profile, MESSAGES + 1);
    assert_true(shows(ask(*state), "262,145 sent"));
    write_profile(profile, MESSAGES);
    assert_true(shows(ask(*state), "262,144 sent"));
}

static void
a_small_profile_keeps_none(void **state)
{
    unlink(answers);
    write_profile(profile, MESSAGES - 1);
    assert_true(shows(ask(*state), "262,143 sent"));
    assert_int_not_equal(access(answers, F_OK), 0);
    write_profile(profile, MESSAGES);
}

/* Neither read nor replaced: it may lead anywhere. */
static void
a_link_is_left_alone(void **state)
{
    struct sb_arena *a = *state;
    char other[96];
    struct stat st;
    struct sb_str computed = ask(a);
    struct file f = read_answers();
    *place_of(f, "262,144 sent") = '9';
    write_answers(f, f.n, true);
    snprintf(other, sizeof other, "%s/other", folder);
    assert_int_equal(rename(answers, other), 0);
    assert_int_equal(symlink(other, answers), 0);
    assert_true(sb_str_eq(ask(a), computed));
    assert_true(lstat(answers, &st) == 0 && S_ISLNK(st.st_mode));
    unlink(answers);
    unlink(other);
    free(f.p);
}

/* ---- hostile files, with the right hash ---- */

static void
damage_reads_as_computed(struct sb_arena *a, const char *text, size_t from, uint8_t value)
{
    struct sb_str computed = ask(a);
    struct file f = read_answers();
    place_of(f, text)[from] = value;
    write_answers(f, f.n, true);
    assert_true(sb_str_eq(ask(a), computed));
    free(f.p);
}

static void
columns_and_texts_are_checked(void **state)
{
    damage_reads_as_computed(*state, "item\0\0\0", 8, SB_INT);   /* its type: code takes it for a text */
    damage_reads_as_computed(*state, "value\0\0", 8, SB_TEXT);   /* a number */
    damage_reads_as_computed(*state, "value\0\0", 0, 'w');       /* no column of the summary */
    damage_reads_as_computed(*state, "summary", 0, 'x');         /* no answer */
    damage_reads_as_computed(*state, "summary", 16, 0);          /* no columns */
    damage_reads_as_computed(*state, "summary", 23, 255);        /* too many */
    damage_reads_as_computed(*state, "summary", 31, 255);        /* rows */
    damage_reads_as_computed(*state, "262,144 sent", 0, '\033'); /* for the terminal */
}

static void
a_file_that_ends_anywhere_does_no_harm(void **state)
{
    struct sb_arena *a = *state;
    struct sb_str computed = ask(a);
    struct file f = read_answers();
    for (size_t n = 0; n < f.n; n += n < BODY ? 1 : 104) {
        write_answers(f, n, n > BODY);
        assert_true(sb_str_eq(ask(a), computed));
    }
    free(f.p);
}

/* Any answer will do that reads no memory of others. */
static void
any_bytes_do_no_harm(void **state)
{
    enum { RUNS = 200 };
    struct sb_arena *a = *state;
    ask(a);
    struct file f = read_answers();
    srand(1);
    for (int run = 0; run < RUNS; run++) {
        size_t at = BODY + (size_t)rand() % (f.n - BODY);
        uint8_t before = f.p[at];
        f.p[at] = (uint8_t)(run % 2 ? 0xff : rand());
        write_answers(f, f.n, true);
        assert_true(ask(a).n > 0);
        f.p[at] = before;
    }
    unlink(answers);
    free(f.p);
}

static int
open_all(void **state)
{
    static struct sb_arena arena;
    arena = (struct sb_arena){0};
    *state = &arena;
    if (!mkdtemp(folder))
        return 1;
    snprintf(profile, sizeof profile, "%s/p.sbp", folder);
    snprintf(answers, sizeof answers, "%s.answers", profile);
    write_profile(profile, MESSAGES);
    return 0;
}

static int
close_all(void **state)
{
    sb_arena_close(*state);
    unlink(answers);
    return unlink(profile) || rmdir(folder);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kept_answer_is_used_while_nothing_has_changed),
        cmocka_unit_test(another_profile_has_other_answers),
        cmocka_unit_test(a_small_profile_keeps_none),
        cmocka_unit_test(a_link_is_left_alone),
        cmocka_unit_test(columns_and_texts_are_checked),
        cmocka_unit_test(a_file_that_ends_anywhere_does_no_harm),
        cmocka_unit_test(any_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
