#include "engine/input/clock_bounds.h"
#include "base/arena.h"
#include "base/table.h"
#include <stdbool.h>
#include <stdlib.h>

#define FREE ((__int128)1 << 100) /* no bound */

static __int128 *
most(const struct sb_clock_bounds *b, size_t from, size_t to)
{
    return &b->most[from * b->n + to];
}

void
sb_clock_bounds_init(struct sb_clock_bounds *b, size_t n)
{
    b->n = n;
    b->most = sb_realloc_or_die(NULL, sb_mul_or_die(n * n, sizeof *b->most));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            *most(b, i, k) = i == k ? 0 : FREE;
}

void
sb_clock_bounds_close(struct sb_clock_bounds *b)
{
    free(b->most);
    b->most = NULL;
}

void
sb_clock_bounds_add(struct sb_clock_bounds *b, size_t from, size_t to, __int128 most_ns)
{
    if (most_ns < *most(b, from, to))
        *most(b, from, to) = most_ns;
}

bool
sb_clock_bounds_allow(const struct sb_clock_bounds *b, const struct sb_clock *clock)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if ((__int128)clock[k].ahead_ns - clock[i].ahead_ns > *most(b, i, k))
                return false;
    return true;
}

static void
shorten(struct sb_clock_bounds *b, size_t from, size_t by, size_t to)
{
    __int128 first = *most(b, from, by), second = *most(b, by, to);
    if (first < FREE && second < FREE && first + second < *most(b, from, to))
        *most(b, from, to) = first + second;
}

/* Floyd-Warshall: each bound becomes the length of the shortest path. */
static void
find_shortest(struct sb_clock_bounds *b)
{
    for (size_t by = 0; by < b->n; by++)
        for (size_t i = 0; i < b->n; i++)
            for (size_t k = 0; k < b->n; k++)
                shorten(b, i, by, k);
}

static int64_t
narrow(__int128 ns)
{
    const __int128 limit = INT64_MAX / 4; /* stamps further apart than this are damaged */
    return (int64_t)(ns > limit ? limit : ns < -limit ? -limit : ns);
}

/* ---- groups: nodes that bound each other on both sides; a group is named by its first node ---- */

static void
find_groups(const struct sb_clock_bounds *b, size_t *group)
{
    struct sb_clock_bounds reach = {.n = b->n};
    reach.most = sb_realloc_or_die(NULL, b->n * b->n * sizeof *reach.most);
    for (size_t i = 0; i < b->n * b->n; i++)
        reach.most[i] = b->most[i] < FREE ? 0 : FREE;
    find_shortest(&reach);
    for (size_t i = 0; i < b->n; i++)
        for (group[i] = 0; *most(&reach, group[i], i) == FREE || *most(&reach, i, group[i]) == FREE;)
            group[i]++;
    sb_clock_bounds_close(&reach);
}

/* ---- contradictions ---- */

static __int128
quotient_above(__int128 a, __int128 b)
{
    return a / b + (a % b > 0);
}

/* Computes length[k * n + i]: the shortest walk of k steps within the group that ends at i. */
static void
walk_in_group(const struct sb_clock_bounds *b, const size_t *group, size_t of, __int128 *length)
{
    for (size_t i = 0; i < b->n; i++)
        length[i] = group[i] == of ? 0 : FREE;
    for (size_t k = 1; k <= b->n; k++)
        for (size_t i = 0; i < b->n; i++) {
            __int128 *best = &length[k * b->n + i];
            *best = FREE;
            for (size_t from = 0; group[i] == of && from < b->n; from++)
                if (from != i && length[(k - 1) * b->n + from] < FREE && *most(b, from, i) < FREE &&
                    length[(k - 1) * b->n + from] + *most(b, from, i) < *best)
                    *best = length[(k - 1) * b->n + from] + *most(b, from, i);
        }
}

/* Returns what must be added to each bound of a group so that no cycle is negative: the negated minimum
 * mean cycle (Karp). */
static __int128
contradiction(const struct sb_clock_bounds *b, const size_t *group, size_t of)
{
    size_t n = b->n;
    __int128 worst = 0, *length = sb_realloc_or_die(NULL, (n + 1) * n * sizeof *length);
    walk_in_group(b, group, of, length);
    for (size_t i = 0; i < n; i++) {
        __int128 end = length[n * n + i], least = FREE;
        for (size_t k = 0; end < FREE && k < n; k++) {
            __int128 mean =
                length[k * n + i] < FREE ? quotient_above(length[k * n + i] - end, (__int128)(n - k)) : FREE;
            least = mean < least ? mean : least;
        }
        worst = least < FREE && least > worst ? least : worst;
    }
    free(length);
    return worst;
}

static void
remove_contradictions(struct sb_clock_bounds *b, const size_t *group, struct sb_clock *clock)
{
    for (size_t of = 0; of < b->n; of++) {
        if (group[of] != of)
            continue;
        __int128 wider = contradiction(b, group, of);
        for (size_t i = 0; i < b->n; i++) {
            if (group[i] == of)
                clock[i].drift_ns = narrow(wider);
            for (size_t k = 0; group[i] == of && k < b->n; k++)
                if (i != k && group[k] == of && *most(b, i, k) < FREE)
                    *most(b, i, k) += wider;
        }
    }
}

/* ---- offsets ---- */

static __int128
floor_of(__int128 a, __int128 b)
{
    return a / b - (a % b < 0);
}

/* Returns the middle of the clock's interval relative to the first of its group, which has the smallest
 * possible error. */
static __int128
middle(const struct sb_clock_bounds *b, const size_t *group, size_t i)
{
    return floor_of(*most(b, group[i], i) - *most(b, i, group[i]), 2);
}

/*
 * Within a group every shortest-path tree, outwards or inwards, is a set of offsets that satisfies all
 * bounds. So is the mean of all of them, rounded down, because bounds are integers.
 */
static __int128
mean_of_trees(const struct sb_clock_bounds *b, const size_t *group, size_t i)
{
    size_t first = group[i];
    __int128 sum = 0, n = 0;
    for (size_t k = 0; k < b->n; k++)
        if (group[k] == first) {
            sum += *most(b, k, i) - *most(b, k, first) + *most(b, first, k) - *most(b, i, k);
            n++;
        }
    return floor_of(sum, 2 * n);
}

static bool
are_within(const struct sb_clock_bounds *b, const size_t *group, const __int128 *ahead)
{
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < b->n; k++)
            if (group[i] == group[k] && ahead[k] - ahead[i] > *most(b, i, k))
                return false;
    return true;
}

/* Computes how far each clock is ahead of the first of its group. Middles satisfy the bounds with the
 * first clock, but not always those among the others. */
static void
place_in_groups(const struct sb_clock_bounds *b, const size_t *group, __int128 *ahead)
{
    for (size_t i = 0; i < b->n; i++)
        ahead[i] = middle(b, group, i);
    bool within = are_within(b, group, ahead);
    for (size_t i = 0; i < b->n && !within; i++)
        ahead[i] = mean_of_trees(b, group, i);
}

/* Fixes clock i relative to the first one. */
static void
fix(struct sb_clock_bounds *b, size_t i, __int128 ahead)
{
    *most(b, 0, i) = ahead;
    *most(b, i, 0) = -ahead;
    for (size_t from = 0; from < b->n; from++) {
        shorten(b, from, i, 0);
        shorten(b, from, 0, i);
    }
    for (size_t from = 0; from < b->n; from++)
        for (size_t to = 0; to < b->n; to++) {
            shorten(b, from, 0, to);
            shorten(b, from, i, to);
        }
}

static __int128
clamp(const struct sb_clock_bounds *b, size_t i, __int128 ahead)
{
    if (*most(b, i, 0) < FREE && ahead < -*most(b, i, 0))
        ahead = -*most(b, i, 0);
    if (*most(b, 0, i) < FREE && ahead > *most(b, 0, i))
        ahead = *most(b, 0, i);
    return ahead;
}

static void
find_error(const struct sb_clock_bounds *b, const size_t *group, size_t i, __int128 ahead,
           struct sb_clock *clock)
{
    clock->error_ns = SB_NULL;
    if (group[i] != 0 || clock->drift_ns > 0)
        return;
    __int128 above = *most(b, 0, i) - ahead, below = ahead + *most(b, i, 0);
    clock->error_ns = narrow(above > below ? above : below);
    clock->low_ns = narrow(-*most(b, i, 0));
    clock->high_ns = narrow(*most(b, 0, i));
}

/* Places a group without bounds on both sides to the first group: by its first member's guess, as far as
 * the bounds allow. */
static void
place_group(struct sb_clock_bounds *b, const size_t *group, size_t of, __int128 *ahead,
            struct sb_clock *clock)
{
    for (size_t i = of; i < b->n; i++) {
        if (group[i] != of)
            continue;
        ahead[i] = clamp(b, i, i == of ? (of == 0 ? 0 : clock[of].guess_ns) : ahead[of] + ahead[i]);
        fix(b, i, ahead[i]);
        clock[i].ahead_ns = narrow(ahead[i]);
    }
}

void
sb_clock_bounds_solve(struct sb_clock_bounds *b, struct sb_clock *clock)
{
    size_t *group = sb_realloc_or_die(NULL, b->n * sizeof *group);
    __int128 *ahead = sb_realloc_or_die(NULL, b->n * sizeof *ahead);
    find_groups(b, group);
    remove_contradictions(b, group, clock);
    find_shortest(b);
    place_in_groups(b, group, ahead);
    for (size_t i = 0; i < b->n; i++)
        find_error(b, group, i, ahead[i], &clock[i]);
    clock[0].error_ns = 0;
    for (size_t of = 0; of < b->n; of++)
        if (group[of] == of)
            place_group(b, group, of, ahead, clock);
    free(group);
    free(ahead);
}
