#include "why/finding.h"

static void find(struct sb_why *w);

const struct sb_rule sb_rule_binary_retention = {
    .name = "binary_retention",
    .looks_for = "memory of binaries that grows and stays, held by small references",
    .erlang =
        "copy the part that is kept with binary:copy/1, or hibernate the process that holds the references",
    .elixir =
        "copy the part that is kept with :binary.copy/1, or hibernate the process that holds the references",
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
    struct sb_scan s;
    sb_scan_open(&s, w->x.profile, SB_T_gc);
    unsigned process = sb_scan_want(&s, SB_C_gc__process), bin = sb_scan_want(&s, SB_C_gc__bin_after),
             heap = sb_scan_want(&s, SB_C_gc__heap_after);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (s.value[bin][i] > h.bin_words && s.value[process][i] >= 1 &&
                (uint64_t)s.value[process][i] < w->x.n_actors)
                h = (struct holder){s.value[process][i], s.value[bin][i], s.value[heap][i]};
    sb_scan_close(&s);
    return h;
}

static void
find(struct sb_why *w)
{
    struct sb_scan s;
    int64_t memory = sb_profile_find_text(w->x.profile, SB_STR("memory")),
            binary = sb_profile_find_text(w->x.profile, SB_STR("binary"));
    int64_t first = SB_NULL, last = 0, most = 0;
    if (memory == SB_NULL || binary == SB_NULL)
        return;
    sb_scan_open(&s, w->x.profile, SB_T_sample);
    unsigned item = sb_scan_want(&s, SB_C_sample__item), key = sb_scan_want(&s, SB_C_sample__key),
             value = sb_scan_want(&s, SB_C_sample__value);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++)
            if (s.value[item][i] == memory && s.value[key][i] == binary) {
                last = s.value[value][i];
                first = first == SB_NULL ? last : first;
                most = last > most ? last : most;
            }
    sb_scan_close(&s);
    struct holder h = holder_of(w);
    if (first == SB_NULL || last - first < GREW_BYTES || 10 * last < 8 * most || h.process == 0 ||
        h.heap_words < 0 || h.bin_words < 4 * h.heap_words || 4 * h.bin_words * WORD_BYTES < last)
        return;
    sb_why_put(
        w, (struct sb_finding){
               .process = h.process,
               .subject = sb_why_who(w, h.process),
               .title = sb_why_printf(w,
                                      "memory of binaries grew from %.*s to %.*s and stayed; %.*s refers to "
                                      "%.*s of it with a heap of %.*s",
                                      SB_STR_ARG(sb_why_bytes(w, first)), SB_STR_ARG(sb_why_bytes(w, last)),
                                      SB_STR_ARG(sb_why_who(w, h.process)),
                                      SB_STR_ARG(sb_why_bytes(w, h.bin_words * WORD_BYTES)),
                                      SB_STR_ARG(sb_why_bytes(w, h.heap_words * WORD_BYTES))),
               .low_ns = SB_NULL,
               .gain_ns = SB_NULL,
               .high_ns = SB_NULL,
               .confidence = "medium",
               .evidence = SB_STR("SELECT at, value FROM sample WHERE item = 'memory' AND key = 'binary'"),
           });
}
