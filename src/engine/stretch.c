#include "engine/stretch.h"
#include "engine/actors.h"

enum { AHEAD = 12, NEAR = 6, LINES = 4 }; /* items that are fetched before they are looked at, and events of a stretch */

static void
fetch(const struct sb_part *x, size_t i)
{
    const struct sb_items *w = &x->window;
    if (i + NEAR < w->n && sb_item_role(w->at[i + NEAR]) == SB_ARRIVAL)
        sb_actors_expect(x->run, sb_item_event(w->at[i + NEAR])->who);
    i += AHEAD;
    if (i >= w->n)
        return;
    const struct sb_event *ev = sb_item_event(w->at[i]);
    unsigned n = sb_item_role(w->at[i]) == SB_STRETCH ? LINES : 1;
    for (unsigned k = 0; k < n; k++)
        __builtin_prefetch(ev + k);
}

/* One item after the other, for which there is room; what is seen of their order. */
struct laying {
    struct sb_sort_key *to;
    uint64_t last;
    bool backwards, together; /* somewhere one is before, or as late as, the one in front of it */
};

static inline void
lay(struct laying *l, const struct sb_event *ev, enum sb_role role)
{
    uint64_t key = sb_bias(ev->at_ns);
    l->backwards |= key < l->last;
    l->together |= key == l->last;
    l->last = key;
    *l->to++ = (struct sb_sort_key){key, (uint64_t)(uintptr_t)ev | role};
}

static void
sort(struct sb_part *x)
{
    x->spare.n = 0;
    SB_RESERVE(&x->spare, x->line.n);
    sb_sort_radix(x->line.at, x->spare.at, x->line.n);
}

/* The stretch that is open, up to and with `last`; what goes on behind it. */
static inline const struct sb_event *
lay_open(struct sb_part *x, struct laying *l, const struct sb_event *open, int64_t last, int64_t until)
{
    for (; open && open->at_ns <= last; open = sb_stretch_next(open, until, &x->cut)) {
        __builtin_prefetch(open + LINES);
        lay(l, open, SB_OWN);
    }
    return open;
}

/* An item, behind what is before it of the stretch that is open; which one is open then. */
static inline const struct sb_event *
lay_item(struct sb_part *x, struct laying *l, const struct sb_event *open, struct sb_sort_key item, int64_t until)
{
    const struct sb_event *ev = sb_item_event(item);
    enum sb_role role = sb_item_role(item);
    open = lay_open(x, l, open, role == SB_STRETCH ? INT64_MAX : ev->at_ns, until);
    if (role == SB_STRETCH)
        return ev;
    lay(l, ev, role);
    return open;
}

bool
sb_stretch_lay_out(struct sb_part *x, size_t from, size_t to, int64_t until)
{
    const struct sb_event *open = NULL; /* a stretch goes on here */
    struct sb_items *line = &x->line;
    struct laying l = {0};
    line->n = 0;
    for (size_t i = from; i <= to; i++) {
        SB_RESERVE(line, SB_STRETCH_MOST + 1);
        l.to = line->at + line->n;
        if (i < to) {
            fetch(x, i);
            open = lay_item(x, &l, open, x->window.at[i], until);
        } else
            lay_open(x, &l, open, INT64_MAX, until);
        line->n = (size_t)(l.to - line->at);
    }
    if (l.backwards)
        sort(x);
    return !l.backwards && !l.together;
}
