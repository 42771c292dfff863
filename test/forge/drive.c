#include "drive.h"
#include "answer/answer.h"
#include "base/progress.h"
#include "cli/program.h"
#include "export/export.h"
#include "profile/profile.h"
#include "serve/route.h"
#include "serve/serve.h"
#include "why/why.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DRIVE_ARGS = 24 };

void
drive_quietly(void)
{
    if (!freopen("/dev/null", "w", stdout))
        abort();
    stderr = fopen("/dev/null", "w");
    setenv("COLUMNS", "100", 1);
}

void
drive_command(const char *const *args)
{
    char *argv[DRIVE_ARGS];
    int n = 0;
    for (; args[n] && n < DRIVE_ARGS - 1; n++)
        argv[n] = (char *)(uintptr_t)args[n];
    argv[n] = NULL;
    sb_cli_main(n, argv);
}

/* ---- the commands ---- */

static void
drive_info(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    DRIVE("info", path, "--format", how[1] % 2 ? "json" : "text");
}

static void
drive_report(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    static const char *const format[] = {"text", "json", "csv", "tsv"};
    const char *section = sb_answers[how[1] % sb_n_answers]->name, *as = format[how[2] % 4];
    bool subject = strncmp(section, "caller", 6) == 0 || strcmp(section, "function") == 0;
    const char *of = subject ? "m:f/1" : "--limit=0";
    switch (how[3] % 4) {
    case 0:
        DRIVE("report", path, section, of, "--format", as);
        break;
    case 1:
        DRIVE("report", path, section, of, "--format", as, "--since", "5us", "--until", "1ms");
        break;
    case 2:
        DRIVE("report", path, section, of, "--format", as, "--process", "<0.80.0>", "--elixir");
        break;
    default:
        DRIVE("report", path, section, of, "--format", as, "--since", "1", "--process", "2", "--limit", "3");
    }
}

static void
drive_table(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    static const char *const format[] = {"table", "json", "csv", "tsv"};
    char sql[200];
    const struct sb_tab_desc *t = &sb_schema[how[1] % SB_TABLES];
    const char *column = t->column[how[2] % t->n_columns].name;
    static const char *const statement[] = {
        "SELECT * FROM %s ORDER BY \"%s\"", "SELECT count(*), sum(\"%2$s\"), max(\"%2$s\") FROM %1$s",
        "SELECT * FROM %s WHERE \"%s\" BETWEEN 1 AND 4096", "SELECT \"%2$s\", count(*) FROM %1$s GROUP BY 1",
        "SELECT who(\"%2$s\"), pid(\"%2$s\") FROM %1$s"};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(sql, sizeof sql, statement[how[3] % 5], t->name, column);
#pragma GCC diagnostic pop
    DRIVE("query", path, sql, "--limit", "500", "--timeout", "1s", "--format", format[how[3] / 5 % 4]);
}

static void
drive_computed(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    static const char *const sql[] = {
        "SELECT state, count(*), sum(dur) FROM state GROUP BY 1",
        "SELECT * FROM state WHERE process = 2 AND start > 10",
        "SELECT * FROM state_by(0, 1000)",
        "SELECT * FROM wait_by(0, 1000)",
        "SELECT * FROM state_by WHERE process = 3",
        "SELECT * FROM activity",
        "SELECT * FROM account",
        "SELECT * FROM critical",
        "SELECT * FROM finding",
        "SELECT * FROM server",
        "SELECT * FROM timeline('all', 0, NULL, 50)",
        "SELECT * FROM timeline('all', 100, 900000, 5000)",
        "SELECT * FROM timeline('process:2', 0, NULL, 20)",
        "SELECT * FROM timeline('scheduler:1', 0, NULL, 20)",
        "SELECT * FROM timeline('group:1', 0, NULL, 20)",
        "SELECT * FROM timeline(3, 0, 900000, 20)",
        "SELECT * FROM slice_by('process')",
        "SELECT * FROM slice_by('scheduler', 0, 100000)",
        "SELECT * FROM slice_by('in_function', 10, 300000)",
        "SELECT * FROM slice_by('out_function')",
        "SELECT * FROM slice_by('kind')",
        "SELECT * FROM stats('gap', 'wait_ns')",
        "SELECT * FROM stats('slice', 'dur')",
        "SELECT * FROM stats('pyramid', 'bucket')",
        "SELECT * FROM process JOIN slice ON slice.process = process.id JOIN gap ON gap.process = process.id",
    };
    DRIVE("query", path, sql[how[1] % (sizeof sql / sizeof *sql)], "--limit", "500", "--timeout", "1s");
}

/* The library of OTF2 takes milliseconds for each scheduler; what it is given does not depend on their number. */
static bool
drive_is_slow(const char *path, const struct sb_exporter *x)
{
    struct sb_profile *p;
    struct sb_err e;
    if (!x->write_folder || !sb_profile_open(&p, path, &e))
        return false;
    bool slow = sb_profile_rows(p, SB_T_scheduler) > 64;
    sb_profile_close(p);
    return slow;
}

static void
drive_export(const char *path, const char *scratch, const uint8_t *how)
{
    const struct sb_exporter *x = sb_exporters[how[1] % sb_n_exporters];
    struct sb_str all = sb_str_of(x->what), one = {0};
    char out[300], what[40], limit[40];
    for (unsigned i = 0; all.n > 0 && i <= how[2] % 4; i++)
        one = sb_str_cut(&all, ' ');
    snprintf(what, sizeof what, "--what=%.*s", SB_STR_ARG(one));
    snprintf(limit, sizeof limit,
             how[3] % 3 == 1   ? "--since=2us"
             : how[3] % 3 == 2 ? "--process=2"
                               : "--until=1h");
    snprintf(out, sizeof out, "%s/export", scratch);
    if (drive_is_slow(path, x))
        return;
    if (x->per_table)
        DRIVE("export", path, "--to", x->name, "-o", out, "--table", sb_schema[how[2] % SB_TABLES].name);
    else if (one.n > 0)
        DRIVE("export", path, "--to", x->name, "-o", out, what, limit);
    else
        DRIVE("export", path, "--to", x->name, "-o", out, limit);
    if (x->write_folder) {
        char rm[400];
        snprintf(rm, sizeof rm, "rm -rf '%s'", out);
        if (system(rm) != 0)
            abort();
    } else
        unlink(out);
}

static void
drive_merge(const char *path, const char *scratch, const uint8_t *how)
{
    char out[300], good[300];
    snprintf(out, sizeof out, "%s/merged.sbp", scratch);
    snprintf(good, sizeof good, "%s/good.sbp", scratch);
    if (how[1] % 2)
        DRIVE("merge", path, good, "-o", out);
    else
        DRIVE("merge", path, "-o", out);
    DRIVE("info", out);
    unlink(out);
}

static void
drive_page(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    (void)how;
    struct sb_out out;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sb_out_to_memory(&out);
    sb_serve_report(path, &out, &e);
    sb_out_abandon(&out);
}

/* ---- the routes of the server ---- */

static const char *const drive_addresses[] = {"info",
                                              "overview",
                                              "overview?t0=100&t1=5000",
                                              "timeline?track=all&n=1024",
                                              "timeline?track=process:2&n=64",
                                              "timeline?track=scheduler:1&n=64&t0=10",
                                              "timeline?track=group:1&n=64",
                                              "lanes?of=scheduler&n=400",
                                              "lanes?of=scheduler&n=4096&t0=100&t1=100000",
                                              "lanes?of=process&ids=1,2,3&n=300",
                                              "lanes?of=process&ids=2&n=9",
                                              "people?ids=1,2,3,4,99",
                                              "processes?n=500",
                                              "processes?n=5&sort=run_ns&dir=up&find=a&t0=5&t1=900",
                                              "processes?n=50&group=1",
                                              "processes?n=50&parent=1&from=1",
                                              "messages?level=process&n=100",
                                              "messages?level=process&n=100&min_count=0&min_words=1",
                                              "messages?level=group&n=100&min_count=0&min_words=1",
                                              "messages?level=scheduler&n=100&min_count=0&min_words=1",
                                              "messages?level=node&n=100&min_count=0&min_words=1",
                                              "messages?level=process&n=100&t0=10&t1=100000",
                                              "messages?level=group&n=9&t0=10&t1=900000&p=1,2",
                                              "latency",
                                              "latency?level=group&a=1&b=1",
                                              "latency?level=process&a=1&b=2&t0=5&t1=50000",
                                              "latency?level=node",
                                              "calls?n=500",
                                              "calls?mode=callers&f=m:f/1&n=50",
                                              "calls?mode=callees&f=m:f/1&n=50&p=2",
                                              "calls?n=9&t0=5&t1=9000",
                                              "ran?t0=0&t1=500000",
                                              "source?f=m:f/1",
                                              "recording",
                                              "recording?profile=0&claim=1",
                                              "forecast?cores=1,4",
                                              "forecast?faster=m:f/1=2",
                                              "forecast?split=till=4",
                                              "forecast?free=till",
                                              "answer/summary",
                                              "answer/processes?limit=5&since=10&until=1000",
                                              "ask/process?id=2",
                                              "ask/during?id=2&t0=1&t1=900000",
                                              "ask/schedulers",
                                              "ask/gc",
                                              "ask/collectors",
                                              "ask/sample",
                                              "ask/ports",
                                              "ask/tree",
                                              "ask/functions",
                                              "ask/around?f=m:f/1",
                                              "ask/called",
                                              "ask/activity?id=2",
                                              "ask/largest",
                                              "ask/slowest",
                                              "ask/largest_process?a=1&b=2",
                                              "ask/slowest_process?a=1&b=2",
                                              "ask/largest_group?a=1&b=1",
                                              "ask/slowest_group?a=1&b=1",
                                              "ask/largest_node?a=1&b=1",
                                              "ask/slowest_node?a=1&b=2",
                                              "ask/marks",
                                              "ask/wait",
                                              "ask/critical",
                                              "ask/critical?t0=5&t1=900000",
                                              "ask/steps?t0=5&t1=900000",
                                              "query"};

static void
drive_ask(const struct sb_profiles *all, struct sb_served *served, struct sb_sql *sql, const char *address,
          bool json)
{
    struct sb_arena a;
    struct sb_out out;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_str query = sb_str_of(address), path = sb_str_cut(&query, '?');
    sb_arena_init(&a);
    sb_out_to_memory(&out);
    struct sb_request rq = {.arena = &a,
                            .profiles = all,
                            .served = served,
                            .sql = sql,
                            .body = SB_STR("SELECT * FROM process"),
                            .deadline_ns = sb_clock_ns() + 2000000000};
    struct sb_reply *reply = SB_NEW(&a, struct sb_reply);
    const struct sb_route *route = sb_route_find(path, &rq.rest);
    sb_reply_init(reply, &a);
    if (sb_request_params(&rq, query, &e) && route->answer(&rq, reply, &e))
        (json ? sb_reply_write_json : sb_reply_write)(reply, &out);
    else
        SB_ASSERT(e.what[0]);
    sb_out_abandon(&out);
    sb_arena_close(&a);
}

static void
drive_route(const char *path, const char *scratch, const uint8_t *how)
{
    (void)scratch;
    enum { ADDRESSES = sizeof drive_addresses / sizeof *drive_addresses };
    struct sb_listed listed = {.path = path, .state = SB_SERVED_READY};
    struct sb_served served = {0};
    struct sb_profiles all = {.listed = &listed, .n = 1};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_sql *sql;
    if (!sb_served_open(&served, path, &e))
        return;
    SB_ASSERT(sb_sql_open(&sql, served.profile, sb_why_tables, &e));
    for (unsigned i = 0; i < 3; i++)
        drive_ask(&all, &served, sql, drive_addresses[(how[1] + i * (how[2] + 1u)) % ADDRESSES], how[3] % 2);
    sb_sql_close(sql);
    sb_served_close(&served);
}

/* ---- the choice ---- */

void
drive(const char *path, const char *scratch, const uint8_t how[DRIVE_BYTES])
{
    static void (*const consumer[])(const char *path, const char *scratch, const uint8_t *how) = {
        drive_info,   drive_report, drive_report, drive_report, drive_table, drive_computed, drive_export,
        drive_export, drive_export, drive_merge,  drive_route,  drive_route, drive_route,    drive_page};
    consumer[how[0] % (sizeof consumer / sizeof *consumer)](path, scratch, how);
}
