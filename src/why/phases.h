/*
 * The phases of a node in a trace: the VM starts, the program runs, the VM shuts down. Outside of its part of
 * the trace nothing is known of a node.
 *
 * A start is told from a trace that begins later by a process of the kernel that was spawned in the trace, and
 * ends where code of the program is first seen. A shutdown begins where `init` prepares it.
 */
#ifndef SB_WHY_PHASES_H
#define SB_WHY_PHASES_H
#include "why/otp.h"

struct sb_phases { /* in order of time; a phase that was not seen has no length */
    int64_t known_ns, program_ns, shutdown_ns, end_ns;
};
/* by the row of the node in table node */
struct sb_phases *sb_phases_find(const struct sb_profile *p, struct sb_arena *a);

#endif
