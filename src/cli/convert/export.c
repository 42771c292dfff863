/* strobe export: writes a profile in the format of another tool. */
#include "answer/answer.h"
#include "base/order.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "export/dataset.h"
#include "export/upload.h"
#include "export/select.h"
#include <limits.h>

static void put_formats(struct sb_out *out);

struct request {
    unsigned to; /* index of the exporter, or none */
    const char *path;
    struct sb_export_options o;
    struct sb_option_list process, label, header;
    struct sb_upload push;
    const char *dataset;
    struct sb_export_note note;
};

static const char *
format(size_t i)
{
    return i < sb_n_exporters ? sb_exporters[i]->name : NULL;
}

static const char *
table(size_t i)
{
    return i < SB_TABLES ? sb_schema[i].name : NULL;
}

/* Whether one of the first `n` formats has this view. */
static bool
is_earlier(size_t n, struct sb_str name)
{
    for (size_t x = 0; x < n; x++)
        for (struct sb_str rest = sb_str_of(sb_exporters[x]->what); rest.n > 0;)
            if (sb_str_eq(sb_str_cut(&rest, ' '), name))
                return true;
    return false;
}

static const char *
view(size_t i)
{
    static char name[32]; /* until the next call */
    for (size_t x = 0; x < sb_n_exporters; x++)
        for (struct sb_str rest = sb_str_of(sb_exporters[x]->what), v; rest.n > 0;)
            if (v = sb_str_cut(&rest, ' '), v.n > 0 && !is_earlier(x, v) && i-- == 0) {
                snprintf(name, sizeof name, "%.*s", SB_STR_ARG(v));
                return name;
            }
    return NULL;
}

static const struct sb_option options[] = {
    {"--to", SB_OPT_CHOICE, offsetof(struct request, to), "FORMAT", "one of the formats below",
     .word = format},
    {"-o", SB_OPT_TEXT, offsetof(struct request, path), "FILE",
     "where to write (next to P, under its name); - is standard output"},
    {"--since", SB_OPT_NS, offsetof(struct request, o.since_ns), "T",
     "only what is at or after this time of the run"},
    {"--until", SB_OPT_NS, offsetof(struct request, o.until_ns), "T", "only what is before this time"},
    {"--process", SB_OPT_LIST, offsetof(struct request, process), "P",
     "only this process: a pid, a registered name or an id (may be repeated)"},
    {"--table", SB_OPT_TEXT, offsetof(struct request, o.table), "TABLE",
     "csv and parquet: only this table, as one file instead of a folder", .word = table},
    {"--time", SB_OPT_CHOICE, offsetof(struct request, o.time), "cpu|wall",
     "stacks: time on a scheduler, or also the time of waiting (cpu)"},
    {"--what", SB_OPT_TEXT, offsetof(struct request, o.what), "VIEW", "one of the views of a format",
     .word = view},
    {"--dataset", SB_OPT_TEXT, offsetof(struct request, dataset), "DIR",
     "parquet: append all of each profile P to this folder of many profiles, and print where it is"},
    {"--label", SB_OPT_LIST, offsetof(struct request, label), "KEY=VALUE",
     "with --dataset or --push: what the profile is of, as service=shop; a folder and a column of the "
     "dataset, "
     "or a label there (may be repeated)"},
    {"--push", SB_OPT_TEXT, offsetof(struct request, push.url), "URL",
     "pprof: send it to this server, as https://USER:PASSWORD@host:4040; a token is taken from "
     "STROBE_PUSH_TOKEN"},
    {"--server", SB_OPT_CHOICE, offsetof(struct request, push.server), "pyroscope|parca",
     "with --push: what the server is (pyroscope)"},
    {"--header", SB_OPT_LIST, offsetof(struct request, header), "LINE",
     "with --push: a header of the request, such as 'X-Scope-OrgID: shop' (may be repeated)"},
    {0}};

SB_COMMAND(export) = {
    .name = "export",
    .summary = "write a profile in the format of another tool",
    .operands = "P... --to FORMAT",
    .doc =
        "P is a profile, or a trace, which is analysed first. csv and parquet write a folder of all tables.\n"
        "With --dataset, profiles of many runs become one folder that DuckDB, Spark or ClickHouse query: "
        "each is a\n"
        "partition by its labels, the date of the recording, its node and the run. A profile that is there "
        "already is\n"
        "replaced.\n\n"
        "With --push, a profile is sent to Pyroscope or Parca, with the labels service_name (by itself the "
        "name of "
        "the\n"
        "node) and those given. An attempt that may work later is repeated three times, within four seconds.",
    .example = "strobe export run.sbp --to speedscope --since 1s --until 2s",
    .option = options,
    .run = run,
    .more_help = put_formats,
};

static bool
choose_processes(const struct sb_profile *p, struct request *r, struct sb_arena *a, struct sb_err *e)
{
    struct sb_str *given = SB_NEW_N(a, struct sb_str, r->process.n + 1);
    struct sb_question q = {.n_process = r->process.n, .process = given};
    struct sb_ask ask = {.profile = p, .q = &q, .arena = a};
    int64_t *id = NULL;
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < r->process.n; i++)
        given[i] = sb_str_of(r->process.at[i]);
    if (!sb_answer_chosen(&ask, &id, &n, e)) {
        e->code = SB_ERR_INPUT;
        return false;
    }
    if (n > 0)
        qsort(id, n, sizeof *id, sb_by_number);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || id[kept - 1] != id[i])
            id[kept++] = id[i];
    r->o.process = id;
    r->o.n_process = kept;
    return true;
}

/* run.sbp -> run.pb.gz, with the name of the table if one is given: run.slice.csv */
static const char *
default_path(const struct sb_exporter *x, const struct request *r, const char *profile, char *path)
{
    struct sb_str stem = sb_str_of(profile);
    if (sb_str_ends(stem, SB_STR(".sbp")))
        stem.n -= 4;
    snprintf(path, SB_CLI_PATH, "%.*s%s%s%s", SB_STR_ARG(stem), r->o.table ? "." : "",
             r->o.table ? r->o.table : "", x->suffix);
    return path;
}

static bool
run_request(struct request *r, const char *input, const struct sb_exporter *x, struct sb_err *e)
{
    struct sb_profile *p;
    SB_ARENA(a);
    char profile_path[SB_CLI_PATH], path[SB_CLI_PATH];
    bool to_stdout = r->path && strcmp(r->path, "-") == 0;
    SB_TRY(sb_cli_may_write(r->path, &input, 1, e));
    SB_TRY(sb_cli_profile_path(input, profile_path, e));
    SB_TRY(sb_cli_may_write(r->path, (const char *const[]){profile_path}, 1, e));
    SB_TRY(sb_profile_open(&p, profile_path, e));
    const char *out = to_stdout ? NULL : r->path ? r->path : default_path(x, r, profile_path, path);
    r->push.label = r->label.at, r->push.n_labels = r->label.n;
    r->push.header = r->header.at, r->push.n_headers = r->header.n;
    if (!sb_profile_is_timed(p) && !x->timeless)
        sb_select_note(&r->o,
                       "the trace has no time stamps: times and durations are unknown and not exported");
    bool ok = choose_processes(p, r, &a, e) &&
              (r->push.url ? sb_upload(&r->push, p, &r->o, e) : sb_export(x, p, &r->o, out, e));
    if (ok && r->note.text[0])
        fprintf(stderr, "strobe: %s\n", r->note.text);
    if (ok)
        sb_cli_note_losses(p);
    if (ok && out && !r->path && !r->push.url)
        printf("%s\n", out);
    sb_profile_close(p);
    return ok;
}

/* Several profiles are one file only in a dataset, which holds all of them. */
static bool
check(const struct request *r, int argc, struct sb_err *e)
{
    const struct sb_export_options *o = &r->o;
    if (argc == 0)
        return sb_err_set(e, SB_ERR_USAGE, "no profile given");
    if (r->to == UINT_MAX)
        return sb_err_set(e, SB_ERR_USAGE, "no format given with --to");
    if (!r->dataset && argc > 1)
        return sb_err_set(e, SB_ERR_USAGE, "one profile at a time, or --dataset");
    if (!r->dataset && !r->push.url && r->label.n > 0)
        return sb_err_set(e, SB_ERR_USAGE, "--label is of a dataset: name its folder with --dataset");
    if (!r->push.url && (r->header.n > 0 || r->push.server != SB_UPLOAD_PYROSCOPE))
        return sb_err_set(e, SB_ERR_USAGE, "--header and --server are of --push URL");
    if (r->push.url && (r->dataset || r->path || strcmp(sb_exporters[r->to]->name, "pprof") != 0))
        return sb_err_set(e, SB_ERR_USAGE,
                          "pprof is what servers take: --to pprof, without -o and --dataset");
    if (r->dataset && strcmp(sb_exporters[r->to]->name, "parquet") != 0)
        return sb_err_set(e, SB_ERR_USAGE, "a dataset is of parquet: --to parquet");
    if (r->dataset && (r->path || o->table || o->what || r->process.n > 0 || o->since_ns != SB_NULL ||
                       o->until_ns != SB_NULL))
        return sb_err_set(
            e, SB_ERR_USAGE,
            "a dataset holds whole profiles: omit -o, --table, --what, --process, --since and --until");
    return true;
}

static bool
append(const struct sb_dataset *d, const char *input, struct sb_err *e)
{
    struct sb_profile *p;
    SB_ARENA(a);
    struct sb_dataset_partition made;
    char profile_path[SB_CLI_PATH];
    SB_TRY(sb_cli_profile_path(input, profile_path, e));
    SB_TRY(sb_profile_open(&p, profile_path, e));
    bool ok = sb_dataset_append(d, p, &a, &made, e);
    if (ok && !made.is_dated)
        fprintf(stderr, "strobe: %s: the wall clock of the recording is unknown, so its date is NULL\n",
                input);
    if (ok)
        sb_cli_note_losses(p);
    if (ok)
        printf("%s\n", made.path);
    sb_profile_close(p);
    return ok;
}

static bool
append_all(const struct request *r, int argc, char **argv, struct sb_err *e)
{
    char folder[SB_CLI_PATH];
    snprintf(folder, sizeof folder, "%s", r->dataset);
    for (size_t n = strlen(folder); n > 1 && folder[n - 1] == '/'; n--)
        folder[n - 1] = '\0';
    struct sb_dataset d = {.folder = folder, .label = r->label.at, .n_labels = r->label.n};
    SB_TRY(sb_dataset_open(&d, e));
    for (int i = 0; i < argc; i++)
        SB_TRY(append(&d, argv[i], e));
    return true;
}

static int
run(int argc, char **argv)
{
    struct request r = {.to = UINT_MAX, .o = {.since_ns = SB_NULL, .until_ns = SB_NULL}};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    int code = 0;
    r.o.note = &r.note;
    if (!sb_cli_options(&sb_command_export, &r, &argc, argv, &e) || !check(&r, argc, &e))
        code = sb_cli_usage("export", "%s", e.what);
    else if (!(r.dataset ? append_all(&r, argc, argv, &e) : run_request(&r, argv[0], sb_exporters[r.to], &e)))
        code = sb_cli_fail(&e);
    free(r.process.at);
    free(r.label.at);
    free(r.header.at);
    return code;
}

static void
put_formats(struct sb_out *out)
{
    sb_out_z(out, "\nformats:\n");
    for (size_t i = 0; i < sb_n_exporters; i++) {
        const struct sb_exporter *x = sb_exporters[i];
        sb_out_printf(out, "  %-11s %s\n", x->name, x->doc);
        if (x->what[0])
            sb_out_printf(out, "  %-11s --what %s\n", "", x->what);
    }
}
