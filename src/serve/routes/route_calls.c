/*
 * The joined call tree, that tree inverted, or the two trees around one function: of the recorded calls, or of samples
 * of the CPU. The callees of a node that are too narrow for the picture are one row, so that the rows below a node and
 * its own time are the whole of it.
 */
#include "answer/call_tree.h"
#include "profile/derive.h"
#include "serve/route.h"

static const struct sb_column columns[] = {
    {"id", SB_INT, SB_U_ID, "place in this answer"},
    {"parent", SB_INT, SB_U_ID, "0 for a root"},
    {"mfa", SB_TEXT, SB_U_NONE, "function; NULL: several nodes, each below least_acc and least_run"},
    {"calls", SB_INT, SB_U_COUNT, ""},
    {"own", SB_INT, SB_U_NS, "in itself"},
    {"acc", SB_INT, SB_U_NS, "with what it called"},
    {"run", SB_INT, SB_U_NS, "of that, without waiting"},
    {"recursive", SB_INT, SB_U_COUNT, "calls folded into it"},
    {"first", SB_INT, SB_U_AT_NS, "first call"},
    {"more", SB_INT, SB_U_COUNT, "nodes that the row stands for; 0: it is one"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* Those of a tree of stacks count samples. */
static const struct sb_column *
columns_of(const struct sb_call_tree *t, struct sb_arena *a)
{
    struct sb_column *c = SB_NEW_N(a, struct sb_column, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) {
        c[i] = columns[i];
        c[i].unit = t->sampled && c[i].unit == SB_U_NS ? SB_U_COUNT : c[i].unit;
    }
    return c;
}

static union sb_cell *
put_row(struct sb_table *to, int64_t id, const struct sb_call *c)
{
    union sb_cell *cell = sb_table_row(to);
    cell[0].i = id;
    cell[1].i = c->parent;
    cell[3].i = c->calls;
    cell[4].i = c->own;
    cell[5].i = c->acc;
    cell[6].i = c->run;
    cell[7].i = c->recursive;
    cell[8].i = c->first_ns;
    return cell;
}

struct more { /* the narrow nodes below one that is shown */
    struct sb_call sum;
    int64_t nodes;
};

static void
add_more(struct more *m, const struct sb_call *c)
{
    struct sb_call *s = &m->sum;
    s->first_ns =
        m->nodes == 0 || (c->first_ns != SB_NULL && c->first_ns < s->first_ns) ? c->first_ns : s->first_ns;
    s->parent = c->parent;
    s->calls += c->calls;
    s->own += c->acc;
    s->acc += c->acc;
    s->run += c->run;
    s->recursive += c->recursive;
    m->nodes++;
}

struct least {
    int64_t acc, run;
};

/* A node is shown where it is wide enough in a picture of all time, or in one of running time. */
static bool
is_wide(const struct sb_call *c, struct least least)
{
    return c->acc >= least.acc || (c->run > 0 && c->run >= least.run);
}

static void
write_nodes(const struct sb_call_tree *t, int64_t n, struct sb_reply *r)
{
    struct sb_table *to = sb_reply_table(r, "call", columns_of(t, r->arena), COLUMNS);
    const struct sb_call *all = &t->v.at[0];
    struct least least = {all->acc / (2 * n), all->run / (2 * n)};
    bool *shown = SB_NEW_N(r->arena, bool, t->v.n);
    struct more *more = SB_NEW_N(r->arena, struct more, t->v.n);
    shown[0] = true;
    for (uint32_t i = 1; i < t->v.n; i++) {
        const struct sb_call *c = &t->v.at[i];
        if (t->sampled && c->calls == 0)
            continue; /* no chosen stack has it */
        shown[i] = shown[c->parent] && is_wide(c, least);
        if (shown[i])
            put_row(to, i, c)[2].s = sb_arena_str(r->arena, sb_intern_text(&t->names, c->name));
        else if (shown[c->parent])
            add_more(&more[c->parent], c);
    }
    for (uint32_t i = 0; i < t->v.n; i++)
        if (more[i].nodes > 0)
            put_row(to, (int64_t)t->v.n + i, &more[i].sum)[9].i = more[i].nodes;
    sb_reply_int(r, "total", all->acc);
    sb_reply_int(r, "total_run", all->run);
    sb_reply_int(r, "least_acc", least.acc);
    sb_reply_int(r, "least_run", least.run);
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
    if (mode == 3)
        sb_call_tree_inverted(t, &part);
    else
        (mode == 1 ? sb_call_tree_above : sb_call_tree_below)(t, f, &part);
    write_nodes(&part, n, r);
    sb_call_tree_close(&part);
}

/* ---- the tree of the whole run, which the saved page asks of each function ---- */

static void
read_all(struct sb_call_tree *t, const struct sb_profile *p, bool cpu)
{
    const struct sb_map all = {0};
    sb_call_tree_open(t);
    sb_call_tree_read(t, p, &(struct sb_call_filter){sb_range_of(p, SB_NULL, SB_NULL), &all, cpu});
}

static bool
make_recorded(void *tree, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a, (void)e;
    read_all(tree, p, false);
    return true;
}

static bool
make_cpu(void *tree, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a, (void)e;
    read_all(tree, p, true);
    return true;
}

static void
close_tree(void *tree)
{
    sb_call_tree_close(tree);
}

static const struct sb_derived whole[] = {{sizeof(struct sb_call_tree), make_recorded, close_tree},
                                          {sizeof(struct sb_call_tree), make_cpu, close_tree}};

bool
sb_route_calls(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    unsigned mode, of;
    int64_t n;
    SB_SCOPED_MAP struct sb_map only = {0};
    struct sb_call_filter f = {.only = &only};
    struct sb_call_tree t;
    SB_TRY(sb_request_choice(rq, "of", "recorded|cpu", &of, e));
    f.cpu = of != 0;
    SB_TRY(sb_request_choice(rq, "mode", "tree|callers|callees|inverted", &mode, e));
    SB_TRY(sb_request_range(rq, &f.range, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){16, 8192, 1400}, &n, e));
    SB_TRY(sb_request_id_set(rq, "p", &only, e));
    if (only.n == 0 && !sb_range_is_part(f.range)) {
        const struct sb_call_tree *all = sb_profile_derive(rq->served->profile, &whole[of], e);
        if (all)
            answer(all, mode, sb_request_text(rq, "f"), n, r);
        return all != NULL;
    }
    sb_call_tree_open(&t);
    sb_call_tree_read(&t, rq->served->profile, &f);
    answer(&t, mode, sb_request_text(rq, "f"), n, r);
    sb_call_tree_close(&t);
    return true;
}
