#include "why/find/finding.h"

SB_RULE(head_of_line) = {
    .name = "head_of_line",
    .looks_for = "a process that waits for the first of many results while the others are ready",
    .erlang = "take the results in the order in which they come",
    .elixir =
        "use Task.async_stream with ordered: false, or take the results in the order in which they come",
    .find = find,
};

enum { FEWEST = 5 };

/* Processes of the same group that started later than `first` and had ended by `to`. */
static int64_t
overtook(const struct sb_why *w, int64_t first, int64_t to)
{
    const struct sb_actor *a = &w->x.actor[first];
    int64_t n = 0;
    for (int64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *b = &w->x.actor[id];
        n += id != first && b->group == a->group && b->start != SB_NULL && a->start != SB_NULL &&
             b->start >= a->start && b->end != SB_NULL && b->end < to;
    }
    return n;
}

static int64_t
work_after(const struct sb_why *w, int64_t process, int64_t from)
{
    SB_SCOPED struct sb_ranges rest = {0};
    sb_ranges_add(&rest, from, w->x.t1);
    return sb_work_within(&w->x, process, &rest);
}

static void
look_at(struct sb_why *w, int64_t id, const struct sb_step *s)
{
    int64_t from = s->start + s->dur, to = from + s->wait_ns,
            idle = sb_level_within(&w->x.level, SB_LEVEL_IDLE, from, to), later = work_after(w, id, to),
            n = sb_why_is_material(w, sb_least(idle, later)) ? overtook(w, s->waker, to) : 0;
    if (n < FEWEST)
        return;
    struct sb_finding f = {
        .process = id,
        .gain = {0, sb_least(idle, later), sb_least(s->wait_ns, later)},
        .confidence = "medium",
        .evidence = "SELECT start, wait_ns, who(waker) FROM gap WHERE process = {process} ORDER BY wait_ns "
                    "DESC LIMIT 5",
    };
    sb_why_put(w, f,
               "%s waited %s for %s, while %s processes started later had ended before; then it worked %s",
               sb_why_who(w, id), sb_words_ns(w->arena, s->wait_ns), sb_why_who(w, s->waker),
               sb_words_count(w->arena, n), sb_words_ns(w->arena, later));
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        const struct sb_step *longest = NULL;
        SB_EACH_STEP (&w->x, id, s) {
            bool counts =
                s->waker > 0 && s->wait != SB_WAIT_TIMER && (!longest || s->wait_ns > longest->wait_ns);
            longest = counts ? s : longest;
        }
        if (a->is_program && longest && sb_why_is_material(w, longest->wait_ns) &&
            !sb_is_loop(sb_evidence_text(&w->x, longest->out)))
            look_at(w, id, longest);
    }
}
