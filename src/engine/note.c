/* What goes into the profile as it comes: marks, what filters said, and samples. */
#include "engine/lanes.h"
#include "engine/pass.h"

static void
on_mark(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_mark_row *row = sb_row_put(x, SB_T_mark, ev->at_ns, p);
    row->process = sb_cell_id(p->id);
    row->scheduler = sb_cell_id(sb_lane_id(x->run, p->actor, sb_lane_plain(ev->lane)));
    row->at = sb_rel(x->run, ev->at_ns);
    row->text = ev->f;
}

static void
on_sample(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_rows *rows = &x->rows[SB_T_sample];
    struct sb_sample_row *row = sb_row_put(x, SB_T_sample, ev->at_ns, p);
    row->node = sb_cell(rows, sb_node_id(x->run, sb_actor_node(p->actor)));
    row->at = sb_rel(x->run, ev->at_ns);
    row->item = ev->f;
    row->key = ev->g;
    row->value = sb_cell_told(rows, ev->x);
}

static const struct sb_on on[] = {
    {SB_EV_mark, SB_OWN, on_mark}, {SB_EV_filtered, SB_OWN, on_mark}, {SB_EV_sample, SB_OWN, on_sample}};
const struct sb_pass sb_pass_note = {"note", "marks and samples", SB_ON_N(on), NULL, NULL};
