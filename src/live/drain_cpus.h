/* Which CPUs a process may use, as the operating system says. Part of the drain: base alone, nothing of a library. */
#ifndef SB_LIVE_DRAIN_CPUS_H
#define SB_LIVE_DRAIN_CPUS_H
#include <stdbool.h>
#include <stdint.h>

uint32_t sb_cpus_cores(uint32_t pid); /* that its affinity allows; UINT32_MAX: unknown */

/*
 * CPU time a second that its control group and those above it allow, in millionths of a core; UINT64_MAX: no limit is
 * known. `proc` and `groups` are /proc/PID/cgroup and /sys/fs/cgroup.
 */
uint64_t sb_cpus_quota(const char *proc, const char *groups);

#endif
