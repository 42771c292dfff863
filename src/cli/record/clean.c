/* strobe clean: lists and removes what killed recordings left. */
#include "base/shell.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "engine/engine.h"
#include "engine/kept.h"
#include "export/dataset.h"
#include "live/record/leftover.h"
#include <unistd.h>

struct request {
    bool dry_run, all;
    unsigned format; /* enum sb_format */
};

static const struct sb_option options[] = {
    {"--dry-run", SB_OPT_FLAG, offsetof(struct request, dry_run), NULL, "only list, remove nothing"},
    {"--all", SB_OPT_FLAG, offsetof(struct request, all), NULL,
     "also remove events that are in no trace and no profile yet"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv", "how to print (text)"},
    {0}};

SB_COMMAND(clean) = {
    .name = "clean",
    .summary = "remove what killed recordings and exports left",
    .operands = "[FOLDER|DATASET]...",
    .doc =
        "A recording keeps its events in /dev/shm (or $TMPDIR, or /tmp) until they are in the trace. If "
        "strobe and the node are killed, that memory stays. This command lists such folders of yours that "
        "no living process uses, and removes them, or the given ones of them.\n"
        "\n"
        "Events that are in no trace yet are kept: commands that read the unfinished trace find them there. "
        "They are removed once the profile beside that trace holds them, or with --all.\n"
        "\n"
        "A killed `strobe export --dataset DIR` leaves DIR.unfinished-XXXXXX. With DIR this command removes "
        "that.\n",
    .example = "strobe clean --dry-run",
    .option = options,
    .run = run,
};

static const struct sb_column columns[] = {
    {"folder", SB_TEXT, SB_U_NONE, "in shared memory, in a folder for temporary files, or beside a dataset"},
    {"bytes", SB_INT, SB_U_BYTES, "memory or disk that it takes"},
    {"unread", SB_TEXT, SB_U_NONE,
     "yes: it holds events that are in no trace and no profile yet, or a partition that is not in its "
     "dataset"},
    {"result", SB_TEXT, SB_U_NONE, "removed, kept, failed, or would be removed"},
};

/* The profile beside a trace holds the events that were joined with it when it was analysed. */
static bool
is_analysed(struct sb_str trace)
{
    char identity[SB_TRACE_IDENTITY_MAX], profile[SB_CLI_PATH];
    bool fits = false;
    if (trace.n == 0)
        return false;
    sb_trace_identity(trace.p, identity);
    return sb_engine_profile_place(trace.p, identity, profile, sizeof profile, &fits, NULL) && fits;
}

static bool
is_unread(const struct sb_leftover *l)
{
    bool analysed = true;
    for (size_t i = 0; i < l->traces.n; i++)
        analysed &= is_analysed(l->traces.at[i]);
    return l->unread && (l->beside_dataset || !analysed);
}

/* Says which trace is to be analysed. */
static void
note_kept(const struct sb_leftover *l, struct sb_arena *a)
{
    struct sb_str why =
        sb_arena_printf(a, "%.*s is of a recording that was killed before it had a trace: --all removes it",
                        SB_STR_ARG(l->path));
    if (l->beside_dataset)
        why = sb_arena_printf(
            a,
            "%.*s holds a partition that was to be replaced, and its replacement: export that profile "
            "again, then use --all",
            SB_STR_ARG(l->path));
    for (size_t i = 0; i < l->traces.n; i++) {
        struct sb_str t = l->traces.at[i];
        if (t.n && access(t.p, F_OK) != 0)
            why = sb_arena_printf(a, "%.*s belongs to %.*s, which is gone: --all removes it",
                                  SB_STR_ARG(l->path), SB_STR_ARG(t));
        else if (t.n && !is_analysed(t))
            why = sb_arena_printf(a,
                                  "%.*s holds the last events of %.*s: `%.*s report %.*s` reads them, then "
                                  "clean again, or use --all",
                                  SB_STR_ARG(l->path), SB_STR_ARG(t), SB_STR_ARG(sb_shell_self(a)),
                                  SB_STR_ARG(sb_shell_word(t, a)));
    }
    sb_cli_note(why);
}

static struct sb_str
treat(const struct request *r, const struct sb_leftover *l, bool unread)
{
    if (unread && !r->all)
        return SB_STR("kept");
    if (r->dry_run)
        return SB_STR("would be removed");
    return sb_leftover_remove(l) ? SB_STR("removed") : SB_STR("failed");
}

/* Sets *failed if one could not be removed. */
static void
put_table(const struct request *r, const struct sb_leftovers *l, struct sb_table *t, bool *failed)
{
    for (size_t i = 0; i < l->of.n; i++) {
        bool unread = is_unread(&l->of.at[i]);
        struct sb_str result = treat(r, &l->of.at[i], unread);
        SB_ROW(t, {.s = l->of.at[i].path}, {.i = (int64_t)l->of.at[i].bytes},
               {.s = unread ? SB_STR("yes") : SB_STR("no")}, {.s = result});
        if (unread && !r->all)
            note_kept(&l->of.at[i], t->arena);
        *failed |= sb_str_eq(result, SB_STR("failed"));
    }
}

static bool
clean(const struct request *r, const struct sb_leftovers *l, struct sb_arena *a, struct sb_err *e)
{
    struct sb_table t;
    struct sb_out out;
    bool failed = false;
    sb_table_init(&t, a, columns, sizeof columns / sizeof *columns);
    put_table(r, l, &t, &failed);
    SB_TRY(sb_out_open(&out, NULL, e));
    if (r->format == SB_FORMAT_TEXT && l->of.n == 0)
        sb_out_printf(&out, "killed recordings and exports left nothing here\n");
    else
        sb_table_write(&t, (enum sb_format)r->format, &out);
    SB_TRY(sb_out_close(&out, e));
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

/* Adds what is beside the datasets, and leaves the folders that were given; all of them if none was. */
static bool
choose(struct sb_leftovers *found, char *const *folder, size_t n, struct sb_arena *a, struct sb_err *e)
{
    size_t chosen = 0, datasets = 0;
    for (size_t i = 0; i < n; i++)
        datasets += sb_dataset_is(folder[i]);
    for (size_t i = 0; i < found->of.n; i++)
        if (n == 0 || is_among(found->of.at[i].path, folder, n))
            found->of.at[chosen++] = found->of.at[i];
        else
            SB_VEC_FREE(&found->of.at[i].traces);
    found->of.n = chosen;
    for (size_t i = 0; i < n; i++)
        if (sb_dataset_is(folder[i]))
            sb_leftovers_find_beside(found, folder[i], a);
    return chosen + datasets >= n ||
           sb_err_set(e, SB_ERR_INPUT,
                      "neither a dataset nor a folder that a killed recording left, or in use") ||
           sb_err_advise(e, "strobe clean --dry-run lists these folders");
}

static int
run(int argc, char **argv)
{
    struct request r = {.format = SB_FORMAT_TEXT};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_leftovers found;
    SB_ARENA(a);
    if (!sb_cli_options(&sb_command_clean, &r, &argc, argv, &e))
        return sb_cli_usage("clean", "%s", e.what);
    sb_leftovers_find(&found, &a);
    bool ok = choose(&found, argv, (size_t)argc, &a, &e) && clean(&r, &found, &a, &e);
    sb_leftovers_close(&found);
    return ok ? 0 : sb_cli_fail(&e);
}
