/*
 * A trace of OTP with its structure changed: frames left out, doubled, exchanged, cut and mended, with other
 * stamps and other terms; as one file or as a wrap set with files missing or doubled. It is analysed, and a
 * reader is given the profile. Any answer or error is fine.
 *
 *     input: how (which command, number of files, how they are named), 4 bytes that choose the reader,
 *            number of changes, changes of 4 bytes: what, frame, place, value; then the trace
 */
#include "../forge/drive.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/vec.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { HEADER = 5, HEAD = 1 + DRIVE_BYTES + 1, CHANGE = 4, FILES = 4, FRAMES = 2000 };

struct frame { /* whole, with its header */
    uint8_t *p;
    size_t n;
};

struct trace {
    SB_VEC(struct frame) frames;
};

static struct frame
copy_of(const uint8_t *p, size_t n)
{
    struct frame f = {sb_realloc_or_die(NULL, n), n};
    memcpy(f.p, p, n);
    return f;
}

static void
take_frames(struct trace *t, const uint8_t *p, size_t n)
{
    while (n >= HEADER && t->frames.n < FRAMES) {
        size_t size = HEADER + (p[0] == 0 ? sb_get_be32(p + 1) : 0);
        if (size > n)
            break;
        *SB_PUSH(&t->frames) = copy_of(p, size);
        p += size;
        n -= size;
    }
    if (n > 0) /* a last frame that is cut */
        *SB_PUSH(&t->frames) = copy_of(p, n);
}

static void
put_length(struct frame *f)
{
    size_t n = f->n - HEADER;
    for (unsigned i = 0; i < 4; i++)
        f->p[1 + i] = (uint8_t)(n >> (8 * (3 - i)));
}

static void
exchange(struct frame *a, struct frame *b)
{
    struct frame was = *a;
    *a = *b;
    *b = was;
}

/* Replaces the bytes of a payload from `at` on by those of another one, and mends the length. */
static void
join_halves(struct frame *to, const struct frame *from, size_t at)
{
    if (to->n <= HEADER || from->n <= HEADER)
        return;
    size_t keep = HEADER + at % (to->n - HEADER), skip = HEADER + at % (from->n - HEADER);
    size_t n = keep + from->n - skip;
    uint8_t *p = sb_realloc_or_die(NULL, n);
    memcpy(p, to->p, keep);
    memcpy(p + keep, from->p + skip, from->n - skip);
    free(to->p);
    *to = (struct frame){p, n};
    put_length(to);
}

static void
cut(struct frame *f, size_t at)
{
    if (f->n <= HEADER + 1)
        return;
    f->n = HEADER + 1 + at % (f->n - HEADER - 1);
    put_length(f);
}

/* The stamp is the last term: a tuple of three small or large integers. */
static void
change_stamp(struct frame *f, uint8_t place, uint8_t value)
{
    if (f->n > HEADER + 20)
        f->p[f->n - 1 - place % 15] = value;
}

static void
change(struct trace *t, const uint8_t c[CHANGE])
{
    size_t n = t->frames.n, i = n * c[1] / 256, j = n * c[3] / 256;
    struct frame *f = &t->frames.at[i];
    switch (c[0] % 8) {
    case 0:
        cut(f, c[2]);
        break;
    case 1:
        exchange(f, &t->frames.at[j]);
        break;
    case 2: {
        struct frame twice = copy_of(f->p, f->n);
        *SB_PUSH(&t->frames) = twice;
        exchange(&t->frames.at[j], &t->frames.at[n]);
        break;
    }
    case 3:
        join_halves(f, &t->frames.at[j], c[2]);
        break;
    case 4:
        change_stamp(f, c[2], c[3]);
        break;
    case 5: /* lost messages */
        if (f->n >= HEADER) {
            f->p[0] = 1;
            f->n = HEADER;
        }
        break;
    case 6:
        f->n = 0;
        break;
    default:
        if (f->n > HEADER)
            f->p[HEADER + (size_t)c[2] * (f->n - HEADER) / 256] = c[3];
    }
}

static void
path_of(char *path, size_t cap, unsigned number)
{
    snprintf(path, cap, "%s/w%u.trc", drive_scratch(), number);
}

/* Writes a part of the frames. */
static void
write_file(const struct trace *t, unsigned number, size_t from, size_t to)
{
    char path[300];
    path_of(path, sizeof path, number);
    FILE *f = fopen(path, "wb");
    SB_ASSERT(f);
    for (size_t i = from; i < to; i++)
        if (t->frames.at[i].n > 0)
            SB_ASSERT(fwrite(t->frames.at[i].p, t->frames.at[i].n, 1, f) == 1);
    SB_ASSERT(fclose(f) == 0);
}

/* how: bits 0 and 1 give the number of files, bits 2 and 3 the missing one, bit 4 doubles a part. */
static void
write_set(const struct trace *t, unsigned how)
{
    unsigned files = 1 + how % FILES, missing = how / 4 % FILES, doubled = how / 16 % 2;
    for (unsigned k = 0; k < files; k++) {
        size_t from = t->frames.n * (doubled && k > 0 ? k - 1 : k) / files;
        write_file(t, files > 1 && missing > 0 && k >= missing ? k + 1 : k, from,
                   t->frames.n * (k + 1) / files);
    }
}

/* Names the files one by one, or by the base of their names. Returns the number of arguments. */
static unsigned
name_set(unsigned how, char path[FILES + 1][300], const char **args)
{
    static const char *const counts[] = {"1", "2", "3", "4"};
    unsigned n = 0;
    if (how & 128) {
        snprintf(path[0], sizeof path[0], "%s/w", drive_scratch());
        args[n++] = path[0];
        args[n++] = "--wrap-count";
        args[n++] = counts[how % FILES];
        return how & 16 ? n : 1;
    }
    for (unsigned k = 0; k <= FILES; k++) {
        path_of(path[k], sizeof path[k], k);
        if (access(path[k], F_OK) == 0)
            args[n++] = path[k];
    }
    return n;
}

static void
read_set(unsigned how, const uint8_t reader[DRIVE_BYTES])
{
    char path[FILES + 1][300], profile[300];
    const char *args[FILES + 8] = {"strobe", how & 32 ? "dump" : "analyze"};
    unsigned n = 2 + name_set(how, path, args + 2);
    snprintf(profile, sizeof profile, "%s/p.sbp", drive_scratch());
    args[n] = NULL;
    if (how & 32) {
        drive_command(args);
        return;
    }
    args[n++] = "-o";
    args[n++] = profile;
    args[n++] = "--threads";
    args[n++] = how & 64 ? "2" : "1";
    drive_command(args);
    if (access(profile, F_OK) == 0)
        drive(profile, reader);
    unlink(profile);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    drive_quietly();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace t = {0};
    char path[300];
    size_t changes = size < HEAD ? 0 : data[HEAD - 1] % 32u;
    if (size < HEAD + changes * CHANGE + HEADER)
        return 0;
    take_frames(&t, data + HEAD + changes * CHANGE, size - HEAD - changes * CHANGE);
    for (size_t i = 0; i < changes && t.frames.n > 0; i++)
        change(&t, data + HEAD + i * CHANGE);
    write_set(&t, data[0]);
    read_set(data[0], data + 1);
    for (unsigned k = 0; k <= FILES; k++) {
        path_of(path, sizeof path, k);
        unlink(path);
    }
    for (size_t i = 0; i < t.frames.n; i++)
        free(t.frames.at[i].p);
    SB_VEC_FREE(&t.frames);
    return 0;
}
