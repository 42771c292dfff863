/*
 * Functions, however they were called: their time in the whole call tree, and who calls whom. The functions with the
 * largest shares are shown, and the calls between these. Recursion is folded in the tree, so a call inside a recursion
 * counts for the outermost one; the calls themselves are those of table call_edge.
 */
#include "answer/call_tree.h"
#include "profile/scan_row.h"
#include "serve/route.h"
#include <stdlib.h>

static const struct sb_column function_columns[] = {
    {"mfa", SB_TEXT, SB_U_NONE, "function"},
    {"calls", SB_INT, SB_U_COUNT, ""},
    {"acc", SB_INT, SB_U_NS, "with what it called"},
    {"run", SB_INT, SB_U_NS, "of that, without waiting"},
};
static const struct sb_column edge_columns[] = {
    {"caller", SB_TEXT, SB_U_NONE, "function"},
    {"callee", SB_TEXT, SB_U_NONE, "function; the caller where it calls itself"},
    {"calls", SB_INT, SB_U_COUNT, ""},
};

struct function {
    uint32_t name;
    bool is_shown;
    int64_t calls, acc, run;
    double share; /* the larger of its shares of all time and of running time */
};
struct edge {
    uint32_t caller, callee;
    int64_t calls;
};
struct graph {
    const struct sb_profile *profile;
    struct sb_call_filter filter;
    struct sb_call_tree tree;
    struct function *of; /* by name */
    struct sb_map edge_of;
    SB_VEC(struct edge) edges;
};

static void
add_edge(struct graph *g, uint32_t caller, uint32_t callee, int64_t calls)
{
    if (calls <= 0 || !g->of[caller].is_shown || !g->of[callee].is_shown)
        return;
    uint64_t key = (uint64_t)caller << 32 | callee;
    SB_AT_KEY(&g->edge_of, key, &g->edges, .caller = caller, .callee = callee)->calls += calls;
}

static void
add_functions(struct graph *g)
{
    const struct sb_call *v = g->tree.v.at;
    for (uint32_t i = 1; i < g->tree.v.n; i++) {
        struct function *f = &g->of[v[i].name];
        bool is_outermost = sb_call_tree_outermost(&g->tree, i);
        f->calls += v[i].calls;
        f->acc += is_outermost ? v[i].acc : 0;
        f->run += is_outermost ? v[i].run : 0;
    }
}

static double
share(int64_t part, int64_t of)
{
    return of > 0 ? (double)part / (double)of : 0;
}

static int
by_share(const void *x, const void *y)
{
    const struct function *a = *(struct function *const *)x, *b = *(struct function *const *)y;
    return a->share != b->share ? (a->share < b->share) - (a->share > b->share)
                                : (a->name > b->name) - (a->name < b->name);
}

/* Writes the `most` functions with the largest shares; returns the number of all, without suspend and
 * garbage_collect. */
static uint32_t
write_functions(struct graph *g, int64_t most, struct sb_reply *r)
{
    struct sb_table *to =
        sb_reply_table(r, "function", function_columns, sizeof function_columns / sizeof *function_columns);
    struct function **order = SB_NEW_N(r->arena, struct function *, g->tree.names.n);
    uint32_t n = 0, functions = 0;
    for (uint32_t name = 0; name < g->tree.names.n; name++) {
        struct function *f = &g->of[name];
        double acc = share(f->acc, g->tree.v.at[0].acc), run = share(f->run, g->tree.v.at[0].run);
        f->name = name;
        f->share = acc > run ? acc : run;
        if (f->calls == 0 && f->acc == 0)
            continue;
        order[n++] = f;
        functions += memchr(sb_intern_text(&g->tree.names, name).p, ':',
                            sb_intern_text(&g->tree.names, name).n) != NULL;
    }
    qsort(order, n, sizeof(struct function *), by_share);
    for (uint32_t i = 0; i < n && i < most; i++) {
        order[i]->is_shown = true;
        SB_ROW(to, {.s = sb_arena_str(r->arena, sb_intern_text(&g->tree.names, order[i]->name))},
               {.i = order[i]->calls}, {.i = order[i]->acc}, {.i = order[i]->run});
    }
    return functions;
}

/* Sampled stacks have no table of calls: who is above whom in them. */
static void
add_edges_of_tree(struct graph *g)
{
    const struct sb_call *v = g->tree.v.at;
    for (uint32_t i = 1; i < g->tree.v.n; i++)
        if (v[i].parent != 0)
            add_edge(g, v[v[i].parent].name, v[i].name, v[i].calls);
}

static void
add_edges(struct graph *g)
{
    uint32_t from, to;
    SB_SCAN(s, g->profile, call_edge, process, caller, callee, calls);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (sb_call_filter_has(&g->filter, s.value[process][i]) && s.value[caller][i] != SB_NULL &&
            sb_intern_find(&g->tree.names, sb_profile_text(g->profile, s.value[caller][i]), &from) &&
            sb_intern_find(&g->tree.names, sb_profile_text(g->profile, s.value[callee][i]), &to))
            add_edge(g, from, to, s.value[calls][i]);
}

static void
write_edges(struct graph *g, struct sb_reply *r)
{
    struct sb_table *to = sb_reply_table(r, "edge", edge_columns, sizeof edge_columns / sizeof *edge_columns);
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct edge *e = &g->edges.at[i];
        SB_ROW(to, {.s = sb_arena_str(r->arena, sb_intern_text(&g->tree.names, e->caller))},
               {.s = sb_arena_str(r->arena, sb_intern_text(&g->tree.names, e->callee))}, {.i = e->calls});
    }
}

bool
sb_route_call_graph(const struct sb_request *rq, struct sb_reply *r, struct sb_err *e)
{
    int64_t most;
    unsigned of;
    SB_SCOPED_MAP struct sb_map only = {0};
    const struct sb_profile *p = rq->served->profile;
    struct graph g = {.profile = p, .filter = {.range = sb_range_of(p, SB_NULL, SB_NULL), .only = &only}};
    SB_TRY(sb_request_choice(rq, "of", "recorded|cpu", &of, e));
    g.filter.cpu = of != 0;
    if (g.filter.cpu)
        SB_TRY(sb_request_range(rq, &g.filter.range, e));
    SB_TRY(sb_request_int(rq, "n", (struct sb_request_limits){16, 8192, 600}, &most, e));
    SB_TRY(sb_request_id_set(rq, "p", &only, e));
    sb_call_tree_open(&g.tree);
    sb_call_tree_read(&g.tree, p, &g.filter);
    g.of = SB_NEW_N(r->arena, struct function, g.tree.names.n + 1);
    add_functions(&g);
    sb_reply_int(r, "functions", write_functions(&g, most, r));
    (g.tree.sampled ? add_edges_of_tree : add_edges)(&g);
    write_edges(&g, r);
    sb_reply_int(r, "total", g.tree.v.at[0].acc);
    sb_reply_int(r, "total_run", g.tree.v.at[0].run);
    sb_call_tree_close(&g.tree);
    sb_map_close(&g.edge_of);
    SB_VEC_FREE(&g.edges);
    return true;
}
