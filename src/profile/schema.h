/* The enums and descriptions from profile/schema.def: SB_T_slice, SB_C_slice__start,
 * sb_schema[SB_T_slice]. */
#pragma once
#include "base/table.h"

enum sb_tab {
#define COL(...)
#define TABLE(name, ...) SB_T_##name,
#include "profile/schema.def"
#undef TABLE
#undef COL
    SB_TABLES
};

/* The numbers of rows that a column holds: from `least` to the rows of the table `to`. */
enum sb_ref_kind { SB_REF_NONE, SB_REF_KEY, SB_REF_ROW };
struct sb_ref {
    enum sb_ref_kind kind;
    enum sb_tab to;
    int64_t least;
};

struct sb_tab_desc {
    const char *name, *doc, *cluster; /* cluster: "none" or a column's name */
    const struct sb_column *column;   /* SB_INT or SB_TEXT */
    const struct sb_ref *ref;         /* of each column */
    unsigned n_columns;
};
extern const struct sb_tab_desc sb_schema[SB_TABLES];
bool sb_schema_table(struct sb_str name, enum sb_tab *out);
int sb_schema_column(enum sb_tab t, struct sb_str name); /* -1 if there is none */

/* SB_C_TABLE__COLUMN: the index of each column in its table; SB_N_TABLE, their number. Made by tools/columns. */
#include "columns.h"
/* A column of an answer that shows one of a table: its name, type, unit and words. */
#define SB_OF(table, column) SB_OF_##table##__##column
