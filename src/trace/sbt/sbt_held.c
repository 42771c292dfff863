#include "trace/sbt/sbt.h"

void
sb_sbt_hold(struct sb_sbt_held *h, const struct sb_sbt_block *b)
{
    while (h->ring.n <= b->ring)
        *SB_PUSH(&h->ring) = (struct sb_sbt_held_ring){0};
    struct sb_sbt_held_ring *r = &h->ring.at[b->ring];
    r->events = b->events + (b->again && r->next == b->number + 1 ? r->events : 0);
    r->next = b->number + 1;
}

uint64_t
sb_sbt_held_next(const struct sb_sbt_held *h, unsigned ring)
{
    return ring < h->ring.n ? h->ring.at[ring].next : 0;
}

uint32_t
sb_sbt_held_events(const struct sb_sbt_held *h, unsigned ring, uint64_t chunk)
{
    uint64_t next = sb_sbt_held_next(h, ring);
    return chunk >= next ? 0 : chunk + 1 == next ? h->ring.at[ring].events : UINT32_MAX;
}
