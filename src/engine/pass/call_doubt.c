#include "engine/pass/call_doubt.h"

/* ---- learned answers, by the node on top and the code returned to: the node of the topmost frame that
 * stays, whether the lowest frame that ended has the same node, and how often this was found */

enum { TIMES = SB_DOUBT_LEARN, SAME = TIMES + 1, NODE_SHIFT = 3 };

static uint64_t
key_of(const struct sb_calltree *t)
{
    return (uint64_t)t->frame.at[t->frame.n - 1].node << 32 | t->doubt.to;
}

static void
learn(struct sb_calltree *t, const struct sb_call_rest *rest)
{
    size_t keep = rest->keep;
    uint32_t node = keep ? t->frame.at[keep - 1].node : 0;
    bool same = keep && (rest->repeats < t->frame.at[keep - 1].repeats ||
                         (keep < t->frame.n && t->frame.at[keep].node == node));
    uint32_t *slot = sb_map_put(&t->learned, key_of(t), NULL), times = *slot & TIMES;
    *slot = node << NODE_SHIFT | (same ? SAME : 0) | (times < TIMES ? times + 1 : times);
}

static size_t
frames_up_to(const struct sb_calltree *t, uint32_t node, size_t n)
{
    while (n > 0 && t->frame.at[n - 1].node != node)
        n--;
    return n;
}

/* Returns what stays if the last call of frame `i` and all frames above it ended. */
static struct sb_call_rest
ended_from(const struct sb_calltree *t, size_t i)
{
    uint32_t repeats = t->frame.at[i].repeats;
    return repeats ? (struct sb_call_rest){i + 1, repeats - 1} : (struct sb_call_rest){i, UINT32_MAX};
}

static bool
recall(const struct sb_calltree *t, struct sb_call_rest *rest)
{
    const uint32_t *slot = sb_map_get(&t->learned, key_of(t));
    if (!slot || (*slot & TIMES) < TIMES)
        return false;
    uint32_t node = *slot >> NODE_SHIFT;
    *rest = (struct sb_call_rest){0};
    if (node == 0)
        return true;
    size_t n = frames_up_to(t, node, *slot & SAME ? t->frame.n : t->frame.n - 1);
    *rest = *slot & SAME && n > 0 ? ended_from(t, n - 1) : (struct sb_call_rest){n, UINT32_MAX};
    if (*slot & SAME && n > 0 && rest->keep < n)
        rest->keep = frames_up_to(t, node, n - 1);
    return rest->keep > 0;
}

bool
sb_doubt_known(struct sb_calltree *t, int64_t at, uint32_t to, struct sb_call_rest *rest)
{
    struct sb_call_doubt *d = &t->doubt;
    d->to = to;
    if (recall(t, rest))
        return true;
    d->open = true;
    d->at = at;
    d->scanned = t->queue_head;
    d->running = to;
    d->spare = d->returns = 0;
    d->above.n = 0;
    return false;
}

/* ---- later events: each function returns whether they settle the doubt, and what stays */

static size_t
lowest_under(const struct sb_calltree *t, uint32_t code)
{
    size_t i = 0;
    while (i < t->frame.n && t->frame.at[i].under != code)
        i++;
    return i;
}

/* Returns what stays if `returns` returns came without a call and the first went below frame `lowest`: as
 * many functions were still alive. */
static struct sb_call_rest
alive_from(const struct sb_calltree *t, size_t lowest, size_t returns)
{
    size_t last = t->frame.n - 1, keep = lowest + returns;
    return keep <= last ? (struct sb_call_rest){keep, 0} : ended_from(t, last);
}

static bool
spare_returns_decide(const struct sb_calltree *t, struct sb_call_rest *rest)
{
    const struct sb_call_doubt *d = &t->doubt;
    size_t lowest = lowest_under(t, d->running);
    if (d->returns > 0)
        *rest = alive_from(t, lowest < t->frame.n ? lowest : 0, d->returns);
    return d->returns > 0;
}

static bool
call_decides(struct sb_calltree *t, uint32_t fn, struct sb_call_rest *rest)
{
    struct sb_call_doubt *d = &t->doubt;
    if (spare_returns_decide(t, rest))
        return true;
    size_t same = d->above.n == 0 ? sb_call_find(t, fn, t->frame.n) : SIZE_MAX;
    *SB_PUSH(&d->above) = fn;
    if (same == SIZE_MAX || (d->running != d->to && same > 0))
        return false;
    *rest = ended_from(t, same); /* the caller of that frame calls it again */
    return true;
}

/* A return without a call: from a function in doubt, or from a call above it. */
static bool
spare_return_decides(struct sb_calltree *t, uint32_t fn, struct sb_call_rest *rest)
{
    struct sb_call_doubt *d = &t->doubt;
    size_t to = fn ? sb_call_find(t, fn, t->frame.n - 1) : SIZE_MAX;
    if (to != SIZE_MAX || !fn) {
        *rest = alive_from(t, fn ? to + 1 : 0, d->returns + 1);
        return true;
    }
    if (d->spare > 0)
        d->spare--;
    else
        d->returns++;
    d->running = fn;
    return false;
}

static bool
return_decides(struct sb_calltree *t, uint32_t fn, struct sb_call_rest *rest)
{
    struct sb_call_doubt *d = &t->doubt;
    for (size_t i = d->above.n; i-- > 0;)
        if (d->above.at[i] == fn) {
            d->above.n = i + 1;
            return false;
        }
    if (d->above.n == 0)
        return spare_return_decides(t, fn, rest);
    size_t to = fn ? sb_call_find(t, fn, t->frame.n - 1) : SIZE_MAX;
    if (to != SIZE_MAX || !fn || sb_call_is_traced(t, fn)) {
        *rest = (struct sb_call_rest){to != SIZE_MAX ? to + 1 : 0, UINT32_MAX};
        return true;
    }
    d->spare += d->above.n - 1;
    d->above.n = 0;
    d->running = fn;
    return false;
}

/* Returns the likely answer if no event settles the doubt: the function that the same code called has
 * ended; if there is none, all have. */
static struct sb_call_rest
likely(const struct sb_calltree *t)
{
    size_t i = t->frame.n;
    while (i > 0 && t->frame.at[i - 1].under != t->doubt.to)
        i--;
    return (struct sb_call_rest){i ? i - 1 : 0, UINT32_MAX};
}

static bool
event_decides(struct sb_calltree *t, const struct sb_call_event *ev, struct sb_call_rest *rest)
{
    return (ev->kind == SB_CALL && call_decides(t, ev->fn, rest)) ||
           (ev->kind == SB_RETURN_TO && return_decides(t, ev->fn, rest));
}

bool
sb_doubt_decide(struct sb_calltree *t, bool last, struct sb_call_rest *rest)
{
    struct sb_call_doubt *d = &t->doubt;
    bool decided = false;
    while (!decided && d->scanned < t->queue.n)
        decided = event_decides(t, &t->queue.at[d->scanned++], rest);
    if (!decided && !last && d->scanned - t->queue_head < SB_DOUBT_EVENTS)
        return false;
    if (!decided && !spare_returns_decide(t, rest))
        *rest = likely(t);
    learn(t, rest);
    d->open = false;
    return true;
}
