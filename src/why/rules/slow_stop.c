#include "why/find/alike.h"
#include "why/find/finding.h"

SB_RULE(slow_stop) = {
    .name = "slow_stop",
    .looks_for =
        "processes that live on after their supervisor has told them to stop, while it waits for them",
    .erlang = "stop at the supervisor's exit signal: a process that traps exits has to handle {'EXIT', "
              "Parent, Reason} (behaviours of OTP do), let terminate/2 do less; else a shorter `shutdown` in "
              "the child specification, and brutal_kill in tests",
    .elixir =
        "stop at the supervisor's exit signal: a process that traps exits has to handle {:EXIT, parent, "
        "reason} (GenServer does), let terminate/2 do less; else a shorter :shutdown in the child "
        "specification, and :brutal_kill in tests",
    .find = find,
};

enum { SHORT_NS = 10000000 /* the shortest wait that counts */, LATE_PART = 10 };

struct stop { /* a supervisor waits for a child that it told to stop; in order of both */
    int64_t supervisor, from, to;
    bool timed_out; /* it kills the child then */
};

struct slow {
    struct sb_alike alike; /* by function, whatever supervisor it has, and by how long it lived on */
    struct sb_range lives;
    int64_t supervisor;
    int32_t in; /* function in which it waited meanwhile; 0: in none */
    bool killed;
};

static bool
is_stop(struct sb_str mfa)
{
    static const char *const in[] = {"supervisor:shutdown/", "supervisor:wait_dynamic_children/",
                                     "'Elixir.DynamicSupervisor':wait_children/"};
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        if (sb_str_starts(mfa, sb_str_of(in[i])))
            return true;
    return false;
}

/* The function in which it waited for most of that time; 0: it was at work, or in several. */
static int32_t
lived_in(const struct sb_why *w, int64_t id, struct sb_range r)
{
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur, to = from + s->wait_ns;
        if (s->wait != SB_WAIT_NONE &&
            2 * (sb_least(to, r.to) - (from > r.from ? from : r.from)) > r.to - r.from)
            return s->out;
    }
    return 0;
}

/* The child whose end ended the wait, or that was killed after its timeout. The next child is told to stop then. */
static bool
is_of(const struct sb_why *w, const struct stop *s, int64_t id, bool is_killed)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t late = s->timed_out && is_killed ? (s->to - s->from) / LATE_PART : 0;
    return a->start < s->from && a->end > s->from + SHORT_NS && a->end <= s->to + late;
}

static void
put(struct sb_why *w, const struct slow *s, size_t n)
{
    SB_SCOPED struct sb_ranges lives = {0};
    int64_t ns = 0, killed = 0;
    bool same = s->in > 0;
    for (size_t i = 0; i < n; i++) {
        ns += s[i].alike.most;
        killed += s[i].killed;
        same &= s[i].in == s->in;
        sb_ranges_add(&lives, s[i].lives.from, s[i].lives.to);
    }
    sb_ranges_unite(&lives);
    const char *who = sb_why_who(w, s->alike.id);
    struct sb_finding f = {
        .process = s->alike.id,
        .gain = {0, sb_ranges_within(&lives, &w->x.level, SB_LEVEL_IDLE), sb_ranges_ns(&lives)},
        .confidence = 2 * killed > (int64_t)n ? "high" : "medium",
        .evidence = sb_words(
            w->arena,
            "SELECT start, wait_ns, cause, who(waker) FROM gap WHERE process = %lld ORDER BY wait_ns "
            "DESC LIMIT 10",
            (long long)s->supervisor),
    };
    if (n > 1)
        who = sb_words(w->arena, "%s processes started alike, such as %s,",
                       sb_words_count(w->arena, (int64_t)n), who);
    sb_why_put(
        w, f,
        "%s lived on for %s%s%s after %s told %s to stop and waited%s; nothing was at work for %s of that",
        who, sb_words_ns(w->arena, ns / (int64_t)n), n > 1 ? " on average" : "",
        same ? sb_words(w->arena, " in %s", sb_why_text(w, s->in)) : "",
        n > 1 ? "a supervisor" : "its supervisor", n > 1 ? "them" : "it",
        killed == (int64_t)n ? (n > 1 ? ", until it killed them" : ", until it killed it")
        : killed > 0 ? sb_words(w->arena, ", until it killed %s of them", sb_words_count(w->arena, killed))
                     : "",
        sb_words_ns(w->arena, f.gain.ns));
}

static void
find(struct sb_why *w)
{
    SB_VEC(struct stop) stop = {0};
    SB_VEC(struct slow) slow = {0};
    int64_t killed = sb_profile_find_text(w->x.profile, SB_STR("killed"));
    bool *stops = SB_NEW_N(w->arena, bool, w->x.n_actors + 1);
    SB_EACH_PRESENT (&w->x, id)
        SB_EACH_STEP (&w->x, id, s) {
            int64_t from = s->start + s->dur;
            if (s->wait_ns < SHORT_NS || !is_stop(sb_evidence_text(&w->x, s->out)))
                continue;
            *SB_PUSH(&stop) = (struct stop){id, from, from + s->wait_ns, s->wait == SB_WAIT_TIMER};
            stops[id] = true;
        }
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->end == SB_NULL || stops[id]) /* a supervisor waits for its own children */
            continue;
        size_t lo = 0, hi = stop.n;
        SB_SEARCH(lo, hi,
                  stop.at[mid].supervisor < a->parent ||
                      (stop.at[mid].supervisor == a->parent && stop.at[mid].from < a->end));
        const struct stop *s = lo > 0 ? &stop.at[lo - 1] : NULL;
        bool is_killed =
            killed != SB_NULL && SB_CELL(w->x.profile, process, exit_reason, (uint64_t)id - 1) == killed;
        if (!s || s->supervisor != a->parent || !is_of(w, s, id, is_killed))
            continue;
        struct sb_range lives = {s->from, a->end};
        *SB_PUSH(&slow) = (struct slow){{a->entry > 0 ? a->entry : -id, a->end - s->from, id},
                                        lives,
                                        s->supervisor,
                                        lived_in(w, id, lives),
                                        is_killed};
    }
    SB_EACH_ALIKE (&slow, from, to)
        put(w, &slow.at[from], to - from);
    SB_VEC_FREE(&stop);
    SB_VEC_FREE(&slow);
}
