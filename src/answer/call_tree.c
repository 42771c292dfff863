#include "answer/call_tree.h"
#include "profile/cpu.h"
#include "profile/frames.h"
#include "profile/scan_row.h"

void
sb_call_tree_open(struct sb_call_tree *t)
{
    *t = (struct sb_call_tree){0};
    sb_intern_init(&t->names);
    *SB_PUSH(&t->v) = (struct sb_call){.first_ns = SB_NULL, .last_ns = SB_NULL};
}

void
sb_call_tree_close(struct sb_call_tree *t)
{
    SB_VEC_FREE(&t->v);
    sb_map_close(&t->child);
    sb_intern_close(&t->names);
}

/* Paths of a tree that nobody's program has made may be as long as the tree. Those below the deepest node stand beside
 * each other, and callers of callers are looked up until the tree of them, or the work, is as much as this. */
enum { DEEPEST = 256, MOST_NODES = 1 << 19, MOST_STEPS = 1 << 25 };

static uint32_t
add(struct sb_call_tree *t, uint32_t parent, uint32_t name, const struct sb_call *values)
{
    if (t->v.at[parent].depth == DEEPEST)
        parent = t->v.at[parent].parent;
    uint64_t key = (uint64_t)parent << 32 | name;
    uint32_t depth = t->v.at[parent].depth + 1;
    struct sb_call *c = SB_AT_KEY(&t->child, key, &t->v, .parent = parent, .name = name, .depth = depth,
                                  .first_ns = SB_NULL, .last_ns = SB_NULL);
    c->calls += sb_known(values->calls);
    c->own += sb_known(values->own);
    c->acc += sb_known(values->acc);
    c->run += sb_known(values->run);
    c->recursive += sb_known(values->recursive);
    c->tail += sb_known(values->tail);
    if (values->first_ns != SB_NULL && (c->first_ns == SB_NULL || values->first_ns < c->first_ns))
        c->first_ns = values->first_ns;
    if (values->last_ns != SB_NULL && (c->last_ns == SB_NULL || values->last_ns > c->last_ns))
        c->last_ns = values->last_ns;
    return (uint32_t)(c - t->v.at);
}

bool
sb_call_filter_has(const struct sb_call_filter *f, int64_t process)
{
    return f->only->n == 0 || (process > 0 && sb_map_get(f->only, (uint64_t)process));
}

/* Adds the time of a node that is not shown to a node above it, whose time is that of the whole run. */
static uint32_t
add_to(struct sb_call_tree *t, uint32_t above, const struct sb_call *values)
{
    if (above != 0) {
        t->v.at[above].acc += sb_known(values->acc);
        t->v.at[above].run += sb_known(values->run);
    }
    return above;
}

/* Parents precede children, so the index of a parent is known when a child is read. */
static void
read_calls(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    static const unsigned column[] = {
        SB_C_call_node__id,    SB_C_call_node__parent, SB_C_call_node__process,   SB_C_call_node__mfa,
        SB_C_call_node__calls, SB_C_call_node__own_ns, SB_C_call_node__recursive, SB_C_call_node__tail,
        SB_C_call_node__first, SB_C_call_node__last};
    enum { ID, PARENT, PROCESS, MFA, CALLS, OWN, RECURSIVE, TAIL, FIRST, LAST };
    uint32_t suspend = sb_intern_put(&t->names, SB_SUSPEND);
    SB_SCOPED_MAP struct sb_map place = {0};
    struct sb_scan s;
    sb_scan_open_columns(&s, p, SB_T_call_node, column, sizeof column / sizeof *column);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t *const *v = s.value;
        if (!sb_call_filter_has(f, v[PROCESS][i]))
            continue;
        uint32_t *known_at = v[PARENT][i] > 0 ? sb_map_get(&place, (uint64_t)v[PARENT][i]) : NULL;
        uint32_t parent = known_at ? *known_at : 0;
        uint32_t name = sb_intern_put(&t->names, sb_profile_text(p, v[MFA][i]));
        struct sb_call values = {.calls = v[CALLS][i],
                                 .own = v[OWN][i],
                                 .acc = v[OWN][i],
                                 .run = name == suspend ? 0 : v[OWN][i],
                                 .recursive = v[RECURSIVE][i],
                                 .tail = v[TAIL][i],
                                 .first_ns = v[FIRST][i],
                                 .last_ns = v[LAST][i]};
        *sb_map_put(&place, (uint64_t)v[ID][i], NULL) = sb_range_lives(f->range, v[FIRST][i], v[LAST][i])
                                                            ? add(t, parent, name, &values)
                                                            : add_to(t, parent, &values);
    }
}

static void
add_stack(struct sb_call_tree *t, struct sb_str stack, int64_t count)
{
    uint32_t at = 0;
    while (stack.n > 0) {
        struct sb_str frame = sb_frames_cut(&stack);
        int64_t own = stack.n == 0 ? count : 0;
        struct sb_call values = {
            .calls = count, .own = own, .acc = own, .run = own, .first_ns = SB_NULL, .last_ns = SB_NULL};
        at = add(t, at, sb_intern_put(&t->names, frame), &values);
    }
}

static void
read_stacks(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    t->sampled = true;
    SB_SCAN(s, p, stack, process, stack, count);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (sb_call_filter_has(f, s.value[process][i]))
            add_stack(t, sb_profile_text(p, s.value[stack][i]), s.value[count][i]);
}

struct sampled { /* by frame: samples of the CPU */
    int64_t own, total, first_ns;
    uint32_t node;
};

/* Counts the chosen samples that are in processes, or those outside. A frame has a higher place than its caller; place
 * 0 is above all. */
static void
count_cpu(const struct sb_cpu_samples *s, const struct sb_call_filter *f, bool outside, struct sampled *of)
{
    for (size_t i = 0; i < s->n_frames; i++)
        of[i] = (struct sampled){.first_ns = INT64_MAX};
    for (size_t i = 0; i < s->n_samples; i++) {
        const struct sb_cpu_sample *x = &s->sample[i];
        if ((x->process == 0) != outside || !sb_call_filter_has(f, x->process) ||
            !sb_range_has(f->range, x->at))
            continue;
        if (of[x->stack].own++ == 0)
            of[x->stack].first_ns = x->at;
    }
    for (size_t i = s->n_frames; i-- > 1;) {
        struct sampled *up = &of[s->frame[i].caller];
        of[i].total += of[i].own;
        up->total += of[i].total;
        up->first_ns = of[i].first_ns < up->first_ns ? of[i].first_ns : up->first_ns;
    }
    of[0].total += of[0].own;
}

/* Adds all frames, those without a chosen sample too, so that a node has one number whatever is chosen. */
static void
add_cpu(struct sb_call_tree *t, const struct sb_cpu_samples *s, const struct sb_call_filter *f, bool outside)
{
    struct sampled *of = sb_realloc_or_die(NULL, sb_mul_or_die(s->n_frames, sizeof *of));
    count_cpu(s, f, outside, of);
    if (!outside)
        of[0].total = of[0].own; /* those without a stack */
    for (size_t i = 0; i < s->n_frames; i++) {
        struct sb_str name = i > 0     ? sb_profile_text(s->profile, s->frame[i].function)
                             : outside ? SB_STR("outside of processes")
                                       : SB_STR("");
        struct sb_call values = {.calls = of[i].total,
                                 .own = of[i].own,
                                 .acc = of[i].own,
                                 .run = of[i].own,
                                 .first_ns = of[i].total > 0 ? of[i].first_ns : SB_NULL,
                                 .last_ns = SB_NULL};
        uint32_t above = i > 0 ? of[s->frame[i].caller].node : 0;
        uint32_t node = add(t, above, sb_intern_put(&t->names, name), &values);
        of[i].node = i > 0 || outside ? node : 0;
    }
    free(of);
}

/* from own times to those with the nodes below */
static void
sum_up(struct sb_call_tree *t)
{
    for (size_t i = t->v.n; i-- > 1;) {
        struct sb_call *up = &t->v.at[t->v.at[i].parent];
        up->acc += t->v.at[i].acc;
        up->run += t->v.at[i].run;
    }
}

void
sb_call_tree_read(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    if (f->cpu) {
        t->sampled = true;
        add_cpu(t, sb_cpu_samples_of(p), f, false);
        add_cpu(t, sb_cpu_samples_of(p), f, true);
    } else if (sb_profile_rows(p, SB_T_call_node) > 0)
        read_calls(t, p, f);
    else if (sb_profile_rows(p, SB_T_stack) > 0)
        read_stacks(t, p, f);
    sum_up(t);
}

bool
sb_call_tree_outermost(const struct sb_call_tree *t, uint32_t at)
{
    uint32_t name = t->v.at[at].name;
    for (uint32_t up = t->v.at[at].parent; up != 0; up = t->v.at[up].parent)
        if (t->v.at[up].name == name)
            return false;
    return true;
}

static uint32_t
copy(const struct sb_call_tree *t, uint32_t from, struct sb_call_tree *to, uint32_t parent,
     const struct sb_call *values)
{
    return add(to, parent, sb_intern_put(&to->names, sb_intern_text(&t->names, t->v.at[from].name)), values);
}

static void
add_to_root(struct sb_call_tree *t, const struct sb_call *c)
{
    t->v.at[0].acc += c->acc;
    t->v.at[0].run += c->run;
}

void
sb_call_tree_below(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to)
{
    uint32_t wanted, *place = sb_realloc_or_die(NULL, sb_mul_or_die(t->v.n, sizeof *place));
    to->sampled = t->sampled;
    if (sb_intern_find(&t->names, name, &wanted))
        for (uint32_t i = 1; i < t->v.n; i++) {
            const struct sb_call *c = &t->v.at[i];
            bool starts = c->name == wanted && sb_call_tree_outermost(t, i);
            place[i] = 0;
            if (starts)
                add_to_root(to, c);
            if (starts || (c->parent != 0 && place[c->parent] != 0))
                place[i] = copy(t, i, to, starts ? 0 : place[c->parent], c);
        }
    free(place);
}

struct climber { /* from a node to its callers: what it has in itself counts for each */
    uint32_t up, at;
    struct sb_call self;
};
struct climbers {
    SB_VEC(struct climber) of;
    bool keep_own; /* else own time is that of the first alone */
};

static void
start(struct climbers *c, struct sb_call_tree *to, uint32_t i, const struct sb_call *self)
{
    add_to_root(to, self);
    *SB_PUSH(&c->of) = (struct climber){.up = i, .self = *self};
}

/* All of them one step at a time. */
static void
climb(const struct sb_call_tree *t, struct sb_call_tree *to, struct climbers *c)
{
    size_t steps = 0, n;
    do {
        steps += n = c->of.n;
        c->of.n = 0;
        for (size_t k = 0; k < n; k++) {
            struct climber *x = &c->of.at[k];
            x->at = copy(t, x->up, to, x->at, &x->self);
            x->self.own = c->keep_own ? x->self.own : 0;
            x->up = t->v.at[x->up].parent;
            if (x->up != 0)
                c->of.at[c->of.n++] = *x;
        }
    } while (c->of.n > 0 && to->v.n + c->of.n < MOST_NODES && steps < MOST_STEPS);
    SB_VEC_FREE(&c->of);
}

/* The weight of a caller is the time spent in `name` when called from it. */
void
sb_call_tree_above(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to)
{
    uint32_t wanted;
    struct climbers c = {.keep_own = true};
    to->sampled = t->sampled;
    if (!sb_intern_find(&t->names, name, &wanted))
        return;
    for (uint32_t i = 1; i < t->v.n; i++)
        if (t->v.at[i].name == wanted && sb_call_tree_outermost(t, i))
            start(&c, to, i, &t->v.at[i]);
    climb(t, to, &c);
}

void
sb_call_tree_inverted(const struct sb_call_tree *t, struct sb_call_tree *to)
{
    int64_t *run = sb_realloc_or_die(NULL, sb_mul_or_die(t->v.n, sizeof *run)); /* in itself */
    struct climbers c = {0};
    to->sampled = t->sampled;
    for (uint32_t i = 0; i < t->v.n; i++) {
        run[i] = t->v.at[i].run;
        run[t->v.at[i].parent] -= i > 0 ? t->v.at[i].run : 0;
    }
    for (uint32_t i = 1; i < t->v.n; i++) {
        struct sb_call self = t->v.at[i];
        self.acc = self.own;
        self.run = run[i];
        if (self.own > 0)
            start(&c, to, i, &self);
    }
    climb(t, to, &c);
    free(run);
}
