#include "why/account/critical.h"
#include "why/find/finding.h"

extern const struct sb_rule sb_rule_polling;

SB_RULE(timers) = {
    .name = "timers",
    .looks_for = "timers that set the length of the run: it waited for them more than half of the time",
    .erlang = "if each step waits for a tick, go on with a message of what the step waits for, or with a "
              "shorter interval; a program that lets time pass on purpose has nothing to gain",
    .needs_all = true,
    .about_run = true,
    .about_times = true,
    .find = find,
};

/* Of a process, in one function, on the critical path. */
struct waits {
    int64_t process, function, steps, ns;
    bool is_message; /* of no process of the trace: a timer's, or one from outside of the node */
};
typedef SB_VEC(struct waits) all_waits;

static int64_t
within(const struct sb_why *w, const struct sb_critical_step *s)
{
    int64_t from = s->start > w->x.t0 ? s->start : w->x.t0, to = sb_least(s->start + s->dur, w->x.t1);
    return to > from ? to - from : 0;
}

static void
add(all_waits *v, const struct sb_critical_step *s, int64_t ns)
{
    size_t i = 0;
    while (i < v->n && (v->at[i].process != s->process || v->at[i].function != s->function ||
                        v->at[i].is_message != (s->kind == SB_CRITICAL_OUTSIDE)))
        i++;
    if (i == v->n)
        *SB_PUSH(v) = (struct waits){s->process, s->function, 0, 0, s->kind == SB_CRITICAL_OUTSIDE};
    v->at[i].steps += !s->interrupted;
    v->at[i].ns += ns;
}

/* A script may run in functions of OTP alone, and sleep. Who waits for connections, with a timeout or without, waits
 * for clients. */
static bool
counts(const struct sb_why *w, const struct sb_critical_step *s)
{
    struct sb_str in = s->function > 0 ? sb_evidence_text(&w->x, (int32_t)s->function) : SB_STR("");
    return (w->x.actor[s->process].is_program || sb_is_sleep(in)) && !sb_is_accept(in);
}

/* What came from outside may be a timer's message where the process is a behaviour in its loop, which waits for no
 * reply. */
static struct waits
longest(const struct sb_why *w, const struct sb_critical *path)
{
    enum { MOST = 256 /* processes and functions that are compared */ };
    SB_SCOPED all_waits v = {0};
    struct waits best = {0};
    for (size_t i = 0; i < path->n && v.n < MOST; i++) {
        const struct sb_critical_step *s = &path->at[i];
        int64_t ns = within(w, s);
        bool timer = s->kind == SB_CRITICAL_TIMER,
             tick = s->kind == SB_CRITICAL_OUTSIDE && s->function > 0 &&
                    sb_is_loop(sb_evidence_text(&w->x, (int32_t)s->function));
        if (ns > 0 && (timer || tick) && s->process < w->x.n_actors && counts(w, s))
            add(&v, s, ns);
    }
    for (size_t i = 0; i < v.n; i++)
        best = v.at[i].ns > best.ns ? v.at[i] : best;
    return best;
}

static const char *
words(const struct sb_why *w, const struct waits *b)
{
    const char *who = sb_why_who(w, b->process),
               *where = b->function > 0 ? sb_why_function(w, b->function) : "a receive",
               *of = sb_words(w->arena, "%s of the program's %s", sb_words_ns(w->arena, b->ns),
                              sb_words_ns(w->arena, w->x.span_ns)),
               *what = b->is_message ? "a message that no process sent, such as that of a timer," : "a timer";
    return b->steps == 1
               ? sb_words(w->arena, "%s waited for %s in %s, once: that was %s", who, what, where, of)
               : sb_words(w->arena,
                          "%s waited for %s in %s, %s times, %s each on average: these waits were %s", who,
                          what, where, sb_words_count(w->arena, b->steps),
                          sb_words_ns(w->arena, b->ns / b->steps), of);
}

static bool
is_sister(const struct sb_why *w, int64_t process, int64_t of)
{
    return process > 0 && w->x.actor[of].group > 0 && w->x.actor[process].group == w->x.actor[of].group;
}

static bool
is_known(const struct sb_why *w, const struct waits *b)
{
    for (size_t i = 0; i < w->found.n; i++) {
        const struct sb_finding *f = &w->found.at[i];
        if ((f->process == b->process || f->with == b->process || is_sister(w, f->process, b->process) ||
             is_sister(w, f->with, b->process)) &&
            (f->rule == &sb_rule_polling || f->gain.high >= b->ns / 2))
            return true;
    }
    return false;
}

/* Only a run that mostly stands still has such a path. Nobody waits for the end of a recording, so that the process
 * which ran last in a service is any. Of suites other rules name the tests that sleep. */
static void
find(struct sb_why *w)
{
    struct sb_err e = {0};
    if (w->x.is_cut || w->tests.n > 0 ||
        2 * sb_level_within(&w->x.level, SB_LEVEL_IDLE, w->x.t0, w->x.t1) < w->x.span_ns)
        return;
    const struct sb_critical *path = sb_critical_of(w->x.profile, &e);
    struct waits b = path && path->is_ended ? longest(w, path) : (struct waits){0};
    if (b.ns == 0 || 2 * b.ns < w->x.span_ns || is_known(w, &b))
        return;
    struct sb_finding f = {
        .process = b.process,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "high",
        .evidence = "SELECT kind, function, count(*), sum(dur) FROM critical WHERE process = {process} GROUP "
                    "BY 1, 2 ORDER BY 4 DESC",
    };
    sb_why_put(w, f, "%s", words(w, &b));
}
