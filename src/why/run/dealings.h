/* The part of a process's work that belongs to what it does with some others: the slices in which it sent to one of
 * them, or for which one of them woke it. */
#pragma once
#include "why/run/evidence.h"

struct sb_dealings {
    int64_t slices, work_ns;
    int64_t alone_ns, share_ns; /* as of struct sb_actor */
};
/* with: by process.id. also: by slice of the process, those that count too; NULL: none. */
void sb_dealings_add(struct sb_dealings *to, const struct sb_evidence *x, int64_t process, const bool *with,
                     const bool *also);
