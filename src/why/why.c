#include "why/why.h"

#define COMPUTED(name) extern const struct sb_computed sb_why_##name;
#include "why/tables.def"
#undef COMPUTED

const struct sb_computed *const sb_why_tables[] = {
#define COMPUTED(name) &sb_why_##name,
#include "why/tables.def"
#undef COMPUTED
    NULL,
};

bool
sb_why_is_table(struct sb_str name)
{
    SB_ARENA(a);
    struct sb_table all;
    bool is = false;
    sb_sql_schema(sb_why_tables, &a, &all);
    for (size_t i = 0; i < all.n_rows && !is; i++)
        is = sb_str_eq(all.cell[i * all.n_columns].s, name);
    return is;
}
