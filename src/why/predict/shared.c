#include "why/predict/shared.h"
#include "why/run/vm_work.h"
#include <math.h>

/* Of one operation on two cores, as src/why/README.md says how they were measured. */
enum { WRITES_TIMES = 30, OTHERS_TIMES = 4 };

static const struct {
    const char *begins;
    enum sb_shared_kind kind;
} names[] = {
    {"ets_insert_", SB_SHARED_WRITES},
    {"ets_update_", SB_SHARED_WRITES},
    {"ets_delete_", SB_SHARED_WRITES},
    {"ets_take_", SB_SHARED_WRITES},
    {"ets_select_delete_", SB_SHARED_WRITES},
    {"ets_select_replace_", SB_SHARED_WRITES},
    {"ets_internal_delete_all_", SB_SHARED_WRITES},
    {"ets_internal_select_delete_", SB_SHARED_WRITES},
    {"ets_", SB_SHARED_READS},
    {"atomics_", SB_SHARED_ATOMICS},
    {"whereis_", SB_SHARED_NAMES},
    {"erts_whereis_", SB_SHARED_NAMES},
};

static enum sb_shared_kind
kind_of(struct sb_str name)
{
    struct sb_str symbol = sb_str_sub(name, sb_str_find(name, ':') + 1, name.n);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sb_str_starts(symbol, sb_str_of(names[i].begins)))
            return names[i].kind;
    return SB_SHARED_NONE;
}

/* By frame: what it does, or what it does it for. */
static uint8_t *
kinds_of(const struct sb_cpu_samples *all, struct sb_arena *a)
{
    uint8_t *kind = SB_NEW_N(a, uint8_t, all->n_frames + 1);
    for (size_t i = 1; i < all->n_frames; i++) {
        const struct sb_cpu_frame *f = &all->frame[i];
        kind[i] = f->code == SB_CPU_NATIVE ? (uint8_t)kind_of(sb_profile_text(all->profile, f->function))
                                           : SB_SHARED_NONE;
        if (f->code != SB_CPU_ERLANG && kind[i] < kind[f->caller])
            kind[i] = kind[f->caller];
    }
    return kind;
}

struct sb_shared
sb_shared_of(const struct sb_profile *p)
{
    SB_ARENA(a);
    struct sb_vm_samples v;
    uint64_t of[SB_SHARED_WRITES + 1] = {0}, n = 0, largest = 0;
    sb_vm_samples_find(p, sb_range_of(p, SB_NULL, SB_NULL), &a, &v);
    if (v.n == 0)
        return (struct sb_shared){0};
    uint8_t *kind = kinds_of(v.all, &a);
    uint64_t *by = SB_NEW_N(&a, uint64_t, sb_profile_rows(p, SB_T_process) + 1);
    for (size_t i = 0; i < v.all->n_samples; i++) {
        const struct sb_cpu_sample *s = &v.all->sample[i];
        if (!sb_vm_counts(&v, s) || kind[s->stack] == SB_SHARED_NONE)
            continue;
        of[kind[s->stack]]++;
        n++;
        largest = ++by[s->process] > largest ? by[s->process] : largest;
    }
    /* what one process does meets nothing of its own */
    uint64_t met = 2 * (n - largest) < n ? 2 * (n - largest) : n;
    struct sb_shared x = {.samples = v.n,
                          .share = (double)met / (double)v.n,
                          .most_share = fmin(((double)met + 2 * sqrt((double)met + 1) + 1) / (double)v.n, 1),
                          .locks = (double)v.of[SB_VM_LOCK] / (double)v.n,
                          .writes = of[SB_SHARED_WRITES] > n / 50};
    of[SB_SHARED_READS] += of[SB_SHARED_WRITES];
    for (int k = SB_SHARED_NAMES; k <= SB_SHARED_READS; k++)
        x.kind = of[k] > of[x.kind] ? (enum sb_shared_kind)k : x.kind;
    x.percent = (int)(100 * of[x.kind] / v.n);
    return x;
}

static int
times_of(const struct sb_shared *s)
{
    return s->writes || s->kind == SB_SHARED_NONE ? WRITES_TIMES : OTHERS_TIMES;
}

double
sb_shared_cost(const struct sb_shared *s, double share, uint32_t cores)
{
    enum { MEETS = 20 }; /* from a twentieth of the work on, each operation can meet one of another core */
    return times_of(s) * (1 + log2(cores / 2.0)) * share * fmin(1, MEETS * share * (cores - 1));
}

struct sb_str
sb_shared_text(const struct sb_shared *s, bool of_locks, struct sb_arena *a)
{
    static const char *const what[] = {
        [SB_SHARED_NONE] = "shared data",
        [SB_SHARED_NAMES] = "looking up names of processes",
        [SB_SHARED_ATOMICS] = "atomics and counters",
        [SB_SHARED_READS] = "ETS",
    };
    if (of_locks)
        return sb_arena_printf(a,
                               "waits for locks of the VM took %.0f %% of the CPU time of processes (by %llu "
                               "samples), and may take more on other numbers of cores",
                               100 * s->locks, (unsigned long long)s->samples);
    return sb_arena_printf(
        a,
        "%s took %d %% of the CPU time of processes (by %llu samples); on more cores it may cost up to %d "
        "times as much where they use the same data, which only the upper end has in it",
        what[s->kind], s->percent, (unsigned long long)s->samples, times_of(s));
}
