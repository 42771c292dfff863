/*
 * Findings: what holds the program back, where, what curing it gains, and how. A rule is a file in src/why/rules and
 * a row in rules.def. A gain that a rule states is a bound: the time in question, never more than the schedulers could
 * make up for; SB_NULL where it is unknown. Where a replay can express the cure it replaces the bound (simulate.h).
 */
#ifndef SB_WHY_FINDING_H
#define SB_WHY_FINDING_H
#include "why/awaits.h"

struct sb_why;
enum { SB_MATERIAL = 20 /* a finding gains at least a twentieth of the program's part */ };

struct sb_rule {
    const char *name;            /* public: the column `rule` of table finding */
    const char *looks_for;       /* one sentence */
    const char *erlang, *elixir; /* how to cure it */
    bool serializes;  /* the fault keeps schedulers from working, so that more of them would not help */
    bool needs_all;   /* it states that nothing else was at work: not known if processes were left out */
    bool about_run;   /* it describes the run, and is no fault of the program */
    bool about_times; /* it distorts all times of the run, so it is stated beside other findings */
    void (*find)(struct sb_why *w);
};

struct sb_finding {
    const struct sb_rule *rule;
    int64_t process, with; /* processes that it is about; 0: none */
    struct sb_str subject, title, evidence;
    int64_t low_ns, gain_ns, high_ns; /* SB_NULL: unknown */
    const char *confidence;           /* high, medium, low */
    /* The cure, where a replay can express it; 0: it cannot. */
    uint32_t split; /* so many processes share the requests of `process` */
    bool spread;    /* the work of `process` is spread over all schedulers */
    bool is_simulated;
    const struct sb_rule *beside; /* a rule whose finding about the process is about other time; NULL: none */
    struct sb_str
        bound; /* end of the title that names the time which bounds the gain; not used if simulated */
};

struct sb_why {
    struct sb_evidence x;
    struct sb_awaits awaits;
    struct sb_arena *arena;
    int64_t left_out; /* processes that were not recorded: what they did to the schedulers is unknown */
    const struct sb_rule *rule; /* that runs */
    struct {
        struct sb_finding *at;
        size_t n, cap;
    } found;
};

extern const struct sb_rule *const sb_rules[];
extern const size_t sb_n_rules;

/* Runs all rules. Returns false if the profile has no data for them. */
bool sb_why_find(const struct sb_profile *p, struct sb_arena *a, struct sb_why *w);
/* Puts the findings in order of their gains; those of unknown gain follow. */
void sb_why_rank(struct sb_why *w);
void sb_why_close(struct sb_why *w);

/* ---- for rules ---- */

/* Adds a finding of the rule that runs, if its gain is material or unknown, and if no earlier rule explains most of
 * it by the same process. Bounds are put in order. */
void sb_why_put(struct sb_why *w, struct sb_finding f);
/* True if an earlier rule has a finding about this process. Rules stand from the special to the general. */
bool sb_why_has(const struct sb_why *w, int64_t process);
/* The same for rules other than one; NULL: all count. */
bool sb_why_has_beside(const struct sb_why *w, int64_t process, const struct sb_rule *but);
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
struct sb_str sb_why_serial_words(const struct sb_why *w, int64_t busy_ns, int64_t spare_ns);
bool sb_why_is_material(const struct sb_why *w, int64_t ns);
struct sb_str sb_why_who(const struct sb_why *w, int64_t process); /* name and pid */
struct sb_str sb_why_text(const struct sb_why *w, int32_t text);   /* function, as its source writes it */
struct sb_str sb_why_ns(const struct sb_why *w, int64_t ns);       /* for people */
struct sb_str sb_why_bytes(const struct sb_why *w, int64_t bytes);
struct sb_str sb_why_count(const struct sb_why *w, int64_t n);
struct sb_str sb_why_printf(const struct sb_why *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static inline int64_t
sb_least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
/* Percent, rounded; 0 if the whole is. */
static inline int
sb_percent(int64_t part, int64_t whole)
{
    return whole > 0 ? (int)(100 * (double)part / (double)whole + 0.5) : 0;
}

#endif
