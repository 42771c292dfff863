/* What goes into the profile as it comes: marks, what filters said, and samples. */
#include "engine/lanes.h"
#include "engine/pass.h"

static void
on_mark(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    int64_t *c = x->cells;
    c[SB_C_mark__process] = p->id ? p->id : SB_NULL;
    c[SB_C_mark__scheduler] = sb_lane_row(x->run, p->actor, sb_lane_plain(ev->lane));
    c[SB_C_mark__at] = sb_rel(x->run, ev->at_ns);
    c[SB_C_mark__text] = ev->f;
    sb_row_put(x, SB_T_mark, ev->at_ns, p);
}

static void
on_sample(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    int64_t *c = x->cells;
    c[SB_C_sample__node] = sb_node_id(x->run, sb_actor_node(p->actor));
    c[SB_C_sample__at] = sb_rel(x->run, ev->at_ns);
    c[SB_C_sample__item] = ev->f;
    c[SB_C_sample__key] = ev->g;
    c[SB_C_sample__value] = ev->x == SB_UNKNOWN ? SB_NULL : (int64_t)ev->x;
    sb_row_put(x, SB_T_sample, ev->at_ns, p);
}

static const struct sb_on on[] = {
    {SB_EV_mark, SB_OWN, on_mark}, {SB_EV_filtered, SB_OWN, on_mark}, {SB_EV_sample, SB_OWN, on_sample}};
const struct sb_pass sb_pass_note = {"note", "marks and samples", SB_ON_N(on), NULL, NULL};
