/* A whole file of any bytes through the profile, the dump and the analysis: on one thread and on three alike.
 */
#include "fprof/fprof.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
profile(const char *path, const struct sb_fprof_options *o, struct sb_out *analysis)
{
    struct sb_fprof f;
    struct sb_err e = {0};
    const struct sb_fprof_analysis how = {.cols = 80, .callers = true, .totals = true, .details = true};
    SB_ASSERT(sb_fprof_open(&f, &path, 1, &e));
    SB_ASSERT(sb_fprof_profile(&f, o, &e));
    SB_ASSERT(f.failed == (f.answer.n > 2 && !o->strict) || o->strict);
    sb_out_to_memory(analysis);
    bool any = sb_fprof_analyse(&f, &how, analysis);
    SB_ASSERT(any == (analysis->n > 0) && (f.any || !any));
    sb_out_str(analysis, (struct sb_str){f.answer.buf, f.answer.n});
    if (o->strict)
        sb_fprof_differences(&f, analysis);
    sb_fprof_close(&f);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    SB_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct sb_out dump, one, three;
    sb_out_to_memory(&dump);
    profile(path, &(struct sb_fprof_options){.threads = 1, .dump = &dump}, &one);
    profile(path, &(struct sb_fprof_options){.threads = 3}, &three);
    SB_ASSERT(one.n == three.n && memcmp(one.buf, three.buf, one.n) == 0);
    sb_out_abandon(&one);
    profile(path, &(struct sb_fprof_options){.threads = 1, .strict = true}, &one);
    sb_out_abandon(&dump);
    sb_out_abandon(&one);
    sb_out_abandon(&three);
    close(fd);
    return 0;
}
