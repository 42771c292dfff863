/*
 * Callgrind's format: own cost by function and inclusive cost by call, with modules as files. `merged` adds
 * up all processes; `processes` writes each as an object (ob=) of its own, so that KCachegrind can group by
 * process. Everything is below one root without a caller, `all processes` or the process itself: some readers
 * start from such a root only. For the same reason a name is written in full at its first use, `(2) text`,
 * and as `(2)` afterwards.
 *
 * Readers add up the cost of a function's calls to get its inclusive cost. A recursive call would make them
 * count its time twice, so it costs nothing: its time is in the outermost call of that function. The
 * inclusive `calls`, `gc_ns` and the time of waiting, which is not part of CPU time, come from the tree of calls,
 * which counts the work of a recursive call for the outermost one; functions between the two have less than
 * their share.
 */
#include "base/vec.h"
#include "base/order.h"
#include "export/label.h"
#include "export/select.h"
#include "export/stacks.h"
#include "profile/scan_row.h"

SB_EXPORTER(callgrind) = {
    .name = "callgrind",
    .suffix = ".callgrind",
    .doc = "own and inclusive cost by function and call: KCachegrind, callgrind_annotate, speedscope",
    .what = "merged processes",
    .write = write_callgrind,
};

struct cost {
    int64_t ns, calls, gc_ns, words;
};
struct edge {
    uint32_t caller, callee;
    int64_t calls;
    struct cost inclusive;
};
struct writer {
    struct sb_stacks stacks;
    struct sb_out *out;
    bool by_process;
    int64_t process, objects;
    uint32_t root;
    SB_VEC(uint32_t) path;
    SB_VEC(uint64_t) on_path; /* by name: the number of the last path with it */
    uint64_t paths;
    SB_VEC(struct sb_stack_edge) call_edges; /* of calls, by process */
    size_t next_edge;
    SB_VEC(struct cost) own; /* by name */
    SB_VEC(struct edge) edges;
    struct sb_map edge_of; /* caller and callee -> index */
    struct cost total;
    struct sb_intern files;
    SB_VEC(uint8_t) named, filed; /* by name, by file: was it written in full? */
};

static void
add(struct cost *to, const struct cost *c)
{
    to->ns += c->ns;
    to->calls += c->calls;
    to->gc_ns += c->gc_ns;
    to->words += c->words;
}

static struct cost *
own_of(struct writer *w, uint32_t name)
{
    SB_REACH(&w->own, name);
    return &w->own.at[name];
}

static struct edge *
edge_of(struct writer *w, uint32_t caller, uint32_t callee)
{
    uint64_t key = (uint64_t)caller << 32 | callee;
    return SB_AT_KEY(&w->edge_of, key, &w->edges, .caller = caller, .callee = callee);
}

/* ---- writing what was added up */

static bool
was_named(void *flags, uint32_t id)
{
    SB_VEC(uint8_t) *v = flags;
    SB_REACH(v, id);
    bool before = v->at[id];
    v->at[id] = 1;
    return before;
}

static void
put_name(struct writer *w, const char *key, uint32_t id, struct sb_str text, void *flags)
{
    sb_out_printf(w->out, "%s=(%u)", key, id + 1);
    if (!was_named(flags, id)) {
        sb_out_char(w->out, ' ');
        sb_label_line(w->out, text, 0);
    }
    sb_out_char(w->out, '\n');
}

/* Returns the module of Foo.Bar.f/1, and of functions that the compiler made in it ("anonymous fn/1 in
 * Foo.Bar.f/1"); empty for an Erlang function. */
static struct sb_str
elixir_module(struct sb_str name)
{
    const char *in = memmem(name.p, name.n, " in ", 4);
    size_t end = 0;
    if (in)
        name = sb_str_sub(name, (size_t)(in - name.p) + 4, name.n);
    for (size_t i = 0; i < name.n && name.p[i] >= 'A' && name.p[i] <= 'Z';) {
        size_t dot = i + sb_str_find(sb_str_sub(name, i, name.n), '.');
        end = dot;
        i = dot + 1;
    }
    return sb_str_sub(name, 0, end);
}

/* The module of m:f/a; a colon inside quotes does not end it. Pseudo functions belong to the VM. */
static struct sb_str
module_of(struct sb_str mfa)
{
    struct sb_str elixir = elixir_module(mfa);
    if (elixir.n > 0)
        return elixir;
    bool quoted = false;
    for (size_t i = 0; i < mfa.n; i++) {
        if (mfa.p[i] == '\'')
            quoted = !quoted;
        else if (quoted && mfa.p[i] == '\\')
            i++;
        else if (!quoted && mfa.p[i] == ':')
            return sb_str_sub(mfa, 0, i);
    }
    return SB_STR("beam");
}

static void
put_function(struct writer *w, const char *file_key, const char *key, uint32_t name)
{
    struct sb_str text = sb_intern_text(&w->stacks.names, name), module = module_of(text);
    put_name(w, file_key, sb_intern_put(&w->files, module), module, &w->filed);
    put_name(w, key, name, text, &w->named);
}

static void
put_cost(struct writer *w, const struct cost *c)
{
    const int64_t value[] = {0, c->ns, c->calls, c->gc_ns, c->words};
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        if (i > 0)
            sb_out_char(w->out, ' ');
        sb_out_i64(w->out, value[i]);
    }
    sb_out_char(w->out, '\n');
}

SB_ORDER(by_caller, struct edge, SB_UP(caller) ?: SB_UP(callee))

static void
put_calls(struct writer *w, uint32_t caller, size_t *at)
{
    for (; *at < w->edges.n && w->edges.at[*at].caller == caller; ++*at) {
        struct edge *e = &w->edges.at[*at];
        put_function(w, "cfi", "cfn", e->callee);
        sb_out_printf(w->out, "calls=%lld 0\n", (long long)(e->calls > 0 ? e->calls : 1));
        e->inclusive.ns = e->inclusive.ns > 0 ? e->inclusive.ns : 0; /* of folded recursion that waited */
        put_cost(w, &e->inclusive);
    }
}

static bool
is_caller(const struct writer *w, size_t at, uint32_t name)
{
    return at < w->edges.n && w->edges.at[at].caller == name;
}

/* ---- adding up */

/* The first on its path; asked of each in order. */
static bool
is_outermost(struct writer *w, uint32_t name)
{
    SB_REACH(&w->on_path, name);
    bool is_first = w->on_path.at[name] != w->paths;
    w->on_path.at[name] = w->paths;
    return is_first;
}

/* Adds a path. From path[`counted`] inwards, the number and time of calls come from call_edge. That time includes the
 * time of waiting on the path, which is taken off where it is not wanted. */
static void
add_path(struct writer *w, size_t counted, const struct cost *c, int64_t unwanted_ns)
{
    const uint32_t *path = w->path.at;
    size_t n = w->path.n;
    add(own_of(w, path[n - 1]), c);
    w->paths++;
    is_outermost(w, path[0]);
    for (size_t i = 1; i < n; i++) {
        struct cost inclusive = *c;
        if (i > counted)
            inclusive.ns = -unwanted_ns;
        own_of(w, path[i - 1]);
        struct edge *e = edge_of(w, path[i - 1], path[i]);
        if (is_outermost(w, path[i]))
            add(&e->inclusive, &inclusive);
        if (i + 1 == n && counted >= n)
            e->calls += c->calls;
    }
}

static void
keep_edge(void *ctx, const struct sb_stack_edge *e)
{
    struct writer *w = ctx;
    *SB_PUSH(&w->call_edges) = *e;
}

/* of the process, or of all */
static void
add_call_edges(struct writer *w)
{
    for (; w->next_edge < w->call_edges.n; w->next_edge++) {
        const struct sb_stack_edge *e = &w->call_edges.at[w->next_edge];
        if (w->by_process && e->process != w->process)
            return;
        own_of(w, e->caller);
        own_of(w, e->callee);
        struct edge *to = edge_of(w, e->caller, e->callee);
        to->calls += e->calls;
        if (!e->no_caller && e->callee != sb_stacks_type(&w->stacks, e->process))
            to->inclusive.ns += e->outer_ns;
    }
}

static void
flush(struct writer *w)
{
    struct sb_label l;
    add_call_edges(w);
    if (w->by_process && w->own.n > 0) {
        sb_out_printf(w->out, "\nob=(%lld) ", (long long)++w->objects);
        sb_label_line(w->out, sb_label_process(w->stacks.profile, w->process, &l), 0);
        sb_out_char(w->out, '\n');
    }
    SB_SORT(&w->edges, by_caller);
    size_t edge = 0;
    for (uint32_t name = 0; name < w->own.n; name++) {
        struct cost *c = &w->own.at[name];
        if (!c->ns && !c->calls && !c->words && !is_caller(w, edge, name))
            continue;
        put_function(w, "fl", "fn", name);
        put_cost(w, c);
        put_calls(w, name, &edge);
        add(&w->total, c);
    }
    w->own.n = w->edges.n = 0;
    sb_map_clear(&w->edge_of);
}

SB_ORDER(by_process, struct sb_stack_edge, SB_UP(process))

static void
read_call_edges(struct writer *w)
{
    if (w->stacks.source != SB_STACK_CALLS)
        return;
    sb_stacks_each_edge(&w->stacks, keep_edge, w);
    SB_SORT(&w->call_edges, by_process);
}

/* the first of those of this process or a later one */
static size_t
first_edge(const struct writer *w, int64_t process)
{
    size_t from = 0, to = w->call_edges.n;
    SB_SEARCH(from, to, w->call_edges.at[mid].process < process);
    return from;
}

static void
begin_process(struct writer *w, int64_t process)
{
    struct sb_label l;
    flush(w);
    w->process = process;
    w->next_edge = first_edge(w, process);
    w->root = sb_intern_put(&w->stacks.names, sb_label_process(w->stacks.profile, process, &l));
}

static bool
add_stack(void *ctx, const struct sb_stack *st)
{
    struct writer *w = ctx;
    if (w->by_process && st->process != w->process)
        begin_process(w, st->process);
    w->path.n = 0;
    *SB_PUSH(&w->path) = w->root;
    for (size_t i = 0; i < st->n; i++)
        *SB_PUSH(&w->path) = st->frame[i];
    int64_t value = sb_stacks_value(&w->stacks, st), waiting_ns = st->wall_ns - st->cpu_ns;
    struct cost c = {value, st->calls, st->gc_ns, 0};
    size_t outermost = st->is_typed ? 2 : 1;
    add_path(w, w->call_edges.n > 0 ? outermost : w->path.n, &c, w->stacks.wall ? 0 : waiting_ns);
    return true;
}

static void
add_words(struct writer *w) /* known by function only, over all processes */
{
    SB_SCAN(s, w->stacks.profile, function, mfa, words);
    sb_scan_where(&s, SB_C_function__words, 1, INT64_MAX);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        own_of(w, sb_stacks_name(&w->stacks, s.value[mfa][i]))->words += s.value[words][i];
}

static void
close_writer(struct writer *w)
{
    sb_stacks_close(&w->stacks);
    SB_VEC_FREE(&w->own);
    SB_VEC_FREE(&w->edges);
    SB_VEC_FREE(&w->path);
    SB_VEC_FREE(&w->on_path);
    SB_VEC_FREE(&w->call_edges);
    SB_VEC_FREE(&w->named);
    SB_VEC_FREE(&w->filed);
    sb_map_close(&w->edge_of);
    sb_intern_close(&w->files);
}

static bool
write_callgrind(const struct sb_profile *p, const struct sb_export_options *o, struct sb_out *out,
                struct sb_err *e)
{
    struct writer w = {.out = out, .process = -1, .by_process = sb_select_what(o, "processes", "merged")};
    struct sb_export_options any = *o;
    any.what = NULL;
    SB_TRY(sb_stacks_open(&w.stacks, p, &any, e));
    sb_intern_init(&w.files);
    w.root = sb_intern_put(&w.stacks.names, SB_STR("all processes"));
    sb_out_printf(out,
                  "# callgrind format\nversion: 1\ncreator: strobe " SB_VERSION "\n"
                  "positions: line\nevents: %s calls gc_ns words\n",
                  sb_stacks_unit(&w.stacks));
    read_call_edges(&w);
    sb_stacks_each(&w.stacks, add_stack, &w);
    if (!w.by_process && o->n_process == 0 && !sb_select_windowed(o))
        add_words(&w);
    flush(&w);
    sb_out_printf(out, "\ntotals: %lld %lld %lld %lld\n", (long long)w.total.ns, (long long)w.total.calls,
                  (long long)w.total.gc_ns, (long long)w.total.words);
    close_writer(&w);
    return true;
}
