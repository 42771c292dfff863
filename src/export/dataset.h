/*
 * A dataset: a folder of many profiles as Parquet files, which DuckDB, Spark or ClickHouse read as one table. Each
 * profile is a partition, a folder of all its tables, and its place says what was measured:
 *
 *     DIR/_strobe_dataset                                              version of the schema, keys of the labels
 *     DIR/service=shop/date=2026-11-28/node=shop@a/run=r0123456789abcdef/slice.parquet, process.parquet, ...
 *
 * A run is named after the content of its profile. So the same profile has one partition however often it is appended.
 * A partition appears whole: it is written in a folder beside DIR, DIR.unfinished-XXXXXX, as `new`. What it replaces is
 * renamed to `old` there, then `new` is renamed to its place. Its maker holds a lock on that folder (flock).
 */
#pragma once
#include "export/export.h"
#include <string.h>

#define SB_DATASET_STAGE ".unfinished-"

struct sb_dataset {
    const char *folder;
    const char *const *label; /* "service=shop" */
    size_t n_labels;
};

bool sb_dataset_is(const char *folder);
/* Checks the labels; makes the folder, or checks that it is a dataset of this version with the same keys. */
bool sb_dataset_open(const struct sb_dataset *d, struct sb_err *e);
/* Writes the partition of a profile, in place of the one it has already, and gives its path and date. */
struct sb_dataset_partition {
    const char *path;
    bool is_dated; /* the wall clock of the recording is known */
};
bool sb_dataset_append(const struct sb_dataset *d, const struct sb_profile *p, struct sb_arena *a,
                       struct sb_dataset_partition *out, struct sb_err *e);

/* The version of the files of a dataset (FORMAT.md). A column that goes or that means something else raises it; a new
 * one does not. */
#define SB_DATASET_SCHEMA "1"

/* What a column is called: `node`, an id, is not the name of the partition's node. */
static inline const char *
sb_dataset_column(const char *name)
{
    return strcmp(name, "node") == 0 ? "node_id" : name;
}
