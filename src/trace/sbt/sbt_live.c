/* Traces that are still being written: whether a file is one, and what is known of it for certain. */
#include "trace/sbt/sbt_read.h"
#include <sys/stat.h>
#include <unistd.h>

static bool
has_trailer(int fd)
{
    struct sb_sbt_end end;
    struct stat st;
    return fstat(fd, &st) == 0 && st.st_size > (off_t)sizeof end &&
           pread(fd, &end, sizeof end, st.st_size - (off_t)sizeof end) == (ssize_t)sizeof end &&
           memcmp(end.magic, SB_SBT_END, sizeof end.magic) == 0;
}

enum sb_sbt_life
sb_sbt_life(int fd)
{
    struct sb_sbt_head head;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.magic, SB_SBT_MAGIC, sizeof head.magic) != 0)
        return SB_SBT_NO_HEAD;
    head.rings[sizeof head.rings - 1] = 0;
    if (has_trailer(fd))
        return SB_SBT_WHOLE;
    /* the trailer is written before the lock is released */
    return sb_sbt_is_written(fd, head.rings) ? SB_SBT_WRITTEN
           : has_trailer(fd)                 ? SB_SBT_WHOLE
                                             : SB_SBT_BROKEN;
}

static struct sb_sbt_block
head_at(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b;
    memcpy(&b, r->p + at, sizeof b); /* `walk` has checked it */
    return b;
}

void
sb_sbt_read_known(struct sb_sbt_reader *r)
{
    int64_t latest = INT64_MIN;
    size_t n = 0;
    for (size_t i = 0; i < r->place.n; i++) {
        struct sb_sbt_block b = head_at(r, r->place.at[i]);
        latest = b.last_ns > latest ? b.last_ns : latest;
    }
    r->until_ns = latest > INT64_MIN + SB_SBT_LATE_NS ? latest - SB_SBT_LATE_NS : latest;
    for (size_t i = 0; i < r->place.n; i++) {
        struct sb_sbt_block b = head_at(r, r->place.at[i]);
        if (b.first_ns < r->until_ns)
            r->place.at[n++] = r->place.at[i];
        else
            r->source->info.records -= b.events;
    }
    r->place.n = n;
    sb_source_end_here(r->source, r->until_ns);
}
