/*
 * A forged profile (forge.h) before some of its readers (drive.h): a report, a table, an export, a merge, a
 * route of the server, the one-file report. Any answer or error is fine; a crash or hang is not.
 *
 *     input: the base (0: every kind of event, else: without times), 4 bytes that choose the reader, changes
 */
#include "../forge/base_trace.h"
#include "../forge/drive.h"
#include "../forge/forge.h"
#include "engine/engine.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { BASES = 2 };
static struct forge_base *base[BASES];

static struct { /* the forged profile: in memory, with a path */
    int fd;
    size_t n;
    char path[64];
} forged;

static void
make_base(unsigned i)
{
    char trace[300], path[300];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_engine_options o;
    struct sb_profile *good;
    snprintf(trace, sizeof trace, "%s/base.txt", drive_scratch());
    snprintf(path, sizeof path, "%s/%s.sbp", drive_scratch(), i == 0 ? "good" : "untimed");
    FILE *f = fopen(trace, "w");
    SB_ASSERT(f && fprintf(f, "%s%s", i == 0 ? "" : "@meta node=a@h untimed\n", base_trace) > 0 &&
              fclose(f) == 0);
    sb_engine_defaults(&o);
    o.threads = 1;
    const char *const paths[] = {trace};
    if (!sb_engine_analyze(paths, 1, path, &o, NULL, &e) || !sb_profile_open(&good, path, &e)) {
        fprintf(stderr, "%s at %llu\n", e.what, (unsigned long long)e.at_byte);
        abort();
    }
    base[i] = forge_base_open(good); /* both are needed until the end */
    unlink(trace);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    forged.fd = memfd_create("forged", MFD_CLOEXEC);
    snprintf(forged.path, sizeof forged.path, "/proc/self/fd/%d", forged.fd);
    for (unsigned i = 0; i < BASES; i++)
        make_base(i);
    drive_quietly();
    return 0;
}

static void
write_forged(const struct sb_out *o)
{
    SB_ASSERT(o->n >= forged.n || ftruncate(forged.fd, (off_t)o->n) == 0);
    SB_ASSERT(pwrite(forged.fd, o->buf, o->n, 0) == (ssize_t)o->n);
    forged.n = o->n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 1 + DRIVE_BYTES };
    struct forged f;
    if (size < HEAD)
        return 0;
    forge(&f, base[data[0] % BASES], data + HEAD, size - HEAD);
    write_forged(&f.out);
    forge_free(&f);
    drive_several(forged.path, data + 1);
    return 0;
}
