/* Any statement over a small profile: an answer or a reason, in time, and the profile as it was. */
#include "profile/build.h"
#include "profile/sql/sql.h"
#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PROCESSES = 30, SCHEDULERS = 2 };

/* Rows of which nothing but the id is known: other rows name them. */
static void
put_ids(struct sb_build *b, enum sb_tab t, int64_t n)
{
    for (int64_t id = 1; id <= n; id++) {
        int64_t c[64];
        for (size_t i = 0; i < sizeof c / sizeof *c; i++)
            c[i] = i == 0 ? id : SB_NULL;
        sb_build_row(b, t, c);
    }
}

static struct sb_profile *
small_profile(void)
{
    struct sb_err e;
    struct sb_build *b;
    struct sb_profile *p;
    char path[64];
    snprintf(path, sizeof path, "/tmp/strobe-fuzz-sql-%d.sbp", (int)getpid());
    SB_ASSERT(sb_build_open(&b, path, &e));
    put_ids(b, SB_T_process, PROCESSES);
    put_ids(b, SB_T_scheduler, SCHEDULERS);
    for (int64_t i = 1; i <= PROCESSES; i++) {
        int64_t f = sb_build_text(b, i % 2 ? SB_STR("a:b/1") : SB_STR("c:d/2"));
        sb_build_row(b, SB_T_slice,
                     (int64_t[SB_N_slice]){1 + i % 3, 1 + i % 2, i * 100, 40, f, f,
                                           sb_build_text(b, SB_STR("normal")), SB_NULL});
        sb_build_row(b, SB_T_gap,
                     (int64_t[SB_N_gap]){1 + i % 3, i * 100 + 40, 20, 30, SB_NULL, 30, 30, SB_NULL, i});
    }
    sb_build_meta(b, SB_STR("span_ns"), SB_STR("4000"));
    SB_ASSERT(sb_build_close(b, &e) && sb_profile_open(&p, path, &e));
    unlink(path);
    return p;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sb_profile *p;
    struct sb_sql_limits limits = {.time_ns = 50000000, .rows = 50};
    struct sb_sql *q;
    struct sb_arena a;
    struct sb_table t;
    struct sb_err e = {0};
    if (p == NULL)
        p = small_profile();
    uint64_t hash = sb_profile_hash(p);
    SB_ASSERT(sb_sql_open(&q, p, NULL, &e));
    a = (struct sb_arena){0};
    if (sb_sql_ask(q, (struct sb_str){(const char *)data, size}, NULL, 0, &limits, &a, &t, &e))
        SB_ASSERT(t.n_rows <= limits.rows);
    else
        SB_ASSERT(e.what[0]);
    sb_arena_close(&a);
    sb_sql_close(q);
    SB_ASSERT(hash == sb_profile_hash(p) && !sb_profile_damage(p, NULL));
    return 0;
}
