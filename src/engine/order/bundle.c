#include "engine/order/bundle.h"
#include "engine/world/actors.h"
#include "engine/world/lanes.h"
#include "engine/order/stretch.h"

enum { AHEAD = 16 }; /* prefetch distance, in items */

/* ---- assigning items to processes ---- */

/* Splits a run of events whose pid belongs to several processes over time: the stamp of each event
 * decides. */
static void
split(struct sb_part *x, size_t k, int64_t until)
{
    const struct sb_event *ev = sb_item_event(x->items.window.at[k]);
    x->items.window.at[k].value = (uint64_t)(uintptr_t)ev | SB_OWN;
    while ((ev = sb_stretch_next(ev, until, &x->items.cut)))
        sb_item_put(&x->items.window, ev, SB_OWN);
}

static uint32_t
bundle_of(struct sb_part *x, struct sb_bundler *b, uint32_t process)
{
    SB_REACH(&b->of_process, process);
    uint32_t *known = &b->of_process.at[process];
    if (!*known) {
        *SB_PUSH(&x->items.bundles) = (struct sb_bundle){.process = process};
        *known = (uint32_t)x->items.bundles.n;
    }
    return *known - 1;
}

static void
find(struct sb_part *x, struct sb_bundler *b, int64_t until)
{
    for (size_t k = 0; k < x->items.window.n; k++) {
        struct sb_sort_key item = x->items.window.at[k];
        if (k + AHEAD < x->items.window.n)
            __builtin_prefetch(sb_item_event(x->items.window.at[k + AHEAD]));
        const struct sb_event *ev = sb_item_event(item);
        if (sb_item_role(item) == SB_OWN || sb_item_role(item) == SB_STRETCH)
            sb_lanes_note(x, ev);
        uint32_t process = sb_actors_put(x, sb_item_actor(item), ev->at_ns);
        if (x->reborn && sb_item_role(item) == SB_STRETCH && x->lives.at[process].next_life)
            split(x, k, until);
        uint32_t bundle = bundle_of(x, b, process);
        x->items.bundles.at[bundle].n++;
        *SB_PUSH(&b->of_item) = bundle;
    }
}

/* ---- placing items ---- */

static void
put(struct sb_part *x, const struct sb_bundler *b, struct sb_sort_key *to)
{
    struct sb_bundle *bundle = x->items.bundles.at;
    size_t sum = 0;
    for (size_t i = 0; i < x->items.bundles.n; i++) {
        bundle[i].end = sum; /* of the items placed so far */
        sum += bundle[i].n;
    }
    for (size_t k = 0; k < x->items.window.n; k++)
        to[bundle[b->of_item.at[k]].end++] = x->items.window.at[k];
}

static bool
is_ordered(const struct sb_sort_key *at, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (at[k].key < at[k - 1].key)
            return false;
    return true;
}

void
sb_bundle_window(struct sb_part *x, struct sb_bundler *b, int64_t until)
{
    x->items.bundles.n = b->of_item.n = 0;
    find(x, b, until);
    b->spare.n = 0;
    SB_RESERVE(&b->spare, x->items.window.n);
    put(x, b, b->spare.at);
    b->spare.n = x->items.window.n;
    struct sb_items tmp = x->items.window;
    x->items.window = b->spare;
    b->spare = tmp;
    for (size_t i = 0; i < x->items.bundles.n; i++) {
        const struct sb_bundle *of = &x->items.bundles.at[i];
        struct sb_sort_key *at = x->items.window.at + of->end - of->n;
        if (!is_ordered(at, of->n))
            sb_sort_radix(at, b->spare.at, of->n);
        b->of_process.at[of->process] = 0;
    }
}

void
sb_bundler_close(struct sb_bundler *b)
{
    SB_VEC_FREE(&b->spare);
    SB_VEC_FREE(&b->of_item);
    SB_VEC_FREE(&b->of_process);
}
