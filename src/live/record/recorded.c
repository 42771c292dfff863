#include "live/record/recorded.h"
#include "trace/source.h"
#include <limits.h>
#include <sys/stat.h>

bool
sb_recorded_read(struct sb_recorded *r, const char *path, const char *rings, uint32_t os_pid)
{
    struct stat st, left;
    struct sb_err ignored;
    if (stat(path, &st) < 0)
        return false;
    *r = (struct sb_recorded){.path = path, .os_pid = os_pid, .bytes = (uint64_t)st.st_size};
    r->complete = sb_sbt_read_trailer(path, &r->totals, &ignored);
    sb_sbt_read_start(path, &r->start_ns);
    if (!r->complete && rings && lstat(rings, &left) == 0) {
        r->rings = rings;
        r->rings_bytes = (uint64_t)left.st_blocks * 512;
    }
    return true;
}

/* Drops of a stream are of no class; they count as `meta`, the class of what concerns the trace itself. */
static bool
scan(struct sb_recorded *r, struct sb_err *e)
{
    struct sb_source *s;
    struct sb_block b;
    SB_SCOPED struct sb_events events = {0};
    struct sb_source_options o = {0};
    SB_TRY(sb_source_open(&s, &r->path, 1, &o, e));
    for (; sb_source_next(s, &b, e); events.n = 0)
        sb_source_decode(s, &b, &events);
    const struct sb_source_info *info = sb_source_info(s);
    r->totals.events = info->records;
    r->totals.dropped[SB_META] = info->lost_any;
    sb_source_close(s);
    return true;
}

bool
sb_recorded_read_otp(struct sb_recorded *r, const char *path, const char *rings, uint32_t os_pid)
{
    (void)rings;
    struct stat st;
    struct sb_err ignored;
    if (stat(path, &st) < 0)
        return false;
    *r = (struct sb_recorded){.path = path, .os_pid = os_pid, .bytes = (uint64_t)st.st_size, .by_otp = true};
    r->complete = scan(r, &ignored);
    return true;
}

bool
sb_recorded_keep_old(const char *trace)
{
    char old[PATH_MAX];
    return (size_t)snprintf(old, sizeof old, "%s.old", trace) < sizeof old && rename(trace, old) == 0;
}
