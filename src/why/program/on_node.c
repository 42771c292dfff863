#include "why/program/words.h"
#include "profile/scan_row.h"

uint64_t
sb_traced_nodes(const struct sb_profile *p)
{
    uint64_t n = 0;
    SB_SCAN(s, p, node, trace_start);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        n += s.value[trace_start][i] != SB_NULL;
    return n;
}

struct sb_str
sb_on_node(const struct sb_profile *p, int64_t process, struct sb_arena *a)
{
    int64_t node = SB_CELL(p, process, node, (uint64_t)process - 1);
    if (node < 1 || (uint64_t)node > sb_profile_rows(p, SB_T_node) ||
        (sb_traced_nodes(p) < 2 && sb_profile_far_node(p, node).n == 0))
        return SB_STR("");
    struct sb_str name = sb_profile_text(p, SB_CELL(p, node, name, (uint64_t)node - 1));
    return name.n > 0 ? sb_arena_printf(a, " on %.*s", SB_STR_ARG(name)) : SB_STR("");
}
