/* Reads a trace while a drain is writing it: each call takes the blocks that were added. */
#include "trace/sbt/sbt_read.h"

static bool
is_due(const struct sb_sbt_reader *r, const struct sb_sbt_unstated *w)
{
    const int64_t patience_ns = SB_SBT_PATIENCE_S * INT64_C(1000000000);
    const struct sb_sbt_growing *g = &r->growing;
    bool old = g->latest_ns > INT64_MIN + patience_ns && w->first_ns < g->latest_ns - patience_ns;
    return w->functions <= g->stated || old || r->has_trailer;
}

/* Gives out the blocks that are due. Returns the first stamp of the others; INT64_MAX: there are none. */
static int64_t
give_out(struct sb_sbt_reader *r)
{
    struct sb_sbt_growing *g = &r->growing;
    int64_t first = INT64_MAX;
    size_t n = 0;
    for (size_t i = 0; i < g->waiting.n; i++) {
        struct sb_sbt_unstated w = g->waiting.at[i];
        if (!is_due(r, &w)) {
            first = w.first_ns < first ? w.first_ns : first;
            g->waiting.at[n++] = w;
            continue;
        }
        *SB_PUSH(&r->place) = w.at;
        g->given = w.functions > g->given ? w.functions : g->given;
    }
    g->waiting.n = n;
    return first;
}

static void
take_trailer(struct sb_sbt_reader *r, uint64_t at)
{
    struct sb_sbt_trailer t;
    uint8_t *p = sb_sbt_read_totals(r, at, &t);
    r->growing.broken = !p || t.n_blocks != r->place.n + r->growing.waiting.n;
    if (!p)
        return;
    if (t.n_gaps)
        *SB_PUSH(&r->growing.waiting) = (struct sb_sbt_unstated){.at = at};
    r->source->info.node_cpu_ns = sb_sbt_node_cost_ns(r, &t);
    free(p);
}

void
sb_sbt_grow(struct sb_source *s, struct sb_source_growth *g)
{
    struct sb_sbt_reader *r = s->state;
    r->p = s->file[0].map.p;
    r->n = s->file[0].map.n;
    sb_sbt_walk(r);
    sb_sbt_number_nodes(r);
    uint64_t trailer = r->has_trailer ? 0 : sb_sbt_find_trailer(r->p, r->n);
    if (trailer && trailer < r->walked)
        take_trailer(r, trailer);
    int64_t unstated = give_out(r), late = r->growing.latest_ns;
    late = late > INT64_MIN + SB_SBT_LATE_NS ? late - SB_SBT_LATE_NS : INT64_MIN;
    *g = (struct sb_source_growth){.has_begun = r->place.n > 0,
                                   .whole = r->has_trailer,
                                   .misled = r->growing.misled,
                                   .broken = r->growing.broken || s->info.damages > 0,
                                   .known_ns = r->has_trailer    ? INT64_MAX
                                               : unstated < late ? unstated
                                                                 : late,
                                   .taken = r->walked};
}
