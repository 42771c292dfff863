#include "profile/left_out.h"

static bool
is_traced(const struct sb_profile *p, int64_t node)
{
    return node >= 1 && (uint64_t)node <= sb_profile_rows(p, SB_T_node) &&
           sb_profile_cell(p, SB_T_node, SB_C_node__trace_start, (uint64_t)node - 1) != SB_NULL;
}

/* The snapshot at the start of a recording names every process. A process without a name or an entry was only
 * mentioned, by a process of its own such as that of the recorder. */
int64_t
sb_left_out(const struct sb_profile *p, int64_t node)
{
    struct sb_scan s;
    int64_t n = 0;
    sb_scan_open(&s, p, SB_T_process);
    unsigned on = sb_scan_want(&s, SB_C_process__node), start = sb_scan_want(&s, SB_C_process__start),
             seen = sb_scan_want(&s, SB_C_process__last_seen), name = sb_scan_want(&s, SB_C_process__name),
             entry = sb_scan_want(&s, SB_C_process__entry);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            n += s.value[seen][i] == SB_NULL && s.value[start][i] == SB_NULL &&
                 (s.value[name][i] > 0 || s.value[entry][i] > 0) && (node == 0 || s.value[on][i] == node) &&
                 is_traced(p, s.value[on][i]);
    sb_scan_close(&s);
    return n;
}
