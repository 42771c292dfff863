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

static void
put(struct sb_why *w, const struct sb_restarts *r)
{
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
    sb_why_put(
        w, f, "%s started %s again %s times after a crash, such as %.*s%s; each had lived %s on average",
        sb_why_who(w, r->parent), sb_why_text(w, (int32_t)r->entry), sb_words_count(w->arena, r->n),
        SB_STR_ARG(reason), reason.n < r->reason.n ? "..." : "", sb_words_ns(w->arena, r->lived_ns / r->n));
}

static void
find(struct sb_why *w)
{
    for (size_t i = 0; i < w->families.restarts.n; i++)
        put(w, &w->families.restarts.at[i]);
}
