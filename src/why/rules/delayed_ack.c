#include "why/find/finding.h"
#include "base/order.h"
#include "profile/scan_row.h"

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
    LEAST_NS = 38500000, /* the kernel delays by 40 ms, in ticks of up to 4 ms */
    MOST_NS = 48000000,
    SLOW_NS = 10000000, /* between two pieces that were written at once, it is less */
    FEWEST = 20,        /* such waits */
    FEWEST_EACH = 5,
    PERCENT = 80, /* of the waits that might be such */
};

struct run { /* of a port: it writes, or it reads what has arrived */
    int64_t port, start, end;
    bool writes;
};
SB_ORDER(by_port, struct run, SB_UP(port) ?: SB_UP(start))

struct waits {
    int64_t n, of; /* as long as such a delay; all that might be one */
    struct sb_ranges at;
};
struct side {
    struct waits all;
    int64_t processes, most, most_n;
};

/* By port: the process that owns it, if it is a connection. An accepted socket has neither a driver nor a start. */
static int64_t *
find_owners(const struct sb_why *w, int64_t n)
{
    int64_t *owners = SB_NEW_N(w->arena, int64_t, n);
    SB_SCAN(s, w->x.profile, port, id, owner, start, driver);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct sb_str name = sb_profile_text(w->x.profile, s.value[driver][i]);
        bool is_socket = s.value[start][i] == SB_NULL ? name.n == 0 : sb_str_eq(name, SB_STR("tcp_inet"));
        int64_t by = s.value[owner][i];
        if (is_socket && s.value[id][i] >= 1 && s.value[id][i] < n && by >= 1 && by < w->x.n_actors)
            owners[s.value[id][i]] = by;
    }
    return owners;
}

/* What a port is asked to do, as to set an option, has a name of its own; what arrives has none. */
static size_t
read_runs(const struct sb_why *w, const int64_t *owners, int64_t n, struct run **at)
{
    SB_VEC(struct run) v = {0};
    int64_t command = sb_profile_find_text(w->x.profile, SB_STR("command"));
    SB_SCAN(s, w->x.profile, slice, port, start, dur, in_function);
    sb_scan_where(&s, SB_C_slice__port, 1, n);
    sb_scan_where(&s, SB_C_slice__start, w->x.t0, w->x.t1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t of = s.value[port][i], in = s.value[in_function][i], from = s.value[start][i];
        if (of < n && owners[of] > 0 && (in == SB_NULL || in == command))
            *SB_PUSH(&v) = (struct run){of, from, from + s.value[dur][i], in == command};
    }
    if (v.n > 0)
        SB_SORT(&v, by_port);
    *at = v.at;
    return v.n;
}

static void
add(struct waits *v, int64_t from, int64_t to)
{
    v->of++;
    if (to - from < LEAST_NS || to - from > MOST_NS)
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
read_turn(const struct run *r, size_t n, struct waits *own, struct waits *theirs)
{
    size_t i = 0, writes, slow = 0, at = 0;
    for (; i < n && r[i].writes && r[i].port == r->port; i++)
        ;
    writes = i;
    if (writes > 1 && i < n && r[i].port == r->port)
        add(own, r[i - 1].end, r[i].start);
    for (; i < n && r[i].port == r->port && !r[i].writes; i++)
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
    if (of->n >= FEWEST_EACH && 100 * of->n >= PERCENT * of->of) {
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
    w->delays = s->all.at;
    s->all.at = (struct sb_ranges){0};
    struct sb_finding f = {
        .process = s->most,
        .gain = {0, sb_ranges_within(&w->delays, &w->x.level, SB_LEVEL_IDLE), ns},
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
    int64_t n = (int64_t)sb_profile_rows(w->x.profile, SB_T_port) + 1;
    const int64_t *owners = find_owners(w, n);
    struct run *r;
    struct side own = {0}, theirs = {0};
    size_t runs = read_runs(w, owners, n, &r);
    for (size_t i = 0; i < runs;) {
        struct waits one = {0}, other = {0};
        int64_t port = r[i].port;
        while (i < runs && r[i].port == port)
            i += read_turn(r + i, runs - i, &one, &other);
        keep(&own, &one, owners[port]);
        keep(&theirs, &other, owners[port]);
    }
    if (own.all.n >= sb_why_fewest(w, FEWEST))
        put(w, &own, true);
    else if (theirs.all.n >= sb_why_fewest(w, FEWEST))
        put(w, &theirs, false);
    free(r);
    SB_VEC_FREE(&own.all.at);
    SB_VEC_FREE(&theirs.all.at);
}
