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

static const struct sb_cure of_unseen = {
    .where = "no collection of a process saw them",
    .erlang = "copy the part that is kept with binary:copy/1 before it goes into a table, since a part of a "
              "binary keeps all of it; hibernate processes that held them and seldom collect",
    .elixir = "copy the part that is kept with :binary.copy/1 before it goes into a table, since a part of a "
              "binary keeps all of it; hibernate processes that held them and seldom collect",
};

enum { GREW_BYTES = 32 << 20, WORD_BYTES = 8, PARTS = 4, STEADY = 8 };

struct growth { /* of the memory of binaries */
    int64_t first, last, most;
    int64_t from, to, part[PARTS]; /* times; the last value of each part of the run */
};

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

static bool
read_growth(const struct sb_why *w, struct growth *g)
{
    int64_t memory = sb_profile_find_text(w->x.profile, SB_STR("memory")),
            binary = sb_profile_find_text(w->x.profile, SB_STR("binary"));
    if (memory == SB_NULL || binary == SB_NULL)
        return false;
    *g = (struct growth){.first = SB_NULL, .from = w->x.t0, .to = w->x.t1};
    SB_SCAN(s, w->x.profile, sample, item, key, value, at);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        int64_t v = s.value[value][i], when = s.value[at][i];
        if (s.value[item][i] != memory || s.value[key][i] != binary)
            continue;
        g->last = v;
        g->first = g->first == SB_NULL ? v : g->first;
        g->most = v > g->most ? v : g->most;
        for (int k = 0; k < PARTS; k++)
            if (when <= g->from + (g->to - g->from) / PARTS * (k + 1))
                g->part[k] = v;
    }
    return g->first != SB_NULL && g->last - g->first >= GREW_BYTES && 10 * g->last >= 8 * g->most;
}

/* In each part of the run by a good share of what it grew by: what is read once and kept grows at once. */
static bool
is_steady(const struct growth *g)
{
    int64_t before = g->first;
    for (int k = 0; k < PARTS; before = g->part[k++])
        if (STEADY * (g->part[k] - before) < g->last - g->first)
            return false;
    return true;
}

static void
find(struct sb_why *w)
{
    struct growth g;
    if (!read_growth(w, &g))
        return;
    struct holder h = holder_of(w);
    bool is_held = h.process > 0 && h.heap_words >= 0 && h.bin_words >= 4 * h.heap_words,
         is_most = 4 * h.bin_words * WORD_BYTES >= g.last;
    struct sb_finding f = {
        .process = h.process,
        .gain = {SB_NULL, SB_NULL, SB_NULL},
        .confidence = "medium",
        .evidence = "SELECT at, value FROM sample WHERE item = 'memory' AND key = 'binary'",
    };
    const char *from = sb_words_bytes(w->arena, g.first), *to = sb_words_bytes(w->arena, g.last),
               *held = sb_words_bytes(w->arena, h.bin_words * WORD_BYTES);
    if (is_held && is_most)
        sb_why_put(
            w, f, "memory of binaries grew from %s to %s and stayed; %s refers to %s of it with a heap of %s",
            from, to, sb_why_who(w, h.process), held, sb_words_bytes(w->arena, h.heap_words * WORD_BYTES));
    if (is_most || sb_profile_rows(w->x.profile, SB_T_gc) == 0 || !is_steady(&g))
        return; /* without collections it is unknown what they would have seen */
    f.process = 0;
    f.subject = "binaries";
    f.confidence = "low";
    f.cure = &of_unseen;
    sb_why_put(w, f,
               "memory of binaries grew steadily from %s to %s, and no collection of a process saw more "
               "than %s of it: tables hold it, or processes that have not collected since",
               from, to, held);
}
