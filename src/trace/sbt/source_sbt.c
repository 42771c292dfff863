/* The format .sbt: opens a file by its trailer, or by its blocks where that is missing. */
#include "base/order.h"
#include "trace/sbt/sbt_read.h"
#include "trace/sbt/wire.h"
#include <sys/stat.h>

static bool probe(const uint8_t *head, size_t n, const char *path);
static void close_sbt(struct sb_source *s);
static bool open_sbt(struct sb_source *s, struct sb_err *e);
static bool next(struct sb_source *s, struct sb_block *out, struct sb_err *e);

const struct sb_source_format sb_format_sbt = {
    .name = "sbt",
    .doc = "strobe's own trace, written by strobe record",
    .probe = probe,
    .open = open_sbt,
    .next = next,
    .decode = sb_sbt_decode,
    .close = close_sbt,
    .grow = sb_sbt_grow,
};

static bool
probe(const uint8_t *head, size_t n, const char *path)
{
    (void)path;
    return n >= 8 && memcmp(head, SB_SBT_MAGIC, 8) == 0;
}

/* Adds the blocks that were recovered from the rings. */
static void
walk_left(struct sb_sbt_reader *r)
{
    struct sb_sbt_block b;
    for (uint64_t at = 0; at < r->left.n; at += sizeof b + sb_sbt_padded(b.stored)) {
        memcpy(&b, r->left.at + at, sizeof b);
        sb_sbt_take(r, &b, r->n + at);
    }
}

static struct sb_sbt_block
block_at(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b = {0};
    uint64_t room;
    const uint8_t *p = sb_sbt_at(r, at, &room);
    if (p && room >= sizeof b)
        memcpy(&b, p, sizeof b);
    return b;
}

/* Describes a block from its head. Releases the pages around it, since heads are scattered over the whole
 * file. */
static struct sb_block
described(const struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_block b = block_at(r, at);
    bool events = b.type == SB_SBT_EVENTS;
    struct sb_block block = {.at_byte = at,
                             .size = sizeof b + sb_sbt_padded(b.stored),
                             .first_ns = events ? b.first_ns : INT64_MIN,
                             .last_ns = !events                   ? INT64_MAX
                                        : b.last_ns < r->until_ns ? b.last_ns
                                                                  : r->until_ns,
                             .n_events = b.events};
    if (at < r->n)
        sb_source_done_with(r->source, &block);
    return block;
}

struct by_time {
    int64_t first_ns;
    uint64_t at;
};

SB_ORDER(compare, struct by_time, SB_UP(first_ns) ?: SB_UP(at))

static void
sort_places(struct sb_sbt_reader *r)
{
    struct by_time *t = sb_realloc_or_die(NULL, sizeof *t * (r->place.n + 1));
    for (size_t i = 0; i < r->place.n; i++) {
        struct sb_block block = described(r, r->place.at[i]);
        t[i] = (struct by_time){block.first_ns, block.at_byte};
    }
    qsort(t, r->place.n, sizeof *t, compare);
    for (size_t i = 0; i < r->place.n; i++)
        r->place.at[i] = t[i].at;
    free(t);
}

/* Reads totals and offsets from the trailer. Returns false when the trailer does not fit the file: walk it
 * instead. */
static bool
use_trailer(struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_trailer t;
    uint8_t *p = sb_sbt_read_totals(r, at, &t);
    if (!p)
        return false;
    const uint8_t *place = p + sizeof t + t.n_gaps * sizeof(struct sb_sbt_gap);
    bool ok = sb_sbt_load(r, sizeof(struct sb_sbt_head));
    for (uint64_t i = 0; ok && i < t.n_dict; i++)
        ok = sb_sbt_load(r, sb_get_le64(place + 8 * (t.n_blocks + i)));
    for (uint64_t i = 0; i < t.n_blocks; i++)
        *SB_PUSH(&r->place) = sb_get_le64(place + 8 * i);
    if (t.n_gaps)
        *SB_PUSH(&r->place) = at;
    r->source->info.node_cpu_ns = sb_sbt_node_cost_ns(r, &t);
    free(p);
    return true;
}

/* ---- the format */

static void
close_sbt(struct sb_source *s)
{
    struct sb_sbt_reader *r = s->state;
    if (!r)
        return;
    SB_VEC_FREE(&r->atom);
    SB_VEC_FREE(&r->mfa);
    SB_VEC_FREE(&r->node);
    SB_VEC_FREE(&r->place);
    SB_VEC_FREE(&r->left);
    SB_VEC_FREE(&r->held.ring);
    SB_VEC_FREE(&r->growing.waiting);
    free(r);
    s->state = NULL;
}

/* Reads a file without a trailer: it grows, or its drain was killed. One that has just been completed is longer
 * now. */
static void
read_unfinished(struct sb_sbt_reader *r, struct sb_sbt_head *head)
{
    struct stat st;
    head->rings[sizeof head->rings - 1] = 0;
    int fd = r->source->file[0].map.fd;
    r->written = sb_sbt_is_written(fd, head->rings) || (fstat(fd, &st) == 0 && (uint64_t)st.st_size > r->n);
    sb_sbt_walk(r);
    if (r->written) {
        if (r->source->options.known_only)
            sb_sbt_read_known(r);
        else
            sb_source_note(r->source, SB_SOURCE_UNFINISHED, SB_STR("the trace is still being written"));
        return;
    }
    sb_sbt_join_rings(r, head->rings);
    walk_left(r);
    if (!r->has_rings && r->source->info.damages == 0)
        sb_source_damaged(
            r->source, 0, r->n, 0,
            "its end is missing, and its rings are gone: what was recorded last is lost, unknown how much");
}

static bool
open_sbt(struct sb_source *s, struct sb_err *e)
{
    struct sb_sbt_head head;
    struct sb_sbt_reader *r =
        SB_HEAP(struct sb_sbt_reader, .source = s, .p = s->file[0].map.p, .n = s->file[0].map.n,
                .until_ns = INT64_MAX, .walked = sizeof head, .dict_ok = true, .written = s->options.grows,
                .growing.latest_ns = INT64_MIN);
    s->state = r;
    if (s->n_files != 1) {
        sb_err_set(e, SB_ERR_USAGE, "a trace of strobe is one file");
        return sb_err_in(e, s->file[1].path, SB_NO_BYTE);
    }
    if (r->n < sizeof head) {
        sb_err_set(e, SB_ERR_INPUT, "the file ends within its head");
        return sb_err_in(e, s->file[0].path, r->n);
    }
    memcpy(&head, r->p, sizeof head);
    if (head.version != 1 || head.tick_shift != SB_WIRE_TICK_SHIFT) {
        sb_err_set(e, SB_ERR_INPUT, "is version %u of the format, and this strobe reads version 1",
                   head.version);
        return sb_err_in(e, s->file[0].path, 8);
    }
    *SB_PUSH(&r->atom) = *SB_PUSH(&r->mfa) = *SB_PUSH(&r->node) = 0;
    s->info.os_pid = head.os_pid;
    s->info.clock.wall_ns =
        /* wraps when the head is damaged */
        (int64_t)((uint64_t)head.wall_ns - (uint64_t)head.start_ns);
    if (s->options.grows) {
        sb_sbt_grow(s, &(struct sb_source_growth){0});
        return true;
    }
    if (!use_trailer(r, sb_sbt_find_trailer(r->p, r->n)))
        read_unfinished(r, &head);
    sb_sbt_number_nodes(r);
    sort_places(r);
    return true;
}

static bool
next(struct sb_source *s, struct sb_block *out, struct sb_err *e)
{
    (void)e;
    struct sb_sbt_reader *r = s->state;
    if (r->next >= r->place.n)
        return false;
    *out = described(r, r->place.at[r->next]);
    out->seq = r->next++;
    return true;
}
