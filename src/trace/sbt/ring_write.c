#include "trace/sbt/ring_write.h"

#define SLOT(...)
#define EVENT(id, tag, class, ...) [SB_EV_##id] = SB_##class,
const uint8_t sb_event_class[SB_KINDS_MAX] = {
#include "trace/event.def"
};
#undef EVENT
#undef SLOT

void
sb_ring_writer_init(struct sb_ring_writer *w, struct sb_rings *rings, unsigned index, sb_lane lane,
                    uint64_t (*cpu_ns)(void))
{
    *w = (struct sb_ring_writer){.rings = rings,
                                 .ring = sb_rings_at(rings, index),
                                 .index = (uint16_t)index,
                                 .lane = lane,
                                 .gap_from_ns = SB_AT_UNKNOWN,
                                 .cpu_ns = cpu_ns};
    atomic_store_explicit(&w->ring->lane, lane, memory_order_relaxed);
    atomic_store_explicit(&w->ring->gap_from_ns, SB_AT_UNKNOWN, memory_order_relaxed);
}

static void
close_chunk(struct sb_ring_writer *w)
{
    if (w->chunk)
        w->chunk->last_ns = (int64_t)(w->tick << SB_WIRE_TICK_SHIFT);
    w->chunk = NULL;
    w->at = w->end = NULL;
}

static bool
has_room(struct sb_ring_writer *w, uint64_t head)
{
    if (head - w->tail >= w->ring->n_chunks)
        w->tail = atomic_load_explicit(&w->ring->tail, memory_order_acquire);
    return head - w->tail < w->ring->n_chunks;
}

bool
sb_ring_has_room(struct sb_ring_writer *w)
{
    return w->end - w->at >= SB_WIRE_RECORD_MAX ||
           has_room(w, atomic_load_explicit(&w->ring->head, memory_order_relaxed));
}

/* Whether chunk `head` has memory. A slot that was used once has. */
static bool
has_memory(struct sb_ring_writer *w, uint64_t head, int64_t now_ns)
{
    if (!w->reserve || head < w->reserved || head >= w->ring->n_chunks)
        return true;
    if (now_ns < w->retry_ns)
        return false;
    if (!w->reserve(w->ring->data_at + head * w->ring->chunk_bytes, w->ring->chunk_bytes)) {
        w->retry_ns = now_ns + SB_RESERVE_RETRY_NS;
        return false;
    }
    w->reserved = head + 1;
    return true;
}

bool
sb_ring_next_chunk(struct sb_ring_writer *w, int64_t now_ns)
{
    uint64_t head = atomic_load_explicit(&w->ring->head, memory_order_relaxed);
    bool stale = w->end - w->at >= SB_WIRE_RECORD_MAX; /* not full, but old */
    bool room = has_room(w, head) && has_memory(w, head, now_ns);
    if (stale && (!room || (w->published & UINT32_MAX) == 0)) {
        w->opened_ns = now_ns;
        return true;
    }
    close_chunk(w);
    if (!room)
        return false;
    struct sb_chunk *c = sb_ring_chunk(w->rings, w->ring, head);
    c->magic = SB_CHUNK_MAGIC;
    c->lane = w->lane;
    c->ring = w->index;
    c->number = head;
    c->first_ns = now_ns & ~(int64_t)((1 << SB_WIRE_TICK_SHIFT) - 1);
    c->last_ns = 0;
    c->cpu_ns = w->cpu_ns();
    c->gap_from_ns = w->gap_from_ns;
    memcpy(c->dropped, w->gap, sizeof c->dropped);
    atomic_store_explicit(&c->published, 0, memory_order_relaxed);
    atomic_store_explicit(&w->ring->gap_from_ns, SB_AT_UNKNOWN, memory_order_relaxed);
    atomic_store_explicit(&w->ring->head, head + 1, memory_order_release);
    w->chunk = c;
    w->at = (uint8_t *)(c + 1);
    w->end = (uint8_t *)c + w->ring->chunk_bytes;
    w->opened_ns = now_ns;
    w->tick = (uint64_t)now_ns >> SB_WIRE_TICK_SHIFT;
    w->published = 0;
    w->who = 0;
    w->gap_from_ns = SB_AT_UNKNOWN;
    memset(w->gap, 0, sizeof w->gap);
    memset(w->recent, 0, sizeof w->recent);
    return true;
}

void
sb_ring_drop(struct sb_ring_writer *w, unsigned kind_class, int64_t now_ns)
{
    if (w->gap_from_ns == SB_AT_UNKNOWN) {
        w->gap_from_ns = now_ns;
        atomic_store_explicit(&w->ring->gap_from_ns, now_ns, memory_order_relaxed);
    }
    w->gap[kind_class]++;
    uint64_t n = atomic_load_explicit(&w->ring->dropped[kind_class], memory_order_relaxed);
    atomic_store_explicit(&w->ring->dropped[kind_class], n + 1, memory_order_relaxed);
}
