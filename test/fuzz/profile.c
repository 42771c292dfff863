/*
 * A good profile, changed in places and with all its checksums made right again: what a careful liar would
 * give us. Everything in it is read, scanned and asked for; nothing may be touched outside of the file.
 *
 *     input: changes of three bytes each: place (16 bit), value; a place behind the end counts from the start
 */
#include "base/hash.h"
#include "profile/build.h"
#include "profile/format.h"
#include "profile/sql/sql.h"
#include "base/vec.h"
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct good {
    uint8_t *p;
    size_t n;
    SB_VEC(size_t) blocks; /* where the directory tells of each */
    int fd;
    char path[64];
} good;

static void
write_rows(struct sb_build *b)
{
    int64_t process[64];
    for (size_t i = 0; i < 64; i++)
        process[i] = SB_NULL;
    for (int64_t i = 1; i <= 6; i++) {
        process[SB_C_process__id] = i;
        process[SB_C_process__parent] = i / 2;
        process[SB_C_process__group_id] = 1 + i % 2;
        process[SB_C_process__run_ns] = i * 100;
        process[SB_C_process__pid] = sb_build_text(b, i % 2 ? SB_STR("<0.1.0>") : SB_STR("<0.2.0>"));
        sb_build_row(b, SB_T_process, process);
        for (int64_t k = 0; k < 9; k++) {
            int64_t f = sb_build_text(b, k % 2 ? SB_STR("a:b/1") : SB_STR("c:d/2"));
            sb_build_row(b, SB_T_slice,
                         (int64_t[SB_N_slice]){i, 1 + k % 2, k * 100, 40 + k, f, f,
                                               sb_build_text(b, SB_STR("normal")), SB_NULL});
            sb_build_row(b, SB_T_gap,
                         (int64_t[SB_N_gap]){i, k * 100 + 50, 20, 30, SB_NULL, 30, 30, SB_NULL, i});
        }
        sb_build_row(b, SB_T_message_edge,
                     (int64_t[SB_N_message_edge]){i, 7 - i, 5, 50, 10, SB_NULL, 5, 99, 30, 1, 2});
        sb_build_row(b, SB_T_process_group,
                     (int64_t[SB_N_process_group]){i, i - 1, SB_NULL, 1, i, 5, 5, 5, 5, 5, 5, 0, 9});
    }
    for (int64_t i = 1; i <= 2; i++)
        sb_build_row(b, SB_T_scheduler,
                     (int64_t[SB_N_scheduler]){i, 1, i, sb_build_text(b, SB_STR("normal")), 5, SB_NULL, 2, 0,
                                               SB_NULL});
    sb_build_row(b, SB_T_track, (int64_t[SB_N_track]){1, sb_build_text(b, SB_STR("all")), SB_NULL});
    for (int64_t i = 0; i < 8; i++)
        sb_build_row(b, SB_T_pyramid, (int64_t[SB_N_pyramid]){1, 7, i, 50, 0, 0, 20, 20, 0, 50, 44, 2, 2, 1});
    sb_build_meta(b, SB_STR("span_ns"), SB_STR("1000"));
}

static void
find_blocks(void)
{
    struct sb_sbp_foot foot;
    memcpy(&foot, good.p + good.n - sizeof foot, sizeof foot);
    const struct sb_dir_head *h = (const void *)(good.p + foot.dir_at);
    size_t at = foot.dir_at + sizeof *h + h->n_chunks * sizeof(struct sb_dir_chunk);
    for (uint32_t t = 0; t < h->n_tables; t++) {
        const struct sb_dir_table *table = (const void *)(good.p + at);
        at += sizeof *table;
        for (uint64_t c = 0; c < table->n_columns; c++) {
            const struct sb_dir_column *column = (const void *)(good.p + at);
            at += sizeof *column + (column->n_dict * sizeof(uint32_t) + 7) / 8 * 8;
            for (uint64_t b = 0; b < column->n_blocks; b++, at += sizeof(struct sb_dir_block))
                *SB_PUSH(&good.blocks) = at;
        }
    }
}

static void
make_good(void)
{
    struct sb_err e;
    struct sb_build *b;
    char path[64];
    snprintf(path, sizeof path, "/tmp/strobe-fuzz-%d.sbp", (int)getpid());
    SB_ASSERT(sb_build_open(&b, path, &e));
    write_rows(b);
    SB_ASSERT(sb_build_close(b, &e));
    struct sb_file f;
    SB_ASSERT(sb_file_open(&f, path, &e));
    good.n = f.n;
    good.p = sb_realloc_or_die(NULL, f.n);
    memcpy(good.p, f.p, f.n);
    sb_file_close(&f);
    unlink(path);
    find_blocks();
    good.fd = memfd_create("profile", 0);
    snprintf(good.path, sizeof good.path, "/proc/self/fd/%d", good.fd);
}

/* All sums over what is there now. */
static void
make_right(uint8_t *p)
{
    struct sb_sbp_foot foot;
    struct sb_dir_block d;
    memcpy(&foot, good.p + good.n - sizeof foot, sizeof foot);
    for (size_t i = 0; i < good.blocks.n; i++) {
        memcpy(&d, p + good.blocks.at[i], sizeof d);
        if (d.at > foot.dir_at || d.packed.bytes > foot.dir_at - d.at)
            continue;
        d.sum = (uint32_t)sb_hash(p + d.at, d.packed.bytes);
        memcpy(p + good.blocks.at[i], &d, sizeof d);
    }
    foot.dir_hash = sb_hash(p + foot.dir_at, foot.dir_bytes);
    foot.foot_hash = sb_hash(&foot, offsetof(struct sb_sbp_foot, foot_hash));
    memcpy(p + good.n - sizeof foot, &foot, sizeof foot);
}

static void
read_all(const struct sb_profile *p)
{
    int64_t v[SB_BLOCK_ROWS];
    for (unsigned t = 0; t < SB_TABLES; t++)
        for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
            for (uint64_t b = 0; b * SB_BLOCK_ROWS < sb_profile_rows(p, (enum sb_tab)t) && b < 4; b++) {
                size_t n = sb_profile_block(p, (enum sb_tab)t, c, b, v);
                for (size_t i = 0; i < n && sb_schema[t].column[c].type == SB_TEXT; i++) {
                    struct sb_str s = sb_profile_text(p, v[i]);
                    SB_ASSERT(s.n == 0 || sb_hash(s.p, s.n) != 1); /* every byte of it can be read */
                }
            }
}

static void
ask_all(const struct sb_profile *p)
{
    static const char *const sql[] = {
        "SELECT count(*), sum(dur) FROM slice WHERE process = 2 AND start > 100",
        "SELECT * FROM slice_by('process')",
        "SELECT * FROM slice_by('in_function', 10, 300)",
        "SELECT count(*) FROM state",
        "SELECT sum(running_ns) FROM timeline('all', 0, NULL, 20)",
        "SELECT sum(running_ns) FROM timeline('process:2', 0, 900, 20)",
        "SELECT sum(running_ns) FROM timeline('group:1', 0, 900, 5)",
        "SELECT who(sender), pid(receiver) FROM message_edge ORDER BY count",
        "SELECT * FROM process JOIN slice ON slice.process = process.id",
        "SELECT * FROM stats('gap', 'wait_ns')",
    };
    struct sb_sql_limits limits = {.time_ns = 20000000, .rows = 100};
    struct sb_sql *q;
    struct sb_err e;
    if (!sb_sql_open(&q, p, NULL, &e))
        return;
    for (size_t i = 0; i < sizeof sql / sizeof sql[0]; i++) {
        struct sb_arena a;
        struct sb_table t;
        a = (struct sb_arena){0};
        sb_sql_ask(q, sb_str_of(sql[i]), NULL, 0, &limits, &a, &t, &e);
        sb_arena_close(&a);
    }
    sb_sql_close(q);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (good.p == NULL)
        make_good();
    uint8_t *p = sb_realloc_or_die(NULL, good.n);
    memcpy(p, good.p, good.n);
    for (size_t i = 0; i + 3 <= size && i < 300; i += 3)
        p[(data[i] | (size_t)data[i + 1] << 8) % good.n] = data[i + 2];
    make_right(p);
    struct sb_err e = {0};
    struct sb_profile *profile;
    if (pwrite(good.fd, p, good.n, 0) == (ssize_t)good.n && sb_profile_open(&profile, good.path, &e)) {
        read_all(profile);
        ask_all(profile);
        sb_profile_close(profile);
    } else {
        SB_ASSERT(e.what[0] && e.advice[0]);
    }
    free(p);
    return 0;
}
