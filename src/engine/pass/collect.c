/* Garbage collections: one row each, and their time within slices. */
#include "engine/pass/journal.h"
#include "engine/world/lanes.h"
#include "engine/pass/pass.h"
#include "engine/pass/stay.h"
#include "trace/kind.h"

static sb_pass_fn on_start, on_end, on_ended;
static void finish(struct sb_part *x, struct sb_proc *p);
static void put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);

static const struct sb_on on[] = {
    {SB_EV_gc_minor_start, SB_OWN, on_start}, {SB_EV_gc_major_start, SB_OWN, on_start},
    {SB_EV_gc_start, SB_OWN, on_start},       {SB_EV_gc_minor_end, SB_OWN, on_end},
    {SB_EV_gc_major_end, SB_OWN, on_end},     {SB_EV_gc_end, SB_OWN, on_end},
    {SB_EV_exit, SB_OWN, on_ended},           {SB_EV_drop, SB_LOSS, on_ended},
};

const struct sb_pass sb_pass_collect = {
    "collect", "garbage collections", SB_ON_N(on), finish, .put = put, .reads = "stay.collecting stay.state"};

/* A collection without an end has no row, but its time counts. */
static void
journal_open(struct sb_part *x, const struct sb_proc *p, int64_t settled)
{
    if (p->gc.since == SB_AT_UNKNOWN)
        return;
    struct sb_event start = sb_event_of(p->gc.major ? SB_EV_gc_major_start : SB_EV_gc_minor_start);
    start.at_ns = p->gc.since;
    sb_journal(x, p, &start, settled);
}

/* Where events were lost, a collection counts if both its ends are seen in one stay on a scheduler. */
static bool
is_outside(const struct sb_part *x, const struct sb_proc *p)
{
    return x->run->facts.loses && sb_recorded(x->run, SB_RUNNING) && p->stay.state != SB_STAY_ON;
}

static void
on_start(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    journal_open(x, p, ev->at_ns);
    if (is_outside(x, p)) {
        sb_journal(x, p, ev, ev->at_ns);
        return;
    }
    p->gc.since = ev->at_ns;
    sb_stay_collects(p, ev->at_ns);
    p->gc.major = ev->kind == SB_EV_gc_major_start;
    p->gc.heap = ev->gc.heap;
    p->gc.old = ev->gc.old;
    p->gc.bin = ev->gc.bin;
    p->gc.mbuf = ev->gc.mbuf == SB_UNKNOWN32 ? SB_UNKNOWN : ev->gc.mbuf;
}

/* Returns the reclaimed words: as the event states them, else the difference in heap size. */
static uint64_t
reclaimed(const struct sb_collect *gc, const struct sb_event *ev)
{
    if (ev->gc.need)
        return ev->gc.need;
    return gc->heap != SB_UNKNOWN && ev->gc.heap != SB_UNKNOWN && gc->heap > ev->gc.heap
               ? gc->heap - ev->gc.heap
               : 0;
}

static void
gc_row(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev)
{
    const struct sb_collect *gc = &p->gc;
    bool sizes = gc->heap != SB_UNKNOWN;
    struct sb_rows *rows = &x->rows[SB_T_gc];
    struct sb_gc_row *row = sb_row_put(x, SB_T_gc, ev->at_ns, p);
    row->process = p->id;
    row->start = sb_rel(x->run, gc->since);
    row->dur = sb_cell(rows, ev->at_ns - gc->since);
    row->kind = ev->kind == SB_EV_gc_end ? 0 : x->run->words.of[gc->major ? SB_W_major : SB_W_minor];
    row->heap_before = sb_cell_known(rows, gc->heap);
    row->heap_after = sb_cell_known(rows, ev->gc.heap);
    row->reclaimed_words = sizes ? sb_cell(rows, (int64_t)reclaimed(gc, ev)) : SB_NO_NUMBER;
    row->old_before = sizes ? sb_cell_known(rows, gc->old) : SB_NO_NUMBER;
    row->old_after = sizes ? sb_cell_known(rows, ev->gc.old) : SB_NO_NUMBER;
    row->bin_before = sb_cell_known(rows, gc->bin);
    row->bin_after = sb_cell_known(rows, ev->gc.bin);
    row->scheduler = sb_cell_id(sb_lane_id(x->run, p->actor, sb_lane_plain(ev->lane)).i);
    row->mbuf_words = sb_cell_known(rows, gc->mbuf);
}

static void
on_end(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_collect *gc = &p->gc;
    if (gc->since == SB_AT_UNKNOWN)
        return;
    if (!p->stay.collecting) {
        on_ended(x, p, ev);
        return;
    }
    sb_stay_collected(x, p, ev->at_ns);
    gc_row(x, p, ev);
    gc->count++;
    gc->reclaimed += reclaimed(gc, ev);
    uint64_t before = gc->heap == SB_UNKNOWN ? 0 : gc->heap,
             after = ev->gc.heap == SB_UNKNOWN ? 0 : ev->gc.heap;
    gc->peak = before > gc->peak ? before : gc->peak;
    gc->peak = after > gc->peak ? after : gc->peak;
    gc->since = SB_AT_UNKNOWN;
}

/* The process exited, or events were lost, possibly including the end of the collection. */
static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    journal_open(x, p, ev->at_ns);
    p->gc.since = SB_AT_UNKNOWN;
    sb_stay_collection_lost(p);
}

static void
finish(struct sb_part *x, struct sb_proc *p)
{
    journal_open(x, p, x->run->axis.end);
}

static void
put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    if (!sb_recorded(r, SB_GC) || !sb_proc_is_traced(p))
        return;
    c[SB_C_process__gc_count] = (int64_t)p->gc.count;
    c[SB_C_process__reclaimed_words] = (int64_t)p->gc.reclaimed;
    c[SB_C_process__peak_heap_words] = (int64_t)p->gc.peak;
}
