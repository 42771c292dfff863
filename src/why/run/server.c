/*
 * A client is a process that waited for a reply of the server at least once. Its requests are its messages to the
 * server. If the server sent it as many messages, they answer the requests in order; if it sent fewer, some requests
 * want no answer (casts), and each message answers the request that was fetched last. Requests whose callers gave up
 * are answered too, so as many of them may still be without an answer:
 *
 *     sent         could begin           reply       received
 *      |-- mailbox --|------ service ------|            |         could begin: the request is there, and the
 *      |-------------------- round trip ----------------|         reply before it is sent
 *
 * Of a client of a node that was not recorded (far_client.h) it is unknown when a request was sent and when its reply
 * came.
 */
#include "why/run/server.h"
#include "base/order.h"
#include "base/sort.h"
#include "why/run/far_client.h"

enum { FEWEST = 10, NONE = 0 /* letters of a queue are numbered from 1 */ };

typedef SB_VEC(int64_t) times;

struct queue { /* of one client: letters to the server that it has not answered */
    int64_t head, tail;
    int64_t requests;
    int64_t asked, replies, last_reply; /* requests until the last reply, replies, and its time */
    int64_t given_up;                   /* requests that the client waited for in vain */
    int64_t calls, own; /* of a client that was not recorded, and the server's letters to it */
    bool is_client, is_far;
};

struct sums {
    int64_t work_ns, waiting_ns;
};
struct serving {
    const struct sb_evidence *x;
    struct queue *of;               /* by process.id */
    int64_t *next;                  /* by letter */
    int64_t *waited;                /* by process.id: what it ended of the waits within one request */
    int64_t longest_ns;             /* of these waits */
    SB_VEC(struct sb_sort_key) out; /* its letters and those that answered for it, by sending */
    struct sb_trips *trips;
    struct sb_latency_sum latency;
    SB_VEC(struct sums) before; /* by step of the server */
    times service, mailbox, work;
    int32_t home; /* text: where the server waits for messages of other nodes; 0: unknown */
};

static int32_t
client_of(const struct sb_letter *l)
{
    return l->sender > 0 ? l->sender : l->asker;
}

/* Names a client of another node that may want no answer. */
static bool
is_doubtful(const struct sb_letter *l)
{
    return l->sender <= 0 && l->asker > 0 && !l->is_call;
}

/* ---- one server ---- */

static void
put_request(struct serving *s, size_t letter)
{
    struct queue *q = &s->of[client_of(&s->x->letter[letter])];
    q->requests += !is_doubtful(&s->x->letter[letter]);
    s->next[letter + 1] = NONE;
    *(q->head == NONE ? &q->head : &s->next[q->tail]) = (int64_t)letter + 1;
    q->tail = (int64_t)letter + 1;
}

/* A behaviour that waits in its loop has an empty mailbox: what it had received by then is not in it any more, though
 * the reply comes later. Returns the start of its first such wait within [from, to), or `to`. A process that yields
 * while it fetches many messages may seem to wait for a moment, so such waits are half of the time. */
static int64_t
parked(const struct serving *s, int64_t process, int64_t from, int64_t to)
{
    enum { MANY = 64 /* steps */ };
    const struct sb_step *step = s->x->step;
    uint32_t lo = s->x->actor[process].first, end = lo + s->x->actor[process].n, hi = end;
    int64_t first = to, ns = 0, seen = from;
    SB_SEARCH(lo, hi, step[mid].start + step[mid].dur < from);
    end = end - lo < MANY ? end : lo + MANY;
    for (; lo < end && step[lo].start + step[lo].dur < to; lo++) {
        int64_t at = step[lo].start + step[lo].dur;
        seen = sb_least(step[lo].end, to);
        if (step[lo].wait_ns <= 0 || !sb_is_loop(sb_evidence_text(s->x, step[lo].out)))
            continue;
        first = first == to ? at : first;
        ns += sb_least(at + step[lo].wait_ns, to) - at;
    }
    return 2 * ns >= seen - from ? first : to;
}

static void
take_reply(struct serving *s, int64_t process, const struct sb_letter *reply, int64_t *last)
{
    bool itself = reply->sender == process;
    struct queue *q = &s->of[reply->receiver];
    bool in_order = q->replies <= q->asked && q->asked <= q->replies + q->given_up;
    const struct sb_letter *request = &s->x->letter[(in_order ? q->head : q->tail) - 1];
    int64_t begin = request->received;
    if (itself && *last > begin)
        begin = parked(s, process, begin, *last);
    if (!sb_far_is_answer(s->x, process, s->home, request, reply, begin)) {
        q->head = itself ? NONE : q->head;
        return;
    }
    q->head = in_order ? s->next[q->head] : NONE;
    q->requests += is_doubtful(request);
    *last = itself ? reply->sent : *last;
    *SB_PUSH(s->trips) = (struct sb_trip){
        .sent = request->sent,
        .fetched = request->received,
        .begin = begin,
        .replied = reply->sent > begin ? reply->sent : begin,
        .received = reply->received != SB_NULL ? reply->received : reply->sent,
        .server = (int32_t)process,
        .by = reply->sender,
        .client = reply->receiver,
    };
}

static void
count(struct serving *s, int64_t process)
{
    const struct sb_evidence *x = s->x;
    for (size_t i = 0; i < s->out.n; i++) {
        const struct sb_letter *reply = &x->letter[s->out.at[i].value];
        s->of[reply->receiver].replies++;
        s->of[reply->receiver].last_reply = reply->sent;
    }
    for (size_t i = x->inbox[process]; i < x->inbox[process + 1]; i++) {
        struct queue *q = &s->of[client_of(&x->letter[i])];
        q->asked += x->letter[i].received != SB_NULL && x->letter[i].received <= q->last_reply;
    }
}

/* Requests by the time of receipt and replies by the time of sending, merged. */
static void
serve(struct serving *s, int64_t process)
{
    const struct sb_evidence *x = s->x;
    size_t in = x->inbox[process], in_end = x->inbox[process + 1], out = 0, out_end = s->out.n;
    int64_t last = 0;
    while (in < in_end || out < out_end) {
        const struct sb_letter *reply = out < out_end ? &x->letter[s->out.at[out].value] : NULL;
        if (in < in_end && (!reply || x->letter[in].received <= reply->sent)) {
            if (x->letter[in].received != SB_NULL && s->of[client_of(&x->letter[in])].is_client)
                put_request(s, in);
            in++;
            continue;
        }
        if (s->of[reply->receiver].is_client && s->of[reply->receiver].head != NONE)
            take_reply(s, process, reply, &last);
        out++;
    }
}

/* ---- what it did in a request ---- */

static void
split_step(struct serving *s, struct sb_trip *t, const struct sb_step *step)
{
    struct sb_range service = {t->begin, t->replied};
    int64_t to = step->start + step->dur, ns = sb_range_part(service, to, to + step->wait_ns);
    t->work_ns += sb_range_part(service, step->start, to);
    t->waiting_ns += ns;
    s->waited[step->waker] += ns;
    if (s->waited[step->waker] > s->waited[t->waits_for]) /* 0: a timer, or nobody knows who */
        t->waits_for = step->waker;
    if (ns > s->longest_ns) {
        s->longest_ns = ns;
        t->waits_in = step->out;
    }
}

/* The sums of work and waits before each step of the server. */
static void
sum_steps(struct serving *s, int64_t process)
{
    struct sums sum = {0};
    s->before.n = 0;
    SB_EACH_STEP (s->x, process, step) {
        *SB_PUSH(&s->before) = sum;
        sum.work_ns += step->dur;
        sum.waiting_ns += step->wait_ns;
    }
}

/* Requests that are parked side by side may each last for many steps of the server: then only the ends are looked at,
 * and whom it waited for stays unknown. */
static void
split(struct serving *s, int64_t process, struct sb_trip *trip, size_t n)
{
    enum { MANY = 64 };
    const struct sb_step *step = s->x->step + s->x->actor[process].first;
    sum_steps(s, process);
    for (size_t i = 0; i < n; i++) {
        struct sb_trip *t = &trip[i];
        uint32_t at = 0, end = s->x->actor[process].n, lo = end,
                 most = i > 0 && t->begin < trip[i - 1].replied ? MANY : end;
        SB_SEARCH(at, lo, step[mid].end <= t->begin);
        uint32_t k = at;
        s->longest_ns = 0;
        for (; k < end && k - at < most && step[k].start < t->replied; k++)
            split_step(s, t, &step[k]);
        for (uint32_t j = k; j > at;)
            s->waited[step[--j].waker] = 0;
        if (k < end && step[k].start < t->replied) {
            lo = end;
            uint32_t last = k;
            SB_SEARCH(last, lo, step[mid].start < t->replied);
            t->work_ns += s->before.at[last - 1].work_ns - s->before.at[k].work_ns;
            t->waiting_ns += s->before.at[last - 1].waiting_ns - s->before.at[k].waiting_ns;
            split_step(s, t, &step[last - 1]);
            s->waited[step[last - 1].waker] = 0;
            t->waits_for = t->waits_in = 0;
        }
        t->waits_for = t->by != process ? t->by : t->waits_for;
    }
}

/* A wait that the next message of a client ends is for requests, even if an earlier one has no reply yet: it is
 * parked. In a call, or for the init of a process that it starts, it takes none. */
static bool
is_free(const struct serving *s, const struct sb_step *step)
{
    struct sb_str at = sb_evidence_text(s->x, step->out);
    return step->wait == SB_WAIT_IDLE || (step->wait == SB_WAIT_ASKED && s->of[step->waker].is_client &&
                                          !sb_is_call(at) && !sb_is_start(at));
}

static int64_t
occupied(const struct serving *s, int64_t process, const struct sb_trip *trip, size_t n)
{
    const struct sb_evidence *x = s->x;
    SB_SCOPED struct sb_ranges held = {0}, parked = {0};
    for (size_t i = 0; i < n; i++) {
        int64_t from = trip[i].fetched > x->t0 ? trip[i].fetched : x->t0,
                to = trip[i].replied < x->t1 ? trip[i].replied : x->t1;
        if (to > from)
            sb_ranges_add(&held, from, to);
    }
    SB_EACH_STEP (x, process, step)
        if (is_free(s, step))
            sb_ranges_add(&parked, step->start + step->dur, step->start + step->dur + step->wait_ns);
    sb_ranges_unite(&held);
    sb_ranges_unite(&parked);
    int64_t ns = sb_ranges_ns(&held);
    sb_ranges_cut(&parked, &held);
    ns -= sb_ranges_ns(&parked);
    return ns;
}

/* ---- its figures ---- */

SB_ORDER(by_sending, struct sb_sort_key, SB_UP(key) ?: SB_UP(value))

static void
percentiles(times *v, int64_t out[2])
{
    sb_percentiles(v->at, v->n, out);
    v->n = 0;
}

static void
sum_trips(struct serving *s, struct sb_server_row *out, struct sb_servers *all)
{
    bool whole = false;
    for (size_t i = out->first; i < s->trips->n; i++)
        whole |= s->trips->at[i].sent != SB_NULL;
    for (size_t i = out->first; i < s->trips->n; i++) {
        const struct sb_trip *t = &s->trips->at[i];
        *SB_PUSH(&s->service) = t->replied - t->begin;
        *SB_PUSH(&s->work) = t->work_ns;
        if (t->sent != SB_NULL)
            *SB_PUSH(&s->mailbox) = t->begin > t->sent ? t->begin - t->sent : 0;
        if (t->sent != SB_NULL || !whole)
            sb_latency_add(&s->latency, t);
    }
    percentiles(&s->service, out->service);
    percentiles(&s->mailbox, out->mailbox);
    percentiles(&s->work, out->work);
    sb_latency_count(&s->latency, out->process, all);
    sb_latency_take(&s->latency, &out->latency);
}

static void
add_client(struct serving *s, int32_t client, struct sb_server_row *out)
{
    struct queue *q = &s->of[client];
    if (q->requests > out->most_requests) {
        out->most = client;
        out->most_requests = q->requests;
    }
    out->clients += q->is_far && q->requests > 0;
    out->requests += q->requests;
    q->requests = 0;
}

static void
each_client(struct serving *s, const struct sb_awaits *w, struct sb_server_row *out)
{
    const struct sb_evidence *x = s->x;
    size_t in = x->inbox[out->process], end = x->inbox[out->process + 1];
    for (uint32_t i = w->first[out->process]; i < w->first[out->process + 1]; i++)
        add_client(s, w->at[i].client, out);
    for (size_t i = in; i < end; i++)
        if (x->letter[i].asker > 0)
            add_client(s, x->letter[i].asker, out);
    for (uint32_t i = w->first[out->process]; i < w->first[out->process + 1]; i++)
        s->of[w->at[i].client] = (struct queue){0};
    for (size_t i = in; i < end; i++)
        s->of[client_of(&x->letter[i])] = (struct queue){0};
    for (size_t i = 0; i < s->out.n; i++)
        s->of[x->letter[s->out.at[i].value].receiver] = (struct queue){0};
}

/* Of a call that the server did not answer itself, another process may have sent the reply. */
static void
mark_far(struct serving *s, int64_t process)
{
    const struct sb_evidence *x = s->x;
    size_t own = s->out.n, in = x->inbox[process], end = x->inbox[process + 1];
    bool doubtful = false;
    for (size_t i = in; i < end; i++) {
        struct queue *q = &s->of[x->letter[i].asker];
        q->is_far = x->letter[i].asker > 0;
        q->calls += x->letter[i].is_call;
        doubtful |= is_doubtful(&x->letter[i]);
    }
    for (size_t i = 0; i < own; i++)
        s->of[x->letter[s->out.at[i].value].receiver].own++;
    for (size_t i = in; i < end; i++) {
        int32_t client = x->letter[i].asker;
        struct queue *q = &s->of[client];
        q->is_client |= q->is_far && (q->calls > 0 || q->own > 0);
        for (size_t k = x->inbox[client]; q->is_far && q->own < q->calls && k < x->inbox[client + 1]; k++)
            if (x->letter[k].sender > 0 && x->letter[k].sender != process)
                *SB_PUSH(&s->out) = (struct sb_sort_key){(uint64_t)x->letter[k].sent, k};
        q->own = q->own > q->calls ? q->own : q->calls;
    }
    s->home = doubtful ? sb_far_home(x, process) : 0;
}

static void
mark_clients(struct serving *s, const struct sb_awaits *w, int64_t process, struct sb_server_row *out)
{
    const struct sb_evidence *x = s->x;
    s->out.n = 0;
    for (size_t i = x->outbox[process]; i < x->outbox[process + 1]; i++)
        *SB_PUSH(&s->out) = (struct sb_sort_key){(uint64_t)x->letter[x->by_sender[i]].sent, x->by_sender[i]};
    size_t own = s->out.n;
    for (uint32_t i = w->first[process]; i < w->first[process + 1]; i++) {
        const struct sb_await *a = &w->at[i];
        if (a->answer > 0)
            *SB_PUSH(&s->out) = (struct sb_sort_key){(uint64_t)x->letter[a->answer].sent, a->answer};
        if (!a->is_request && a->answer == 0)
            continue;
        out->clients += !s->of[a->client].is_client;
        s->of[a->client].is_client = true;
        s->of[a->client].given_up += a->gave_up;
    }
    mark_far(s, process);
    if (s->out.n > own)
        SB_SORT(&s->out, by_sending);
}

static void
measure(struct serving *s, const struct sb_awaits *w, int64_t process, struct sb_servers *all)
{
    const struct sb_evidence *x = s->x;
    struct sb_server_row out = {.process = process, .most = SB_NULL, .first = s->trips->n};
    mark_clients(s, w, process, &out);
    count(s, process);
    serve(s, process);
    out.replies = (int64_t)(s->trips->n - out.first);
    int64_t occupied_ns = occupied(s, process, s->trips->at + out.first, (size_t)out.replies);
    each_client(s, w, &out);
    if (out.replies < FEWEST) {
        s->trips->n = out.first;
        return;
    }
    struct sb_trip *trip = s->trips->at + out.first;
    for (int64_t i = 0; i < out.replies; i++) { /* served later, but no caller waits for it any more */
        int64_t at = sb_awaits_given_up(x, w, process, trip[i].client, trip[i].sent);
        at = at == SB_NULL ? x->actor[trip[i].client].end : at;
        trip[i].gave_up = at != SB_NULL && at < trip[i].received;
        trip[i].received = trip[i].gave_up ? at : trip[i].received;
    }
    split(s, process, trip, (size_t)out.replies);
    sum_trips(s, &out, all);
    out.rate_ppm = (int64_t)((double)out.requests * 1e15 / (double)x->span_ns);
    out.utilisation_ppm = (int64_t)((double)x->actor[process].work_ns * 1e6 / (double)x->span_ns);
    out.occupied_ppm = (int64_t)((double)occupied_ns * 1e6 / (double)x->span_ns);
    *SB_PUSH(all) = out;
}

SB_ORDER(by_occupied, struct sb_server_row,
         SB_DOWN(occupied_ppm) ?: SB_DOWN(utilisation_ppm) ?: SB_UP(process))

void
sb_servers_find(const struct sb_evidence *x, const struct sb_awaits *w, struct sb_servers *out)
{
    struct serving s = {.x = x, .trips = &out->trips};
    s.of = sb_zeroed_or_die(x->n_actors + 1, sizeof *s.of);
    s.next = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *s.next, x->n_letters + 1));
    s.waited = sb_zeroed_or_die(x->n_actors + 1, sizeof *s.waited);
    sb_latency_open(&s.latency, x);
    SB_EACH_PRESENT (x, id)
        if (w->first[id + 1] - w->first[id] > 0 || sb_far_asks(x, id))
            measure(&s, w, id, out);
    SB_SORT(out, by_occupied);
    free(s.of);
    free(s.next);
    free(s.waited);
    sb_latency_close(&s.latency);
    SB_VEC_FREE(&s.out);
    SB_VEC_FREE(&s.before);
    SB_VEC_FREE(&s.service);
    SB_VEC_FREE(&s.mailbox);
    SB_VEC_FREE(&s.work);
}

/* ---- of pieces ---- */

struct part { /* what one piece has of a server */
    int64_t process;
    size_t piece;
    const struct sb_server_row *row;
    const struct sb_trip *trip;
};

SB_ORDER(by_process, struct part, SB_UP(process) ?: SB_UP(piece))

static void
join(struct serving *s, const struct part *of, size_t n, size_t pieces, struct sb_servers *all)
{
    struct sb_server_row out = {.process = of->process, .most = SB_NULL, .first = s->trips->n};
    for (size_t i = 0; i < n; i++) {
        const struct sb_server_row *r = of[i].row;
        out.clients = r->clients > out.clients ? r->clients : out.clients;
        out.requests += r->requests;
        out.replies += r->replies;
        out.rate_ppm += r->rate_ppm / (int64_t)pieces;
        out.utilisation_ppm += r->utilisation_ppm / (int64_t)pieces;
        out.occupied_ppm += r->occupied_ppm / (int64_t)pieces;
        s->waited[r->most > 0 ? r->most : 0] += r->most_requests;
        for (int64_t k = 0; k < r->replies; k++)
            *SB_PUSH(s->trips) = of[i].trip[r->first + (size_t)k];
    }
    for (size_t i = 0; i < n; i++) {
        int64_t most = of[i].row->most > 0 ? of[i].row->most : 0, requests = s->waited[most];
        if (requests > out.most_requests) {
            out.most = of[i].row->most;
            out.most_requests = requests;
        }
        s->waited[most] = 0;
    }
    sum_trips(s, &out, all);
    *SB_PUSH(all) = out;
}

void
sb_servers_join(const struct sb_evidence *x, const struct sb_servers *const *of, size_t n,
                struct sb_servers *out)
{
    SB_SCOPED SB_VEC(struct part) v = {0};
    struct serving s = {.x = x, .trips = &out->trips};
    s.waited = sb_zeroed_or_die(x->n_actors + 1, sizeof *s.waited);
    sb_latency_open(&s.latency, x);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < of[i]->n; k++)
            *SB_PUSH(&v) = (struct part){of[i]->at[k].process, i, &of[i]->at[k], of[i]->trips.at};
    SB_SORT(&v, by_process);
    for (size_t i = 0, to; i < v.n; i = to) {
        for (to = i + 1; to < v.n && v.at[to].process == v.at[i].process;)
            to++;
        join(&s, &v.at[i], to - i, n, out);
    }
    SB_SORT(out, by_occupied);
    free(s.waited);
    sb_latency_close(&s.latency);
    SB_VEC_FREE(&s.service);
    SB_VEC_FREE(&s.mailbox);
    SB_VEC_FREE(&s.work);
}

void
sb_servers_close(struct sb_servers *s)
{
    SB_VEC_FREE(&s->trips);
    SB_VEC_FREE(&s->buckets);
    SB_VEC_FREE(s);
}
