/*
 * Asks routes of the server without a socket: ask PROFILE ADDRESS... prints an answer a line, as JSON. So a test
 * holds what the page is told against other voices.
 */
#include "serve/route.h"
#include "why/why.h"
#include <stdio.h>

static bool
ask(struct sb_request rq, char *address, struct sb_out *out, struct sb_err *e)
{
    struct sb_str query = sb_str_of(address), path = sb_str_cut(&query, '?');
    struct sb_reply *reply = SB_NEW(rq.arena, struct sb_reply);
    const struct sb_route *route = sb_route_find(path, &rq.rest);
    if (!route)
        return sb_err_set(e, SB_ERR_USAGE, "no route of this name: %s", address);
    sb_reply_init(reply, rq.arena);
    SB_TRY(sb_request_params(&rq, query, e));
    SB_TRY(route->answer(&rq, reply, e));
    sb_reply_write_json(reply, out);
    sb_out_char(out, '\n');
    return true;
}

static bool
ask_all(const char *path, char **address, struct sb_out *out, struct sb_err *e)
{
    struct sb_listed listed = {.path = path, .state = SB_SERVED_READY};
    struct sb_profiles profiles = {.listed = &listed, .n = 1};
    struct sb_served served = {0};
    struct sb_sql *sql;
    bool ok = true;
    SB_TRY(sb_served_open(&served, path, e));
    SB_TRY(sb_sql_open(&sql, served.profile, sb_why_tables, e));
    for (; *address && ok; address++) {
        struct sb_arena arena;
        arena = (struct sb_arena){0};
        ok = ask((struct sb_request){.arena = &arena, .profiles = &profiles, .served = &served, .sql = sql},
                 *address, out, e);
        sb_arena_close(&arena);
    }
    sb_sql_close(sql);
    sb_served_close(&served);
    return ok;
}

int
main(int argc, char **argv)
{
    struct sb_err e = {0};
    struct sb_out out;
    if (argc < 3)
        return 2;
    sb_out_to_memory(&out);
    bool ok = ask_all(argv[1], argv + 2, &out, &e);
    fwrite(out.buf, 1, out.n, stdout);
    sb_out_abandon(&out);
    if (!ok) {
        fprintf(stderr, "ask: %s\n", e.what);
        return 1;
    }
    return 0;
}
