#include "profile/scan_row.h"
#include "why/find/finding.h"

SB_RULE(mailbox_growth) = {
    .name = "mailbox_growth",
    .looks_for = "a process that gets messages faster than it takes them",
    .erlang = "let the senders wait for an answer now and then (a call instead of a cast), divide the work, "
              "or drop messages",
    .elixir = "let the senders wait for an answer now and then (a call instead of a cast), use GenStage, "
              "divide the work, or drop messages",
    .serializes = true,
    .of_work = true,
    .of_requests = true,
    .find = find,
};

enum { LONG_MAILBOX = 1000, HALF = LONG_MAILBOX / 2 };

static int64_t
longest_mailbox(const struct sb_why *w, int64_t id)
{
    int64_t sampled = SB_CELL(w->x.profile, process, peak_mailbox, (uint64_t)id - 1),
            counted = SB_CELL(w->x.profile, process, max_queue, (uint64_t)id - 1);
    return sampled > counted ? sampled : counted;
}

/* From samples that found HALF or more in the mailbox up to those that found less. Where no sample shows it, what was
 * counted may have been there for the whole run. */
static void
find_long(const struct sb_why *w, int64_t id, struct sb_ranges *out)
{
    const struct sb_profile *p = w->x.profile;
    int64_t mailbox = sb_profile_find_text(p, SB_STR("mailbox")), since = SB_NULL;
    SB_SCAN(s, p, sample, at, item, value, process);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        if (s.value[process][i] != id || s.value[item][i] != mailbox)
            continue;
        bool is_long = s.value[value][i] >= HALF;
        if (is_long && since == SB_NULL)
            since = s.value[at][i];
        if (!is_long && since != SB_NULL)
            sb_ranges_add(out, since, s.value[at][i]);
        since = is_long ? since : SB_NULL;
    }
    if (since != SB_NULL && since < w->x.t1)
        sb_ranges_add(out, since, w->x.t1);
    if (out->n == 0)
        sb_ranges_add(out, w->x.t0, w->x.t1);
    sb_ranges_unite(out);
}

/* Messages to itself, which it looks past, are no sign of that. */
static bool
is_of_itself(const struct sb_why *w, int64_t id)
{
    const struct sb_traffic *own = sb_evidence_edge(&w->x, id, id);
    return own && 2 * own->count >= (int64_t)(w->x.inbox[id + 1] - w->x.inbox[id]);
}

static void
look_at(struct sb_why *w, int64_t id, int64_t most)
{
    SB_SCOPED struct sb_ranges full = {0}, work = {0};
    find_long(w, id, &full);
    sb_slices_of(&w->x, id, &work);
    sb_ranges_cut(&work, &full);
    int64_t ns = sb_ranges_ns(&work), all = sb_ranges_ns(&full),
            spare = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
    if (2 * ns < all || ns == 0)
        return;
    struct sb_finding f = {
        .process = id,
        .gain = {0, sb_why_serial_gain(w, ns, spare), sb_least(sb_why_spread(w, ns), sb_why_headroom(w))},
        .confidence = "medium",
        .evidence = "SELECT who(id), peak_mailbox, max_queue FROM process WHERE id = {process}",
    };
    sb_why_put(w, f,
               "the mailbox of %s grew to at least %s messages; while it was long, the process worked %s, %d "
               "%% of that time, and could not keep up%s%s",
               sb_why_who(w, id), sb_words_count(w->arena, most), sb_words_ns(w->arena, ns),
               sb_percent(ns, all), sb_why_dirty(w, id), sb_why_hot(w, id, false, NULL));
}

static void
find(struct sb_why *w)
{
    SB_EACH_PRESENT (&w->x, id) {
        const struct sb_actor *a = &w->x.actor[id];
        if (!sb_why_is_material(w, a->work_ns) || a->service != SB_SERVICE_NONE)
            continue;
        int64_t most = longest_mailbox(w, id);
        if (most >= LONG_MAILBOX && !is_of_itself(w, id))
            look_at(w, id, most);
    }
}
