#include "answer/answer.h"
#include "why/run/bounded.h"

static void write_findings(const struct sb_ask *ask, const struct sb_table *t, size_t width,
                           struct sb_out *out);

#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
#include "answer/findings.def"
    {0},
};
#undef COLUMN
#define COLUMN(id, ...) id,
enum {
#include "answer/findings.def"
    INDENT = 3
};
#undef COLUMN

const struct sb_answer sb_answer_findings = {
    .name = "findings",
    .title = "Findings",
    .ordered = "by gain",
    .doc = "What holds the program back, what a cure gains, and how to cure it. Only what gains a twentieth "
           "of the program's part or more is shown. FINDINGS.md explains each rule.",
    .whole_run = "strobe report P processes --since T --until T shows what processes did in that range",
    .of_all = true,
    .model = SB_MODEL_FINDINGS,
    .needs = "--trace all",
    .limit = 10,
    .sql = "SELECT rank, rule, gain_ns, gain_low_ns, gain_high_ns, title, subject, confidence, evidence, "
           "fix, fix_elixir, process, gain_source, call_p99_ns, gain_in FROM finding",
    .column = columns,
    .narrow = "rank,rule,gain_ns,title",
    .write = write_findings,
};

static const char *
gain_of(const struct sb_table *t, const union sb_cell *c)
{
    return sb_bounded_gain(t->arena, (struct sb_bounded){c[LOW].i, c[GAIN].i, c[HIGH].i}, c[CALL].i,
                           sb_str_eq(c[SOURCE].s, SB_STR("replay")),
                           sb_str_eq(c[GAIN_IN].s, SB_STR("CPU time")), false);
}

static void
put_line(const char *label, struct sb_str text, size_t width, struct sb_out *out)
{
    sb_out_pad(out, ' ', INDENT);
    sb_out_z(out, label);
    sb_wrap(text, INDENT, width > strlen(label) ? width - strlen(label) : width, out);
}

/* What most rules look at. */
static const char *
lacks(const struct sb_profile *p)
{
    bool slices = sb_profile_rows(p, SB_T_slice) > 0, messages = sb_profile_rows(p, SB_T_message) > 0;
    return slices && messages ? ""
           : slices           ? ",\nbut the trace has no messages, which many of them look at (--trace all)"
                              : ",\nbut the trace has no slices, which most of them look at (--trace all)";
}

static void
write_findings(const struct sb_ask *ask, const struct sb_table *t, size_t width, struct sb_out *out)
{
    if (t->n_rows == 0)
        sb_out_printf(
            out, "no finding: the rules found nothing that would save a twentieth of the program's time%s\n",
            lacks(ask->profile));
    for (size_t r = 0; r < t->n_rows; r++) {
        const union sb_cell *c = &t->cell[r * t->n_columns];
        sb_out_z(out, r > 0 ? "\n" : "");
        sb_wrap(sb_arena_printf(t->arena, "%lld. %.*s: %s; confidence %.*s", (long long)c[RANK].i,
                                SB_STR_ARG(c[RULE].s), gain_of(t, c), SB_STR_ARG(c[CONFIDENCE].s)),
                INDENT, width, out);
        put_line("", c[TITLE].s, width, out);
        put_line("cure: ", c[FIX].s, width, out);
        if (!sb_str_eq(c[FIX].s, c[FIX_ELIXIR].s))
            put_line("in Elixir: ", c[FIX_ELIXIR].s, width, out);
        put_line("see: ",
                 sb_answer_command(
                     ask, sb_arena_printf(t->arena, "strobe query P \"%.*s\"", SB_STR_ARG(c[EVIDENCE].s))),
                 width, out);
    }
}
