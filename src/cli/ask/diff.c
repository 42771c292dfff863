/* strobe diff: what differs between two runs, or two folders of runs; mean and spread of one. */
#include "answer/diff.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "base/runs.h"

struct request {
    const char *fail_over;
    uint64_t limit;
    unsigned format; /* enum sb_format */
};

enum { HTML = SB_FORMAT_TSV + 1 };
static const struct sb_option options[] = {
    {"--fail-over", SB_OPT_TEXT, offsetof(struct request, fail_over), "N%",
     "exit with 3 if something costs more than N % more in B, beyond the noise"},
    {"--limit", SB_OPT_U64, offsetof(struct request, limit), "N", "at most N rows of text; 0 shows all (20)"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv|html",
     "how to print; html: a page in one file (text)"},
    {0}};

SB_COMMAND(diff) = {
    .name = "diff",
    .summary = "compare two runs, or two sets of runs: what changed beyond the noise",
    .operands = "A [B]",
    .doc = "A and B are each a profile, a trace, which is analysed first, or a folder of runs, such as those "
           "of strobe record --runs. Compares the length, the account of scheduler time, tests, servers, "
           "groups of processes, functions, collections, waits, messages and memory, matched by name and by "
           "place in the tree of processes. Of several runs each figure is the mean, with its standard "
           "deviation; A alone gives these.\n"
           "\n"
           "With four runs or more on each side a difference is significant if noise alone would show one so "
           "large, in any row, in at most 5 of 100 comparisons: a permutation test, corrected for the number "
           "of rows. The interval is that of the change of the row alone, at 95 %. With one run on a side "
           "only sizes can be shown, and nothing is significant.\n"
           "\n"
           "--fail-over 5% exits with 3 if a row that costs time or memory grew by more than 5 % and is "
           "significant. A run that cannot be read is named and left out, and the command exits with 1.\n",
    .example = "strobe diff before/ after/ --fail-over 5%",
    .option = options,
    .run = run,
};

static bool
read_share(const char *text, double *share, struct sb_err *e)
{
    char *end;
    double percent = strtod(text, &end);
    if (end == text || *end != '%' || end[1] || !(percent >= 0 && percent <= 1e6))
        return sb_err_set(e, SB_ERR_USAGE, "--fail-over takes a percentage such as 5%%, not '%s'", text);
    *share = percent / 100;
    return true;
}

/* Returns the exit code of the command if the run cannot be read as a whole, which it says. */
static int
add_run(struct sb_diff *d, const char *path, bool of_b)
{
    struct sb_cli_profile c;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_profile_open(&c, path, &e))
        return sb_cli_fail(&e);
    sb_cli_note_losses(c.profile);
    bool ok = sb_diff_add(d, c.profile, c.sql, of_b, &e) || sb_err_in(&e, path, SB_NO_BYTE);
    int damaged = sb_cli_profile_close(&c);
    return damaged || ok ? damaged : sb_cli_fail(&e);
}

/* The same for the runs of a side: those that can be read are compared. */
static int
add_side(struct sb_diff *d, const char *path, bool of_b)
{
    SB_ARENA(a);
    struct sb_runs runs;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    int code = 0;
    if (!sb_runs_find(path, false, &a, &runs, &e))
        return sb_cli_fail(&e);
    for (size_t i = 0; i < runs.n; i++) {
        int failed = add_run(d, runs.at[i], of_b);
        code = failed ? failed : code;
    }
    size_t n = sb_diff_runs(d, of_b);
    if (code && n > 0)
        sb_cli_note(sb_arena_printf(&a, "%s: %zu of %zu runs are compared: the others cannot be read", path,
                                    n, runs.n));
    SB_VEC_FREE(&runs);
    return code;
}

static bool
write(const struct sb_diff *d, const struct sb_table *t, const struct request *r, struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, NULL, e));
    if (r->format == SB_FORMAT_TEXT)
        sb_diff_write(d, t, r->limit, &out);
    else if (r->format == HTML)
        sb_diff_write_html(d, t, &out);
    else
        sb_table_write(t, (enum sb_format)r->format, &out);
    return sb_out_close(&out, e);
}

static int
compare(const char *before, const char *after, const struct request *r, double share)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    SB_ARENA(a);
    struct sb_diff d;
    struct sb_table t = {0};
    sb_diff_init(&d);
    int code = add_side(&d, before, false);
    if (after && sb_diff_runs(&d, false) > 0) {
        int failed = add_side(&d, after, true);
        code = failed ? failed : code;
    }
    bool ok = sb_diff_runs(&d, after != NULL) > 0;
    if (ok)
        sb_diff_table(&d, &a, &t);
    if (ok && !write(&d, &t, r, &e))
        code = sb_cli_fail(&e);
    if (ok && r->fail_over && !sb_diff_can_tell(&d))
        sb_cli_note(SB_STR("--fail-over did not look: so few runs cannot tell a change from noise"));
    size_t over = ok && r->fail_over ? sb_diff_over(&t, share) : 0;
    sb_diff_close(&d);
    return over > 0 ? 3 : code;
}

static int
run(int argc, char **argv)
{
    struct request r = {.limit = 20, .format = SB_FORMAT_TEXT};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    double share = 0;
    if (!sb_cli_options(&sb_command_diff, &r, &argc, argv, &e) ||
        (r.fail_over && !read_share(r.fail_over, &share, &e)))
        return sb_cli_usage("diff", "%s", e.what);
    if (argc < 1 || argc > 2 || (argc == 1 && r.fail_over))
        return sb_cli_usage("diff", argc > 2      ? "too many arguments"
                                    : r.fail_over ? "--fail-over needs two things to compare, A and B"
                                                  : "a run or a folder of runs is needed: A, or A and B");
    return compare(argv[0], argc > 1 ? argv[1] : NULL, &r, share);
}
