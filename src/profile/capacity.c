#include "profile/capacity.h"

enum { PPM = 1000000 };

static int64_t
of_node(const struct sb_profile *p, unsigned col, uint64_t row)
{
    return sb_profile_cell(p, SB_T_node, col, row);
}

/* Normal schedulers of the node by rows of table scheduler: all that were met, and those that processes ran on. */
static void
count(const struct sb_profile *p, int64_t node, int64_t *met, int64_t *used)
{
    int64_t normal = sb_profile_find_text(p, SB_STR("normal")), unknown = sb_profile_find_text(p, SB_STR("unknown"));
    *met = *used = 0;
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_scheduler); i++) {
        int64_t kind = sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__kind, i);
        bool is_normal = kind != SB_NULL && (kind == normal || kind == unknown) &&
                         sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__number, i) > 0;
        if (!is_normal || sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__node, i) != node)
            continue;
        ++*met;
        *used += sb_profile_cell(p, SB_T_scheduler, SB_C_scheduler__slices, i) > 0;
    }
}

static int64_t
schedulers_of(const struct sb_profile *p, uint64_t row)
{
    int64_t online = of_node(p, SB_C_node__schedulers_online, row), all = of_node(p, SB_C_node__schedulers, row);
    int64_t met, used;
    count(p, of_node(p, SB_C_node__id, row), &met, &used);
    int64_t n = online != SB_NULL ? online : all != SB_NULL ? all : met;
    return n > used ? n : used;
}

void
sb_capacity_find(const struct sb_profile *p, struct sb_capacity *c)
{
    *c = (struct sb_capacity){0};
    for (uint64_t row = 0; row < sb_profile_rows(p, SB_T_node); row++) {
        int64_t n = schedulers_of(p, row), cores = of_node(p, SB_C_node__cores, row);
        int64_t quota = of_node(p, SB_C_node__cpu_quota_ppm, row), able = cores > 0 && cores < n ? cores : n;
        c->schedulers += n;
        c->able += able;
        c->cpu_ppm += quota > 0 && quota < able * PPM ? quota : able * PPM;
    }
}
