/* The first question of the page: the profiles, and what is known of the selected one. */
#include "answer/losses.h"
#include "base/shell.h"
#include "serve/route.h"

static const struct sb_column node_columns[] = {{"id", SB_INT, SB_U_ID, ""},
                                                {"name", SB_TEXT, SB_U_NONE, "node name"},
                                                {"otp", SB_TEXT, SB_U_NONE, ""},
                                                {"schedulers", SB_INT, SB_U_COUNT, "normal schedulers"},
                                                {"clock_offset_ns", SB_INT, SB_U_NS, ""},
                                                {"clock_error_ns", SB_INT, SB_U_NS, ""},
                                                {"clock_conflict_ns", SB_INT, SB_U_NS, ""},
                                                {"ambiguous", SB_INT, SB_U_COUNT, ""},
                                                {"trace_start", SB_INT, SB_U_AT_NS, "NULL: it has no trace"}};
static const struct sb_column scheduler_columns[] = {{"id", SB_INT, SB_U_ID, ""},
                                                     {"node", SB_INT, SB_U_ID, "node.id"},
                                                     {"number", SB_INT, SB_U_NONE, ""},
                                                     {"kind", SB_TEXT, SB_U_NONE, ""},
                                                     {"slice_ns", SB_INT, SB_U_NS, "sum of its slices"},
                                                     {"active_ns", SB_INT, SB_U_NS, "from system_profile"},
                                                     {"slices", SB_INT, SB_U_COUNT, ""},
                                                     {"gc_ns", SB_INT, SB_U_NS, ""}};
static const struct sb_column meta_columns[] = {{"key", SB_TEXT, SB_U_NONE, ""},
                                                {"value", SB_TEXT, SB_U_NONE, ""}};
static const struct sb_column served_columns[] = {
    {"path", SB_TEXT, SB_U_NONE, "file name"},
    {"argument", SB_TEXT, SB_U_NONE, "what commands take"},
    {"state", SB_TEXT, SB_U_NONE, "analysing, ready, failed, closed"},
    {"error", SB_TEXT, SB_U_NONE, "why it failed"}};
static const struct sb_column table_columns[] = {{"name", SB_TEXT, SB_U_NONE, "table"},
                                                 {"rows", SB_INT, SB_U_COUNT, ""},
                                                 {"doc", SB_TEXT, SB_U_NONE, "what a row is"},
                                                 {"columns", SB_TEXT, SB_U_NONE, "their names"}};

#define COUNT_OF(a) (sizeof(a) / sizeof *(a))
enum { MOST_ROWS = 4096 };

/* Copies the first rows of a profile's table, matching columns by name. */
static void
copy(const struct sb_profile *p, enum sb_tab tab, struct sb_table *t)
{
    uint64_t rows = sb_profile_rows(p, tab);
    for (uint64_t i = 0; i < rows && i < MOST_ROWS; i++) {
        union sb_cell *cell = sb_table_row(t);
        for (size_t c = 0; c < t->n_columns; c++) {
            int from = sb_schema_column(tab, sb_str_of(t->column[c].name));
            int64_t v = sb_profile_cell(p, tab, (unsigned)from, i);
            if (t->column[c].type == SB_TEXT)
                cell[c].s = sb_profile_text(p, v);
            else
                cell[c].i = v;
        }
    }
    t->rows_left_out = rows > MOST_ROWS ? rows - MOST_ROWS : 0;
}

static struct sb_str
column_names(struct sb_arena *a, enum sb_tab tab)
{
    struct sb_str names = SB_STR("");
    for (unsigned c = 0; c < sb_schema[tab].n_columns; c++)
        names =
            sb_arena_printf(a, "%.*s%s%s", SB_STR_ARG(names), c ? " " : "", sb_schema[tab].column[c].name);
    return names;
}

static void
write_tables(const struct sb_profile *p, struct sb_reply *r)
{
    struct sb_table *t = sb_reply_table(r, "table", table_columns, COUNT_OF(table_columns));
    for (unsigned i = 0; i < SB_TABLES; i++)
        SB_ROW(t, {.s = sb_str_of(sb_schema[i].name)}, {.i = (int64_t)sb_profile_rows_told(p, i)},
               {.s = sb_str_of(sb_schema[i].doc)}, {.s = column_names(r->arena, i)});
}

static void
write_served(const struct sb_profiles *s, struct sb_reply *r)
{
    static const char *const name[] = {"analysing", "ready", "failed"};
    struct sb_table *t = sb_reply_table(r, "served", served_columns, COUNT_OF(served_columns));
    for (size_t i = 0; i < s->n; i++) {
        union sb_cell *c = sb_table_row(t);
        const char *slash = strrchr(s->listed[i].path, '/');
        int state = atomic_load(&s->listed[i].state);
        c[0].s = sb_str_of(slash ? slash + 1 : s->listed[i].path);
        c[1].s = sb_shell_word(sb_str_of(s->listed[i].path), r->arena);
        c[2].s = atomic_load(&s->listed[i].is_wanted) ? sb_str_of(name[state]) : SB_STR("closed");
        c[3].s = state == SB_SERVED_FAILED ? sb_arena_str(r->arena, sb_str_of(s->listed[i].err.what))
                                           : (struct sb_str){0};
    }
}

/* Whether more editions of this profile may come. */
static bool
is_followed(const struct sb_request *rq)
{
    struct sb_err ignored;
    int64_t i = 0;
    struct sb_request_limits which = {0, (int64_t)rq->profiles->n - 1, 0};
    return sb_request_int(rq, "profile", which, &i, &ignored) &&
           sb_listed_is_followed(&rq->profiles->listed[i]);
}

bool
sb_route_info(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    (void)e;
    write_served(rq->profiles, r);
    sb_reply_text(r, "version", sb_str_of(SB_VERSION));
    sb_reply_bool(r, "source", rq->profiles->n_source_dirs > 0);
    sb_reply_bool(r, "ready", rq->served != NULL);
    bool followed = is_followed(rq);
    sb_reply_bool(r, "followed", followed);
    if (!rq->served)
        return true;
    if (followed)
        sb_reply_int(r, "edition", (int64_t)sb_editions_number(rq->served));
    const struct sb_profile *p = rq->served->profile;
    sb_reply_int(r, "end_ns", rq->served->end_ns);
    sb_reply_text(r, "hash", sb_arena_printf(r->arena, "%016llx", (unsigned long long)sb_profile_hash(p)));
    sb_reply_bool(r, "replaced", sb_served_fate(rq->served) == SB_SERVED_REPLACED);
    /* a column is NULL where the source could not give it; views say why they are empty */
    sb_reply_bool(r, "messages", sb_profile_has_values(p, SB_T_process, SB_C_process__sends));
    sb_reply_bool(r, "gc", sb_profile_has_values(p, SB_T_process, SB_C_process__gc_ns));
    sb_reply_bool(r, "elixir", rq->served->elixir);
    struct sb_losses lost = sb_losses_find(p);
    sb_reply_text(r, "lost", sb_losses_text(&lost, r->arena));
    sb_reply_text(r, "counted", sb_losses_counted(p, r->arena));
    copy(p, SB_T_node, sb_reply_table(r, "node", node_columns, COUNT_OF(node_columns)));
    copy(p, SB_T_scheduler, sb_reply_table(r, "scheduler", scheduler_columns, COUNT_OF(scheduler_columns)));
    copy(p, SB_T_meta, sb_reply_table(r, "known", meta_columns, COUNT_OF(meta_columns)));
    write_tables(p, r);
    return true;
}
