/*
 * A client is a process that waited for the server at least once. Its requests are its messages to the server. If the
 * server sent it as many messages, they answer the requests in order; if it sent fewer, some requests want no answer
 * (casts), and each message answers the request that was fetched last:
 *
 *     sent         could begin           reply       received
 *      |-- mailbox --|------ service ------|            |         could begin: the request is there, and the
 *      |-------------------- round trip ----------------|         reply before it is sent
 */
#include "why/server.h"
#include <stdlib.h>

enum { FEWEST = 10, NONE = -1 };

typedef SB_VEC(int64_t) times;

struct queue { /* of one client: letters to the server that it has not answered */
    int64_t head, tail;
    int64_t requests;
    int64_t asked, replies, last_reply; /* requests until the last reply, replies, and its time */
    bool is_client;
};

struct serving {
    const struct sb_evidence *x;
    struct queue *of; /* by process.id */
    int64_t *next;    /* by letter */
    times service, mailbox, round_trip;
};

/* ---- one server ---- */

static void
put_request(struct serving *s, size_t letter)
{
    struct queue *q = &s->of[s->x->letter[letter].sender];
    q->requests++;
    s->next[letter] = NONE;
    if (q->head == NONE)
        q->head = (int64_t)letter;
    else
        s->next[q->tail] = (int64_t)letter;
    q->tail = (int64_t)letter;
}

static void
take_reply(struct serving *s, const struct sb_letter *reply, int64_t *last)
{
    struct queue *q = &s->of[reply->receiver];
    bool in_order = q->asked == q->replies;
    const struct sb_letter *request = &s->x->letter[in_order ? q->head : q->tail];
    int64_t begin = request->received > *last ? request->received : *last;
    q->head = in_order ? s->next[q->head] : NONE;
    *last = reply->sent;
    *SB_PUSH(&s->service) = reply->sent > begin ? reply->sent - begin : 0;
    if (request->sent == SB_NULL)
        return;
    *SB_PUSH(&s->mailbox) = begin > request->sent ? begin - request->sent : 0;
    *SB_PUSH(&s->round_trip) = (reply->received != SB_NULL ? reply->received : reply->sent) - request->sent;
}

static void
count(struct serving *s, int64_t process)
{
    const struct sb_evidence *x = s->x;
    for (size_t i = x->outbox[process]; i < x->outbox[process + 1]; i++) {
        const struct sb_letter *reply = &x->letter[x->by_sender[i]];
        s->of[reply->receiver].replies++;
        s->of[reply->receiver].last_reply = reply->sent;
    }
    for (size_t i = x->inbox[process]; i < x->inbox[process + 1]; i++) {
        struct queue *q = &s->of[x->letter[i].sender];
        q->asked += x->letter[i].received != SB_NULL && x->letter[i].received <= q->last_reply;
    }
}

/* Requests by the time of receipt and replies by the time of sending, merged. */
static void
serve(struct serving *s, int64_t process)
{
    const struct sb_evidence *x = s->x;
    size_t in = x->inbox[process], in_end = x->inbox[process + 1], out = x->outbox[process],
           out_end = x->outbox[process + 1];
    int64_t last = 0;
    while (in < in_end || out < out_end) {
        const struct sb_letter *reply = out < out_end ? &x->letter[x->by_sender[out]] : NULL;
        if (in < in_end && (!reply || x->letter[in].received <= reply->sent)) {
            if (x->letter[in].received != SB_NULL && s->of[x->letter[in].sender].is_client)
                put_request(s, in);
            in++;
            continue;
        }
        if (s->of[reply->receiver].is_client && s->of[reply->receiver].head != NONE)
            take_reply(s, reply, &last);
        out++;
    }
}

static int
by_size(const void *p, const void *q)
{
    const int64_t *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

/* Median and 99th percentile: the smallest time that this share of all times does not exceed. */
static void
percentiles(times *v, int64_t out[2])
{
    out[0] = out[1] = SB_NULL;
    if (v->n == 0)
        return;
    qsort(v->at, v->n, sizeof *v->at, by_size);
    out[0] = v->at[(v->n - 1) / 2];
    out[1] = v->at[(v->n * 99 + 99) / 100 - 1];
    v->n = 0;
}

static void
each_client(struct serving *s, const struct sb_awaits *w, struct sb_server_row *out)
{
    for (uint32_t i = w->first[out->process]; i < w->first[out->process + 1]; i++) {
        struct queue *q = &s->of[w->at[i].client];
        if (q->requests > out->most_requests) {
            out->most = w->at[i].client;
            out->most_requests = q->requests;
        }
        out->requests += q->requests;
        *q = (struct queue){.head = NONE};
    }
}

static void
measure(struct serving *s, const struct sb_awaits *w, int64_t process, struct sb_servers *all)
{
    const struct sb_evidence *x = s->x;
    struct sb_server_row out = {.process = process, .clients = w->clients[process], .most = SB_NULL};
    for (uint32_t i = w->first[process]; i < w->first[process + 1]; i++)
        s->of[w->at[i].client] = (struct queue){.head = NONE, .is_client = true};
    count(s, process);
    serve(s, process);
    each_client(s, w, &out);
    out.replies = (int64_t)s->service.n;
    percentiles(&s->service, out.service);
    percentiles(&s->mailbox, out.mailbox);
    percentiles(&s->round_trip, out.round_trip);
    out.rate_ppm = (int64_t)((double)out.requests * 1e15 / (double)x->span_ns);
    out.utilisation_ppm = (int64_t)((double)x->actor[process].work_ns * 1e6 / (double)x->span_ns);
    if (out.replies >= FEWEST)
        *SB_PUSH(all) = out;
}

static int
by_utilisation(const void *p, const void *q)
{
    const struct sb_server_row *a = p, *b = q;
    return a->utilisation_ppm != b->utilisation_ppm
               ? (a->utilisation_ppm < b->utilisation_ppm) - (a->utilisation_ppm > b->utilisation_ppm)
               : (a->process > b->process) - (a->process < b->process);
}

void
sb_servers_find(const struct sb_evidence *x, const struct sb_awaits *w, struct sb_servers *out)
{
    struct serving s = {.x = x};
    s.of = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *s.of, x->n_actors + 1));
    s.next = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *s.next, x->n_letters + 1));
    for (uint64_t id = 0; id <= x->n_actors; id++)
        s.of[id] = (struct queue){.head = NONE};
    for (uint64_t id = 1; id < x->n_actors; id++)
        if (w->first[id + 1] - w->first[id] > 0)
            measure(&s, w, (int64_t)id, out);
    if (out->n > 1)
        qsort(out->at, out->n, sizeof *out->at, by_utilisation);
    free(s.of);
    free(s.next);
    SB_VEC_FREE(&s.service);
    SB_VEC_FREE(&s.mailbox);
    SB_VEC_FREE(&s.round_trip);
}
