#include "why/find/finding.h"

SB_RULE(restarts) = {
    .name = "restarts",
    .looks_for = "a process that crashes again and again and is started again each time",
    .erlang = "cure the cause of the exit; if it lies outside, such as a peer that cannot be reached, let "
              "the process live and try again after a pause that grows, instead of crashing",
    .elixir =
        "cure the cause of the exit; if it lies outside, such as a peer that cannot be reached, let the "
        "process live and try again after a pause that grows (Process.send_after), instead of crashing",
    .of_run = true,
    .find = find,
};

enum { SOON_NS = 1000000 /* from an exit signal to the end of its receiver */ };

/* A parent that waits in the loop of a behaviour learns of the end of a child; one that runs, or waits in code of its
 * own, just before that end has killed it, as the cleanup of tests does. */
static bool
kills(const struct sb_why *w, const struct sb_crash *k)
{
    const struct sb_step *s = sb_evidence_step_at(&w->x, k->parent, k->at);
    return s && sb_str_eq(k->reason, SB_STR("killed")) &&
           k->at - (s->start + s->dur) <= (sb_is_loop(sb_evidence_text(&w->x, s->out)) ? 0 : SOON_NS);
}

static bool
is_of(const struct sb_crash *k, const struct sb_restarts *r)
{
    return k->parent == r->parent && k->entry == r->entry;
}

/* Three of four crashes, in the piece that is looked at, are not the parent's own doing. */
static bool
is_restarted(const struct sb_why *w, const struct sb_restarts *r)
{
    int64_t all = 0, killed = 0;
    for (size_t i = 0; i < w->families.crash.n; i++) {
        const struct sb_crash *k = &w->families.crash.at[i];
        if (!is_of(k, r) || k->at < w->x.t0 || k->at >= w->x.t1)
            continue;
        all++;
        killed += kills(w, k);
    }
    return 4 * killed <= all;
}

/* How long the parent waited for the init of a child, which ends with the first message of the child; 0: it did not. */
static int64_t
init_of(const struct sb_why *w, int64_t child)
{
    const struct sb_actor *a = &w->x.actor[child];
    const struct sb_traffic *ack = a->start != SB_NULL ? sb_evidence_edge(&w->x, child, a->parent) : NULL;
    const struct sb_step *s = ack ? sb_evidence_step_at(&w->x, a->parent, ack->first) : NULL;
    bool waits = s && sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("proc_lib:sync_start"));
    return waits && ack->first > a->start ? ack->first - a->start : 0;
}

/* The mean of the children that crashed; adds the waits for those that were started after the first crash. A piece does
 * not show when a child of the run wrote first. */
static int64_t
find_inits(const struct sb_why *w, const struct sb_restarts *r, struct sb_ranges *again)
{
    int64_t n = 0, ns = 0, first = INT64_MAX;
    for (size_t i = 0; !w->x.is_cut && i < w->families.crash.n; i++) {
        const struct sb_crash *k = &w->families.crash.at[i];
        if (!is_of(k, r))
            continue;
        first = sb_least(first, k->at);
        ns += init_of(w, k->id);
        n++;
    }
    for (size_t i = sb_family_begin(&w->families, r->parent, INT64_MIN);
         i < w->families.child.n && w->families.child.at[i].parent == r->parent; i++) {
        const struct sb_child *c = &w->families.child.at[i];
        int64_t init = w->x.actor[c->id].entry == r->entry && c->start > first ? init_of(w, c->id) : 0;
        if (init > 0)
            sb_ranges_add(again, c->start, c->start + init);
    }
    sb_ranges_unite(again);
    return n > 0 ? ns / n : 0;
}

static void
put(struct sb_why *w, const struct sb_restarts *r)
{
    SB_SCOPED struct sb_ranges again = {0};
    int64_t init = find_inits(w, r, &again), lived = r->lived_ns / r->n,
            idle = sb_ranges_within(&again, &w->x.level, SB_LEVEL_IDLE),
            quiet = sb_ranges_within(&again, &w->x.level, SB_LEVEL_QUIET),
            gain = idle + sb_why_spread(w, quiet > idle ? quiet - idle : 0);
    struct sb_str reason = r->reason;
    reason.n = reason.n > 60 ? 60 : reason.n;
    while (reason.n > 0 && reason.n < r->reason.n && strchr(",.", reason.p[reason.n - 1]))
        reason.n--; /* the recorder writes ... itself */
    struct sb_finding f = {
        .process = r->parent,
        .with = r->first,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "high",
        .evidence = "SELECT who(id), start, end, exit_reason FROM process WHERE parent = {process} ORDER BY "
                    "start LIMIT 20",
    };
    if (sb_why_is_material(w, gain)) /* what else a cure saves is not in the trace */
        f.gain = (struct sb_bounded){0, gain, gain};
    sb_why_put(
        w, f, "%s started %s again %s times after a crash, such as %.*s%s; each had lived %s on average%s",
        sb_why_who(w, r->parent), sb_why_text(w, (int32_t)r->entry), sb_words_count(w->arena, r->n),
        SB_STR_ARG(reason), reason.n < r->reason.n ? "..." : "", sb_words_ns(w->arena, lived),
        init > lived / 20 ? sb_words(w->arena, ", of which its init took %s", sb_words_ns(w->arena, init))
                          : "");
}

static void
find(struct sb_why *w)
{
    for (size_t i = 0; i < w->families.restarts.n; i++)
        if (is_restarted(w, &w->families.restarts.at[i]))
            put(w, &w->families.restarts.at[i]);
}
