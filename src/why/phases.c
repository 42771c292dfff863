#include "why/phases.h"
#include "profile/timeline.h"

static int64_t
least(int64_t a, int64_t b)
{
    return a == SB_NULL ? b : b == SB_NULL || a < b ? a : b;
}

/* The node of a process whose name is `name`; returns by node row whether it was spawned in the trace, or its
 * id. */
static void
look_at_processes(const struct sb_profile *p, uint64_t n_nodes, bool *boots, int64_t *init)
{
    int64_t kernel = sb_profile_find_text(p, SB_STR("kernel_safe_sup")),
            init_name = sb_profile_find_text(p, SB_STR("init"));
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_process);
    unsigned id = sb_scan_want(&s, SB_C_process__id), node = sb_scan_want(&s, SB_C_process__node),
             name = sb_scan_want(&s, SB_C_process__name), start = sb_scan_want(&s, SB_C_process__start);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            int64_t of = s.value[node][i];
            if (of < 1 || (uint64_t)of > n_nodes || s.value[name][i] == SB_NULL)
                continue;
            if (s.value[name][i] == kernel && s.value[start][i] != SB_NULL)
                boots[of - 1] = true;
            if (s.value[name][i] == init_name)
                init[of - 1] = s.value[id][i];
        }
    sb_scan_close(&s);
}

static bool
shuts_down(const struct sb_profile *p, int64_t function)
{
    struct sb_str f = sb_profile_text(p, function);
    return sb_str_starts(f, SB_STR("init:shutdown")) ||
           sb_str_starts(f, SB_STR("init:global_prepare_shutdown"));
}

/* The start of the first slice in which the process prepares the shutdown; SB_NULL: none. */
static int64_t
find_shutdown(const struct sb_profile *p, int64_t init)
{
    int64_t from = SB_NULL;
    struct sb_scan s;
    sb_scan_open(&s, p, SB_T_slice);
    sb_scan_where(&s, SB_C_slice__process, init, init);
    unsigned start = sb_scan_want(&s, SB_C_slice__start), out = sb_scan_want(&s, SB_C_slice__out_function);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (s.value[out][i] != SB_NULL && shuts_down(p, s.value[out][i]))
                from = least(from, s.value[start][i]);
    sb_scan_close(&s);
    return from;
}

static int64_t
within(int64_t at, int64_t low, int64_t high)
{
    return at < low ? low : at > high ? high : at;
}

static struct sb_phases
phases_of(int64_t span, int64_t start, int64_t end, int64_t program_ns, int64_t shutdown_ns)
{
    struct sb_phases f;
    f.known_ns = start == SB_NULL ? span : within(start, 0, span);
    f.end_ns = start == SB_NULL ? span : within(end == SB_NULL ? span : end, f.known_ns, span);
    f.program_ns = program_ns != SB_NULL ? within(program_ns, f.known_ns, f.end_ns) : f.known_ns;
    f.shutdown_ns = shutdown_ns != SB_NULL ? within(shutdown_ns, f.program_ns, f.end_ns) : f.end_ns;
    return f;
}

struct sb_phases *
sb_phases_find(const struct sb_profile *p, struct sb_arena *a)
{
    uint64_t n = sb_profile_rows(p, SB_T_node);
    struct sb_phases *f = SB_NEW_N(a, struct sb_phases, n + 1);
    bool *boots = SB_NEW_N(a, bool, n + 1);
    int64_t *init = SB_NEW_N(a, int64_t, n + 1);
    int64_t *start = SB_NEW_N(a, int64_t, n + 1), *end = SB_NEW_N(a, int64_t, n + 1);
    int64_t program_ns = sb_program_find(p, a).from_ns, span = sb_profile_span(p);
    if (n > 0) {
        sb_profile_read(p, SB_T_node, SB_C_node__trace_start, 0, n, start);
        sb_profile_read(p, SB_T_node, SB_C_node__trace_end, 0, n, end);
    }
    look_at_processes(p, n, boots, init);
    for (uint64_t i = 0; i < n; i++)
        f[i] = phases_of(span, start[i], end[i], boots[i] ? program_ns : SB_NULL,
                         init[i] ? find_shutdown(p, init[i]) : SB_NULL);
    return f;
}
