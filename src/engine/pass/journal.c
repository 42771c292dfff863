#include "engine/pass/journal.h"
#include "engine/world/actors.h"
#include "engine/world/compare.h"
#include "engine/world/control.h"
#include "engine/world/lanes.h"
#include "engine/pass/pass.h"
#include "trace/kind.h"
#include <stddef.h>

static void on_any(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);

const struct sb_pass sb_pass_journal = {"journal", "events that no other table holds", .mark = SB_MARK_KEPT,
                                        .on_marked = on_any};

static void
put_actors(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev, struct sb_event_row *row)
{
    const struct sb_run *r = x->run;
    struct sb_rows *rows = &x->rows[SB_T_event];
    bool is_port = sb_actor_kind(p->actor) == SB_PORT, peer_is_port = sb_actor_kind(ev->peer) == SB_PORT;
    uint32_t id = sb_cell(rows, ev->peer ? sb_actors_id(r, ev->peer, ev->at_ns) : SB_NULL);
    row->node = sb_cell(rows, sb_node_id(r, sb_actor_node(p->actor)));
    row->process = sb_cell_id(is_port ? 0 : p->id);
    row->port = sb_cell_id(is_port ? p->id : 0);
    row->peer = peer_is_port ? SB_NO_NUMBER : id;
    row->peer_port = peer_is_port ? id : SB_NO_NUMBER;
    row->peer_node = row->peer_name = 0;
    if (ev->peer && sb_actor_kind(ev->peer) == SB_NAMED) {
        uint32_t creation;
        row->peer_node =
            sb_names_text(r->names, sb_names_node_name(r->names, sb_actor_node(ev->peer), &creation));
        row->peer_name = (uint32_t)ev->peer;
    }
}

/* Column f holds texts only, so n holds a number in slot f. No event here has numbers in both slots. */
static int64_t
number(const struct sb_event *ev, const struct sb_slot *f)
{
    uint32_t n = f && !sb_slot_is_name(f) ? ev->raw.f : ev->raw.n;
    return n == SB_UNKNOWN32 ? -1 : (int64_t)n;
}

void
sb_journal(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev, int64_t settled)
{
    const struct sb_slot *f = sb_kind_slot(ev->kind, offsetof(struct sb_event_raw, f)),
                         *g = sb_kind_slot(ev->kind, offsetof(struct sb_event_raw, g));
    struct sb_rows *rows = &x->rows[SB_T_event];
    struct sb_event_row *row = sb_row_put(x, SB_T_event, settled, p);
    row->at = sb_rel(x->run, ev->at_ns);
    row->kind = x->run->words.kind[ev->kind];
    put_actors(x, p, ev, row);
    row->scheduler = sb_cell_id(sb_lane_id(x->run, p->actor, sb_lane_plain(ev->lane)).i);
    row->f = f && sb_slot_is_name(f) ? ev->raw.f : 0;
    row->g = g && sb_slot_is_name(g) ? ev->raw.g : 0;
    row->x = sb_cell(rows, (int64_t)ev->raw.x);
    row->y = sb_cell(rows, (int64_t)ev->raw.y);
    row->z = sb_cell(rows, (int64_t)ev->raw.z);
    row->n = sb_cell(rows, number(ev, f));
    row->flags = ev->flags & ~SB_EVF_GOES_ON;
}

/* A trace states which functions wait while it is written, in any order, so these rows come after all others. */
void
sb_journal_stated(const struct sb_run *r)
{
    SB_SCOPED struct sb_items all = {0};
    const struct sb_event *ev;
    for (size_t n = 0; (ev = sb_control_stated(r->control, n)); n++)
        sb_item_put(&all, ev, SB_OWN);
    sb_compare_sort(r->names, &all);
    for (size_t i = 0; i < all.n; i++) {
        ev = sb_item_event(all.at[i]);
        struct sb_part *x = &r->part[sb_actors_part(ev->who)];
        sb_journal(x, sb_procs_at(&x->procs, sb_actors_put(x, ev->who, ev->at_ns)), ev, r->axis.end);
    }
}

static void
on_any(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    sb_journal(x, p, ev, ev->at_ns);
}
