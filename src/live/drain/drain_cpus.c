#include "live/drain/drain_cpus.h"
#include "base/file.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { PATH_MOST = 4096, LINE_MOST = 4096, CPUS_MOST = 8192 };

uint32_t
sb_cpus_cores(uint32_t pid)
{
    unsigned long mask[CPUS_MOST / 8 / sizeof(unsigned long)] = {0};
    if (sched_getaffinity((pid_t)pid, sizeof mask, (cpu_set_t *)mask) != 0)
        return UINT32_MAX;
    int n = CPU_COUNT_S(sizeof mask, (cpu_set_t *)mask);
    return n > 0 ? (uint32_t)n : UINT32_MAX;
}

/* Parses "50000 100000"; "max 100000" and -1 mean no limit. */
static uint64_t
share(const char *quota, const char *period)
{
    double q = atof(quota), p = atof(period);
    return q > 0 && p > 0 ? (uint64_t)(q / p * 1e6 + 0.5) : UINT64_MAX;
}

/* One file in cgroup version 2, two in version 1. */
static uint64_t
quota_in(const char *folder)
{
    char path[PATH_MOST], quota[64], period[64];
    snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (sb_file_line(path, quota, sizeof quota)) {
        char *space = strchr(quota, ' ');
        return space ? share(quota, space) : UINT64_MAX;
    }
    snprintf(path, sizeof path, "%s/cpu.cfs_quota_us", folder);
    if (!sb_file_line(path, quota, sizeof quota))
        return UINT64_MAX;
    snprintf(path, sizeof path, "%s/cpu.cfs_period_us", folder);
    return sb_file_line(path, period, sizeof period) ? share(quota, period) : UINT64_MAX;
}

/* Returns the least quota of a group and its ancestors, up to the root of the hierarchy, whose path has
 * `root` bytes. */
static uint64_t
least_above(char *folder, size_t root)
{
    uint64_t least = quota_in(folder);
    while (strlen(folder) > root) {
        *strrchr(folder, '/') = 0;
        uint64_t quota = quota_in(folder);
        least = quota < least ? quota : least;
    }
    return least;
}

static bool
has_word(const char *list, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = list; p; p = strchr(p, ',')) {
        p += *p == ',';
        if (strncmp(p, word, n) == 0 && (p[n] == ',' || p[n] == 0))
            return true;
    }
    return false;
}

/* Parses a line "5:cpu,cpuacct:/group", or in version 2 "0::/group". */
static uint64_t
quota_of(char *line, const char *groups)
{
    char folder[2 * PATH_MOST];
    char *list = strchr(line, ':'), *group = list ? strchr(list + 1, ':') : NULL;
    if (!group || group[1] != '/')
        return UINT64_MAX;
    *group++ = 0;
    group[strcspn(group, "\n")] = 0;
    bool second = list[1] == 0;
    if (!second && !has_word(list + 1, "cpu"))
        return UINT64_MAX;
    int n = snprintf(folder, sizeof folder, "%s%s", groups, second ? "" : "/cpu");
    if (n < 0 || (size_t)n + strlen(group) >= sizeof folder)
        return UINT64_MAX;
    strcpy(folder + n, strcmp(group, "/") == 0 ? "" : group);
    return least_above(folder, (size_t)n);
}

uint64_t
sb_cpus_quota(const char *proc, const char *groups)
{
    uint64_t least = UINT64_MAX;
    char line[LINE_MOST];
    SB_SCOPED_FILE FILE *f = fopen(proc, "re");
    while (f && fgets(line, sizeof line, f)) {
        uint64_t quota = quota_of(line, groups);
        least = quota < least ? quota : least;
    }
    return least;
}
