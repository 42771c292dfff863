/*
 * A stream of OTP's ip port as a hostile node makes it: records, counts of dropped events, records with another byte or
 * another size, bytes that are no frame; it ends at any byte. `strobe attach` reads how much came, and its account must
 * hold as long as each frame leads to the next. Then the stream is analysed or printed.
 *
 *     input: how (which command), 4 bytes that choose the reader, the end (16 bits of the length), number of steps,
 *            steps of 4 bytes: what, frame, place, value; then frames to send
 */
#include "../forge/drive.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/vec.h"
#include "live/record/recorded.h"
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum {
    HEADER = 5,
    END = 1 + DRIVE_BYTES,
    HEAD = END + 3,
    STEP = 4,
    MOST_STEPS = 64,
    FRAMES = 2000,
    VERSION = 131
};

struct frame {
    const uint8_t *p;
    size_t n;
};

struct sent { /* up to a byte of the stream */
    size_t end;
    uint64_t records, lost;
};

struct stream {
    SB_VEC(struct frame) frames; /* that can be sent */
    struct sb_out bytes;
    SB_VEC(struct sent) sent;
    bool sound; /* each frame leads to the next */
};

static void
take_frames(struct stream *t, const uint8_t *p, size_t n)
{
    while (n > HEADER + 1 && t->frames.n < FRAMES) {
        size_t size = HEADER + (p[0] == 0 ? sb_get_be32(p + 1) : 0);
        if (size > n)
            break;
        if (size > HEADER + 1 && p[HEADER] == VERSION)
            *SB_PUSH(&t->frames) = (struct frame){p, size};
        p += size;
        n -= size;
    }
}

/* ---- what the node sends */

static void
note_sent(struct stream *t, unsigned records, uint64_t lost)
{
    struct sent before = t->sent.n > 0 ? t->sent.at[t->sent.n - 1] : (struct sent){0};
    *SB_PUSH(&t->sent) = (struct sent){t->bytes.n, before.records + records, before.lost + lost};
}

static void
send_header(struct stream *t, uint8_t op, uint32_t number)
{
    uint8_t b[HEADER] = {op};
    for (unsigned i = 0; i < 4; i++)
        b[1 + i] = (uint8_t)(number >> (8 * (3 - i)));
    sb_out_bytes(&t->bytes, b, sizeof b);
}

static void
send_drops(struct stream *t, uint32_t events)
{
    send_header(t, 1, events);
    note_sent(t, 0, events);
}

/* The size in the header is `more` larger than the payload. Bytes after the version may change. */
static void
send_record(struct stream *t, const struct frame *f, uint32_t more, int place, uint8_t value)
{
    size_t n = f->n - HEADER, at = place < 0 ? n : 1 + (size_t)place * (n - 1) / 256;
    send_header(t, 0, (uint32_t)n + more);
    sb_out_bytes(&t->bytes, f->p + HEADER, at);
    if (at < n) {
        sb_out_bytes(&t->bytes, &value, 1);
        sb_out_bytes(&t->bytes, f->p + HEADER + at + 1, n - at - 1);
    }
    note_sent(t, 1, 0);
}

static void
take_step(struct stream *t, const uint8_t c[STEP])
{
    size_t first = t->frames.n * c[1] / 256;
    switch (c[0] % 8) {
    case 0:
        send_drops(t, c[1] | (uint32_t)c[2] << 8 | (uint32_t)c[3] << 24);
        break;
    case 1:
        send_record(t, &t->frames.at[first], 0, c[2], c[3]);
        break;
    case 2:
        send_record(t, &t->frames.at[first], (uint32_t)(c[2] - 128) << c[3] % 25, -1, 0);
        t->sound = t->sound && c[2] == 128;
        break;
    case 3:
        sb_out_bytes(&t->bytes, c + 1, 1 + c[0] / 8 % 3u);
        t->sound = false;
        break;
    default: /* some records as they are */
        for (size_t i = first; i < t->frames.n && i <= first + c[2] % 16; i++)
            send_record(t, &t->frames.at[i], 0, -1, 0);
    }
}

/* ---- what strobe says of it */

/* Of a stream that ends within a frame, the record before it may be taken for a part of the damage, and the bytes of
 * the last frame may contain others. */
static void
check_account(const struct stream *t, const struct sb_recorded *r, size_t end)
{
    struct sent s = {0};
    for (size_t i = 0; i < t->sent.n && t->sent.at[i].end <= end; i++)
        s = t->sent.at[i];
    if (s.end == end)
        SB_ASSERT(r->totals.events == s.records && r->totals.dropped[SB_META] == s.lost);
    else
        SB_ASSERT(r->totals.events + 1 >= s.records && r->totals.dropped[SB_META] >= s.lost);
}

static void
write_stream(const char *path, const struct stream *t, size_t end)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    SB_ASSERT(fd >= 0 && write(fd, t->bytes.buf, end) == (ssize_t)end);
    close(fd);
}

static void
read_stream(const char *path, const uint8_t *how)
{
    char profile[300];
    snprintf(profile, sizeof profile, "%s/ip.sbp", drive_scratch());
    if (how[0] % 4 == 1)
        DRIVE("dump", path);
    if (how[0] % 4 != 0)
        return;
    DRIVE("analyze", path, "-o", profile, "--threads", how[0] & 64 ? "2" : "1");
    if (access(profile, F_OK) == 0)
        drive(profile, how + 1);
    unlink(profile);
}

static void
receive(const struct stream *t, const uint8_t *how)
{
    char path[300];
    size_t end = (t->bytes.n * (how[END] | (size_t)how[END + 1] << 8) + 0xfffe) / 0xffff;
    struct sb_recorded r = {0};
    snprintf(path, sizeof path, "%s/ip.trc", drive_scratch());
    write_stream(path, t, end);
    SB_ASSERT(sb_recorded_read_otp(&r, path, NULL, 1) && r.bytes == end);
    if (t->sound && r.complete)
        check_account(t, &r, end);
    read_stream(path, how);
    unlink(path);
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
    struct stream t = {.sound = true};
    size_t steps = size < HEAD ? 0 : data[HEAD - 1] % MOST_STEPS;
    if (size < HEAD + steps * STEP)
        return 0;
    take_frames(&t, data + HEAD + steps * STEP, size - HEAD - steps * STEP);
    sb_out_to_memory(&t.bytes);
    for (size_t i = 0; i < steps && t.frames.n > 0; i++)
        take_step(&t, data + HEAD + i * STEP);
    receive(&t, data);
    sb_out_abandon(&t.bytes);
    SB_VEC_FREE(&t.sent);
    SB_VEC_FREE(&t.frames);
    return 0;
}
