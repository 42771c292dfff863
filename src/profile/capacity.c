#include "profile/capacity.h"
#include "profile/scan_row.h"

enum { PPM = 1000000 };

/* What the capacity of a node follows from; the columns are those of `columns`. */
enum { ONLINE, ALL, CORES, QUOTA, TRACE_START, VALUES };
static const unsigned columns[VALUES] = {SB_C_node__schedulers_online, SB_C_node__schedulers,
                                         SB_C_node__cores, SB_C_node__cpu_quota_ppm, SB_C_node__trace_start};

/* The number of normal schedulers that ran processes, by node.id. */
static int64_t *
count_used(const struct sb_profile *p, struct sb_arena *a)
{
    int64_t normal = sb_profile_find_text(p, SB_STR("normal"));
    uint64_t nodes = sb_profile_rows(p, SB_T_node);
    int64_t *n = SB_NEW_N(a, int64_t, nodes + 1);
    SB_SCAN(s, p, scheduler, kind, node, slices);
    for (size_t i = 0; normal != SB_NULL && sb_scan_row(&s, &i); i++)
        if (s.value[kind][i] == normal && s.value[slices][i] > 0 && s.value[node][i] >= 1 &&
            (uint64_t)s.value[node][i] <= nodes)
            n[s.value[node][i]]++;
    return n;
}

/* More schedulers than were online at the start may have come online after it. */
static int64_t
schedulers_of(const int64_t node[VALUES], int64_t used)
{
    if (node[ONLINE] <= 0)
        return node[ALL] > 0 ? node[ALL] : 0;
    return used > node[ONLINE] ? used : node[ONLINE];
}

static struct sb_capacity
capacity_of(const int64_t node[VALUES], int64_t used)
{
    struct sb_capacity c = {.schedulers = schedulers_of(node, used), .traced = node[TRACE_START] != SB_NULL};
    c.able = node[CORES] > 0 && node[CORES] < c.schedulers ? node[CORES] : c.schedulers;
    c.cpu_ppm = node[QUOTA] > 0 && node[QUOTA] < c.able * PPM ? node[QUOTA] : c.able * PPM;
    c.able = (c.cpu_ppm + PPM - 1) / PPM;
    return c;
}

struct sb_capacity *
sb_capacities_find(const struct sb_profile *p, struct sb_arena *a)
{
    uint64_t nodes = sb_profile_rows(p, SB_T_node);
    struct sb_capacity *c = SB_NEW_N(a, struct sb_capacity, nodes + 1);
    int64_t *used = count_used(p, a);
    struct sb_scan s;
    sb_scan_open_columns(&s, p, SB_T_node, columns, VALUES);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t node[VALUES];
        for (unsigned k = 0; k < VALUES; k++)
            node[k] = s.value[k][i];
        c[s.row[i]] = capacity_of(node, used[s.row[i] + 1]);
    }
    return c;
}

void
sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c)
{
    SB_ARENA(a);
    bool known = true;
    *c = (struct sb_capacity){0};
    const struct sb_capacity *of = sb_capacities_find(p, &a);
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_node); i++)
        if (of[i].traced) {
            c->schedulers += of[i].schedulers;
            c->able += of[i].able;
            c->cpu_ppm += of[i].cpu_ppm;
            known &= of[i].schedulers > 0;
        }
    if (!known)
        *c = (struct sb_capacity){0};
}
