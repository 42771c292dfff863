#include "why/predict/sampled.h"
#include "base/map.h"
#include "base/order.h"
#include "base/vec.h"
#include "why/run/vm_work.h"

enum level { ENTRY, PROCESS, PIECE, LEVELS, PIECE_SAMPLES = 25 };

struct seen { /* a sample, and how likely the function is on its stack */
    uint32_t key[LEVELS];
    int64_t at;
    bool is_known;
    struct sb_sampled_share of;
};
struct place {                 /* a function in the stacks of processes with one entry */
    uint32_t entry, outermost; /* stacks without C code in which it is the outermost one */
    double called, with;       /* stacks that show what called it; with the function in question there */
};
struct sampling {
    struct sb_sampled *out;
    struct sb_vm_samples vm;
    bool *has;         /* by frame: the function is it, or below it */
    struct sb_map map; /* entry << 32 | function -> in `place` */
    SB_VEC(struct place) place;
    uint32_t *root; /* by entry: in `place` + 1: of those that nothing calls the most frequent one */
    struct seen *seen;
    struct sb_sampled_share *by_entry;
};

/* ---- stacks ---- */

static struct place *
place_of(struct sampling *x, uint32_t entry, uint32_t frame)
{
    uint64_t key = (uint64_t)entry << 32 | (uint32_t)x->vm.all->frame[frame].function;
    return SB_AT_KEY(&x->map, key, &x->place, .entry = entry);
}

static void
count_callers(struct sampling *x, uint32_t entry, uint32_t frame)
{
    const struct sb_cpu_frame *of = x->vm.all->frame;
    bool has_native = of[frame].code == SB_CPU_NATIVE;
    for (; of[frame].caller; frame = of[frame].caller) {
        struct place *at = place_of(x, entry, frame);
        at->called++;
        at->with += x->has[of[frame].caller];
        has_native |= of[of[frame].caller].code == SB_CPU_NATIVE;
    }
    place_of(x, entry, frame)->outermost += frame > 0 && of[frame].code == SB_CPU_ERLANG && !has_native;
}

static void
find_roots(struct sampling *x)
{
    for (uint32_t i = 0; i < x->place.n; i++) {
        const struct place *at = &x->place.at[i];
        uint32_t *root = &x->root[at->entry], most = *root ? x->place.at[*root - 1].outermost : 0;
        *root = at->called == 0 && at->outermost > most ? i + 1 : *root;
    }
}

/* Stacks below C code and deep ones end early. Where the outermost function has callers in other stacks, these say how
 * likely the one in question called it here. One that never has a caller is the root, or was called by the root as its
 * last act, if there are so many stacks of it that some would show one. */
static void
weigh(struct sampling *x, struct seen *s, uint32_t frame)
{
    enum { MANY = 50 };
    const struct sb_cpu_frame *of = x->vm.all->frame;
    uint32_t out = frame, root = x->root[s->key[ENTRY]];
    while (of[out].caller)
        out = of[out].caller;
    const struct place *at = place_of(x, s->key[ENTRY], out);
    bool has = x->has[frame], is_root = root && (at == &x->place.at[root - 1] || at->outermost >= MANY);
    s->is_known = out > 0 && of[out].code == SB_CPU_ERLANG;
    s->of = has ? (struct sb_sampled_share){1, 1, 1}
            : s->is_known && at->called > 0
                ? (struct sb_sampled_share){sb_cpu_limit(at->with, at->called, -1), at->with / at->called,
                                            sb_cpu_limit(at->with, at->called, 1)}
                : (struct sb_sampled_share){0, 0, !is_root};
    s->is_known |= has;
    x->out->seen += has;
}

/* ---- samples ---- */

static bool *
dirty_schedulers(const struct sb_profile *p, struct sb_arena *a)
{
    uint64_t n = sb_profile_rows(p, SB_T_scheduler);
    bool *is = SB_NEW_N(a, bool, n + 1);
    for (uint64_t i = 0; i < n; i++)
        is[i + 1] = sb_str_starts(sb_profile_text(p, SB_CELL(p, scheduler, kind, i)), SB_STR("dirty"));
    return is;
}

/* Its text; 0: unknown. */
static uint32_t
entry_of(const struct sb_profile *p, uint32_t process)
{
    int64_t entry = SB_CELL(p, process, entry, process - 1);
    return entry > 0 && entry < UINT32_MAX ? (uint32_t)entry : 0;
}

SB_ORDER(by_process, struct seen, SB_UP(key[ENTRY]) ?: SB_UP(key[PROCESS]) ?: SB_UP(at))

static void
read_samples(struct sampling *x, const struct sb_profile *p, struct sb_arena *a)
{
    const struct sb_cpu_samples *all = x->vm.all;
    bool *dirty = dirty_schedulers(p, a);
    size_t n = 0;
    x->seen = SB_NEW_N(a, struct seen, all->n_samples + 1);
    for (int pass = 0; pass < 2; pass++) {
        find_roots(x);
        for (size_t i = n = 0; i < all->n_samples; i++) {
            const struct sb_cpu_sample *s = &all->sample[i];
            if (!sb_vm_counts(&x->vm, s) || dirty[s->scheduler])
                continue;
            struct seen *to = &x->seen[n++];
            *to = (struct seen){.key = {entry_of(p, s->process), s->process}, .at = s->at};
            if (pass == 0)
                count_callers(x, to->key[ENTRY], s->stack);
            else
                weigh(x, to, s->stack);
        }
    }
    x->out->samples = n;
    sb_sort(x->seen, n, sizeof *x->seen, by_process);
    for (size_t i = 1, first = 0; i < n; i++) {
        first = x->seen[i].key[PROCESS] == x->seen[first].key[PROCESS] ? first : i;
        x->seen[i].key[PIECE] = (uint32_t)((i - first) / PIECE_SAMPLES);
    }
}

/* ---- shares ---- */

struct unit {
    size_t from, to;
    double known;                    /* samples */
    struct sb_sampled_share raw, of; /* by its own samples; in the end */
};

static struct unit
unit_of(const struct sampling *x, size_t from, size_t to)
{
    struct unit u = {from, to, 0, {0, 0, 0}, {0, 0, 0}};
    for (size_t i = from; i < to; i++) {
        u.known += x->seen[i].is_known;
        u.raw.low += x->seen[i].of.low;
        u.raw.share += x->seen[i].of.share;
        u.raw.high += x->seen[i].of.high;
    }
    u.raw.low = sb_cpu_limit(u.raw.low, (double)(to - from), -1);
    u.raw.share = u.known > 0 ? u.raw.share / u.known : 0;
    u.raw.high = sb_cpu_limit(u.raw.high, (double)(to - from), 1);
    return u;
}

/* The first unit of a level in [from, to). */
static struct unit
first_of(const struct sampling *x, size_t from, size_t to, enum level level)
{
    size_t end = from + 1;
    while (end < to && x->seen[end].key[level] == x->seen[from].key[level])
        end++;
    return unit_of(x, from, end);
}

/* How much of the differences between the units of a level is more than chance. */
static double
beyond_chance(const struct sampling *x, const struct unit *whole, enum level level)
{
    double share = whole->raw.share, variance = share * (1 - share), differ = 0, units = -1;
    struct unit u;
    for (size_t i = whole->from; variance > 0 && i < whole->to; i = u.to) {
        u = first_of(x, i, whole->to, level);
        differ += u.known * (u.raw.share - share) * (u.raw.share - share) / variance;
        units += u.known > 0;
    }
    return differ > units && differ > 0 ? 1 - units / differ : 0;
}

static double
within(double share)
{
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

/* A part of the time of a process is as uncertain as the process: errors of its parts make up for each other. */
static struct sb_sampled_share
drawn(const struct unit *u, const struct unit *whole, double part, enum level level)
{
    double own = u->known > 0 ? part : 0, error = level == PIECE ? 0 : own,
           share = within(whole->of.share + own * (u->raw.share - whole->raw.share)),
           less = error * (u->raw.share - u->raw.low) + (1 - error) * (whole->of.share - whole->of.low),
           more = error * (u->raw.high - u->raw.share) + (1 - error) * (whole->of.high - whole->of.share);
    return (struct sb_sampled_share){within(share - less), share, within(share + more)};
}

static void
put_span(struct sampling *x, uint32_t process, int64_t end, struct sb_sampled_share of)
{
    x->out->span[x->out->n++] = (struct sb_sampled_span){process, end, of};
}

static void
divide(struct sampling *x, const struct unit *whole, enum level level)
{
    double part = beyond_chance(x, whole, level);
    struct unit u;
    for (size_t i = whole->from; i < whole->to; i = u.to) {
        u = first_of(x, i, whole->to, level);
        u.of = drawn(&u, whole, part, level);
        if (level == ENTRY)
            x->by_entry[x->seen[i].key[ENTRY]] = u.of;
        if (level < PIECE)
            divide(x, &u, level + 1);
        else
            put_span(x, x->seen[i].key[PROCESS], u.to < whole->to ? x->seen[u.to].at : INT64_MAX, u.of);
    }
}

void
sb_sampled_find(struct sb_sampled *out, const struct sb_profile *p, int64_t mfa, struct sb_arena *a)
{
    struct sampling x = {.out = out};
    uint64_t entries = 0, n = sb_profile_rows(p, SB_T_process);
    *out = (struct sb_sampled){0};
    sb_vm_samples_find(p, sb_range_of(p, SB_NULL, SB_NULL), a, &x.vm);
    if (x.vm.n == 0)
        return;
    x.has = SB_NEW_N(a, bool, x.vm.all->n_frames + 1);
    for (size_t f = 1; f < x.vm.all->n_frames; f++)
        x.has[f] = x.vm.all->frame[f].function == mfa || x.has[x.vm.all->frame[f].caller];
    for (uint64_t id = 1; id <= n; id++)
        entries = entries > entry_of(p, (uint32_t)id) ? entries : entry_of(p, (uint32_t)id);
    x.root = SB_NEW_N(a, uint32_t, entries + 1);
    read_samples(&x, p, a);
    struct unit all = unit_of(&x, 0, out->samples);
    all.of = all.raw;
    bool *has = SB_NEW_N(a, bool, n + 1);
    x.by_entry = SB_NEW_N(a, struct sb_sampled_share, entries + 1);
    for (uint64_t i = 0; i <= entries; i++)
        x.by_entry[i] = all.of;
    out->all = all.of;
    out->span = SB_NEW_N(a, struct sb_sampled_span, n + out->samples + 1);
    divide(&x, &all, ENTRY);
    for (size_t i = 0; i < out->samples; i++)
        has[x.seen[i].key[PROCESS]] = true;
    for (uint64_t id = 1; id <= n; id++)
        if (!has[id])
            put_span(&x, (uint32_t)id, INT64_MAX, x.by_entry[entry_of(p, (uint32_t)id)]);
    sb_map_close(&x.map);
    SB_VEC_FREE(&x.place);
}
