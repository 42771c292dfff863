#include "why/run/evidence_impl.h"
#include "profile/scan_row.h"

enum { PROCESS, START, DUR, KIND, BEFORE, OLD, BUFFERS, FREED, AFTER, COLUMNS };
static const unsigned column[COLUMNS] = {SB_C_gc__process,    SB_C_gc__start,           SB_C_gc__dur,
                                         SB_C_gc__kind,       SB_C_gc__heap_before,     SB_C_gc__old_before,
                                         SB_C_gc__mbuf_words, SB_C_gc__reclaimed_words, SB_C_gc__heap_after};

/* A minor collection that finds no room in the old heap gives up, and a major one follows at once. The buffers are
 * still beside the heap then, and they are those of the major one. */
static bool
gave_up(const int64_t *row, int64_t minor)
{
    return row[KIND] == minor && row[BUFFERS] > 0 && row[FREED] == 0 && row[AFTER] == row[BEFORE];
}

/* By process: its letters that were looked at, and large ones among them that no collection was counted for. */
struct arrivals {
    uint32_t seen, large;
};

/* Built-in functions make buffers too. So a collection finds messages beside the heap only if one that is larger than
 * the tracer measures has come, and each collection takes one such message at least. */
static bool
finds_messages(const struct sb_evidence *x, struct arrivals *a, int64_t id, int64_t at)
{
    for (uint32_t i = x->inbox[id] + a->seen; i < x->inbox[id + 1]; i++, a->seen++) {
        const struct sb_letter *l = &x->letter[i];
        const struct sb_traffic *e = l->sender > 0 ? sb_evidence_edge(x, l->sender, id) : NULL;
        if (l->received != SB_NULL && l->received > at)
            break;
        a->large += e && e->at_least > 0;
    }
    if (a->large == 0)
        return false;
    a->large--;
    return true;
}

/* A minor collection does not look at the old heap. Words it frees cost nothing; words that stay are copied. */
static void
add(struct sb_evidence *x, struct arrivals *arrived, const int64_t *row, int64_t minor)
{
    struct sb_actor *a = &x->actor[row[PROCESS]];
    a->gc_ns += row[DUR];
    if (row[BEFORE] != SB_NULL && (a->gc.at == 0 || row[START] < a->gc.at)) {
        a->gc.at = row[START];
        a->gc.words = row[BEFORE];
    }
    if (gave_up(row, minor))
        return;
    if (row[BUFFERS] > 0 && finds_messages(x, &arrived[row[PROCESS]], row[PROCESS], row[START]))
        a->gc.mbuf_words += row[BUFFERS];
    if (row[BEFORE] == SB_NULL || row[FREED] == SB_NULL)
        return;
    double looked_at = (double)row[BEFORE] - (row[KIND] == minor && row[OLD] > 0 ? (double)row[OLD] : 0) +
                       (row[BUFFERS] > 0 ? (double)row[BUFFERS] : 0);
    double freed = row[FREED] > 0 && looked_at > 0 ? (double)row[FREED] / looked_at : 0;
    double kept = freed < 1 ? 1 - freed : 0;
    a->gc_kept_ns += (int64_t)((double)row[DUR] * kept);
    a->gc_kept_words += (int64_t)(looked_at > 0 ? looked_at * kept : 0);
    a->gc_peak_words = row[AFTER] > a->gc_peak_words ? row[AFTER] : a->gc_peak_words;
}

void
sb_evidence_gc_add(struct sb_evidence *x)
{
    int64_t minor = sb_profile_find_text(x->profile, SB_STR("minor")), row[COLUMNS];
    struct arrivals *arrived = sb_zeroed_or_die(x->n_actors, sizeof *arrived);
    struct sb_scan s;
    sb_scan_open_columns(&s, x->profile, SB_T_gc, column, COLUMNS);
    sb_scan_where(&s, SB_C_gc__start, x->t0, x->t1 - 1);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        for (unsigned c = 0; c < COLUMNS; c++)
            row[c] = s.value[c][i];
        if (row[DUR] <= 0 || row[PROCESS] < 1 || row[PROCESS] >= x->n_actors)
            continue;
        add(x, arrived, row, minor);
    }
    free(arrived);
}
