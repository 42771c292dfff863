#include "trace/sbt/ring.h"

enum { RINGS_MAX = 8192 };

static bool
ring_makes_sense(const struct sb_rings *r, const struct sb_ring *ring)
{
    uint64_t end = r->total_bytes, bytes = (uint64_t)ring->n_chunks * ring->chunk_bytes;
    return ring->n_chunks >= 2 && ring->chunk_bytes >= SB_RING_PAGE && ring->chunk_bytes % 64 == 0 &&
           ring->data_at % 64 == 0 && ring->data_at <= end && bytes <= end - ring->data_at;
}

bool
sb_rings_make_sense(struct sb_rings *r, uint64_t file_bytes)
{
    if (r->version != 1 || r->event_kinds != SB_EVENT_KINDS || r->total_bytes != file_bytes ||
        r->n_rings == 0 || r->n_rings > RINGS_MAX || SB_RING_PAGE * (1ull + r->n_rings) > file_bytes ||
        r->dict_at % 8 || r->dict_at > file_bytes || r->dict_bytes > file_bytes - r->dict_at)
        return false;
    for (unsigned i = 0; i < r->n_rings; i++)
        if (!ring_makes_sense(r, sb_rings_at(r, i)))
            return false;
    return true;
}
