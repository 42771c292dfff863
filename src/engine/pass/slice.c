#include "engine/pass/slice.h"
#include "engine/state/found.h"
#include "engine/world/lanes.h"

void
sb_slice_collects(struct sb_part *x, struct sb_proc *p, int64_t to)
{
    struct sb_stay *s = &p->stay;
    int64_t ns = to - s->gc_counted;
    s->gc_ns += ns;
    s->sum.dirty_gc_ns += sb_lane_is_dirty(s->lane) ? ns : 0;
    s->sum.gc_ns += ns;
    sb_span_put(x, p,
                (struct sb_part_span){.from = s->gc_counted,
                                      .to = to,
                                      .settled = to,
                                      .state = SB_STATE_GC,
                                      .scheduler = (uint16_t)s->scheduler.i,
                                      .less = sb_lane_is_dirty(s->lane) ? SB_STATE_DIRTY : SB_STATE_RUNNING});
    s->gc_counted = to;
}

static uint32_t
kind_word(const struct sb_run *r, sb_lane lane)
{
    switch (sb_lane_kind(lane)) {
    case SB_LANE_NORMAL:
        return r->words.of[SB_W_normal];
    case SB_LANE_DIRTY_CPU:
        return r->words.of[SB_W_dirty_cpu];
    case SB_LANE_DIRTY_IO:
        return r->words.of[SB_W_dirty_io];
    default:
        return r->words.of[SB_W_unknown];
    }
}

static void
slice_row(struct sb_part *x, const struct sb_proc *p, int64_t to, int64_t settled, uint32_t out_fn)
{
    const struct sb_stay *s = &p->stay;
    struct sb_rows *rows = &x->rows[SB_T_slice];
    struct sb_slice_row *row = sb_row_put(x, SB_T_slice, settled, p);
    row->process = sb_proc_is_port(p) ? SB_NO_NUMBER : p->id;
    x->facts.ports |= sb_proc_is_port(p);
    row->port = sb_proc_is_port(p) ? p->id : SB_NO_NUMBER;
    row->scheduler = sb_cell_id(s->scheduler.i);
    row->start = sb_rel(x->run, s->since);
    row->dur = sb_cell(rows, to - s->since);
    row->in_function = s->fn;
    row->out_function = out_fn;
    row->kind = kind_word(x->run, s->lane);
}

void
sb_slice_end(struct sb_part *x, struct sb_proc *p, int64_t to, int64_t settled, uint32_t out_fn)
{
    struct sb_stay *s = &p->stay;
    if (x->run->facts.loses) /* the end of a collection that lasts so long may be lost */
        s->collecting = false;
    if (s->collecting) /* it continues after the slice: count its part in the slice */
        sb_slice_collects(x, p, to);
    slice_row(x, p, to, settled, out_fn);
    bool dirty = sb_lane_is_dirty(s->lane);
    sb_span_put(x, p,
                (struct sb_part_span){.from = s->since,
                                      .to = to,
                                      .settled = settled,
                                      .scheduler = (uint16_t)s->scheduler.i,
                                      .state = sb_proc_is_port(p) ? SB_STATE_PORT
                                               : dirty            ? SB_STATE_DIRTY
                                                                  : SB_STATE_RUNNING});
    s->sum.run_ns += dirty ? s->gc_ns : to - s->since;
    s->sum.dirty_ns += dirty ? to - s->since - s->gc_ns : 0;
    s->sum.slices++;
}

void
sb_slice_move(const struct sb_part *x, struct sb_proc *p, sb_lane lane)
{
    struct sb_stay *s = &p->stay;
    if (lane == s->lane)
        return;
    s->sum.migrations +=
        s->sum.slices > 0 && lane != SB_LANE_NONE && s->lane != SB_LANE_NONE && !sb_proc_is_port(p);
    s->scheduler = sb_lane_id(x->run, p->actor, lane);
    s->lane = lane;
}

void
sb_slice_begin(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_stay *s = &p->stay;
    sb_slice_move(x, p, sb_lane_plain(ev->lane));
    s->state = SB_STAY_ON;
    s->since = ev->at_ns;
    s->fn = ev->running.mfa;
    s->gc_ns = 0;
    s->timeouts = 0;
    s->polled = false;
    s->tentative = false;
    s->gc_counted = ev->at_ns;
}

static void
put_states(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const struct sb_stay *s = &p->stay;
    if ((!sb_recorded(r, SB_RUNNING) && !r->facts.vm_truth) || !sb_proc_is_traced(p))
        return;
    int64_t life = (p->life.end != SB_NULL ? p->life.end : r->axis.end) -
                   (p->life.start != SB_NULL ? p->life.start : r->axis.t0);
    int64_t accounted =
        s->sum.run_ns + s->sum.dirty_ns + s->sum.runnable_ns + s->sum.wait_ns + s->sum.handover_ns;
    c[SB_C_process__run_ns] = s->sum.run_ns;
    c[SB_C_process__dirty_ns] = s->sum.dirty_ns;
    c[SB_C_process__runnable_ns] = s->sum.runnable_ns;
    c[SB_C_process__wait_ns] = s->sum.wait_ns;
    c[SB_C_process__handover_ns] = s->sum.handover_ns;
    c[SB_C_process__unknown_ns] = life > accounted ? life - accounted : 0;
    c[SB_C_process__runnable_low_ns] = s->sum.low_ns;
    c[SB_C_process__runnable_high_ns] = s->sum.high_ns;
    c[SB_C_process__slices] = (int64_t)s->sum.slices;
    c[SB_C_process__migrations] = r->facts.has_lanes ? (int64_t)s->sum.migrations : SB_NULL;
}

void
sb_slice_put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    put_states(r, p, c);
    if (!sb_recorded(r, SB_GC) || !sb_proc_is_traced(p))
        return;
    c[SB_C_process__gc_ns] = p->stay.sum.gc_ns;
    c[SB_C_process__dirty_gc_ns] = p->stay.sum.dirty_gc_ns;
}

/* Without any port event, whether ports were recorded is unknown. */
void
sb_slice_put_port(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    if (!r->facts.has_ports || !sb_proc_is_traced(p))
        return;
    c[SB_C_port__run_ns] = p->stay.sum.run_ns + p->stay.sum.dirty_ns;
    c[SB_C_port__runs] = (int64_t)p->stay.sum.slices;
}
