/* What the ways share: events up to the end of a window go into the tally, later ones are held for the next. */
#include "live/watch/windows.h"

/* Adds the events before `to_ns` of a batch, and holds the others back. Returns false at the first of these. */
static bool
add_events(struct sb_windows *w, unsigned ring, const struct sb_event *ev, size_t n, int64_t to_ns)
{
    size_t i = 0;
    for (; i < n && ev[i].at_ns < to_ns; i++)
        sb_tally_add(w->tally, ring, &ev[i]);
    for (size_t k = i; k < n; k++)
        *SB_PUSH(&w->held[ring]) = ev[k];
    return i == n;
}

static bool
add_held(struct sb_windows *w, unsigned ring, int64_t to_ns)
{
    struct sb_events *held = &w->held[ring], all = *held;
    *held = (struct sb_events){0};
    bool more = add_events(w, ring, all.at, all.n, to_ns);
    SB_VEC_FREE(&all);
    return more;
}

static bool
read_ring(struct sb_windows *w, unsigned ring, int64_t to_ns, struct sb_err *e)
{
    const struct sb_event *ev;
    size_t n;
    bool more = add_held(w, ring, to_ns);
    while (more) {
        SB_TRY(sb_ring_reader_next(w->reader, ring, &ev, &n, e));
        if (n == 0)
            return true;
        more = add_events(w, ring, ev, n, to_ns);
    }
    return true;
}

bool
sb_windows_read(struct sb_windows *w, int64_t to_ns, struct sb_err *e)
{
    for (unsigned i = 0; i < w->n_held; i++)
        SB_TRY(read_ring(w, i, to_ns, e));
    return true;
}

static bool
hold_rest(struct sb_windows *w, struct sb_err *e)
{
    const struct sb_event *ev;
    size_t n;
    for (unsigned i = 0; i < w->n_held; i++)
        do {
            SB_TRY(sb_ring_reader_next(w->reader, i, &ev, &n, e));
            for (size_t k = 0; k < n; k++)
                *SB_PUSH(&w->held[i]) = ev[k];
        } while (n > 0);
    return true;
}

bool
sb_windows_add_copy(struct sb_windows *w, struct sb_ring_image *image, struct sb_str copy, struct sb_err *e)
{
    return hold_rest(w, e) && sb_ring_image_add(image, copy, e);
}

void
sb_windows_end(struct sb_windows *w, int64_t to_ns)
{
    uint64_t lost = sb_ring_reader_lost(w->reader);
    sb_tally_end_window(w->tally, to_ns);
    w->lost = lost - w->lost_before;
    w->lost_before = lost;
    w->n++;
}
