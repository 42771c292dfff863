#include "why/find/finding.h"

SB_RULE(busy_connection) = {
    .name = "busy_connection",
    .looks_for =
        "a process that waits because the connection to another node is busy, as more was sent than it "
        "carries, or, while others wait for it, because a socket takes no more",
    .erlang = "send fewer or smaller messages, compute there what is needed there, let the receiver say when "
              "it can take more, and send large data over a socket of its own; a larger buffer (+zdbbl, in "
              "kilobytes) helps against bursts only",
    .find = find,
};
static const struct sb_cure of_socket = {
    .where = "it waits for a socket",
    .erlang = "write to each socket from a process of its own, with {send_timeout, T}, so that a peer that "
              "reads slowly holds up nobody else",
};

enum { FEWEST = 10, MESSAGES = 20 };

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
static bool
waits_for_node(const struct sb_why *w, const struct sb_step *s)
{
    return sb_str_eq(sb_evidence_text(&w->x, s->out), SB_STR("erts_internal:dsend_continue_trap/1"));
}

/* A driver replies at once unless its queue is full. */
static bool
waits_for_socket(const struct sb_why *w, const struct sb_step *s)
{
    struct sb_str out = sb_evidence_text(&w->x, s->out);
    return sb_str_eq(out, SB_STR("prim_inet:send_recv_reply/2")) ||
           sb_str_eq(out, SB_STR("prim_inet:send/3"));
}

/* Who sends to nobody but its peer may wait for it; messages of others that come meanwhile are the fault. They may be
 * fetched from the mailbox at once, by the receive that waits for the driver, so when they were sent counts. */
static void
look_at_sockets(struct sb_why *w, int64_t id, struct sb_ranges *waits, int64_t times)
{
    int64_t n = 0, ns = sb_ranges_ns(waits);
    for (uint32_t i = w->x.inbox[id], at = 0; i < w->x.inbox[id + 1]; i++) {
        const struct sb_letter *l = &w->x.letter[i];
        if (l->sent == SB_NULL || l->sender <= 0)
            continue;
        while (at < waits->n && waits->at[at].to < l->sent)
            at++;
        n += at < waits->n && waits->at[at].from <= l->sent;
    }
    struct sb_finding f = {
        .process = id,
        .gain = {0, ns, ns},
        .cure = &of_socket,
        .confidence = "medium",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    if (n >= sb_why_fewest(w, MESSAGES) && sb_why_is_alone(w, id))
        sb_why_put(w, f,
                   "%s waited %s, in %s waits, until a socket took more of what it sends, while others sent "
                   "it %s messages: somebody reads slowly, and holds up all whom it serves",
                   sb_why_who(w, id), sb_words_ns(w->arena, ns), sb_words_count(w->arena, times),
                   sb_words_count(w->arena, n));
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        SB_SCOPED struct sb_ranges sockets = {0};
        int64_t times = 0, ns = 0, socket_times = 0, socket_ns = 0;
        SB_EACH_STEP (&w->x, id, s) {
            bool is_node = s->wait_ns > 0 && waits_for_node(w, s),
                 is_socket = s->wait_ns > 0 && waits_for_socket(w, s);
            times += is_node;
            ns += is_node ? s->wait_ns : 0;
            socket_times += is_socket;
            socket_ns += is_socket ? s->wait_ns : 0;
            if (is_socket)
                sb_ranges_add(&sockets, s->start + s->dur, s->start + s->dur + s->wait_ns);
        }
        if (times >= FEWEST && sb_why_is_material(w, ns))
            put(w, id, times, ns);
        sb_ranges_unite(&sockets);
        if (socket_times >= FEWEST && sb_why_is_material(w, socket_ns))
            look_at_sockets(w, id, &sockets, socket_times);
    }
}
