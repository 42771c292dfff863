/* strobe report: one answer, by default the summary, as text or as data. */
#include "answer/losses.h"
#include "answer/summary_row.h"
#include "base/nearest.h"
#include "cli/frame/cli.h"
#include "cli/frame/fail_on.h"
#include "cli/frame/profile.h"
#include "serve/serve.h"
#include "why/program/elixir.h"
#include <stdlib.h>
#include <unistd.h>

static void list_sections(struct sb_out *out);

enum { HTML = SB_FORMAT_TSV + 1 };

struct request {
    unsigned format; /* enum sb_format, or HTML */
    const char *sort, *out, *with;
    bool brief;
    uint64_t limit;
    struct sb_option_list processes, fail_on;
    struct sb_limit *limit_on; /* one per --fail-on */
    struct sb_question q;
};

static const char *
format_name(size_t i)
{
    static const char *const names[] = {"text", "json", "csv", "tsv", [HTML] = "html", NULL};
    return names[i];
}

static const char *
section(size_t i)
{
    return i < sb_n_answers ? sb_answers[i]->name : NULL;
}

/* A column that an answer has in common with one before it is in the list once. */
static bool
is_earlier(size_t answer, const char *name)
{
    for (size_t a = 0; a < answer; a++)
        for (const struct sb_column *c = sb_answers[a]->column; c->name; c++)
            if (strcmp(c->name, name) == 0)
                return true;
    return false;
}

static const char *
column(size_t i)
{
    for (size_t a = 0; a < sb_n_answers; a++)
        for (const struct sb_column *c = sb_answers[a]->column; c->name; c++)
            if (!is_earlier(a, c->name) && i-- == 0)
                return c->name;
    return NULL;
}

static const struct sb_option options[] = {
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "FORMAT",
     "text, json, csv, tsv or html, which is the page in one file of at most 4 MB (text)",
     .word = format_name},
    {"--with", SB_OPT_TEXT, offsetof(struct request, with), "OTHER",
     "with html: also what differs in OTHER, another profile or trace"},
    {"--limit", SB_OPT_U64, offsetof(struct request, limit), "N", "at most N rows; 0 shows all"},
    {"--sort", SB_OPT_TEXT, offsetof(struct request, sort), "COL", "the column to sort by", .word = column},
    {"-o", SB_OPT_TEXT, offsetof(struct request, out), "FILE", "write to FILE instead of standard output"},
    {"--since", SB_OPT_NS, offsetof(struct request, q.since_ns), "T",
     "only what is at or after this time of the run"},
    {"--until", SB_OPT_NS, offsetof(struct request, q.until_ns), "T", "only what is before this time"},
    {"--process", SB_OPT_LIST, offsetof(struct request, processes), "P",
     "only this process: a pid, a registered name, or the function that it was spawned with (may be "
     "repeated)"},
    {"--brief", SB_OPT_FLAG, offsetof(struct request, brief), NULL,
     "of the summary only what is missing and what is worth looking at, as after a recording"},
    {"--elixir", SB_OPT_FLAG, offsetof(struct request, q.elixir), NULL,
     "write names as Elixir does; text does where an Elixir application runs"},
    {"--fail-on", SB_OPT_LIST, offsetof(struct request, fail_on), "LIMIT",
     "exit with 3 if LIMIT, 'NAME OP VALUE', is crossed (may be repeated)"},
    {0}};

SB_COMMAND(report) = {
    .name = "report",
    .summary = "answer questions about a profile: summary, why, critical, processes, messages, ...",
    .operands = "P [SECTION]",
    .doc =
        "P is a profile, or a trace, which is analysed first; - is standard input. SECTION is one of those\n"
        "below; callers and function take a function after it, as m:f/a or as Elixir writes it.\n"
        "\n"
        "Text shows the columns that fit and names those without data; json and csv have all columns, with\n"
        "times in nanoseconds. -- stands for an unknown value. A section that can only count the whole run,\n"
        "or all processes, refuses a narrower question and says why. If the trace lost events, text begins\n"
        "with a line about it; with json, csv and tsv it is on stderr.\n"
        "\n"
        "A range is from --since up to --until, without that moment unless the run ends there. What overlaps "
        "it,\n"
        "such as a slice, a wait or a collection, counts with its part inside.\n"
        "\n"
        "--fail-on exits with 3 if an item of the summary, or a column in any row of another section, meets\n"
        "NAME OP VALUE: 'lost > 0', 'serial > 40%', 'length > 2s'; waits --fail-on 'max > 1s'. OP is one of\n"
        "< <= > >= = !=; VALUE is a number, a time, a share or a text.",
    .example = "strobe report strobe.sbp processes --sort runnable --limit 10",
    .option = options,
    .run = run,
    .more_help = list_sections,
    .word_at = 2,
    .word = section,
};

/* ---- formats ---- */

struct report {
    const struct sb_answer *answer;
    const struct sb_ask *ask;
    const struct sb_table *table;
    unsigned format;
    const char *with;
    size_t width; /* of the terminal, in characters */
    bool brief;   /* of the summary only the first screen */
};

static bool
has_samples_instead(const struct report *r)
{
    return sb_str_starts(sb_str_of(r->answer->needs), SB_STR("--trace calls")) &&
           sb_profile_rows(r->ask->profile, SB_T_cpu_tick) > 0;
}

static void
put_nothing(const struct report *r, struct sb_out *out)
{
    const struct sb_question *q = r->ask->q;
    bool in_range = q->since_ns != SB_NULL || q->until_ns != SB_NULL;
    if (in_range || q->n_process > 0)
        sb_out_printf(out, "-- none%s%s\n", q->n_process > 0 ? " of these processes" : "",
                      in_range ? " in this range of time" : "");
    else if (r->answer->none)
        sb_out_printf(out, "-- none: %s\n", r->answer->none);
    else if (r->answer->needs)
        sb_out_printf(out, "-- none in this profile; if it was not recorded, use %s\n%s", r->answer->needs,
                      has_samples_instead(r) ? "-- by samples of the CPU: strobe report P cpu\n" : "");
    else
        sb_out_z(out, "-- none\n");
}

static void
put_table(const struct report *r, struct sb_out *out)
{
    struct sb_table text;
    struct sb_str unknown;
    sb_answer_text(r->answer, r->ask, r->table, r->width, &text, &unknown);
    sb_table_write(&text, SB_FORMAT_TEXT, out);
    if (unknown.n > 0)
        sb_out_printf(out, "-- unknown, and not shown: %.*s\n", SB_STR_ARG(unknown));
    if (text.rows_left_out > 0)
        sb_out_printf(out, "--limit 0 shows all rows; --format json or csv has every column\n");
}

static void
put_loss(const struct report *r, struct sb_out *out)
{
    struct sb_loss_notes notes = sb_losses_notes(r->ask->profile, r->answer->shows_loss, r->ask->arena);
    for (size_t i = 0; i < notes.n; i++)
        sb_out_printf(out, "%.*s\n", SB_STR_ARG(sb_table_printable(r->ask->arena, notes.at[i])));
}

/* Data on stdout has one table and nothing else, so the note goes to stderr. */
static void
note_loss(const struct report *r)
{
    if (!r->answer->shows_loss)
        sb_cli_note_losses(r->ask->profile);
}

static void
write_text(const struct report *r, struct sb_out *out)
{
    put_loss(r, out);
    if (r->brief) {
        sb_summary_write_first(r->table, r->width, out);
        return;
    }
    if (r->answer->write) {
        r->answer->write(r->ask, r->table, r->width, out);
        return;
    }
    if (r->table->n_rows > 0) {
        put_table(r, out);
        const char *note = r->answer->note ? r->answer->note(r->ask, r->table) : NULL;
        for (struct sb_str rest = sb_str_of(note ? note : ""); rest.n > 0;) {
            sb_out_z(out, "-- ");
            sb_wrap(sb_str_cut(&rest, '\n'), strlen("-- "), r->width, out);
        }
    } else {
        sb_out_printf(out, "%.*s\n", SB_STR_ARG(r->table->title));
        put_nothing(r, out);
    }
    if (!sb_profile_is_timed(r->ask->profile))
        sb_out_z(out, "-- times are unknown: the trace has no time stamps\n");
}

static void
write_data(const struct report *r, struct sb_out *out)
{
    note_loss(r);
    if (r->ask->q->elixir)
        sb_answer_name_as_elixir(r->table, r->ask->arena);
    sb_table_write(r->table, (enum sb_format)r->format, out);
}

static bool
write_answer(const struct report *r, struct sb_out *out, struct sb_err *e)
{
    char other[SB_CLI_PATH];
    if (r->format == HTML)
        return (!r->with || sb_cli_profile_path(r->with, other, e)) &&
               sb_serve_report(sb_profile_path(r->ask->profile), r->with ? other : NULL, out, e);
    (r->format == SB_FORMAT_TEXT ? write_text : write_data)(r, out);
    return true;
}

/* ---- running an answer ---- */

/* Checks the limits on every row, shown or not. Prints a line on stderr for each limit that is crossed. */
static bool
check_limits(const struct sb_answer *a, const struct sb_ask *shown, const struct request *r, bool *crossed,
             struct sb_err *e)
{
    struct sb_question q = *shown->q;
    struct sb_ask ask = *shown;
    struct sb_table all = {0};
    q.limit = 0;
    ask.q = &q;
    SB_TRY(r->fail_on.n == 0 || sb_answer_run(a, &ask, &all, e));
    for (size_t i = 0; i < r->fail_on.n; i++) {
        struct sb_str where;
        bool yes;
        SB_TRY(sb_limit_check(&r->limit_on[i], &all, &yes, &where, e));
        if (yes)
            fprintf(stderr, "strobe: limit crossed: %s: %.*s\n", r->fail_on.at[i], SB_STR_ARG(where));
        *crossed |= yes;
    }
    return true;
}

static bool
answer(struct sb_cli_profile *c, const struct sb_answer *a, const struct request *r, bool *crossed,
       struct sb_err *e)
{
    SB_ARENA(arena);
    struct sb_table table = {0};
    struct sb_question q = r->q;
    struct sb_ask ask = {c->profile, c->sql, &q, &arena};
    q.elixir |= r->format == SB_FORMAT_TEXT && sb_is_elixir(c->profile);
    struct report report = {a, &ask, &table, r->format, r->with, sb_cli_width(STDOUT_FILENO), r->brief};
    struct sb_out out;
    const char *profile = sb_profile_path(c->profile);
    bool ok = sb_cli_may_write(r->out, &profile, 1, e) &&
              (r->format == HTML || sb_answer_run(a, &ask, &table, e)) && sb_out_open(&out, r->out, e);
    if (ok)
        ok = write_answer(&report, &out, e) ? sb_out_close(&out, e) : (sb_out_abandon(&out), false);
    ok = ok && check_limits(a, &ask, r, crossed, e);
    return ok;
}

static int
no_section(const char *path, const char *name)
{
    struct sb_nearest near = sb_nearest_to(sb_str_of(name));
    char list[400] = "";
    for (size_t i = 0, n = 0; i < sb_n_answers && n < sizeof list; i++) {
        sb_nearest_offer(&near, sb_str_of(sb_answers[i]->name));
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "", sb_answers[i]->name);
    }
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (sb_answer_find(sb_str_of(path))) {
        sb_err_set(&e, SB_ERR_USAGE, "the profile comes before the section");
        sb_err_advise(&e, "strobe report %s %s", name, path);
    } else {
        sb_err_set(&e, SB_ERR_USAGE, "unknown section '%s'%s", name, sb_nearest_hint(&near));
        sb_err_advise(&e, "%s", list);
    }
    return sb_cli_fail(&e);
}

static int
run_report(const char *path, const struct sb_answer *a, struct request *r)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_cli_profile c;
    if (!sb_cli_profile_open(&c, path, &e))
        return sb_cli_fail(&e);
    bool crossed = false, ok = answer(&c, a, r, &crossed, &e);
    int damage = sb_cli_profile_close(&c);
    return !ok ? sb_cli_fail(&e) : crossed && damage == 0 ? 3 : damage;
}

static bool
read_limits(struct request *r, struct sb_err *e)
{
    r->limit_on = sb_realloc_or_die(NULL, (r->fail_on.n + 1) * sizeof *r->limit_on);
    for (size_t i = 0; i < r->fail_on.n; i++)
        SB_TRY(sb_limit_parse(r->fail_on.at[i], &r->limit_on[i], e));
    return true;
}

static int
run_section(const char *path, const char *subject, const struct sb_answer *a, struct request *r)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    const char *read[] = {path, r->with};
    if (!read_limits(r, &e) || !sb_cli_may_write(r->out, read, r->with ? 2 : 1, &e))
        return sb_cli_usage("report", "%s", e.what);
    bool text = r->format == SB_FORMAT_TEXT;
    struct sb_str *process = sb_realloc_or_die(NULL, (r->processes.n + 1) * sizeof *process);
    for (size_t i = 0; i < r->processes.n; i++)
        process[i] = sb_str_of(r->processes.at[i]);
    r->q.process = process;
    r->q.n_process = r->processes.n;
    r->q.subject = sb_str_of(subject);
    r->q.sort = sb_str_of(r->sort);
    r->q.width = text ? sb_cli_width(STDOUT_FILENO) : 0;
    r->q.limit = r->limit != UINT64_MAX ? r->limit : text ? a->limit : 0;
    int code = run_report(path, a, r);
    free(process);
    return code;
}

static int
run_request(int argc, char **argv, struct request *r)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(&sb_command_report, r, &argc, argv, &e))
        return sb_cli_usage("report", "%s", e.what);
    if (argc < 1 || argc > 3)
        return sb_cli_usage("report", argc < 1 ? "no profile given" : "too many arguments");
    const struct sb_answer *a = sb_answer_find(sb_str_of(argc > 1 ? argv[1] : "summary"));
    if (r->brief && a && (!sb_str_eq(sb_str_of(a->name), SB_STR("summary")) || r->format != SB_FORMAT_TEXT))
        return sb_cli_usage("report", "--brief is for the summary as text");
    if (r->with && r->format != HTML)
        return sb_cli_usage("report", "--with is for --format html; strobe diff compares as text");
    return a == NULL ? no_section(argv[0], argv[1]) : run_section(argv[0], argc > 2 ? argv[2] : NULL, a, r);
}

static int
run(int argc, char **argv)
{
    struct request r = {.limit = UINT64_MAX, .q = {.since_ns = SB_NULL, .until_ns = SB_NULL}};
    int code = run_request(argc, argv, &r);
    free(r.processes.at);
    free(r.fail_on.at);
    free(r.limit_on);
    return code;
}

static void
list_sections(struct sb_out *out)
{
    SB_ARENA(arena);
    sb_out_z(out, "\nsections:\n");
    for (size_t i = 0; i < sb_n_answers; i++)
        sb_out_printf(out, "  %-11s %.*s%s\n", sb_answers[i]->name,
                      SB_STR_ARG(sb_answer_title(sb_answers[i], NULL, &arena)),
                      i == 0 ? " (the default)" : "");
}
