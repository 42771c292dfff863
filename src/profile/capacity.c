#include "profile/capacity.h"

enum { PPM = 1000000 };

static int64_t
of_node(const struct sb_profile *p, unsigned col, uint64_t row)
{
    return sb_profile_cell(p, SB_T_node, col, row);
}

/* The number of normal schedulers of a node that ran processes. */
static int64_t
used(const struct sb_profile *p, int64_t node)
{
    int64_t normal = sb_profile_find_text(p, SB_STR("normal")), n = 0;
    for (uint64_t i = 0; normal != SB_NULL && i < sb_profile_rows(p, SB_T_scheduler); i++)
        n += sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__kind, i) == normal &&
             sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__node, i) == node &&
             sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__slices, i) > 0;
    return n;
}

static int64_t
schedulers_of(const struct sb_profile *p, uint64_t row)
{
    int64_t online = of_node(p, SB_C_node__schedulers_online, row),
            all = of_node(p, SB_C_node__schedulers, row);
    if (online <= 0)
        return all > 0 ? all : 0;
    /* more may have come online after the start */
    int64_t worked = used(p, of_node(p, SB_C_node__id, row));
    return worked > online ? worked : online;
}

void
sb_capacity_of_node(const struct sb_profile *p, uint64_t row, struct sb_capacity *c)
{
    int64_t cores = of_node(p, SB_C_node__cores, row), quota = of_node(p, SB_C_node__cpu_quota_ppm, row);
    c->schedulers = schedulers_of(p, row);
    c->able = cores > 0 && cores < c->schedulers ? cores : c->schedulers;
    c->cpu_ppm = quota > 0 && quota < c->able * PPM ? quota : c->able * PPM;
    c->able = (c->cpu_ppm + PPM - 1) / PPM;
}

void
sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c)
{
    *c = (struct sb_capacity){0};
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_node); row++) {
        struct sb_capacity one;
        if (of_node(p, SB_C_node__trace_start, row) == SB_NULL)
            continue;
        sb_capacity_of_node(p, row, &one);
        if (one.schedulers == 0) {
            *c = (struct sb_capacity){0};
            return;
        }
        c->schedulers += one.schedulers;
        c->able += one.able;
        c->cpu_ppm += one.cpu_ppm;
    }
}
