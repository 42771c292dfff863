/* Parents, names and ends of processes and ports. */
#include "engine/pass/pass.h"

static void on_spawned(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_spawned_by(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_spawn(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_exists(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_register(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_label(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);
static void on_open(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev);

static const struct sb_on on[] = {
    {SB_EV_spawned, SB_OWN, on_spawned},     {SB_EV_spawn, SB_ARRIVAL, on_spawned_by},
    {SB_EV_spawn, SB_OWN, on_spawn},         {SB_EV_exists, SB_OWN, on_exists},
    {SB_EV_exit, SB_OWN, on_ended},          {SB_EV_closed, SB_OWN, on_ended},
    {SB_EV_registered, SB_OWN, on_register}, {SB_EV_label, SB_OWN, on_label},
    {SB_EV_open, SB_OWN, on_open},
};

const struct sb_pass sb_pass_life = {"life", "parents, names, ends", SB_ON_N(on), NULL, NULL};

static void
born(struct sb_proc *p, sb_actor parent, const struct sb_event *ev)
{
    p->start = ev->at_ns;
    p->parent = parent;
    p->parent_at = ev->at_ns;
    if (ev->birth.mfa)
        p->spawn_mfa = ev->birth.mfa;
    if (ev->birth.entry || ev->birth.mfa)
        p->entry = ev->birth.entry ? ev->birth.entry : ev->birth.mfa;
}

static void
on_spawned(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (!p->told_spawned)
        born(p, ev->spawned.parent, ev);
    p->told_spawned = true;
}

static void
on_spawned_by(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (p->start == SB_NULL)
        born(p, ev->who, ev);
}

static void
on_spawn(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x, (void)ev;
    p->spawned++;
}

static void
on_exists(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (ev->exists.parent && !p->parent) {
        p->parent = ev->exists.parent;
        p->parent_at = ev->at_ns;
    }
    p->name = ev->exists.name ? ev->exists.name : p->name;
    p->entry = p->entry ? p->entry : ev->exists.entry;
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->end != SB_NULL)
        return;
    p->end = ev->at_ns;
    p->reason = ev->exit.reason;
    sb_procs_tire(&x->procs, p);
}

static void
on_register(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->name = ev->registered.name;
}

static void
on_label(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->label = ev->label.text;
}

static void
on_open(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->start = ev->at_ns;
    p->parent = ev->open.owner;
    p->parent_at = ev->at_ns;
    p->entry = ev->open.driver;
}
