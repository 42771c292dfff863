/*
 * The writing end of a ring: the private state of one thread of the node. Begin a record, put its slots, end
 * it:
 *
 *     uint8_t *p = sb_ring_begin(w, SB_EV_call, who, now_ns, 0);
 *     if (p)
 *         sb_ring_end(w, SB_EV_call, sb_varint_put(p, mfa));
 *
 * Writing never waits, allocates or fails: if the ring is full, a drop is counted in the event's class. The
 * functions are inline because they run for every event. One thread at a time per writer.
 */
#pragma once
#include "trace/sbt/ring.h"
#include "trace/sbt/wire.h"

#define SB_CHUNK_SPAN_NS 500000000 /* maximum age of an open chunk, so that readers can order chunks */
#define SB_RESERVE_RETRY_NS 10000000

struct sb_ring_writer {
    uint8_t *at, *end; /* free bytes of the open chunk; both NULL when no chunk is open */
    uint64_t tick;
    sb_actor who;
    uint64_t published;
    struct sb_chunk *chunk;
    struct sb_ring *ring;
    int64_t opened_ns; /* the last of what each record needs: one cache line */
    struct sb_rings *rings;
    uint64_t tail; /* the reader's tail, as last read */
    int64_t gap_from_ns;
    uint32_t gap[SB_CLASSES_MAX];
    uint16_t index;
    sb_lane lane;
    uint64_t (*cpu_ns)(void);
    /* Reserves memory at this place of the rings; NULL: all of it is reserved. The first `reserved` chunks are. After
     * a failure the writer tries again at retry_ns. */
    bool (*reserve)(uint64_t at, uint64_t bytes);
    uint64_t reserved;
    int64_t retry_ns;
    sb_actor recent[SB_WIRE_RECENT];
};

extern const uint8_t sb_event_class[SB_KINDS_MAX];

void sb_ring_writer_init(struct sb_ring_writer *w, struct sb_rings *rings, unsigned index, sb_lane lane,
                         uint64_t (*cpu_ns)(void));
bool sb_ring_next_chunk(struct sb_ring_writer *w, int64_t now_ns); /* false: the ring is full */
bool sb_ring_has_room(struct sb_ring_writer *w); /* for a record that is better kept for later than dropped */
void sb_ring_drop(struct sb_ring_writer *w, unsigned kind_class, int64_t now_ns);

static inline __attribute__((always_inline)) uint8_t *
sb_ring_begin(struct sb_ring_writer *w, unsigned kind, sb_actor who, int64_t now_ns, unsigned flags)
{
    if (__builtin_expect(w->end - w->at < SB_WIRE_RECORD_MAX || now_ns - w->opened_ns > SB_CHUNK_SPAN_NS,
                         0) &&
        !sb_ring_next_chunk(w, now_ns)) {
        sb_ring_drop(w, sb_event_class[kind], now_ns);
        return NULL;
    }
    uint64_t tick = (uint64_t)now_ns >> SB_WIRE_TICK_SHIFT;
    bool same = who == w->who;
    uint8_t *p = w->at;
    *p++ = (uint8_t)(kind | (same ? SB_WIRE_SAME : 0u) | (flags ? SB_WIRE_FLAGS : 0u));
    p = sb_varint_put(p, tick - w->tick);
    w->tick = tick;
    if (!same)
        p = sb_wire_put_actor(p, w->recent, w->who = who);
    if (flags)
        *p++ = (uint8_t)flags;
    return p;
}

static inline void
sb_ring_end(struct sb_ring_writer *w, unsigned kind, uint8_t *p)
{
    w->published += (1ull << 32) + (uint64_t)(p - w->at);
    w->at = p;
    w->ring->kinds[kind]++;
    atomic_store_explicit(&w->chunk->published, w->published, memory_order_release);
}
