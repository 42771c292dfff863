/*
 * Buckets of a histogram over many magnitudes: each power of two has 32, of equal width, so a bucket is at most 3 %
 * wide. Below 32 each number is a bucket of its own.
 */
#pragma once
#include <stdint.h>

enum { SB_OCTAVE_STEPS = 5, SB_OCTAVE_BUCKETS = (64 - SB_OCTAVE_STEPS) << SB_OCTAVE_STEPS };

static inline unsigned
sb_octave_bucket(int64_t ns)
{
    uint64_t v = ns > 0 ? (uint64_t)ns : 0;
    if (v < 1u << SB_OCTAVE_STEPS)
        return (unsigned)v;
    unsigned high = 63 - (unsigned)__builtin_clzll(v);
    return ((high - SB_OCTAVE_STEPS) << SB_OCTAVE_STEPS) + (unsigned)(v >> (high - SB_OCTAVE_STEPS));
}

/* Returns the least number in a bucket. */
static inline int64_t
sb_octave_low(unsigned bucket)
{
    unsigned octave = bucket >> SB_OCTAVE_STEPS;
    if (octave == 0)
        return bucket;
    return (int64_t)((bucket & ((1u << SB_OCTAVE_STEPS) - 1)) | 1u << SB_OCTAVE_STEPS) << (octave - 1);
}
