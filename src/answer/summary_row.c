#include "answer/summary_row.h"

static const struct unit_name {
    enum sb_unit unit;
    const char *name;
} units[] = {{SB_U_NS, "ns"}, {SB_U_PPM, "ppm"}, {SB_U_COUNT, "count"}, {SB_U_WORDS, "words"}};

void
sb_summary_put(struct sb_table *t, struct sb_summary_fact fact, const char *text, ...)
{
    va_list ap;
    va_start(ap, text);
    union sb_cell *c = sb_table_row(t);
    c[0].s = sb_str_of(fact.item);
    c[1].i = fact.value;
    c[2].s = (struct sb_str){0};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (units[i].unit == fact.unit)
            c[2].s = sb_str_of(units[i].name);
    c[3].s = sb_arena_vprintf(t->arena, text, ap);
    c[4].s = fact.see ? sb_str_of(fact.see) : (struct sb_str){0};
    c[5].s = (struct sb_str){0};
    va_end(ap);
}

void
sb_summary_minor(struct sb_table *t, bool is_minor)
{
    if (is_minor)
        t->cell[t->n_rows * t->n_columns - 1].s = SB_STR(SB_SUMMARY_MINOR);
}

void
sb_summary_group(struct sb_table *t, const char *group)
{
    for (size_t r = t->n_rows; r > 0; r--) {
        struct sb_str *of = &t->cell[r * t->n_columns - 1].s;
        if (of->n == 0)
            *of = sb_str_of(group);
    }
}
