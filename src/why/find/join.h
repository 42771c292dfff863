/*
 * The findings of a long run, from those of its pieces (why/run/pieces.h). Findings of one rule about one process, or
 * about processes that were started alike, are one. A piece stands for its part of the run: a gain is the sum of what
 * the pieces show, each as a share of its part, and its bounds are two standard errors of that sum further apart.
 */
#pragma once
#include "why/find/finding.h"

struct sb_piece {
    struct sb_why w;       /* its findings, servers and tests, and no evidence */
    struct sb_arena texts; /* of the findings */
    int64_t work_ns;
    bool is_known;
};
/* Adds the findings of one rule to those of the run. */
void sb_findings_join(struct sb_why *run, const struct sb_pieces *pieces, const struct sb_piece *of,
                      const struct sb_rule *rule);
