#include "engine/order/stretch.h"
#include "engine/world/actors.h"

enum {
    AHEAD = 12, /* prefetch distance in items, at least */
    NEAR = 6,   /* distance after which the item's first event is in the cache, so its sender is prefetched */
    LINES = 4,  /* prefetched events of an item */
};

void
sb_stretch_fetch(struct sb_part *x)
{
    const struct sb_items *w = &x->items.window;
    size_t i = x->items.fetched++;
    const struct sb_event *ev = sb_item_event(w->at[i]);
    size_t step = sb_item_role(w->at[i]) == SB_STRETCH;
    for (unsigned k = 0; k < LINES; k++)
        __builtin_prefetch(ev + k * step);
    if (i >= NEAR)
        sb_actors_expect(x->run, sb_item_event(w->at[i - NEAR])->who);
}

/* Appends items to a list that has room, and records whether their keys increase. */
struct laying {
    struct sb_sort_key *to, *end;
    uint64_t last;
    bool in_order;
};

static inline void
lay(struct laying *l, struct sb_sort_key item)
{
    l->in_order &= item.key > l->last;
    l->last = item.key;
    *l->to++ = item;
}

/* Sorts the items, unless they are out of order only in that some stamps are equal. */
static void
sort(struct sb_part *x)
{
    struct sb_items *v = &x->items.line;
    size_t k = 1;
    while (k < v->n && v->at[k - 1].key <= v->at[k].key)
        k++;
    if (k >= v->n)
        return;
    x->items.spare.n = 0;
    SB_RESERVE(&x->items.spare, v->n);
    sb_sort_radix(v->at, x->items.spare.at, v->n);
}

/* Appends the events of the open run up to and including `last`. Returns the rest of the run. */
static inline const struct sb_event *
lay_open(struct sb_part *x, struct laying *l, const struct sb_event *open, int64_t last, int64_t until)
{
    for (; open && open->at_ns <= last; open = sb_stretch_next(open, until, &x->items.cut)) {
        __builtin_prefetch(open + LINES);
        lay(l, sb_item(open, SB_OWN));
    }
    return open;
}

/* Appends an item after the earlier events of the open run. Returns the run that is open then. */
static inline const struct sb_event *
lay_item(struct sb_part *x, struct laying *l, const struct sb_event *open, struct sb_sort_key item,
         int64_t until)
{
    bool begins = sb_item_role(item) == SB_STRETCH;
    open = lay_open(x, l, open, begins ? INT64_MAX : sb_item_at(item), until);
    if (begins)
        return sb_item_event(item);
    lay(l, item);
    return open;
}

/* Makes room for the events of one item. */
static inline void
make_room(struct sb_items *line, struct laying *l)
{
    if (l->end - l->to > SB_STRETCH_MOST)
        return;
    line->n = (size_t)(l->to - line->at);
    SB_RESERVE(line, SB_STRETCH_MOST + 1);
    l->to = line->at + line->n;
    l->end = line->at + line->cap;
}

bool
sb_stretch_lay_out(struct sb_part *x, size_t from, size_t to, int64_t until)
{
    const struct sb_event *open = NULL; /* the current run of events */
    struct sb_items *line = &x->items.line;
    struct laying l = {.to = line->at, .end = line->at + line->cap, .in_order = true};
    x->items.fetched = from == 0 ? 0 : x->items.fetched;
    for (size_t i = from; i < to; i++) {
        while (x->items.fetched < i + AHEAD && x->items.fetched < x->items.window.n)
            sb_stretch_fetch(x);
        make_room(line, &l);
        open = lay_item(x, &l, open, x->items.window.at[i], until);
    }
    make_room(line, &l);
    lay_open(x, &l, open, INT64_MAX, until);
    line->n = (size_t)(l.to - line->at);
    if (!l.in_order)
        sort(x);
    return l.in_order;
}
