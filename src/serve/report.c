/*
 * The page with its data inside, as one file. The requests of its views (page_question.h) are made here,
 * through the same routes. The document holds their answers, compressed, by address, and the page takes
 * them from there (web/src/state/report.ts). Functions and processes are added in descending order of run
 * time, until the file reaches its size limit; stacks over time have one of their own.
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
    MOST_BYTES = 3450000,    /* of answers; the page itself has 400,000 */
    MOST_OVER_TIME = 300000, /* bytes of the stacks of processes over time */
    MOST_PROCESSES = 300,
    MOST_FUNCTIONS = 60,
    MOST_LANES = 64,     /* schedulers with their samples */
    MOST_CELLS = 120000, /* of all schedulers */
    MOST_IN_LANE = 4096,
    IN_COMPARE = 12, /* processes that the view compares at first: with twice the cells */
};

struct side { /* a profile */
    struct sb_served served;
    struct sb_sql *sql;
};

struct report {
    struct sb_profiles profiles;
    struct sb_listed listed[2];
    struct side of[2];        /* the profile, and the one that it is compared with */
    struct sb_served *served; /* of the first */
    struct sb_document document;
};

/* ---- the answers ---- */

static bool
answer_into(struct report *r, struct sb_arena *a, const char *address, struct sb_out *bytes, struct sb_err *e)
{
    struct sb_str query = sb_str_of(address), path = sb_str_cut(&query, '?');
    struct sb_request rq = {.arena = a, .profiles = &r->profiles};
    struct sb_request_limits which = {0, (int64_t)r->profiles.n - 1, 0};
    int64_t number, with;
    struct sb_reply *reply = SB_NEW(a, struct sb_reply);
    const struct sb_route *route = sb_route_find(path, &rq.rest);
    SB_ASSERT(route);
    sb_reply_init(reply, a);
    SB_TRY(sb_request_params(&rq, query, e) && sb_request_int(&rq, "profile", which, &number, e) &&
           sb_request_int(&rq, "with", which, &with, e));
    rq.served = &r->of[number].served;
    rq.sql = r->of[number].sql;
    rq.with.served = &r->of[with].served;
    rq.with.sql = r->of[with].sql;
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
    uint64_t lanes = sb_profile_rows(r->served->profile, SB_T_scheduler), n = MOST_CELLS / (lanes + 1) + 16;
    return save_all(r, SB_ASKED_SAVED, "", n < MOST_IN_LANE ? (unsigned)n : MOST_IN_LANE, e);
}

static bool
save_id(struct report *r, unsigned when, int64_t id, unsigned cells, struct sb_err *e)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)id);
    return save_all(r, when, text, cells, e);
}

static bool
save_servers(struct report *r, struct sb_err *e)
{
    static const char most[] =
        "SELECT server FROM round_trip GROUP BY server ORDER BY sum(count) DESC LIMIT 60";
    SB_ARENA(a);
    struct sb_sql_limits limits = {SB_QUERY_TIME_NS, SB_QUERY_ROWS};
    struct sb_table t;
    bool ok = sb_sql_ask(r->of[0].sql, sb_str_of(most), NULL, 0, &limits, &a, &t, e);
    for (size_t i = 0; ok && i < t.n_rows; i++)
        ok = save_id(r, SB_ASKED_SERVER, t.cell[i].i, 0, e);
    return ok;
}

static bool
save_processes(struct report *r, struct sb_err *e)
{
    struct sb_process_order_key k = {.column = SB_C_process__run_ns,
                                     .over = -1,
                                     .down = true,
                                     .group = SB_NULL,
                                     .parent = SB_NULL,
                                     .range = sb_range_of(r->served->profile, SB_NULL, SB_NULL)};
    uint64_t row[MOST_PROCESSES];
    size_t n = MOST_PROCESSES, over_time = 0;
    unsigned stacks = (sb_profile_rows(r->served->profile, SB_T_activation) ? SB_ASKED_CALLED : 0u) |
                      (sb_profile_rows(r->served->profile, SB_T_cpu_tick) ? SB_ASKED_SAMPLED : 0u);
    sb_process_order_rows(r->served->roll, r->served->profile, &k, 0, &n, row);
    for (size_t i = 0; i < n && r->document.bytes < MOST_BYTES; i++) {
        int64_t id = SB_CELL(r->served->profile, process, id, row[i]);
        SB_TRY(save_id(r, SB_ASKED_PROCESS, id, i < IN_COMPARE ? 2400 : 1200, e));
        size_t before = r->document.bytes;
        SB_TRY(over_time > MOST_OVER_TIME || save_id(r, stacks, id, 0, e));
        over_time += r->document.bytes - before;
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

/* `mfa`: the id of its text. Half of the file is left to processes. */
static bool
save_function(struct report *r, unsigned when, int64_t mfa, struct sb_err *e)
{
    char quoted[1500];
    quote(quoted, sizeof quoted, sb_profile_text(r->served->profile, mfa));
    return r->document.bytes >= MOST_BYTES / 2 || save_all(r, when, quoted, 0, e);
}

static bool
save_functions(struct report *r, struct sb_err *e)
{
    const struct sb_profile *p = r->served->profile;
    uint64_t rows = sb_profile_rows(p, SB_T_function);
    for (uint64_t i = 0; i < rows && i < MOST_FUNCTIONS; i++)
        SB_TRY(save_function(r, SB_ASKED_FUNCTION, SB_CELL(p, function, mfa, i), e));
    return true;
}

/* Saves the views of samples of the CPU, where the profile has any. */
static bool
save_cpu(struct report *r, struct sb_err *e)
{
    const struct sb_profile *p = r->served->profile;
    struct sb_cpu_choice all = {.range = sb_range_of(p, SB_NULL, SB_NULL)};
    struct sb_cpu_functions found;
    SB_ARENA(a);
    if (sb_profile_rows(p, SB_T_cpu_tick) == 0)
        return true;
    SB_TRY(save_all(r, SB_ASKED_SAVED_CPU, "", 0, e));
    sb_cpu_functions_find(sb_cpu_samples_of(p), &all, &a, &found);
    bool ok = true;
    for (size_t i = 0; ok && i < sb_profile_rows(p, SB_T_scheduler) && i < MOST_LANES; i++)
        ok = save_id(r, SB_ASKED_SCHEDULER, SB_CELL(p, scheduler, id, i), 0, e);
    for (size_t i = 0; ok && i < found.n && i < MOST_FUNCTIONS; i++)
        ok = save_function(r, SB_ASKED_CPU_FUNCTION, found.at[i].function, e);
    return ok;
}

static bool
write_page(struct report *r, struct sb_out *out, struct sb_err *e)
{
    static const char *const later[] = {"graph.js", "notice.txt", "diff.js", NULL};
    static const char *const alone[] = {"graph.js", "notice.txt", NULL};
    sb_document_open(&r->document, out, r->profiles.n > 1 ? later : alone);
    SB_TRY(save_views(r, e));
    SB_TRY(r->profiles.n == 1 || save_all(r, SB_ASKED_OTHER, "", 0, e));
    SB_TRY(save_functions(r, e));
    SB_TRY(save_cpu(r, e));
    SB_TRY(save_servers(r, e));
    SB_TRY(save_processes(r, e));
    sb_document_close(&r->document);
    return true;
}

static bool
open_side(struct report *r, const char *path, struct sb_err *e)
{
    size_t i = r->profiles.n;
    r->listed[i].path = path;
    r->listed[i].state = SB_SERVED_READY;
    SB_TRY(sb_served_open(&r->of[i].served, path, e));
    r->profiles.n = i + 1;
    return sb_sql_open(&r->of[i].sql, r->of[i].served.profile, sb_why_tables, e);
}

bool
sb_serve_report(const char *profile_path, const char *other, struct sb_out *out, struct sb_err *e)
{
    struct report r = {0};
    r.profiles.listed = r.listed;
    r.served = &r.of[0].served;
    bool ok = open_side(&r, profile_path, e) && (!other || open_side(&r, other, e)) && write_page(&r, out, e);
    for (size_t i = 0; i < r.profiles.n; i++) {
        sb_sql_close(r.of[i].sql);
        sb_served_close(&r.of[i].served);
    }
    return ok;
}
