/* strobe query: runs an SQL statement on a profile. */
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "cli/ask/query_tables.h"
#include "why/why.h"
#include <unistd.h>

struct request {
    struct sb_str sql;
    unsigned format;
    bool tables;
    struct sb_sql_limits limits;
};

static const struct sb_option options[] = {
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "table|json|csv|tsv",
     "how to print the rows (table)"},
    {"--limit", SB_OPT_U64, offsetof(struct request, limits.rows), "N", "at most N rows (100,000); 0: all"},
    {"--timeout", SB_OPT_SPAN, offsetof(struct request, limits.time_ns), "T",
     "give up after this time (60s); 0: never"},
    {"--tables", SB_OPT_FLAG, offsetof(struct request, tables), NULL,
     "print the tables and their columns; with a table as the operand, only those of this table; with a "
     "profile, its tables and their numbers of rows"},
    {0}};

SB_COMMAND(query) = {
    .name = "query",
    .summary = "query a profile with SQL",
    .operands = "P SQL",
    .doc =
        "P is a profile, or a trace, which is analysed first. SQL is one SELECT statement of SQLite. Either\n"
        "may be -, standard input. Times are nanoseconds from the first record. `strobe query --tables`\n"
        "prints the tables and columns.\n"
        "\n"
        "Functions: who(process) gives a readable name, pid(process) the pid, place(function) the file and\n"
        "line of its source. Some tables are computed and take arguments, such as timeline('process:7', 0, "
        "1000000, 80); --tables shows them.",
    .example = "strobe query strobe.sbp \"SELECT who(key), total_ns FROM slice_by('process') ORDER BY 2 DESC "
               "LIMIT 10\"",
    .option = options,
    .run = run,
};

static bool
answer(struct sb_cli_profile *c, const struct request *r, struct sb_err *e)
{
    SB_ARENA(arena);
    struct sb_table t;
    struct sb_out out;
    bool ok = sb_sql_ask(c->sql, r->sql, NULL, 0, &r->limits, &arena, &t, e) && sb_out_open(&out, NULL, e);
    if (ok) {
        sb_table_write(&t, (enum sb_format)r->format, &out);
        ok = sb_out_close(&out, e);
    }
    if (ok && t.rows_left_out > 0 && (enum sb_format)r->format != SB_FORMAT_TEXT)
        fprintf(stderr, "strobe: %llu more rows were cut off: raise --limit\n",
                (unsigned long long)t.rows_left_out);
    if (ok)
        sb_cli_note_losses(c->profile);
    return ok;
}

static int
run_statement(const char *path, const struct request *r)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_cli_profile c;
    if (!sb_cli_profile_open(&c, path, &e))
        return sb_cli_fail(&e);
    bool ok = answer(&c, r, &e);
    int damage = sb_cli_profile_close(&c);
    return ok ? damage : sb_cli_fail(&e);
}

/* `of`: a table, a file, or NULL */
static int
print_tables(const char *of, enum sb_format format)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_cli_profile c;
    if (!of || sb_why_is_table(sb_str_of(of)) || access(of, F_OK) != 0)
        return sb_query_tables(of, format, &e) ? 0 : sb_cli_fail(&e);
    if (!sb_cli_profile_open(&c, of, &e))
        return sb_cli_fail(&e);
    bool ok = sb_query_tables_of(c.profile, format, &e);
    int damage = sb_cli_profile_close(&c);
    return ok ? damage : sb_cli_fail(&e);
}

static int
run(int argc, char **argv)
{
    struct request r = {.limits = {.time_ns = INT64_C(60000000000), .rows = 100000}};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_file statement;
    if (!sb_cli_options(&sb_command_query, &r, &argc, argv, &e))
        return sb_cli_usage("query", "%s", e.what);
    if (r.tables && argc <= 1)
        return print_tables(argc ? argv[0] : NULL, (enum sb_format)r.format);
    if (argc != 2 || r.tables)
        return sb_cli_usage("query", r.tables ? "--tables takes a table or a profile"
                                              : "query needs a profile and an SQL statement");
    if (strcmp(argv[0], "-") == 0 && strcmp(argv[1], "-") == 0)
        return sb_cli_usage("query", "the profile and the statement cannot both be standard input");
    r.sql = sb_str_of(argv[1]);
    if (strcmp(argv[1], "-") != 0)
        return run_statement(argv[0], &r);
    if (!sb_cli_read_stdin((const char **)&argv[1], 1, &e) || !sb_file_open(&statement, argv[1], &e))
        return sb_cli_fail(&e);
    r.sql = (struct sb_str){(const char *)statement.p, statement.n};
    int code = run_statement(argv[0], &r);
    sb_file_close(&statement);
    return code;
}
