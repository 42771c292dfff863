/* Reads what the traces of `strobe scale` say, and compares it. */
#include "cli/record/scaled.h"
#include "cli/frame/profile.h"
#include <math.h>

enum { MOST_GROUPS = 500, MATERIAL = 20 };

/* ---- reading ---- */

static bool
ask(struct sb_cli_profile *c, const char *sql, struct sb_arena *a, struct sb_table *t, struct sb_err *e)
{
    return sb_sql_ask(c->sql, sb_str_of(sql), NULL, 0, NULL, a, t, e);
}

static bool
read_schedulers(struct sb_cli_profile *c, struct sb_scaled_count *n, struct sb_arena *a, struct sb_err *e)
{
    struct sb_table t;
    SB_TRY(ask(c, "SELECT schedulers FROM node WHERE trace_start IS NOT NULL", a, &t, e));
    n->schedulers = t.n_rows == 1 && t.column[0].type == SB_INT ? t.cell[0].i : SB_NULL;
    return true;
}

static bool
read_account(struct sb_cli_profile *c, struct sb_scaled_count *n, struct sb_arena *a, struct sb_err *e)
{
    struct sb_table t;
    for (int p = 0; p < SB_SCALED_PARTS; p++) {
        n->part_ns[p] = SB_NULL;
        n->share[p] = (double)NAN;
    }
    SB_TRY(ask(c, "SELECT part, sum(ns), sum(share) FROM account GROUP BY part", a, &t, e));
    for (size_t r = 0; r < t.n_rows; r++)
        for (int p = 0; p < SB_SCALED_PARTS; p++)
            if (sb_str_eq(t.cell[r * 3].s, sb_str_of(sb_part_names[p]))) {
                n->part_ns[p] = t.cell[r * 3 + 1].i;
                n->share[p] = t.cell[r * 3 + 2].f;
            }
    return true;
}

static bool
read_threads(struct sb_cli_profile *c, struct sb_scaled_count *n, struct sb_arena *a, struct sb_err *e)
{
    struct sb_table t;
    n->no_core_ns = SB_NULL;
    SB_TRY(ask(c,
               "SELECT max(start), max(end), sum(queue_ns) FROM thread WHERE kind = 'normal' "
               "HAVING max(end) > max(start) AND count(queue_ns) = count(*)",
               a, &t, e));
    if (t.n_rows == 0)
        return true;
    n->known_from = t.cell[0].i;
    n->known_to = t.cell[1].i;
    n->no_core_ns = t.cell[2].i;
    return true;
}

static struct sb_scaled_group *
group_of(struct sb_scaled *s, struct sb_str name)
{
    for (size_t g = 0; g < s->n_groups; g++)
        if (sb_str_eq(s->group[g].name, name))
            return &s->group[g];
    struct sb_scaled_group *g = &s->group[s->n_groups++];
    *g = (struct sb_scaled_group){.name = sb_arena_str(s->arena, name),
                                  .run_ns = SB_NEW_N(s->arena, int64_t, s->n),
                                  .covered_ns = SB_NEW_N(s->arena, int64_t, s->n)};
    for (size_t i = 0; i < s->n; i++)
        g->run_ns[i] = SB_NULL;
    return g;
}

/* Pids differ from run to run: a process is known by its name, else by its entry. */
static bool
read_groups(struct sb_cli_profile *c, struct sb_scaled *s, size_t i, struct sb_err *e)
{
    struct sb_table t;
    struct sb_scaled_count *n = &s->count[i];
    struct sb_str sql = sb_arena_printf(
        s->arena,
        "WITH a AS (SELECT key, total_ns FROM slice_by('process')), b AS (SELECT key, total_ns FROM "
        "slice_by('process', %lld, %lld)) SELECT coalesce(p.name, p.entry, 'unknown'), sum(p.run_ns), "
        "CAST(sum(1.0 * p.run_ns * coalesce(b.total_ns, 0) / a.total_ns) AS INTEGER) FROM process p "
        "JOIN a ON a.key = p.id LEFT JOIN b ON b.key = p.id WHERE p.run_ns > 0 "
        "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 500",
        (long long)n->known_from, (long long)n->known_to);
    SB_TRY(ask(c, sql.p, s->arena, &t, e));
    for (size_t r = 0; r < t.n_rows; r++) {
        struct sb_scaled_group *g = group_of(s, t.cell[r * 3].s);
        g->run_ns[i] = t.cell[r * 3 + 1].i;
        g->covered_ns[i] = t.cell[r * 3 + 2].i;
    }
    s->count[i].all_groups = t.n_rows < MOST_GROUPS;
    return true;
}

static bool
read_one(struct sb_scaled *s, size_t i, struct sb_err *e)
{
    struct sb_cli_profile c;
    SB_TRY(sb_cli_profile_open(&c, s->count[i].trace, e));
    bool ok = read_schedulers(&c, &s->count[i], s->arena, e) && read_account(&c, &s->count[i], s->arena, e) &&
              read_threads(&c, &s->count[i], s->arena, e) && read_groups(&c, s, i, e);
    sb_cli_note_losses(c.profile);
    sb_cli_profile_close(&c);
    return ok;
}

bool
sb_scaled_read(struct sb_scaled *s, struct sb_err *e)
{
    s->group = SB_NEW_N(s->arena, struct sb_scaled_group, s->n * MOST_GROUPS);
    for (size_t i = 0; i < s->n; i++)
        SB_TRY(read_one(s, i, e));
    for (size_t g = 0; g < s->n_groups; g++)
        for (size_t i = 0; i < s->n; i++)
            if (s->group[g].run_ns[i] == SB_NULL && s->count[i].all_groups)
                s->group[g].run_ns[i] = 0;
    return true;
}

/* ---- comparing ---- */

void
sb_scaled_find(struct sb_scaled *s)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sb_scaled_count *c = &s->count[i];
        s->point[i] = (struct sb_scaling_point){
            .cores = c->cores,
            .run_ns = c->run_ns,
            .n = s->runs,
            .within = c->cores <= s->machine && (c->schedulers == SB_NULL || c->schedulers == c->cores)};
    }
    sb_scaling_find(s->point, s->n);
}

struct sb_str
sb_scaled_note(const struct sb_scaled *s, size_t i)
{
    const struct sb_scaled_count *c = &s->count[i];
    const struct sb_scaling_point *p = &s->point[i];
    if (c->schedulers != SB_NULL && c->schedulers != c->cores)
        return sb_arena_printf(s->arena, "the VM used %lld schedulers: the command sets +S itself",
                               (long long)c->schedulers);
    if (c->cores > s->machine)
        return sb_arena_printf(s->arena, "more schedulers than the %u cores here: cannot be faster for it",
                               s->machine);
    if (i > 0 && p->n < 2)
        return SB_STR("one run: its spread is unknown");
    if (i > 0 && !p->differs)
        return sb_arena_printf(s->arena, "no result: the runs overlap those at %u", s->point[0].cores);
    return SB_STR("");
}

struct sb_scaling_work
sb_scaled_work(const struct sb_scaled *s, const struct sb_scaled_group *g, size_t i)
{
    const struct sb_scaled_count *c = &s->count[i];
    double at_work = (double)c->part_ns[SB_PART_WORK] + (double)c->part_ns[SB_PART_GC],
           costs = (double)c->part_ns[SB_PART_TRACING] + (double)c->part_ns[SB_PART_PREEMPTED];
    bool known = c->no_core_ns != SB_NULL && c->part_ns[SB_PART_WORK] != SB_NULL &&
                 c->part_ns[SB_PART_TRACING] != SB_NULL && c->part_ns[SB_PART_PREEMPTED] != SB_NULL;
    return (struct sb_scaling_work){
        .run_ns = g->run_ns[i],
        .covered_ns = g->covered_ns[i],
        .lost_ns = known ? c->no_core_ns + c->part_ns[SB_PART_TRACING] : SB_NULL,
        .at_work = at_work + costs > 0 ? at_work / (at_work + costs) : 1,
        .preempted =
            known && at_work + costs > 0 ? (double)c->part_ns[SB_PART_PREEMPTED] / (at_work + costs) : 0};
}

bool
sb_scaled_is_material(const struct sb_scaled *s, const struct sb_scaled_group *g)
{
    for (size_t i = 0; i < s->n; i++) {
        int64_t all = 0;
        for (size_t k = 0; k < s->n_groups; k++)
            all += s->group[k].run_ns[i] != SB_NULL ? s->group[k].run_ns[i] : 0;
        if (g->run_ns[i] != SB_NULL && g->run_ns[i] > 0 && g->run_ns[i] >= all / MATERIAL)
            return true;
    }
    return false;
}

struct sb_str
sb_scaled_growth(const struct sb_scaled *s, const struct sb_scaled_group *g, size_t i)
{
    static const char *const text[] = {
        [SB_GREW_NOT] = "",
        [SB_GREW_MAYBE] = "may have grown: what the operating system ran instead could explain it",
        [SB_GREW_UNKNOWN] =
            "unknown: the run is too short, or the trace does not say when its schedulers had a core",
        [SB_GREW] = "grew: it waits for locks or for memory that cores share, or it polls"};
    struct sb_scaling_work from = sb_scaled_work(s, g, 0), to = sb_scaled_work(s, g, i);
    return sb_str_of(
        text[i > 0 ? sb_scaling_grew(&from, &to, sb_core_slowdown(&s->count[i].speed)) : SB_GREW_NOT]);
}
