#include "live/drain/copy.h"
#include "base/progress.h"

bool
sb_copy_open(struct sb_copy *c, const char *rings, struct sb_err *e)
{
    *c = (struct sb_copy){0};
    SB_TRY(sb_rings_open(&c->map, rings, e));
    c->copier = sb_ring_copier_open(&c->map.layout);
    return true;
}

void
sb_copy_close(struct sb_copy *c)
{
    if (!c->copier)
        return;
    sb_ring_copier_close(c->copier);
    sb_rings_close(&c->map);
    c->copier = NULL;
}

uint64_t
sb_copy_look(const struct sb_copy *c, int64_t *clock_ns)
{
    *clock_ns = sb_clock_ns();
    return sb_ring_copier_events(c->copier);
}

bool
sb_copy_take(struct sb_copy *c, int64_t *clock_ns, struct sb_ring_parts *to, struct sb_err *e)
{
    *clock_ns = sb_clock_ns();
    return sb_ring_copy(c->copier, to, e);
}
