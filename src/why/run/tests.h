/*
 * Tests of a suite. ExUnit and Common Test run each test in a process of its own, EUnit in the process of its group
 * beside a group leader of its own. Names come from marks (test_marks.h), or else from a function of the test that a
 * switch showed; a place in a file is in marks of Strobe.Formatter alone.
 */
#pragma once
#include "why/run/evidence.h"

enum sb_framework { SB_FRAMEWORK_NONE, SB_FRAMEWORK_EXUNIT, SB_FRAMEWORK_CT, SB_FRAMEWORK_EUNIT };

/* Setup or cleanup of a test in another process than its own: of EUnit's groups, and on_exit of ExUnit. */
struct sb_fixture {
    int64_t process, from_ns, to_ns;
    bool is_cleanup;
};

struct sb_test {
    enum sb_framework framework;
    int64_t process;                  /* runs it */
    int64_t suite;                    /* process.id that runs the tests of its module one by one */
    bool is_setup;                    /* prepares the tests of a module */
    bool is_named;                    /* by a mark */
    struct sb_str name, module, file; /* empty: unknown */
    int64_t line;                     /* SB_NULL: unknown */
    int64_t from_ns, to_ns;
    int64_t work_ns, wait_ns, sleep_ns; /* of the process in that time; ready and unknown time are in none */
    int64_t waits_for;                  /* process.id that ended most of its waits; 0: none */
    int32_t sleeps_in;                  /* text of the function, fixtures included; 0: none */
    struct sb_str sleeps_in_text;
    struct sb_fixture *fixture;
    size_t n_fixtures;
    int64_t setup_ns,
        cleanup_ns;           /* of the fixtures; SB_NULL: not told apart from the test or the next setup */
    int64_t fixture_sleep_ns; /* in them */
    struct sb_str state;      /* passed, failed, ...; empty: unknown */
};
struct sb_tests {
    struct sb_test *at; /* by start */
    size_t n, cap;
};

void sb_tests_find(const struct sb_evidence *x, struct sb_tests *out);
/* The tests that one process runs for ExUnit are of one module, with what prepares them. */
void sb_tests_share_modules(const struct sb_evidence *x, struct sb_tests *t);
/* Finds the fixtures of all tests. test_fixtures.c */
void sb_fixtures_find(const struct sb_evidence *x, struct sb_tests *t);
/* Those of all tests of a run that were under way in a piece, with what they did there. */
void sb_tests_within(const struct sb_evidence *x, const struct sb_tests *all, struct sb_tests *out);
/* Gives the tests of a run the figures that pieces have of them: SB_NULL where no piece holds the whole test. */
void sb_tests_forget(struct sb_tests *all);
void sb_tests_learn(struct sb_tests *all, const struct sb_tests *piece, int64_t t0, int64_t t1);

/* Gives tests the names, places and outcomes of their marks: "test MODULE-NAME", with " at FILE:LINE" from
 * Strobe.Formatter, and at its end with " passed" or another outcome. test_marks.c: a mark is of the test in whose
 * process it was set, or of the case of Common Test that waits for it; those of a formatter are of the tests of one
 * module in their order, if there are as many. */
void sb_test_marks_join(const struct sb_evidence *x, struct sb_tests *tests);
