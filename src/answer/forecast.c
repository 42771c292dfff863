#include "answer/answer.h"
#include "why/predict/forecast_rows.h"
#include "why/program/words.h"

static void write_forecast(const struct sb_ask *ask, const struct sb_table *t, size_t width,
                           struct sb_out *out);

SB_ANSWER(forecast) = {
    .name = "forecast",
    .title = "The time on other numbers of cores",
    .doc = "What the run would take on other numbers of cores, as a band. strobe predict asks it with other "
           "numbers and with changes to the program.",
    .whole_run = "strobe report P schedulers --since T --until T shows the schedulers in that range",
    .of_all = true,
    .model = SB_MODEL_FORECAST,
    .needs = "--trace running,messages",
    .ask = answer,
    .column = sb_forecast_columns,
    .narrow = "cores,low_ns,ns,high_ns,speedup",
    .write = write_forecast,
};

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_what_if w;
    struct sb_forecast f;
    SB_TRY(sb_what_if_read(&w, ask->profile, &ask->q->what_if, ask->arena, e) &&
           sb_forecast_make(&f, ask->profile, &w, e));
    struct sb_str note = sb_forecast_note(&f, ask->profile, ask->arena);
    sb_table_init(t, ask->arena, sb_forecast_columns, SB_FORECAST_COLUMNS);
    for (size_t i = 0; i < f.n; i++)
        sb_forecast_fill(sb_table_row(t), &f, i, note);
    return true;
}

/* ---- text ---- */

static const char *
human(const struct sb_table *t, enum sb_forecast_column of)
{
    return sb_words_ns(t->arena, t->cell[of].i);
}

static void
put_line(const char *what, struct sb_str text, size_t width, struct sb_out *out)
{
    enum { INDENT = 15 };
    sb_out_printf(out, "%-*s", INDENT, what);
    sb_wrap(text, INDENT, width, out);
}

static void
put_rows(const struct sb_table *t, struct sb_out *out)
{
    sb_out_z(out, "cores          at least    estimate     at most  speed-up\n");
    for (size_t i = 0; i < t->n_rows; i++) {
        const union sb_cell *c = &t->cell[i * t->n_columns];
        const char *speedup =
            c[SB_FORECAST_SPEEDUP].f > 0 ? sb_words(t->arena, "%.2f", c[SB_FORECAST_SPEEDUP].f) : "--";
        sb_out_printf(out, "%5lld%18s%12s%12s%10s\n", (long long)c[SB_FORECAST_AT].i,
                      sb_words_ns(t->arena, c[SB_FORECAST_LOW].i), sb_words_ns(t->arena, c[SB_FORECAST_NS].i),
                      sb_words_ns(t->arena, c[SB_FORECAST_HIGH].i), speedup);
    }
}

static struct sb_str
exposure_words(struct sb_str exposure)
{
    return sb_str_eq(exposure, SB_STR("low")) ? SB_STR("messages cost little beside the work")
           : sb_str_eq(exposure, SB_STR("some"))
               ? SB_STR("locks and messages between cores may cost a part of the work")
           : sb_str_eq(exposure, SB_STR("high")) ? SB_STR("locks and messages between cores may cost as much "
                                                          "as the work; more cores may even be slower")
                                                 : SB_STR("unknown: more cores may even be slower");
}

static struct sb_str
recorded_words(const struct sb_table *t)
{
    const union sb_cell *c = t->cell;
    struct sb_arena *a = t->arena;
    long long n = c[SB_FORECAST_SCHEDULERS].i;
    struct sb_str on = c[SB_FORECAST_SCHEDULERS].i == SB_NULL
                           ? SB_STR("")
                           : sb_arena_printf(a, " on %lld %s", n, n == 1 ? "scheduler" : "schedulers"),
                  start = c[SB_FORECAST_STARTUP].i == SB_NULL ||
                                  c[SB_FORECAST_STARTUP].i < c[SB_FORECAST_RECORDED].i / 100
                              ? SB_STR("")
                              : sb_arena_printf(a, "; %s of it passed before the program ran code of its own",
                                                human(t, SB_FORECAST_STARTUP));
    return sb_arena_printf(a, "%s%.*s, with the cost of tracing%.*s", human(t, SB_FORECAST_RECORDED),
                           SB_STR_ARG(on), SB_STR_ARG(start));
}

static struct sb_str
chain_words(const struct sb_table *t)
{
    const union sb_cell *c = t->cell;
    const char *least = human(t, SB_FORECAST_LEAST), *burdened = human(t, SB_FORECAST_BURDENED);
    if (c[SB_FORECAST_LEAST].i == SB_NULL)
        return sb_arena_printf(t->arena, "%s as recorded, %s with the cost of messages between cores",
                               human(t, SB_FORECAST_SPAN), burdened);
    if (c[SB_FORECAST_LEAST].i >= c[SB_FORECAST_SPAN].i / 100 * 99)
        return sb_arena_printf(t->arena,
                               "%s: no number of cores is faster; %s with the cost of messages between cores",
                               least, burdened);
    return sb_arena_printf(t->arena,
                           "%s; %s with the cost of messages between cores. Without its waits that the trace "
                           "does not explain it is %s: no number of cores is faster than that",
                           human(t, SB_FORECAST_SPAN), burdened, least);
}

/* The chain cannot have more work in it than there is: the rest of a longer chain is no work. */
static struct sb_str
parallelism_words(double cores, struct sb_arena *a)
{
    return cores >= 0.995 ? sb_arena_printf(a, "%.2f: work divided by the longest chain", cores)
                          : sb_arena_printf(a,
                                            "%.2f: less than one core has work on average, as %.0f %% of the "
                                            "longest chain or more is waits and dirty schedulers",
                                            cores, 100 * (1 - cores));
}

static void
put_facts(const struct sb_table *t, size_t width, struct sb_out *out)
{
    const union sb_cell *c = t->cell;
    struct sb_arena *a = t->arena;
    bool knows_span = c[SB_FORECAST_SPAN].i != SB_NULL && c[SB_FORECAST_SPAN].i > 0;
    put_line("recorded", recorded_words(t), width, out);
    put_line("work", sb_arena_printf(a, "%s, of all processes", human(t, SB_FORECAST_WORK)), width, out);
    put_line("longest chain", knows_span ? chain_words(t) : SB_STR("unknown"), width, out);
    put_line("parallelism",
             knows_span ? parallelism_words((double)c[SB_FORECAST_WORK].i / (double)c[SB_FORECAST_SPAN].i, a)
                        : SB_STR("unknown"),
             width, out);
    put_line("contention", exposure_words(c[SB_FORECAST_EXPOSURE].s), width, out);
}

static void
write_forecast(const struct sb_ask *ask, const struct sb_table *t, size_t width, struct sb_out *out)
{
    if (t->n_rows == 0) {
        sb_out_z(out, "the trace shows no process at work; record with --trace running,messages\n");
        return;
    }
    const struct sb_what_if_text *change = &ask->q->what_if;
    put_rows(t, out);
    if (change->faster.n + change->split.n + change->free.n > 0)
        put_line(
            "speed-up",
            SB_STR("compared with one core, with the change on both: to see what the change saves, compare "
                   "estimates with those of the forecast without it"),
            width, out);
    put_facts(t, width, out);
    struct sb_str notes = t->cell[SB_FORECAST_NOTE].s;
    while (notes.n > 0)
        put_line("note", sb_str_trim(sb_str_cut(&notes, '|')), width, out);
}
