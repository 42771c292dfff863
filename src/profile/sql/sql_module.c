/* What the virtual-table modules need from their connection. */
#include "base/progress.h"
#include "profile/sql/sql_module.h"

bool
sb_sql_expired(struct sb_sql *q)
{
    return atomic_load_explicit(&q->interrupted, memory_order_relaxed) ||
           (q->cancelled && atomic_load_explicit(q->cancelled, memory_order_relaxed)) ||
           (q->deadline_ns != 0 && sb_clock_ns() > q->deadline_ns);
}

int
sb_sql_declare(struct sb_sql *q, const struct sb_column *column, unsigned n, unsigned untyped,
               const char *const *hidden, unsigned n_hidden)
{
    static const char *const type[] = {[SB_INT] = "INTEGER", [SB_TEXT] = "TEXT", [SB_REAL] = "REAL"};
    sqlite3_str *sql = sqlite3_str_new(q->db);
    sqlite3_str_appendall(sql, "CREATE TABLE x");
    for (unsigned c = 0; c < n; c++)
        sqlite3_str_appendf(sql, "%s\"%w\" %s", c ? ", " : "(", column[c].name,
                            c < untyped ? "" : type[column[c].type]);
    for (unsigned h = 0; h < n_hidden; h++)
        sqlite3_str_appendf(sql, ", \"%w\" HIDDEN", hidden[h]);
    sqlite3_str_appendall(sql, ")");
    char *text = sqlite3_str_finish(sql);
    q->declaring = true;
    int rc = text ? sqlite3_declare_vtab(q->db, text) : SQLITE_NOMEM;
    q->declaring = false;
    sqlite3_free(text);
    return rc;
}
