#include "answer/answer.h"

static const struct sb_column columns[] = {
    {"test", SB_TEXT, SB_U_NONE, "name, or the process that ran it where the trace does not show the name"},
    {"module", SB_TEXT, SB_U_NONE, ""},
    {"place", SB_TEXT, SB_U_NONE, "file and line, from a mark of Strobe.Formatter"},
    {"dur", SB_INT, SB_U_NS, "its setup included, where that runs in the process of the test"},
    {"work_ns", SB_INT, SB_U_NS, "on a scheduler"},
    {"wait_ns", SB_INT, SB_U_NS, "waiting for a message, a port or the end of a process"},
    {"waits_for", SB_TEXT, SB_U_NONE, "process that ended most of that"},
    {"sleep_ns", SB_INT, SB_U_NS, "waiting until a timeout elapsed"},
    {"setup_ns", SB_INT, SB_U_NS,
     "what its group of EUnit did since the test before, cleanup after that included"},
    {"teardown_ns", SB_INT, SB_U_NS, "on_exit of ExUnit, or what its group of EUnit did after its last test"},
    {"fixture_sleep_ns", SB_INT, SB_U_NS, "waiting in these two until a timeout elapsed"},
    {"sleeps_in", SB_TEXT, SB_U_NONE, "function of most of the time that it slept"},
    {"state", SB_TEXT, SB_U_NONE, "passed, failed, skipped or invalid, from a mark"},
    {"start", SB_INT, SB_U_AT_NS, ""},
    {SB_OF(process, pid)},
    {SB_OF(process, id)},
    {0},
};

const struct sb_answer sb_answer_tests = {
    .name = "tests",
    .title = "Tests",
    .ordered = "by length",
    .doc =
        "Tests of ExUnit, Common Test and EUnit: what each did in its time. Names, files and lines come from "
        "marks, which strobe record has the frameworks set, or else from functions that a switch showed.",
    .model = SB_MODEL_FINDINGS,
    .none = "no process of ExUnit, Common Test or EUnit was seen to run a test",
    .needs = "--trace procs,running,messages",
    .limit = 20,
    .sql = "SELECT coalesce(name, pid(process)) AS test, module, file || ':' || line AS place, dur, work_ns, "
           "wait_ns, who(waits_for) AS waits_for, sleep_ns, setup_ns, teardown_ns, fixture_sleep_ns, "
           "sleeps_in, state, start, pid(process) AS pid, "
           "process AS id FROM test WHERE " SB_SPAN_IN_RANGE " AND {among:process}",
    .order = "dur",
    .column = columns,
    .narrow = "test,dur,work_ns,wait_ns,sleep_ns,setup_ns,teardown_ns,fixture_sleep_ns",
    .hide = "id",
};
