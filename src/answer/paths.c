/* The merged call trees of all processes, or of the selected ones: one row per call path. */
#include "answer/answer.h"
#include "answer/call_tree.h"

static const struct sb_column columns[] = {
    {"path", SB_TEXT, SB_U_NONE, "function, indented below its caller"},
    {SB_OF(call_node, calls)},
    {SB_OF(call_node, own_ns)},
    {"acc_ns", SB_INT, SB_U_NS, "time including its callees, and waiting"},
    {"acc_ppm", SB_INT, SB_U_PPM, "acc_ns as a share of the time of all roots"},
    {SB_OF(call_node, tail)},
    {SB_OF(call_node, recursive)},
    {SB_OF(call_node, first)},
    {SB_OF(call_node, last)},
    {"run_ns", SB_INT, SB_U_NS, "acc_ns without waiting (suspend)"},
    {"depth", SB_INT, SB_U_NONE, "number of callers above it"},
    {"id", SB_INT, SB_U_ID, "number in this answer"},
    {"parent", SB_INT, SB_U_ID, "id of its caller, 0 for a root"},
    {"function", SB_TEXT, SB_U_NONE, "m:f/a"},
    {0},
};

SB_ANSWER(paths) = {
    .name = "paths",
    .title = "Call paths, by time",
    .doc = "One row per call path, below its caller. Equal paths of several processes are merged, and "
           "recursion is folded into the first call. --since and --until select the paths that were called "
           "in that range; their figures are those of the whole run.",
    .needs = "--trace calls --module M",
    .ask = answer,
    .own_limit = true,
    .limit = 40,
    .column = columns,
    .narrow = "path,calls,own_ns,acc_ns,acc_ppm",
    .hide = "id,parent,depth,function",
};

enum { PATH, CALLS, OWN, ACC, SHARE, TAIL, RECURSIVE, FIRST, LAST, RUN, DEPTH, ID, PARENT, FUNCTION, N };

struct paths {
    const struct sb_ask *ask;
    struct sb_call_tree tree;
    uint32_t *order;           /* nodes, the longest first */
    uint32_t *child, *sibling; /* of the shown nodes; 0: none */
    uint32_t *id;
};

/* A caller's time is at least that of its callees, so the longest paths are connected. */
static int
by_time(const void *x, const void *y, void *tree)
{
    const struct sb_call_tree *t = tree;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    int64_t v = t->v.at[a].acc, w = t->v.at[b].acc;
    return v != w ? (v < w) - (v > w) : (a > b) - (a < b);
}

static size_t
link_longest(struct paths *p, size_t most)
{
    size_t n = p->tree.v.n - 1, shown = n < most ? n : most;
    for (uint32_t i = 0; i < n; i++)
        p->order[i] = i + 1;
    qsort_r(p->order, n, sizeof *p->order, by_time, &p->tree);
    for (size_t i = shown; i-- > 0;) { /* from the shortest, so that the longest child comes first */
        uint32_t node = p->order[i], parent = p->tree.v.at[node].parent;
        p->sibling[node] = p->child[parent];
        p->child[parent] = node;
    }
    return n - shown;
}

static int64_t
share(int64_t part, int64_t of)
{
    return of > 0 ? (int64_t)((double)part / (double)of * 1e6 + 0.5) : SB_NULL;
}

static void
put_node(struct paths *p, uint32_t node, unsigned depth, struct sb_table *t)
{
    enum { DEEPEST_SHOWN = 40 };
    const struct sb_call *n = &p->tree.v.at[node];
    struct sb_str name = sb_arena_str(p->ask->arena, sb_intern_text(&p->tree.names, n->name));
    union sb_cell *c = sb_table_row(t);
    unsigned in = depth < DEEPEST_SHOWN ? depth : DEEPEST_SHOWN;
    p->id[node] = (uint32_t)t->n_rows;
    c[PATH].s = sb_arena_printf(p->ask->arena, "%*s%.*s", (int)(2 * in), "", SB_STR_ARG(name));
    c[CALLS].i = n->calls;
    c[OWN].i = n->own;
    c[ACC].i = n->acc;
    c[SHARE].i = share(n->acc, p->tree.v.at[0].acc);
    c[TAIL].i = n->tail;
    c[RECURSIVE].i = n->recursive;
    c[FIRST].i = n->first_ns;
    c[LAST].i = n->last_ns;
    c[RUN].i = n->run;
    c[DEPTH].i = depth;
    c[ID].i = p->id[node];
    c[PARENT].i = p->id[n->parent];
    c[FUNCTION].s = name;
}

static void
walk(struct paths *p, struct sb_table *t)
{
    unsigned depth = 0;
    uint32_t node = p->child[0];
    while (node) {
        put_node(p, node, depth, t);
        if (p->child[node]) {
            node = p->child[node];
            depth++;
            continue;
        }
        while (node && !p->sibling[node]) {
            node = p->tree.v.at[node].parent;
            depth -= node != 0;
        }
        node = p->sibling[node];
    }
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct paths p = {.ask = ask};
    SB_SCOPED_MAP struct sb_map only = {0};
    const struct sb_question *q = ask->q;
    struct sb_call_filter filter = {.range = sb_answer_range(ask), .only = &only};
    int64_t *ids;
    size_t n;
    SB_TRY(sb_answer_chosen(ask, &ids, &n, e));
    for (size_t i = 0; i < n; i++)
        sb_map_put(&only, (uint64_t)ids[i], NULL);
    sb_table_init(t, ask->arena, columns, N);
    sb_call_tree_open(&p.tree);
    if (sb_profile_rows(ask->profile, SB_T_call_node) > 0)
        sb_call_tree_read(&p.tree, ask->profile, &filter);
    p.order = SB_NEW_N(ask->arena, uint32_t, p.tree.v.n);
    p.child = SB_NEW_N(ask->arena, uint32_t, p.tree.v.n);
    p.sibling = SB_NEW_N(ask->arena, uint32_t, p.tree.v.n);
    p.id = SB_NEW_N(ask->arena, uint32_t, p.tree.v.n);
    t->rows_left_out = link_longest(&p, q->limit ? q->limit : SIZE_MAX);
    walk(&p, t);
    if (q->since_ns != SB_NULL || q->until_ns != SB_NULL)
        t->title = SB_STR("Call paths used in the range, with figures of the whole run");
    sb_call_tree_close(&p.tree);
    return true;
}
