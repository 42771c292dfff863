/*
 * Internals of profile/sql.h: what the virtual tables share with their connection. Two modules serve all
 * tables: sql_table.c those of schema.def, sql_computed.c those that are computed on demand; each of these is
 * a const struct sb_computed and a row in computed.def.
 */
#pragma once
#include "base/nearest.h"
#include "profile/sql/computed.h"
#include "profile/sql/sql.h"
#include <sqlite3.h>
#include <stdatomic.h>

enum { SB_SQL_LONGEST_PATTERN = 200 }; /* bytes of a pattern of LIKE, or of a set of characters of trim */

struct sb_sql {
    sqlite3 *db;
    const struct sb_profile *p;
    const struct sb_computed *const *more; /* tables of a layer to the right, NULL at their end */
    int64_t deadline_ns;                   /* on sb_clock_ns; 0: none */
    atomic_bool interrupted;
    const _Atomic bool *cancelled; /* of the running statement; NULL: it cannot be cancelled */
    /* a module declares its columns to SQLite: the only statement that may create anything */
    bool declaring;
};
bool sb_sql_add_tables(struct sb_sql *q, struct sb_err *e);
bool sb_sql_add_computed(struct sb_sql *q, struct sb_err *e);
bool sb_sql_add_functions(struct sb_sql *q, struct sb_err *e);
bool sb_sql_add_bounded(struct sb_sql *q, struct sb_err *e);
/* Declares a module's columns in its xConnect, followed by the names of its hidden columns. */
int sb_sql_declare(struct sb_sql *q, const struct sb_column *column, unsigned n, unsigned untyped,
                   const char *const *hidden, unsigned n_hidden);

#define COMPUTED(name) extern const struct sb_computed sb_sql_##name;
#include "profile/sql/computed.def"
#undef COMPUTED
/* The i-th table: those of this layer, then those of the caller; NULL after the last. */
const struct sb_computed *sb_sql_computed_at(const struct sb_computed *const *more, size_t i);
/* ", did you mean NAME?" for an error of SQLite about a table or column that does not exist; else "". */
const char *sb_sql_suggest(const struct sb_sql *q, const char *message, struct sb_nearest *near);
/* NULL: none */
const struct sb_column *sb_sql_computed_column(const struct sb_sql *q, struct sb_str table,
                                               struct sb_str column);
