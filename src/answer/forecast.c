#include "answer/answer.h"
#include "answer/wrap.h"
#include "why/forecast.h"

static bool ask_forecast(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e);
static void write_forecast(const struct sb_ask *ask, const struct sb_table *t, size_t width,
                           struct sb_out *out);

static const struct sb_column columns[] = {
    {"cores", SB_INT, SB_U_COUNT, "normal schedulers, each on a core of its own"},
    {"low_ns", SB_INT, SB_U_NS, "lower end of the band"},
    {"ns", SB_INT, SB_U_NS, "replay of the recorded work; NULL: unknown, and note says why"},
    {"high_ns", SB_INT, SB_U_NS, "upper end of the band"},
    {"exposure", SB_TEXT, SB_U_NONE, "low, some or high: to contention that one trace cannot show"},
    {"speedup", SB_REAL, SB_U_NONE, "ns on one core, divided by ns"},
    {"work_ns", SB_INT, SB_U_NS, "of all processes; the same in all rows"},
    {"span_ns", SB_INT, SB_U_NS, "the longest chain of work and waits; the same in all rows"},
    {"burdened_ns", SB_INT, SB_U_NS,
     "that chain with the cost of messages between cores; the same in all rows"},
    {"recorded_ns", SB_INT, SB_U_NS,
     "length of the recorded run up to the end of the program; the same in all rows"},
    {"schedulers", SB_INT, SB_U_COUNT, "of the recording; the same in all rows"},
    {"note", SB_TEXT, SB_U_NONE, "what limits the forecast; the same in all rows"},
    {0},
};
enum { CORES, LOW, NS, HIGH, EXPOSURE, SPEEDUP, WORK, SPAN, BURDENED, RECORDED, SCHEDULERS, NOTE, N_COLUMNS };

const struct sb_answer sb_answer_forecast = {
    .name = "forecast",
    .title = "The time on other numbers of cores",
    .doc = "What the run would take on other numbers of cores, as a band. strobe predict asks it with other "
           "numbers and with changes to the program.",
    .whole_run = "strobe report P schedulers --since T --until T shows the schedulers in that range",
    .of_all = true,
    .needs = "--trace running,messages",
    .ask = ask_forecast,
    .column = columns,
    .narrow = "cores,low_ns,ns,high_ns,speedup",
    .write = write_forecast,
};

static bool
ask_forecast(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_what_if w;
    struct sb_forecast f;
    SB_TRY(sb_what_if_read(&w, ask->profile, &ask->q->what_if, ask->arena, e) &&
           sb_forecast_make(&f, ask->profile, &w, e));
    struct sb_str note = sb_forecast_note(&f, ask->profile, ask->arena);
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (size_t i = 0; i < f.n; i++) {
        union sb_cell *c = sb_table_row(t);
        c[CORES].i = f.row[i].cores;
        c[LOW].i = f.row[i].low_ns;
        c[NS].i = f.row[i].ns;
        c[HIGH].i = f.row[i].high_ns;
        c[EXPOSURE].s = sb_exposure_name(f.exposure);
        c[SPEEDUP].f = sb_forecast_speedup(&f, i);
        c[WORK].i = f.work_ns;
        c[SPAN].i = f.span_ns;
        c[BURDENED].i = f.burdened_ns;
        c[RECORDED].i = f.recorded_ns;
        c[SCHEDULERS].i = f.schedulers;
        c[NOTE].s = note;
    }
    return true;
}

/* ---- text ---- */

static struct sb_str
human(const struct sb_table *t, int64_t ns)
{
    char text[64];
    return ns == SB_NULL
               ? SB_STR("--")
               : sb_arena_str(t->arena, (struct sb_str){text, sb_human(text, sizeof text, ns, SB_U_NS)});
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
        struct sb_str low = human(t, c[LOW].i), ns = human(t, c[NS].i), high = human(t, c[HIGH].i),
                      speedup =
                          c[SPEEDUP].f > 0 ? sb_arena_printf(t->arena, "%.2f", c[SPEEDUP].f) : SB_STR("--");
        sb_out_printf(out, "%5lld%*s%.*s%*s%.*s%*s%.*s%*s%.*s\n", (long long)c[CORES].i, (int)(18 - low.n),
                      "", SB_STR_ARG(low), (int)(12 - ns.n), "", SB_STR_ARG(ns), (int)(12 - high.n), "",
                      SB_STR_ARG(high), (int)(10 - speedup.n), "", SB_STR_ARG(speedup));
    }
}

static struct sb_str
exposure_words(struct sb_str exposure, bool shows_locks)
{
    return sb_str_eq(exposure, SB_STR("low")) && !shows_locks
               ? SB_STR(
                     "low for messages, which cost little beside the work; unknown for locks (ETS, counters)")
           : sb_str_eq(exposure, SB_STR("low"))  ? SB_STR("low: messages cost little beside the work")
           : sb_str_eq(exposure, SB_STR("some")) ? SB_STR("some: contention may cost a part of the work")
           : sb_str_eq(exposure, SB_STR("high"))
               ? SB_STR("high: contention may cost as much as the work; more cores may even be slower")
               : SB_STR("unknown");
}

static void
put_facts(const struct sb_table *t, size_t width, struct sb_out *out)
{
    const union sb_cell *c = t->cell;
    struct sb_arena *a = t->arena;
    bool knows_span = c[SPAN].i != SB_NULL && c[SPAN].i > 0;
    put_line("recorded",
             c[SCHEDULERS].i == SB_NULL
                 ? sb_arena_printf(a, "%.*s, with the cost of tracing", SB_STR_ARG(human(t, c[RECORDED].i)))
                 : sb_arena_printf(a, "%.*s on %lld %s, with the cost of tracing",
                                   SB_STR_ARG(human(t, c[RECORDED].i)), (long long)c[SCHEDULERS].i,
                                   c[SCHEDULERS].i == 1 ? "scheduler" : "schedulers"),
             width, out);
    put_line("work", sb_arena_printf(a, "%.*s, of all processes", SB_STR_ARG(human(t, c[WORK].i))), width,
             out);
    put_line("longest chain",
             knows_span
                 ? sb_arena_printf(a,
                                   "%.*s: no number of cores is faster; %.*s with the cost of messages "
                                   "between cores",
                                   SB_STR_ARG(human(t, c[SPAN].i)), SB_STR_ARG(human(t, c[BURDENED].i)))
                 : SB_STR("unknown"),
             width, out);
    put_line("parallelism",
             knows_span ? sb_arena_printf(a, "%.2f: work divided by the longest chain",
                                          (double)c[WORK].i / (double)c[SPAN].i)
                        : SB_STR("unknown"),
             width, out);
    put_line("exposure", exposure_words(c[EXPOSURE].s, c[SCHEDULERS].i != SB_NULL && c[SCHEDULERS].i > 1),
             width, out);
}

static void
write_forecast(const struct sb_ask *ask, const struct sb_table *t, size_t width, struct sb_out *out)
{
    (void)ask;
    if (t->n_rows == 0) {
        sb_out_z(out, "the trace shows no process at work; record with --trace running,messages\n");
        return;
    }
    put_rows(t, out);
    put_facts(t, width, out);
    struct sb_str notes = t->cell[NOTE].s;
    while (notes.n > 0)
        put_line("note", sb_str_trim(sb_str_cut(&notes, '|')), width, out);
}
