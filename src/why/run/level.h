/*
 * How many processes and ports are at work over time, as sums up to each change, so that the time within any
 * range in which the machine was idle or had a scheduler to spare is a difference of two sums.
 */
#pragma once
#include "base/vec.h"
#include "profile/range.h"

enum sb_level_kind {                 /* ready: certainly runnable, or on the way to a dirty scheduler */
                     SB_LEVEL_IDLE,  /* nothing at work, nothing ready */
                     SB_LEVEL_ALONE, /* exactly one at work, nothing ready */
                     SB_LEVEL_QUIET, /* at most one at work */
                     SB_LEVEL_SHARE, /* at least one at work: each moment divided by their number */
                     SB_LEVEL_SPARE, /* the share of the schedulers that nothing at work or ready could have used */
                     SB_LEVEL_FEW,  /* the same while at least two are at work */
                     SB_LEVEL_HELD, /* something is ready */
                     SB_LEVEL_KINDS,
};
enum { SB_LEVEL_SUMMED = 8 };
struct sb_level_point {
    int64_t at;
    int32_t working, ready; /* from `at` to the next point */
};
struct sb_level_work { /* of a process: all its work within the level, and of that the time of two kinds */
    int64_t ns, alone_ns, share_ns;
};
struct sb_level {
    struct sb_level_point *at;
    size_t n, cap;
    struct {
        int64_t (*at)[SB_LEVEL_KINDS]; /* up to each SB_LEVEL_SUMMED-th point */
        size_t n, cap;
    } sum;
    int64_t schedulers;
    size_t *part; /* n_parts + 1 indices: the last point up to the beginning of each part of the time */
    uint64_t n_parts;
    int64_t part_ns;
    struct sb_level_work *work; /* by process.id */
};

/* Sweeps over [t0, t1) of a profile (at_work.h). */
void sb_level_read(const struct sb_profile *p, int64_t t0, int64_t t1, int64_t schedulers,
                   struct sb_level *out);
void sb_level_close(struct sb_level *l);
/* The time of several kinds within [from, to), in `ns`; one search for all. `kinds`: their bits. */
enum { SB_LEVEL_ALL = (1 << SB_LEVEL_KINDS) - 1 };
void sb_level_kinds(const struct sb_level *l, int64_t from, int64_t to, unsigned kinds,
                    int64_t ns[SB_LEVEL_KINDS]);
/* The time of that kind within [from, to). */
int64_t sb_level_within(const struct sb_level *l, enum sb_level_kind kind, int64_t from, int64_t to);

/* A set of ranges is made disjoint before it is measured, so that no moment counts twice. */
struct sb_ranges {
    struct sb_range *at;
    size_t n, cap;
};
void sb_ranges_add(struct sb_ranges *r, int64_t from, int64_t to);
void sb_ranges_sort(struct sb_ranges *r); /* by their start */
void sb_ranges_unite(struct sb_ranges *r);
int64_t sb_ranges_ns(const struct sb_ranges *r); /* united */
int64_t sb_ranges_within(const struct sb_ranges *r, const struct sb_level *l, enum sb_level_kind kind);
/* Keeps of `r` what is in `other` too; both united. */
void sb_ranges_cut(struct sb_ranges *r, const struct sb_ranges *other);
