/*
 * The path of a request is its server, then the path of the request that this server made meanwhile and that took
 * longest:
 *
 *     client   |-------------- shop -> prices -> db --------------|
 *     shop        |--- users ---|   |---- prices -> db ----|
 *     prices                           |------ db -----|
 */
#include "why/find/findings.h"
#include "base/order.h"
#include "base/intern.h"
#include "base/map.h"
#include "base/sort.h"
#include "profile/who.h"
#include "why/program/elixir.h"

enum { MANY = 16 /* clients of one group */, LONGEST = 8 /* names that a path shows */ };

/* ---- paths ---- */

struct path {
    uint32_t name, rest; /* a path; 0: none */
};
struct paths {
    struct sb_trips *trips;
    struct sb_sort_key *by_sent;
    size_t n;
    uint32_t *made, *first; /* trips by client, then sent; by process.id, its first in `made` */
    uint32_t *name;         /* by process.id of a server */
    int64_t *node;          /* by process.id */
    struct sb_intern names;
    struct sb_map known; /* name and rest -> path */
    SB_VEC(struct path) at;
};

/* When it was sent, or at the latest. */
static int64_t
sent_at(const struct sb_trip *t)
{
    return t->sent != SB_NULL ? t->sent : t->fetched;
}

static void
index_trips(struct paths *p, const struct sb_evidence *x)
{
    size_t n = p->trips->n;
    struct sb_sort_key *tmp = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *tmp, n + 1));
    p->by_sent = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *p->by_sent, n + 1));
    p->made = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *p->made, n + 1));
    p->first = SB_NEW_N(x->arena, uint32_t, x->n_actors + 2);
    for (size_t i = 0; i < n; i++) {
        p->by_sent[p->n++] = (struct sb_sort_key){(uint64_t)sent_at(&p->trips->at[i]), i};
        p->first[p->trips->at[i].client + 2]++;
    }
    sb_sort_radix(p->by_sent, tmp, p->n);
    for (int64_t id = 2; id < x->n_actors + 2; id++)
        p->first[id] += p->first[id - 1];
    for (size_t i = 0; i < p->n; i++) /* afterwards each begins where the one before ended */
        p->made[p->first[p->trips->at[p->by_sent[i].value].client + 1]++] = (uint32_t)p->by_sent[i].value;
    free(tmp);
}

/* The path of the longest request that the server made while it served this one; 0: it made none. */
static uint32_t
rest_of(const struct paths *p, const struct sb_trip *t)
{
    uint32_t lo = p->first[t->server], end = p->first[t->server + 1], hi = end, rest = 0;
    int64_t longest = -1;
    /* the first that it sent since */
    SB_SEARCH(lo, hi, sent_at(&p->trips->at[p->made[mid]]) < t->begin);
    for (; lo < end && sent_at(&p->trips->at[p->made[lo]]) < t->replied; lo++) {
        const struct sb_trip *made = &p->trips->at[p->made[lo]];
        if (made->received - sent_at(made) > longest) {
            longest = made->received - sent_at(made);
            rest = made->path;
        }
    }
    return rest;
}

static uint32_t
put_path(struct paths *p, uint32_t name, uint32_t rest)
{
    uint32_t path = sb_map_place(&p->known, (uint64_t)name << 32 | rest, p->at.n);
    if (path == p->at.n)
        *SB_PUSH(&p->at) = (struct path){name, rest};
    return path;
}

/* A request is sent after the one that it is part of, so the last ones come first. */
static void
find_paths(struct paths *p)
{
    *SB_PUSH(&p->at) = (struct path){0};
    for (size_t i = p->n; i-- > 0;) {
        struct sb_trip *t = &p->trips->at[p->by_sent[i].value];
        t->path = put_path(p, p->name[t->server], rest_of(p, t));
    }
}

static struct sb_str
path_text(const struct sb_why *w, const struct paths *p, uint32_t path)
{
    struct sb_str s = p->names.text[p->at.at[path].name];
    uint32_t at = p->at.at[path].rest;
    for (unsigned n = 1; at > 0 && n < LONGEST; at = p->at.at[at].rest, n++)
        s = sb_arena_printf(w->arena, "%.*s -> %.*s", SB_STR_ARG(s),
                            SB_STR_ARG(p->names.text[p->at.at[at].name]));
    return at > 0 ? sb_arena_printf(w->arena, "%.*s -> ...", SB_STR_ARG(s)) : s;
}

/* ---- rows ---- */

struct asked {
    const struct sb_trip *trip;
    int64_t group;
    int32_t client; /* or the one that stands for its group */
};

enum order { BY_WHO_ASKED, BY_PATH, BY_CLIENT, BY_GROUP };

static uint64_t
key_of(const struct asked *a, enum order by)
{
    switch (by) {
    case BY_WHO_ASKED:
        return sb_sort_key_of(a->trip->client);
    case BY_PATH:
        return a->trip->path;
    case BY_CLIENT:
        return sb_sort_key_of(a->client);
    case BY_GROUP:
        break;
    }
    return sb_sort_key_of(a->group);
}

/* Those of one key stay in their order. */
static void
sort(struct asked *of, size_t n, enum order by)
{
    struct sb_sort_key *key = sb_realloc_or_die(NULL, sb_mul_or_die(2 * n, sizeof *key));
    struct asked *from = sb_copy_or_die(of, n * sizeof *of);
    for (size_t i = 0; i < n; i++)
        key[i] = (struct sb_sort_key){key_of(&of[i], by), i};
    sb_sort_radix(key, key + n, n);
    for (size_t i = 0; i < n; i++)
        of[i] = from[key[i].value];
    free(key);
    free(from);
}

/* The processes of a node that was not recorded are one group. */
static int64_t
group_of(const struct sb_evidence *x, const struct paths *p, const struct sb_trip *t)
{
    return t->sent != SB_NULL ? x->actor[t->client].group : INT64_MAX - p->node[t->client];
}

/* Lets the client that asked most stand for a group with many clients. */
static void
fold(struct asked *of, size_t n)
{
    size_t clients = 0, most = 0, asks = 0;
    int32_t stands = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_next = i == 0 || of[i].client != of[i - 1].client;
        clients += is_next;
        asks = is_next ? 1 : asks + 1;
        if (asks > most) {
            most = asks;
            stands = of[i].client;
        }
    }
    for (size_t i = 0; i < n && clients > MANY; i++)
        of[i].client = stands;
}

static size_t
row_end(const struct asked *of, size_t i, size_t n)
{
    size_t to = i + 1;
    while (to < n && of[to].client == of[i].client && of[to].trip->path == of[i].trip->path)
        to++;
    return to;
}

static void
put_rows(const struct sb_why *w, const struct paths *p, const struct asked *of, size_t n,
         struct sb_latency_sum *sum, struct sb_requests *out)
{
    for (size_t i = 0, to; i < n; i = to) {
        struct sb_request_row row = {.server = of[i].trip->server, .client = of[i].client};
        to = row_end(of, i, n);
        for (size_t k = i; k < to; k++) {
            row.clients += k == i || of[k].trip->client != of[k - 1].trip->client;
            sb_latency_add(sum, of[k].trip);
        }
        sb_latency_take(sum, &row.latency);
        row.path = sb_arena_str(w->arena, path_text(w, p, of[i].trip->path));
        *SB_PUSH(out) = row;
    }
}

static void
put_server(const struct sb_why *w, const struct paths *p, const struct sb_server_row *s,
           struct sb_latency_sum *sum, struct sb_requests *out)
{
    struct asked *of = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *of, (size_t)s->replies));
    size_t n = 0;
    for (size_t i = 0; i < (size_t)s->replies; i++) {
        const struct sb_trip *t = &p->trips->at[s->first + i];
        of[n++] = (struct asked){t, group_of(&w->x, p, t), t->client};
    }
    sort(of, n, BY_CLIENT);
    sort(of, n, BY_GROUP);
    for (size_t i = 0, to; i < n; i = to) {
        for (to = i + 1; to < n && of[to].group == of[i].group;)
            to++;
        fold(&of[i], of[i].group > 0 ? to - i : 0);
    }
    for (enum order by = BY_WHO_ASKED; by <= BY_CLIENT; by++)
        sort(of, n, by);
    put_rows(w, p, of, n, sum, out);
    free(of);
}

void
sb_requests_find(struct sb_why *w, struct sb_requests *out)
{
    struct paths p = {.trips = &w->servers.trips};
    struct sb_latency_sum sum;
    sb_intern_init(&p.names);
    sb_latency_open(&sum, &w->x);
    index_trips(&p, &w->x);
    p.node = SB_NEW_N(w->x.arena, int64_t, w->x.n_actors + 1);
    sb_profile_read(w->x.profile, SB_T_process, SB_C_process__node, 0, (uint64_t)w->x.n_actors - 1,
                    p.node + 1);
    p.name = SB_NEW_N(w->x.arena, uint32_t, w->x.n_actors + 1);
    for (size_t i = 0; i < w->servers.n; i++)
        p.name[w->servers.at[i].process] = sb_intern_put(
            &p.names, sb_elixir_name(sb_who(w->x.profile, w->servers.at[i].process), false, w->arena));
    find_paths(&p);
    for (size_t i = 0; i < w->servers.n; i++)
        put_server(w, &p, &w->servers.at[i], &sum, out);
    sb_latency_close(&sum);
    sb_map_close(&p.known);
    sb_intern_close(&p.names);
    SB_VEC_FREE(&p.at);
    free(p.by_sent);
    free(p.made);
}
