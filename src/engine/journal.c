#include "engine/journal.h"
#include "engine/actors.h"
#include "engine/lanes.h"
#include "engine/pass.h"
#include "trace/kind.h"
#include <stddef.h>

/* Fingerprints and amounts share the members that hold names in other kinds. */
static bool
is_name(const struct sb_kind *k, size_t offset)
{
    for (unsigned i = 0; i < k->n_slots; i++)
        if (k->slot[i].offset == offset)
            return k->slot[i].type == SB_SLOT_MFA || k->slot[i].type == SB_SLOT_ATOM ||
                   k->slot[i].type == SB_SLOT_TEXT;
    return false;
}

static void
put_actors(const struct sb_run *r, const struct sb_proc *p, const struct sb_event *ev, int64_t *c)
{
    enum sb_actor_kind peer = sb_actor_kind(ev->peer);
    int64_t id = ev->peer ? sb_actors_id(r, ev->peer, ev->at_ns) : SB_NULL;
    c[SB_C_event__node] = sb_node_id(r, sb_actor_node(p->actor));
    c[SB_C_event__process] = p->id && sb_actor_kind(p->actor) != SB_PORT ? p->id : SB_NULL;
    c[SB_C_event__port] = p->id && sb_actor_kind(p->actor) == SB_PORT ? p->id : SB_NULL;
    c[SB_C_event__peer] = peer == SB_PORT ? SB_NULL : id;
    c[SB_C_event__peer_port] = peer == SB_PORT ? id : SB_NULL;
    c[SB_C_event__peer_node] = c[SB_C_event__peer_name] = 0;
    if (ev->peer && peer == SB_NAMED) {
        uint32_t creation;
        c[SB_C_event__peer_node] =
            sb_names_text(r->names, sb_names_node_name(r->names, sb_actor_node(ev->peer), &creation));
        c[SB_C_event__peer_name] = (int64_t)(uint32_t)ev->peer;
    }
}

void
sb_journal(struct sb_part *x, const struct sb_proc *p, const struct sb_event *ev, int64_t settled)
{
    const struct sb_kind *k = &sb_kinds[ev->kind];
    bool name = is_name(k, offsetof(struct sb_event, f));
    int64_t *c = x->cells;
    c[SB_C_event__at] = sb_rel(x->run, ev->at_ns);
    c[SB_C_event__kind] = x->run->kind_name[ev->kind];
    put_actors(x->run, p, ev, c);
    c[SB_C_event__scheduler] = sb_lane_row(x->run, p->actor, sb_lane_plain(ev->lane));
    c[SB_C_event__f] = name ? ev->f : 0;
    c[SB_C_event__g] = is_name(k, offsetof(struct sb_event, g)) ? ev->g : 0;
    c[SB_C_event__x] = (int64_t)ev->x;
    c[SB_C_event__y] = (int64_t)ev->y;
    c[SB_C_event__z] = (int64_t)ev->z;
    c[SB_C_event__n] = name ? ev->n : ev->f; /* no kind has both */
    c[SB_C_event__flags] = ev->flags & ~SB_EVF_GOES_ON;
    sb_row_put(x, SB_T_event, settled, p);
}

static void
on_any(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    sb_journal(x, p, ev, ev->at_ns);
}

static const struct sb_on on[] = {
    {SB_EV_spawn, SB_OWN, on_any},
    {SB_EV_spawned, SB_OWN, on_any},
    {SB_EV_exit, SB_OWN, on_any},
    {SB_EV_link, SB_OWN, on_any},
    {SB_EV_unlink, SB_OWN, on_any},
    {SB_EV_getting_linked, SB_OWN, on_any},
    {SB_EV_getting_unlinked, SB_OWN, on_any},
    {SB_EV_register, SB_OWN, on_any},
    {SB_EV_unregister, SB_OWN, on_any},
    {SB_EV_exists, SB_OWN, on_any},
    {SB_EV_label, SB_OWN, on_any},
    {SB_EV_open, SB_OWN, on_any},
    {SB_EV_closed, SB_OWN, on_any},
    {SB_EV_scheduler_active, SB_OWN, on_any},
    {SB_EV_scheduler_inactive, SB_OWN, on_any},
    {SB_EV_profile_opts, SB_OWN, on_any},
    {SB_EV_waits, SB_OWN, on_any},
};
const struct sb_pass sb_pass_journal = {"journal", "what no other table keeps", SB_ON_N(on), NULL, NULL};
