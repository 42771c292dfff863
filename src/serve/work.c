#include "serve/server.h"
#include "base/json.h"
#include "base/progress.h"
#include "serve/page_question.h"
#include "why/why.h"

static void
put(struct sb_json *j, const char *key, const char *text)
{
    SB_JSON(j, key, str, sb_str_of(text));
}

void
sb_exchange_refuse(struct sb_exchange *x, unsigned status, const struct sb_err *e)
{
    struct sb_json j;
    x->status = status;
    x->answer.n = 0;
    sb_json_open(&j, &x->answer, false);
    sb_json_obj(&j);
    put(&j, "error", e->what);
    if (e->advice[0])
        put(&j, "advice", e->advice);
    sb_json_end(&j);
}

static bool
join(struct sb_exchange *x, struct sb_served *b, unsigned worker, struct sb_sql **sql, struct sb_err *e)
{
    if (!b)
        return true;
    if (sb_served_fate(b) == SB_SERVED_OVERWRITTEN)
        return sb_err_set(e, SB_ERR_INPUT, "the profile was overwritten while it was served") ||
               sb_err_advise(e, "start strobe serve again");
    struct sb_sql *_Atomic *mine = &b->sql[worker];
    struct sb_sql *q = atomic_load(mine); /* the thread that stops the server reads it too */
    if (!q) {
        SB_TRY(sb_sql_open(&q, b->profile, sb_why_tables, e));
        atomic_store(mine, q);
    }
    if (atomic_load(&x->server->profiles.stop))
        return sb_err_set(e, SB_ERR_INPUT, "the server is shutting down");
    *sql = q;
    return true;
}

static bool
work_out(struct sb_exchange *x, struct sb_err *e)
{
    struct sb_reply *reply = SB_NEW(&x->arena, struct sb_reply);
    sb_reply_init(reply, &x->arena);
    x->request.deadline_ns = sb_clock_ns() + SB_QUERY_TIME_NS;
    SB_TRY(x->route->answer(&x->request, reply, e));
    (x->json ? sb_reply_write_json : sb_reply_write)(reply, &x->answer);
    return true;
}

static bool
answer(struct sb_exchange *x, unsigned worker, struct sb_err *e)
{
    struct sb_answer_cache *kept = x->server->kept;
    struct sb_request *r = &x->request;
    SB_TRY(join(x, r->served, worker, &r->sql, e));
    SB_TRY(join(x, r->with.served, worker, &r->with.sql, e));
    if (x->question.n == 0)
        return work_out(x, e);
    if (sb_answer_cache_get(kept, x->question, &x->answer))
        return true;
    bool ok = work_out(x, e);
    sb_answer_cache_put(kept, x->question, ok ? &x->answer : NULL);
    return ok;
}

void
sb_exchange_work(void *exchange, unsigned worker)
{
    struct sb_exchange *x = exchange;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!answer(x, worker, &e))
        sb_exchange_refuse(x, e.code == SB_ERR_SYSTEM ? 500 : e.code == SB_ERR_LIMIT ? 413 : 400, &e);
    sb_arena_close(&x->arena); /* the answer is serialized, and may wait for a slow client */
    atomic_fetch_sub(&x->server->asked, 1);
    if (x->route->post)
        atomic_fetch_sub(&x->server->asked_statements, 1);
    MHD_resume_connection(x->connection);
}

/* Returns the key of a question: profile, form, route and parameters. */
struct sb_str
sb_exchange_question(struct sb_exchange *x)
{
    struct sb_request *r = &x->request;
    if (x->post || x->route->early || !r->served)
        return (struct sb_str){0};
    uint64_t other = r->with.served ? sb_editions_number(r->with.served) : 0;
    struct sb_str q = sb_arena_printf(
        &x->arena, "%zu.%llu.%llu %d %s/%.*s", x->listed, (unsigned long long)sb_editions_number(r->served),
        (unsigned long long)other, x->json, x->route->name, SB_STR_ARG(r->rest));
    for (size_t i = 0; i < r->n_params; i++)
        q = sb_arena_printf(&x->arena, "%.*s&%.*s=%.*s", SB_STR_ARG(q), SB_STR_ARG(r->param[i].key),
                            SB_STR_ARG(r->param[i].value));
    return q;
}

/* Answers one of the first questions before a page asks, and puts the answer into `document` unless it is
   NULL. */
static bool
warm(struct sb_server *s, size_t listed, struct sb_served *served, const char *address, unsigned worker,
     struct sb_document *document)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_exchange x = {.server = s, .listed = listed};
    struct sb_str query = sb_str_of(address), path = sb_str_cut(&query, '?');
    sb_out_to_memory(&x.answer);
    x.request = (struct sb_request){.arena = &x.arena, .profiles = &s->profiles, .served = served};
    x.route = sb_route_find(path, &x.request.rest);
    SB_ASSERT(x.route);
    bool ok = sb_request_params(&x.request, query, &e);
    if (ok) {
        x.question = sb_exchange_question(&x);
        ok = answer(&x, worker, &e); /* an error is reported to a page that asks */
    }
    if (ok && document)
        sb_document_answer(document, address, x.answer.buf, x.answer.n);
    sb_out_abandon(&x.answer);
    sb_arena_close(&x.arena);
    return ok;
}

static bool
warm_profile(struct sb_server *s, size_t listed, unsigned worker, struct sb_document *document)
{
    struct sb_editions *editions = &s->profiles.listed[listed].editions;
    struct sb_served *b = sb_editions_take(editions, 0);
    unsigned first = b && b->elixir ? SB_ASKED_FIRST_ELIXIR : SB_ASKED_FIRST_ERLANG;
    bool ok = b != NULL;
    for (size_t i = 0; ok && i < sb_n_page_questions; i++)
        if (sb_page_questions[i].when & first)
            ok = !atomic_load(&s->profiles.stop) &&
                 warm(s, listed, b, sb_page_questions[i].address, worker, document);
    sb_editions_give_back(editions, b);
    return ok;
}

static void
make_front(struct sb_server *s, unsigned worker)
{
    struct sb_document document;
    struct sb_out out;
    sb_out_to_memory(&out);
    sb_document_open(&document, &out, NULL);
    if (warm_profile(s, 0, worker, &document)) {
        sb_document_close(&document);
        atomic_store(&s->front.full, sb_first_page_pack(&out));
    } else
        sb_out_abandon(&out);
}

static void
warm_all(void *server, unsigned worker)
{
    struct sb_server *s = server;
    bool settled = sb_profiles_is_settled(&s->profiles); /* the document lists all profiles */
    for (size_t i = 0; i < s->profiles.n; i++) {
        if (atomic_load(&s->profiles.listed[i].state) != SB_SERVED_READY)
            continue;
        if (i == 0 && settled && !atomic_load(&s->front.full))
            make_front(s, worker);
        else
            warm_profile(s, i, worker, NULL);
    }
    atomic_store(&s->front.making, false);
}

void
sb_server_warm(struct sb_server *s)
{
    if (!atomic_exchange(&s->front.making, true))
        sb_pool_submit(s->pool, warm_all, s);
}
