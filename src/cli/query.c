/* strobe query: runs an SQL statement on a profile. */
#include "cli/cli.h"
#include "cli/profile.h"

static int run(int argc, char **argv);

const struct sb_command sb_command_query = {
    .name = "query",
    .summary = "query a profile with SQL",
    .usage = "P \"SQL\" [--format table|json|csv|tsv] [--limit N] [--timeout T]",
    .doc =
        "P is a profile, or a trace, which is analysed first. FORMAT.md describes the tables and columns;\n"
        "times are nanoseconds from the first record. Computed tables: state, activity,\n"
        "timeline(track, t0, t1, n), state_by(t0, t1),\n"
        "slice_by('process'|'scheduler'|'in_function'|'out_function'|'kind', t0, t1).\n"
        "Functions: who(process) gives a readable name, pid(process) the pid. SQL is read-only. The limits "
        "are\n"
        "100,000 rows and 60 s; --limit 0 and --timeout 0 remove them.\n",
    .example = "strobe query strobe.sbp \"SELECT who(key), total_ns FROM slice_by('process') ORDER BY 2 DESC "
               "LIMIT 10\"",
    .run = run,
};

struct request {
    const char *sql;
    enum sb_format format;
    struct sb_sql_limits limits;
};

static bool
answer(struct sb_cli_profile *c, const struct request *r, struct sb_err *e)
{
    struct sb_arena arena;
    struct sb_table t;
    struct sb_out out;
    sb_arena_init(&arena);
    bool ok = sb_sql_ask(c->sql, sb_str_of(r->sql), NULL, 0, &r->limits, &arena, &t, e) &&
              sb_out_open(&out, NULL, e);
    if (ok) {
        sb_table_write(&t, r->format, &out);
        ok = sb_out_close(&out, e);
    }
    if (ok && t.rows_left_out > 0 && r->format != SB_FORMAT_TEXT)
        fprintf(stderr, "strobe: %llu more rows were cut off: raise --limit\n",
                (unsigned long long)t.rows_left_out);
    if (ok)
        sb_cli_say_losses(c->profile);
    sb_arena_close(&arena);
    return ok;
}

static int
run(int argc, char **argv)
{
    const char *format = "table";
    struct request r = {.limits = {.time_ns = INT64_C(60000000000), .rows = 100000}};
    const struct sb_option options[] = {
        {"--format", SB_OPT_TEXT, &format},
        {"--limit", SB_OPT_U64, &r.limits.rows},
        {"--timeout", SB_OPT_NS, &r.limits.time_ns},
    };
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_cli_options(options, sizeof options / sizeof options[0], &argc, argv, false, &e))
        return sb_cli_usage("query", "%s", e.what);
    if (argc != 2)
        return sb_cli_usage("query", "a profile and an SQL statement are needed");
    if (!sb_format_parse(sb_str_of(strcmp(format, "table") == 0 ? "text" : format), &r.format))
        return sb_cli_usage("query", "--format takes table, json, csv or tsv, not '%s'", format);
    r.sql = argv[1];
    struct sb_cli_profile c;
    if (!sb_cli_profile_open(&c, argv[0], &e))
        return sb_cli_fail(&e);
    bool ok = answer(&c, &r, &e);
    int damage = sb_cli_profile_close(&c);
    return ok ? damage : sb_cli_fail(&e);
}
