/* Who started whom in the whole run, who crashed, and whom a parent started again. Found once, also where the findings
 * look at pieces of the run. */
#pragma once
#include "why/run/evidence.h"

struct sb_child { /* its parent and its start are in the trace */
    int64_t parent, group, start, end;
    int64_t id;
};
struct sb_crash {                     /* it ended with a reason other than those of an orderly end */
    int64_t parent, entry, start, at; /* start: SB_NULL if it is not in the trace */
    int64_t id;
    struct sb_str reason;
};
struct sb_restarts {              /* of children with one entry, after a crash of one of them */
    int64_t parent, entry, first; /* process.id of the first child */
    int64_t n, lived_ns;          /* lives before the crashes */
    struct sb_str reason;         /* of the last crash */
};

struct sb_families {
    SB_VEC(struct sb_child) child; /* by parent, group, start */
    SB_VEC(struct sb_crash) crash; /* by parent, time */
    SB_VEC(struct sb_restarts) restarts;
};

void sb_families_find(const struct sb_evidence *x, struct sb_families *f);
void sb_families_close(struct sb_families *f);
/* Of the first child that the parent started alike; where there is none, of the one that would follow it. */
size_t sb_family_begin(const struct sb_families *f, int64_t parent, int64_t group);
/* The end of the children that one parent started alike, of which `first` is the first. */
size_t sb_family_end(const struct sb_families *f, size_t first);
/* True if a child of the process crashed within (from, to]. */
bool sb_families_crashed(const struct sb_families *f, int64_t parent, int64_t from, int64_t to);
