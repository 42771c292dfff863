#include "answer/gc_copied.h"

enum { PROCESS, DUR, KIND, BEFORE, OLD, BUFFERS, FREED, COLUMNS };
static const unsigned column[COLUMNS] = {SB_C_gc__process,        SB_C_gc__dur,        SB_C_gc__kind,
                                         SB_C_gc__heap_before,    SB_C_gc__old_before, SB_C_gc__mbuf_words,
                                         SB_C_gc__reclaimed_words};

/* A minor collection does not look at the old heap. Words it frees cost nothing; words that stay are copied.
 */
static int64_t
kept_of(const int64_t *row, int64_t minor)
{
    if (row[DUR] == SB_NULL || row[BEFORE] == SB_NULL || row[FREED] == SB_NULL)
        return SB_NULL;
    double looked_at = (double)row[BEFORE] - (row[KIND] == minor && row[OLD] > 0 ? (double)row[OLD] : 0) +
                       (row[BUFFERS] > 0 ? (double)row[BUFFERS] : 0);
    double freed = row[FREED] > 0 && looked_at > 0 ? (double)row[FREED] / looked_at : 0;
    return (int64_t)((double)row[DUR] * (freed < 1 ? 1 - freed : 0));
}

void
sb_gc_copied_find(const struct sb_profile *p, struct sb_arena *a, struct sb_gc_copied *out)
{
    uint64_t n = sb_profile_rows(p, SB_T_process);
    int64_t *of = SB_NEW_N(a, int64_t, n + 1), minor = sb_profile_find_text(p, SB_STR("minor")), row[COLUMNS];
    struct sb_scan s;
    unsigned at[COLUMNS];
    *out = (struct sb_gc_copied){.process = SB_NULL};
    sb_scan_open(&s, p, SB_T_gc);
    for (unsigned c = 0; c < COLUMNS; c++)
        at[c] = sb_scan_want(&s, column[c]);
    while (sb_scan_next(&s))
        for (size_t i = 0; i < s.n; i++) {
            for (unsigned c = 0; c < COLUMNS; c++)
                row[c] = s.value[at[c]][i];
            int64_t kept = kept_of(row, minor);
            if (kept == SB_NULL || row[PROCESS] < 1 || (uint64_t)row[PROCESS] > n)
                continue;
            out->ns += kept;
            out->all_ns += row[DUR];
            of[row[PROCESS]] += kept;
        }
    sb_scan_close(&s);
    for (uint64_t i = 1; i <= n; i++)
        if (of[i] > out->process_ns)
            out->process = (int64_t)i, out->process_ns = of[i];
}
