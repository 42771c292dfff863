/* Windows of rings that are mapped here: what has come is read many times a second, and strobe ends the windows. */
#include "base/progress.h"
#include "live/drain/rings.h"
#include "live/watch/windows.h"
#include <unistd.h>

enum { LEAST_MS = 50 }; /* a shorter window would show chance */

/* on ──(too many events)──> paused ──(time)──> resuming ──(the node's answer)──> on */
enum phase { ON, PAUSED, RESUMING };

struct mapped {
    struct sb_rings_map map;
    enum phase phase;
    int64_t resume_ns;       /* when the tracing goes on */
    uint64_t cost_before_ns; /* of the events before this window */
};

/* The end of a window that has cost too much: the tracing pauses until the share is right. */
static bool
pause_tracing(struct sb_windows *w, int64_t from_ns, int64_t cost_ns, struct sb_err *e)
{
    struct mapped *m = w->state;
    int64_t rest = cost_ns / w->permille * 1000;
    m->phase = PAUSED;
    m->resume_ns = from_ns + (rest > w->interval_ns ? rest : w->interval_ns);
    return sb_peer_trace(w->node, false, e);
}

static bool
end_in_time(struct sb_windows *w, int64_t now, struct sb_err *e)
{
    struct mapped *m = w->state;
    int64_t from = w->tally->from_ns;
    int64_t cost = (int64_t)(sb_ring_reader_cost_ns(w->reader) - m->cost_before_ns);
    bool whole = now - from >= w->interval_ns, costly = cost >= w->interval_ns / 1000 * w->permille;
    if (m->phase != ON || !(whole || (costly && now - from >= (int64_t)LEAST_MS * 1000000)))
        return true;
    sb_windows_end(w, now);
    w->paused = cost > (now - from) / 1000 * w->permille;
    m->cost_before_ns += (uint64_t)cost;
    return !w->paused || pause_tracing(w, from, cost, e);
}

static bool
resume_in_time(struct sb_windows *w, int64_t now, struct sb_err *e)
{
    struct mapped *m = w->state;
    if (m->phase != PAUSED || now < m->resume_ns)
        return true;
    m->phase = RESUMING;
    return sb_peer_trace(w->node, true, e);
}

/* The node traces again, since a moment ago. The answer to a pause changes nothing. */
static bool
take(struct sb_windows *w, const struct sb_peer_answer *answer, struct sb_err *e)
{
    struct mapped *m = w->state;
    (void)e;
    if (answer->kind != SB_PEER_TRACED || m->phase != RESUMING)
        return true;
    sb_tally_begin_window(w->tally, sb_clock_ns());
    m->cost_before_ns = sb_ring_reader_cost_ns(w->reader);
    m->phase = ON;
    return true;
}

/* What the node has begun to trace belongs to a window whose beginning is not known before its answer. */
static bool
step(struct sb_windows *w, struct sb_err *e)
{
    const struct mapped *m = w->state;
    int64_t now = sb_clock_ns();
    if (m->phase != RESUMING)
        SB_TRY(sb_windows_read(w, now, e));
    return end_in_time(w, now, e) && resume_in_time(w, now, e);
}

static bool
ask(struct sb_windows *w, const struct sb_peer_question *q, struct sb_err *e)
{
    return sb_peer_watch(w->node, q, e);
}

static bool
open_rings(struct sb_windows *w, const struct sb_attached *of, int64_t *from_ns, struct sb_err *e)
{
    struct mapped *m = w->state = SB_HEAP(struct mapped, .map.fd = -1);
    SB_TRY(sb_rings_open(&m->map, of->rings, e));
    unlink(of->rings); /* nobody else reads them, and the node need not wait for somebody who may */
    w->reader = sb_ring_reader_open(&m->map.layout, false);
    *from_ns = sb_clock_ns();
    return true;
}

static void
close_rings(struct sb_windows *w)
{
    struct mapped *m = w->state;
    sb_rings_close(&m->map);
    free(m);
    w->state = NULL;
}

const struct sb_windows_way sb_windows_rings = {open_rings, close_rings, step, take, ask};
