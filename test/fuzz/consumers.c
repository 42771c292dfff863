/*
 * A forged profile (forge.h) before one of its readers (drive.h): a report, a table, an export, a merge, a
 * route of the server, the one-file report. Any answer or error is fine; a crash or hang is not.
 *
 *     input: the base (0: every kind of event, else: without times), 4 bytes that choose the reader, changes
 */
#include "../forge/base_trace.h"
#include "../forge/drive.h"
#include "../forge/forge.h"
#include "engine/engine.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { BASES = 2 };
static struct sb_profile *base[BASES];
static char scratch[200], forged_path[300];

static void
make_base(unsigned i)
{
    char trace[300], path[300];
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_engine_options o;
    snprintf(trace, sizeof trace, "%s/base.txt", scratch);
    snprintf(path, sizeof path, "%s/%s.sbp", scratch, i == 0 ? "good" : "untimed");
    FILE *f = fopen(trace, "w");
    SB_ASSERT(f && fprintf(f, "%s%s", i == 0 ? "" : "@meta node=a@h untimed\n", base_trace) > 0 &&
              fclose(f) == 0);
    sb_engine_defaults(&o);
    o.threads = 1;
    const char *const paths[] = {trace};
    if (!sb_engine_analyze(paths, 1, path, &o, NULL, &e) || !sb_profile_open(&base[i], path, &e)) {
        fprintf(stderr, "%s at %llu\n", e.what, (unsigned long long)e.at_byte);
        abort();
    }
    unlink(trace);
}

static void
clean_up(void)
{
    char rm[300];
    snprintf(rm, sizeof rm, "rm -rf '%s'", scratch);
    if (system(rm) != 0)
        abort();
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    snprintf(scratch, sizeof scratch, "%s/strobe-fuzz-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    SB_ASSERT(mkdtemp(scratch));
    snprintf(forged_path, sizeof forged_path, "%s/forged.sbp", scratch);
    for (unsigned i = 0; i < BASES; i++)
        make_base(i);
    atexit(clean_up);
    drive_quietly();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { HEAD = 1 + DRIVE_BYTES };
    struct forged f;
    if (size < HEAD)
        return 0;
    forge(&f, base[data[0] % BASES], data + HEAD, size - HEAD);
    int fd = open(forged_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    SB_ASSERT(fd >= 0 && write(fd, f.out.buf, f.out.n) == (ssize_t)f.out.n && close(fd) == 0);
    forge_free(&f);
    drive(forged_path, scratch, data + 1);
    return 0;
}
