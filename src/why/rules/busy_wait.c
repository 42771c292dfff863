#include "why/find/finding.h"

SB_RULE(busy_wait) = {
    .name = "busy_wait",
    .looks_for = "a process that looks into its mailbox with a timeout of 0, or yields, over and over "
                 "instead of waiting",
    .erlang = "wait in a receive without `after 0`, and let the process that has the news send it: a process "
              "that waits uses no CPU",
    .of_work = true,
    .find = find,
};

enum {
    FEWEST = 10000,
    LOOK_NS = 20000, /* the longest slice of a look */
    TURN_NS = 2000,  /* less than any 4,000 reductions take, after which the scheduler takes a process off */
};

/* Nothing was seen to wake the process, and it was back at once: between two turns of a process that yields, the trace
 * does not tell waiting from readiness. */
static bool
is_back(const struct sb_step *s)
{
    return s->wait == SB_WAIT_NONE || (s->wait == SB_WAIT_OUTSIDE && s->wait_ns < LOOK_NS);
}

/* A cheap loop uses up its reductions in a few microseconds, which is work. Functions of OTP give up the scheduler in
 * the middle of their work, such as erlang:md5/1. */
static bool
gave_up(const struct sb_why *w, const struct sb_step *s)
{
    struct sb_str mfa = sb_evidence_text(&w->x, s->out);
    return sb_str_eq(mfa, SB_STR("erlang:yield/0")) ? s->dur < LOOK_NS : s->dur < TURN_NS && !sb_is_otp(mfa);
}

/* Calls of erlang:yield/0, which a trace shows as turns of the function that calls it. */
static int64_t
yields_of(const struct sb_why *w, const struct sb_actor *a)
{
    int64_t n = 0;
    for (uint32_t i = 0; i + 1 < a->n; i++) {
        const struct sb_step *s = &w->x.step[a->first + i];
        n += is_back(s) && s->handover_ns == 0 && !s->dirty && gave_up(w, s);
    }
    return n;
}

/* serial_phase leaves the process out, so this finding says why. */
static const char *
not_divided(const struct sb_why *w, const struct sb_actor *a)
{
    return w->x.schedulers > 1 && sb_why_is_material(w, sb_why_spread(w, a->alone_ns))
               ? sb_words(w->arena, "; it was alone at work for %s, and that is no work to divide",
                          sb_words_ns(w->arena, a->alone_ns))
               : "";
}

static void
put(struct sb_why *w, int64_t id, int64_t looks, const char *did)
{
    const struct sb_actor *a = &w->x.actor[id];
    int64_t kept_ns = a->share_ns - a->alone_ns; /* from others */
    bool costs = sb_why_is_material(w, kept_ns);
    if (!sb_why_is_material(w, a->work_ns))
        return;
    struct sb_finding f = {
        .process = id,
        .gain = {costs ? 0 : SB_NULL, costs ? kept_ns : SB_NULL, costs ? a->work_ns : SB_NULL},
        .confidence = "high",
        .evidence = "SELECT who(id), timeouts, receives, slices, run_ns FROM process WHERE id = {process}",
    };
    sb_why_put(w, f, "%s %s %s times without waiting and used %s of a scheduler%s", sb_why_who(w, id), did,
               sb_words_count(w->arena, looks), sb_words_ns(w->arena, a->work_ns), not_divided(w, a));
}

static void
find(struct sb_why *w)
{
    int64_t fewest = sb_why_fewest(w, FEWEST);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        int64_t most = 10 * (a->receives > 0 ? a->receives : 0), yields = 0;
        if (a->timeouts >= fewest && a->timeouts >= most && a->work_ns / a->timeouts <= LOOK_NS) {
            put(w, id, a->timeouts, "looked for a message");
            continue;
        }
        if (a->n >= fewest && a->is_program && a->n >= 10 * a->sends)
            yields = yields_of(w, a);
        if (yields >= fewest && yields >= most && 10 * yields >= 9 * (int64_t)a->n)
            put(w, id, yields, "yielded");
    }
}
