/*
 * Internals of profile/sql.h: what the virtual tables share with their connection. Two modules serve all
 * tables: sql_table.c those of schema.def, sql_computed.c those that are computed on demand; each of these is
 * a const struct sb_computed and a row in computed.def.
 */
#ifndef SB_PROFILE_SQL_MODULE_H
#define SB_PROFILE_SQL_MODULE_H
#include "profile/sql/sql.h"
#include <sqlite3.h>
#include <stdatomic.h>

struct sb_sql {
    sqlite3 *db;
    const struct sb_profile *p;
    int64_t deadline_ns; /* on sb_clock_ns; 0: none */
    atomic_bool interrupted;
    const _Atomic bool *cancelled; /* of the running statement; NULL: it cannot be cancelled */
    /* a module declares its columns to SQLite: the only statement that may create anything */
    bool declaring;
};
bool
sb_sql_expired(struct sb_sql *q); /* out of time, or interrupted; long computations check this now and then */

bool sb_sql_add_tables(struct sb_sql *q, struct sb_err *e);
bool sb_sql_add_computed(struct sb_sql *q, struct sb_err *e);
bool sb_sql_add_functions(struct sb_sql *q, struct sb_err *e);
/* Declares a module's columns in its xConnect, followed by the names of its hidden columns. */
int sb_sql_declare(struct sb_sql *q, const struct sb_column *column, unsigned n, unsigned untyped,
                   const char *const *hidden, unsigned n_hidden);

/*
 * A computed table. Its arguments are hidden columns, as in timeline('all', 0, 1000, 80), or visible columns
 * constrained by `=`, as in `FROM state WHERE process = 7`. An argument that is not given is SB_NULL or
 * {NULL, 0}.
 */
struct sb_sql_arg {
    int64_t i;
    struct sb_str s; /* a number given as text sets both */
};
#define SB_SQL_ARGS 4
struct sb_computed {
    const char *name, *doc;
    const struct sb_column *column;
    unsigned n_columns;
    const char *arg[SB_SQL_ARGS]; /* names of visible or hidden columns */
    unsigned n_required;          /* the first n arguments are required */
    unsigned loose;               /* the first n columns get their type with each row */
    /* Rows run from `open` to `close`; `next` fills n_columns cells and the types of the loose ones. Texts
     * are valid until the next call. */
    void *(*open)(struct sb_sql *q, const struct sb_sql_arg *arg, struct sb_err *e); /* NULL: the error is
                                                                                        in e */
    bool (*next)(void *rows, union sb_cell *cell, enum sb_type *type);
    void (*close)(void *rows);
};
#define COMPUTED(name) extern const struct sb_computed sb_sql_##name;
#include "profile/sql/computed.def"
#undef COMPUTED
const struct sb_column *sb_sql_computed_column(struct sb_str table, struct sb_str column); /* NULL: none */

#endif
