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
    .find = find,
};

enum { LONG_MAILBOX = 1000 };

static int64_t
longest_mailbox(const struct sb_why *w, int64_t id)
{
    int64_t sampled =
                sb_profile_cell(w->x.profile, SB_T_process, SB_C_process__peak_mailbox, (uint64_t)id - 1),
            counted = sb_profile_cell(w->x.profile, SB_T_process, SB_C_process__max_queue, (uint64_t)id - 1);
    return sampled > counted ? sampled : counted;
}

static void
find(struct sb_why *w)
{
    for (uint64_t id = 1; id < w->x.n_actors; id++) {
        const struct sb_actor *a = &w->x.actor[id];
        int64_t most = longest_mailbox(w, (int64_t)id);
        if (most < LONG_MAILBOX || 2 * a->work_ns < w->x.span_ns || a->service != SB_SERVICE_NONE)
            continue;
        struct sb_ranges work = {0};
        sb_slices_of(&w->x, (int64_t)id, &work);
        int64_t spare = sb_ranges_within(&work, &w->x.level, SB_LEVEL_SPARE);
        SB_VEC_FREE(&work);
        sb_why_put(
            w, (struct sb_finding){
                   .process = (int64_t)id,
                   .title = sb_words(w->arena,
                                     "the mailbox of %s grew to at least %s messages; it was at work %d %% "
                                     "of the time and could not keep up%s",
                                     sb_why_who(w, (int64_t)id), sb_words_count(w->arena, most),
                                     sb_percent(a->work_ns, w->x.span_ns), sb_why_dirty(w, (int64_t)id)),
                   .gain = {0, sb_why_serial_gain(w, a->work_ns, spare),
                            sb_least(sb_why_spread(w, a->work_ns), sb_why_headroom(w))},
                   .confidence = "medium",
                   .evidence = sb_words(w->arena,
                                        "SELECT who(id), peak_mailbox, max_queue FROM process WHERE id = %zu",
                                        (size_t)id),
               });
    }
}
