#include "why/find/finding.h"

SB_RULE(delayed_ack) = {
    .name = "delayed_ack",
    .looks_for =
        "clients of a socket that write a request in several pieces: the second one waits until the other "
        "side acknowledges the first, which it delays by 40 ms",
    .erlang = "write a request at once, as an iolist in one gen_tcp:send/2, or open the socket with "
              "{nodelay, true}",
    .elixir =
        "write a request at once, as iodata in one :gen_tcp.send/2, or open the socket with nodelay: true",
    .of_requests = true,
    .find = find,
};

enum {
    LEAST_NS = 38500000, /* the kernel delays by 40 ms, in ticks of up to 4 ms */
    MOST_NS = 48000000,
    FEWEST = 20, /* such waits */
    FEWEST_EACH = 5,
    PERCENT = 80, /* of the waits after several pieces */
};

struct waits {
    int64_t n, of_pieces; /* as long as such a delay; all after a request of several pieces */
    struct sb_ranges at;
};

/* Each write has a message that it is done, and data come as one, which ends the wait before: `woken` by data. */
static void
read_waits(const struct sb_why *w, int64_t id, struct waits *v)
{
    uint32_t next = w->x.inbox[id];
    bool woken = false;
    int64_t pieces = 0;
    SB_EACH_STEP (&w->x, id, s) {
        int64_t from = s->start + s->dur;
        for (; next < w->x.inbox[id + 1] && w->x.letter[next].received <= from; next++)
            pieces += w->x.letter[next].sender <= 0;
        if (s->wait == SB_WAIT_NONE || s->wait_ns <= 0)
            continue;
        bool reads = s->wait == SB_WAIT_OUTSIDE &&
                     sb_str_starts(sb_evidence_text(&w->x, s->out), SB_STR("prim_inet:recv"));
        bool is_late = s->wait_ns >= LEAST_NS && s->wait_ns <= MOST_NS;
        if (reads && pieces - woken > 1) {
            v->of_pieces++;
            v->n += is_late;
            if (is_late)
                sb_ranges_add(&v->at, from, from + s->wait_ns);
        }
        woken = reads;
        pieces = 0;
    }
}

static void
put(struct sb_why *w, const struct waits *all, int64_t processes, int64_t most)
{
    int64_t ns = sb_ranges_ns(&all->at);
    struct sb_finding f = {
        .process = most,
        .gain = {0, SB_NULL, ns},
        .confidence = "low",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    sb_why_put(
        w, f,
        "%s%s wrote to a socket in several pieces and waited about 40 ms for the answer, %s of %s times, as "
        "long as the other side delays an acknowledgement: %s in all",
        sb_why_who(w, most),
        processes > 1 ? sb_words(w->arena, " and %s more", sb_words_count(w->arena, processes - 1)) : "",
        sb_words_count(w->arena, all->n), sb_words_count(w->arena, all->of_pieces),
        sb_words_ns(w->arena, ns));
}

static void
find(struct sb_why *w)
{
    struct waits all = {0};
    int64_t processes = 0, most = 0, most_n = 0;
    SB_EACH_PRESENT (&w->x, id) {
        struct waits own = {.at = all.at};
        size_t before = all.at.n;
        read_waits(w, id, &own);
        all.at = own.at;
        if (own.n < FEWEST_EACH || 100 * own.n < PERCENT * own.of_pieces) {
            all.at.n = before;
            continue;
        }
        all.n += own.n;
        all.of_pieces += own.of_pieces;
        processes++;
        most = own.n > most_n ? id : most;
        most_n = own.n > most_n ? own.n : most_n;
    }
    sb_ranges_unite(&all.at);
    if (all.n >= FEWEST)
        put(w, &all, processes, most);
    SB_VEC_FREE(&all.at);
}
