/*
 * Writing a profile. Rows are appended table by table in an order that must depend on the data alone, never
 * on threads or on how the input was split: then the file is the same, byte for byte. Clustered tables
 * collect a segment (2^18 rows), order it by their cluster column and write it, so appending runs in bounded
 * memory and one process's rows still lie together; the others are written every 4,096 rows. Text columns
 * have a dictionary each, numbered by first appearance. The table function follows from call_node when no row
 * of it is put. The file gets a temporary name and is renamed by close. One thread at a time, which may have
 * a pool help it.
 */
#ifndef SB_PROFILE_BUILD_H
#define SB_PROFILE_BUILD_H
#include "base/err.h"
#include "base/pool.h"
#include "profile/rows.h"
#include "profile/schema.h"

struct sb_build;
bool sb_build_open(struct sb_build **b, const char *path, struct sb_err *e);
/* a handle for text cells; SB_NULL for {NULL, 0} */
int64_t sb_build_text(struct sb_build *b, struct sb_str s);
/* one row; cells in schema order, text cells as handles */
void sb_build_row(struct sb_build *b, enum sb_tab t, const int64_t *cells);
/* Many of a table that is not clustered, put at 0, of 0: the list is empty afterwards. SB_BLOCK_ROWS at a time
   are not even copied. */
void sb_build_add(struct sb_build *b, enum sb_tab t, struct sb_rows *rows);
void sb_build_meta(struct sb_build *b, struct sb_str key, struct sb_str value);
void sb_build_pool(struct sb_build *b, struct sb_pool *pool);
void sb_build_untimed(struct sb_build *b); /* from the first row: whatever is a time is unknown */
bool sb_build_close(struct sb_build *b, struct sb_err *e); /* writes the directory, renames */
void sb_build_abandon(struct sb_build *b);

/* ---- a table whose rows several find, window by window ---- */

/* The rows of a clustered table stay in their finders' lists until there are enough for a segment. At the end
   of a window those that are taken go, and the others are settled. No row belongs before those of an earlier
   window, so that time tells which make a segment, and which segment is written first. Text cells hold names
   (sb_build_names); the rows of call_node have no id yet, and say of their parent how many rows before them
   it stands, 0 for none. */
void sb_build_names(struct sb_build *b, int64_t (*handle)(void *ctx, uint32_t name), void *ctx);
const struct sb_row_shape *sb_build_shape(const struct sb_build *b, enum sb_tab t);
bool sb_build_takes(const struct sb_build *b, enum sb_tab t, size_t rows); /* so many that were found */
/* For each table n_lists, tables in schema order. Those that are taken are empty afterwards. */
void sb_build_window(struct sb_build *b, struct sb_rows *found, size_t n_lists);
/* What is left, in the same lists, which must be there until close. */
void sb_build_last(struct sb_build *b, struct sb_rows *found, size_t n_lists);

#endif
