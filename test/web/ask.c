/*
 * Asks routes of the server without a socket: ask PROFILE ADDRESS... prints an answer a line, as JSON. So a test
 * holds what the page is told against other voices. Without addresses it answers statements of SQL from standard
 * input, as `strobe query --format json` would; each and its answer end with a NUL.
 */
#include "serve/route.h"
#include "why/why.h"
#include <stdio.h>
#include <stdlib.h>

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
ask_sql(struct sb_sql *sql, const struct sb_profile *p, struct sb_str statement, struct sb_err *e)
{
    SB_ARENA(arena);
    struct sb_table t;
    struct sb_out out;
    SB_TRY(sb_sql_ask(sql, statement, NULL, 0, &(struct sb_sql_limits){0}, &arena, &t, e));
    if (sb_profile_damage(p, e))
        return false;
    sb_out_to_memory(&out);
    sb_table_write(&t, SB_FORMAT_JSON, &out);
    sb_out_char(&out, '\0');
    fwrite(out.buf, 1, out.n, stdout);
    sb_out_abandon(&out);
    return fflush(stdout) == 0 || sb_err_errno(e, "answer");
}

static bool
ask_statements(const char *path, struct sb_err *e)
{
    struct sb_profile *p;
    struct sb_sql *sql;
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    bool ok = true;
    SB_TRY(sb_profile_open(&p, path, e));
    if (!sb_sql_open(&sql, p, sb_why_tables, e)) {
        sb_profile_close(p);
        return false;
    }
    while (ok && (n = getdelim(&line, &room, '\0', stdin)) > 0)
        ok = ask_sql(sql, p, (struct sb_str){line, (size_t)n - 1}, e);
    free(line);
    sb_sql_close(sql);
    sb_profile_close(p);
    return ok;
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
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_out out;
    if (argc < 2)
        return 2;
    sb_out_to_memory(&out);
    bool ok = argc == 2 ? ask_statements(argv[1], &e) : ask_all(argv[1], argv + 2, &out, &e);
    fwrite(out.buf, 1, out.n, stdout);
    sb_out_abandon(&out);
    if (!ok) {
        sb_err_print(&e, stderr);
        return 1;
    }
    return 0;
}
