/* The tables of schema.def, as data. */
#include "profile/schema.h"

#define INT SB_INT
#define TEXT SB_TEXT
#define COL(name, type, unit, doc) {#name, type, SB_U_##unit, doc},
#define TABLE(name, cluster, doc, ...) static const struct sb_column columns_of_##name[] = {__VA_ARGS__};
#include "profile/schema.def"
#undef TABLE
#undef COL
#undef INT
#undef TEXT

#define COL(...) {SB_REF_NONE, SB_TABLES, 0},
#define KEY(...) {SB_REF_KEY, SB_TABLES, 0},
#define REF(name, to, doc) {SB_REF_ROW, SB_T_##to, 1},
#define REF_OR_0(name, to, doc) {SB_REF_ROW, SB_T_##to, 0},
#define TABLE(name, cluster, doc, ...) static const struct sb_ref refs_of_##name[] = {__VA_ARGS__};
#include "profile/schema.def"
#undef TABLE
#undef COL

const struct sb_tab_desc sb_schema[SB_TABLES] = {
#define COL(...)
#define TABLE(name, cluster, doc, ...) \
    [SB_T_##name] = {#name,          doc, \
                     #cluster,       columns_of_##name, \
                     refs_of_##name, sizeof columns_of_##name / sizeof columns_of_##name[0]},
#include "profile/schema.def"
#undef TABLE
#undef COL
};

bool
sb_schema_table(struct sb_str name, enum sb_tab *out)
{
    for (unsigned t = 0; t < SB_TABLES; t++)
        if (sb_str_eq(name, sb_str_of(sb_schema[t].name))) {
            *out = (enum sb_tab)t;
            return true;
        }
    return false;
}

int
sb_schema_column(enum sb_tab t, struct sb_str name)
{
    for (unsigned c = 0; c < sb_schema[t].n_columns; c++)
        if (sb_str_eq(name, sb_str_of(sb_schema[t].column[c].name)))
            return (int)c;
    return -1;
}
