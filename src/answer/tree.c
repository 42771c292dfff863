/* The process tree: siblings of the same parent group and entry share one row. */
#include "answer/answer.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "base/map.h"
#include "base/vec.h"

#define COLUMN(id, ...) {__VA_ARGS__},
static const struct sb_column columns[] = {
#include "answer/tree.def"
    {0},
};
#undef COLUMN
#define COLUMN(id, ...) id,
enum {
#include "answer/tree.def"
    N_COLUMNS
};
#undef COLUMN

SB_ANSWER(tree) = {
    .name = "tree",
    .title = "Process tree, with siblings of the same entry folded",
    .whole_run = "strobe report P processes --since T --until T shows the time of each process in each state "
                 "in that range",
    .of_all = true,
    .doc =
        "One row per group of processes, below the group that spawned it; groups that ran most come first.",
    .needs = "--trace procs",
    .ask = answer,
    .limit = 40,
    .column = columns,
    .narrow = "group,processes,run_ns,below_ns,representative",
    .hide = "id,parent,entry,depth,node",
};

static const unsigned from[] = {
    [PROCESSES] = SB_C_process_group__processes,
    [RUN] = SB_C_process_group__run_ns,
    [RUNNABLE] = SB_C_process_group__runnable_ns,
    [WAIT] = SB_C_process_group__wait_ns,
    [GC] = SB_C_process_group__gc_ns,
    [SENDS] = SB_C_process_group__sends,
    [RECEIVES] = SB_C_process_group__receives,
};

struct group {
    int64_t id, parent, representative, below;
    size_t asker; /* index + 1 of the group that asked for most of its members; 0: none is known */
    uint32_t asked;
    size_t depth;
    size_t child, sibling; /* index + 1 */
    int64_t entry, cell[RECEIVES + 1];
    bool seen;
};

struct tree {
    const struct sb_ask *ask;
    struct sb_table *t;
    struct group *g;
    size_t n;
    bool ran; /* the run time of some is known */
};

SB_ORDER(by_run, struct group, SB_UP(below) ?: SB_DOWN(id))

static size_t
find(const struct sb_map *index, int64_t id)
{
    const uint32_t *i = sb_map_get(index, (uint64_t)id);
    return i ? *i : SIZE_MAX;
}

static void
load(struct tree *t)
{
    struct sb_scan s;
    sb_scan_open(&s, t->ask->profile, SB_T_process_group);
    unsigned id = sb_scan_want(&s, SB_C_process_group__id),
             parent = sb_scan_want(&s, SB_C_process_group__parent_group),
             representative = sb_scan_want(&s, SB_C_process_group__representative),
             entry = sb_scan_want(&s, SB_C_process_group__entry), value[N_COLUMNS];
    for (unsigned k = PROCESSES; k <= RECEIVES; k++)
        value[k] = k == BELOW ? 0 : sb_scan_want(&s, from[k]);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct group *g = &t->g[s.row[i]];
        *g = (struct group){.id = s.value[id][i],
                            .parent = s.value[parent][i],
                            .representative = s.value[representative][i],
                            .entry = s.value[entry][i]};
        for (unsigned k = PROCESSES; k <= RECEIVES; k++)
            g->cell[k] = s.value[value[k]][i];
        t->ran |= g->cell[RUN] != SB_NULL;
        g->below = g->cell[RUN] == SB_NULL ? 0 : g->cell[RUN];
    }
}

static void
index_of(const struct tree *t, struct sb_map *index)
{
    sb_map_clear(index);
    for (size_t i = 0; i < t->n; i++)
        *sb_map_put(index, (uint64_t)t->g[i].id, NULL) = (uint32_t)i;
}

static int64_t
group_of(const struct sb_profile *p, int64_t process)
{
    return process >= 1 && (uint64_t)process <= sb_profile_rows(p, SB_T_process)
               ? SB_CELL(p, process, group_id, (uint64_t)process - 1)
               : SB_NULL;
}

/* Of each group by whom it was asked for; of two that asked equally often the one that came to that number first. */
static void
find_askers(struct tree *t, const struct sb_map *index)
{
    SB_SCOPED_MAP struct sb_map asks = {0};
    SB_SCAN(s, t->ask->profile, process, group_id, asked_by);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        size_t asker = find(index, group_of(t->ask->profile, s.value[asked_by][i])),
               group = find(index, s.value[group_id][i]);
        if (asker == SIZE_MAX || group == SIZE_MAX)
            continue;
        uint32_t *n = sb_map_put(&asks, (uint64_t)group << 32 | asker, NULL);
        if (++*n > t->g[group].asked) {
            t->g[group].asked = *n;
            t->g[group].asker = asker + 1;
        }
    }
}

/* Adds up to the root. A damaged file may make a group its own ancestor, so the number of steps is
 * limited. */
static void
sum_up(struct tree *t, const struct sb_map *index)
{
    enum { DEEPEST = 1000 };
    int64_t *own = SB_NEW_N(t->ask->arena, int64_t, t->n + 1);
    for (size_t i = 0; i < t->n; i++)
        own[i] = t->g[i].below;
    for (size_t i = 0; i < t->n; i++) {
        size_t up = find(index, t->g[i].parent);
        for (unsigned step = 0; up != SIZE_MAX && step < DEEPEST; step++, up = find(index, t->g[up].parent))
            t->g[up].below += own[i];
    }
}

static void
link_children(struct tree *t, const struct sb_map *index)
{
    for (size_t i = 0; i < t->n; i++) { /* ascending: the last one linked comes first */
        size_t up = find(index, t->g[i].parent);
        if (up == SIZE_MAX || up == i)
            continue;
        t->g[i].sibling = t->g[up].child;
        t->g[up].child = i + 1;
    }
}

static struct sb_str
name_of(const struct tree *t, const struct group *g)
{
    struct sb_str entry = sb_profile_text(t->ask->profile, g->entry);
    return entry.n ? entry : SB_STR("(unknown)");
}

static struct sb_str
indented(const struct tree *t, const struct group *g)
{
    struct sb_str entry = name_of(t, g);
    size_t depth = g->depth < 30 ? g->depth : 30;
    return sb_arena_printf(t->ask->arena, "%*s%.*s", (int)(2 * depth), "", SB_STR_ARG(entry));
}

static void
put_group(struct tree *t, const struct group *g)
{
    const struct sb_profile *p = t->ask->profile;
    union sb_cell *c = sb_table_row(t->t);
    for (unsigned k = PROCESSES; k <= RECEIVES; k++)
        c[k].i = k != BELOW ? g->cell[k] : t->ran ? g->below : SB_NULL;
    c[ENTRY].s = sb_profile_text(p, g->entry);
    c[GROUP].s = indented(t, g);
    c[DEPTH].i = (int64_t)g->depth;
    c[ID].i = g->id;
    c[PARENT].i = g->parent;
    c[ASKED].i = g->asked > 0 ? g->asked : SB_NULL;
    c[ASKED_BY].s = g->asker > 0 ? name_of(t, &t->g[g->asker - 1]) : (struct sb_str){0};
    uint64_t member = (uint64_t)g->representative - 1; /* a row that does not exist has NULLs */
    c[PID].s = sb_profile_text(p, SB_CELL(p, process, pid, member));
    c[NODE].i = SB_CELL(p, process, node, member);
}

/* Depth first, without recursion, since a file may make the tree arbitrarily deep. */
static void
walk(struct tree *t, size_t root)
{
    SB_SCOPED SB_VEC(size_t) stack = {0};
    t->g[root].depth = 0;
    *SB_PUSH(&stack) = root;
    while (stack.n > 0) {
        struct group *g = &t->g[stack.at[--stack.n]];
        if (g->seen)
            continue;
        g->seen = true;
        put_group(t, g);
        size_t first = stack.n;
        for (size_t c = g->child; c; c = t->g[c - 1].sibling) {
            t->g[c - 1].depth = g->depth + 1;
            *SB_PUSH(&stack) = c - 1;
        }
        for (size_t i = first, k = stack.n; i + 1 < k; i++, k--) { /* the first child is on top */
            size_t swap = stack.at[i];
            stack.at[i] = stack.at[k - 1];
            stack.at[k - 1] = swap;
        }
    }
}

static bool
answer(const struct sb_ask *ask, struct sb_table *table, struct sb_err *e)
{
    struct tree t = {.ask = ask, .t = table, .n = sb_profile_rows(ask->profile, SB_T_process_group)};
    SB_SCOPED_MAP struct sb_map index = {0};
    (void)e;
    sb_table_init(table, ask->arena, columns, N_COLUMNS);
    sb_table_reserve(table, t.n);
    t.g = SB_NEW_N(ask->arena, struct group, t.n + 1);
    load(&t);
    index_of(&t, &index);
    sum_up(&t, &index);
    sb_sort(t.g, t.n, sizeof *t.g, by_run);
    index_of(&t, &index);
    find_askers(&t, &index);
    link_children(&t, &index);
    for (size_t i = t.n; i-- > 0;)
        if (find(&index, t.g[i].parent) == SIZE_MAX)
            walk(&t, i);
    for (size_t i = t.n; i-- > 0;) /* groups in a cycle */
        if (!t.g[i].seen)
            walk(&t, i);
    return true;
}
