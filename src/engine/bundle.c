#include "engine/bundle.h"
#include "engine/actors.h"
#include "engine/lanes.h"
#include "engine/stretch.h"

enum { AHEAD = 16 }; /* items that are fetched before they are looked at */

/* ---- whose they are ---- */

/* Somebody else has this pid later: of whom an event is, its stamp tells. */
static void
split(struct sb_part *x, size_t k, int64_t until)
{
    const struct sb_event *ev = sb_item_event(x->window.at[k]);
    x->window.at[k].value = (uint64_t)(uintptr_t)ev | SB_OWN;
    while ((ev = sb_stretch_next(ev, until, &x->cut)))
        sb_item_put(&x->window, ev, SB_OWN);
}

static uint32_t
bundle_of(struct sb_bundler *b, uint32_t process)
{
    SB_REACH(&b->of_process, process);
    uint32_t *known = &b->of_process.at[process];
    if (!*known) {
        *SB_PUSH(&b->bundles) = (struct sb_bundle){.process = process};
        *known = (uint32_t)b->bundles.n;
    }
    return *known - 1;
}

static void
find(struct sb_part *x, struct sb_bundler *b, int64_t until)
{
    for (size_t k = 0; k < x->window.n; k++) {
        struct sb_sort_key item = x->window.at[k];
        if (k + AHEAD < x->window.n)
            __builtin_prefetch(sb_item_event(x->window.at[k + AHEAD]));
        const struct sb_event *ev = sb_item_event(item);
        if (sb_item_role(item) == SB_OWN || sb_item_role(item) == SB_STRETCH)
            sb_lanes_note(x, ev);
        uint32_t process = sb_actors_put(x, sb_item_actor(item), ev->at_ns);
        if (x->reborn && sb_item_role(item) == SB_STRETCH && x->lives.at[process].next_life)
            split(x, k, until);
        uint32_t bundle = bundle_of(b, process);
        b->bundles.at[bundle].n++;
        *SB_PUSH(&b->of_item) = bundle;
    }
}

/* ---- where they go ---- */

static void
put(struct sb_bundler *b, const struct sb_items *from, struct sb_sort_key *to)
{
    size_t sum = 0;
    for (size_t i = 0; i < b->bundles.n; i++) {
        b->bundles.at[i].end = sum;
        sum += b->bundles.at[i].n;
    }
    for (size_t k = 0; k < from->n; k++)
        to[b->bundles.at[b->of_item.at[k]].end++] = from->at[k];
}

static bool
is_ordered(const struct sb_sort_key *at, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (at[k].key < at[k - 1].key)
            return false;
    return true;
}

static void
order(const struct sb_bundle *b, struct sb_sort_key *at, struct sb_sort_key *tmp)
{
    if (!is_ordered(at, b->n))
        sb_sort_radix(at, tmp, b->n);
    for (size_t k = 0; k < b->n; k++)
        at[k].key = b->process;
}

void
sb_bundle_window(struct sb_part *x, struct sb_bundler *b, int64_t until)
{
    b->bundles.n = b->of_item.n = 0;
    find(x, b, until);
    b->spare.n = 0;
    SB_RESERVE(&b->spare, x->window.n);
    put(b, &x->window, b->spare.at);
    b->spare.n = x->window.n;
    struct sb_items tmp = x->window;
    x->window = b->spare;
    b->spare = tmp;
    for (size_t i = 0; i < b->bundles.n; i++) {
        const struct sb_bundle *of = &b->bundles.at[i];
        order(of, x->window.at + of->end - of->n, b->spare.at);
        b->of_process.at[of->process] = 0;
    }
}

void
sb_bundler_close(struct sb_bundler *b)
{
    SB_VEC_FREE(&b->spare);
    SB_VEC_FREE(&b->bundles);
    SB_VEC_FREE(&b->of_item);
    SB_VEC_FREE(&b->of_process);
}
