/*
 * Writing a profile. Rows are appended table by table in an order that must depend on the data alone, never on
 * threads or on how the input was split: then the file is the same, byte for byte. Clustered tables collect a
 * segment (2^18 rows), sort it stably by their cluster column and write it, so appending runs in bounded memory and
 * one process's rows still lie together. Text columns have a dictionary each, numbered by first appearance.
 * The table function follows from call_node when no row of it is put.
 * The file gets a temporary name and is renamed by close. One thread at a time; close may use those of a pool.
 */
#ifndef SB_PROFILE_BUILD_H
#define SB_PROFILE_BUILD_H
#include "base/err.h"
#include "base/pool.h"
#include "profile/rows.h"
#include "profile/schema.h"

struct sb_build;
bool sb_build_open(struct sb_build **b, const char *path, struct sb_err *e);
int64_t sb_build_text(struct sb_build *b, struct sb_str s); /* a handle for text cells; SB_NULL for {NULL, 0} */
/* one row; cells in schema order, text cells as handles */
void sb_build_row(struct sb_build *b, enum sb_tab t, const int64_t *cells);
/* All rows that a stretch of time has, from several finders: for each table n_lists, tables in schema order. None belongs
   before a row of an earlier call, so that time tells which go into a segment, and which segment is written first; each
   finder's rows of one process are in order of time, or it says so. Tables without a cluster column get theirs in order
   of time. */
void sb_build_window(struct sb_build *b, const struct sb_rows *found, size_t n_lists);
void sb_build_meta(struct sb_build *b, struct sb_str key, struct sb_str value);
void sb_build_pool(struct sb_build *b, struct sb_pool *pool); /* for close; without one it does with the caller */
bool sb_build_close(struct sb_build *b, struct sb_err *e); /* writes the directory, renames */
void sb_build_abandon(struct sb_build *b);

#endif
