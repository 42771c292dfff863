#include "why/find/finding.h"
#include "base/order.h"

SB_RULE(slow_accept) = {
    .name = "slow_accept",
    .looks_for = "the process that accepts connections waits for the data of one before it accepts the next",
    .erlang =
        "hand each socket to a process of its own as soon as it is accepted (gen_tcp:controlling_process/2), "
        "and read a greeting, a header or a handshake there; or start several that accept",
    .elixir =
        "hand each socket to a process of its own as soon as it is accepted "
        "(:gen_tcp.controlling_process/2), and read a greeting, a header or a handshake there; or start "
        "several that accept",
    .of_requests = true,
    .find = find,
};

enum { FEWEST = 10 };

SB_ORDER(by_start, int64_t, (*a > *b) - (*a < *b))
typedef SB_VEC(int64_t) starts;

/* When processes were started by `id`, which may serve what it accepted. */
static void
read_starts(const struct sb_why *w, int64_t id, starts *v)
{
    SB_EACH_PRESENT (&w->x, child)
        if (w->x.actor[child].parent == id && w->x.actor[child].start != SB_NULL)
            *SB_PUSH(v) = w->x.actor[child].start;
    SB_SORT(v, by_start);
}

struct acceptor {
    int64_t accepts, reads,
        at_once; /* waits for a connection and for data; connections that were there already */
    int64_t longest_ns;
    struct sb_ranges at; /* the waits for data */
};

/* Between two waits for data it asked somebody or started a process: the second is of another connection. If it did not
 * wait for that one, it had been there. With TLS it waits for the process of the connection. */
static void
read_acceptor(const struct sb_why *w, int64_t id, const bool *serves, struct acceptor *a)
{
    SB_SCOPED starts child = {0};
    size_t next = 0;
    bool has_read = false, has_served = false;
    read_starts(w, id, &child);
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur;
        for (; next < child.n && child.at[next] <= from; next++)
            has_served = true;
        if (s->wait == SB_WAIT_NONE || s->wait_ns <= 0)
            continue;
        bool is_accept = sb_is_accept(sb_evidence_text(&w->x, s->out));
        bool is_read = !is_accept && (s->wait == SB_WAIT_OUTSIDE || (s->waker > 0 && serves[s->waker]));
        if (is_read) {
            a->reads++;
            a->at_once += has_read && has_served;
            a->longest_ns = s->wait_ns > a->longest_ns ? s->wait_ns : a->longest_ns;
            sb_ranges_add(&a->at, from, from + s->wait_ns);
        }
        has_served = !is_read && s->wait == SB_WAIT_ASKED;
        has_read = !is_accept && (has_read || is_read);
    }
    sb_ranges_unite(&a->at);
}

static void
put(struct sb_why *w, int64_t id, const struct acceptor *a, int64_t ns)
{
    struct sb_finding f = {
        .process = id,
        .gain = {0, SB_NULL, ns},
        .confidence = "medium",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(w, f,
               "%s accepts connections, and waited %s for data of one before it accepted the next, %s times, "
               "up to %s; %s times the next one was there by then",
               sb_why_who(w, id), sb_words_ns(w->arena, ns), sb_words_count(w->arena, a->reads),
               sb_words_ns(w->arena, a->longest_ns), sb_words_count(w->arena, a->at_once));
}

static void
find(struct sb_why *w)
{
    const bool *serves = sb_sockets_served(&w->x, &w->sockets);
    SB_EACH_PRESENT (&w->x, id) {
        struct acceptor a = {0};
        if (!sb_why_accepts(w, id) || !sb_why_is_alone(w, id))
            continue;
        read_acceptor(w, id, serves, &a);
        int64_t ns = sb_ranges_ns(&a.at);
        if (a.at_once >= FEWEST && sb_why_is_material(w, ns))
            put(w, id, &a, ns);
        SB_VEC_FREE(&a.at);
    }
}
