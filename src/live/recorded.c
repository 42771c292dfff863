#include "live/recorded.h"
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>

bool
sb_recorded_read(struct sb_recorded *r, const char *path, uint32_t os_pid)
{
    struct stat st;
    struct sb_err ignored;
    if (stat(path, &st) < 0)
        return false;
    *r = (struct sb_recorded){.path = path, .os_pid = os_pid, .bytes = (uint64_t)st.st_size};
    r->complete = sb_sbt_read_trailer(path, &r->totals, &ignored);
    sb_sbt_read_start(path, &r->start_ns);
    return true;
}

bool
sb_recorded_keep_old(const char *trace)
{
    char old[PATH_MAX];
    return (size_t)snprintf(old, sizeof old, "%s.old", trace) < sizeof old && rename(trace, old) == 0;
}
