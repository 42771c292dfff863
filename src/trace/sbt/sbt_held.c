#include "trace/sbt/sbt.h"

void
sb_sbt_hold(struct sb_sbt_held *h, const struct sb_sbt_block *b)
{
    SB_REACH(&h->ring, b->ring);
    struct sb_sbt_held_ring *r = &h->ring.at[b->ring];
    r->events = b->events + (b->again && r->next == b->number + 1 ? r->events : 0);
    r->next = b->number + 1;
}

uint64_t
sb_sbt_held_next(const struct sb_sbt_held *h, unsigned ring)
{
    return ring < h->ring.n ? h->ring.at[ring].next : 0;
}

bool
sb_sbt_held_lacks(const struct sb_sbt_held *h, const struct sb_chunk *c, int64_t end_ns,
                  struct sb_sbt_block *b)
{
    uint64_t published = atomic_load(&c->published), next = sb_sbt_held_next(h, c->ring);
    uint32_t events = (uint32_t)(published >> 32);
    bool again = c->number < next, gap = !again && c->gap_from_ns != SB_AT_UNKNOWN;
    uint32_t had = !again ? 0 : c->number + 1 == next ? h->ring.at[c->ring].events : UINT32_MAX;
    *b = (struct sb_sbt_block){.type = SB_SBT_EVENTS,
                               .lane = c->lane,
                               .ring = c->ring,
                               .number = c->number,
                               .raw = (uint32_t)SB_CHUNK_PREFIX + (uint32_t)published,
                               .events = events - had,
                               .again = again,
                               .first_ns = gap ? c->gap_from_ns : c->first_ns,
                               .last_ns = end_ns};
    return events > had || gap;
}
