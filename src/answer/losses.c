#include "answer/losses.h"
#include "base/order.h"
#include "profile/scan_row.h"
#include "trace/event.h"
#include "base/shell.h"

static void
add(struct sb_losses *l, struct sb_str class, int64_t events)
{
    size_t i = 0;
    while (i < l->n && i + 1 < SB_LOSS_CLASSES && !sb_str_eq(l->of[i].class, class))
        i++;
    if (i == l->n)
        l->of[l->n++] = (struct sb_loss){class, 0};
    if (events != SB_NULL)
        l->of[i].events = (int64_t)sb_amount_sum((uint64_t)l->of[i].events, (uint64_t)events);
}

static bool
is_damage(const struct sb_loss *l)
{
    return sb_str_eq(l->class, SB_STR("damage"));
}

SB_ORDER(by_events, struct sb_loss, SB_DOWN(events) ?: sb_str_cmp(a->class, b->class))

struct sb_losses
sb_losses_find(const struct sb_profile *p)
{
    struct sb_losses l = {.events = SB_NULL};
    SB_SCAN(s, p, loss, class, events);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        add(&l, sb_profile_text(p, s.value[class][i]), s.value[events][i]);
    sb_sort(l.of, l.n, sizeof *l.of, by_events);
    for (size_t i = 0; i < l.n; i++)
        if (!is_damage(&l.of[i]))
            __builtin_add_overflow(l.events == SB_NULL ? 0 : l.events, l.of[i].events, &l.events);
    return l;
}

struct sb_str
sb_losses_text(const struct sb_losses *l, struct sb_arena *a)
{
    struct sb_str all = SB_STR("");
    for (size_t i = 0; i < l->n; i++)
        all = sb_arena_printf(
            a, is_damage(&l->of[i]) ? "%.*s%s%.*s in %s place%s, unknown how much" : "%.*s%s%.*s %s",
            SB_STR_ARG(all), i ? ", " : "", SB_STR_ARG(l->of[i].class),
            sb_human(l->of[i].events, SB_U_COUNT).text, l->of[i].events == 1 ? "" : "s");
    return all;
}

static struct sb_str
lost_events(const struct sb_profile *p, struct sb_arena *a)
{
    struct sb_losses lost = sb_losses_find(p);
    if (lost.n == 0)
        return (struct sb_str){0};
    struct sb_str path = sb_shell_word(sb_str_of(sb_profile_path(p)), a);
    return sb_arena_printf(
        a,
        "LOST: %.*s. Counts can be too small, and times next to the gaps are unknown: %.*s report %.*s loss",
        SB_STR_ARG(sb_losses_text(&lost, a)), SB_STR_ARG(sb_shell_self(a)), SB_STR_ARG(path));
}

struct counted {
    int64_t functions, calls, from;
    bool at_least;
};

static struct counted
find_counted(const struct sb_profile *p)
{
    struct counted all = {.from = INT64_MAX};
    SB_SCAN(s, p, function, counted_from, counted, at_least);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        if (s.value[counted_from][i] == SB_NULL)
            continue;
        all.functions++;
        all.from = s.value[counted_from][i] < all.from ? s.value[counted_from][i] : all.from;
        all.at_least |= s.value[at_least][i] == 1;
        if (s.value[counted][i] != SB_NULL)
            __builtin_add_overflow(all.calls, s.value[counted][i], &all.calls);
    }
    return all;
}

struct sb_str
sb_losses_counted(const struct sb_profile *p, struct sb_arena *a)
{
    struct counted all = find_counted(p);
    if (all.functions == 0)
        return (struct sb_str){0};
    return sb_arena_printf(a,
                           "COUNTED: from %s on, calls of %lld %s were only counted: %s%s. Numbers of calls "
                           "include them; times, callers and call trees do not",
                           sb_human(all.from, SB_U_AT_NS).text, (long long)all.functions,
                           all.functions == 1 ? "function" : "functions", all.at_least ? "at least " : "",
                           sb_human(all.calls, SB_U_COUNT).text);
}

static struct sb_str
thinned(const struct sb_profile *p)
{
    if (sb_profile_meta(p, SB_STR("thinned")).n == 0)
        return (struct sb_str){0};
    return SB_STR("THINNED: of many similar processes that strobe:spawn started, the calls of only some were "
                  "recorded; numbers and times of calls are those of these");
}

static struct sb_str
wrapped(const struct sb_profile *p)
{
    if (sb_profile_meta(p, SB_STR("wrapped")).n == 0)
        return (struct sb_str){0};
    return SB_STR("WRAPPED: older files of the wrap set were removed, and the events in them are missing");
}

struct sb_str
sb_losses_unfinished(const struct sb_profile *p, struct sb_arena *a)
{
    int64_t span;
    if (sb_profile_meta(p, SB_STR("unfinished")).n == 0)
        return (struct sb_str){0};
    if (!sb_str_to_i64(sb_profile_meta(p, SB_STR("span_ns")), &span))
        span = 0;
    return sb_arena_printf(a,
                           "UNFINISHED: the trace was still being written. This profile covers its first %s; "
                           "analyse the trace again to see more",
                           sb_human(span, SB_U_NS).text);
}

struct sb_loss_notes
sb_losses_notes(const struct sb_profile *p, bool has_rows, struct sb_arena *a)
{
    struct sb_loss_notes notes = {0};
    struct sb_str all[] = {sb_losses_unfinished(p, a), wrapped(p), has_rows ? SB_STR("") : lost_events(p, a),
                           has_rows ? SB_STR("") : sb_losses_counted(p, a), thinned(p)};
    _Static_assert(sizeof all == sizeof notes.at, "room for each");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].n > 0)
            notes.at[notes.n++] = all[i];
    return notes;
}
