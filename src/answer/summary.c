/*
 * The first page: why the trace was written, what is missing, what ran, how parallel the run was, where the time went,
 * what recording cost, and what to look at next. A row is a fact (item, value, text) or advice: item `look`, with a
 * command in `see`, `note` or `nothing`.
 */
#include "answer/facts.h"
#include "answer/summary_row.h"
#include "answer/answer.h"

static void write_summary(const struct sb_ask *ask, const struct sb_table *t, size_t width,
                          struct sb_out *out);

static const struct sb_column columns[] = {
    {"item", SB_TEXT, SB_U_NONE,
     "name of the fact; look: worth looking at, with the largest possible gain as a share of the run; note: "
     "what all gains are to be read with; nothing: no such finding, and, in the rows after it, what is known "
     "of the run"},
    {"value", SB_INT, SB_U_NONE, "the fact as a number, in `unit`"},
    {"unit", SB_TEXT, SB_U_NONE, "ns, ppm, count, words"},
    {"text", SB_TEXT, SB_U_NONE, "the fact as text"},
    {"see", SB_TEXT, SB_U_NONE, "a command that shows more"},
    {"group", SB_TEXT, SB_U_NONE, "heading of the row in text; minor: too small to be printed"},
    {0},
};

SB_ANSWER(summary) = {
    .name = "summary",
    .shows_loss = true,
    .title = "Summary",
    .of_all = true,
    .doc = "What was measured, what is missing, how parallel the run was, and what to look at next. In a "
           "range of time: the facts that are known of it.",
    .ask = answer,
    .own_limit = true,
    .model = SB_MODEL_FINDINGS,
    .column = columns,
    .write = write_summary,
};

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_facts f;
    sb_table_init(t, ask->arena, columns, sizeof columns / sizeof columns[0] - 1);
    SB_TRY(sb_facts_find(ask, &f, e) && sb_facts_put(ask, &f, t, e));
    return f.range.is_part || sb_advice_put(ask, &f, t, e); /* findings are of the whole run */
}

/* ---- text ---- */

static bool
is(struct sb_str cell, const char *word)
{
    return sb_str_eq(cell, sb_str_of(word));
}

/* A count such as the number of events needs no line of its own: "5.70 s, 250 processes, 2,053,300 events". */
static bool
is_short_count(const union sb_cell *c)
{
    enum { SHORT = 16 };
    return is(c[2].s, "count") && is(c[5].s, SB_SUMMARY_RUN) && c[3].s.n <= SHORT;
}

static bool
is_look(struct sb_str item)
{
    return is(item, "look") || is(item, "cure");
}

/* A finding or its cure. The command follows the last of the findings that share it. */
static void
write_look(const struct sb_table *t, size_t r, size_t nth, size_t width, struct sb_out *out)
{
    const union sb_cell *c = &t->cell[r * t->n_columns], *next = c + t->n_columns;
    if (is(c[0].s, "look")) {
        sb_out_printf(out, "%zu. ", nth);
        sb_wrap(c[3].s, 3, width, out);
    } else {
        sb_out_z(out, "   cure: ");
        sb_wrap(c[3].s, 9, width, out);
    }
    if (r + 1 == t->n_rows || !is_look(next[0].s) || !sb_str_eq(next[4].s, c[4].s))
        sb_out_printf(out, "   %.*s\n", SB_STR_ARG(sb_table_printable(t->arena, c[4].s)));
}

/* The first line states that there is no finding; the others are a list. */
static void
write_nothing(const union sb_cell *c, bool is_first, size_t width, struct sb_out *out)
{
    if (!is_first)
        sb_out_str(out, SB_STR("- "));
    sb_wrap(c[3].s, is_first ? 0 : 2, width, out);
}

static void
write_note(const union sb_cell *c, size_t width, struct sb_out *out)
{
    sb_out_str(out, SB_STR("note: "));
    sb_wrap(c[3].s, 6, width, out);
}

/* "2 processes", "1 process" */
static struct sb_str
counted(const union sb_cell *c)
{
    size_t plural = sb_str_eq(c[0].s, SB_STR("processes")) ? 2 : 1;
    return c[1].i == 1 ? sb_str_sub(c[0].s, 0, c[0].s.n - plural) : c[0].s;
}

/* Returns the number of rows on the line. */
static size_t
write_fact(const struct sb_table *t, size_t r, size_t width, struct sb_out *out)
{
    enum { INDENT = 18 };
    const union sb_cell *c = &t->cell[r * t->n_columns], *next = c + t->n_columns;
    struct sb_str text = c[3].s;
    size_t rows = 1;
    for (; c[1].i != SB_NULL && r + rows < t->n_rows && is_short_count(next); rows++, next += t->n_columns)
        text = sb_arena_printf(t->arena, "%.*s, %.*s %.*s", SB_STR_ARG(text), SB_STR_ARG(next[3].s),
                               SB_STR_ARG(counted(next)));
    sb_out_str(out, c[0].s);
    sb_out_pad(out, ' ', c[0].s.n < INDENT ? INDENT - c[0].s.n : 1);
    sb_wrap(text, INDENT, width, out);
    if (is(c[5].s, SB_SUMMARY_TRIGGER) && c[4].s.n > 0)
        sb_out_printf(out, "  %.*s\n", SB_STR_ARG(sb_table_printable(t->arena, c[4].s)));
    return rows;
}

/* Text begins with what the reader must know, and what to do about the run. */
enum turn { MISSING, ADVICE, REST };

static enum turn
turn_of(const union sb_cell *c)
{
    return is(c[5].s, SB_SUMMARY_TRIGGER) || is(c[5].s, SB_SUMMARY_MISSING) ? MISSING
           : is(c[5].s, SB_SUMMARY_LOOK)                                    ? ADVICE
                                                                            : REST;
}

/* `group`: of the row before, empty for the first */
static void
write_turn(const struct sb_table *t, enum turn turn, struct sb_str *group, size_t width, struct sb_out *out)
{
    size_t looks = 0, nothings = 0, rows;
    for (size_t r = 0; r < t->n_rows; r += rows) {
        const union sb_cell *c = &t->cell[r * t->n_columns];
        rows = 1;
        if (is(c[5].s, SB_SUMMARY_MINOR) || turn_of(c) != turn)
            continue;
        if (!sb_str_eq(c[5].s, *group))
            sb_out_printf(out, "%s%.*s\n", group->n > 0 ? "\n" : "", SB_STR_ARG(c[5].s));
        *group = c[5].s;
        if (is(c[0].s, "nothing"))
            write_nothing(c, looks == 0 && nothings++ == 0, width, out);
        else if (is_look(c[0].s))
            write_look(t, r, looks += is(c[0].s, "look"), width, out);
        else if (is(c[0].s, "note"))
            write_note(c, width, out);
        else
            rows = write_fact(t, r, width, out);
    }
}

static void
write_turns(const struct sb_table *t, enum turn last, size_t width, struct sb_out *out)
{
    struct sb_str group = SB_STR("");
    for (int turn = 0; turn <= (int)last; turn++)
        write_turn(t, (enum turn)turn, &group, width, out);
}

void
sb_summary_write_first(const struct sb_table *t, size_t width, struct sb_out *out)
{
    write_turns(t, ADVICE, width, out);
}

static void
write_summary(const struct sb_ask *ask, const struct sb_table *t, size_t width, struct sb_out *out)
{
    (void)ask;
    write_turns(t, REST, width, out);
}
