#include "why/run/awaits.h"
#include "base/order.h"
#include "base/sort.h"

enum { SOME = 4 /* of the waits in a function one in so many is for a reply */ };

SB_ORDER(by_server, struct sb_await, SB_UP(server) ?: SB_UP(client) ?: SB_UP(from))

static void
index_awaits(const struct sb_evidence *x, struct sb_awaits *w)
{
    size_t at = 0;
    for (int64_t id = 0; id <= x->n_actors; id++) {
        w->first[id] = (uint32_t)at;
        w->clients[id] = 0;
        int32_t last = 0;
        for (; at < w->n && w->at[at].server == id; at++)
            if (w->at[at].is_request && w->at[at].client != last) {
                w->clients[id]++;
                last = w->at[at].client;
            }
    }
}

/* Task.Supervised.stream starts its tasks in a process of its own: the owner of the stream is a grandparent. */
static bool
started(const struct sb_evidence *x, int64_t process, int64_t other)
{
    int64_t parent = x->actor[other].parent;
    bool known = parent >= 1 && parent < x->n_actors;
    return parent == process || (known && x->actor[parent].parent == process);
}

static bool
is_request(const struct sb_evidence *x, int64_t client, const struct sb_step *s)
{
    struct sb_str at = sb_evidence_text(x, s->out);
    const struct sb_traffic *sent = sb_evidence_edge(x, client, s->waker);
    return sent && !sb_is_start(at) && !sb_str_starts(at, SB_STR("erlang:bif_return_trap/")) &&
           (sent->count > 1 ||
            (!started(x, client, s->waker) && (sb_is_call(at) || !started(x, s->waker, client))));
}

struct place { /* a function */
    uint32_t waits, requests;
};
struct owing { /* a process to another one */
    int32_t to;
    uint32_t messages; /* of `to` that it has not ended a wait for */
    bool is_new;       /* one of them came since it last ended one */
};
struct reading {
    const struct sb_evidence *x;
    struct owing *owes; /* by process.id */
    struct place *at;   /* by text */
    SB_VEC(struct sb_await) found;
};

/* A call sends its request last, and then waits in gen:do_call. */
static void
read_given_up(struct reading *r, const struct sb_step *s, const struct sb_letter *request)
{
    int64_t to = s->start + s->dur + s->wait_ns;
    if (request->receiver > 0 && sb_str_starts(sb_evidence_text(r->x, s->out), SB_STR("gen:do_call/")))
        *SB_PUSH(&r->found) =
            (struct sb_await){request->receiver, request->sender, request->sent, to, s->out, true, 0, true};
}

/* The letter of `from` among the first that were taken after that moment; 0: none, or unknown. */
static uint32_t
letter_of(const struct sb_evidence *x, int64_t to, int32_t from, int64_t woke_ns)
{
    enum { MANY = 64 };
    uint32_t lo = x->inbox[to], hi = x->inbox[to + 1], end = hi;
    SB_SEARCH(lo, hi, sb_evidence_receipt(&x->letter[mid]) < woke_ns);
    end = end - lo < MANY ? end : lo + MANY;
    while (lo < end && x->letter[lo].sender != from)
        lo++;
    return lo < end && x->letter[lo].sent != SB_NULL && x->letter[lo].sent <= woke_ns ? lo : 0;
}

/* A server that returns noreply lets another process answer the call. A message that leaves the client in its call is
 * no answer. */
static void
read_answer(struct reading *r, int64_t client, const struct sb_step *s, const struct sb_letter *request)
{
    const struct sb_evidence *x = r->x;
    const struct sb_step *next = s + 1, *end = x->step + x->actor[client].first + x->actor[client].n;
    int64_t from = s->start + s->dur, to = from + s->wait_ns;
    while (next < end && next->wait_ns <= 0)
        next++;
    bool goes_on =
        next < end && next->out == s->out && sb_evidence_sent(x, client, to, next->start + next->dur) == 0;
    uint32_t answer = goes_on || request->receiver <= 0 ? 0 : letter_of(x, client, s->waker, to);
    if (answer > 0)
        *SB_PUSH(&r->found) =
            (struct sb_await){request->receiver, (int32_t)client, from, to, s->out, false, answer, false};
}

/* In a call the message of another process that was not asked may be there first. */
static void
read_waits(struct reading *r, int64_t client)
{
    const struct sb_evidence *x = r->x;
    uint32_t sent = x->outbox[client];
    int32_t asked = 0; /* the process that the last wait was for a reply of */
    SB_EACH_STEP (x, client, s) {
        int64_t from = s->start + s->dur;
        for (; sent < x->outbox[client + 1] && x->letter[x->by_sender[sent]].sent <= from; sent++) {
            struct owing *o = &r->owes[x->letter[x->by_sender[sent]].receiver];
            *o = (struct owing){(int32_t)client, (o->to == client ? o->messages : 0) + 1, true};
        }
        if (s->wait == SB_WAIT_TIMER && sent > x->outbox[client])
            read_given_up(r, s, &x->letter[x->by_sender[sent - 1]]);
        if (s->wait != SB_WAIT_IDLE && s->wait != SB_WAIT_ASKED && s->wait != SB_WAIT_OUTSIDE)
            continue;
        struct owing *o = &r->owes[s->waker];
        bool owes = s->waker > 0 && o->to == client && o->messages > 0,
             asks = s->wait == SB_WAIT_ASKED && is_request(x, client, s);
        r->at[s->out].waits++;
        r->at[s->out].requests += asks && owes && o->is_new;
        o->messages -= owes;
        o->is_new = false;
        const struct sb_letter *last = sent > x->outbox[client] ? &x->letter[x->by_sender[sent - 1]] : NULL;
        bool calls_other = last && last->receiver != s->waker &&
                           sb_str_starts(sb_evidence_text(x, s->out), SB_STR("gen:do_call/"));
        asks =
            asks && !calls_other && (owes || asked == s->waker || !sb_is_call(sb_evidence_text(x, s->out)));
        asked = asks ? s->waker : 0;
        if (s->wait == SB_WAIT_ASKED && calls_other && !owes)
            read_answer(r, client, s, last);
        if (s->wait == SB_WAIT_ASKED)
            *SB_PUSH(&r->found) = (struct sb_await){
                s->waker, (int32_t)client, from, from + s->asked_ns, s->out, asks, 0, false};
    }
}

/* Where processes wait for whatever comes, as for a socket, a message of one that they write to is no reply. */
static void
drop_news(struct reading *r)
{
    for (size_t i = 0; i < r->found.n; i++) {
        struct sb_await *a = &r->found.at[i];
        const struct place *at = &r->at[a->function];
        a->is_request = a->is_request &&
                        (SOME * at->requests >= at->waits || sb_is_call(sb_evidence_text(r->x, a->function)));
    }
}

/* True if `client` waited for a reply of `server`. */
static bool
has_asked(const struct sb_awaits *w, int64_t client, int64_t server)
{
    uint32_t lo = w->first[server], hi = w->first[server + 1], end = hi;
    SB_SEARCH(lo, hi, w->at[mid].client < client);
    for (; lo < end && w->at[lo].client == client; lo++)
        if (w->at[lo].is_request)
            return true;
    return false;
}

/* Workers that ask for their next piece of work wait for the process that hands it out, which waits in its own loop for
 * whatever they send. Of two such processes the one that more processes wait for is asked. */
static void
drop_callbacks(const struct sb_evidence *x, struct sb_awaits *w)
{
    bool *drops = SB_NEW_N(x->arena, bool, w->n + 1);
    for (size_t i = 0; i < w->n; i++) {
        const struct sb_await *a = &w->at[i];
        drops[i] = a->is_request && w->clients[a->client] > w->clients[a->server] &&
                   !sb_is_call(sb_evidence_text(x, a->function)) && has_asked(w, a->server, a->client);
    }
    for (size_t i = 0; i < w->n; i++)
        w->at[i].is_request = w->at[i].is_request && !drops[i];
}

/* They come by client, and nearly by time. */
static void
sort_awaits(struct reading *r, struct sb_awaits *w)
{
    struct sb_sort_key *key = sb_realloc_or_die(NULL, sb_mul_or_die(2 * r->found.n + 1, sizeof *key));
    w->n = r->found.n;
    w->at = sb_realloc_or_die(NULL, sb_mul_or_die(w->n + 1, sizeof *w->at));
    for (size_t i = 0; i < w->n; i++)
        key[i] = (struct sb_sort_key){(uint64_t)r->found.at[i].server, i};
    if (w->n > 0)
        sb_sort_radix(key, key + w->n, w->n);
    for (size_t i = 0; i < w->n; i++)
        w->at[i] = r->found.at[key[i].value];
    for (size_t i = 0, to; i < w->n; i = to) {
        for (to = i + 1; to < w->n && w->at[to].server == w->at[i].server;)
            to++;
        sb_sort(&w->at[i], to - i, sizeof *w->at, by_server);
    }
    free(key);
    SB_VEC_FREE(&r->found);
}

void
sb_awaits_find(const struct sb_evidence *x, struct sb_awaits *w)
{
    struct reading r = {.x = x,
                        .owes = SB_NEW_N(x->arena, struct owing, x->n_actors + 1),
                        .at = SB_NEW_N(x->arena, struct place, sb_profile_texts(x->profile) + 1)};
    SB_EACH_PRESENT (x, id)
        read_waits(&r, id);
    drop_news(&r);
    sort_awaits(&r, w);
    w->first = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *w->first, x->n_actors + 1));
    w->clients = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *w->clients, x->n_actors + 1));
    index_awaits(x, w);
    drop_callbacks(x, w);
    index_awaits(x, w);
}

void
sb_awaits_close(struct sb_awaits *w)
{
    free(w->at);
    free(w->first);
    free(w->clients);
    *w = (struct sb_awaits){0};
}

void
sb_awaits_of(const struct sb_awaits *w, int64_t server, struct sb_ranges *out)
{
    for (uint32_t i = w->first[server]; i < w->first[server + 1]; i++)
        if (w->at[i].is_request)
            sb_ranges_add(out, w->at[i].from, w->at[i].to);
    sb_ranges_unite(out);
}

void
sb_awaits_queued(const struct sb_awaits *w, int64_t server, struct sb_ranges *out)
{
    SB_SCOPED struct sb_ranges all = {0};
    int64_t until = INT64_MIN; /* the latest end of the waits so far */
    for (uint32_t i = w->first[server]; i < w->first[server + 1]; i++)
        if (w->at[i].is_request)
            sb_ranges_add(&all, w->at[i].from, w->at[i].to);
    sb_ranges_sort(&all);
    for (size_t i = 0; i < all.n; i++) {
        sb_ranges_add(out, all.at[i].from, all.at[i].to < until ? all.at[i].to : until);
        until = all.at[i].to > until ? all.at[i].to : until;
    }
    sb_ranges_unite(out);
}

/* A caller does nothing else, so with its next request to the server the one before is over: its timeout may not be
 * seen as such if the process was preempted at that moment. */
static int64_t
called_again(const struct sb_evidence *x, int64_t server, int64_t client, int64_t sent)
{
    const struct sb_actor *a = &x->actor[client];
    uint32_t lo = a->first, hi = a->first + a->n, next = x->outbox[client], to = x->outbox[client + 1];
    SB_SEARCH(lo, hi, x->step[mid].start + x->step[mid].dur < sent);
    if (lo == a->first + a->n || !sb_str_starts(sb_evidence_text(x, x->step[lo].out), SB_STR("gen:do_call/")))
        return SB_NULL;
    SB_SEARCH(next, to, x->letter[x->by_sender[mid]].sent <= sent);
    for (; next < x->outbox[client + 1]; next++)
        if (x->letter[x->by_sender[next]].receiver == server)
            return x->letter[x->by_sender[next]].sent;
    return SB_NULL;
}

int64_t
sb_awaits_given_up(const struct sb_evidence *x, const struct sb_awaits *w, int64_t server, int64_t client,
                   int64_t sent)
{
    uint32_t lo = w->first[server], hi = w->first[server + 1], end = hi;
    SB_SEARCH(lo, hi, w->at[mid].client < client || (w->at[mid].client == client && w->at[mid].from < sent));
    for (; lo < end && w->at[lo].client == client && w->at[lo].from == sent; lo++)
        if (w->at[lo].gave_up)
            return w->at[lo].to;
    return called_again(x, server, client, sent);
}

void
sb_slices_of(const struct sb_evidence *x, int64_t process, struct sb_ranges *out)
{
    const struct sb_actor *a = &x->actor[process];
    for (uint32_t i = 0; i < a->n; i++)
        sb_ranges_add(out, x->step[a->first + i].start,
                      x->step[a->first + i].start + x->step[a->first + i].dur);
    sb_ranges_unite(out);
}

void
sb_gaps_of(const struct sb_evidence *x, int64_t process, enum sb_wait kind, struct sb_ranges *out)
{
    SB_EACH_STEP (x, process, s) {
        if (s->wait == (uint8_t)kind)
            sb_ranges_add(out, s->start + s->dur, s->start + s->dur + s->wait_ns);
    }
}

int64_t
sb_idle_within(const struct sb_evidence *x, int64_t process, int64_t from, int64_t to)
{
    const struct sb_actor *a = &x->actor[process];
    uint32_t lo = a->first, hi = a->first + a->n;
    int64_t ns = 0;
    /* the first step that ends after `from` */
    SB_SEARCH(lo, hi, x->step[mid].end <= from);
    for (; lo < a->first + a->n && x->step[lo].start < to; lo++) {
        const struct sb_step *s = &x->step[lo];
        int64_t at = s->start + s->dur, until = at + s->wait_ns;
        at = at > from ? at : from;
        until = until < to ? until : to;
        ns += s->wait == SB_WAIT_IDLE && until > at ? until - at : 0;
    }
    return ns;
}

/* True if the replies that end waits in that time keep a distance, as those do that each take the same time. */
static bool
serves_in_turn(const struct sb_awaits *w, int64_t server, const struct sb_ranges *queue)
{
    SB_SCOPED SB_VEC(int64_t) replies = {0}, apart = {0};
    size_t at = 0;
    int64_t last = SB_NULL;
    for (uint32_t i = w->first[server]; i < w->first[server + 1]; i++)
        if (!w->at[i].gave_up)
            *SB_PUSH(&replies) = w->at[i].to;
    sb_sort_signed(replies.at, replies.n);
    for (size_t i = 0; i < replies.n; i++) {
        while (at < queue->n && queue->at[at].to < replies.at[i])
            at++;
        bool within = at < queue->n && queue->at[at].from <= replies.at[i];
        if (within && last != SB_NULL)
            *SB_PUSH(&apart) = replies.at[i] - last;
        last = within ? replies.at[i] : SB_NULL;
    }
    sb_sort_signed(apart.at, apart.n);
    return apart.n >= 10 && 2 * apart.at[apart.n / 10] > apart.at[apart.n / 2];
}

void
sb_held_of(const struct sb_evidence *x, const struct sb_awaits *w, int64_t server, struct sb_ranges *out)
{
    SB_SCOPED struct sb_ranges queue = {0}, plain = {0};
    bool is_behaviour = false;
    sb_awaits_queued(w, server, &queue);
    SB_EACH_STEP (x, server, s)
        is_behaviour |= s->wait != SB_WAIT_NONE && sb_is_loop(sb_evidence_text(x, s->out));
    SB_EACH_STEP (x, server, s) {
        struct sb_str at = sb_evidence_text(x, s->out);
        bool asks = s->wait == SB_WAIT_ASKED || (s->wait == SB_WAIT_TIMER && sb_is_sleep(at)) ||
                    (s->wait == SB_WAIT_OUTSIDE && sb_str_starts(at, SB_STR("prim_inet:recv")));
        if (s->wait != SB_WAIT_NONE && !sb_is_loop(at))
            sb_ranges_add(asks || is_behaviour ? out : &plain, s->start + s->dur,
                          s->start + s->dur + s->asked_ns);
    }
    sb_ranges_unite(&plain);
    sb_ranges_cut(&plain, &queue);
    bool in_turn = plain.n > 0 && serves_in_turn(w, server, &queue);
    for (size_t i = 0; in_turn && i < plain.n; i++)
        sb_ranges_add(out, plain.at[i].from, plain.at[i].to);
    sb_ranges_unite(out);
}

int64_t
sb_work_within(const struct sb_evidence *x, int64_t process, const struct sb_ranges *r)
{
    SB_SCOPED struct sb_ranges work = {0};
    sb_slices_of(x, process, &work);
    sb_ranges_cut(&work, r);
    return sb_ranges_ns(&work);
}
