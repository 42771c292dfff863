/* Samples of the CPU become rows as they are; which process ran is found when somebody asks (profile/cpu.h). */
#include "engine/pass/pass.h"

static sb_pass_fn on_frame, on_tick;

static const struct sb_on on[] = {{SB_EV_cpu_frame, SB_OWN, on_frame}, {SB_EV_cpu_sample, SB_OWN, on_tick}};

const struct sb_pass sb_pass_cpu = {"cpu", "samples of the CPU", SB_ON_N(on), NULL, NULL};

static void
on_frame(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_rows *rows = &x->rows[SB_T_cpu_frame];
    struct sb_cpu_frame_row *row = sb_row_put(x, SB_T_cpu_frame, ev->at_ns, p);
    row->node = sb_cell(rows, sb_node_id(x->run, sb_actor_node(p->actor)));
    row->at = sb_rel(x->run, ev->at_ns);
    row->number = sb_cell(rows, ev->cpu_frame.number);
    row->caller = sb_cell_known(rows, ev->cpu_frame.caller);
    row->function = ev->cpu_frame.name;
    row->kind = sb_cell_known(rows, ev->cpu_frame.kind);
}

static void
on_tick(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_rows *rows = &x->rows[SB_T_cpu_tick];
    struct sb_cpu_tick_row *row = sb_row_put(x, SB_T_cpu_tick, ev->at_ns, p);
    row->node = sb_cell(rows, sb_node_id(x->run, sb_actor_node(p->actor)));
    row->at = sb_rel(x->run, ev->at_ns);
    row->tid = sb_cell_known(rows, ev->cpu_sample.tid);
    row->stack = sb_cell(rows, ev->cpu_sample.stack);
}
