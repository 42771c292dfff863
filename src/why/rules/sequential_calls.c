#include "why/find/alike.h"
#include "why/find/finding.h"
#include "why/run/grants.h"
#include "profile/scan_row.h"

SB_RULE(sequential_calls) = {
    .name = "sequential_calls",
    .looks_for =
        "a process that makes one call after the other, starts one external program after the other, or "
        "serves one connection that it accepts after the other, with next to no work between, while "
        "nothing works",
    .erlang = "send all requests first (gen_server:send_request/2, erpc:send_request/4) and take the replies "
              "then, or ask for everything in one call",
    .elixir =
        "make the calls in parallel with Task.async and Task.await_many, or ask for everything in one call",
    .of_requests = true,
    .find = find,
};
static const struct sb_cure ports_at_once = {
    .where = "one process opens ports one after the other",
    .erlang =
        "keep one open and use it again and again, or use several at once, each in a process of its own",
};
static const struct sb_cure process_each = {
    .where = "one process serves connections one after the other",
    .erlang = "serve each connection in a process of its own",
};

static const struct sb_cure uneven = {
    .where = "one of several processes that were started alike makes most of the calls",
    .erlang = "divide the work among them by its size, not by a key that most of it has, or make the calls "
              "in parallel (gen_server:send_request/2)",
    .elixir = "divide the work among them by its size, not by a key that most of it has (Enum.chunk_every), "
              "or make the calls in parallel with Task.async_stream",
};

enum {
    FEWEST = 10,
    MANY = 10,
    SHORTEST_NS = 100000,
    OUTSIDE = -1 /* asked through a port */,
    NODE = -2 /* another node */
};

/* Of what comes from outside, the replies to a process that opened the connection or started the program itself are
 * told from the requests that a server gets. */
enum port_use { PORT_NONE, PORT_ANY, PORT_SOCKET, PORT_PROGRAM };

struct burst { /* of one process, or of several that are alike */
    int64_t process, processes;
    int64_t others, theirs; /* processes that are like it and make far fewer calls; those calls */
    int64_t all;            /* calls, short ones included */
    int64_t calls, waited_ns;
    int64_t to_nodes;          /* of the calls: those to other nodes */
    int64_t unasked;           /* reads of a socket that nothing was written to before */
    struct sb_range longest;   /* of the calls */
    int64_t idle_ns, bound_ns; /* nothing was at work; of that, what remains at least with the cure */
    int64_t gain_ns, most_ns;  /* that the cure saves, by estimate and at most */
    struct sb_ranges waits;
    SB_VEC(int32_t) servers; /* of these calls; some more than once */
    struct server *of;       /* by process.id; shared by all */
    bool opens;              /* many sockets, which tells more than what it waits for on each */
};
enum turns { TURNS_UNKNOWN, TURNS_NONE, TURNS_SOME };
struct server { /* what is found out about it when the first client asks */
    enum turns turns;
    bool is_measured, is_served, is_tls; /* served: it owns a socket that it accepted */
    /* at work, or waiting for what a client waits for in turn; or others wait for it as well, which more calls at once
     * would only join */
    struct sb_ranges busy;
};

/* A task is a child that is asked once: its owner started all of them before. */
static bool
is_task(const struct sb_why *w, int64_t process, int32_t server)
{
    if (w->x.actor[server].parent != process)
        return false;
    const struct sb_traffic *sent = sb_evidence_edge(&w->x, process, server);
    return !sent || sent->count < 2;
}

/* A service is looked at by other rules. */
static bool
is_plain_server(const struct sb_why *w, int64_t id, int32_t server)
{
    return w->x.actor[server].service == SB_SERVICE_NONE && !is_task(w, id, server);
}

/* The next turn of a lock, or the next piece of work, comes when another client has written, not at once. */
static bool
hands_out_turns(const struct sb_why *w, struct burst *b, int32_t server)
{
    enum turns *turns = &b->of[server].turns;
    if (*turns == TURNS_UNKNOWN)
        *turns = sb_grants_of(&w->x, server).clients > 0 ? TURNS_SOME : TURNS_NONE;
    return *turns == TURNS_SOME;
}

/* A client of a socket waits in gen_tcp:recv/2; the owner of an external program in its own code. */
static bool
is_reply(const struct sb_why *w, const struct sb_step *s, enum port_use use)
{
    struct sb_str out = sb_evidence_text(&w->x, s->out);
    return sb_str_starts(out, SB_STR("prim_inet:recv")) ? use == PORT_SOCKET
                                                        : use == PORT_PROGRAM && !sb_is_otp(out);
}

/* The process that the wait is for. A reply may come from outside, as from a timer: then it is the one asked last, or
 * in a call a process of another node. To the owner of a port, what comes from outside may also be data, such as the
 * next request of a client on a socket. */
static int32_t
asked_for(const struct sb_why *w, int64_t id, const struct sb_step *s, int64_t from, enum port_use use)
{
    struct sb_str out = sb_evidence_text(&w->x, s->out);
    int64_t to = s->start + s->dur;
    if (s->wait == SB_WAIT_OUTSIDE && (use == PORT_NONE || sb_is_call(out))) {
        int32_t last = sb_evidence_sent_last(&w->x, id, from, to);
        if (last == 0)
            return sb_is_call(out) ? NODE : 0;
        return sb_is_call(out) || sb_evidence_asks(&w->x, id, last) ? last : 0;
    }
    if (s->wait == SB_WAIT_OUTSIDE)
        return is_reply(w, s, use) ? OUTSIDE : 0;
    bool asked = s->wait == SB_WAIT_ASKED &&
                 (sb_is_handed_on(out) || sb_evidence_sent_to(&w->x, id, s->waker, from, to));
    return asked ? s->waker : 0;
}

/* Whoever writes to a socket gets a message that it is done, beside the one with the data read before: a subscriber
 * reads and asks for nothing. `*next` of its letters come after those looked at. */
static bool
has_written(const struct sb_why *w, int64_t id, int64_t from, int64_t to, uint32_t *next)
{
    int n = 0;
    for (; *next < w->x.inbox[id + 1] && w->x.letter[*next].received < to; ++*next)
        n += w->x.letter[*next].received >= from && w->x.letter[*next].sender <= 0;
    return n > 1;
}

static void
add_wait(struct burst *b, int64_t from, int64_t ns)
{
    b->calls++;
    b->waited_ns += ns;
    sb_ranges_add(&b->waits, from, from + ns);
    if (ns > b->longest.to - b->longest.from)
        b->longest = (struct sb_range){from, from + ns};
}

/* Every wait for a reply that follows the one before with less work than the wait took. What comes from outside without
 * having been asked for, as the next request on a socket, begins a new row of calls. */
static void
collect(const struct sb_why *w, int64_t id, enum port_use use, struct burst *b)
{
    int64_t last = SB_NULL, worked = 0, woke = w->x.t0;
    uint32_t next = w->x.inbox[id];
    SB_EACH_STEP (&w->x, id, s) {
        worked += s->dur;
        int64_t asked_from = woke;
        woke = s->wait != SB_WAIT_NONE ? s->start + s->dur + s->wait_ns : woke;
        int32_t server = s->wait_ns <= 0 ? 0 : asked_for(w, id, s, asked_from, use);
        if (server == OUTSIDE && use == PORT_SOCKET &&
            !has_written(w, id, asked_from, s->start + s->dur, &next)) {
            b->unasked++;
            server = 0;
        }
        if (s->wait == SB_WAIT_TIMER || s->wait == SB_WAIT_IDLE ||
            (s->wait == SB_WAIT_OUTSIDE && server == 0))
            last = SB_NULL;
        if (server > 0 && (b->of[server].is_served || (b->opens && b->of[server].is_tls)))
            server = 0;
        if (server == 0 || (server > 0 && (!is_plain_server(w, id, server) || hands_out_turns(w, b, server))))
            continue;
        b->all++;
        int64_t from = s->start + s->dur;
        bool is_delayed = sb_sockets_delayed(&w->sockets, from, from + s->wait_ns);
        if (s->wait_ns < SHORTEST_NS || is_delayed)
            continue;
        if (last != SB_NULL && 2 * worked < s->wait_ns) {
            add_wait(b, s->start + s->dur, s->wait_ns);
            b->to_nodes += server == NODE;
            if (server > 0 && (b->servers.n == 0 || b->servers.at[b->servers.n - 1] != server))
                *SB_PUSH(&b->servers) = server;
        }
        last = s->start;
        worked = 0;
    }
    sb_ranges_unite(&b->waits);
}

SB_ORDER(by_id, int32_t, (*a > *b) - (*a < *b))

static const struct sb_ranges *
busy_of(const struct sb_why *w, struct server *of, int32_t server)
{
    struct server *s = &of[server];
    if (!s->is_measured) {
        sb_held_of(&w->x, &w->awaits, server, &s->busy);
        sb_slices_of(&w->x, server, &s->busy);
        sb_awaits_queued(&w->awaits, server, &s->busy);
    }
    s->is_measured = true;
    return &s->busy;
}

/* Requests that are sent at once still take as long as the longest of them, and wait for each other in a server that
 * takes one at a time. */
static void
measure(const struct sb_why *w, struct burst *b)
{
    b->bound_ns = sb_level_within(&w->x.level, SB_LEVEL_IDLE, b->longest.from, b->longest.to);
    SB_SORT(&b->servers, by_id);
    for (size_t i = 0; i < b->servers.n && b->idle_ns > b->bound_ns; i++) {
        SB_SCOPED struct sb_ranges held = {0};
        if (i > 0 && b->servers.at[i] == b->servers.at[i - 1])
            continue;
        for (size_t k = 0; k < b->waits.n; k++)
            *SB_PUSH(&held) = b->waits.at[k];
        sb_ranges_cut(&held, busy_of(w, b->of, b->servers.at[i]));
        int64_t ns = sb_ranges_within(&held, &w->x.level, SB_LEVEL_IDLE);
        b->bound_ns = ns > b->bound_ns ? ns : b->bound_ns;
    }
    int64_t one = b->idle_ns / (b->calls + 1);
    b->gain_ns = b->idle_ns - (b->bound_ns > one ? b->bound_ns : one);
    b->most_ns = b->idle_ns - b->bound_ns;
}

/* "made 41 calls one after the other and waited 3.8 ms for each on average" */
static const char *
how_many(const struct sb_why *w, const struct burst *b)
{
    int64_t n = b->processes, calls = (b->calls + n / 2) / n + 1, all = (b->all + n / 2) / n;
    const char *took = sb_words_ns(w->arena, b->waited_ns / b->calls), *each = n > 1 ? " each" : "",
               *number = sb_words_count(w->arena, calls);
    if (b->to_nodes == b->calls) /* a call may wait twice, and its request is not in the trace */
        return sb_words(w->arena,
                        "waited %s times%s in calls of other nodes, one after the other, %s on average",
                        number, each, took);
    return all <= calls
               ? sb_words(w->arena, "made %s calls%s one after the other and waited %s for each on average",
                          number, each, took)
               : sb_words(
                     w->arena,
                     "made %s calls%s; %s of them, one after the other, took 100 us or more, %s on average",
                     sb_words_count(w->arena, all), each, number, took);
}

static void
put(struct sb_why *w, const struct burst *b)
{
    const char *who = sb_why_who(w, b->process);
    struct sb_finding f = {
        .process = b->process,
        .gain = {0, b->gain_ns, b->most_ns},
        .cure = b->others > 0 ? &uneven : NULL,
        .confidence = "medium",
        .evidence = "SELECT function, count, total_ns, max_ns FROM wait WHERE process = {process}",
    };
    const char *rest = b->others > 0 ? sb_words(w->arena, ", while the others made %s on average",
                                                sb_words_count(w->arena, b->theirs / b->others))
                                     : "";
    if (b->others > 0)
        who = sb_words(w->arena, "of %s processes started alike, %s", sb_words_count(w->arena, b->others + 1),
                       who);
    if (b->processes > 1)
        who = sb_words(w->arena, "%s processes started alike, such as %s,",
                       sb_words_count(w->arena, b->processes), who);
    sb_why_put(w, f, "%s %s%s; nothing was at work for %s of that", who, how_many(w, b), rest,
               sb_words_ns(w->arena, b->idle_ns));
}

/* ---- external programs and sockets ---- */

struct opened { /* ports of one process, each opened after the one before had been closed */
    int64_t ports, used_ns, last_end;
    int64_t served;    /* connections that it had accepted, or was given, until it closed them */
    enum port_use use; /* at any time */
    struct sb_ranges lives;
};

/* The socket of an accepted connection shows neither its driver nor its start. The port of an external program shows
 * its command line; other drivers inside the VM end alike. */
static enum port_use
use_of(const struct sb_why *w, int64_t driver, int64_t start)
{
    struct sb_str s = sb_profile_text(w->x.profile, driver);
    if (start != SB_NULL && sb_str_eq(s, SB_STR("tcp_inet")))
        return PORT_SOCKET;
    return s.n == 0 || start == SB_NULL || sb_str_ends(s, SB_STR("_inet")) || sb_str_ends(s, SB_STR("_drv"))
               ? PORT_ANY
               : PORT_PROGRAM;
}

static void
read_ports(const struct sb_why *w, struct opened *of)
{
    SB_SCAN(s, w->x.profile, port, owner, start, end, driver);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t id = s.value[owner][i], from = s.value[start][i], to = s.value[end][i];
        if (id < 1 || id >= w->x.n_actors)
            continue;
        enum port_use use = use_of(w, s.value[driver][i], from);
        of[id].use = use > of[id].use ? use : of[id].use;
        of[id].served += from == SB_NULL && s.value[driver][i] == SB_NULL && to != SB_NULL;
        if (from == SB_NULL || to == SB_NULL || from < w->x.t0 || to > w->x.t1 || from < of[id].last_end)
            continue;
        of[id].ports++;
        of[id].used_ns += to - from;
        of[id].last_end = to;
        sb_ranges_add(&of[id].lives, from, to);
    }
}

static void
put_ports(struct sb_why *w, int64_t id, const struct opened *o)
{
    int64_t idle = sb_ranges_within(&o->lives, &w->x.level, SB_LEVEL_IDLE);
    struct sb_finding f = {
        .process = id,
        .gain = {0, idle - idle / o->ports, idle},
        .confidence = "medium",
        .evidence = "SELECT name, driver, start, end FROM port WHERE owner = {process} ORDER BY start",
        .cure = o->served >= FEWEST ? &process_each : &ports_at_once,
    };
    const char *served = o->served >= FEWEST
                             ? sb_words(w->arena, "served %s connections one after the other, for which it ",
                                        sb_words_count(w->arena, o->served))
                             : "";
    sb_why_put(w, f,
               "%s %sopened %s ports (external programs or sockets) one after the other and used each for %s "
               "on average; nothing was at work for %s of that",
               sb_why_who(w, id), served, sb_words_count(w->arena, o->ports),
               sb_words_ns(w->arena, o->used_ns / o->ports), sb_words_ns(w->arena, idle));
}

/* Of the processes that open ports the one with most idle time is named. `calls` has a finding already, which stands
 * for the processes that were started like it. */
static void
find_ports(struct sb_why *w, const struct opened *of, int64_t calls)
{
    int64_t most = 0, most_ns = 0;
    SB_EACH_PRESENT (&w->x, id) {
        if (of[id].ports < FEWEST || w->x.actor[id].service != SB_SERVICE_NONE)
            continue;
        int64_t idle = sb_ranges_within(&of[id].lives, &w->x.level, SB_LEVEL_IDLE);
        bool alike = calls > 0 && w->x.actor[id].group > 0 && w->x.actor[id].group == w->x.actor[calls].group;
        if (idle > most_ns && !alike) {
            most = id;
            most_ns = idle;
        }
    }
    if (most > 0)
        put_ports(w, most, &of[most]);
}

static void
free_burst(struct burst *b)
{
    SB_VEC_FREE(&b->waits);
    SB_VEC_FREE(&b->servers);
}

/* If all calls are to a server that a finding names, that says why they take long. */
static bool
is_told(const struct sb_why *w, const struct burst *b)
{
    for (size_t i = 1; i < b->servers.n; i++)
        if (b->servers.at[i] != b->servers.at[0])
            return false;
    return b->servers.n > 0 && sb_why_has(w, b->servers.at[0]);
}

/* False if its calls are no sequence of interest. */
static bool
read_burst(const struct sb_why *w, int64_t id, const struct opened *of, struct server *servers,
           struct burst *b)
{
    *b = (struct burst){.process = id, .processes = 1, .of = servers, .opens = of[id].ports >= FEWEST};
    collect(w, id, of[id].use == PORT_SOCKET && sb_why_accepts(w, id) ? PORT_ANY : of[id].use, b);
    b->idle_ns = sb_ranges_within(&b->waits, &w->x.level, SB_LEVEL_IDLE);
    return b->calls >= FEWEST && MANY * b->unasked <= b->calls && !is_told(w, b);
}

struct set { /* of clients that are alike */
    int64_t idle_ns;
    size_t from, to;
};
SB_ORDER(by_idle, struct set, SB_DOWN(idle_ns) ?: SB_UP(from))

static void
add_member(struct burst *all, struct burst *b)
{
    if (all->processes++ == 0)
        all->process = b->process;
    all->all += b->all;
    all->calls += b->calls;
    all->waited_ns += b->waited_ns;
    all->to_nodes += b->to_nodes;
    all->gain_ns += b->gain_ns;
    all->most_ns += b->most_ns;
    for (size_t i = 0; i < b->waits.n; i++)
        *SB_PUSH(&all->waits) = b->waits.at[i];
}

/* Alike clients have the fault together: what they wait at the same time is saved once. Where one makes most of the
 * calls, it alone has it. */
static struct burst
read_set(const struct sb_why *w, const struct sb_alike *c, struct set s, const struct opened *of,
         struct server *servers)
{
    enum { LEAST_OTHERS = 2, FAR_MORE = 4 };
    struct burst all = {0}, most = {0};
    for (size_t i = s.from; i < s.to; i++) {
        struct burst b;
        if (read_burst(w, c[i].id, of, servers, &b)) {
            measure(w, &b);
            add_member(&all, &b);
            most = b.all > most.all ? b : most;
        }
        free_burst(&b);
    }
    sb_ranges_unite(&all.waits);
    all.idle_ns = sb_ranges_within(&all.waits, &w->x.level, SB_LEVEL_IDLE);
    all.gain_ns = sb_least(all.gain_ns, all.idle_ns);
    all.most_ns = sb_least(all.most_ns, all.idle_ns);
    SB_VEC_FREE(&all.waits);
    most.others = all.processes - 1;
    most.theirs = all.all - most.all;
    if (most.others >= LEAST_OTHERS && most.all * most.others >= FAR_MORE * most.theirs)
        return most; /* its arrays are freed, and not used */
    return all;
}

/* Of the alike clients whose cure saves most. Returns the process of the finding; 0: there is none. */
static int64_t
find_calls(struct sb_why *w, const struct opened *of)
{
    struct burst most = {0}, b;
    struct server *servers = sb_zeroed_or_die(w->x.n_actors + 1, sizeof *servers);
    SB_VEC(struct sb_alike) client = {0};
    SB_VEC(struct set) set = {0};
    const bool *serves = sb_sockets_served(&w->x, &w->sockets);
    SB_EACH_PRESENT (&w->x, id) {
        struct sb_str entry = sb_profile_text(w->x.profile, w->x.actor[id].entry);
        servers[id].is_served = serves[id];
        servers[id].is_tls = sb_str_starts(entry, SB_STR("ssl_gen_statem:"));
    }
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (a->n < FEWEST || a->service != SB_SERVICE_NONE || sb_why_has(w, id))
            continue;
        if (read_burst(w, id, of, servers, &b))
            *SB_PUSH(&client) = sb_alike(w->x.actor, id, b.idle_ns);
        free_burst(&b);
    }
    SB_EACH_ALIKE (&client, from, to) {
        struct set s = {0, from, to};
        for (size_t i = from; i < to; i++)
            s.idle_ns += client.at[i].most;
        *SB_PUSH(&set) = s;
    }
    SB_SORT(&set, by_idle);
    for (size_t i = 0; i < set.n && set.at[i].idle_ns > most.most_ns; i++) {
        b = read_set(w, client.at, set.at[i], of, servers);
        most = b.most_ns > most.most_ns ? b : most;
    }
    SB_EACH_PRESENT (&w->x, id)
        SB_VEC_FREE(&servers[id].busy);
    free(servers);
    SB_VEC_FREE(&client);
    SB_VEC_FREE(&set);
    if (most.process)
        put(w, &most);
    return most.process && sb_why_has(w, most.process) ? most.process : 0;
}

static void
find(struct sb_why *w)
{
    struct opened *of = SB_NEW_N(w->arena, struct opened, w->x.n_actors);
    read_ports(w, of);
    find_ports(w, of, find_calls(w, of));
    for (int64_t id = 1; id < w->x.n_actors; id++)
        SB_VEC_FREE(&of[id].lives);
}
