#include "live/drain/drain_totals.h"
#include "base/progress.h"

static void
add_gaps(struct sb_sbt_gap *gaps, uint32_t *n, const _Atomic uint64_t *dropped, const uint64_t *reported,
         struct sb_sbt_gap gap)
{
    for (unsigned c = 0; c < SB_CLASSES_MAX && *n < SB_TOTALS_GAPS; c++) {
        uint64_t lost = atomic_load(&dropped[c]) - (reported ? reported[c] : 0);
        gap.class_ = (uint16_t)c;
        gap.events = lost;
        if (lost)
            gaps[(*n)++] = gap;
    }
}

void
sb_totals_sum(const struct sb_layout *l, struct sb_sbt_trailer *t, struct sb_sbt_gap gaps[SB_TOTALS_GAPS])
{
    t->end_ns = sb_clock_ns();
    t->stop = atomic_load(&l->rings->stop);
    for (unsigned i = 0; i < l->n_rings; i++) {
        const struct sb_ring *r = sb_layout_ring(l, i);
        for (unsigned k = 0; k < SB_KINDS_MAX; k++)
            t->kinds[k] += r->kinds[k];
        for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
            t->dropped[c] += atomic_load(&r->dropped[c]);
        int64_t from = atomic_load(&r->gap_from_ns);
        add_gaps(gaps, &t->n_gaps, r->dropped, r->reported,
                 (struct sb_sbt_gap){.from_ns = from == SB_AT_UNKNOWN ? t->end_ns : from,
                                     .ring = i,
                                     .lane = atomic_load(&r->lane)});
    }
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
        t->dropped[c] += atomic_load(&l->rings->dropped[c]);
    add_gaps(gaps, &t->n_gaps, l->rings->dropped, NULL,
             (struct sb_sbt_gap){.from_ns = l->start_ns, .ring = UINT32_MAX, .lane = SB_LANE_NONE});
    for (unsigned k = 0; k < SB_KINDS_MAX; k++)
        t->events += t->kinds[k];
}

uint64_t
sb_totals_events(const struct sb_layout *l)
{
    uint64_t n = 0;
    for (unsigned i = 0; i < l->n_rings; i++)
        for (unsigned k = 0; k < SB_KINDS_MAX; k++)
            n += sb_layout_ring(l, i)->kinds[k];
    return n;
}

uint64_t
sb_totals_lost(const struct sb_sbt_trailer *t)
{
    uint64_t lost = 0;
    for (unsigned c = 0; c < SB_CLASSES_MAX; c++)
        lost += t->dropped[c];
    return lost;
}
