#include "answer/call_tree.h"
#include "profile/frames.h"

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

static int64_t
known(int64_t v)
{
    return v == SB_NULL ? 0 : v;
}

uint32_t
sb_call_tree_add(struct sb_call_tree *t, uint32_t parent, uint32_t name, const struct sb_call *values)
{
    bool is_new;
    uint32_t *slot = sb_map_put(&t->child, (uint64_t)parent << 32 | name, &is_new);
    if (is_new) {
        *slot = (uint32_t)t->v.n;
        *SB_PUSH(&t->v) =
            (struct sb_call){.parent = parent, .name = name, .first_ns = SB_NULL, .last_ns = SB_NULL};
    }
    uint32_t at = *slot;
    struct sb_call *c = &t->v.at[at];
    c->calls += known(values->calls);
    c->own += known(values->own);
    c->acc += known(values->acc);
    c->recursive += known(values->recursive);
    c->tail += known(values->tail);
    if (values->first_ns != SB_NULL && (c->first_ns == SB_NULL || values->first_ns < c->first_ns))
        c->first_ns = values->first_ns;
    if (values->last_ns != SB_NULL && (c->last_ns == SB_NULL || values->last_ns > c->last_ns))
        c->last_ns = values->last_ns;
    return at;
}

static bool
is_wanted(const struct sb_call_filter *f, int64_t process, int64_t first, int64_t last)
{
    if (f->only->n > 0 && (process <= 0 || !sb_map_get(f->only, (uint64_t)process)))
        return false;
    return (first == SB_NULL || first <= f->t1) && (last == SB_NULL || last >= f->t0);
}

/* Parents precede children, so the index of a parent is known when a child is read. */
static void
read_calls(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    static const unsigned column[] = {
        SB_C_call_node__id,    SB_C_call_node__parent, SB_C_call_node__process, SB_C_call_node__mfa,
        SB_C_call_node__calls, SB_C_call_node__own_ns, SB_C_call_node__acc_ns,  SB_C_call_node__recursive,
        SB_C_call_node__tail,  SB_C_call_node__first,  SB_C_call_node__last};
    enum { ID, PARENT, PROCESS, MFA, CALLS, OWN, ACC, RECURSIVE, TAIL, FIRST, LAST };
    struct sb_map place = {0};
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_call_node);
    for (size_t c = 0; c < sizeof column / sizeof *column; c++)
        sb_scan_want(&s, column[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            bool is_new;
            int64_t *const *v = s.value;
            if (!is_wanted(f, v[PROCESS][i], v[FIRST][i], v[LAST][i]))
                continue;
            uint32_t *parent = v[PARENT][i] > 0 ? sb_map_get(&place, (uint64_t)v[PARENT][i]) : NULL;
            uint32_t name = sb_intern_put(&t->names, sb_profile_text(p, v[MFA][i]));
            struct sb_call values = {.calls = v[CALLS][i],
                                     .own = v[OWN][i],
                                     .acc = v[ACC][i],
                                     .recursive = v[RECURSIVE][i],
                                     .tail = v[TAIL][i],
                                     .first_ns = v[FIRST][i],
                                     .last_ns = v[LAST][i]};
            uint32_t at = sb_call_tree_add(t, parent ? *parent : 0, name, &values);
            *sb_map_put(&place, (uint64_t)v[ID][i], &is_new) = at;
            if (!parent)
                t->v.at[0].acc += known(v[ACC][i]);
        }
    sb_scan_close(&s);
    sb_map_close(&place);
}

static void
add_stack(struct sb_call_tree *t, struct sb_str stack, int64_t count)
{
    uint32_t at = 0;
    while (stack.n > 0) {
        struct sb_str frame = sb_frames_cut(&stack);
        struct sb_call values = {.calls = count,
                                 .own = stack.n == 0 ? count : 0,
                                 .acc = count,
                                 .first_ns = SB_NULL,
                                 .last_ns = SB_NULL};
        at = sb_call_tree_add(t, at, sb_intern_put(&t->names, frame), &values);
    }
    t->v.at[0].acc += count;
}

static void
read_stacks(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    struct sb_scan s;
    t->sampled = true;
    sb_scan_open(&s, p, SB_T_stack);
    unsigned process = sb_scan_want(&s, SB_C_stack__process), stack = sb_scan_want(&s, SB_C_stack__stack),
             count = sb_scan_want(&s, SB_C_stack__count);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (is_wanted(f, s.value[process][i], SB_NULL, SB_NULL))
                add_stack(t, sb_profile_text(p, s.value[stack][i]), s.value[count][i]);
    sb_scan_close(&s);
}

void
sb_call_tree_read(struct sb_call_tree *t, const struct sb_profile *p, const struct sb_call_filter *f)
{
    if (sb_profile_rows(p, SB_T_call_node) > 0)
        read_calls(t, p, f);
    else if (sb_profile_rows(p, SB_T_stack) > 0)
        read_stacks(t, p, f);
}

static bool
is_outermost(const struct sb_call_tree *t, uint32_t at)
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
    return sb_call_tree_add(to, parent,
                            sb_intern_put(&to->names, sb_intern_text(&t->names, t->v.at[from].name)), values);
}

void
sb_call_tree_below(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to)
{
    uint32_t wanted, *place = sb_realloc_or_die(NULL, sb_mul_or_die(t->v.n, sizeof *place));
    to->sampled = t->sampled;
    if (sb_intern_find(&t->names, name, &wanted))
        for (uint32_t i = 1; i < t->v.n; i++) {
            const struct sb_call *c = &t->v.at[i];
            bool starts = c->name == wanted && is_outermost(t, i);
            place[i] = 0;
            if (starts)
                to->v.at[0].acc += c->acc;
            if (starts || (c->parent != 0 && place[c->parent] != 0))
                place[i] = copy(t, i, to, starts ? 0 : place[c->parent], c);
        }
    free(place);
}

/* The inverted tree: the weight of a caller is the time spent in `name` when called from it. */
void
sb_call_tree_above(const struct sb_call_tree *t, struct sb_str name, struct sb_call_tree *to)
{
    uint32_t wanted;
    to->sampled = t->sampled;
    if (!sb_intern_find(&t->names, name, &wanted))
        return;
    for (uint32_t i = 1; i < t->v.n; i++) {
        const struct sb_call *c = &t->v.at[i];
        if (c->name != wanted || !is_outermost(t, i))
            continue;
        to->v.at[0].acc += c->acc;
        uint32_t at = 0;
        for (uint32_t up = i; up != 0; up = t->v.at[up].parent)
            at = copy(t, up, to, at, c);
    }
}
