/*
 * SQL over a profile: SQLite with virtual tables on the columns, read-only, with limits. Text, CSV, the page
 * and the answers all read through here or through scans. A connection belongs to one thread at a time.
 *
 * Tables: all of schema.def, and computed ones: state(process, state, start, dur), activity(bucket, start,
 * dur, ...), timeline(track, t0, t1, n), slice_by(key, t0, t1). Functions: who(process), a readable name,
 * and pid(process).
 */
#pragma once
#include "base/table.h"
#include "profile/profile.h"

struct sb_sql_limits {
    int64_t time_ns;               /* 0: none */
    uint64_t rows;                 /* 0: none; further rows are cut off and counted in rows_left_out */
    const _Atomic bool *cancelled; /* NULL: the statement cannot be cancelled */
};
struct sb_sql_value {
    const char *name; /* ":name" in the statement */
    bool is_text;
    int64_t i;
    struct sb_str s;
};

struct sb_sql;
struct sb_computed;
/* `more`: tables of the caller, see computed.h; ends with NULL. NULL: none */
bool sb_sql_open(struct sb_sql **q, const struct sb_profile *p, const struct sb_computed *const *more,
                 struct sb_err *e);
void sb_sql_close(struct sb_sql *q);
/* Runs one statement. Its columns (with names, and with the unit of a column of the schema) and rows go to
 * `t`. */
bool sb_sql_ask(struct sb_sql *q, struct sb_str statement, const struct sb_sql_value *values, size_t n_values,
                const struct sb_sql_limits *limits, struct sb_arena *a, struct sb_table *t, struct sb_err *e);
/* The tables and their columns as rows: table, column, type, unit, doc. A row without a column is about the table. */
void sb_sql_schema(const struct sb_computed *const *more, struct sb_arena *a, struct sb_table *t);
void sb_sql_interrupt(struct sb_sql *q); /* from any thread */
