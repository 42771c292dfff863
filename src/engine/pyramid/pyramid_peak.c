/*
 * A span adds one where it begins and subtracts one where it ends; at equal times, ends come first. Most
 * running spans follow a runnable span directly, which makes one change instead of two. A running span
 * without a runnable one before it is stored as if it had one, plus a correction of +1 runnable. Between the
 * two changes the count is too low, which does not affect a maximum.
 */
#include "engine/pyramid/pyramid_peak.h"
#include "base/sort.h"

enum { CELLS = 1 << 12, A_CELL = 2, CROWDED = 32 };
#define LAG_NS INT64_C(1000000000)

enum { RAN, WAS_READY, RUNS, READY }; /* a change: these two bits, and its time in the bits above */
struct sb_changes {
    struct sb_changes *next;
    size_t n;
    uint64_t at[126];
};

struct sb_peaks *
sb_peaks_open(struct sb_grid axis, bool grows)
{
    struct sb_peaks *k = sb_zeroed_or_die(1, sizeof *k);
    int32_t *at = sb_zeroed_or_die(4 * (axis.n + 1), sizeof *at);
    k->axis = axis;
    k->used = axis.n;
    k->grows = grows;
    for (unsigned i = 0; i < 2; i++) {
        k->most[i] = at + i * (axis.n + 1);
        k->cover[i] = at + (2 + i) * (axis.n + 1);
    }
    return k;
}

static void
free_pages(struct sb_changes *page)
{
    for (struct sb_changes *next; page; page = next) {
        next = page->next;
        free(page);
    }
}

void
sb_peaks_close(struct sb_peaks *k)
{
    if (!k)
        return;
    free(k->most[0]);
    for (size_t i = 0; i < SB_PEAK_SLOTS; i++)
        free_pages(k->slot[i]);
    free_pages(k->spare);
    SB_VEC_FREE(&k->covering);
    free(k);
}

/* ---- adding a span ---- */

static size_t
slot_of(const struct sb_peaks *k, int64_t at)
{
    return sb_grid_bucket(k->axis, at) / SB_PEAK_SLOT;
}

/* Counts the buckets that a span covers. */
static void
cover_buckets(struct sb_peaks *k, unsigned what, int64_t from, int64_t to)
{
    int64_t half = sb_grid_start(k->axis, 1) / 2;
    size_t a = (size_t)((uint64_t)(from + half) >> k->axis.level),
           b = (size_t)((uint64_t)(to + half) >> k->axis.level);
    b = b < k->axis.n ? b : k->axis.n;
    if (a < b) {
        k->cover[what][a]++;
        k->cover[what][b]--;
    }
}

/* Counts whole buckets for a span that is too old for the sorted changes. */
static void
cover(struct sb_peaks *k, unsigned what, int64_t from, int64_t to)
{
    if (k->grows)
        *SB_PUSH(&k->covering) = (struct sb_covering){from, to, what};
    else
        cover_buckets(k, what, from, to);
}

static struct sb_changes *
add_page(struct sb_peaks *k, size_t slot)
{
    struct sb_changes *page = k->spare;
    if (page)
        k->spare = page->next;
    else
        page = sb_realloc_or_die(NULL, sizeof *page);
    page->next = k->slot[slot];
    page->n = 0;
    return k->slot[slot] = page;
}

static inline void
put(struct sb_peaks *k, int64_t at, unsigned what)
{
    size_t slot = slot_of(k, at);
    struct sb_changes *page = k->slot[slot];
    if (!page || page->n == sizeof page->at / sizeof *page->at)
        page = add_page(k, slot);
    page->at[page->n++] = (uint64_t)at << 2 | what;
}

/* Returns the time from which a span is counted by changes instead of whole buckets. */
static inline int64_t
begin(struct sb_peaks *k, const struct sb_part_span *s)
{
    int64_t until = s->settled - LAG_NS < s->to ? s->settled - LAG_NS : s->to;
    if (s->from >= until)
        return s->from;
    cover(k, s->state == SB_STATE_RUNNABLE, s->from, until);
    return until;
}

static void
add_run(struct sb_peaks *k, const struct sb_part_span *s, const struct sb_part_span *ready)
{
    int64_t from = begin(k, s);
    bool was_ready = ready && ready->process == s->process && ready->to == from && from < s->to;
    if (ready && !was_ready)
        put(k, ready->to, WAS_READY);
    if (from >= s->to)
        return;
    put(k, from, RUNS);
    put(k, s->to, RAN);
    if (!was_ready)
        put(k, from, READY);
}

void
sb_peaks_add(struct sb_peaks *k, const struct sb_part_spans *v)
{
    const struct sb_part_span *ready = NULL; /* its end has not been put yet */
    for (const struct sb_part_span *s = v->at, *end = s + v->n; s < end; s++) {
        if (s->state == SB_STATE_RUNNING || s->state == SB_STATE_DIRTY) {
            add_run(k, s, ready);
            ready = NULL;
        } else if (s->state == SB_STATE_RUNNABLE) {
            if (ready)
                put(k, ready->to, WAS_READY);
            int64_t from = begin(k, s);
            ready = from < s->to ? s : NULL;
            if (ready)
                put(k, from, READY);
        }
    }
    if (ready)
        put(k, ready->to, WAS_READY);
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
    struct sb_grid axis = k->axis;
    for (size_t i = 0; i < n; i++) {
        unsigned what = at[i] & 1;
        int64_t when = (int64_t)(at[i] >> 2);
        size_t before = sb_grid_bucket(axis, when > 0 ? when - 1 : 0);
        while (k->walked < before) { /* the present counts also held throughout these buckets */
            k->walked++;
            raise(k, 0, k->walked);
            raise(k, 1, k->walked);
        }
        if (at[i] & 2) {
            k->now[1] -= what == 0;
            k->now[what]++;
            raise(k, what, sb_grid_bucket(axis, when));
        } else
            k->now[what]--;
    }
}

/* Cells of time, narrow enough to hold a few changes each. */
struct cells {
    uint64_t start;
    uint64_t last; /* the last cell, which also takes all later changes */
    unsigned shift;
};

static inline size_t
cell_of(struct cells c, uint64_t change)
{
    uint64_t i = (change - c.start) >> c.shift;
    return i < c.last ? i : c.last;
}

static struct cells
cells_of(const struct sb_peaks *k, size_t slot, size_t n)
{
    unsigned bits = 0, all_bits = (unsigned)__builtin_ctz(SB_PEAK_SLOT) + k->axis.level + 2;
    while (bits < all_bits && 1u << bits < CELLS && n >> bits > A_CELL)
        bits++;
    return (struct cells){(uint64_t)sb_grid_start(k->axis, slot * SB_PEAK_SLOT) << 2,
                          (UINT64_C(1) << bits) - 1, all_bits - bits};
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

/* Distributes the changes to cells and sorts crowded cells; an insertion sort then finishes the almost
 * sorted array. */
static void
sort(struct cells c, const struct sb_changes *pages, uint64_t *to, size_t n)
{
    uint32_t end[CELLS], sum = 0;
    memset(end, 0, (c.last + 1) * sizeof *end);
    for (const struct sb_changes *p = pages; p; p = p->next)
        for (size_t i = 0; i < p->n; i++)
            end[cell_of(c, p->at[i])]++;
    for (size_t i = 0; i <= c.last; i++) {
        uint32_t here = end[i];
        end[i] = sum;
        sum += here;
    }
    for (const struct sb_changes *p = pages; p; p = p->next)
        for (size_t i = 0; i < p->n; i++)
            to[end[cell_of(c, p->at[i])]++] = p->at[i];
    for (size_t i = 0, from = 0; i <= c.last; from = end[i++])
        if (end[i] - from > CROWDED)
            sb_sort_numbers(to + from, to + n, end[i] - from);
    insertion(to, n);
}

static void
walk_slot(struct sb_peaks *k, size_t slot)
{
    struct sb_changes *pages = k->slot[slot], *last = NULL;
    size_t n = 0;
    for (struct sb_changes *p = pages; p; p = p->next) {
        n += p->n;
        last = p;
    }
    if (n == 0)
        return;
    /* the second half is scratch space for sorting */
    uint64_t *sorted = sb_realloc_or_die(NULL, 2 * n * sizeof *sorted);
    sort(cells_of(k, slot, n), pages, sorted, n);
    walk(k, sorted, n);
    free(sorted);
    last->next = k->spare;
    k->spare = pages;
    k->slot[slot] = NULL;
}

void
sb_peaks_walk(struct sb_peaks *k, int64_t settled)
{
    size_t end = settled == INT64_MAX ? SB_PEAK_SLOTS : settled < LAG_NS ? 0 : slot_of(k, settled - LAG_NS);
    for (; k->walked_slots < end; k->walked_slots++)
        walk_slot(k, k->walked_slots);
}

/* ---- levels ---- */

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

static struct sb_changes *
join(struct sb_changes *first, struct sb_changes *second)
{
    struct sb_changes *last = first;
    while (last && last->next)
        last = last->next;
    if (last)
        last->next = second;
    return first ? first : second;
}

static void
widen(struct sb_peaks *k)
{
    size_t n = k->used, pairs = (n + 1) / 2;
    sb_peaks_halve(k, n);
    for (unsigned what = 0; what < 2; what++)
        memset(k->most[what] + pairs, 0, (n - pairs) * sizeof *k->most[what]);
    k->used = pairs;
    for (size_t i = 0; i < SB_PEAK_SLOTS; i++)
        k->slot[i] = i < SB_PEAK_SLOTS / 2 ? join(k->slot[2 * i], k->slot[2 * i + 1]) : NULL;
    k->walked_slots /= 2;
    k->walked /= 2;
    k->axis.level++;
}

void
sb_peaks_widen(struct sb_peaks *k, struct sb_grid now)
{
    while (k->axis.level < now.level)
        widen(k);
    k->used = now.n;
}

void
sb_peaks_level_out(struct sb_peaks *k)
{
    for (size_t i = 0; i < k->covering.n; i++)
        cover_buckets(k, k->covering.at[i].what, k->covering.at[i].from, k->covering.at[i].to);
    for (unsigned what = 0; what < 2; what++) {
        int32_t all_the_time = 0;
        for (size_t b = 0; b < k->axis.n; b++) {
            all_the_time += k->cover[what][b];
            k->most[what][b] += all_the_time;
        }
    }
}
