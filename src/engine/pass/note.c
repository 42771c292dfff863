/* Events that become rows unchanged: marks, results of filters, and samples. */
#include "engine/world/actors.h"
#include "engine/world/lanes.h"
#include "engine/pass/pass.h"
#include "trace/text.h"

static sb_pass_fn on_mark, on_sample;

static const struct sb_on on[] = {
    {SB_EV_mark, SB_OWN, on_mark}, {SB_EV_filtered, SB_OWN, on_mark}, {SB_EV_sample, SB_OWN, on_sample}};

static void put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);
static void gather_mailboxes(const struct sb_run *r);

const struct sb_pass sb_pass_note = {"note", "marks and samples", SB_ON_N(on), .put = put,
                                     .gather = gather_mailboxes};

static void
on_mark(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_mark_row *row = sb_row_put(x, SB_T_mark, ev->at_ns, p);
    row->process = sb_cell_id(p->id);
    row->scheduler = sb_cell_id(sb_lane_id(x->run, p->actor, sb_lane_plain(ev->lane)).i);
    row->at = sb_rel(x->run, ev->at_ns);
    row->text = ev->mark.text;
}

/* Handles a sample of item `mailbox`, whose key is a pid. Returns its process.id if the trace names the
 * process. */
static int64_t
note_mailbox(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_names *names = x->run->names;
    sb_actor who;
    if (!sb_str_eq(sb_names_str(names, ev->sample.item), SB_STR("mailbox")) ||
        ev->sample.value > UINT32_MAX ||
        !sb_text_actor(sb_names_str(names, ev->sample.key), names, sb_actor_node(p->actor), &who))
        return SB_NULL;
    int64_t id = sb_actors_id(x->run, who, ev->at_ns);
    if (id == SB_NULL)
        return SB_NULL;
    uint32_t *most = sb_map_put(&x->mailboxes, (uint64_t)id, NULL);
    *most = ev->sample.value > *most ? (uint32_t)ev->sample.value : *most;
    return id;
}

static void
on_sample(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    struct sb_rows *rows = &x->rows[SB_T_sample];
    struct sb_sample_row *row = sb_row_put(x, SB_T_sample, ev->at_ns, p);
    row->node = sb_cell(rows, sb_node_id(x->run, sb_actor_node(p->actor)));
    row->at = sb_rel(x->run, ev->at_ns);
    row->item = ev->sample.item;
    row->key = ev->sample.key;
    row->value = sb_cell_known(rows, ev->sample.value);
    row->process = sb_cell(rows, note_mailbox(x, p, ev));
}

/* A sample is stored in the part of its node's "nobody", not of its process. */
static void
gather_mailboxes(const struct sb_run *r)
{
    struct sb_map *all = &r->part[0].mailboxes;
    for (unsigned i = 1; i < SB_PARTS; i++) {
        const struct sb_map *m = &r->part[i].mailboxes;
        for (size_t k = 0; k < m->cap; k++) {
            if (!m->slot[k].used)
                continue;
            uint32_t *most = sb_map_put(all, m->slot[k].key, NULL);
            *most = m->slot[k].value > *most ? m->slot[k].value : *most;
        }
    }
}

static void
put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const uint32_t *most = sb_map_get(&r->part[0].mailboxes, p->id);
    c[SB_C_process__peak_mailbox] = most ? *most : SB_NULL;
}
