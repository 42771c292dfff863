/* The CPUs that a process may use, from the operating system. Part of the drain: depends on base only, no
 * library. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

uint32_t sb_cpus_cores(uint32_t pid); /* cores that its affinity allows; UINT32_MAX: unknown */

/*
 * Returns the CPU time that its control group and the groups above allow, in millionths of a core;
 * UINT64_MAX: no known limit. `proc` and `groups` are /proc/PID/cgroup and /sys/fs/cgroup.
 */
uint64_t sb_cpus_quota(const char *proc, const char *groups);
