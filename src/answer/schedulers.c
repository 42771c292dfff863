/* Schedulers: how busy each was, and a small picture over time. */
#include "answer/answer.h"
#include "profile/scan_row.h"
#include "answer/on_cpu.h"
#include "answer/bars.h"
#include "profile/timeline.h"
#include "why/program/words.h"

static struct sb_str name(const struct sb_ask *ask, uint64_t row);
static const struct sb_column columns[] = {
    {"scheduler", SB_TEXT, SB_U_NONE, "its number in the VM, after its kind if that is not normal"},
    {"used_ppm", SB_INT, SB_U_PPM, "share of the time that it ran a process or port"},
    {SB_OF(scheduler, slice_ns)},
    {SB_OF(scheduler, slices)},
    {"mean_ns", SB_INT, SB_U_NS, "average slice"},
    {SB_OF(scheduler, gc_ns)},
    {SB_OF(scheduler, active_ns)},
    {"over_time", SB_TEXT, SB_U_NONE, "use from start to end; full height means always busy"},
    {"node", SB_INT, SB_U_ID, "node.id"},
    {SB_OF(scheduler, id)},
    {"on_cpu_ns", SB_INT, SB_U_NS, "CPU time of its thread between two readings, from the operating system"},
    {"no_core_ns", SB_INT, SB_U_NS,
     "time that its thread was ready to run without a core, between the same readings"},
    {"involuntary", SB_INT, SB_U_COUNT, "times that the operating system preempted its thread"},
    {0},
};

SB_ANSWER(schedulers) = {
    .name = "schedulers",
    .title = "Schedulers",
    .of_all = true,
    .doc = "One row per scheduler thread: how much of the time it was in use, and when.",
    .needs = "--trace running",
    .ask = answer,
    .limit = 100,
    .column = columns,
    .narrow = "scheduler,used_ppm,on_cpu_ns,slices,over_time",
    .hide = "id,node,active_ns",
    .whole = "over_time",
};

enum { NAME, USED, SLICE, SLICES, MEAN, GC, ACTIVE, PICTURE, NODE, ID, ON_CPU, NO_CORE, TAKEN, N_COLUMNS };

static int64_t
cell(const struct sb_ask *ask, unsigned col, uint64_t row)
{
    return sb_profile_cell(ask->profile, SB_T_scheduler, col, row);
}

/* [t0, t1) of the question, within the profile */
static void
stretch(const struct sb_ask *ask, int64_t *t0, int64_t *t1)
{
    int64_t span = sb_profile_span(ask->profile);
    *t0 = ask->q->since_ns == SB_NULL ? 0 : ask->q->since_ns;
    *t1 = ask->q->until_ns == SB_NULL || ask->q->until_ns > span ? span : ask->q->until_ns;
}

struct work { /* of a scheduler within the range */
    int64_t busy_ns, slice_ns, slices, gc_ns;
};

static void
add_collections(const struct sb_ask *ask, struct sb_range range, struct work *of)
{
    const struct sb_profile *p = ask->profile;
    SB_SCAN(s, p, gc, scheduler, start, dur);
    sb_range_scan(range, &s, SB_C_gc__start, sb_profile_largest(p, SB_T_gc, SB_C_gc__dur));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t from = s.value[start][i], ns = s.value[dur][i], id = s.value[scheduler][i];
        if (id >= 1 && (uint64_t)id <= sb_profile_rows(p, SB_T_scheduler) && sb_range_clip(range, &from, &ns))
            of[id].gc_ns += ns;
    }
}

static struct work *
find_work(const struct sb_ask *ask)
{
    const struct sb_profile *p = ask->profile;
    struct work *of = SB_NEW_N(ask->arena, struct work, sb_profile_rows(p, SB_T_scheduler) + 1);
    struct sb_range range = sb_answer_range(ask);
    SB_SCAN(s, p, slice, scheduler, start, dur, process);
    sb_range_scan(range, &s, SB_C_slice__start, sb_profile_largest(p, SB_T_slice, SB_C_slice__dur));
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t from = s.value[start][i], ns = s.value[dur][i], id = s.value[scheduler][i];
        if (!sb_range_clip(range, &from, &ns) || id < 1 || (uint64_t)id > sb_profile_rows(p, SB_T_scheduler))
            continue;
        of[id].busy_ns += ns;
        of[id].slice_ns += s.value[process][i] != SB_NULL ? ns : 0;
        of[id].slices += s.value[process][i] != SB_NULL && ns > 0; /* as table scheduler counts them */
    }
    add_collections(ask, range, of);
    return of;
}

/* Shares of n equal intervals, from buckets that may cross their borders. */
static void
spread(const struct sb_buckets *b, int64_t t0, int64_t t1, double *share, size_t n)
{
    double wide = (double)(t1 - t0) / (double)n;
    for (size_t i = 0; i < b->n && wide > 0; i++) {
        double from = (double)(b->at[i].start - t0), dur = (double)b->at[i].dur, to = from + dur;
        to = to < (double)(t1 - t0) ? to : (double)(t1 - t0);
        from = from > 0 ? from : 0;
        double density = (double)b->at[i].v[SB_B_schedulers] / (to - from);
        for (size_t k = (size_t)(from / wide); k < n && (double)k * wide < to; k++) {
            double left = (double)k * wide, right = left + wide;
            share[k] += density * ((to < right ? to : right) - (from > left ? from : left)) / wide;
        }
    }
}

enum { WIDE = 48, BESIDE = 44, NODE_WIDE = 22, NARROWEST = 16, WIDEST = 160 };

/* Columns of the pictures. */
static size_t
width_of_pictures(const struct sb_ask *ask)
{
    size_t all = ask->q->width, beside = BESIDE + (sb_traced_nodes(ask->profile) > 1 ? NODE_WIDE : 0);
    size_t n = all == 0 ? WIDE : all > beside + NARROWEST ? all - beside : NARROWEST;
    return n < WIDEST ? n : WIDEST;
}

static bool
picture(const struct sb_ask *ask, int64_t id, size_t n, struct sb_str *out, int64_t *busy_ns,
        struct sb_err *e)
{
    enum { FINE = 2048, MANY_SLICES = 1 << 20 };
    struct sb_track track;
    struct sb_buckets b;
    int64_t t0, t1;
    double share[WIDEST] = {0};
    stretch(ask, &t0, &t1);
    SB_TRY(
        sb_track_find(ask->profile, sb_arena_printf(ask->arena, "scheduler:%lld", (long long)id), &track, e));
    uint64_t kept = sb_timeline_kept(ask->profile, &track), fine = FINE;
    if (sb_profile_rows(ask->profile, SB_T_slice) > MANY_SLICES && kept >= n && kept < FINE)
        fine = kept; /* coarser, but not computed from rows */
    SB_TRY(sb_timeline(ask->profile, &track, (struct sb_timeline_range){t0, t1, fine}, &b, e));
    *busy_ns = 0;
    for (size_t i = 0; i < b.n; i++)
        *busy_ns += b.at[i].v[SB_B_schedulers];
    spread(&b, t0, t1, share, n);
    *out = t1 > t0 ? sb_bars(share, n, ask->arena) : (struct sb_str){0};
    SB_VEC_FREE(&b);
    return true;
}

static struct sb_str
name(const struct sb_ask *ask, uint64_t row)
{
    struct sb_str kind = sb_profile_text(ask->profile, cell(ask, SB_C_scheduler__kind, row));
    int64_t number = cell(ask, SB_C_scheduler__number, row);
    if (number == SB_NULL)
        return kind;
    if (number == 0)
        return SB_STR("0 (none)"); /* OTP's number for code off the normal schedulers */
    if (sb_str_eq(kind, SB_STR("normal")) || sb_str_eq(kind, SB_STR("unknown")))
        return sb_arena_printf(ask->arena, "%lld", (long long)number);
    char *text = (char *)sb_arena_printf(ask->arena, "%.*s %lld", SB_STR_ARG(kind), (long long)number).p;
    for (char *c = text; *c; c++)
        *c = *c == '_' ? ' ' : *c;
    return sb_str_of(text);
}

/* By scheduler.id; SB_NULL if its thread is unknown. */
static struct sb_thread_use *
find_use(const struct sb_ask *ask, int64_t t0, int64_t t1)
{
    const struct sb_profile *p = ask->profile;
    uint64_t n = sb_profile_rows(p, SB_T_scheduler);
    struct sb_thread_use *of = SB_NEW_N(ask->arena, struct sb_thread_use, n + 1);
    struct sb_on_cpu threads;
    sb_on_cpu_find(p, t0, t1, ask->arena, &threads);
    for (uint64_t i = 0; i <= n; i++)
        of[i] = (struct sb_thread_use){SB_NULL, SB_NULL, SB_NULL};
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_thread); i++) {
        int64_t id = SB_CELL(p, thread, scheduler, i);
        if (id >= 1 && (uint64_t)id <= n)
            of[id] = threads.of[i];
    }
    return of;
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    bool part = ask->q->since_ns != SB_NULL || ask->q->until_ns != SB_NULL;
    int64_t t0, t1;
    uint64_t idle = 0;
    size_t wide = width_of_pictures(ask);
    stretch(ask, &t0, &t1);
    const struct work *within = part ? find_work(ask) : NULL;
    const struct sb_thread_use *use = find_use(ask, t0, t1);
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (uint64_t i = 0; i < sb_profile_rows(ask->profile, SB_T_scheduler); i++) {
        struct work w = {0, cell(ask, SB_C_scheduler__slice_ns, i), cell(ask, SB_C_scheduler__slices, i),
                         cell(ask, SB_C_scheduler__gc_ns, i)};
        if (ask->q->width > 0 && w.slices == 0) {
            idle++;
            continue;
        }
        union sb_cell *c = sb_table_row(t);
        c[ID].i = cell(ask, SB_C_scheduler__id, i);
        SB_TRY(picture(ask, c[ID].i, wide, &c[PICTURE].s, &w.busy_ns, e));
        if (part && w.slice_ns != SB_NULL) {
            int64_t gc_ns = w.gc_ns;
            w = within[c[ID].i];
            w.gc_ns = gc_ns == SB_NULL ? SB_NULL : w.gc_ns;
        }
        c[NAME].s = name(ask, i);
        c[NODE].i = cell(ask, SB_C_scheduler__node, i);
        c[ON_CPU].i = use[c[ID].i].cpu_ns;
        c[NO_CORE].i = use[c[ID].i].queue_ns;
        c[TAKEN].i = use[c[ID].i].involuntary;
        c[SLICE].i = w.slice_ns;
        c[SLICES].i = w.slices;
        c[GC].i = w.gc_ns;
        c[ACTIVE].i = part ? SB_NULL : cell(ask, SB_C_scheduler__active_ns, i);
        c[MEAN].i = w.slices > 0 && w.slice_ns != SB_NULL ? w.slice_ns / w.slices : SB_NULL;
        c[USED].i = t1 > t0 && w.slice_ns != SB_NULL ? (int64_t)((double)w.busy_ns * 1e6 / (double)(t1 - t0))
                                                     : SB_NULL;
    }
    if (idle > 0)
        t->title =
            sb_arena_printf(ask->arena, "Schedulers (%llu more did nothing)", (unsigned long long)idle);
    return true;
}
