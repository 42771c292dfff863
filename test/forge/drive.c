#include "drive.h"
#include "answer/answer.h"
#include "base/progress.h"
#include "cli/frame/commands.h"
#include "export/export.h"
#include "profile/profile.h"
#include "serve/route.h"
#include "serve/serve.h"
#include "limit.h"
#include "why/why.h"
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DRIVE_ARGS = 24, DRIVE_READERS = 3 };

static void drive_counts(void);

void
drive_quietly(void)
{
    if (!freopen("/dev/null", "w", stdout))
        abort();
    stderr = fopen("/dev/null", "w");
    setenv("COLUMNS", "100", 1);
    atexit(drive_counts);
}

/* ---- a folder for files that have to have a name ---- */

static char scratch[200];

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    return remove(path);
}

static void
remove_all(const char *folder)
{
    enum { OPEN_FILES = 8 };
    nftw(folder, remove_one, OPEN_FILES, FTW_DEPTH | FTW_PHYS);
}

static void
remove_scratch(void)
{
    remove_all(scratch);
}

const char *
drive_scratch(void)
{
    if (!scratch[0]) {
        snprintf(scratch, sizeof scratch, "%s/strobe-fuzz-XXXXXX",
                 getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
        SB_ASSERT(mkdtemp(scratch));
        atexit(remove_scratch);
    }
    return scratch;
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
drive_info(const char *path, const uint8_t *how)
{
    DRIVE("info", path, "--format", how[1] % 2 ? "json" : "text");
}

static void
drive_report(const char *path, const uint8_t *how)
{
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
drive_table(const char *path, const uint8_t *how)
{
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
drive_computed(const char *path, const uint8_t *how)
{
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

/* The library of OTF2 takes milliseconds for each scheduler; what it is given does not depend on their number. It takes
 * one in sixteen of the inputs that the other formats take. */
static bool
drive_is_slow(const char *path, const struct sb_exporter *x, const uint8_t *how)
{
    struct sb_profile *p;
    struct sb_err e;
    if (!x->write_folder || how[3] % 16 > 0 || !sb_profile_open(&p, path, &e))
        return x->write_folder != NULL;
    bool slow = sb_profile_rows(p, SB_T_scheduler) > 64;
    sb_profile_close(p);
    return slow;
}

static void
drive_export(const char *path, const uint8_t *how)
{
    const struct sb_exporter *x = sb_exporters[how[1] % sb_n_exporters];
    if (drive_is_slow(path, x, how))
        x = sb_exporters[how[2] % (sb_n_exporters - 1)];
    struct sb_str all = sb_str_of(x->what), one = {0};
    char folder[300], what[40], limit[40];
    for (unsigned i = 0; all.n > 0 && i <= how[2] % 4; i++)
        one = sb_str_cut(&all, ' ');
    snprintf(what, sizeof what, "--what=%.*s", SB_STR_ARG(one));
    snprintf(limit, sizeof limit,
             how[3] % 3 == 1   ? "--since=2us"
             : how[3] % 3 == 2 ? "--process=2"
                               : "--until=1h");
    snprintf(folder, sizeof folder, "%s/export", drive_scratch());
    const char *out = x->write_folder ? folder : "/dev/null";
    if (x->per_table)
        DRIVE("export", path, "--to", x->name, "-o", out, "--table", sb_schema[how[2] % SB_TABLES].name);
    else if (one.n > 0)
        DRIVE("export", path, "--to", x->name, "-o", out, what, limit);
    else
        DRIVE("export", path, "--to", x->name, "-o", out, limit);
    if (x->write_folder)
        remove_all(folder);
}

static void
drive_merge(const char *path, const uint8_t *how)
{
    char out[300], good[300];
    snprintf(out, sizeof out, "%s/merged.sbp", drive_scratch());
    snprintf(good, sizeof good, "%s/good.sbp", drive_scratch());
    if (how[1] % 2)
        DRIVE("merge", path, good, "-o", out);
    else
        DRIVE("merge", path, "-o", out);
    DRIVE("info", out);
    unlink(out);
}

static void
drive_page(const char *path, const uint8_t *how)
{
    struct sb_out out;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sb_out_to_memory(&out);
    sb_serve_report(path, how[0] % 2 ? path : NULL, &out, &e);
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
                                              "calls?of=cpu&n=50",
                                              "calls?of=cpu&mode=callers&f=m:f/1&n=50&p=1",
                                              "call_graph?of=cpu&t0=5&t1=9000",
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
    a = (struct sb_arena){0};
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
drive_route(const char *path, const uint8_t *how)
{
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

/* The weights are shares of 256, such that merges, which take 30 ms, and pages, which take 5, leave time for others. */
static struct {
    const char *name;
    void (*read)(const char *path, const uint8_t *how);
    unsigned weight;
    uint64_t n;
} consumers[] = {
    {"merge", drive_merge, 2, 0},    {"one-file report", drive_page, 8, 0},
    {"info", drive_info, 6, 0},      {"report", drive_report, 60, 0},
    {"tables", drive_table, 30, 0},  {"computed tables", drive_computed, 40, 0},
    {"export", drive_export, 50, 0}, {"routes", drive_route, 60, 0},
};
enum { CONSUMERS = sizeof consumers / sizeof *consumers };

/* How often each has read, for whoever wants to know how much was tried. */
static void
drive_counts(void)
{
    for (unsigned i = 0; i < CONSUMERS; i++)
        dprintf(STDERR_FILENO, "read: %s %llu\n", consumers[i].name, (unsigned long long)consumers[i].n);
}

void
drive(const char *path, const uint8_t how[DRIVE_BYTES])
{
    unsigned i = 0,
             below = (how[0] * 97u + how[1] * 61u + how[2] * 31u) % 256; /* mutations prefer small numbers */
    while (below >= consumers[i].weight)
        below -= consumers[i++].weight;
    consumers[i].n++;
    limit_from_now();
    consumers[i].read(path, how);
}

void
drive_several(const char *path, const uint8_t how[DRIVE_BYTES])
{
    enum { STEP = 101 };
    for (unsigned k = 0; k < DRIVE_READERS; k++)
        drive(path, (const uint8_t[DRIVE_BYTES]){(uint8_t)(how[0] + STEP * k), (uint8_t)(how[1] + 3 * k),
                                                 (uint8_t)(how[2] + k), how[3]});
}
