/* strobe clean: lists and removes what killed recordings left. */
#include "base/file.h"
#include "base/table.h"
#include "cli/cli.h"
#include "live/leftover.h"

static int run(int argc, char **argv);

struct request {
    bool dry_run, all;
    unsigned format; /* enum sb_format */
};

static const struct sb_option options[] = {
    {"--dry-run", SB_OPT_FLAG, offsetof(struct request, dry_run), NULL, "only list, remove nothing"},
    {"--all", SB_OPT_FLAG, offsetof(struct request, all), NULL,
     "also remove events that are in no trace yet"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv", "how to print (text)"},
    {0}};

const struct sb_command sb_command_clean = {
    .name = "clean",
    .summary = "remove what killed recordings left in shared memory",
    .operands = "[FOLDER]...",
    .doc =
        "A recording keeps its events in /dev/shm (or $TMPDIR, or /tmp) until they are in the trace. If "
        "strobe and the node are killed, that memory stays. This command lists such folders of yours that "
        "no living process uses, and removes them, or the given ones of them.\n"
        "\n"
        "Events that are in no trace yet are kept: commands that read the unfinished trace find them there. "
        "Analyse that trace first, then remove them with --all.\n",
    .example = "strobe clean --dry-run",
    .option = options,
    .run = run,
};

static const struct sb_column columns[] = {
    {"folder", SB_TEXT, SB_U_NONE, "in shared memory or in a folder for temporary files"},
    {"bytes", SB_INT, SB_U_BYTES, "memory or disk that it takes"},
    {"unread", SB_TEXT, SB_U_NONE, "yes: it holds events that are in no trace yet"},
    {"result", SB_TEXT, SB_U_NONE, "removed, kept, failed, or would be removed"},
};

static struct sb_str
treat(const struct request *r, const struct sb_leftover *l)
{
    if (l->unread && !r->all)
        return SB_STR("kept");
    if (r->dry_run)
        return SB_STR("would be removed");
    return sb_leftover_remove(l) ? SB_STR("removed") : SB_STR("failed");
}

/* Returns how many folders were kept; sets *failed if one could not be removed. */
static size_t
put_table(const struct request *r, const struct sb_leftovers *l, struct sb_table *t, bool *failed)
{
    size_t kept = 0;
    for (size_t i = 0; i < l->of.n; i++) {
        union sb_cell *cell = sb_table_row(t);
        struct sb_str result = treat(r, &l->of.at[i]);
        cell[0].s = l->of.at[i].path;
        cell[1].i = (int64_t)l->of.at[i].bytes;
        cell[2].s = l->of.at[i].unread ? SB_STR("yes") : SB_STR("no");
        cell[3].s = result;
        kept += sb_str_eq(result, SB_STR("kept"));
        *failed |= sb_str_eq(result, SB_STR("failed"));
    }
    return kept;
}

static bool
clean(const struct request *r, const struct sb_leftovers *l, struct sb_arena *a, struct sb_err *e)
{
    struct sb_table t;
    struct sb_out out;
    bool failed = false;
    sb_table_init(&t, a, columns, sizeof columns / sizeof *columns);
    size_t kept = put_table(r, l, &t, &failed);
    SB_TRY(sb_out_open(&out, NULL, e));
    if (r->format == SB_FORMAT_TEXT && l->of.n == 0)
        sb_out_printf(&out, "killed recordings left nothing here\n");
    else
        sb_table_write(&t, (enum sb_format)r->format, &out);
    SB_TRY(sb_out_close(&out, e));
    if (kept > 0)
        sb_cli_note(SB_STR("some events are in no trace yet and were kept: analyse their traces first, then "
                           "use --all"));
    return !failed || sb_err_set(e, SB_ERR_SYSTEM, "some folders could not be removed");
}

static bool
is_among(struct sb_str path, char *const *folder, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (sb_str_eq(path, sb_str_of(folder[i])))
            return true;
    return false;
}

/* Leaves the folders that were given; all of them if none was. */
static bool
choose(struct sb_leftovers *found, char *const *folder, size_t n, struct sb_err *e)
{
    size_t chosen = 0;
    if (n == 0)
        return true;
    for (size_t i = 0; i < found->of.n; i++)
        if (is_among(found->of.at[i].path, folder, n))
            found->of.at[chosen++] = found->of.at[i];
    found->of.n = chosen;
    return chosen >= n ||
           sb_err_set(e, SB_ERR_INPUT, "not a folder that a killed recording left, or in use") ||
           sb_err_advise(e, "strobe clean --dry-run lists these folders");
}

static int
run(int argc, char **argv)
{
    struct request r = {.format = SB_FORMAT_TEXT};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_leftovers found;
    struct sb_arena a;
    if (!sb_cli_options(&sb_command_clean, &r, &argc, argv, &e))
        return sb_cli_usage("clean", "%s", e.what);
    sb_arena_init(&a);
    sb_leftovers_find(&found, &a);
    bool ok = choose(&found, argv, (size_t)argc, &e) && clean(&r, &found, &a, &e);
    sb_leftovers_close(&found);
    sb_arena_close(&a);
    return ok ? 0 : sb_cli_fail(&e);
}
