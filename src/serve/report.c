/*
 * The page with its data inside, as one file. The requests of its views (page_question.h) are made here,
 * through the same routes. The document holds their answers, compressed, by address, and the page takes
 * them from there (web/src/state/report.ts). Functions and processes are added in descending order of run
 * time, until the file reaches its size limit.
 */
#include "export/gzip.h"
#include "profile/cpu.h"
#include "serve/document.h"
#include "serve/process_order.h"
#include "serve/page_question.h"
#include "serve/route.h"
#include "serve/serve.h"
#include "why/why.h"
#include <stdlib.h>

enum {
    MOST_BYTES = 9000000,
    MOST_PROCESSES = 300,
    MOST_FUNCTIONS = 60,
    MOST_CELLS = 120000, /* of all schedulers */
    MOST_IN_LANE = 4096,
    IN_COMPARE = 12, /* processes that the view compares at first: with twice the cells */
};

struct report {
    struct sb_profiles profiles;
    struct sb_listed listed;
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

/* Saves the answer under the address that the page uses: the question's, followed by `value`. `cells`: the
 * number of cells that there is room for. */
static bool
save(struct report *r, const struct sb_page_question *q, const char *value, unsigned cells, struct sb_err *e)
{
    SB_ARENA(arena);
    SB_OUT_TO_MEMORY(bytes);
    SB_OUT_TO_MEMORY(packed);
    struct sb_str key = sb_arena_printf(&arena, "%s%s", q->address, value), address = key;
    if (*q->detail)
        address = sb_arena_printf(&arena, "%s%c%s", key.p, strchr(key.p, '?') ? '&' : '?', q->detail);
    if (sb_str_ends(sb_str_of(q->detail), SB_STR("=")))
        address = sb_arena_printf(&arena, "%s%u", address.p, cells);
    SB_TRY(answer_into(r, &arena, address.p, &bytes, e) && pack(&bytes, &packed, e));
    sb_document_answer(&r->document, key.p, packed.buf, packed.n);
    return true;
}

/* Saves the answers to all questions of a kind, for one process or function, or for the whole. */
static bool
save_all(struct report *r, unsigned when, const char *value, unsigned cells, struct sb_err *e)
{
    for (size_t i = 0; i < sb_n_page_questions; i++)
        if (sb_page_questions[i].when & when)
            SB_TRY(save(r, &sb_page_questions[i], value, cells, e));
    return true;
}

static bool
save_views(struct report *r, struct sb_err *e)
{
    uint64_t lanes = sb_profile_rows(r->served.profile, SB_T_scheduler), n = MOST_CELLS / (lanes + 1) + 16;
    return save_all(r, SB_ASKED_SAVED, "", n < MOST_IN_LANE ? (unsigned)n : MOST_IN_LANE, e);
}

static bool
save_processes(struct report *r, struct sb_err *e)
{
    struct sb_process_order_key k = {.column = SB_C_process__run_ns,
                                     .over = -1,
                                     .down = true,
                                     .group = SB_NULL,
                                     .parent = SB_NULL,
                                     .range = sb_range_of(r->served.profile, SB_NULL, SB_NULL)};
    uint64_t row[MOST_PROCESSES];
    size_t n = MOST_PROCESSES;
    sb_process_order_rows(r->served.roll, r->served.profile, &k, 0, &n, row);
    for (size_t i = 0; i < n && r->document.bytes < MOST_BYTES; i++) {
        char id[24];
        snprintf(id, sizeof id, "%lld", (long long)SB_CELL(r->served.profile, process, id, row[i]));
        SB_TRY(save_all(r, SB_ASKED_PROCESS, id, i < IN_COMPARE ? 2400 : 1200, e));
    }
    return true;
}

/* Writes a function's name as part of an address: like encodeURIComponent, with bytes other than letters and
 * digits as %XX. */
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

/* `mfa`: the id of its text. No more are saved when the file has its size. */
static bool
save_function(struct report *r, unsigned when, int64_t mfa, struct sb_err *e)
{
    char quoted[1500];
    quote(quoted, sizeof quoted, sb_profile_text(r->served.profile, mfa));
    return r->document.bytes >= MOST_BYTES || save_all(r, when, quoted, 0, e);
}

static bool
save_functions(struct report *r, struct sb_err *e)
{
    const struct sb_profile *p = r->served.profile;
    uint64_t rows = sb_profile_rows(p, SB_T_function);
    for (uint64_t i = 0; i < rows && i < MOST_FUNCTIONS; i++)
        SB_TRY(save_function(r, SB_ASKED_FUNCTION, SB_CELL(p, function, mfa, i), e));
    return true;
}

/* Saves the views of samples of the CPU, where the profile has any. */
static bool
save_cpu(struct report *r, struct sb_err *e)
{
    const struct sb_profile *p = r->served.profile;
    struct sb_cpu_choice all = {.range = sb_range_of(p, SB_NULL, SB_NULL)};
    struct sb_cpu_functions found;
    SB_ARENA(a);
    if (sb_profile_rows(p, SB_T_cpu_tick) == 0)
        return true;
    SB_TRY(save_all(r, SB_ASKED_SAVED_CPU, "", 0, e));
    sb_cpu_functions_find(sb_cpu_samples_of(p), &all, &a, &found);
    bool ok = true;
    for (size_t i = 0; ok && i < found.n && i < MOST_FUNCTIONS; i++)
        ok = save_function(r, SB_ASKED_CPU_FUNCTION, found.at[i].function, e);
    return ok;
}

static bool
write_page(struct report *r, struct sb_out *out, struct sb_err *e)
{
    sb_document_open(&r->document, out, true);
    SB_TRY(save_views(r, e));
    SB_TRY(save_functions(r, e));
    SB_TRY(save_cpu(r, e));
    SB_TRY(save_processes(r, e));
    sb_document_close(&r->document);
    return true;
}

bool
sb_serve_report(const char *profile_path, struct sb_out *out, struct sb_err *e)
{
    struct report r = {.listed = {.path = profile_path, .state = SB_SERVED_READY}};
    SB_TRY(sb_served_open(&r.served, profile_path, e));
    r.profiles = (struct sb_profiles){.listed = &r.listed, .n = 1};
    bool ok = sb_sql_open(&r.sql, r.served.profile, sb_why_tables, e) && write_page(&r, out, e);
    sb_sql_close(r.sql);
    sb_served_close(&r.served);
    return ok;
}
