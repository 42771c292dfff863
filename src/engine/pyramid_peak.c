#include "engine/pyramid_peak.h"
#include "base/sort.h"

enum { CELLS = 1 << 11, A_CELL = 4, CROWDED = 32 };
#define LAG_NS INT64_C(1000000000)

struct sb_peaks *
sb_peaks_open(struct sb_axis axis)
{
    struct sb_peaks *k = calloc(1, sizeof *k);
    int32_t *at = calloc(4 * (axis.n + 1), sizeof *at);
    if (!k || !at)
        sb_out_of_memory(sizeof *k);
    k->axis = axis;
    for (unsigned i = 0; i < 2; i++) {
        k->most[i] = at + i * (axis.n + 1);
        k->cover[i] = at + (2 + i) * (axis.n + 1);
    }
    return k;
}

void
sb_peaks_close(struct sb_peaks *k)
{
    if (!k)
        return;
    free(k->most[0]);
    for (size_t i = 0; i < SB_PEAK_SLOTS; i++)
        SB_VEC_FREE(&k->slot[i]);
    free(k);
}

/* ---- adding a span ---- */

static size_t
slot_of(const struct sb_peaks *k, int64_t at)
{
    return sb_axis_bucket(k->axis, at) / SB_PEAK_SLOT;
}

/* Too long ago to take its turn. */
static void
cover(struct sb_peaks *k, unsigned what, int64_t from, int64_t to)
{
    int64_t half = sb_axis_start(k->axis, 1) / 2;
    size_t a = (size_t)((uint64_t)(from + half) >> k->axis.level),
           b = (size_t)((uint64_t)(to + half) >> k->axis.level);
    b = b < k->axis.n ? b : k->axis.n;
    if (a < b) {
        k->cover[what][a]++;
        k->cover[what][b]--;
    }
}

static inline void
put(struct sb_peaks *k, int64_t at, unsigned what)
{
    *SB_PUSH(&k->slot[slot_of(k, at)]) = (uint64_t)at << 2 | what;
}

void
sb_peaks_add(struct sb_peaks *k, const struct sb_spans *v)
{
    for (const struct sb_span *s = v->at, *end = s + v->n; s < end; s++) {
        if (s->state != SB_RUN && s->state != SB_READY)
            continue;
        unsigned what = s->state == SB_READY;
        int64_t from = s->from, until = s->told - LAG_NS < s->to ? s->told - LAG_NS : s->to;
        if (from < until) {
            cover(k, what, from, until);
            from = until;
        }
        if (from >= s->to)
            continue;
        put(k, from, 2 | what);
        put(k, s->to, what);
    }
}

/* ---- changes in order ---- */

static void
raise(struct sb_peaks *k, unsigned what, size_t b)
{
    if (k->most[what][b] < k->now[what])
        k->most[what][b] = k->now[what];
}

static void
walk(struct sb_peaks *k, const uint64_t *at, size_t n)
{
    struct sb_axis axis = k->axis;
    for (size_t i = 0; i < n; i++) {
        unsigned what = at[i] & 1;
        size_t b = sb_axis_bucket(axis, (int64_t)(at[i] >> 2));
        while (k->walked < b) {
            k->walked++;
            raise(k, 0, k->walked);
            raise(k, 1, k->walked);
        }
        if (at[i] & 2) {
            k->now[what]++;
            raise(k, what, b);
        } else
            k->now[what]--;
    }
}

/* Cells of time, as narrow as leaves a few changes in each. */
struct cells {
    uint64_t start;
    uint64_t last; /* where what lies behind counts */
    unsigned shift;
};

static inline size_t
cell_of(struct cells c, uint64_t change)
{
    uint64_t i = (change - c.start) >> c.shift;
    return i < c.last ? i : c.last;
}

static struct cells
cells_of(const struct sb_peaks *k, size_t slot)
{
    unsigned bits = 0, all_bits = (unsigned)__builtin_ctz(SB_PEAK_SLOT) + k->axis.level + 2;
    while (bits < all_bits && 1u << bits < CELLS && k->slot[slot].n >> bits > A_CELL)
        bits++;
    return (struct cells){(uint64_t)sb_axis_start(k->axis, slot * SB_PEAK_SLOT) << 2, (UINT64_C(1) << bits) - 1,
                          all_bits - bits};
}

static void
insertion(uint64_t *at, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint64_t moving = at[i];
        size_t j = i;
        for (; j > 0 && at[j - 1] > moving; j--)
            at[j] = at[j - 1];
        at[j] = moving;
    }
}

/* Cell by cell; what is left to do then is little, where they are not crowded. */
static void
sort(struct cells c, struct sb_changes *v, uint64_t *to)
{
    uint32_t end[CELLS], sum = 0;
    memset(end, 0, (c.last + 1) * sizeof *end);
    for (size_t i = 0; i < v->n; i++)
        end[cell_of(c, v->at[i])]++;
    for (size_t i = 0; i <= c.last; i++) {
        uint32_t n = end[i];
        end[i] = sum;
        sum += n;
    }
    for (size_t i = 0; i < v->n; i++)
        to[end[cell_of(c, v->at[i])]++] = v->at[i];
    for (size_t i = 0, from = 0; i <= c.last; from = end[i++])
        if (end[i] - from > CROWDED)
            sb_sort_numbers(to + from, v->at + from, end[i] - from);
    insertion(to, v->n);
}

static void
walk_slot(struct sb_peaks *k, size_t slot)
{
    struct sb_changes *v = &k->slot[slot];
    uint64_t *sorted = sb_realloc_or_die(NULL, v->n * sizeof *sorted);
    sort(cells_of(k, slot), v, sorted);
    walk(k, sorted, v->n);
    free(sorted);
    SB_VEC_FREE(v);
}

void
sb_peaks_walk(struct sb_peaks *k, int64_t told)
{
    size_t end = told == INT64_MAX ? SB_PEAK_SLOTS : told < LAG_NS ? 0 : slot_of(k, told - LAG_NS);
    for (; k->walked_slots < end; k->walked_slots++)
        if (k->slot[k->walked_slots].n > 0)
            walk_slot(k, k->walked_slots);
}

/* ---- levels ---- */

void
sb_peaks_level_out(struct sb_peaks *k)
{
    for (unsigned what = 0; what < 2; what++) {
        int32_t all_the_time = 0;
        for (size_t b = 0; b < k->axis.n; b++) {
            all_the_time += k->cover[what][b];
            k->most[what][b] += all_the_time;
        }
    }
}

void
sb_peaks_halve(struct sb_peaks *k, size_t n)
{
    for (unsigned what = 0; what < 2; what++) {
        int32_t *most = k->most[what];
        most[n] = 0;
        for (size_t b = 0; b < (n + 1) / 2; b++)
            most[b] = most[2 * b] > most[2 * b + 1] ? most[2 * b] : most[2 * b + 1];
    }
}
