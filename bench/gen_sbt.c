/*
 * Records as strobe's own recorder and drain write them: the same ring writer, a ring a scheduler, and each
 * chunk that it fills goes to the file as a block. system_profile's records are not among them.
 */
#include "gen.h"
#include "base/vec.h"
#include "trace/kind.h"
#include "trace/sbt/ring_write.h"
#include "trace/sbt/sbt.h"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CHUNK = 128 << 10, CHUNKS = 2 };

struct sbt {
    struct sb_rings *rings;
    struct sb_ring_writer *writer; /* one a scheduler */
    uint32_t schedulers, last;     /* of the last record */
    struct sb_sbt_writer *out;
    uint32_t functions; /* to be stated; 0: they are */
    struct sb_err e;    /* the first thing that failed; then nothing more is written */
};

static uint64_t
no_cpu_time(void)
{
    return 0;
}

/* ---- names */

struct names {
    SB_VEC(uint8_t) at;
};

static void
add_name(struct names *d, struct sb_dict_entry head, const char *text, size_t n)
{
    head.n = (uint16_t)n;
    size_t all = sb_dict_entry_bytes(head.n);
    SB_RESERVE(&d->at, all);
    uint8_t *p = d->at.at + d->at.n;
    memset(p, 0, all);
    memcpy(p, &head, sizeof head);
    if (n > 0)
        memcpy(p + sizeof head, text, n);
    d->at.n += all;
}

static void
add_note(struct names *d, const char *key, const char *value)
{
    char text[64];
    int n = snprintf(text, sizeof text, "%s%c%s", key, 0, value);
    add_name(d, (struct sb_dict_entry){.kind = SB_DICT_NOTE}, text, (size_t)n);
}

/* ---- rings: pages of heads, then the chunks */

static bool
open_rings(struct sbt *w, uint32_t schedulers)
{
    size_t heads = SB_RING_PAGE * (1u + schedulers), each = (size_t)CHUNK * CHUNKS;
    w->rings = aligned_alloc(SB_RING_PAGE, heads + each * schedulers);
    w->writer = calloc(schedulers, sizeof *w->writer);
    if (!w->rings || !w->writer)
        return false;
    memset(w->rings, 0, heads);
    for (uint32_t i = 0; i < schedulers; i++) {
        struct sb_ring *ring = sb_rings_at(w->rings, i);
        *ring = (struct sb_ring){.data_at = heads + each * i, .chunk_bytes = CHUNK, .n_chunks = CHUNKS};
        sb_ring_writer_init(&w->writer[i], w->rings, i, sb_lane_make(SB_LANE_NORMAL, i + 1), no_cpu_time);
    }
    w->schedulers = schedulers;
    return true;
}

/* The first block has stated which functions wait. */
static void
put_stated(struct sbt *w)
{
    struct names d = {0};
    add_name(&d, (struct sb_dict_entry){.kind = SB_DICT_STATED, .a = w->functions}, NULL, 0);
    struct sb_sbt_block b = {
        .type = SB_SBT_DICT, .raw = (uint32_t)d.at.n, .number = sb_sbt_dict_written(w->out) - d.at.n};
    if (w->functions > 0)
        sb_sbt_put(w->out, &b, d.at.at, &w->e);
    w->functions = 0;
    SB_VEC_FREE(&d.at);
}

static void
put_block(struct sbt *w, struct sb_ring *ring, const struct sb_chunk *c, int64_t last_ns)
{
    uint64_t published = atomic_load(&c->published);
    bool gap = c->gap_from_ns != SB_AT_UNKNOWN;
    struct sb_sbt_block b = {.type = SB_SBT_EVENTS,
                             .lane = c->lane,
                             .ring = c->ring,
                             .number = c->number,
                             .raw = (uint32_t)SB_CHUNK_PREFIX + (uint32_t)published,
                             .events = (uint32_t)(published >> 32),
                             .first_ns = gap ? c->gap_from_ns : c->first_ns,
                             .last_ns = c->last_ns ? c->last_ns : last_ns};
    if (b.events > 0 && w->e.code == SB_OK && sb_sbt_put(w->out, &b, &c->first_ns, &w->e))
        put_stated(w);
    atomic_store(&ring->tail, c->number + 1);
}

/* Chunks before `end`. */
static void
drain(struct sbt *w, uint32_t i, uint64_t end, int64_t last_ns)
{
    struct sb_ring *ring = sb_rings_at(w->rings, i);
    for (uint64_t n = atomic_load(&ring->tail); n < end; n++)
        put_block(w, ring, sb_ring_chunk(w->rings, ring, n), last_ns);
}

/* ---- the dictionary */

/* Atoms are the modules, then the functions; the function of index i is MFA i + 1. */
static void
put_names(struct sbt *w, const struct gen_facts *facts)
{
    static const char *const recorded[] = {"procs", "running", "messages", "gc"};
    struct names d = {0};
    char text[24];
    for (uint32_t i = 0; i < facts->modules + facts->functions; i++) {
        bool module = i < facts->modules;
        int n = snprintf(text, sizeof text, module ? "module_%u" : "function_%u",
                         module ? i : i - facts->modules);
        add_name(&d, (struct sb_dict_entry){.kind = SB_DICT_ATOM}, text, (size_t)n);
    }
    for (uint32_t i = 0; i < facts->modules * facts->functions; i++)
        add_name(&d,
                 (struct sb_dict_entry){.kind = SB_DICT_MFA,
                                        .arity = (uint8_t)(i % 5),
                                        .a = 1 + i / facts->functions,
                                        .b = 1 + facts->modules + i % facts->functions},
                 NULL, 0);
    snprintf(text, sizeof text, "%u", facts->schedulers);
    add_note(&d, "schedulers", text);
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
        add_note(&d, "recorded", recorded[i]);
    if (facts->calls)
        add_note(&d, "recorded", "calls");
    sb_sbt_put(w->out, &(struct sb_sbt_block){.type = SB_SBT_DICT, .raw = (uint32_t)d.at.n}, d.at.at, &w->e);
    SB_VEC_FREE(&d.at);
    w->functions = facts->modules * facts->functions;
}

/* ---- events */

static const struct {
    uint8_t kind; /* 0: not recorded */
} shapes[] = {
    [GEN_SEND] = {SB_EV_send},
    [GEN_RECEIVE] = {SB_EV_receive},
    [GEN_IN] = {SB_EV_in},
    [GEN_OUT] = {SB_EV_out},
    [GEN_GC_MINOR_START] = {SB_EV_gc_minor_start},
    [GEN_GC_MINOR_END] = {SB_EV_gc_minor_end},
    [GEN_GC_MAJOR_START] = {SB_EV_gc_major_start},
    [GEN_GC_MAJOR_END] = {SB_EV_gc_major_end},
    [GEN_SPAWN] = {SB_EV_spawn},
    [GEN_SPAWNED] = {SB_EV_spawned},
    [GEN_EXIT] = {SB_EV_exit},
    [GEN_CALL] = {SB_EV_call},
    [GEN_RETURN_TO] = {SB_EV_return_to},
};

static struct sb_event
event_of(const struct gen_record *r)
{
    struct sb_event ev = sb_event_of(shapes[r->kind].kind);
    ev.at_ns = r->at_ns;
    ev.who = r->who;
    if (sb_kinds[ev.kind].class != SB_GC)
        ev.peer = r->peer;
    switch (r->kind) {
    case GEN_SEND:
        ev.send.words = r->payload / 8 + 6;
        /* fall through */
    case GEN_RECEIVE:
        ev.message.hash = (uint16_t)(r->seq * 40503u) | 1u;
        break;
    case GEN_EXIT:
        break;
    default:
        if (sb_kinds[ev.kind].class == SB_GC)
            ev.gc.heap = r->heap;
        else
            ev.running.mfa = r->function + 1; /* in the same place for all the others */
    }
    return ev;
}

static uint8_t *
put_slot(uint8_t *p, struct sb_ring_writer *to, const struct sb_slot *slot, const struct sb_event *ev)
{
    uint64_t v = sb_slot_get(slot, ev);
    switch (slot->type) {
    case SB_SLOT_PID:
        return sb_wire_put_actor(p, to->recent, v);
    case SB_SLOT_U:
        return sb_varint_put(p, v == SB_UNKNOWN ? 0 : v + 1);
    case SB_SLOT_HEX:
        *p++ = (uint8_t)v;
        *p++ = (uint8_t)(v >> 8);
        return p;
    case SB_SLOT_TEXT:
        *p++ = 6;
        memcpy(p, "normal", 6);
        return p + 6;
    default:
        return sb_varint_put(p, v);
    }
}

static void
put_event(struct sbt *w, const struct sb_event *ev)
{
    struct sb_ring_writer *to = &w->writer[w->last];
    const struct sb_kind *k = &sb_kinds[ev->kind];
    uint8_t *p = sb_ring_begin(to, ev->kind, ev->who, ev->at_ns, 0);
    SB_ASSERT(p); /* a chunk is always free: full ones are taken at once */
    for (unsigned i = 0; i < k->n_slots; i++)
        if (!k->slot[i].otp_only)
            p = put_slot(p, to, &k->slot[i], ev);
    sb_ring_end(to, ev->kind, p);
    drain(w, w->last, to->chunk->number, 0);
}

static bool
write_sbt(void *to, const struct gen_record *r)
{
    struct sbt *w = to;
    if (shapes[r->kind].kind == 0)
        return false;
    w->last = r->scheduler ? r->scheduler - 1 : w->last;
    struct sb_event ev = event_of(r);
    put_event(w, &ev);
    return true;
}

static void
lose_sbt(void *to, const struct gen_record *r)
{
    struct sbt *w = to;
    if (shapes[r->kind].kind != 0)
        sb_ring_drop(&w->writer[w->last], sb_kinds[shapes[r->kind].kind].class, r->at_ns);
}

/* ---- the file */

static void *
open_sbt(const char *path, const struct gen_facts *facts, struct sb_err *e)
{
    struct sbt *w = calloc(1, sizeof *w);
    struct sb_sbt_head head = {.magic = SB_SBT_MAGIC,
                               .version = 1,
                               .head_bytes = sizeof head,
                               .start_ns = facts->at_ns,
                               .wall_ns = facts->at_ns,
                               .os_pid = 1,
                               .tick_shift = SB_WIRE_TICK_SHIFT};
    SB_ASSERT(w && open_rings(w, facts->schedulers));
    unlink(path); /* else it would be continued */
    if (!sb_sbt_open(&w->out, path, &head, &(struct sb_sbt_options){.level = 1}, e))
        return NULL;
    put_names(w, facts);
    for (uint32_t i = 0; i < facts->modules * facts->functions; i++) {
        struct sb_event ev = sb_event_of(SB_EV_waits);
        ev.at_ns = facts->at_ns;
        ev.waits.mfa = i + 1;
        ev.waits.kind = 1;
        put_event(w, &ev);
    }
    return w;
}

static uint64_t
written_sbt(const void *to)
{
    return sb_sbt_bytes(((const struct sbt *)to)->out);
}

static bool
close_sbt(void *to, int64_t at_ns, struct sb_err *e)
{
    struct sbt *w = to;
    struct sb_sbt_trailer t = {.end_ns = at_ns};
    for (uint32_t i = 0; i < w->schedulers; i++) {
        struct sb_ring *ring = sb_rings_at(w->rings, i);
        drain(w, i, atomic_load(&ring->head), (int64_t)(w->writer[i].tick << SB_WIRE_TICK_SHIFT));
        for (unsigned k = 0; k < SB_KINDS_MAX; k++) {
            t.kinds[k] += ring->kinds[k];
            t.events += ring->kinds[k];
        }
        for (unsigned c = 0; c < SB_CLASSES; c++)
            t.dropped[c] += ring->dropped[c];
    }
    bool ok = w->e.code == SB_OK && sb_sbt_finish(w->out, &t, NULL, &w->e);
    *e = w->e;
    sb_sbt_close(w->out);
    free(w->rings);
    free(w->writer);
    free(w);
    return ok;
}

const struct gen_format gen_sbt = {"sbt", open_sbt, write_sbt, lose_sbt, written_sbt, close_sbt};
