#include "engine/pass/pass.h"
#include "engine/world/actors.h"
#include "engine/world/compare.h"
#include "engine/world/control.h"
#include "engine/world/lanes.h"
#include "engine/order/stretch.h"

#define PASS(name) extern const struct sb_pass sb_pass_##name;
#include "engine/pass/pass.def"
#undef PASS

static const struct sb_pass *const passes[] = {
#define PASS(name) &sb_pass_##name,
#include "engine/pass/pass.def"
#undef PASS
};
enum { N_PASSES = sizeof passes / sizeof *passes };

static void
lay_out(struct sb_dispatch *d, unsigned kind, unsigned role, sb_pass_fn *fn)
{
    unsigned n = 0;
    while (d->fn[kind][role][n])
        n++;
    SB_ASSERT(n + 1 < SB_PASS_MAX);
    d->fn[kind][role][n] = fn;
}

void
sb_pass_layout(struct sb_dispatch *d)
{
    memset(d, 0, sizeof *d);
    for (unsigned i = 0; i < N_PASSES; i++) {
        const struct sb_pass *p = passes[i];
        for (size_t k = 0; k < p->n_on; k++)
            lay_out(d, p->on[k].kind, p->on[k].role, p->on[k].fn);
        for (unsigned kind = 0; kind < SB_EVENT_KINDS; kind++)
            if (sb_kinds[kind].marks & p->mark)
                lay_out(d, kind, SB_OWN, p->on_marked);
    }
}

static void
give(struct sb_part *x, const struct sb_dispatch *d, struct sb_proc *p, const struct sb_event *ev,
     enum sb_role role)
{
    for (sb_pass_fn *const *fn = d->fn[ev->kind][role]; *fn; fn++)
        (*fn)(x, p, ev);
}

/* Delivers a loss before the process's events of that moment or later: it ends what was known, and so leaves nothing
 * to end to those that follow it. */
static void
give_losses(struct sb_part *x, const struct sb_dispatch *d, struct sb_proc *p, int64_t until)
{
    const struct sb_control *c = x->run->control;
    const struct sb_event *ev = sb_control_loss(c, p->losses);
    if (!ev || ev->at_ns > until)
        return;
    ev = sb_control_loss(c, sb_control_loss_from(c, p->losses, p->first_seen));
    if (ev && ev->at_ns <= until)
        give(x, d, p, ev, SB_LOSS);
    p->losses = sb_control_loss_from(c, p->losses, until + (until < INT64_MAX));
}

/* Delivers losses to idle processes at the end of the window, so that rows that result belong to it. */
static void
give_losses_to_all(struct sb_part *x, const struct sb_dispatch *d)
{
    if (!sb_control_loss(x->run->control, x->losses))
        return;
    for (size_t k = 0; k < x->procs.n; k++) {
        struct sb_proc *p = sb_procs_awake(&x->procs, k);
        if (p && sb_actor_kind(p->actor) != SB_NAMED)
            give_losses(x, d, p, INT64_MAX);
        if (p)
            sb_procs_doze(&x->procs, p);
    }
    while (sb_control_loss(x->run->control, x->losses))
        x->losses++;
}

/* Ports send messages too, but port ids are not process ids. */
static uint32_t
sender_of(const struct sb_run *r, const struct sb_event *ev)
{
    if (sb_actor_kind(ev->who) == SB_PORT)
        return 0;
    int64_t id = sb_actors_id(r, ev->who, ev->at_ns);
    return id == SB_NULL ? 0 : (uint32_t)id;
}

/* Finds, among the next `out` events of one moment, the one that ends a stay on the lane; v->n: none. A file may claim
 * any number of events for a moment, so the search is bounded. */
static size_t
find_out(const struct sb_items *v, size_t first, sb_lane lane)
{
    enum { MOST = 256 };
    size_t any = v->n, end = v->n - first < MOST ? v->n : first + MOST;
    for (size_t k = first + 1; k < end && v->at[k].key == v->at[first].key; k++) {
        const struct sb_event *ev = sb_item_event(v->at[k]);
        if (ev->kind != SB_EV_out || sb_item_role(v->at[k]) != SB_OWN)
            continue;
        if (sb_lane_plain(ev->lane) == lane)
            return k;
        any = any < v->n ? any : k;
    }
    return any;
}

/* Events with equal stamps may mean "out, in" or "in, out": the state of the process and its scheduler
 * decide. */
static const struct sb_event *
turn_round(struct sb_items *v, size_t first, sb_lane lane)
{
    size_t out = find_out(v, first, lane);
    if (out < v->n) {
        struct sb_sort_key ends = v->at[out];
        memmove(&v->at[first + 1], &v->at[first], (out - first) * sizeof ends);
        v->at[first] = ends;
    }
    return sb_item_event(v->at[first]);
}

/* Walks the items of one process. Meanwhile, it prefetches later items, up to `ahead`. */
static void
walk(struct sb_part *x, const struct sb_dispatch *d, struct sb_proc *p, size_t ahead)
{
    bool losses = sb_control_loss(x->run->control, p->losses);
    struct sb_items *v = &x->items.line;
    ahead = ahead < x->items.window.n ? ahead : x->items.window.n;
    for (size_t k = 0; k < v->n; k++) {
        if (x->items.fetched < ahead)
            sb_stretch_fetch(x);
        const struct sb_event *ev = sb_item_event(v->at[k]);
        if (ev->kind == SB_EV_in && p->stay.state == SB_STAY_ON)
            ev = turn_round(v, k, p->stay.lane);
        if (losses)
            give_losses(x, d, p, ev->at_ns);
        if (sb_item_role(v->at[k]) == SB_ARRIVAL)
            x->sender = sender_of(x->run, ev);
        give(x, d, p, ev, sb_item_role(v->at[k]));
    }
}

/* An untraced process may still have events that name it or mark a moment. */
static bool
shows_tracing(const struct sb_event *ev)
{
    return ev->kind != SB_EV_label && ev->kind != SB_EV_mark &&
           (ev->kind != SB_EV_exists || ev->exists.status != SB_STATUS_NOT_RECORDED);
}

/* Updates last_seen to the last of the process's own events, which are in time order. */
static void
note_seen(struct sb_proc *p, const struct sb_items *v)
{
    size_t k = v->n;
    while (k > 0 && (sb_item_role(v->at[k - 1]) != SB_OWN || !shows_tracing(sb_item_event(v->at[k - 1]))))
        k--;
    if (k > 0 && sb_item_at(v->at[k - 1]) > p->last_seen)
        p->last_seen = sb_item_at(v->at[k - 1]);
}

void
sb_pass_window(struct sb_part *x, const struct sb_dispatch *d)
{
    const struct sb_bundle *end = x->items.bundles.at + x->items.bundles.n;
    for (const struct sb_bundle *b = x->items.bundles.at; b < end; b++) {
        struct sb_proc *p = sb_procs_at(&x->procs, b->process);
        if (b + 1 < end)
            sb_procs_expect(&x->procs, b[1].process);
        bool in_order = sb_stretch_lay_out(x, b->end - b->n, b->end, x->run->axis.window_end);
        if (!in_order && !x->run->facts.file_order)
            sb_compare_ties(x->run->names, &x->items.line);
        note_seen(p, &x->items.line);
        walk(x, d, p, b->end + SB_STRETCH_AHEAD);
        sb_procs_doze(&x->procs, p);
    }
    give_losses_to_all(x, d);
    sb_procs_rest(&x->procs, x->run->merges);
}

void
sb_pass_finish(struct sb_part *x)
{
    for (size_t k = 0; k < x->procs.n; k++) {
        bool sleeps = sb_procs_sleeps(&x->procs, k);
        struct sb_proc *p = sb_procs_awake(&x->procs, k);
        if (!p || sb_actor_kind(p->actor) == SB_NAMED)
            continue; /* ended, or the "nobody" of a node */
        for (unsigned i = 0; i < N_PASSES; i++)
            if (passes[i]->finish && !passes[i]->has_many)
                passes[i]->finish(x, p);
        if (sb_pass_has_many(x, p, &(size_t){0}))
            sb_procs_doze(&x->procs, p);
        else if (sleeps)
            sb_procs_end(&x->procs, k);
    }
}

void
sb_pass_gather(const struct sb_run *r)
{
    for (unsigned i = 0; i < N_PASSES; i++)
        if (passes[i]->gather)
            passes[i]->gather(r);
}

void
sb_pass_put(const struct sb_run *r, const struct sb_proc *p, int64_t *cells)
{
    for (unsigned i = 0; i < N_PASSES; i++) {
        void (*put)(const struct sb_run *, const struct sb_proc *, int64_t *) =
            sb_proc_is_port(p) ? passes[i]->put_port : passes[i]->put;
        if (put)
            put(r, p, cells);
    }
}

bool
sb_pass_has_many(const struct sb_part *x, const struct sb_proc *p, size_t *rows)
{
    bool any = false;
    for (unsigned i = 0; i < N_PASSES && sb_actor_kind(p->actor) != SB_NAMED; i++)
        any |= passes[i]->has_many && passes[i]->has_many(x, p, rows);
    return any;
}

void
sb_pass_finish_many(struct sb_part *x, struct sb_proc *p)
{
    for (unsigned i = 0; i < N_PASSES; i++)
        if (passes[i]->has_many)
            passes[i]->finish(x, p);
}

void
sb_pass_free(struct sb_part *x)
{
    for (size_t k = 0; k < x->procs.n; k++) {
        struct sb_proc room, p = *sb_procs_see(&x->procs, k, &room);
        for (unsigned i = 0; i < N_PASSES; i++)
            if (passes[i]->free)
                passes[i]->free(&p);
        SB_VEC_FREE(&p.places);
    }
}
