/* A trace that is analysed while it is being written gives the same profile, byte for byte, as one analysis of the
 * whole: of random traces and of those of the golden tests, fed in random pieces. Each profile on the way has the rows
 * of one analysis of the events that it knows. */
#include "drain_text.h"
#include "engine_analyze.h"
#include "engine_profile.h"
#include "engine/growth.h"
#include <glob.h>

static char part[128], whole[128], last[128], edition[128], growing[128], known[128], known_profile[128];

/* Of each kind: an edition costs as much as several analyses. */
#if SB_UNDER_TSAN || SB_UNDER_ASAN
enum { TRACES = 4, SOME = 2 };
#else
enum { TRACES = 10, SOME = 5 };
#endif
static unsigned editions, broken, complete, chances;

/* ---- what an edition has to hold: the rows of one analysis of the events before its end */

static struct lines lines; /* of the trace; none: it is not compared */

static struct sb_str
rows_of(const char *table)
{
    char statement[128];
    struct sb_out out;
    snprintf(statement, sizeof statement, "select * from %s%s", table,
             strcmp(table, "event") == 0 ? " where kind != 'waits'" : "");
    struct sb_table t = ask(statement);
    sb_out_to_memory(&out);
    sb_table_write(&t, SB_FORMAT_CSV, &out);
    return (struct sb_str){(char *)out.buf, out.n};
}

/* The lines are spread over time as the trace was. An event that states nothing makes the time as long. */
static void
write_known(int64_t until, int64_t end)
{
    FILE *f = fopen(known, "w");
    assert_non_null(f);
    int64_t first = INT64_MAX, latest = INT64_MIN;
    for (size_t i = 0; i < lines.n; i++) {
        int64_t at = strtoll(lines.at[i], NULL, 10);
        if (lines.at[i][0] == '@' || strstr(lines.at[i], " waits "))
            continue;
        first = at < first ? at : first;
        latest = at > latest ? at : latest;
    }
    for (size_t i = 0; i < lines.n; i++) {
        char *rest;
        int64_t own = strtoll(lines.at[i], &rest, 10),
                at = stretched(own > first ? own : first, first, latest);
        if (lines.at[i][0] == '@')
            fprintf(f, "%s\n", lines.at[i]);
        else if (at < until)
            fprintf(f, "%lld%s\n", (long long)at, rest);
    }
    fprintf(f, "%lld - - sample item=the_end key=\"\" value=0\n", (long long)end);
    fclose(f);
}

static struct sb_str
line_at(struct sb_str s, size_t at)
{
    size_t from = at < s.n ? at : s.n, to = from;
    while (from > 0 && s.p[from - 1] != '\n')
        from--;
    while (to < s.n && s.p[to] != '\n')
        to++;
    return (struct sb_str){s.p + from, to - from};
}

static void
same_rows(const char *table, int64_t until, struct sb_str got, struct sb_str want)
{
    size_t at = 0;
    while (at < got.n && at < want.n && got.p[at] == want.p[at])
        at++;
    struct sb_str a = line_at(got, at), b = line_at(want, at);
    if (at < got.n || at < want.n)
        fail_msg("%s of a trace that is known until %lld:\n%.*s\nits analysis:\n%.*s", table,
                 (long long)until, (int)a.n, a.p, (int)b.n, b.p);
}

static void
compare(void)
{
    static const char *const tables[] = {"process", "slice", "gap",       "gc",           "state",     "wait",
                                         "message", "event", "scheduler", "message_edge", "activation"};
    enum { TABLES = sizeof tables / sizeof *tables };
    struct sb_str rows[TABLES];
    const char *path = known;
    int64_t until = one("select value + 0 from meta where key = 'known_until_ns'"),
            end = one("select sum(value) from meta where key in ('t0_ns', 'span_ns')");
    for (size_t i = 0; i < TABLES; i++)
        rows[i] = rows_of(tables[i]);
    close_profile();
    write_known(until, end);
    analyze(&path, 1, known_profile, 1);
    open_profile(known_profile);
    for (size_t i = 0; i < TABLES; i++) {
        struct sb_str want = rows_of(tables[i]);
        same_rows(tables[i], until, rows[i], want);
        free((char *)rows[i].p);
        free((char *)want.p);
    }
    check_laws((uint64_t)until);
}

/* ---- feeding it */

static void
make_edition(struct sb_growth *g)
{
    struct sb_err e = {0};
    int64_t cpu_ns = 0;
    if (!sb_growth_edition(g, edition, &cpu_ns, &e))
        fail_msg("%s", e.what);
    open_profile(edition);
    assert_true(sb_profile_check(profile, &e));
    assert_int_equal(one("select count(*) from meta where key = 'unfinished'"), 1);
    if (lines.n > 0)
        compare();
    close_profile();
    unlink(edition);
    editions++;
}

static enum sb_grown
step(struct sb_growth *g, bool with_editions)
{
    struct sb_err e = {0};
    enum sb_grown how;
    do
        how = sb_growth_step(g, &e);
    while (how == SB_GROWN_SOME);
    if (how == SB_GROWN_FAILED)
        fail_msg("%s", e.what);
    if (with_editions && how == SB_GROWN_ALL && sb_growth_has_more(g) && chances++ % 4 == 0)
        make_edition(g);
    return how;
}

/* Returns how it was when all was fed. */
static enum sb_grown
feed(struct sb_growth *g, const struct sb_file *f, bool with_editions)
{
    FILE *to = fopen(part, "w");
    enum sb_grown how = SB_GROWN_NOT_YET;
    assert_non_null(to);
    uint64_t most = f->n / (1 + dice(12)) + 1;
    for (uint64_t at = 0, n; at < f->n; at += n) {
        n = 1 + dice((unsigned)most);
        n = n < f->n - at ? n : f->n - at;
        assert_int_equal(fwrite(f->p + at, 1, n, to), n);
        fflush(to);
        if (at + n >= sizeof(struct sb_sbt_head))
            how = step(g, with_editions);
    }
    fclose(to);
    return how;
}

static void
grow(unsigned threads, bool with_editions)
{
    const char *trace = sbt;
    struct sb_engine_options o;
    struct sb_err e = {0};
    struct sb_file f;
    sb_engine_defaults(&o);
    o.threads = threads;
    o.trace = "the same";
    if (!sb_engine_analyze(&trace, 1, whole, &o, NULL, &e))
        fail_msg("%s", e.what);
    assert_true(sb_file_open(&f, sbt, &e));
    struct sb_growth *g = sb_growth_open(part, growing, &o);
    enum sb_grown how = feed(g, &f, with_editions);
    broken += how == SB_GROWN_BROKEN;
    if (how == SB_GROWN_WHOLE) {
        if (!sb_growth_finish(g, last, "the same", &e))
            fail_msg("%s", e.what);
        same_bytes(whole, last);
        complete++;
    } else
        assert_int_equal(how, SB_GROWN_BROKEN);
    sb_growth_close(g);
    sb_file_close(&f);
}

static void
cut_out(char *line, const char *field)
{
    char *from = strstr(line, field);
    if (from)
        memmove(from, from + 1 + strcspn(from + 1, " "), strlen(from + 1 + strcspn(from + 1, " ")) + 1);
}

/* The same trace with what a node states of itself, and without what the tracer does not record: bytes of messages in
 * the external format, and the size of those received. The writer knows one exit reason. */
static struct lines
with_facts(struct lines l)
{
    static const char *const facts[] = {
        "@meta node=n@h schedulers=3 recorded=procs,running,messages,gc,calls",
        "1000 - - waits mfa=m:f0/0 kind=3", "1000 - - waits mfa=m:f1/0 kind=2",
        "1000 - - waits mfa=m:f2/0 kind=1", "1000 - - waits mfa=m:f3/0 kind=4"};
    enum { FACTS = sizeof facts / sizeof *facts };
    struct lines to = {calloc(FACTS + l.n, sizeof *to.at), FACTS + l.n};
    for (size_t i = 0; i < FACTS; i++)
        snprintf(to.at[i], sizeof *to.at, "%s", facts[i]);
    for (size_t i = 0; i < l.n; i++) {
        char *reason = strstr(l.at[i], "reason=");
        if (reason)
            strcpy(reason, "reason=abc");
        cut_out(l.at[i], " ext=");
        if (strstr(l.at[i], " receive "))
            cut_out(l.at[i], " words=");
        memcpy(to.at[FACTS + i], l.at[i], sizeof *to.at);
    }
    free(l.at);
    return to;
}

static void
random_traces(void **state)
{
    (void)state;
    editions = broken = complete = chances = 0;
    for (unsigned i = 1; i <= TRACES; i++) {
        seed = i;
        struct lines l = with_facts(make_trace(50 + dice(MOST / 4), i % 3 * 10, 0, 0));
        write_lines(text, &l, 0, l.n);
        convert(false, false);
        if (i % 2 == 0)
            lines = l;
        grow(i % 2 == 0 ? 1 : 1 + i % 3, i % 2 == 0);
        lines = (struct lines){0};
        free(l.at);
    }
    assert_int_equal(broken, 0);
    assert_int_equal(complete, TRACES);
    assert_true(editions > 0);
}

/* A process that collects again and again; each line is the start of a second or more. */
static const char *const collecting[] = {
    "@meta node=n@h schedulers=2 recorded=procs,running,gc",
    "1000 - - waits mfa=m:f/0 kind=1",
    "1000 <0.10.0> s1 spawned parent=<0.9.0> mfa=m:s/0",
    "1010 <0.10.0> s1 in mfa=m:f/0",
    "1020 <0.11.0> s2 gc_minor_start heap=9",
    "1030 <0.10.0> s1 gc_minor_start heap=9",
    "1040 <0.11.0> s2 gc_minor_end heap=5",
    "1050 <0.10.0> s1 gc_minor_end heap=5",
    "1060 <0.10.0> s1 gc_major_start heap=9",
    "1070 <0.11.0> s2 out mfa=m:f/0",
    "1080 <0.10.0> s1 gc_major_end heap=5",
    "1090 <0.10.0> s1 out mfa=m:f/0",
    "1100 <0.11.0> s2 in mfa=m:f/0",
    "1110 <0.10.0> d1 in mfa=m:f/0",
    "1120 <0.11.0> s2 gc_minor_start heap=9",
    "1130 <0.10.0> d1 gc_major_start heap=9",
    "1140 <0.11.0> s2 gc_minor_end heap=5",
    "1150 <0.10.0> d1 gc_major_end heap=5",
    "1160 <0.11.0> s2 exit reason=abc",
    "1170 <0.10.0> d1 out mfa=m:f/0",
    "1180 <0.10.0> s1 in mfa=m:f/0",
    "1190 <0.10.0> s1 gc_minor_start heap=9",
    "1200 <0.12.0> s2 in mfa=m:f/0",
    "1210 <0.10.0> s1 gc_minor_end heap=5",
    "1220 <0.10.0> s1 gc_minor_start heap=9",
};

static void
cut_in_collections(void **state)
{
    (void)state;
    enum { LINES = sizeof collecting / sizeof *collecting };
    char at[LINES][96];
    editions = broken = chances = 0;
    for (size_t i = 0; i < LINES; i++)
        snprintf(at[i], sizeof at[i], "%s", collecting[i]);
    lines = (struct lines){at, LINES};
    write_lines(text, &lines, 0, lines.n);
    for (unsigned i = 1; i <= SOME; i++) {
        seed = i;
        assert_true(convert(false, false));
        grow(1, true);
    }
    lines = (struct lines){0};
    assert_int_equal(broken, 0);
    assert_true(editions > 0);
}

/* A trace that shows its losses late starts over. */
static void
traces_with_losses(void **state)
{
    (void)state;
    broken = complete = 0;
    for (unsigned i = 1; i <= SOME; i++) {
        seed = 1000 + i;
        struct lines l = make_trace(50 + dice(MOST / 4), 0, 20, 0);
        write_lines(text, &l, 0, l.n);
        free(l.at);
        convert(true, false);
        grow(1, true);
    }
    assert_int_equal(broken, 0);
    assert_true(complete > 0);
}

/* A drain of an earlier version states which functions wait at the end: editions appear before it, and the analysis
 * starts over once it is known. */
static void
functions_stated_late(void **state)
{
    (void)state;
    editions = broken = complete = chances = 0;
    for (unsigned i = 1; i <= SOME; i++) {
        seed = 2000 + i;
        struct lines l = with_facts(make_trace(50 + dice(MOST / 4), 10, 0, 0));
        write_lines(text, &l, 0, l.n);
        free(l.at);
        assert_true(convert(false, true));
        grow(1, true);
    }
    assert_int_equal(broken, 0);
    assert_int_equal(complete, SOME);
    assert_true(editions > 0);
}

/* ---- the traces of the golden tests */

static bool
take_trace(const char *golden)
{
    FILE *from = fopen(golden, "r"), *to = fopen(text, "w");
    char line[4096];
    bool inside = false, any = false;
    assert_true(from && to);
    while (fgets(line, sizeof line, from)) {
        bool head = strncmp(line, "--- ", 4) == 0;
        if (head && any)
            break;
        inside = head ? strcmp(line, "--- trace\n") == 0 : inside;
        if (!head && inside) {
            fputs(line, to);
            any = true;
        }
    }
    fclose(from);
    fclose(to);
    return any;
}

static void
golden_traces(void **state)
{
    (void)state;
    glob_t g;
    broken = complete = 0;
    assert_int_equal(glob("test/golden/*/*.t", 0, NULL, &g), 0);
    for (size_t i = 0; i < g.gl_pathc; i++) {
        seed = i + 1;
        if (!take_trace(g.gl_pathv[i]) || !convert(false, false))
            continue;
        grow(1 + (unsigned)i % 2, i % 2 == 0);
    }
    globfree(&g);
    assert_int_equal(broken, 0);
    assert_true(complete > 50);
}

static const struct {
    char *path;
    const char *name;
} files[] = {{text, "r.txt"},          {sbt, "r.sbt"},       {part, "part.sbt"},
             {whole, "whole.sbp"},     {last, "last.sbp"},   {edition, "edition.sbp"},
             {growing, "growing.sbp"}, {known, "known.txt"}, {known_profile, "known.sbp"}};

static int
set_up(void **state)
{
    if (make_dir(state) != 0)
        return -1;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        snprintf(files[i].path, sizeof text, "%s", in_dir(files[i].name));
    return 0;
}

static int
tear_down(void **state)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlink(files[i].path);
    return remove_dir(state);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cut_in_collections), cmocka_unit_test(random_traces),
                                       cmocka_unit_test(traces_with_losses),
                                       cmocka_unit_test(functions_stated_late),
                                       cmocka_unit_test(golden_traces)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
