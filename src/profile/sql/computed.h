/*
 * A table that is computed on demand. Those of this layer are rows of computed.def; a layer to the right hands
 * its own to sb_sql_open.
 *
 * Its arguments are hidden columns, as in timeline('all', 0, 1000, 80), or visible columns constrained by `=`,
 * as in `FROM state WHERE process = 7`. An argument that is not given is SB_NULL or {NULL, 0}.
 */
#pragma once
#include "base/err.h"
#include "base/table.h"

struct sb_profile;
struct sb_sql;

struct sb_sql_arg {
    int64_t i;
    struct sb_str s; /* a number given as text sets both */
};
#define SB_SQL_ARGS 4
struct sb_computation { /* of the rows that a statement reads once */
    struct sb_sql *sql;
    const struct sb_profile *profile;
    const struct sb_sql_arg *arg;
    struct sb_arena *arena; /* lives as long as the rows */
    enum sb_type *type;     /* of the columns */
};
struct sb_computed {
    const char *name, *doc;
    const struct sb_column *column;
    unsigned n_columns;
    const char *arg[SB_SQL_ARGS]; /* names of visible or hidden columns */
    unsigned n_required;          /* the first n arguments are required */
    unsigned loose;               /* the first n columns get their type when the rows are opened */
    /* Rows run from `open` to `close`; `next` fills n_columns cells. Texts are valid until the next call. */
    void *(*open)(const struct sb_computation *c, struct sb_err *e); /* NULL: the error is in e */
    bool (*next)(void *rows, union sb_cell *cell);
    void (*close)(void *rows); /* NULL: all that the rows have is in the arena */
};

/* Begins the descriptor of a table, whose functions `open_rows` and `next_row` stand below it. */
#define SB_COMPUTED(name) \
    static void *open_rows(const struct sb_computation *c, struct sb_err *e); \
    static bool next_row(void *rows, union sb_cell *cell); \
    const struct sb_computed name

/* out of time, or interrupted; long computations check this now and then */
bool sb_sql_expired(struct sb_sql *q);
