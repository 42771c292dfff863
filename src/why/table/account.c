/* account(node, part, of, ns, share, process). */
#include "why/account/whole.h"
#include "why/why.h"

#define PART(id, name, words) name " "
static const char part_doc[] = "one of "
#include "why/account/account_parts.def"
    ;
static const struct sb_column columns[] = {
    {"node", SB_INT, SB_U_ID, "node.id"},
    {"part", SB_TEXT, SB_U_NONE, part_doc},
    {"of", SB_TEXT, SB_U_NONE,
     "process: name or pid of the only process that ran, NULL if several did; outside: timer, port, dirty or "
     "node, NULL if unknown"},
    {"ns", SB_INT, SB_U_NS, "over all rows: normal schedulers times the length of the profile"},
    {"share", SB_REAL, SB_U_NONE, "per cent of the schedulers of all nodes"},
    {"process", SB_INT, SB_U_ID, "process.id of `of`"},
};

SB_COMPUTED(sb_why_account) = {
    .name = "account",
    .doc = "where the time of the normal schedulers went; no rows for a node whose number of schedulers is "
           "unknown",
    .column = columns,
    .n_columns = sizeof columns / sizeof columns[0],
    .open = open_rows,
    .next = next_row,
};

struct rows {
    const struct sb_profile *p;
    const struct sb_accounts *x;
    uint64_t node;
    int part;
    uint64_t of; /* the next one within the part */
    double total_ns;
    uint32_t *first,
        *idle_for; /* the processes that idle schedulers waited for, by node row; first: of a node */
};

/* Processes in the order of their nodes. */
static void
find_idle_for(struct rows *r, struct sb_arena *a)
{
    const struct sb_accounts *x = r->x;
    r->first = SB_NEW_N(a, uint32_t, x->n_nodes + 2);
    r->idle_for = SB_NEW_N(a, uint32_t, x->n_processes + 1);
    for (uint64_t id = 1; id <= x->n_processes; id++)
        if (x->node_of[id] > 0 && x->for_process[id] > 0)
            r->first[x->node_of[id]]++;
    for (uint64_t i = 1; i <= x->n_nodes + 1; i++)
        r->first[i] += r->first[i - 1];
    for (uint64_t id = x->n_processes; id >= 1; id--)
        if (x->node_of[id] > 0 && x->for_process[id] > 0)
            r->idle_for[--r->first[x->node_of[id]]] = (uint32_t)id;
}

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    (void)e;
    const struct sb_accounts *x = &sb_whole_of(c->profile)->accounts;
    struct rows *r = SB_NEW(c->arena, struct rows);
    *r = (struct rows){.p = c->profile, .x = x};
    for (uint64_t i = 0; i < x->n_nodes; i++)
        r->total_ns += (double)x->node[i].schedulers * (double)x->span_ns;
    find_idle_for(r, c->arena);
    return r;
}

/* Parts without an `of` have one row if something is known of them, or they are always there. */
static bool
has_row(const struct sb_account *a, enum sb_account_part part)
{
    return a->ns[part] > 0 || part == SB_PART_WORK || part == SB_PART_GC || part == SB_PART_SWITCHING ||
           part == SB_PART_ELSEWHERE || (part == SB_PART_TRACING && a->knows_tracing) ||
           (part == SB_PART_PREEMPTED && a->knows_preempted);
}

static struct sb_str
name_of(const struct rows *r, int64_t process)
{
    uint64_t row = (uint64_t)process - 1;
    int64_t name = SB_CELL(r->p, process, name, row);
    return sb_profile_text(r->p, name != SB_NULL ? name : SB_CELL(r->p, process, pid, row));
}

static struct sb_str
outside_name(uint64_t of)
{
    static const char *const name[SB_OUTSIDES] = {NULL, "timer", "port", "dirty", "node"};
    return name[of] ? sb_str_of(name[of]) : (struct sb_str){0};
}

/* The next process that schedulers of the node waited for, after those that waited for several. */
static bool
next_process(struct rows *r, int64_t *ns, int64_t *process)
{
    const uint32_t *first = &r->first[r->node + 1];
    if (r->of == 0) {
        r->of = 1;
        *ns = r->x->node[r->node].for_several_ns;
        if (*ns > 0)
            return true;
    }
    uint64_t next = first[0] + r->of++ - 1;
    if (next >= first[1])
        return false;
    *process = r->idle_for[next];
    *ns = r->x->for_process[*process];
    return true;
}

/* The next row of the current part with its time; false: there are no more. */
static bool
next_of(struct rows *r, int64_t *ns, int64_t *process)
{
    const struct sb_account *a = &r->x->node[r->node];
    if (r->part == SB_PART_PROCESS)
        return next_process(r, ns, process);
    if (r->part != SB_PART_OUTSIDE) {
        *ns = a->ns[r->part];
        return r->of++ == 0 && has_row(a, (enum sb_account_part)r->part);
    }
    while (r->of < SB_OUTSIDES)
        if ((*ns = a->outside_ns[r->of++]) > 0)
            return true;
    return false;
}

static bool
next_row(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    for (; r->node < r->x->n_nodes; r->node++, r->part = 0)
        for (; r->part < SB_PART_COUNT && r->x->node[r->node].schedulers > 0; r->part++, r->of = 0) {
            int64_t ns, process = SB_NULL;
            if (!next_of(r, &ns, &process))
                continue;
            cell[0].i = (int64_t)r->node + 1;
            cell[1].s = sb_str_of(sb_part_names[r->part]);
            cell[2].s = r->part == SB_PART_OUTSIDE ? outside_name(r->of - 1)
                        : process != SB_NULL       ? name_of(r, process)
                                                   : (struct sb_str){0};
            cell[3].i = ns;
            cell[4].f = 100 * (double)ns / r->total_ns;
            cell[5].i = process;
            return true;
        }
    return false;
}
