#include "export/stacks.h"
#include "base/vec.h"
#include "export/label.h"
#include "export/select.h"
#include "profile/frames.h"
#include "profile/scan_row.h"

static const struct {
    const char *word, *missing;
    enum sb_tab tab;
} source_desc[] = {
    [SB_STACK_CALLS] = {"calls", "calls were not recorded: record with --trace all,calls --module M",
                        SB_T_call_node},
    [SB_STACK_SLICES] = {"slices", "slices were not recorded: record with --trace running", SB_T_slice},
    [SB_STACK_WAITS] = {"waits", "waits were not recorded: record with --trace running", SB_T_wait},
    [SB_STACK_SAMPLES] = {"samples", "no stacks were sampled: record with --trace sample", SB_T_stack},
    [SB_STACK_CPU] = {"cpu", "the CPU was not sampled: record with --trace all,cpu", SB_T_cpu_tick},
};

static bool
has(const struct sb_profile *p, enum sb_stack_source from)
{
    return sb_profile_rows(p, source_desc[from].tab) > 0;
}

static bool
choose_asked(struct sb_stacks *s, struct sb_err *e)
{
    for (size_t i = 0; i < sizeof source_desc / sizeof *source_desc; i++) {
        if (strcmp(s->options->what, source_desc[i].word) != 0)
            continue;
        s->source = (enum sb_stack_source)i;
        if (!has(s->profile, s->source) && sb_profile_rows(s->profile, SB_T_process) > 0)
            return sb_err_set(e, SB_ERR_INPUT, "%s", source_desc[i].missing);
        if (i != SB_STACK_SLICES && i != SB_STACK_CPU && sb_select_windowed(s->options)) {
            sb_err_set(e, SB_ERR_USAGE, "%s are totals of the whole run and cannot be limited to a range",
                       source_desc[i].word);
            return sb_err_advise(e, "omit --since and --until, or use --what slices");
        }
        return true;
    }
    return sb_err_set(e, SB_ERR_USAGE, "no stacks of '%s': --what is one of %s", s->options->what,
                      SB_STACKS_WHAT);
}

static void
choose_by_profile(struct sb_stacks *s)
{
    bool calls = has(s->profile, SB_STACK_CALLS), windowed = sb_select_windowed(s->options);
    if (!calls && has(s->profile, SB_STACK_CPU)) {
        s->source = SB_STACK_CPU;
        return;
    }
    s->source = SB_STACK_CALLS;
    if (calls && !windowed)
        return;
    s->source = !has(s->profile, SB_STACK_SLICES) && has(s->profile, SB_STACK_SAMPLES) && !windowed
                    ? SB_STACK_SAMPLES
                    : SB_STACK_SLICES;
    if (calls)
        sb_select_note(s->options,
                       "call trees are totals of the whole run: within a range, slices are shown instead");
    else if (has(s->profile, SB_STACK_SLICES))
        sb_select_note(
            s->options,
            "no calls were recorded (--trace calls): shows process type > function when scheduled out");
    else if (s->source == SB_STACK_SAMPLES)
        sb_select_note(s->options, "no calls were recorded (--trace calls): shows sampled stacks instead");
}

bool
sb_stacks_open(struct sb_stacks *s, const struct sb_profile *p, const struct sb_export_options *o,
               struct sb_err *e)
{
    *s = (struct sb_stacks){.profile = p, .options = o, .type_of = -1};
    if (o->what)
        SB_TRY(choose_asked(s, e));
    else
        choose_by_profile(s);
    s->wall = o->time == SB_EXPORT_WALL || s->source == SB_STACK_WAITS;
    sb_intern_init(&s->names);
    return true;
}

void
sb_stacks_close(struct sb_stacks *s)
{
    sb_intern_close(&s->names);
    sb_map_close(&s->of_text);
    SB_VEC_FREE(&s->function);
}

bool
sb_stacks_counts(const struct sb_stacks *s)
{
    return s->source == SB_STACK_SAMPLES || s->source == SB_STACK_CPU;
}

const char *
sb_stacks_unit(const struct sb_stacks *s)
{
    return sb_stacks_counts(s) ? "samples" : "ns";
}

int64_t
sb_stacks_value(const struct sb_stacks *s, const struct sb_stack *st)
{
    return sb_stacks_counts(s) ? st->samples : s->wall ? st->wall_ns : st->cpu_ns;
}

static int64_t
known(int64_t v)
{
    return v == SB_NULL || v < 0 ? 0 : v;
}

/* ---- calls: the tree of one process at a time; its rows are adjacent ---- */

struct node {
    int64_t id, parent, own_ns, calls;
    uint32_t name, up, depth; /* up: 1 + index of the node above */
};
struct tree {
    SB_VEC(struct node) nodes;
    SB_VEC(uint32_t) path;
    struct sb_map by_id;
    int64_t process;
    bool cut; /* some stack has more frames than are shown */
};

/* A parent precedes its children. In a damaged profile, where it does not, paths get shorter; there is
 * never a cycle. Below the deepest frame that is shown, calls stand beside each other. */
static void
place(struct tree *t, struct node *n)
{
    const uint32_t *at = n->parent > 0 ? sb_map_get(&t->by_id, (uint64_t)n->parent) : NULL;
    const struct node *above = at ? &t->nodes.at[*at] : NULL;
    bool is_deep = above && above->depth == SB_STACK_FRAMES;
    n->up = is_deep ? above->up : above ? *at + 1 : 0;
    n->depth = is_deep ? SB_STACK_FRAMES : above ? above->depth + 1 : 1;
    t->cut |= is_deep;
}

/* innermost first, reversed at the end; true: the type of the process was put first */
static bool
find_path(struct sb_stacks *s, struct tree *t, const struct node *n)
{
    t->path.n = 0;
    uint32_t type = sb_stacks_type(s, t->process), last = 0;
    for (; n; n = n->up ? &t->nodes.at[n->up - 1] : NULL)
        *SB_PUSH(&t->path) = last = n->name;
    bool is_typed = last != type;
    if (is_typed)
        *SB_PUSH(&t->path) = type;
    for (size_t i = 0, k = t->path.n; i + 1 < k; i++) {
        uint32_t swap = t->path.at[i];
        t->path.at[i] = t->path.at[--k];
        t->path.at[k] = swap;
    }
    return is_typed;
}

static bool
visit_tree(struct sb_stacks *s, struct tree *t)
{
    uint32_t gc = sb_intern_put(&s->names, SB_STR("garbage_collect")),
             off = sb_intern_put(&s->names, SB_SUSPEND);
    for (size_t i = 0; i < t->nodes.n; i++) {
        const struct node *n = &t->nodes.at[i];
        if (n->own_ns == 0 && n->calls == 0)
            continue;
        bool is_typed = find_path(s, t, n);
        struct sb_stack st = {.process = t->process,
                              .frame = t->path.at,
                              .n = t->path.n,
                              .is_typed = is_typed,
                              .wall_ns = n->own_ns,
                              .cpu_ns = n->name == off ? 0 : n->own_ns,
                              .gc_ns = n->name == gc ? n->own_ns : 0,
                              .calls = n->calls};
        SB_TRY(s->visit(s->ctx, &st));
    }
    t->nodes.n = 0;
    sb_map_clear(&t->by_id);
    return true;
}

static bool
add_node(struct sb_stacks *s, struct tree *t, int64_t process, struct node n)
{
    if (process != t->process)
        SB_TRY(visit_tree(s, t));
    t->process = process;
    place(t, &n);
    *sb_map_put(&t->by_id, (uint64_t)n.id, NULL) = (uint32_t)t->nodes.n;
    *SB_PUSH(&t->nodes) = n;
    return true;
}

static bool
each_call(struct sb_stacks *s)
{
    struct tree t = {0};
    SB_SCOPED_SCAN struct sb_scan c;
    sb_select_scan(&c, s->profile, s->options, SB_T_call_node, SB_C_call_node__process, -1);
    SB_WANT(c, call_node, id, parent, process, mfa, calls, own_ns);
    bool going = true;
    for (size_t i = 0; going && sb_select_row(&c, s->profile, &i); i++) {
        if (!sb_select_process(s->options, c.value[process][i]))
            continue;
        struct node n = {c.value[id][i], c.value[parent][i], known(c.value[own_ns][i]),
                         known(c.value[calls][i]), sb_stacks_name(s, c.value[mfa][i])};
        going = add_node(s, &t, known(c.value[process][i]), n);
    }
    going = going && visit_tree(s, &t);
    if (t.cut)
        sb_select_note(s->options, "stacks have their outermost %d functions and the innermost one",
                       SB_STACK_FRAMES - 1);
    SB_VEC_FREE(&t.nodes);
    SB_VEC_FREE(&t.path);
    sb_map_close(&t.by_id);
    return going;
}

struct missing { /* ns, by function */
    int64_t *at;
    size_t n, cap;
};

/* No path contains a function twice: the sum over its rows is its total in a reader of stacks. */
static void
add_missing(struct sb_map *place, struct missing *m, int64_t mfa, int64_t shown_ns, int64_t function_ns)
{
    uint32_t at = sb_map_place(place, (uint64_t)mfa, m->n);
    SB_REACH(m, at);
    m->at[at] += known(function_ns) - known(shown_ns);
}

void
sb_stacks_note_folding(struct sb_stacks *s)
{
    SB_SCOPED_MAP struct sb_map place = {0};
    SB_SCOPED struct missing missing = {0};
    struct sb_scan c;
    size_t n = 0;
    if (s->source != SB_STACK_CALLS)
        return;
    sb_select_scan(&c, s->profile, s->options, SB_T_call_node, SB_C_call_node__process, -1);
    SB_WANT(c, call_node, process, mfa, acc_ns, function_acc_ns);
    for (size_t i = 0; sb_select_row(&c, s->profile, &i); i++)
        if (sb_select_process(s->options, c.value[process][i]))
            add_missing(&place, &missing, c.value[mfa][i], c.value[acc_ns][i], c.value[function_acc_ns][i]);
    for (size_t i = 0; i < missing.n; i++)
        n += missing.at[i] > 0;
    if (n > 0)
        sb_select_note(s->options,
                       "stacks show a recursive call as part of the outermost call of that function: the "
                       "totals of %zu functions inside a recursion are too small here; strobe report "
                       "functions and --to callgrind show them in full",
                       n);
}

void
sb_stacks_each_edge(struct sb_stacks *s, void (*visit)(void *ctx, const struct sb_stack_edge *e), void *ctx)
{
    struct sb_scan c;
    sb_select_scan(&c, s->profile, s->options, SB_T_call_edge, SB_C_call_edge__process, -1);
    SB_WANT(c, call_edge, process, caller, callee, calls, acc_ns, outer_ns);
    for (size_t i = 0; sb_select_row(&c, s->profile, &i); i++) {
        int64_t id = c.value[process][i], from = c.value[caller][i];
        if (!sb_select_process(s->options, id))
            continue;
        bool nobody = from == SB_NULL || sb_profile_text(s->profile, from).n == 0;
        struct sb_stack_edge e = {.process = id,
                                  .calls = known(c.value[calls][i]),
                                  .no_caller = nobody,
                                  .acc_ns = known(c.value[acc_ns][i]),
                                  .outer_ns = known(c.value[outer_ns][i])};
        e.caller = nobody ? sb_stacks_type(s, id) : sb_stacks_name(s, from);
        e.callee = sb_stacks_name(s, c.value[callee][i]);
        visit(ctx, &e);
    }
}

/* ---- slices: summed by scheduler and function while the rows stay with one process */

struct sums {
    SB_VEC(struct sb_stack) of;
    SB_VEC(uint32_t) function;
    struct sb_map by_key; /* scheduler and function -> index */
    int64_t process;
};

static bool
visit_sums(struct sb_stacks *s, struct sums *t)
{
    bool going = true;
    for (size_t i = 0; i < t->of.n && going; i++) {
        uint32_t path[] = {sb_stacks_type(s, t->process), t->function.at[i]};
        t->of.at[i].frame = path;
        t->of.at[i].n = path[0] == path[1] ? 1 : 2;
        going = s->visit(s->ctx, &t->of.at[i]);
    }
    t->of.n = t->function.n = 0;
    sb_map_clear(&t->by_key);
    return going;
}

static bool
add_slice(struct sb_stacks *s, struct sums *t, int64_t process, int64_t scheduler, uint32_t function,
          int64_t dur_ns)
{
    if (process != t->process)
        SB_TRY(visit_sums(s, t));
    t->process = process;
    uint32_t at = sb_map_place(&t->by_key, (uint64_t)scheduler << 32 | function, t->of.n);
    if (at == t->of.n) {
        *SB_PUSH(&t->function) = function;
        *SB_PUSH(&t->of) = (struct sb_stack){.process = process, .scheduler = scheduler};
    }
    struct sb_stack *st = &t->of.at[at];
    st->wall_ns += dur_ns;
    st->cpu_ns += dur_ns;
    st->calls++;
    return true;
}

static bool
each_slice(struct sb_stacks *s)
{
    struct sums t = {0};
    SB_SCOPED_SCAN struct sb_scan c;
    sb_select_scan(&c, s->profile, s->options, SB_T_slice, SB_C_slice__process, SB_C_slice__start);
    SB_WANT(c, slice, process, scheduler, start, dur, out_function, in_function);
    bool going = true;
    for (size_t i = 0; going && sb_select_row(&c, s->profile, &i); i++) {
        int64_t left = c.value[out_function][i] == SB_NULL ? c.value[in_function][i]
                                                           : c.value[out_function][i]; /* NULL when the
                                                                                         process exited */
        int64_t at_ns = c.value[start][i], dur_ns = c.value[dur][i];
        if (sb_select_process(s->options, c.value[process][i]) && sb_select_clip(s->options, &at_ns, &dur_ns))
            going = add_slice(s, &t, known(c.value[process][i]), known(c.value[scheduler][i]),
                              sb_stacks_name(s, left), dur_ns);
    }
    going = going && visit_sums(s, &t);
    SB_VEC_FREE(&t.of);
    SB_VEC_FREE(&t.function);
    sb_map_close(&t.by_key);
    return going;
}

/* ---- waits and samples: a row is a stack */

static bool
each_wait(struct sb_stacks *s)
{
    SB_SCOPED_SCAN struct sb_scan c;
    sb_select_scan(&c, s->profile, s->options, SB_T_wait, SB_C_wait__process, -1);
    SB_WANT(c, wait, process, function, count, total_ns);
    for (size_t i = 0; sb_select_row(&c, s->profile, &i); i++) {
        int64_t id = known(c.value[process][i]);
        if (!sb_select_process(s->options, id))
            continue;
        uint32_t path[] = {sb_stacks_type(s, id), sb_stacks_name(s, c.value[function][i])};
        struct sb_stack st = {.process = id,
                              .frame = path,
                              .n = path[0] == path[1] ? 1 : 2,
                              .wall_ns = known(c.value[total_ns][i]),
                              .calls = known(c.value[count][i])};
        SB_TRY(s->visit(s->ctx, &st));
    }
    return true;
}

static bool
each_sample(struct sb_stacks *s)
{
    SB_SCOPED_SCAN struct sb_scan c;
    sb_select_scan(&c, s->profile, s->options, SB_T_stack, SB_C_stack__process, -1);
    SB_WANT(c, stack, process, stack, count);
    SB_SCOPED SB_VEC(uint32_t) path = {0};
    for (size_t i = 0; sb_select_row(&c, s->profile, &i); i++) {
        int64_t id = known(c.value[process][i]);
        if (!sb_select_process(s->options, id))
            continue;
        struct sb_label l;
        path.n = 0;
        *SB_PUSH(&path) = sb_stacks_type(s, id);
        for (struct sb_str rest = sb_profile_text(s->profile, c.value[stack][i]); rest.n > 0;)
            *SB_PUSH(&path) = sb_intern_put(&s->names, sb_label_name(sb_frames_cut(&rest), &l));
        struct sb_stack st = {
            .process = id, .frame = path.at, .n = path.n, .samples = known(c.value[count][i])};
        SB_TRY(s->visit(s->ctx, &st));
    }
    return true;
}

bool
sb_stacks_each(struct sb_stacks *s, bool (*visit)(void *ctx, const struct sb_stack *st), void *ctx)
{
    static bool (*const each[])(struct sb_stacks * s) = {each_call, each_slice, each_wait, each_sample,
                                                         sb_stacks_each_cpu};
    s->visit = visit;
    s->ctx = ctx;
    return each[s->source](s);
}
