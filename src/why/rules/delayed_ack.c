#include "why/find/finding.h"

SB_RULE(delayed_ack) = {
    .name = "delayed_ack",
    .looks_for = "sockets that are written to in several pieces: the second one waits until the other side "
                 "acknowledges the first, which it delays by 40 ms",
    .erlang = "write a request or an answer at once, as an iolist in one gen_tcp:send/2, or open the socket "
              "with {nodelay, true}",
    .elixir =
        "write a request or an answer at once, as iodata in one :gen_tcp.send/2, or open the socket with "
        "nodelay: true",
    .of_requests = true,
    .find = find,
};

static const struct sb_cure other_side = {
    .where = "the other side writes in pieces",
    .erlang = "have the other side write at once what belongs together, or set TCP_NODELAY on its socket",
};

enum {
    MOST_NS = 48000000,
    SLOW_NS = 10000000, /* between two pieces that were written at once, it is less */
    FEWEST = 20,        /* such waits */
    FEWEST_EACH = 5,
    PERCENT = 80, /* of the waits that might be such */
};

struct waits {
    int64_t n, of; /* as long as such a delay; all that might be one */
    struct sb_ranges at;
};
struct side {
    struct waits all;
    int64_t processes, most, most_n;
};

static void
add(struct waits *v, int64_t from, int64_t to)
{
    v->of++;
    if (to - from < SB_DELAY_NS || to - from > MOST_NS)
        return;
    v->n++;
    sb_ranges_add(&v->at, from, to);
}

/*
 * The runs of a port from one write to the next: its own pieces, and those of the other side.
 *
 *     write write ---- 40 ms ---- read          it wrote in pieces
 *     write ------- read ---- 40 ms ---- read   the other side did; without the next write this is a stream
 */
static size_t
read_turn(const struct sb_socket_run *r, size_t n, struct waits *own, struct waits *theirs)
{
    size_t i = 0, writes, slow = 0, at = 0;
    for (; i < n && r[i].does == SB_SOCKET_WRITES && r[i].port == r->port; i++)
        ;
    writes = i;
    if (writes > 1 && i < n && r[i].port == r->port)
        add(own, r[i - 1].end, r[i].start);
    for (; i < n && r[i].port == r->port && r[i].does == SB_SOCKET_READS; i++)
        if (i > writes && r[i].start - r[i - 1].end > SLOW_NS) {
            slow++;
            at = i;
        }
    if (slow == 1 && i < n && r[i].port == r->port)
        add(theirs, r[at - 1].end, r[at].start);
    return i;
}

static void
keep(struct side *s, struct waits *of, int64_t owner)
{
    if (owner > 0 && of->n >= FEWEST_EACH && 100 * of->n >= PERCENT * of->of) {
        s->all.n += of->n;
        s->all.of += of->of;
        for (size_t i = 0; i < of->at.n; i++)
            sb_ranges_add(&s->all.at, of->at.at[i].from, of->at.at[i].to);
        s->processes++;
        s->most = of->n > s->most_n ? owner : s->most;
        s->most_n = of->n > s->most_n ? of->n : s->most_n;
    }
    SB_VEC_FREE(&of->at);
}

static void
put(struct sb_why *w, struct side *s, bool is_own)
{
    sb_ranges_unite(&s->all.at);
    int64_t ns = sb_ranges_ns(&s->all.at);
    w->sockets.delays = s->all.at;
    s->all.at = (struct sb_ranges){0};
    struct sb_finding f = {
        .process = s->most,
        .gain = {0, sb_ranges_within(&w->sockets.delays, &w->x.level, SB_LEVEL_IDLE), ns},
        .confidence = "low",
        .evidence =
            "SELECT s.start, s.dur, s.in_function FROM slice s JOIN port o ON o.id = s.port WHERE o.owner = "
            "{process} ORDER BY s.start LIMIT 100",
        .cure = is_own ? NULL : &other_side,
    };
    const char *more = s->processes > 1
                           ? sb_words(w->arena, " and %s more", sb_words_count(w->arena, s->processes - 1))
                           : "";
    sb_why_put(
        w, f,
        is_own
            ? "%s%s wrote to a socket in several pieces and waited about 40 ms for data, %s of %s "
              "times, as long as the other side delays an acknowledgement: %s in all"
            : "what %s%s read from a socket came in pieces, one about 40 ms after the other, %s of %s times, "
              "as long as an acknowledgement is delayed: %s in all",
        sb_why_who(w, s->most), more, sb_words_count(w->arena, s->all.n), sb_words_count(w->arena, s->all.of),
        sb_words_ns(w->arena, ns));
}

static void
find(struct sb_why *w)
{
    const struct sb_sockets *v = &w->sockets;
    struct side own = {0}, theirs = {0};
    for (size_t i = 0; i < v->n_runs;) {
        struct waits one = {0}, other = {0};
        int64_t port = v->run[i].port;
        bool is_tcp = v->owner[port] > 0 && v->kind[port] != SB_SOCKET_UDP;
        while (i < v->n_runs && v->run[i].port == port)
            i += read_turn(v->run + i, v->n_runs - i, &one, &other);
        keep(&own, &one, is_tcp ? v->owner[port] : 0);
        keep(&theirs, &other, is_tcp ? v->owner[port] : 0);
    }
    if (own.all.n >= sb_why_fewest(w, FEWEST))
        put(w, &own, true);
    else if (theirs.all.n >= sb_why_fewest(w, FEWEST))
        put(w, &theirs, false);
    SB_VEC_FREE(&own.all.at);
    SB_VEC_FREE(&theirs.all.at);
}
