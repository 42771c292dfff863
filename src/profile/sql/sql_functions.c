/* SQL functions: who(process.id), a readable name, pid(process.id), and place(function), where its source stands. */
#include "base/arena.h"
#include "profile/places.h"
#include "profile/reader.h"
#include "profile/sql/sql_module.h"
#include "profile/who.h"

static int64_t
number_of(struct sb_reader *r, unsigned col, uint64_t row)
{
    return sb_reader_block(r, col, row / SB_BLOCK_ROWS)[row % SB_BLOCK_ROWS];
}

static struct sb_str
text_of(struct sb_reader *r, unsigned col, uint64_t row)
{
    return sb_profile_text(r->p, number_of(r, col, row));
}

/* Ids are assigned in order, so row N - 1 has id N. */
static bool
row_of(struct sb_reader *r, sqlite3_value *id, uint64_t *row)
{
    sqlite3_int64 i = sqlite3_value_int64(id);
    *row = (uint64_t)i - 1;
    return sqlite3_value_type(id) == SQLITE_INTEGER && i >= 1 && *row < sb_profile_rows(r->p, SB_T_process);
}

static void
put(sqlite3_context *ctx, struct sb_str s)
{
    sqlite3_result_text64(ctx, s.p, s.n, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void
who(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct sb_reader *r = sqlite3_user_data(ctx);
    uint64_t row;
    (void)argc;
    if (!row_of(r, argv[0], &row))
        return;
    struct sb_str s = sb_who(r->p, (int64_t)row + 1);
    bool is_pid = sb_str_eq(s, text_of(r, SB_C_process__pid, row));
    struct sb_str node =
        is_pid ? sb_profile_far_node(r->p, number_of(r, SB_C_process__node, row)) : SB_STR("");
    SB_ARENA(a);
    if (s.n > 0)
        put(ctx, node.n > 0 ? sb_arena_printf(&a, "%.*s on %.*s", SB_STR_ARG(s), SB_STR_ARG(node)) : s);
}

static void
pid(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct sb_reader *r = sqlite3_user_data(ctx);
    uint64_t row;
    (void)argc;
    if (row_of(r, argv[0], &row))
        put(ctx, text_of(r, SB_C_process__pid, row));
}

static void
place(sqlite3_context *ctx, int argc, sqlite3_value **argv)
{
    struct sb_reader *r = sqlite3_user_data(ctx);
    const char *name = (const char *)sqlite3_value_text(argv[0]);
    int64_t text =
        name ? sb_profile_find_text(r->p, (struct sb_str){name, (size_t)sqlite3_value_bytes(argv[0])})
             : SB_NULL;
    (void)argc;
    SB_ARENA(a);
    struct sb_str s = sb_place_text(r->p, text, &a);
    if (s.n > 0)
        put(ctx, s);
}

static void
close_reader(void *reader)
{
    sb_reader_close(reader);
}

static bool
add(struct sb_sql *q, const char *name, void (*fn)(sqlite3_context *, int, sqlite3_value **))
{
    return sqlite3_create_function_v2(q->db, name, 1, SQLITE_UTF8, sb_reader_open(q->p, SB_T_process), fn,
                                      NULL, NULL, close_reader) == SQLITE_OK;
}

bool
sb_sql_add_functions(struct sb_sql *q, struct sb_err *e)
{
    if (!add(q, "who", who) || !add(q, "pid", pid) || !add(q, "place", place))
        return sb_err_set(e, SB_ERR_SYSTEM, "SQLite: %s", sqlite3_errmsg(q->db));
    return true;
}
