#include "serve/server.h"
#include "base/json.h"
#include "serve/asset.h"
#include <stdlib.h>

enum MHD_Result
sb_send(struct sb_exchange *x, struct MHD_Response *r, unsigned status)
{
    static const char *const header[][2] = {
        {"X-Content-Type-Options", "nosniff"},         {"Referrer-Policy", "no-referrer"},
        {"Cross-Origin-Opener-Policy", "same-origin"}, {"Cross-Origin-Resource-Policy", "same-origin"},
        {"Cache-Control", "private, no-cache"},
    };
    MHD_add_response_header(r, "Content-Security-Policy", x->server->front.policy);
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        MHD_add_response_header(r, header[i][0], header[i][1]);
    enum MHD_Result done = MHD_queue_response(x->connection, status, r);
    MHD_destroy_response(r);
    return done;
}

/* Moves the token from the address bar to a cookie that requests of other sites do not carry. */
static enum MHD_Result
remember(struct sb_exchange *x)
{
    char cookie[160];
    struct MHD_Response *r = MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict", x->server->guard.cookie,
             x->server->guard.token);
    MHD_add_response_header(r, "Set-Cookie", cookie);
    MHD_add_response_header(r, "Location", "/");
    return sb_send(x, r, 303);
}

static bool
takes_gzip(struct MHD_Connection *c)
{
    const char *accepted = MHD_lookup_connection_value(c, MHD_HEADER_KIND, "Accept-Encoding");
    return accepted && strstr(accepted, "gzip");
}

static struct MHD_Response *
asset_response(const struct sb_asset *a, bool gzip)
{
    struct MHD_Response *r =
        gzip ? MHD_create_response_from_buffer(a->gzip_bytes, (void *)(uintptr_t)a->gzip,
                                               MHD_RESPMEM_PERSISTENT)
             : MHD_create_response_from_buffer(a->plain_bytes, sb_asset_plain(a), MHD_RESPMEM_MUST_FREE);
    MHD_add_response_header(r, "Content-Type", a->type);
    MHD_add_response_header(r, "ETag", a->etag);
    MHD_add_response_header(r, "Vary", "Accept-Encoding");
    if (gzip)
        MHD_add_response_header(r, "Content-Encoding", "gzip");
    return r;
}

static bool
is_unchanged(struct sb_editions *editions)
{
    struct sb_served *b = sb_editions_take(editions, 0);
    bool is = b && sb_served_fate(b) == SB_SERVED_SAME;
    sb_editions_give_back(editions, b);
    return is;
}

/* Returns the document with answers if they are known and still valid, else the one without. */
static const struct sb_asset *
front_asset(struct sb_server *s)
{
    const struct sb_listed *first = &s->profiles.listed[0];
    if (!sb_profiles_is_settled(&s->profiles) || atomic_load(&first->state) != SB_SERVED_READY ||
        !is_unchanged(&s->profiles.listed[0].editions))
        return s->front.bare;
    const struct sb_asset *full = atomic_load(&s->front.full);
    if (full)
        return full;
    sb_server_warm(s);
    return s->front.bare;
}

static enum MHD_Result
send_text(struct sb_exchange *x, const char *text, const char *type, unsigned status)
{
    struct MHD_Response *r =
        MHD_create_response_from_buffer(strlen(text), (void *)(uintptr_t)text, MHD_RESPMEM_MUST_COPY);
    MHD_add_response_header(r, "Content-Type", type);
    return sb_send(x, r, status);
}

enum MHD_Result
sb_link_send(struct sb_exchange *x)
{
    return send_text(x, x->server->url, "text/plain; charset=utf-8", 200);
}

enum MHD_Result
sb_page_refuse(struct sb_exchange *x)
{
    static const char format[] =
        "<!doctype html><html lang=en><meta charset=utf-8><title>strobe: the token is %s</title><h1>The "
        "token is %s</h1><p>A profile reveals what a program does, so <code>strobe serve</code> shows "
        "it only at the address with the token.</p><p>Open the address that <code>strobe serve</code> "
        "printed when it started (it contains <code>?token=</code>), or choose <b>Copy link</b> on a page "
        "that is open already. If the server was restarted, the token has changed.</p></html>\n";
    const char *is = x->verdict == SB_NO_TOKEN ? "missing" : "wrong";
    char text[sizeof format + 16];
    snprintf(text, sizeof text, format, is, is);
    return send_text(x, text, "text/html; charset=utf-8", 403);
}

enum MHD_Result
sb_page_send(struct sb_exchange *x, struct sb_str path)
{
    const struct sb_asset *a = path.n == 0 ? front_asset(x->server) : sb_asset_find(path);
    const char *known = MHD_lookup_connection_value(x->connection, MHD_HEADER_KIND, "If-None-Match");
    if (x->verdict == SB_LET_IN_AND_REMEMBER && path.n == 0)
        return remember(x);
    if (!a)
        return sb_send(
            x, MHD_create_response_from_buffer(10, (void *)(uintptr_t) "not found\n", MHD_RESPMEM_PERSISTENT),
            404);
    if (known && strcmp(known, a->etag) == 0)
        return sb_send(x, MHD_create_response_from_buffer(0, NULL, MHD_RESPMEM_PERSISTENT), 304);
    return sb_send(x, asset_response(a, takes_gzip(x->connection)), 200);
}

static void
write_progress(const struct sb_profiles *s, struct sb_json *j)
{
    static const char *const name[] = {
        [SB_SERVED_ANALYSING] = "analysing", [SB_SERVED_READY] = "ready", [SB_SERVED_FAILED] = "failed"};
    sb_json_arr(j);
    for (size_t i = 0; i < s->n; i++) {
        int state = atomic_load(&s->listed[i].state);
        sb_json_obj(j);
        SB_JSON(j, "state", str, sb_str_of(name[state]));
        SB_JSON(j, "done_bytes", u64, atomic_load(&s->listed[i].done_bytes));
        SB_JSON(j, "total_bytes", u64, atomic_load(&s->listed[i].total_bytes));
        SB_JSON(j, "error", str, sb_str_of(state == SB_SERVED_FAILED ? s->listed[i].err.what : ""));
        sb_json_end(j);
    }
    sb_json_end(j);
}

/* Sends one event and ends the stream; the browser asks again after `retry`, so none is held open. */
enum MHD_Result
sb_events_send(struct sb_exchange *x)
{
    struct sb_json j;
    sb_out_z(&x->answer, "retry: 250\nevent: progress\ndata: ");
    sb_json_open(&j, &x->answer, false);
    write_progress(&x->server->profiles, &j);
    sb_out_z(&x->answer, "\n\n");
    struct MHD_Response *r =
        MHD_create_response_from_buffer(x->answer.n, x->answer.buf, MHD_RESPMEM_MUST_FREE);
    sb_out_to_memory(&x->answer);
    MHD_add_response_header(r, "Content-Type", "text/event-stream");
    return sb_send(x, r, 200);
}
