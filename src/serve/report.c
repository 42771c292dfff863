/*
 * The page with its data inside, as one file. The questions that its views ask are asked here, through
 * the same routes, and their answers stand in the document under the addresses they would have had,
 * compressed; the page (state/report.ts) takes them from there. What is per process is added for those that
 * ran most, until the file is large enough.
 */
#include "export/gzip.h"
#include "serve/document.h"
#include "serve/process_order.h"
#include "serve/route.h"
#include "serve/serve.h"
#include <stdlib.h>

enum { MOST_BYTES = 9000000, MOST_PROCESSES = 300, MOST_FUNCTIONS = 60, MOST_CELLS = 120000 };

struct report {
    struct sb_profiles profiles;
    struct sb_served served;
    struct sb_sql *sql;
    struct sb_document document;
};

/* ---- the answers ---- */

static bool
answer_into(struct report *r, struct sb_arena *a, const char *address, struct sb_out *bytes, struct sb_err *e)
{
    struct sb_str query = sb_str_of(address), path = sb_str_cut(&query, '?');
    struct sb_request rq = {.arena = a, .profiles = &r->profiles, .served = &r->served, .sql = r->sql};
    struct sb_reply *reply = SB_NEW(a, struct sb_reply);
    const struct sb_route *route = sb_route_find(path, &rq.rest);
    SB_ASSERT(route);
    sb_reply_init(reply, a);
    SB_TRY(sb_request_params(&rq, query, e));
    SB_TRY(route->answer(&rq, reply, e));
    sb_reply_write(reply, bytes);
    return true;
}

static bool
pack(const struct sb_out *bytes, struct sb_out *packed, struct sb_err *e)
{
    struct sb_gzip *g = sb_realloc_or_die(NULL, sizeof *g);
    bool ok = sb_gzip_open(g, packed, e);
    if (ok) {
        sb_gzip_bytes(g, bytes->buf, bytes->n);
        ok = sb_gzip_close(g, e);
    }
    free(g);
    return ok;
}

/* `key`: the address the page asks by, without window and zoom; `address`: the question as it is asked here.
 */
static bool
save(struct report *r, const char *key, const char *address, struct sb_err *e)
{
    struct sb_arena arena;
    struct sb_out bytes, packed;
    sb_arena_init(&arena);
    sb_out_to_memory(&bytes);
    sb_out_to_memory(&packed);
    bool ok = answer_into(r, &arena, address, &bytes, e) && pack(&bytes, &packed, e);
    if (ok)
        sb_document_answer(&r->document, key, packed.buf, packed.n);
    sb_out_abandon(&packed);
    sb_out_abandon(&bytes);
    sb_arena_close(&arena);
    return ok;
}

static bool
save_views(struct report *r, struct sb_err *e)
{
    static const char *const same[] = {
        "info",      "overview",    "ask/tree",       "ask/functions",
        "ask/gc",    "ask/sample",  "answer/summary", "answer/summary?elixir=1",
        "ask/ports", "ask/largest", "ask/slowest",    "ask/called",
        "ask/marks", "latency"};
    static const char *const other[][2] = {{"timeline?track=all", "timeline?track=all&n=8192"},
                                           {"processes", "processes?n=5000"},
                                           {"calls", "calls?n=2800"},
                                           {"messages?level=process", "messages?level=process&n=4000"},
                                           {"messages?level=group", "messages?level=group&n=4000"},
                                           {"messages?level=scheduler", "messages?level=scheduler&n=4000"},
                                           {"messages?level=node", "messages?level=node&n=4000"}};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        SB_TRY(save(r, same[i], same[i], e));
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        SB_TRY(save(r, other[i][0], other[i][1], e));
    char address[80];
    uint64_t lanes = sb_profile_rows(r->served.profile, SB_T_scheduler), n = MOST_CELLS / (lanes + 1);
    snprintf(address, sizeof address, "lanes?of=scheduler&n=%llu",
             (unsigned long long)(n < 4096 ? n + 16 : 4096));
    return save(r, "lanes?of=scheduler", address, e);
}

static bool
save_processes(struct report *r, struct sb_err *e)
{
    struct sb_process_order_key k = {.column = SB_C_process__run_ns,
                                     .over = -1,
                                     .down = true,
                                     .group = SB_NULL,
                                     .parent = SB_NULL,
                                     .alive_from = 0,
                                     .alive_to = r->served.end_ns};
    uint64_t row[MOST_PROCESSES];
    size_t n = MOST_PROCESSES;
    sb_process_order_rows(r->served.roll, r->served.profile, &k, 0, &n, row);
    for (size_t i = 0; i < n && r->document.bytes < MOST_BYTES; i++) {
        long long id = sb_profile_cell(r->served.profile, SB_T_process, SB_C_process__id, row[i]);
        char key[64], address[80];
        snprintf(key, sizeof key, "ask/process?id=%lld", id);
        SB_TRY(save(r, key, key, e));
        snprintf(key, sizeof key, "lanes?of=process&ids=%lld", id);
        snprintf(address, sizeof address, "%s&n=%d", key, i < 12 ? 2400 : 1200);
        SB_TRY(save(r, key, address, e));
    }
    return true;
}

/* A function's name inside an address: bytes that are no letters or digits as %XX, as encodeURIComponent
 * does. */
static void
quote(char *to, size_t cap, struct sb_str mfa)
{
    size_t n = 0;
    for (size_t i = 0; i < mfa.n && n + 4 < cap; i++) {
        unsigned char c = (unsigned char)mfa.p[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     (c && strchr("-_.!~*'()", c));
        n += (size_t)(plain ? snprintf(to + n, cap - n, "%c", c) : snprintf(to + n, cap - n, "%%%02X", c));
    }
    to[n] = '\0';
}

static bool
save_functions(struct report *r, struct sb_err *e)
{
    const struct sb_profile *p = r->served.profile;
    uint64_t rows = sb_profile_rows(p, SB_T_function);
    for (uint64_t i = 0; i < rows && i < MOST_FUNCTIONS && r->document.bytes < MOST_BYTES; i++) {
        char mfa[1500], key[1600], address[1700];
        quote(mfa, sizeof mfa, sb_profile_text(p, sb_profile_cell(p, SB_T_function, SB_C_function__mfa, i)));
        static const char *const mode[] = {"callers", "callees"};
        for (size_t m = 0; m < 2; m++) {
            snprintf(key, sizeof key, "calls?mode=%s&f=%s", mode[m], mfa);
            snprintf(address, sizeof address, "%s&n=1400", key);
            SB_TRY(save(r, key, address, e));
        }
        snprintf(key, sizeof key, "ask/around?f=%s", mfa);
        SB_TRY(save(r, key, key, e));
    }
    return true;
}

static bool
write_page(struct report *r, struct sb_out *out, struct sb_err *e)
{
    sb_document_open(&r->document, out, true);
    SB_TRY(save_views(r, e));
    SB_TRY(save_functions(r, e));
    SB_TRY(save_processes(r, e));
    sb_document_close(&r->document);
    return true;
}

bool
sb_serve_report(const char *profile_path, struct sb_out *out, struct sb_err *e)
{
    struct report r = {.served = {.path = profile_path}};
    SB_TRY(sb_served_open(&r.served, profile_path, e));
    r.profiles = (struct sb_profiles){.served = &r.served, .n = 1};
    bool ok = sb_sql_open(&r.sql, r.served.profile, e) && write_page(&r, out, e);
    if (r.sql)
        sb_sql_close(r.sql);
    sb_served_close(&r.served);
    return ok;
}
