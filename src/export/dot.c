/*
 * Graphviz: the tree of processes, messages between processes, or calls between functions. A drawing of more
 * than a few hundred nodes is unreadable: above that, each node is a group of processes (same parent and
 * entry), and calls are reduced to the costliest.
 */
#include "base/order.h"
#include "base/vec.h"
#include "export/label.h"
#include "export/select.h"
#include "export/spans.h"
#include "export/stacks.h"
#include "profile/frames.h"
#include "profile/scan_row.h"

SB_EXPORTER(dot) = {
    .name = "dot",
    .suffix = ".dot",
    .doc = "graphs of processes, messages or calls: Graphviz",
    .what = "processes messages calls",
    .timeless = true,
    .write = write_dot,
};

#define PROCESSES_MAX 200 /* more are merged into groups */
#define EDGES_MAX 300

struct edge {
    int64_t from, to, count, weight; /* weight: words or nanoseconds */
};
struct graph {
    const struct sb_profile *profile;
    const struct sb_export_options *options;
    struct sb_out *out;
    bool folded; /* nodes are process groups */
    struct sb_map edge_of, node_of;
    SB_VEC(struct edge) edges;
    SB_VEC(int64_t) own; /* calls: own time by name */
};

/* ---- writing */

static void
put_quoted(struct sb_out *out, struct sb_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '"' || s.p[i] == '\\')
            sb_out_char(out, '\\');
        sb_out_char(out, (uint8_t)s.p[i] < 0x20 ? ' ' : s.p[i]);
    }
}

static void
put_human(struct sb_out *out, int64_t v, enum sb_unit unit)
{
    sb_out_z(out, sb_human(v, unit).text);
}

/* The type of processes is the caller of their first functions. Its node is another one than that of a function with
 * the same name, which most types are. */
static int64_t
root(uint32_t type)
{
    return (int64_t)type | INT64_C(1) << 31;
}

static bool
is_root(int64_t node)
{
    return node >> 31;
}

static uint32_t
name_of(int64_t node)
{
    return (uint32_t)node & ~(UINT32_C(1) << 31);
}

static void
put_id(struct graph *g, int64_t id)
{
    if (is_root(id))
        sb_out_printf(g->out, "r%u", name_of(id));
    else
        sb_out_printf(g->out, "n%lld", (long long)id);
}

static void
begin_node(struct graph *g, int64_t id, struct sb_str label)
{
    sb_out_z(g->out, "  ");
    put_id(g, id);
    sb_out_z(g->out, " [label=\"");
    put_quoted(g->out, label);
}

static void
begin_edge(struct graph *g, int64_t from, int64_t to)
{
    sb_out_z(g->out, "  ");
    put_id(g, from);
    sb_out_z(g->out, " -> ");
    put_id(g, to);
}

static struct edge *
edge_of(struct graph *g, int64_t from, int64_t to)
{
    uint64_t key = (uint64_t)from << 32 ^ (uint64_t)to;
    return SB_AT_KEY(&g->edge_of, key, &g->edges, .from = from, .to = to);
}

SB_ORDER(by_weight, struct edge, SB_DOWN(weight) ?: SB_UP(from) ?: SB_UP(to))

static void
keep_heaviest(struct graph *g)
{
    SB_SORT(&g->edges, by_weight);
    if (g->edges.n <= EDGES_MAX)
        return;
    sb_select_note(g->options, "%zu lighter edges were left out", g->edges.n - EDGES_MAX);
    g->edges.n = EDGES_MAX;
}

/* every node that an edge touches, once, in the order of the edges */
static void
put_nodes_of_edges(struct graph *g, void (*put)(struct graph *g, int64_t id))
{
    for (size_t i = 0; i < 2 * g->edges.n; i++) {
        bool is_new;
        int64_t id = i % 2 ? g->edges.at[i / 2].to : g->edges.at[i / 2].from;
        sb_map_put(&g->node_of, (uint64_t)id, &is_new);
        if (is_new)
            put(g, id);
    }
}

/* ---- processes and their groups */

static void
put_group(struct graph *g, int64_t id)
{
    struct sb_label l;
    const struct sb_profile *p = g->profile;
    uint64_t row = sb_label_row(p, SB_T_process_group, id);
    int64_t entry = row == SB_NO_ROW ? SB_NULL : SB_CELL(p, process_group, entry, row);
    begin_node(g, id, sb_label_function(p, entry, &l));
    if (row != SB_NO_ROW) {
        sb_out_printf(g->out, "\\n%lld x, ", (long long)SB_CELL(p, process_group, processes, row));
        put_human(g->out, SB_CELL(p, process_group, run_ns, row), SB_U_NS);
    }
    sb_out_z(g->out, "\"];\n");
}

static void
put_process(struct graph *g, int64_t id)
{
    struct sb_label l;
    uint64_t row = sb_label_row(g->profile, SB_T_process, id);
    begin_node(g, id, sb_label_process(g->profile, id, &l));
    int64_t run_ns = row == SB_NO_ROW ? SB_NULL : SB_CELL(g->profile, process, run_ns, row);
    if (run_ns != SB_NULL) {
        sb_out_z(g->out, "\\n");
        put_human(g->out, run_ns, SB_U_NS);
    }
    sb_out_z(g->out, "\"];\n");
}

static int64_t
node_of_process(const struct graph *g, int64_t process)
{
    if (!g->folded || process == SB_NULL)
        return process;
    uint64_t row = sb_label_row(g->profile, SB_T_process, process);
    return row == SB_NO_ROW ? SB_NULL : SB_CELL(g->profile, process, group_id, row);
}

static bool
write_processes(struct graph *g, struct sb_err *e)
{
    (void)e;
    if (sb_select_windowed(g->options))
        sb_select_note(g->options,
                       "the tree of processes is of the whole run: --since and --until narrow --what "
                       "messages");
    enum sb_tab t = g->folded ? SB_T_process_group : SB_T_process;
    unsigned parent_col = g->folded ? SB_C_process_group__parent_group : SB_C_process__parent;
    struct sb_scan s;
    sb_scan_open(&s, g->profile, t);
    unsigned id = sb_scan_want(&s, 0), parent = sb_scan_want(&s, parent_col);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t up = s.value[parent][i];
        if (!g->folded && !sb_select_process(g->options, s.value[id][i]))
            continue;
        (g->folded ? put_group : put_process)(g, s.value[id][i]);
        if (up == SB_NULL || up == 0 || (!g->folded && !sb_select_process(g->options, up)))
            continue;
        begin_edge(g, up, s.value[id][i]);
        sb_out_z(g->out, ";\n");
    }
    return true;
}

/* ---- messages */

static void
add_messages(struct graph *g, int64_t sender, int64_t receiver, int64_t count, int64_t words)
{
    if (sender == SB_NULL || receiver == SB_NULL)
        return;
    if (!sb_select_process(g->options, sender) && !sb_select_process(g->options, receiver))
        return;
    int64_t from = node_of_process(g, sender), to = node_of_process(g, receiver);
    if (from == SB_NULL || to == SB_NULL)
        return;
    struct edge *e = edge_of(g, from, to);
    e->count += count;
    e->weight += words == SB_NULL ? 0 : words;
}

static void
add_message(void *ctx, const struct sb_message *m)
{
    struct graph *g = ctx;
    if (sb_select_at(g->options, m->sent_ns))
        add_messages(g, m->sender, m->receiver, 1, m->words);
}

static void
add_edges(struct graph *g)
{
    SB_SCAN(s, g->profile, message_edge, sender, receiver, count, total_words);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        add_messages(g, s.value[sender][i], s.value[receiver][i], s.value[count][i], s.value[total_words][i]);
}

static bool
write_messages(struct graph *g, struct sb_err *e)
{
    (void)e;
    if (sb_select_windowed(g->options))
        sb_spans_messages(g->profile, g->options, NULL, add_message, g);
    else
        add_edges(g);
    keep_heaviest(g);
    put_nodes_of_edges(g, g->folded ? put_group : put_process);
    for (size_t i = 0; i < g->edges.n; i++) {
        const struct edge *m = &g->edges.at[i];
        begin_edge(g, m->from, m->to);
        sb_out_printf(g->out, " [weight=%zu, label=\"", 1 + 20 * (g->edges.n - i) / g->edges.n);
        put_human(g->out, m->count, SB_U_COUNT);
        sb_out_z(g->out, " x, ");
        put_human(g->out, m->weight, SB_U_WORDS);
        sb_out_z(g->out, " words\"];\n");
    }
    return true;
}

/* ---- calls */

struct calls {
    struct graph *graph;
    int64_t run;         /* all own times without waiting: what a node has a share of */
    int64_t on_stack;    /* with waiting: what an edge has a share of */
    bool has_call_edges; /* by call_edge */
    uint32_t suspend;
    struct sb_stacks stacks;
};

static int64_t *
own_of(struct calls *c, uint32_t name)
{
    SB_REACH(&c->graph->own, name);
    return &c->graph->own.at[name];
}

static bool
add_call(void *ctx, const struct sb_stack *st)
{
    struct calls *c = ctx;
    struct graph *g = c->graph;
    int64_t value = sb_stacks_value(&c->stacks, st);
    c->on_stack += value;
    c->run += value - (st->wall_ns - st->cpu_ns);
    *own_of(c, st->frame[st->n - 1]) += value;
    for (size_t i = 0; i + 1 < st->n && !c->has_call_edges; i++) {
        bool from_type = i == 0 && (st->is_typed || c->stacks.source != SB_STACK_CALLS);
        struct edge *e = edge_of(g, from_type ? root(st->frame[i]) : st->frame[i], st->frame[i + 1]);
        e->weight += value;
        e->count += i + 2 == st->n ? st->calls : 0;
    }
    return true;
}

static void
add_call_edge(void *ctx, const struct sb_stack_edge *calls_of)
{
    struct calls *c = ctx;
    struct edge *e =
        edge_of(c->graph, calls_of->no_caller ? root(calls_of->caller) : calls_of->caller, calls_of->callee);
    e->count += calls_of->calls;
    e->weight += calls_of->acc_ns;
}

static void
put_share(struct calls *c, int64_t value, int64_t of)
{
    if (of > 0)
        sb_out_printf(c->graph->out, " %.1f %%", 100.0 * (double)value / (double)of);
}

static void
put_function(struct calls *c, int64_t node)
{
    struct graph *g = c->graph;
    bool is_new;
    uint32_t name = name_of(node);
    sb_map_put(&g->node_of, (uint64_t)node, &is_new);
    if (!is_new)
        return;
    begin_node(g, node, sb_intern_text(&c->stacks.names, name));
    if (is_root(node)) {
        sb_out_z(g->out, "\", shape=ellipse];\n");
        return;
    }
    int64_t own = *own_of(c, name);
    sb_out_z(g->out, name == c->suspend ? "\\nwaiting " : "\\nown ");
    put_human(g->out, own, sb_stacks_counts(&c->stacks) ? SB_U_COUNT : SB_U_NS);
    if (name != c->suspend)
        put_share(c, own, c->run);
    sb_out_z(g->out, name == c->suspend ? "\", style=dashed];\n" : "\"];\n");
}

static bool
write_calls(struct graph *g, struct sb_err *e)
{
    struct calls c = {.graph = g};
    struct sb_export_options any = *g->options;
    any.what = NULL;
    any.time = SB_EXPORT_WALL; /* as the times of edges, which come from call_edge */
    SB_TRY(sb_stacks_open(&c.stacks, g->profile, &any, e));
    c.has_call_edges = c.stacks.source == SB_STACK_CALLS && sb_profile_rows(g->profile, SB_T_call_edge) > 0;
    sb_stacks_each(&c.stacks, add_call, &c);
    c.suspend = sb_intern_put(&c.stacks.names, SB_SUSPEND);
    if (c.has_call_edges)
        sb_stacks_each_edge(&c.stacks, add_call_edge, &c);
    keep_heaviest(g);
    for (size_t i = 0; i < g->edges.n; i++) {
        put_function(&c, g->edges.at[i].from);
        put_function(&c, g->edges.at[i].to);
        begin_edge(g, g->edges.at[i].from, g->edges.at[i].to);
        sb_out_z(g->out, " [label=\"");
        put_human(g->out, g->edges.at[i].count, SB_U_COUNT);
        sb_out_z(g->out, " x,");
        put_share(&c, g->edges.at[i].weight, c.on_stack);
        sb_out_z(g->out, name_of(g->edges.at[i].to) == c.suspend ? "\", style=dashed];\n" : "\"];\n");
    }
    if (c.on_stack > c.run)
        sb_out_z(g->out,
                 "  label=\"own: share of the running time; calls: share of the time on the stack, which "
                 "includes waiting\";\n");
    sb_stacks_close(&c.stacks);
    return true;
}

static bool
write_dot(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out, struct sb_err *e)
{
    struct graph g = {.profile = p, .options = o, .out = out};
    g.folded = o->n_process == 0 && sb_profile_rows(p, SB_T_process) > PROCESSES_MAX &&
               sb_profile_rows(p, SB_T_process_group) > 0;
    const char *what = o->what ? o->what : "processes";
    sb_out_printf(
        out, "digraph \"strobe %s\" {\n  graph [rankdir=LR];\n  node [shape=box, fontname=\"monospace\"];\n",
        what);
    bool ok = strcmp(what, "calls") == 0      ? write_calls(&g, e)
              : strcmp(what, "messages") == 0 ? write_messages(&g, e)
                                              : write_processes(&g, e);
    sb_out_z(out, "}\n");
    if (g.folded && strcmp(what, "calls") != 0)
        sb_select_note(o, "more than %d processes: each node is a group with the same parent and entry",
                       PROCESSES_MAX);
    sb_map_close(&g.edge_of);
    sb_map_close(&g.node_of);
    SB_VEC_FREE(&g.edges);
    SB_VEC_FREE(&g.own);
    return ok;
}
