/*
 * Percept2's compressed process tree, at every level: three or more processes with one parent group and one
 * entry form one group, represented by the process that ran longest. A registered process stays by itself,
 * and its unregistered siblings can still be grouped. Roots are never grouped.
 *
 *     work list of groups:  [root] [root] [children of the first ...] ...      group.id is the index in it
 */
#include "engine/out/group.h"
#include "engine/world/actors.h"
#include "engine/out/emit.h"

enum { FOLD_FROM = 3 };

struct group {
    uint32_t parent;      /* group id; 0: a root */
    uint32_t first, last; /* first and last member of a list linked by next_member */
    uint32_t n;
};

struct folding {
    const struct sb_run *run;
    const struct sb_process_index *all;
    int64_t *group_of;
    uint32_t *first_child, *next_child; /* by process id, each list in order of id */
    uint32_t *next_member;
    uint32_t *entry;             /* by process id; 0: no entry, or a registered process */
    SB_VEC(struct group) groups; /* index 0 is unused */
    SB_VEC(uint32_t) siblings;
};

static const struct sb_proc *
see(const struct folding *f, uint32_t process, struct sb_proc *room)
{
    return sb_process_index_see(f->all, f->all->process[process], room);
}

/* Reads each process once; packed processes are unpacked into `room`. */
static void
find_children(struct folding *f)
{
    struct sb_proc room;
    for (uint32_t i = f->run->ids.processes; i > 0; i--) {
        const struct sb_proc *p = see(f, i, &room);
        int64_t parent = sb_actors_id(f->run, p->life.parent, p->life.parent_at);
        uint32_t at = parent == SB_NULL || parent == i ? 0 : (uint32_t)parent;
        f->next_child[i] = f->first_child[at];
        f->first_child[at] = i;
        f->entry[i] = p->life.name ? 0 : p->life.entry;
    }
}

static void
join(struct folding *f, uint32_t group, uint32_t process)
{
    struct group *g = &f->groups.at[group];
    if (g->n++ == 0)
        g->first = process;
    else
        f->next_member[g->last] = process;
    g->last = process;
    f->group_of[process] = group;
}

static uint32_t
add_group(struct folding *f, uint32_t parent)
{
    *SB_PUSH(&f->groups) = (struct group){.parent = parent};
    return (uint32_t)f->groups.n - 1;
}

/* Counts the unregistered siblings of each entry. */
static void
count_entries(const struct folding *f, struct sb_map *count)
{
    for (size_t i = 0; i < f->siblings.n; i++)
        ++*sb_map_put(count, f->entry[f->siblings.at[i]], NULL);
}

static void
fold_children(struct folding *f, uint32_t group)
{
    f->siblings.n = 0;
    for (uint32_t m = f->groups.at[group].first; m; m = f->next_member[m])
        for (uint32_t c = f->first_child[m]; c; c = f->next_child[c])
            if (f->group_of[c] == 0)
                *SB_PUSH(&f->siblings) = c;
    struct sb_map count = {0}, into = {0};
    count_entries(f, &count);
    for (size_t i = 0; i < f->siblings.n; i++) {
        uint32_t process = f->siblings.at[i], entry = f->entry[process];
        bool is_new = true, folds = entry && *sb_map_get(&count, entry) >= FOLD_FROM;
        uint32_t *g = folds ? sb_map_put(&into, entry, &is_new) : NULL;
        uint32_t target = is_new ? add_group(f, group) : *g;
        if (g)
            *g = target;
        join(f, target, process);
    }
    sb_map_close(&count);
    sb_map_close(&into);
}

static int64_t
earliest(int64_t a, int64_t b)
{
    return a == SB_NULL ? b : b == SB_NULL ? a : a < b ? a : b;
}

static void
write_group(const struct folding *f, uint32_t id)
{
    const struct sb_run *r = f->run;
    const struct group *g = &f->groups.at[id];
    struct sb_proc room;
    uint32_t best = 0, entry = 0; /* of the process that ran longest, where times are known */
    int64_t most = 0;
    bool traced = false;
    int64_t run = 0, runnable = 0, wait = 0, gc = 0, dirty = 0, handover = 0, dirty_gc = 0, sends = 0,
            receives = 0, start = SB_NULL, end = SB_NULL;
    for (uint32_t m = g->first; m; m = f->next_member[m]) {
        const struct sb_proc *p = see(f, m, &room);
        traced |= sb_proc_is_traced(p);
        if (m == g->first || (!r->facts.untimed && p->stay.sum.run_ns > most)) {
            most = p->stay.sum.run_ns;
            best = m;
            entry = p->life.entry;
        }
        run += p->stay.sum.run_ns;
        runnable += p->stay.sum.runnable_ns;
        wait += p->stay.sum.wait_ns;
        gc += p->stay.sum.gc_ns;
        dirty += p->stay.sum.dirty_ns;
        handover += p->stay.sum.handover_ns;
        dirty_gc += p->stay.sum.dirty_gc_ns;
        sends += (int64_t)p->mail.sends;
        receives += (int64_t)p->mail.receives;
        start = earliest(start, p->life.start);
        end = p->life.end != SB_NULL && p->life.end > end ? p->life.end
                                                          : end; /* SB_NULL is the smallest value */
    }
    bool running = traced && (sb_recorded(r, SB_RUNNING) || r->facts.vm_truth);
    bool messages = traced && sb_recorded(r, SB_MESSAGES), has_gc = traced && sb_recorded(r, SB_GC);
    int64_t c[] = {
        [SB_C_process_group__id] = id,
        [SB_C_process_group__parent_group] = g->parent ? g->parent : SB_NULL,
        [SB_C_process_group__entry] = sb_emit_text(r->services.emit, entry),
        [SB_C_process_group__processes] = g->n,
        [SB_C_process_group__representative] = best,
        [SB_C_process_group__run_ns] = running ? run : SB_NULL,
        [SB_C_process_group__runnable_ns] = running ? runnable : SB_NULL,
        [SB_C_process_group__wait_ns] = running ? wait : SB_NULL,
        [SB_C_process_group__gc_ns] = has_gc ? gc : SB_NULL,
        [SB_C_process_group__sends] = messages ? sends : SB_NULL,
        [SB_C_process_group__receives] = messages ? receives : SB_NULL,
        [SB_C_process_group__start] = start == SB_NULL ? SB_NULL : sb_rel(r, start),
        [SB_C_process_group__end] = end == SB_NULL ? SB_NULL : sb_rel(r, end),
        [SB_C_process_group__dirty_ns] = running ? dirty : SB_NULL,
        [SB_C_process_group__handover_ns] = running ? handover : SB_NULL,
        [SB_C_process_group__dirty_gc_ns] = has_gc ? dirty_gc : SB_NULL,
    };
    sb_build_row(r->services.build, SB_T_process_group, c);
}

void
sb_groups_write(const struct sb_run *r, const struct sb_process_index *all, int64_t *group_of)
{
    uint32_t n = r->ids.processes;
    uint32_t *of[4]; /* by id */
    for (size_t i = 0; i < 4; i++)
        of[i] = sb_zeroed_or_die((size_t)n + 1, sizeof *of[i]);
    struct folding f = {r, all, group_of, of[0], of[1], of[2], of[3], {0}, {0}};
    memset(group_of, 0, ((size_t)n + 1) * sizeof *group_of);
    find_children(&f);
    add_group(&f, 0);
    for (uint32_t i = f.first_child[0]; i; i = f.next_child[i])
        join(&f, add_group(&f, 0), i);
    uint32_t done = 1;
    /* a process in a cycle of parents becomes a root too */
    for (uint32_t left = 1; left <= n; left++) {
        for (; done < f.groups.n; done++)
            fold_children(&f, done);
        if (group_of[left] == 0)
            join(&f, add_group(&f, 0), left);
    }
    for (; done < f.groups.n; done++)
        fold_children(&f, done);
    for (uint32_t g = 1; g < f.groups.n; g++)
        write_group(&f, g);
    free(f.first_child);
    free(f.next_child);
    free(f.next_member);
    free(f.entry);
    SB_VEC_FREE(&f.groups);
    SB_VEC_FREE(&f.siblings);
}
