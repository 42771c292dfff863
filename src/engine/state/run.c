#include "engine/state/run.h"

int64_t
sb_node_start(const struct sb_run *r, unsigned node)
{
    int64_t start = INT64_MAX;
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.at[i].node == node && r->inputs.at[i].first < start)
            start = r->inputs.at[i].first;
    return start == INT64_MAX ? r->axis.t0 : start;
}

int64_t
sb_node_end(const struct sb_run *r, unsigned node)
{
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < r->inputs.n; i++)
        if (r->inputs.at[i].node == node && r->inputs.at[i].last > end)
            end = r->inputs.at[i].last;
    return end == INT64_MIN ? r->axis.end : end;
}
