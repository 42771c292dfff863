#include "why/find/finding.h"
#include "profile/scan_row.h"

SB_RULE(binary_retention) = {
    .name = "binary_retention",
    .looks_for = "memory of binaries that grows and stays, held by small references",
    .erlang =
        "copy the part that is kept with binary:copy/1, or hibernate the process that holds the references",
    .elixir =
        "copy the part that is kept with :binary.copy/1, or hibernate the process that holds the references",
    .of_run = true,
    .find = find,
};

enum { GREW_BYTES = 32 << 20, WORD_BYTES = 8 };

struct holder {
    int64_t process, bin_words, heap_words;
};

/* The process whose collections saw most binaries referred to. */
static struct holder
holder_of(const struct sb_why *w)
{
    struct holder h = {0};
    SB_SCAN(s, w->x.profile, gc, process, bin_after, heap_after);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[bin_after][i] > h.bin_words && s.value[process][i] >= 1 &&
            s.value[process][i] < w->x.n_actors)
            h = (struct holder){s.value[process][i], s.value[bin_after][i], s.value[heap_after][i]};
    return h;
}

static void
find(struct sb_why *w)
{
    int64_t memory = sb_profile_find_text(w->x.profile, SB_STR("memory")),
            binary = sb_profile_find_text(w->x.profile, SB_STR("binary"));
    int64_t first = SB_NULL, last = 0, most = 0;
    if (memory == SB_NULL || binary == SB_NULL)
        return;
    SB_SCAN(s, w->x.profile, sample, item, key, value);
    for (size_t i = 0; sb_scan_row(&s, &i); i++)
        if (s.value[item][i] == memory && s.value[key][i] == binary) {
            last = s.value[value][i];
            first = first == SB_NULL ? last : first;
            most = last > most ? last : most;
        }
    if (first == SB_NULL || last - first < GREW_BYTES || 10 * last < 8 * most)
        return;
    struct holder h = holder_of(w);
    if (h.process == 0 || h.heap_words < 0 || h.bin_words < 4 * h.heap_words ||
        4 * h.bin_words * WORD_BYTES < last)
        return;
    struct sb_finding f = {
        .process = h.process,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "medium",
        .evidence = "SELECT at, value FROM sample WHERE item = 'memory' AND key = 'binary'",
    };
    sb_why_put(w, f,
               "memory of binaries grew from %s to %s and stayed; %s refers to %s of it with a heap of %s",
               sb_words_bytes(w->arena, first), sb_words_bytes(w->arena, last), sb_why_who(w, h.process),
               sb_words_bytes(w->arena, h.bin_words * WORD_BYTES),
               sb_words_bytes(w->arena, h.heap_words * WORD_BYTES));
}
