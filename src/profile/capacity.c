#include "profile/capacity.h"

enum { PPM = 1000000 };

/* What the capacity of a node follows from; the columns are those of `columns`. */
enum { ID, ONLINE, ALL, CORES, QUOTA, TRACE_START, VALUES };
static const unsigned columns[VALUES] = {
    SB_C_node__id,    SB_C_node__schedulers_online, SB_C_node__schedulers,
    SB_C_node__cores, SB_C_node__cpu_quota_ppm,     SB_C_node__trace_start};

/* The number of normal schedulers of a node that ran processes. */
static int64_t
used(const struct sb_profile *p, int64_t node)
{
    int64_t normal = sb_profile_find_text(p, SB_STR("normal")), n = 0;
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_scheduler);
    unsigned kind = sb_scan_want(&s, SB_C_scheduler__kind), of = sb_scan_want(&s, SB_C_scheduler__node),
             slices = sb_scan_want(&s, SB_C_scheduler__slices);
    while (normal != SB_NULL && sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            n += s.value[kind][i] == normal && s.value[of][i] == node && s.value[slices][i] > 0;
    sb_scan_close(&s);
    return n;
}

static int64_t
schedulers_of(const struct sb_profile *p, const int64_t node[VALUES])
{
    if (node[ONLINE] <= 0)
        return node[ALL] > 0 ? node[ALL] : 0;
    /* more may have come online after the start */
    int64_t worked = used(p, node[ID]);
    return worked > node[ONLINE] ? worked : node[ONLINE];
}

static struct sb_capacity
capacity_of(const struct sb_profile *p, const int64_t node[VALUES])
{
    struct sb_capacity c = {.schedulers = schedulers_of(p, node)};
    c.able = node[CORES] > 0 && node[CORES] < c.schedulers ? node[CORES] : c.schedulers;
    c.cpu_ppm = node[QUOTA] > 0 && node[QUOTA] < c.able * PPM ? node[QUOTA] : c.able * PPM;
    c.able = (c.cpu_ppm + PPM - 1) / PPM;
    return c;
}

void
sb_capacity_of_node(const struct sb_profile *p, uint64_t row, struct sb_capacity *c)
{
    int64_t node[VALUES];
    for (unsigned i = 0; i < VALUES; i++)
        node[i] = sb_profile_cell(p, SB_T_node, columns[i], row);
    *c = capacity_of(p, node);
}

/* Adds the capacity of a traced node; false if it is unknown. */
static bool
add(struct sb_capacity *sum, const struct sb_profile *p, const int64_t node[VALUES])
{
    struct sb_capacity one = capacity_of(p, node);
    sum->schedulers += one.schedulers;
    sum->able += one.able;
    sum->cpu_ppm += one.cpu_ppm;
    return one.schedulers > 0;
}

void
sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c)
{
    struct sb_scan s;
    unsigned want[VALUES];
    bool known = true;
    *c = (struct sb_capacity){0};
    sb_scan_open(&s, p, SB_T_node);
    for (unsigned k = 0; k < VALUES; k++)
        want[k] = sb_scan_want(&s, columns[k]);
    while (known && sb_scan_next(&s))
        for (size_t i = 0; known && i < s.n; i++) {
            int64_t node[VALUES];
            for (unsigned k = 0; k < VALUES; k++)
                node[k] = s.value[want[k]][i];
            known = node[TRACE_START] == SB_NULL || add(c, p, node);
        }
    sb_scan_close(&s);
    if (!known)
        *c = (struct sb_capacity){0};
}
