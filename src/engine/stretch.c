#include "engine/stretch.h"
#include "engine/actors.h"

enum { AHEAD = 12, LINES = 4 }; /* items that are fetched before they are looked at, and events of a stretch */

static void
fetch(const struct sb_part *x, size_t i)
{
    if (i >= x->window.n)
        return;
    const struct sb_event *ev = sb_item_event(x->window.at[i]);
    unsigned n = sb_item_role(x->window.at[i]) == SB_STRETCH ? LINES : 1;
    for (unsigned k = 0; k < n; k++)
        __builtin_prefetch(ev + k);
}

static void
sort(struct sb_part *x)
{
    x->spare.n = 0;
    SB_RESERVE(&x->spare, x->line.n);
    sb_sort_radix(x->line.at, x->spare.at, x->line.n);
}

void
sb_stretch_lay_out(struct sb_part *x, size_t from, size_t to, int64_t until)
{
    const struct sb_event *open = NULL; /* a stretch goes on here */
    struct sb_items *line = &x->line;
    bool in_order = true;
    line->n = 0;
    for (size_t i = from; i < to; i++) {
        const struct sb_event *ev = sb_item_event(x->window.at[i]);
        enum sb_role role = sb_item_role(x->window.at[i]);
        fetch(x, i + AHEAD);
        for (; open && (open->at_ns <= ev->at_ns || role == SB_STRETCH); open = sb_stretch_next(open, until, &x->cut)) {
            __builtin_prefetch(open + LINES);
            sb_item_put(line, open, SB_OWN);
        }
        if (role == SB_ARRIVAL)
            sb_actors_expect(x->run, ev->who);
        if (role == SB_STRETCH) {
            in_order &= line->n == 0 || line->at[line->n - 1].key <= sb_bias(ev->at_ns);
            open = ev;
            continue;
        }
        sb_item_put(line, ev, role);
        in_order &= line->n == 1 || line->at[line->n - 2].key <= line->at[line->n - 1].key;
    }
    for (; open; open = sb_stretch_next(open, until, &x->cut))
        sb_item_put(line, open, SB_OWN);
    if (!in_order)
        sort(x);
}
