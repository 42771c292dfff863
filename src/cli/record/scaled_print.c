/* The tables of `strobe scale`: for people one a question, for programs one of everything. */
#include "cli/record/scaled.h"
#include "base/shell.h"
#include "why/program/elixir.h"
#include "why/program/words.h"
#include <math.h>

/* ---- for programs ---- */

#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
#include "cli/record/scaled_columns.def"
};
#undef COLUMN
#define COLUMN(id, ...) id,
enum {
#include "cli/record/scaled_columns.def"
    N_COLUMNS
};
#undef COLUMN

static union sb_cell *
row(struct sb_table *t, const char *section, struct sb_str subject)
{
    union sb_cell *c = sb_table_row(t);
    for (int i = 0; i < N_COLUMNS; i++)
        if (columns[i].type == SB_REAL)
            c[i].f = (double)NAN;
        else if (columns[i].type == SB_INT)
            c[i].i = SB_NULL;
        else
            c[i].s = (struct sb_str){0};
    c[SECTION].s = sb_str_of(section);
    c[SUBJECT].s = subject;
    return c;
}

static struct sb_str
or_null(struct sb_str s)
{
    return s.n > 0 ? s : (struct sb_str){0};
}

static int64_t
median(const int64_t *ns, size_t n)
{
    struct sb_scaling_point p = {.cores = 1, .run_ns = ns, .n = n};
    sb_scaling_find(&p, 1);
    return p.ns;
}

static void
put_times(const struct sb_scaled *s, struct sb_table *t)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sb_scaling_point *p = &s->point[i];
        union sb_cell *c = row(t, "time", (struct sb_str){0});
        c[CORES].i = p->cores;
        c[NS].i = p->ns;
        c[LOW].i = p->low_ns;
        c[HIGH].i = p->high_ns;
        c[CPU].i = median(s->count[i].cpu_ns, s->runs);
        c[RUNS].i = (int64_t)p->n;
        c[SLOWDOWN].f = sb_core_slowdown(&s->count[i].speed);
        c[RATIO].f = p->speedup;
        c[RATIO_LOW].f = p->least;
        c[RATIO_HIGH].f = p->most;
        c[EFFICIENCY].f = p->efficiency;
        c[SERIAL].f = p->serial;
        c[NOTE].s = or_null(sb_scaled_note(s, i));
    }
}

static void
put_fits(const struct sb_scaled *s, struct sb_table *t)
{
    struct sb_scaling_fit a = sb_scaling_amdahl(s->point, s->n), u = sb_scaling_universal(s->point, s->n);
    union sb_cell *c = row(t, "fit", SB_STR("amdahl"));
    if (a.why_not)
        c[NOTE].s = sb_str_of(a.why_not);
    else
        c[SERIAL].f = a.serial;
    c = row(t, "fit", SB_STR("universal"));
    if (u.why_not)
        c[NOTE].s = sb_str_of(u.why_not);
    else {
        c[CONTENTION].f = u.contention;
        c[COHERENCY].f = u.coherency;
        c[BEST].f = isfinite(u.best_cores) ? u.best_cores : (double)NAN;
    }
}

static void
put_account(const struct sb_scaled *s, struct sb_table *t)
{
    for (int p = 0; p < SB_SCALED_PARTS; p++)
        for (size_t i = 0; i < s->n; i++) {
            if (s->count[i].part_ns[p] == SB_NULL)
                continue;
            union sb_cell *c = row(t, "account", sb_str_of(sb_part_names[p]));
            c[CORES].i = s->count[i].cores;
            c[NS].i = s->count[i].part_ns[p];
            c[SHARE].f = s->count[i].share[p];
        }
}

static double
growth(const struct sb_scaling_work *from, const struct sb_scaling_work *to)
{
    int64_t a = sb_scaling_work_ns(from), b = sb_scaling_work_ns(to);
    return a == SB_NULL || b == SB_NULL || a <= 0 ? (double)NAN : (double)b / (double)a;
}

static void
put_groups(const struct sb_scaled *s, struct sb_table *t)
{
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t i = 0; i < s->n && sb_scaled_is_material(s, &s->group[g]); i++) {
            struct sb_scaling_work from = sb_scaled_work(s, &s->group[g], 0),
                                   w = sb_scaled_work(s, &s->group[g], i);
            union sb_cell *c = row(t, "group", s->group[g].name);
            c[CORES].i = s->count[i].cores;
            c[NS].i = sb_scaling_work_ns(&w);
            c[LOW].i = sb_scaling_work_low_ns(&w);
            c[HIGH].i = w.run_ns;
            c[RATIO].f = growth(&from, &w);
            c[NOTE].s = or_null(sb_scaled_growth(s, &s->group[g], i));
        }
}

/* One table of everything, for programs. */
static void
fill_table(const struct sb_scaled *s, struct sb_table *t)
{
    sb_table_init(t, s->arena, columns, N_COLUMNS);
    put_times(s, t);
    put_fits(s, t);
    put_account(s, t);
    put_groups(s, t);
}

/* ---- for people ---- */

static const double NOTABLE = 1.1; /* a slowdown that is worth a line */

static struct sb_str
times_as_text(const struct sb_scaled *s, double x)
{
    return isnan(x) ? SB_STR("--") : sb_arena_printf(s->arena, "%.2f", x);
}

static void
print_times(const struct sb_scaled *s, struct sb_out *out)
{
    static const struct sb_column shown[] = {
        {"schedulers", SB_INT, SB_U_COUNT, ""}, {"time", SB_INT, SB_U_NS, ""},
        {"fastest", SB_INT, SB_U_NS, ""},       {"slowest", SB_INT, SB_U_NS, ""},
        {"speed-up", SB_TEXT, SB_U_NONE, ""},   {"at least", SB_TEXT, SB_U_NONE, ""},
        {"at most", SB_TEXT, SB_U_NONE, ""},    {"efficiency", SB_TEXT, SB_U_NONE, ""}};
    struct sb_table t;
    sb_table_init(&t, s->arena, shown, sizeof shown / sizeof *shown);
    for (size_t i = 0; i < s->n; i++) {
        const struct sb_scaling_point *p = &s->point[i];
        SB_ROW(&t, {.i = p->cores}, {.i = p->ns}, {.i = p->low_ns}, {.i = p->high_ns},
               {.s = times_as_text(s, p->speedup)}, {.s = times_as_text(s, i == 0 ? (double)NAN : p->least)},
               {.s = times_as_text(s, i == 0 ? (double)NAN : p->most)},
               {.s = sb_arena_printf(s->arena, "%.0f %%", 100 * p->efficiency)});
    }
    sb_table_write_text(&t, out);
    for (size_t i = 0; i < s->n; i++) {
        struct sb_str note = sb_scaled_note(s, i);
        if (note.n > 0)
            sb_out_printf(out, "at %u: %.*s\n", s->point[i].cores, SB_STR_ARG(note));
        if (sb_core_slowdown(&s->count[i].speed) > NOTABLE)
            sb_out_printf(
                out, "at %u: a core of this machine was up to %.2f times slower while the others worked\n",
                s->point[i].cores, sb_core_slowdown(&s->count[i].speed));
    }
}

static void
print_fits(const struct sb_scaled *s, struct sb_out *out)
{
    struct sb_scaling_fit a = sb_scaling_amdahl(s->point, s->n), u = sb_scaling_universal(s->point, s->n);
    if (a.why_not)
        sb_out_printf(out, "Amdahl's law: no fit: %s\n", a.why_not);
    else
        sb_out_printf(out,
                      "Amdahl's law: %.1f %% of the work is serial, so no number of cores gains more than "
                      "%.1f times\n",
                      100 * a.serial, 1 / fmax(a.serial, 1e-4));
    if (u.why_not)
        sb_out_printf(out, "universal scalability law: no fit: %s\n", u.why_not);
    else if (isfinite(u.best_cores))
        sb_out_printf(out,
                      "universal scalability law: contention %.3f, coherency %.5f; fastest at %.0f cores\n",
                      u.contention, u.coherency, u.best_cores);
    else
        sb_out_printf(out, "universal scalability law: contention %.3f, no coherency cost\n", u.contention);
}

/* A table with a column for each number of schedulers. */
static void
open_wide(const struct sb_scaled *s, struct sb_table *t, const char *first)
{
    struct sb_column *c = SB_NEW_N(s->arena, struct sb_column, s->n + 1);
    c[0] = (struct sb_column){first, SB_TEXT, SB_U_NONE, ""};
    for (size_t i = 0; i < s->n; i++)
        c[i + 1] = (struct sb_column){sb_arena_printf(s->arena, "at %u", s->count[i].cores).p, SB_TEXT,
                                      SB_U_NONE, ""};
    sb_table_init(t, s->arena, c, s->n + 1);
}

static void
print_account(const struct sb_scaled *s, struct sb_out *out)
{
    struct sb_table t;
    open_wide(s, &t, "share of scheduler time");
    for (int p = 0; p < SB_SCALED_PARTS; p++) {
        bool any = false;
        for (size_t i = 0; i < s->n; i++)
            any |= s->count[i].share[p] > 0;
        if (!any)
            continue;
        union sb_cell *c = sb_table_row(&t);
        c[0].s = sb_str_of(sb_part_words[p]);
        for (size_t i = 0; i < s->n; i++)
            c[i + 1].s = isnan(s->count[i].share[p])
                             ? SB_STR("--")
                             : sb_arena_printf(s->arena, "%.1f %%", s->count[i].share[p]);
    }
    if (t.n_rows > 0)
        sb_table_write_text(&t, out);
    else
        sb_out_z(out, "the account of scheduler time is unknown: the traces have no slices\n");
}

/* Prints how the work of a group grew, at the first number of schedulers where something is known. */
static void
print_growth(const struct sb_scaled *s, const struct sb_scaled_group *g, struct sb_out *out)
{
    for (size_t i = 1; i < s->n; i++) {
        struct sb_scaling_work from = sb_scaled_work(s, g, 0), to = sb_scaled_work(s, g, i);
        struct sb_str text = sb_scaled_growth(s, g, i), name = sb_elixir_name(g->name, false, s->arena);
        if (text.n == 0)
            continue;
        double times = growth(&from, &to);
        sb_out_printf(out, "%.*s at %u", SB_STR_ARG(name), s->count[i].cores);
        if (!isnan(times))
            sb_out_printf(out, ", %.2f times the work at %u", times, s->count[0].cores);
        sb_out_printf(out, ": %.*s\n", SB_STR_ARG(text));
        return;
    }
}

static void
print_groups(const struct sb_scaled *s, struct sb_out *out)
{
    struct sb_table t;
    open_wide(s, &t, "work of");
    for (size_t g = 0; g < s->n_groups; g++) {
        if (!sb_scaled_is_material(s, &s->group[g]))
            continue;
        union sb_cell *c = sb_table_row(&t);
        c[0].s = sb_elixir_name(s->group[g].name, false, s->arena);
        for (size_t i = 0; i < s->n; i++) {
            struct sb_scaling_work w = sb_scaled_work(s, &s->group[g], i);
            c[i + 1].s = sb_str_of(sb_words_ns(s->arena, sb_scaling_work_ns(&w)));
        }
    }
    if (t.n_rows > 0)
        sb_table_write_text(&t, out);
    for (size_t g = 0; g < s->n_groups; g++)
        if (sb_scaled_is_material(s, &s->group[g]))
            print_growth(s, &s->group[g], out);
}

static void
print_next(const struct sb_scaled *s, struct sb_out *out)
{
    SB_ARENA(a);
    for (size_t i = 0; i < s->n; i++)
        sb_out_printf(out, "%s%.*s report %s why\n", i == 0 ? "\n" : "", SB_STR_ARG(sb_shell_self(&a)),
                      s->count[i].trace);
}

static void
print_text(const struct sb_scaled *s, struct sb_out *out)
{
    sb_out_printf(out, "%s, %zu runs at each number of schedulers, on %u cores\n", s->command, s->runs,
                  s->machine);
    print_times(s, out);
    sb_out_z(out, "\n");
    print_fits(s, out);
    sb_out_z(out, "\n");
    print_account(s, out);
    sb_out_z(out, "\n");
    print_groups(s, out);
    if (s->traces_stay)
        print_next(s, out);
}

bool
sb_scaled_print(const struct sb_scaled *s, enum sb_format format, struct sb_err *e)
{
    struct sb_table t;
    struct sb_out out;
    SB_TRY(sb_out_open(&out, NULL, e));
    if (format == SB_FORMAT_TEXT)
        print_text(s, &out);
    else {
        fill_table(s, &t);
        sb_table_write(&t, format, &out);
    }
    return sb_out_close(&out, e);
}
