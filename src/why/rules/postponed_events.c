#include "why/find/finding.h"
#include "why/run/threads.h"

SB_RULE(postponed_events) = {
    .name = "postponed_events",
    .looks_for = "a gen_statem that goes through many postponed events at each change of its state",
    .erlang = "postpone only what the next state handles; keep other events in the data, such as in a queue, "
              "and take them when the state allows it",
    .elixir = "postpone only what the next state handles; keep other events in the data, such as in a "
              ":queue, and take them when the state allows it",
    .of_work = true,
    .of_requests = true,
    .find = find,
};

/* An event costs some microseconds in gen_statem. A process that yields there more than in the callbacks, and works
 * far longer for each message, handles most events more than once. */
enum { LONG_NS = 15000 /* for a message */, FEWEST = 100 };

/* gen_statem receives in loop_receive, and in functions beside it, alone. */
static bool
handles_event(const struct sb_why *w, const struct sb_step *s)
{
    struct sb_str out = sb_evidence_text(&w->x, s->out);
    return s->wait == SB_WAIT_NONE && sb_str_starts(out, SB_STR("gen_statem:loop_")) &&
           !sb_str_starts(out, SB_STR("gen_statem:loop_receive"));
}

static void
put(struct sb_why *w, int64_t id, int64_t yields)
{
    const struct sb_actor *a = &w->x.actor[id];
    struct sb_finding f = {
        .process = id,
        .gain = {0, a->share_ns, a->work_ns},
        .confidence = "medium",
        .evidence = "SELECT out_function, count(*), sum(dur) FROM slice WHERE process = {process} GROUP BY 1 "
                    "ORDER BY 3 DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "%s worked %s for each of its %s messages, most of it in gen_statem itself, where it yielded "
               "%s times: it goes through events that it postponed, or inserted, again and again",
               sb_why_who(w, id), sb_words_ns(w->arena, a->work_ns / a->receives),
               sb_words_count(w->arena, a->receives), sb_words_count(w->arena, yields));
}

static void
find(struct sb_why *w)
{
    struct sb_why_threads t = sb_threads_of(w->x.profile);
    double least = (double)LONG_NS * sb_threads_slowdown(&t);
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        int64_t all = 0, in_events = 0, ns = 0;
        if (a->receives < 1 || (double)a->work_ns / (double)a->receives < least ||
            !sb_why_is_material(w, a->work_ns))
            continue;
        SB_EACH_STEP (&w->x, id, s) {
            bool event = handles_event(w, s);
            all += s->wait == SB_WAIT_NONE;
            in_events += event;
            ns += event ? s->dur : 0;
        }
        if (in_events >= sb_why_fewest(w, FEWEST) && 2 * in_events > all && 2 * ns > a->work_ns)
            put(w, id, in_events);
    }
}
