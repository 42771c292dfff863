/* The rows of diff.h for people. */
#include "answer/diff.h"
#include "why/program/elixir.h"
#include <math.h>

enum { OF_A_KIND = 4 /* rows of a kind where nothing tells which matter */ };

static const struct sb_column columns[] = {
    {"kind", SB_TEXT, SB_U_NONE, ""},   {"subject", SB_TEXT, SB_U_NONE, ""},
    {"A", SB_TEXT, SB_U_NONE, ""},      {"B", SB_TEXT, SB_U_NONE, ""},
    {"change", SB_TEXT, SB_U_NONE, ""}, {"between", SB_TEXT, SB_U_NONE, ""}};
static const struct sb_column alone[] = {/* of one side */
                                         {"kind", SB_TEXT, SB_U_NONE, ""},
                                         {"subject", SB_TEXT, SB_U_NONE, ""},
                                         {"mean and spread", SB_TEXT, SB_U_NONE, ""}};
enum { ALONE = sizeof alone / sizeof *alone };

static struct sb_str
amount(const union sb_cell *row, enum sb_diff_column col, struct sb_arena *a)
{
    double v = row[col].f;
    enum sb_unit unit = sb_str_eq(row[SB_DIFF_UNIT].s, SB_STR("ns"))      ? SB_U_NS
                        : sb_str_eq(row[SB_DIFF_UNIT].s, SB_STR("bytes")) ? SB_U_BYTES
                        : sb_str_eq(row[SB_DIFF_UNIT].s, SB_STR("words")) ? SB_U_WORDS
                        : sb_str_eq(row[SB_DIFF_UNIT].s, SB_STR("ppm"))   ? SB_U_PPM
                                                                          : SB_U_COUNT;
    if (isnan(v))
        return SB_STR("--");
    return sb_arena_str(a, sb_str_of(sb_human(llround(v), unit).text));
}

/* With the spread of several runs. */
static struct sb_str
mean(const union sb_cell *row, enum sb_diff_column col, enum sb_diff_column spread, struct sb_arena *a)
{
    struct sb_str m = amount(row, col, a);
    return isnan(row[spread].f)
               ? m
               : sb_arena_printf(a, "%.*s ± %.*s", SB_STR_ARG(m), SB_STR_ARG(amount(row, spread, a)));
}

static struct sb_str
percent(double share, struct sb_arena *a)
{
    return isnan(share)           ? SB_STR("--")
           : fabs(share) >= 9.995 ? sb_arena_printf(a, "x %.1f", share + 1)
                                  : sb_arena_printf(a, "%+.1f %%", 100 * share);
}

static struct sb_str
between(const union sb_cell *row, struct sb_arena *a)
{
    if (isnan(row[SB_DIFF_LOW].f))
        return SB_STR("--");
    return sb_arena_printf(a, "%.*s to %.*s", SB_STR_ARG(percent(row[SB_DIFF_LOW].f, a)),
                           SB_STR_ARG(percent(row[SB_DIFF_HIGH].f, a)));
}

/* The interval of a change has the spread of both sides already. */
size_t
sb_diff_texts(const union sb_cell *row, bool both, struct sb_arena *a, struct sb_str *text)
{
    char *kind = sb_arena_alloc(a, row[SB_DIFF_KIND].s.n + 1, 1);
    memcpy(kind, row[SB_DIFF_KIND].s.p, row[SB_DIFF_KIND].s.n);
    for (size_t i = 0; i < row[SB_DIFF_KIND].s.n; i++)
        kind[i] = kind[i] == '_' ? ' ' : kind[i];
    text[0] = (struct sb_str){kind, row[SB_DIFF_KIND].s.n};
    text[1] = sb_elixir_sentence(row[SB_DIFF_SUBJECT].s, a);
    if (!both) {
        text[2] = mean(row, SB_DIFF_A, SB_DIFF_A_SPREAD, a);
        return ALONE;
    }
    text[2] = amount(row, SB_DIFF_A, a);
    text[3] = amount(row, SB_DIFF_B, a);
    text[4] = row[SB_DIFF_A].f == 0 ? SB_STR("new") : percent(row[SB_DIFF_CHANGE].f, a);
    text[5] = between(row, a);
    return SB_DIFF_TEXTS;
}

static void
put(struct sb_table *to, const union sb_cell *row)
{
    struct sb_str text[SB_DIFF_TEXTS];
    union sb_cell *c = sb_table_row(to);
    size_t n = sb_diff_texts(row, to->n_columns != ALONE, to->arena, text);
    for (size_t i = 0; i < n; i++)
        c[i].s = text[i];
}

static void
put_runs(const struct sb_diff *d, const char *then, struct sb_out *out)
{
    size_t n_a = sb_diff_runs(d, false), n_b = sb_diff_runs(d, true);
    if (n_b == 0) {
        sb_out_printf(out, "Mean and spread (standard deviation) of %zu run%s%s", n_a, n_a == 1 ? "" : "s",
                      then);
        return;
    }
    sb_out_printf(out, "Differences from A (%zu run%s) to B (%zu run%s)%s", n_a, n_a == 1 ? "" : "s", n_b,
                  n_b == 1 ? "" : "s", then);
    if (n_a == 1 || n_b == 1)
        sb_out_z(out, "One run on a side: a change cannot be told from noise, so these are sizes\n"
                      "only. Compare folders of runs (strobe record --runs 5) to tell.\n");
    else if (!sb_diff_can_tell(d))
        sb_out_z(out, "So few runs cannot tell a change from noise: make at least 4 of each.\n");
}

static void
put_length(const struct sb_diff *d, const struct sb_table *t, struct sb_out *out)
{
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *c = t->cell + r * t->n_columns;
        if (!sb_str_eq(c[SB_DIFF_KIND].s, SB_STR("length")))
            continue;
        struct sb_str is = amount(c, SB_DIFF_B, t->arena), was = amount(c, SB_DIFF_A, t->arena);
        const char *how = c[SB_DIFF_SIGNIFICANT].i == 1 ? c[SB_DIFF_CHANGE].f > 0 ? "is longer" : "is shorter"
                                                        : "does not differ beyond the noise";
        if (sb_diff_can_tell(d))
            sb_out_printf(out, "The run %s: %.*s, was %.*s (%.*s)\n", how, SB_STR_ARG(is), SB_STR_ARG(was),
                          SB_STR_ARG(between(c, t->arena)));
    }
}

void
sb_diff_write_head(const struct sb_diff *d, const struct sb_table *t, const char *then, struct sb_out *out)
{
    put_runs(d, then, out);
    put_length(d, t, out);
}

/* Whether a row is shown: those beyond the noise, or the largest of each kind. */
static bool
is_shown(bool tells, const union sb_cell *row, struct sb_str *kind, size_t *of_kind)
{
    if (tells)
        return row[SB_DIFF_SIGNIFICANT].i == 1;
    *of_kind = sb_str_eq(*kind, row[SB_DIFF_KIND].s) ? *of_kind + 1 : 1;
    *kind = row[SB_DIFF_KIND].s;
    return *of_kind <= OF_A_KIND;
}

void
sb_diff_write(const struct sb_diff *d, const struct sb_table *t, uint64_t limit, struct sb_out *out)
{
    struct sb_table to;
    struct sb_str kind = {0};
    size_t of_kind = 0;
    bool one = sb_diff_runs(d, true) == 0;
    sb_table_init(&to, t->arena, one ? alone : columns, one ? ALONE : SB_DIFF_TEXTS);
    sb_diff_write_head(d, t, "\n", out);
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *row = t->cell + r * t->n_columns;
        if (limit == 0 || (to.n_rows < limit && is_shown(sb_diff_can_tell(d), row, &kind, &of_kind)))
            put(&to, row);
    }
    if (to.n_rows > 0)
        sb_table_write_text(&to, out);
    if (to.n_rows < t->n_rows)
        sb_out_printf(out, "%zu other figures%s; --limit 0 shows all\n", t->n_rows - to.n_rows,
                      sb_diff_can_tell(d) && to.n_rows < limit ? " do not differ beyond the noise" : "");
}
