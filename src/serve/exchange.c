#include "serve/server.h"
#include <stdlib.h>
#include <strings.h>

static struct sb_str
header(struct MHD_Connection *c, const char *name)
{
    return sb_str_of(MHD_lookup_connection_value(c, MHD_HEADER_KIND, name));
}

struct seen_headers {
    unsigned once, repeats;
};

/* The headers that show where a request comes from, as bits. */
static enum MHD_Result
see_header(void *seen, enum MHD_ValueKind kind, const char *key, const char *value)
{
    static const char *const of_origin[] = {"Host", "Origin", "Sec-Fetch-Site"};
    struct seen_headers *s = seen;
    (void)kind, (void)value;
    for (unsigned i = 0; i < sizeof of_origin / sizeof *of_origin; i++)
        if (strcasecmp(key, of_origin[i]) == 0) {
            s->repeats |= s->once & 1u << i;
            s->once |= 1u << i;
        }
    return MHD_YES;
}

static bool
repeats_header(struct MHD_Connection *c)
{
    struct seen_headers seen = {0};
    MHD_get_connection_values(c, MHD_HEADER_KIND, see_header, &seen);
    return seen.repeats;
}

static enum MHD_Result
put_param(void *request, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct sb_request *r = request;
    (void)kind;
    if (r->n_params == SB_PARAMS)
        return MHD_NO;
    r->param[r->n_params++] = (struct sb_param){sb_str_of(key), sb_str_of(value ? value : "")};
    return MHD_YES;
}

static struct sb_exchange *
begin(struct sb_server *s, struct MHD_Connection *c, const char *url, const char *method)
{
    struct sb_exchange *x = SB_HEAP(struct sb_exchange, .server = s, .connection = c, .status = 200);
    x->request.arena = &x->arena;
    x->request.profiles = &s->profiles;
    x->post = strcmp(method, "POST") == 0;
    sb_out_to_memory(&x->body);
    sb_out_to_memory(&x->answer);
    MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, put_param, &x->request);
    struct sb_caller caller = {.host = header(c, "Host"),
                               .origin = header(c, "Origin"),
                               .fetch_site = header(c, "Sec-Fetch-Site"),
                               .cookie = header(c, "Cookie"),
                               .header_token = header(c, "X-Strobe-Token"),
                               .query_token = sb_request_text(&x->request, "token"),
                               .for_data = sb_str_starts(sb_str_of(url), SB_STR("/api/")),
                               .repeats = repeats_header(c)};
    x->verdict = sb_guard_judge(&s->guard, &caller);
    if (x->verdict == SB_LET_IN || x->verdict == SB_LET_IN_AND_REMEMBER)
        sb_visitor_let_in(&s->visitors, c);
    return x;
}

static void
take_body(struct sb_exchange *x, const char *upload, size_t n)
{
    if (x->body.n + n > SB_BODY_BYTES)
        x->too_long = true;
    else
        sb_out_bytes(&x->body, upload, n);
}

static enum MHD_Result
send_answer(struct sb_exchange *x)
{
    const char *type = x->status != 200 || x->json ? "application/json" : "application/octet-stream";
    struct MHD_Response *r =
        MHD_create_response_from_buffer(x->answer.n, x->answer.buf, MHD_RESPMEM_MUST_FREE);
    if (!r)
        return MHD_NO;
    sb_out_to_memory(&x->answer); /* the response owns the bytes now */
    MHD_add_response_header(r, "Content-Type", type);
    if (x->status == 200 && x->etag[0])
        MHD_add_response_header(r, "ETag", x->etag);
    return sb_send(x, r, x->status);
}

static enum MHD_Result
refuse(struct sb_exchange *x, unsigned status, const char *what, const char *advice)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sb_err_set(&e, SB_ERR_INPUT, "%s", what);
    sb_err_advise(&e, "%s", advice);
    sb_exchange_refuse(x, status, &e);
    return send_answer(x);
}

/* Running statements by the number that the page gave them: POST api/cancel?id=N stops one. */
static void
enlist(struct sb_exchange *x)
{
    struct sb_err ignored;
    if (!x->post ||
        !sb_request_int(&x->request, "id", (struct sb_request_limits){1, INT64_MAX, 0}, &x->statement,
                        &ignored) ||
        !x->statement)
        return;
    x->request.cancelled = &x->cancelled;
    x->next = x->server->statements;
    x->server->statements = x;
}

static void
delist(struct sb_exchange *x)
{
    for (struct sb_exchange **at = &x->server->statements; *at; at = &(*at)->next)
        if (*at == x) {
            *at = x->next;
            return;
        }
}

static enum MHD_Result
cancel(struct sb_exchange *x)
{
    struct sb_err e;
    int64_t id;
    bool found = false;
    if (!x->post || !sb_request_int(&x->request, "id", (struct sb_request_limits){1, INT64_MAX, 0}, &id, &e))
        return refuse(x, 405, "cancel a statement with POST and its number", "");
    for (struct sb_exchange *s = x->server->statements; s; s = s->next)
        if (s->statement == id && id != 0) {
            atomic_store(&s->cancelled, true);
            found = true;
        }
    sb_out_z(&x->answer, found ? "{\"cancelled\": true}\n" : "{\"cancelled\": false}\n");
    x->json = true;
    return send_answer(x);
}

/* Whether the request comes from a person who followed a link, not from a program or the page. */
static bool
wants_html(struct sb_exchange *x)
{
    const char *accepted = MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, "Accept");
    return accepted && strstr(accepted, "text/html");
}

/* Takes an edition of the profile whose number is the parameter `key`. */
static bool
take_profile(struct sb_exchange *x, const char *key, int64_t edition, size_t *listed,
             struct sb_served **served, struct sb_err *e)
{
    int64_t i;
    struct sb_profiles *profiles = &x->server->profiles;
    SB_TRY(
        sb_request_int(&x->request, key, (struct sb_request_limits){0, (int64_t)profiles->n - 1, 0}, &i, e));
    struct sb_listed *b = &profiles->listed[i];
    int state = atomic_load(&b->state);
    atomic_store(&b->is_wanted, true);
    *listed = (size_t)i;
    if (state == SB_SERVED_READY) {
        *served = sb_editions_take(&b->editions, (uint64_t)edition);
        if (!*served)
            return sb_err_set(e, SB_ERR_INPUT, "this state of the recording is no longer there") ||
                   sb_err_advise(e, "resume, or reload the page");
    } else if (!x->route->early) {
        if (state == SB_SERVED_FAILED)
            *e = b->err;
        else
            sb_err_set(e, SB_ERR_INPUT, "the trace is still being analysed");
        return false;
    }
    return true;
}

/* `with`: the newest edition of another profile, to compare. */
static bool
find_profiles(struct sb_exchange *x, struct sb_err *e)
{
    int64_t edition;
    struct sb_request *r = &x->request;
    if (x->route->early)
        sb_profiles_look(&x->server->profiles);
    SB_TRY(sb_request_int(r, "edition", (struct sb_request_limits){0, INT64_MAX, 0}, &edition, e));
    SB_TRY(take_profile(x, "profile", edition, &x->listed, &r->served, e));
    return !sb_request_text(r, "with").n || take_profile(x, "with", 0, &x->listed_with, &r->with.served, e);
}

/* The ETag of an answer: it depends on the question, the profiles and the build of the program. */
static bool
known_already(struct sb_exchange *x)
{
    if (x->post || x->route->early || !x->request.served)
        return false;
    uint64_t other = x->request.with.served ? sb_profile_hash(x->request.with.served->profile) : 0;
    snprintf(x->etag, sizeof x->etag, "\"%016llx-%llx-%llx%s\"",
             (unsigned long long)sb_profile_hash(x->request.served->profile), (unsigned long long)other,
             (unsigned long long)x->server->built, x->json ? "-json" : "");
    return sb_str_eq(header(x->connection, "If-None-Match"), sb_str_of(x->etag));
}

static bool
take_place(_Atomic unsigned *taken, unsigned most)
{
    bool free_place = atomic_fetch_add(taken, 1) < most;
    if (!free_place)
        atomic_fetch_sub(taken, 1);
    return free_place;
}

static enum MHD_Result
ask(struct sb_exchange *x, struct sb_str path)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    x->route = sb_route_find(path, &x->request.rest);
    if (!x->route)
        return refuse(x, 404, "unknown route", "src/serve/routes/route.def lists the routes");
    if (x->route->post != x->post)
        return refuse(x, 405, x->post ? "this route takes GET" : "this route takes POST", "");
    if (x->too_long)
        return refuse(x, 413, "the statement is longer than 64 kB", "make it shorter");
    x->json = sb_str_eq(sb_request_text(&x->request, "format"), SB_STR("json"));
    if (!find_profiles(x, &e)) {
        sb_exchange_refuse(x, 400, &e);
        return send_answer(x);
    }
    if (known_already(x))
        return sb_send(x, MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT), 304);
    x->request.rest = sb_arena_str(&x->arena, x->request.rest);
    x->request.body = (struct sb_str){x->body.buf, x->body.n};
    if (!take_place(&x->server->asked, SB_MOST_ASKED))
        return refuse(x, 503, "too many requests at a time", "try again in a moment");
    if (x->post && !take_place(&x->server->asked_statements, SB_STATEMENTS)) {
        atomic_fetch_sub(&x->server->asked, 1);
        return refuse(x, 503, "three statements are running", "wait for one to end, or cancel one");
    }
    enlist(x);
    x->question = sb_exchange_question(x);
    x->working = true;
    sb_visitor_waits(x->connection);
    MHD_suspend_connection(x->connection);
    sb_pool_submit(x->server->pool, sb_exchange_work, x);
    return MHD_YES;
}

static enum MHD_Result
dispatch(struct sb_exchange *x, const char *url, const char *method)
{
    struct sb_str path = sb_str_sub(sb_str_of(url), 1, strlen(url));
    if (x->verdict == SB_FOREIGN)
        return refuse(x, 403, "this request comes from another site or name",
                      "open the address that strobe serve printed");
    bool refused = x->verdict == SB_NO_TOKEN || x->verdict == SB_WRONG_TOKEN;
    if (refused && !sb_str_starts(path, SB_STR("api/")) && wants_html(x))
        return sb_page_refuse(x);
    if (refused)
        return refuse(x, 403,
                      x->verdict == SB_NO_TOKEN ? "the token is missing"
                                                : "the token is wrong, or of another run of strobe serve",
                      "open the address that strobe serve printed");
    if (!x->post && strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return refuse(x, 405, "only GET and POST are answered", "");
    if (sb_str_eq(path, SB_STR("api/events")))
        return sb_events_send(x);
    if (sb_str_eq(path, SB_STR("api/link")))
        return sb_link_send(x);
    if (sb_str_eq(path, SB_STR("api/cancel")))
        return cancel(x);
    if (sb_str_starts(path, SB_STR("api/")))
        return ask(x, sb_str_sub(path, 4, path.n));
    return sb_page_send(x, path);
}

enum MHD_Result
sb_exchange_step(void *server, struct MHD_Connection *c, const char *url, const char *method,
                 const char *version, const char *upload, size_t *n_upload, void **exchange)
{
    struct sb_exchange *x = *exchange;
    (void)version;
    if (!x) {
        *exchange = begin(server, c, url, method);
        return MHD_YES;
    }
    sb_visitor_steps(&x->server->visitors, c);
    if (*n_upload > 0) {
        take_body(x, upload, *n_upload);
        *n_upload = 0;
        return MHD_YES;
    }
    return x->working ? send_answer(x) : dispatch(x, url, method);
}

void
sb_exchange_over(void *server, struct MHD_Connection *c, void **exchange, enum MHD_RequestTerminationCode why)
{
    struct sb_exchange *x = *exchange;
    (void)server;
    (void)c;
    (void)why;
    if (!x)
        return;
    delist(x);
    const struct sb_profiles *all = &x->server->profiles;
    sb_editions_give_back(&all->listed[x->listed].editions, x->request.served);
    sb_editions_give_back(&all->listed[x->listed_with].editions, x->request.with.served);
    sb_out_abandon(&x->body);
    sb_out_abandon(&x->answer);
    sb_arena_close(&x->arena);
    if (x->working)
        sb_heap_trim(); /* the answer may have been large */
    free(x);
    *exchange = NULL;
}
