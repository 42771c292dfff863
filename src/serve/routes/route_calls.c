/* The joined call tree, or the two trees around one function; nodes too narrow for the picture are only
 * counted. */
#include "answer/call_tree.h"
#include "serve/route.h"

static const struct sb_column columns[] = {
    {"id", SB_INT, SB_U_ID, "place in this answer"},
    {"parent", SB_INT, SB_U_ID, "0 for a root"},
    {"mfa", SB_TEXT, SB_U_NONE, "function"},
    {"calls", SB_INT, SB_U_COUNT, ""},
    {"own", SB_INT, SB_U_NS, "in itself"},
    {"acc", SB_INT, SB_U_NS, "with what it called"},
    {"recursive", SB_INT, SB_U_COUNT, "calls folded into it"},
    {"first", SB_INT, SB_U_AT_NS, "first call"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void
write_nodes(const struct sb_call_tree *t, int64_t n, struct sb_reply *r)
{
    struct sb_table *to = sb_reply_table(r, "call", columns, COLUMNS);
    int64_t least = t->v.at[0].acc / (2 * n);
    bool *kept = SB_NEW_N(r->arena, bool, t->v.n + 1);
    kept[0] = true;
    for (uint32_t i = 1; i < t->v.n; i++) {
        const struct sb_call *c = &t->v.at[i];
        kept[i] = kept[c->parent] && c->acc >= least;
        if (!kept[i]) {
            to->rows_left_out++;
            continue;
        }
        union sb_cell *cell = sb_table_row(to);
        cell[0].i = i;
        cell[1].i = c->parent;
        cell[2].s = sb_arena_str(r->arena, sb_intern_text(&t->names, c->name));
        cell[3].i = c->calls;
        cell[4].i = c->own;
        cell[5].i = c->acc;
        cell[6].i = c->recursive;
        cell[7].i = c->first_ns;
    }
    sb_reply_int(r, "total", t->v.at[0].acc);
    sb_reply_bool(r, "sampled", t->sampled);
}

static void
answer(const struct sb_call_tree *t, unsigned mode, struct sb_str f, int64_t n, struct sb_reply *r)
{
    struct sb_call_tree part;
    if (mode == 0) { /* the whole tree */
        write_nodes(t, n, r);
        return;
    }
    sb_call_tree_open(&part);
    (mode == 1 ? sb_call_tree_above : sb_call_tree_below)(t, f, &part);
    write_nodes(&part, n, r);
    sb_call_tree_close(&part);
}

bool
sb_route_calls(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    unsigned mode;
    int64_t n, *id;
    size_t n_ids;
    struct sb_map only = {0};
    struct sb_call_filter f = {.only = &only};
    struct sb_call_tree t;
    SB_TRY(sb_request_choice(rq, "mode", "tree|callers|callees", &mode, e));
    SB_TRY(sb_request_window(rq, &f.t0, &f.t1, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){16, 8192, 1400}, &n, e));
    SB_TRY(sb_request_ids(rq, "p", &id, &n_ids, e));
    for (size_t i = 0; i < n_ids; i++) {
        bool is_new;
        sb_map_put(&only, (uint64_t)id[i], &is_new);
    }
    sb_call_tree_open(&t);
    sb_call_tree_read(&t, rq->served->profile, &f);
    answer(&t, mode, sb_request_text(rq, "f"), n, r);
    sb_call_tree_close(&t);
    sb_map_close(&only);
    return true;
}
