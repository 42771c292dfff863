/*
 * Writing a profile. Rows are appended table by table in an order that must depend on the data alone, never
 * on threads or on how the input was split; then the file is the same, byte for byte. Clustered tables
 * collect a segment (2^18 rows), sort it by their cluster column and write it, so that appending runs in
 * bounded memory and the rows of one process are still adjacent. Other tables are written every 4,096 rows.
 * Each text column has its own dictionary, numbered by first appearance. The table function is computed from
 * call_node unless its rows are appended. The file is written under a temporary name and renamed by close.
 * Use from one thread at a time; a pool may help it.
 */
#pragma once
#include "base/err.h"
#include "base/pool.h"
#include "profile/functions.h"
#include "profile/rows.h"
#include "profile/schema.h"

struct sb_build;
bool sb_build_open(struct sb_build **b, const char *path, struct sb_err *e); /* NULL: in memory */
/* Goes on in another file, with what was written so far. `keeps`: the first one stays as it is, for the process of
 * which this one is a copy; else it is removed. */
bool sb_build_go_on(struct sb_build *b, const char *path, bool keeps, struct sb_err *e);
void sb_build_private_as(struct sb_build *b, const char *path); /* see sb_out_private_as */
/* a handle for text cells; SB_NULL for {NULL, 0} */
int64_t sb_build_text(struct sb_build *b, struct sb_str s);
/* appends one row; cells in schema order, text cells as handles */
void sb_build_row(struct sb_build *b, enum sb_tab t, const int64_t *cells);
/* Appends many rows of a table that is not clustered, put with time 0 and owner 0, and empties the list.
 * Groups of SB_BLOCK_ROWS rows are not copied. */
void sb_build_add(struct sb_build *b, enum sb_tab t, struct sb_rows *rows);
void sb_build_meta(struct sb_build *b, struct sb_str key, struct sb_str value);
void sb_build_meta_number(struct sb_build *b, const char *key, int64_t v);
void sb_build_pool(struct sb_build *b, struct sb_pool *pool);
void sb_build_untimed(struct sb_build *b); /* call before the first row: all times are unknown */
/* Table function has these besides the sums of call_node. */
void sb_build_counted(struct sb_build *b, const struct sb_function_count *c);
bool sb_build_close(struct sb_build *b, struct sb_err *e); /* writes the directory, renames */
char *sb_build_bytes(struct sb_build *b, size_t *n);       /* the same for one in memory; to be freed */
void sb_build_abandon(struct sb_build *b);

/* ---- tables whose rows come from several lists, window by window ---- */

/* The rows of a clustered table stay in their lists until there are enough for a segment. At the end of a
 * window the rows that are written leave their lists, and the others are settled. No row sorts before
 * those of an earlier window, so the times decide which rows make a segment and which segment is written
 * first. Text cells hold names (sb_build_names). Rows of call_node have no id yet; their parent is given
 * as its distance in rows, 0 for none. */
void sb_build_names(struct sb_build *b, int64_t (*handle)(void *ctx, uint32_t name), void *ctx);
const struct sb_row_shape *sb_build_shape(const struct sb_build *b, enum sb_tab t);
bool sb_build_takes(const struct sb_build *b, enum sb_tab t,
                    size_t rows); /* are these rows enough to write? */
/* n_lists lists per table, tables in schema order. Lists whose rows are written are empty afterwards. */
void sb_build_window(struct sb_build *b, struct sb_rows *found, size_t n_lists);
/* Writes the remaining rows of the same lists, which must exist until close. */
void sb_build_last(struct sb_build *b, struct sb_rows *found, size_t n_lists);
