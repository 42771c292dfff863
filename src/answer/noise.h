/*
 * Whether two sets of runs differ beyond the noise between runs of one set. A question is one figure of every run.
 *
 * Each way to deal the runs into two sets of the same sizes is as likely as the one seen, if nothing differs. So p is
 * the share of these ways in which any question of those that differ no more than this one has a difference as large
 * (step-down maxT of Westfall and Young): it is corrected for the number of questions, and assumes no distribution.
 * A difference is measured in standard errors, to which half a percent of the figure is added, so that a figure that
 * hardly varies needs more than a hair. Pure, and the same for the same input: where there are too many ways, a fixed
 * sequence of random ones stands for them.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct sb_noise {     /* of one question */
    double a, b;      /* means */
    double low, high; /* 95 % interval of b - a (Welch); NaN: one run on a side */
    double p;         /* NaN: too few runs to tell */
};
/* The least p that so many runs on each side can reach. */
double sb_noise_least(size_t n_a, size_t n_b);
/* `value`: by question, then run: first those of A. Fills `out`, one per question. `sampled`, by question: a count of
 * random samples, which varies by its square root even where nothing else does; NULL: none is. */
void sb_noise_find(const double *value, const bool *sampled, size_t n_questions, size_t n_a, size_t n_b,
                   struct sb_noise *out);
