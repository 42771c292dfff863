/* What tests of the engine share: asking a profile, and what must hold of any. */
#pragma once
#include "profile/sql/sql.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct sb_profile *profile;
static struct sb_sql *sql;
static struct sb_arena arena;

static inline struct sb_table
ask(const char *statement)
{
    struct sb_table t;
    struct sb_err e = {0};
    struct sb_sql_limits none = {0};
    if (!sb_sql_ask(sql, sb_str_of(statement), NULL, 0, &none, &arena, &t, &e))
        fail_msg("%s: %s", statement, e.what);
    return t;
}

static inline void
open_profile(const char *path)
{
    struct sb_err e = {0};
    arena = (struct sb_arena){0};
    if (!sb_profile_open(&profile, path, &e) || !sb_sql_open(&sql, profile, NULL, &e))
        fail_msg("%s", e.what);
}

static inline void
close_profile(void)
{
    sb_sql_close(sql);
    sb_profile_close(profile);
    sb_arena_close(&arena);
}

static inline void
same(const char *what, unsigned p, int64_t got, int64_t want, uint64_t run)
{
    if (got != want)
        fail_msg("trace %llu, process %u, %s: %lld, reference says %lld", (unsigned long long)run, p, what,
                 (long long)got, (long long)want);
}

static inline int64_t
one(const char *statement)
{
    struct sb_table t = ask(statement);
    assert_int_equal(t.n_rows, 1);
    return t.cell[0].i == SB_NULL ? 0 : t.cell[0].i;
}

/* What must hold of any profile. */
static inline void
check_laws(uint64_t run)
{
    same("life", 0,
         one("select count(*) from process where run_ns + runnable_ns + wait_ns + dirty_ns + handover_ns + "
             "unknown_ns !="
             " coalesce(end, (select max(value + 0) from meta where key = 'span_ns')) - coalesce(start, 0)"),
         0, run);
    same("slices of schedulers", 0, one("select sum(slice_ns) from scheduler"),
         one("select sum(run_ns + dirty_ns) from process"), run);
    same("slices", 0, one("select sum(dur) from slice"), one("select sum(run_ns + dirty_ns) from process"),
         run);
    same("sends arrive or not", 0, one("select count(sent) from message"),
         one("select sum(count) from message_edge"), run);
    same("receives", 0, one("select count(received) from message"), one("select sum(receives) from process"),
         run);
    same("states", 0, one("select sum(wait_ns + runnable_ns + handover_ns) from gap"),
         one("select sum(wait_ns + runnable_ns + handover_ns) from process"), run);
    same("levels", 0,
         one("select count(*) from (select level, sum(running_ns + gc_ns + dirty_ns) r, sum(runnable_ns) q,"
             " sum(waiting_ns) w, sum(handover_ns) h, sum(dirty_gc_ns) d from pyramid where track = 1 group "
             "by level) where"
             " r != (select sum(run_ns + dirty_ns) from process) or q != (select sum(runnable_ns) from "
             "process)"
             " or w != (select sum(wait_ns) from process) or h != (select sum(handover_ns) from process)"
             " or d != (select sum(dirty_gc_ns) from process)"),
         0, run);
    same(
        "states of state", 0,
        one("select count(*) from process p left join (select process, sum(dur) d from state"
            " group by process) s on s.process = p.id where coalesce(d, 0) > run_ns + runnable_ns + wait_ns +"
            " dirty_ns + handover_ns + unknown_ns"),
        0, run);
    same("handover by state", 0, one("select sum(dur) from state where state = 'handover'"),
         one("select sum(handover_ns) from process"), run);
    same(
        "on schedulers by state", 0,
        one("select sum(dur) from state where state in ('running', 'gc', 'dirty') and scheduler is not null"),
        one("select sum(run_ns + dirty_ns) from process"), run);
    same("bounds", 0,
         one("select count(*) from gap where not (low_ns <= runnable_ns and runnable_ns <= high_ns)"), 0,
         run);
    same("groups", 0, one("select sum(run_ns) from process_group"), one("select sum(run_ns) from process"),
         run);
}
