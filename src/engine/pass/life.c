/* Parents, names and ends of processes and ports. */
#include "engine/pass/pass.h"
#include "engine/world/actors.h"

static sb_pass_fn on_spawned, on_spawned_by, on_spawn, on_exists, on_ended, on_register, on_label, on_entry,
    on_open, on_linked, on_linked_by_port;

static const struct sb_on on[] = {
    {SB_EV_spawned, SB_OWN, on_spawned},
    {SB_EV_spawn, SB_ARRIVAL, on_spawned_by},
    {SB_EV_spawn, SB_OWN, on_spawn},
    {SB_EV_exists, SB_OWN, on_exists},
    {SB_EV_exit, SB_OWN, on_ended},
    {SB_EV_closed, SB_OWN, on_ended},
    {SB_EV_registered, SB_OWN, on_register},
    {SB_EV_label, SB_OWN, on_label},
    {SB_EV_open, SB_OWN, on_open},
    {SB_EV_entry, SB_OWN, on_entry},
    {SB_EV_getting_linked, SB_OWN, on_linked},
    {SB_EV_getting_linked, SB_ARRIVAL, on_linked_by_port},
};

static void put(const struct sb_run *r, const struct sb_proc *p, int64_t *c);
static void put_port(const struct sb_run *r, const struct sb_proc *p, int64_t *c);

const struct sb_pass sb_pass_life = {"life", "parents, names, ends", SB_ON_N(on), .put = put,
                                     .put_port = put_port};

static void
born(struct sb_proc *p, sb_actor parent, const struct sb_event *ev)
{
    p->life.start = ev->at_ns;
    p->life.parent = parent;
    p->life.parent_at = ev->at_ns;
    if (ev->birth.mfa)
        p->life.spawn_mfa = ev->birth.mfa;
    if (ev->birth.entry || ev->birth.mfa)
        p->life.entry = ev->birth.entry ? ev->birth.entry : ev->birth.mfa;
}

static void
on_spawned(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (!p->life.spawn_seen)
        born(p, ev->spawned.parent, ev);
    p->life.spawn_seen = true;
}

static void
on_spawned_by(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (p->life.start == SB_NULL)
        born(p, ev->who, ev);
}

static void
on_spawn(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x, (void)ev;
    p->life.spawned++;
}

static void
on_exists(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    if (ev->exists.parent && !p->life.parent) {
        p->life.parent = ev->exists.parent;
        p->life.parent_at = ev->at_ns;
    }
    p->life.name = ev->exists.name ? ev->exists.name : p->life.name;
    p->life.entry = p->life.entry ? p->life.entry : ev->exists.entry;
}

static void
on_ended(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    if (p->life.end != SB_NULL)
        return;
    p->life.end = ev->at_ns;
    p->life.reason = ev->exit.reason;
    sb_procs_tire(&x->procs, p);
}

static void
on_register(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->life.name = ev->registered.name;
}

static void
on_label(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->life.label = ev->label.text;
}

/* An Elixir task starts in Task.Supervised and gets its function in a message. The recorder recognises the message
 * by its shape alone, so the function counts only for processes that started in that module. */
static void
on_entry(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    const struct sb_names *names = x->run->names;
    struct sb_mfa now = sb_names_mfa_of(names, p->life.entry);
    if (p->life.entry && sb_str_eq(sb_names_str(names, now.m), SB_STR("Elixir.Task.Supervised")))
        p->life.entry = ev->entry.mfa;
}

static void
on_open(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    p->life.start = ev->at_ns;
    p->life.parent = ev->open.owner;
    p->life.parent_at = ev->at_ns;
    p->life.entry = ev->open.driver;
}

/* No event tells of the opening of an accepted socket. Its port links the process that accepts it, and then every
 * process that it is handed over to. */
static void
own_accepted(struct sb_proc *port, sb_actor owner, int64_t at_ns)
{
    if (!sb_proc_is_port(port) || port->life.start != SB_NULL)
        return;
    port->life.parent = owner;
    port->life.parent_at = at_ns;
}

static void
on_linked(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    own_accepted(p, ev->link.to, ev->at_ns);
}

static void
on_linked_by_port(struct sb_part *x, struct sb_proc *p, const struct sb_event *ev)
{
    (void)x;
    own_accepted(p, ev->who, ev->at_ns);
}

static void
put(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const struct sb_lifetime *l = &p->life;
    c[SB_C_process__name] = l->name;
    c[SB_C_process__label] = l->label;
    c[SB_C_process__entry] = l->entry;
    c[SB_C_process__parent] = sb_actors_id(r, l->parent, l->parent_at);
    c[SB_C_process__start] = sb_rel_or_null(r, l->start);
    c[SB_C_process__end] = sb_rel_or_null(r, l->end);
    c[SB_C_process__exit_reason] = l->end == SB_NULL ? 0 : l->reason;
    c[SB_C_process__spawn_mfa] = l->spawn_mfa;
    c[SB_C_process__spawned] =
        sb_recorded(r, SB_PROCS) && sb_proc_is_traced(p) ? (int64_t)l->spawned : SB_NULL;
}

static void
put_port(const struct sb_run *r, const struct sb_proc *p, int64_t *c)
{
    const struct sb_lifetime *l = &p->life;
    c[SB_C_port__driver] = l->entry;
    c[SB_C_port__owner] = sb_actors_id(r, l->parent, l->parent_at);
    c[SB_C_port__start] = sb_rel_or_null(r, l->start);
    c[SB_C_port__end] = sb_rel_or_null(r, l->end);
    c[SB_C_port__exit_reason] = l->end == SB_NULL ? 0 : l->reason;
}
