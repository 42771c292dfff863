#include "why/find/finding.h"

SB_RULE(busy_connection) = {
    .name = "busy_connection",
    .looks_for =
        "a process that waits because the connection to another node is busy: more was sent than it carries",
    .erlang = "send less to the other node: fewer or smaller messages, what is needed there computed here; "
              "let the receiver say when it can take more, so that nothing piles up; send large data over a "
              "socket of its own. A larger buffer (+zdbbl, in kilobytes) helps against bursts only",
    .find = find,
};

enum { FEWEST = 10 };

static void
put(struct sb_why *w, int64_t id, int64_t times, int64_t ns)
{
    struct sb_finding f = {
        .process = id,
        .gain = {0, ns, ns},
        .confidence = "medium",
        .evidence = "SELECT start, wait_ns FROM gap WHERE process = {process} AND cause = 'busy' ORDER BY "
                    "wait_ns DESC LIMIT 10",
    };
    sb_why_put(w, f,
               "%s waited %s, in %s waits, until the connection to another node took more of what it sends: "
               "it sends faster than the node receives",
               sb_why_who(w, id), sb_words_ns(w->arena, ns), sb_words_count(w->arena, times));
}

/* The VM suspends a sender while the buffer of the connection is full (gap.c). */
static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        int64_t times = 0, ns = 0;
        SB_EACH_STEP (&w->x, id, s)
            if (s->wait_ns > 0 &&
                sb_str_eq(sb_evidence_text(&w->x, s->out), SB_STR("erts_internal:dsend_continue_trap/1"))) {
                times++;
                ns += s->wait_ns;
            }
        if (times >= FEWEST && sb_why_is_material(w, ns))
            put(w, id, times, ns);
    }
}
