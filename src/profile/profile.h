/*
 * A profile: a memory-mapped file of columns. Opening checks the header, directory and its checksum and maps
 * the rest; a block is checked when it is first touched. Any number of threads may read one profile.
 *
 *     file: header | string table | segments of columns ... | directory | footer
 *     table = segments of up to 2^18 rows, column = blocks of 4,096 rows, bit-packed or delta-coded (pack.h),
 *     each with its smallest and largest value, so that a scan passes over blocks that cannot match
 */
#pragma once
#include "base/err.h"
#include "profile/pack.h"
#include "profile/schema.h"

#define SB_SEGMENT_ROWS (1u << 18)

struct sb_profile;
bool sb_profile_open(struct sb_profile **p, const char *path, struct sb_err *e);
void sb_profile_close(struct sb_profile *p);
bool sb_profile_is(const uint8_t *head, size_t n); /* does a file with this start claim to be one? */
bool sb_profile_is_old(const char *path);          /* written by an older strobe, in another format */
const char *sb_profile_path(const struct sb_profile *p);
uint64_t sb_profile_hash(const struct sb_profile *p); /* of its content */

uint64_t sb_profile_rows(const struct sb_profile *p, enum sb_tab t);
/* Decodes rows [row, row + n) of a column; text columns give text ids. A damaged block reads as NULLs;
 * sb_profile_damage reports it once. The rows must be in the table. */
void sb_profile_read(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row, size_t n,
                     int64_t *out);
/* The name of a node that was not recorded, whose processes are known by their pids alone; of others it is empty. */
struct sb_str sb_profile_far_node(const struct sb_profile *p, int64_t node);
/* SB_NULL for a row that the table does not have: an id in a profile may name one. */
int64_t sb_profile_cell(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row);
#define SB_CELL(p, table, column, row) sb_profile_cell(p, SB_T_##table, SB_C_##table##__##column, row)
struct sb_str sb_profile_text(const struct sb_profile *p, int64_t text_id); /* {NULL, 0} for SB_NULL */
int64_t sb_profile_find_text(const struct sb_profile *p,
                             /* SB_NULL if no column holds it */
                             struct sb_str s);
bool sb_profile_check(const struct sb_profile *p, struct sb_err *e); /* reads every block; false: damaged */
int64_t sb_profile_texts(const struct sb_profile *p);                /* text ids are below this */
/* Releases the pages read so far; they are read again on demand. Bounds the memory of passes over the
 * whole file. */
void sb_profile_release(const struct sb_profile *p);
bool sb_profile_damage(const struct sb_profile *p, struct sb_err *e); /* true if some block was bad */
/* What takes long tells how far it is, from any thread, to one watcher. */
void sb_profile_watch(struct sb_profile *p, void (*watcher)(void *ctx, uint64_t done, uint64_t all),
                      void *ctx);
void sb_profile_tell(const struct sb_profile *p, uint64_t done, uint64_t all);

/* Decodes block b: the existing rows of [4096 b, 4096 (b + 1)). Returns their number. v has room for
 * SB_BLOCK_ROWS. A block that the table does not have reads as NULLs, and the number is 0. */
size_t sb_profile_block(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t b, int64_t *v);

/*
 * Zone map: the smallest and largest value of a column in the block of `row`, and the end of that block. For
 * a text column they are indices into its dictionary; sb_profile_text_number gives the index of a text.
 */
struct sb_zone {
    int64_t min, max; /* of the values that are not NULL; min > max if all are */
    bool has_null;
    uint64_t end; /* first row after the block */
    uint32_t nulls;
    int64_t total; /* sum of a column of numbers, modulo 2^64 */
};
struct sb_zone sb_profile_zone(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t row);
int64_t sb_profile_largest(const struct sb_profile *p, enum sb_tab t, unsigned col); /* at least 0 */
bool sb_profile_has_values(const struct sb_profile *p, enum sb_tab t, unsigned col); /* false: all are NULL */
/* As many as a table has by what else is known, where its rows are not computed yet (follows.h): to be shown. */
uint64_t sb_profile_rows_told(const struct sb_profile *p, enum sb_tab t);
struct sb_str sb_profile_meta(const struct sb_profile *p, struct sb_str key); /* empty: it has no such key */
bool sb_profile_is_timed(const struct sb_profile *p);                         /* the trace had time stamps */
int64_t sb_profile_span(const struct sb_profile *p); /* from t0 to the latest moment in any row */
/* When the first trace began, by the clock of its node: since 1970; SB_NULL: unknown. */
int64_t sb_profile_wall_ns(const struct sb_profile *p);
int64_t sb_profile_text_number(const struct sb_profile *p, enum sb_tab t, unsigned col, int64_t text_id);

/*
 * Scans: the rows that meet every condition, block by block, with the wanted columns decoded side by side.
 *     struct sb_scan s; sb_scan_open(&s, p, SB_T_slice); sb_scan_where(&s, SB_C_slice__process, id, id);
 *     unsigned start = sb_scan_want(&s, SB_C_slice__start);
 *     while (sb_scan_next(&s)) for (i < s.n) use(s.value[start][i], s.row[i]);
 */
#define SB_SCAN_COLUMNS 16
#define SB_SCAN_WHERES 8
struct sb_where { /* min <= value <= max, not NULL */
    unsigned col;
    int64_t min, max;
    int64_t zone_min, zone_max; /* the same in the terms of the zone map */
};
struct sb_scan {
    struct sb_reader *reader;
    unsigned n_where, n_want;
    struct sb_where where[SB_SCAN_WHERES];
    unsigned want[SB_SCAN_COLUMNS];
    uint64_t at, end; /* rows still to look at */
    size_t n;         /* rows found in this step */
    int64_t *value[SB_SCAN_COLUMNS];
    uint64_t *row;
};
void sb_scan_open(struct sb_scan *s, const struct sb_profile *p, enum sb_tab t);
void sb_scan_where(struct sb_scan *s, unsigned col, int64_t min, int64_t max);
unsigned sb_scan_want(struct sb_scan *s, unsigned col); /* index into value[] */
/* Opens a scan with these columns, in this order. */
void sb_scan_open_columns(struct sb_scan *s, const struct sb_profile *p, enum sb_tab t, const unsigned *col,
                          size_t n);
bool sb_scan_next(struct sb_scan *s);
void
sb_scan_restart(struct sb_scan *s); /* from the first row, without conditions; keeps the decoded blocks */
void sb_scan_close(struct sb_scan *s);
#define SB_SCOPED_SCAN __attribute__((cleanup(sb_scan_close))) /* before one that is opened at once */
