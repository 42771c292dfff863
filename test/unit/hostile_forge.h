/* A good profile of a small trace, and one forged from it, for tests of hostile profiles. */
#pragma once
#include "../forge/base_trace.h"
#include "../forge/forge.h"
#include "engine/engine.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[64], good_path[100], bad_path[100];
static struct sb_profile *good;

static int
make_good(void **state)
{
    (void)state;
    char trace[100];
    struct sb_engine_options o;
    struct sb_err e;
    strcpy(folder, "/tmp/strobe-hostile-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(trace, sizeof trace, "%s/T.txt", folder);
    snprintf(good_path, sizeof good_path, "%s/good.sbp", folder);
    snprintf(bad_path, sizeof bad_path, "%s/bad.sbp", folder);
    FILE *f = fopen(trace, "w");
    fputs(base_trace, f);
    fclose(f);
    sb_engine_defaults(&o);
    const char *const paths[] = {trace};
    assert_true(sb_engine_analyze(paths, 1, good_path, &o, NULL, &e));
    assert_true(sb_profile_open(&good, good_path, &e));
    unlink(trace);
    return 0;
}

static int
remove_good(void **state)
{
    char answers[sizeof bad_path + 8];
    (void)state;
    sb_profile_close(good);
    unlink(good_path);
    unlink(bad_path);
    snprintf(answers, sizeof answers, "%s.answers", bad_path);
    unlink(answers); /* of one that claims many rows */
    return rmdir(folder);
}

static void
write_forged(struct forged *f)
{
    forge_write(f);
    forge_mend(f);
    FILE *to = fopen(bad_path, "w");
    assert_int_equal(fwrite(f->out.buf, 1, f->out.n, to), f->out.n);
    fclose(to);
    forge_free(f);
}

/* Writes the good profile with one column absent, or each of its values x. */
static void
forge_one(enum sb_tab t, unsigned column, bool absent, int64_t x)
{
    struct forged f;
    forge_read(&f, good);
    int64_t **v = &f.table[t].column[column].v;
    for (uint64_t i = 0; i < f.table[t].rows; i++)
        (*v)[i] = x;
    if (absent)
        free(*v), *v = NULL;
    write_forged(&f);
}
