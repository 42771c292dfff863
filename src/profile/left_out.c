#include "profile/left_out.h"
#include "profile/scan_row.h"

/* The snapshot at the start of a recording names every process. A process without a name or an entry was only
 * mentioned, by a process of its own such as that of the recorder. */
int64_t *
sb_left_out_find(const struct sb_profile *p, struct sb_arena *a)
{
    uint64_t nodes = sb_profile_rows(p, SB_T_node);
    int64_t *n = SB_NEW_N(a, int64_t, nodes + 1), *traced = SB_NEW_N(a, int64_t, nodes + 1);
    if (nodes > 0)
        sb_profile_read(p, SB_T_node, SB_C_node__trace_start, 0, nodes, traced + 1);
    SB_SCAN(s, p, process, node, start, last_seen, name, entry);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t on = s.value[node][i];
        if (s.value[last_seen][i] != SB_NULL || s.value[start][i] != SB_NULL || on < 1 ||
            (uint64_t)on > nodes || traced[on] == SB_NULL ||
            (s.value[name][i] <= 0 && s.value[entry][i] <= 0))
            continue;
        n[0]++;
        n[on]++;
    }
    return n;
}
