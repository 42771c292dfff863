/* Opens and closes the windows of a node, by the way that reaches its rings. */
#include "live/watch/windows.h"

bool
sb_windows_open(struct sb_windows *w, const struct sb_attached *of, struct sb_tally *tally, struct sb_err *e)
{
    int64_t from_ns = 0;
    w->tally = tally;
    w->node = of->node;
    w->way = !of->node ? &sb_windows_beside : of->rings ? &sb_windows_rings : &sb_windows_pieces;
    if (!w->way->open(w, of, &from_ns, e)) {
        sb_windows_close(w);
        return false;
    }
    w->n_held = sb_ring_reader_rings(w->reader);
    w->held = sb_zeroed_or_die(w->n_held, sizeof *w->held);
    sb_tally_init(tally, sb_ring_reader_names(w->reader), from_ns);
    return true;
}

void
sb_windows_close(struct sb_windows *w)
{
    for (unsigned i = 0; w->held && i < w->n_held; i++)
        SB_VEC_FREE(&w->held[i]);
    if (w->held)
        sb_tally_close(w->tally);
    free(w->held);
    w->held = NULL;
    if (w->reader)
        sb_ring_reader_close(w->reader);
    w->reader = NULL;
    if (w->state)
        w->way->close(w);
}
