/*
 * Findings: what holds the program back, where, what curing it gains, and how. A rule is a file in src/why/rules and
 * a row in rules.def. A gain that a rule states is a bound: the time in question, never more than the schedulers could
 * make up for; SB_NULL where it is unknown. Where a replay can express the cure it replaces the bound (simulate.h).
 */
#pragma once
#include "why/run/bounded.h"
#include "why/run/families.h"
#include "why/run/server.h"
#include "why/run/sockets.h"
#include "why/run/tests.h"
#include "why/run/vm_work.h"
#include "why/program/words.h"

struct sb_why;
enum { SB_MATERIAL = 20 /* a finding gains at least a twentieth of the program's part */ };

struct sb_rule {
    const char *name;            /* public: the column `rule` of table finding */
    const char *looks_for;       /* one sentence */
    const char *erlang, *elixir; /* how to cure it; elixir NULL: the same */
    bool serializes;  /* the fault keeps schedulers from working, so that more of them would not help */
    bool needs_all;   /* it states that nothing else was at work: not known if processes were left out */
    bool about_run;   /* it describes the run, and is no fault of the program */
    bool about_times; /* it says what all times of the run depend on, so it is stated beside other findings */
    bool of_work;     /* its gain is time at work */
    bool of_run;      /* its figures are of the whole run, also where it looks at a piece */
    bool of_requests; /* a cure lets the process answer its callers sooner */
    void (*find)(struct sb_why *w);
};
/* The cure of findings of a rule that need another one; such cures follow the rule's descriptor. */
struct sb_cure {
    const char *where;           /* completes "Cure in Erlang where ..." of FINDINGS.md */
    const char *erlang, *elixir; /* elixir NULL: the same */
};
/* Begins the descriptor of a rule, whose function `find` comes last in its file. */
#define SB_RULE(name) \
    static void find(struct sb_why *w); \
    const struct sb_rule sb_rule_##name

struct sb_finding {
    const struct sb_rule *rule;
    int64_t process, with; /* processes that it is about; 0: none */
    const char *subject;   /* NULL: the process */
    const char *title, *evidence;
    struct sb_bounded gain;
    int64_t
        call_ns; /* 99th percentile of the calls to `process`: of 99 in 100 no cure saves more; SB_NULL: none */
    bool of_few_calls;      /* which percentiles do not show: call_ns stays unknown */
    const char *confidence; /* high, medium, low */
    /* The cure, where a replay can express it; 0: it cannot. */
    uint32_t split; /* so many processes share the requests of `process` */
    bool spread;    /* the work of `process` is spread over all schedulers */
    int64_t faster; /* text of a function that is made twice as fast: the title tells what that saves */
    bool is_simulated;
    bool in_cpu;                  /* the gain is CPU time, since other programs took cores */
    const struct sb_rule *beside; /* a rule whose finding about the process is about other time; NULL: none */
    const struct sb_cure *cure;   /* NULL: that of the rule */
    const char *bound; /* end of the title that names the time which bounds the gain; not used if simulated */
};

struct sb_why {
    struct sb_evidence x;
    struct sb_awaits awaits;
    struct sb_servers servers;
    struct sb_tests tests;
    struct sb_vm_samples vm; /* of the part that the evidence covers, or of the whole run */
    struct sb_families families;
    struct sb_arena *arena;
    bool elixir;      /* all names are written as Elixir does */
    bool is_build;    /* a tool of the command line had most of the work done by compilers */
    int64_t left_out; /* processes that were not recorded: what they did to the schedulers is unknown */
    const struct sb_rule *rule; /* that runs */
    struct sb_sockets sockets;
    SB_VEC(struct sb_finding) found;
};

/* ---- for rules: texts live as long as the arena ---- */

/* Adds a finding of the rule that runs, if its gain is material or unknown, and if no earlier rule explains most of
 * it by the same process. Its title is printed; {process} and {with} in the evidence become their ids. Bounds are put
 * in order. */
void sb_why_put(struct sb_why *w, struct sb_finding f, const char *title, ...)
    __attribute__((format(printf, 3, 4)));
/* The same for a finding that is complete, whatever rule it is of. */
void sb_why_keep(struct sb_why *w, struct sb_finding f);
/* Adds a finding if processes waited for services of OTP of that kind in `fewest` requests; 0: 50. service.c */
void sb_service_put(struct sb_why *w, enum sb_service kind, int64_t fewest, const struct sb_cure *cure);
/* True if an earlier rule has a finding about this process. Rules stand from the special to the general. */
bool sb_why_has(const struct sb_why *w, int64_t process);
/* The same for rules other than one; NULL: all count. */
bool sb_why_has_beside(const struct sb_why *w, int64_t process, const struct sb_rule *but);
/* True if a finding, of that rule or of any (NULL), is about this process or one that was started like it. */
bool sb_why_has_alike(const struct sb_why *w, int64_t process, const struct sb_rule *rule);
/* True if a test framework started it: tests are not parts of one work, though they are started alike. */
bool sb_why_is_test(const struct sb_why *w, int64_t process);
/* True if no other process was started like it, which would go on while this one waits. */
bool sb_why_is_alone(const struct sb_why *w, int64_t process);
/* True if it waited for a connection that it accepts. */
bool sb_why_accepts(const struct sb_why *w, int64_t process);
/* "\"pays\" of shop_tests (test/shop_tests.erl:12)" */
const char *sb_why_test_name(const struct sb_why *w, const struct sb_test *t);
/* True if it compiles a file, or a module of one. */
bool sb_why_is_compiler(const struct sb_why *w, int64_t process);
/* True if the tool of a build runs in it, and no function of the program. */
bool sb_why_is_tool(const struct sb_why *w, int64_t process);
/* The time above what the schedulers need for the work: no cure of waiting gains more. */
int64_t sb_why_headroom(const struct sb_why *w);
/* Returns the gain if the work of `ns` is spread over all schedulers. */
int64_t sb_why_spread(const struct sb_why *w, int64_t ns);
/* Returns the gain if the work of one process, `busy_ns`, is spread over all schedulers. `spare_ns` is the time that
 * the trace shows free beside it; if other programs took cores, the work itself sets the bound. */
int64_t sb_why_serial_gain(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns);
/* The upper bound of that gain. If the process has less work than each scheduler, only the time that was free counts:
 * where other programs take cores, the length of the run is no measure. */
int64_t sb_why_serial_most(const struct sb_why *w, int64_t busy_ns);
/* The end of a sentence about that work: the time that this gain comes from. */
const char *sb_why_serial_words(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns);
/* True if other programs, or a CPU limit, took a fifth of the cores or more. */
bool sb_why_lost_cores(const struct sb_why *w);
bool sb_why_is_material(const struct sb_why *w, int64_t ns);
/* How many of something make a finding, where a run must have `n`: in one of its pieces fewer do. */
static inline int64_t
sb_why_fewest(const struct sb_why *w, int64_t n)
{
    int64_t part = n / SB_PIECES > 10 ? n / SB_PIECES : 10;
    return w->x.is_cut ? sb_least(n, part) : n;
}
const char *sb_why_who(const struct sb_why *w, int64_t process);   /* name and pid */
const char *sb_why_text(const struct sb_why *w, int32_t text);     /* function, as its source writes it */
const char *sb_why_function(const struct sb_why *w, int64_t text); /* the same with the place of its source */
/* " (called by Worker.dedupe/2)": the function of the program behind one of OTP or Elixir; empty: unknown. */
const char *sb_why_called_by(const struct sb_why *w, int64_t function);
/* The end of a sentence: who made the VM do it, as far as samples tell. */
const char *sb_why_caller(const struct sb_why *w, const struct sb_vm_caller *c);
/* The end of a sentence: that most of the work of a process was on dirty schedulers, and in which function. */
const char *sb_why_dirty(const struct sb_why *w, int64_t process);
/* "; Export.csv/2 took 74 % of the CPU time of that process": by samples, with what the VM did for it, or else one of
 * the program with what it called, which tests prefer. `*function`: its text, 0 if none stands out; NULL: not wanted.
 * `id` 0: of all processes. */
const char *sb_why_hot(const struct sb_why *w, int64_t id, bool is_test, int64_t *function);
/* The part of the work that some of its samples stand for. */
int64_t sb_why_vm_ns(const struct sb_why *w, uint64_t samples, uint64_t all);
/* Percent, rounded; 0 if the whole is. */
static inline int
sb_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? (int)(100 * (double)part / (double)whole + 0.5) : 0;
}
