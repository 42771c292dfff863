/*
 * A valid .sbt trace with some bytes changed and all checksums recomputed, or any bytes after a head. With or
 * without its trailer, so that both ways of finding blocks are tested.
 *
 *     input: a byte (1: any bytes follow, 2: the trailer is cut off, the rest: which command),
 *            then changes of three bytes each: place (16 bit, modulo the size), value
 */
#include "../forge/drive.h"
#include "base/hash.h"
#include "base/vec.h"
#include "trace/sbt/ring_write.h"
#include "trace/sbt/sbt.h"
#include "trace/source.h"
#include "trace/text.h"
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

enum { ANY_BYTES = 1, NO_TRAILER = 2 };

static struct good {
    uint8_t *p;
    size_t n;
    SB_VEC(size_t) blocks;
    int fd;
    char path[64];
} good;

/* ---- the good one */

static size_t
put_entry(uint8_t *p, struct sb_dict_entry e, const char *text)
{
    e.n = (uint16_t)strlen(text);
    memset(p, 0, sb_dict_entry_bytes(e.n));
    memcpy(p, &e, sizeof e);
    memcpy(p + sizeof e, text, e.n);
    return sb_dict_entry_bytes(e.n);
}

static void
put_dictionary(struct sb_sbt_writer *w)
{
    static const char *const atoms[] = {"shop", "main", "till", "shop@host", "run_queue"};
    _Alignas(8) uint8_t dict[1024];
    size_t n = 0;
    struct sb_err e;
    for (size_t i = 0; i < sizeof atoms / sizeof *atoms; i++)
        n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, atoms[i]);
    n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_MFA, .arity = 1, .a = 1, .b = 2}, "");
    n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_FUN, .a = 1, .b = 0}, "");
    n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_FUN_NAME, .arity = 2, .a = 2, .b = 1},
                   "-f/1-");
    n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_NODE, .a = 4, .b = 7}, "");
    n += put_entry(dict + n, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, "recorded");
    struct sb_sbt_block b = {.type = SB_SBT_DICT, .raw = (uint32_t)n};
    SB_ASSERT(sb_sbt_put(w, &b, dict, &e));
}

/* A record of every kind, as the ring writer begins them, with small numbers for slots. */
static void
put_events(struct sb_sbt_writer *w)
{
    struct {
        struct sb_sbt_prefix prefix;
        uint8_t records[4096];
    } raw = {.prefix = {.base_ns = 1000, .gap_from_ns = 900, .dropped = {[SB_CALLS] = 3}}};
    sb_actor recent[SB_WIRE_RECENT] = {0}, who = sb_actor_make(SB_PID, 0, 0, 85);
    uint8_t *p = raw.records;
    struct sb_err e;
    uint32_t events = 0;
    for (unsigned kind = 1; kind < SB_EVENT_KINDS; kind++, events++) {
        *p++ = (uint8_t)kind;
        *p++ = 3; /* ticks */
        p = sb_wire_put_actor(p, recent, who);
        for (unsigned slot = 0; slot < 7; slot++) /* a record that wants fewer takes the rest for others */
            *p++ = 1;
    }
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = sb_lane_make(SB_LANE_NORMAL, 1),
                             .raw = (uint32_t)(p - (uint8_t *)&raw),
                             .events = events,
                             .first_ns = 900,
                             .last_ns = 5000};
    SB_ASSERT(sb_sbt_put(w, &b, &raw, &e));
}

static void
find_blocks(void)
{
    struct sb_sbt_block b;
    for (size_t at = sizeof(struct sb_sbt_head); at + sizeof b <= good.n - sizeof(struct sb_sbt_end);
         at += sizeof b + sb_sbt_padded(b.stored)) {
        memcpy(&b, good.p + at, sizeof b);
        *SB_PUSH(&good.blocks) = at;
    }
}

static void
make_good(void)
{
    struct sb_err e;
    struct sb_sbt_writer *w;
    struct sb_sbt_head head = {.magic = SB_SBT_MAGIC,
                               .version = 1,
                               .head_bytes = sizeof head,
                               .start_ns = 900,
                               .tick_shift = SB_WIRE_TICK_SHIFT};
    struct sb_sbt_trailer t = {.end_ns = 6000, .n_gaps = 1};
    struct sb_sbt_gap gap = {.from_ns = 5000, .class_ = SB_GC, .events = 4};
    char path[300];
    snprintf(path, sizeof path, "%s/good.sbt", drive_scratch());
    SB_ASSERT(sb_sbt_open(&w, path, &head, &(struct sb_sbt_options){.level = 0}, &e));
    put_dictionary(w);
    put_events(w);
    SB_ASSERT(sb_sbt_finish(w, &t, &gap, &e));
    sb_sbt_close(w);
    struct sb_file f;
    SB_ASSERT(sb_file_open(&f, path, &e));
    good.n = f.n;
    good.p = sb_realloc_or_die(NULL, f.n);
    memcpy(good.p, f.p, f.n);
    sb_file_close(&f);
    unlink(path);
    find_blocks();
    good.fd = memfd_create("trace", 0);
    snprintf(good.path, sizeof good.path, "/proc/self/fd/%d", good.fd);
}

/* ---- what a careful liar makes of it */

static void
make_right(uint8_t *p, size_t n)
{
    struct sb_sbt_block b;
    for (size_t i = 0; i < good.blocks.n; i++) {
        size_t at = good.blocks.at[i];
        if (at + sizeof b > n)
            continue;
        memcpy(&b, p + at, sizeof b);
        b.magic = SB_SBT_BLOCK;
        b.sum = SB_SBT_XXH3;
        if (b.stored <= n - at - sizeof b)
            b.check = sb_hash(p + at + sizeof b, b.stored);
        b.head_check = sb_hash(&b, offsetof(struct sb_sbt_block, head_check));
        memcpy(p + at, &b, sizeof b);
    }
    memset(p + offsetof(struct sb_sbt_head, rings), 0, sizeof((struct sb_sbt_head *)0)->rings);
}

static void
write_changed(const uint8_t *data, size_t size)
{
    size_t n = good.n - (data[0] & NO_TRAILER ? sizeof(struct sb_sbt_end) : 0);
    uint8_t *p = sb_realloc_or_die(NULL, n);
    memcpy(p, good.p, n);
    for (size_t i = 1; i + 3 <= size; i += 3)
        p[(data[i] | (size_t)data[i + 1] << 8) % n] = data[i + 2];
    make_right(p, n);
    SB_ASSERT(pwrite(good.fd, p, n, 0) == (ssize_t)n);
    free(p);
}

static void
write_any(const uint8_t *data, size_t size)
{
    size_t head = offsetof(struct sb_sbt_head, rings);
    uint8_t rings[sizeof(struct sb_sbt_head)] = {0};
    SB_ASSERT(pwrite(good.fd, good.p, head, 0) == (ssize_t)head);
    SB_ASSERT(pwrite(good.fd, rings, sizeof rings - head, (off_t)head) == (ssize_t)(sizeof rings - head));
    SB_ASSERT(pwrite(good.fd, data + 1, size - 1, sizeof rings) == (ssize_t)(size - 1));
}

static void
read_all(struct sb_source *s)
{
    struct sb_events events = {0};
    struct sb_out out;
    sb_out_to_memory(&out);
    for (struct sb_block b; sb_source_next(s, &b, NULL);)
        sb_source_decode(s, &b, &events);
    for (size_t i = 0; i < events.n && out.n < 1 << 20; i++)
        sb_text_write(&out, sb_source_names(s), &events.at[i]);
    sb_out_abandon(&out);
    SB_VEC_FREE(&events);
}

/* What is made of it: looked at, or analysed, and the profile looked at. */
static void
use(unsigned how)
{
    char out[300];
    snprintf(out, sizeof out, "%s/trace.sbp", drive_scratch());
    if (how % 4 == 0)
        DRIVE("info", good.path, "--format", how / 4 % 2 ? "json" : "text");
    else if (how % 4 == 1)
        DRIVE("dump", good.path, how / 4 % 2 ? "--since=1us" : "--until=1s");
    else {
        DRIVE("analyze", good.path, "-o", out, "--threads", "1");
        drive(out, (const uint8_t[DRIVE_BYTES]){(uint8_t)(how * 37), (uint8_t)how, 1, 0});
        unlink(out);
    }
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    make_good();
    drive_quietly();
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    SB_ASSERT(ftruncate(good.fd, 0) == 0);
    if (data[0] & ANY_BYTES)
        write_any(data, size);
    else
        write_changed(data, size);
    const char *paths[] = {good.path};
    struct sb_source *s;
    struct sb_source_options options = {0};
    struct sb_err e = {0};
    if (sb_source_open(&s, paths, 1, &options, &e)) {
        read_all(s);
        sb_source_close(s);
    } else
        SB_ASSERT(e.code != SB_OK && e.what[0]);
    use(data[0] >> 2);
    return 0;
}
