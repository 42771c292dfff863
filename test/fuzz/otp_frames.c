/* A whole file of any bytes: framing, probing, looking ahead, decoding and printing never crash, hang or lose
 * count. */
#include "base/pool.h"
#include "trace/source.h"
#include "trace/text.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t
read_all(struct sb_source *s, size_t size)
{
    struct sb_events events = {0};
    struct sb_out out;
    uint64_t framed = 0, bytes = 0;
    sb_out_to_memory(&out);
    for (struct sb_block b; sb_source_next(s, &b, NULL);) {
        framed += b.n_events;
        bytes += b.size;
        sb_source_decode(s, &b, &events);
        SB_ASSERT(events.n <= framed && bytes <= size);
    }
    for (size_t i = 0; i < events.n && out.n < 1 << 20; i++)
        sb_text_write(&out, sb_source_names(s), &events.at[i]);
    SB_ASSERT(sb_source_info(s)->records <= framed);
    SB_ASSERT(events.n == framed || sb_source_info(s)->damages > 0);
    size_t n = events.n;
    sb_out_abandon(&out);
    SB_VEC_FREE(&events);
    return n;
}

/* What looking ahead says of a block is what decoding finds in it. */
static void
check_block(const struct sb_block *b, const struct sb_event *ev, size_t n)
{
    for (size_t i = 0; i < n && b->kinds != 0; i++) {
        SB_ASSERT(b->kinds >> ev[i].kind & 1);
        SB_ASSERT(ev[i].at_ns == SB_AT_UNKNOWN ? b->first_ns == INT64_MIN
                                               : ev[i].at_ns >= b->first_ns && ev[i].at_ns <= b->last_ns);
    }
}

static size_t
read_scanned(struct sb_source *s)
{
    struct sb_events events = {0};
    struct sb_pool *one = sb_pool_open(1);
    sb_source_scan(s, one);
    for (struct sb_block b; sb_source_next(s, &b, NULL);) {
        size_t had = events.n;
        sb_source_decode(s, &b, &events);
        check_block(&b, events.at + had, events.n - had);
    }
    size_t n = events.n;
    sb_pool_close(one);
    SB_VEC_FREE(&events);
    return n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    SB_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    const char *paths[] = {path};
    struct sb_source_options options = {.keep_text = size & 1};
    struct sb_source *s;
    struct sb_err e = {0};
    if (sb_source_open(&s, paths, 1, &options, &e)) {
        size_t n = read_all(s, size);
        bool whole = sb_source_whole(s, &e);
        SB_ASSERT(whole || (e.what[0] && e.advice[0]));
        sb_source_close(s);
        SB_ASSERT(sb_source_open(&s, paths, 1, &options, &e) && read_scanned(s) == n);
        sb_source_close(s);
    } else {
        SB_ASSERT(e.code != SB_OK && e.what[0]);
    }
    close(fd);
    return 0;
}
