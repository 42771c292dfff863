#include "profile/states.h"
#include "base/arena.h"
#include "base/order.h"
#include "profile/reader.h"
#include "profile/scan_row.h"
#include <stdlib.h>

struct sb_states {
    const struct sb_profile *p;
    struct sb_reader *slice, *gap, *gc;
    int64_t dirty_cpu, dirty_io;
    /* how far before t0 a row that overlaps it can start */
    int64_t longest_slice, longest_gap, longest_gc;
    struct sb_spans gcs;
    struct sb_spans open; /* collections that lasted when the trace ended: they have no row in gc */
};

SB_ORDER(by_process, struct sb_span, SB_UP(process) ?: SB_UP(start) ?: SB_UP(end))

/* ---- collections that lasted when the trace ended ---- */

/* Table `event` holds the starts of collections without an end. Where events were lost, the end may be among them. */
static void
read_open(struct sb_states *s)
{
    static const char *const name[] = {"gc_minor_start", "gc_major_start", "gc_start"};
    for (size_t k = 0; sb_profile_rows(s->p, SB_T_loss) == 0 && k < sizeof name / sizeof *name; k++) {
        int64_t kind = sb_profile_find_text(s->p, sb_str_of(name[k]));
        if (kind == SB_NULL)
            continue;
        SB_SCAN(scan, s->p, event, at, process);
        sb_scan_where(&scan, SB_C_event__kind, kind, kind);
        for (size_t i = 0; sb_scan_row(&scan, &i); i++)
            *SB_PUSH(&s->open) = (struct sb_span){
                .start = scan.value[at][i], .end = INT64_MAX, .process = scan.value[process][i]};
    }
}

/* The last one of each process that had not ended. */
static void
choose_open(struct sb_states *s)
{
    size_t n = 0;
    uint64_t n_processes = sb_profile_rows(s->p, SB_T_process);
    SB_SORT(&s->open, by_process);
    for (size_t i = 0; i < s->open.n; i++) {
        const struct sb_span *g = &s->open.at[i];
        bool is_last = i + 1 == s->open.n || g[1].process != g->process;
        if (is_last && g->process >= 1 && (uint64_t)g->process <= n_processes &&
            SB_CELL(s->p, process, end, (uint64_t)g->process - 1) == SB_NULL)
            s->open.at[n++] = *g;
    }
    s->open.n = n;
}

static int
compare_process(const void *key, const void *span)
{
    int64_t a = *(const int64_t *)key, b = ((const struct sb_span *)span)->process;
    return (a > b) - (a < b);
}

static struct sb_span *
find_open(const struct sb_states *s, int64_t process)
{
    return s->open.n ? bsearch(&process, s->open.at, s->open.n, sizeof *s->open.at, compare_process) : NULL;
}

/* A process that has collected since then is not in that collection any more, though its end is missing. */
static void
drop_followed(struct sb_states *s)
{
    SB_SCAN(scan, s->p, gc, start, process);
    for (size_t i = 0; s->open.n > 0 && sb_scan_row(&scan, &i); i++) {
        struct sb_span *g = find_open(s, scan.value[process][i]);
        if (g && scan.value[start][i] >= g->start)
            g->start = g->end;
    }
    size_t n = 0;
    for (size_t i = 0; i < s->open.n; i++)
        if (s->open.at[i].start < s->open.at[i].end)
            s->open.at[n++] = s->open.at[i];
    s->open.n = n;
}

struct sb_states *
sb_states_open(const struct sb_profile *p)
{
    struct sb_states *s = SB_HEAP(struct sb_states, .p = p, .slice = sb_reader_open(p, SB_T_slice),
                                  .gap = sb_reader_open(p, SB_T_gap));
    s->gc = sb_reader_open(p, SB_T_gc);
    s->dirty_cpu = sb_profile_find_text(p, SB_STR("dirty_cpu"));
    s->dirty_io = sb_profile_find_text(p, SB_STR("dirty_io"));
    s->longest_slice = sb_profile_largest(p, SB_T_slice, SB_C_slice__dur);
    s->longest_gap = sb_profile_largest(p, SB_T_gap, SB_C_gap__wait_ns) +
                     sb_profile_largest(p, SB_T_gap, SB_C_gap__handover_ns) +
                     sb_profile_largest(p, SB_T_gap, SB_C_gap__runnable_ns) +
                     sb_profile_largest(p, SB_T_gap, SB_C_gap__unknown_ns);
    s->longest_gc = sb_profile_largest(p, SB_T_gc, SB_C_gc__dur);
    read_open(s);
    choose_open(s);
    drop_followed(s);
    return s;
}

void
sb_states_close(struct sb_states *s)
{
    if (s == NULL)
        return;
    sb_reader_close(s->slice);
    sb_reader_close(s->gap);
    sb_reader_close(s->gc);
    SB_VEC_FREE(&s->gcs);
    SB_VEC_FREE(&s->open);
    free(s);
}

/* ---- rows that may overlap the range ---- */

struct ask {
    int64_t process;
    struct sb_range range;
    struct sb_spans *out;
};

typedef void row_fn(struct sb_states *s, const struct ask *ask, uint64_t block, uint16_t place);

struct rows {
    struct sb_reader *reader;
    unsigned process_col, start_col;
    int64_t longest; /* the longest duration of a row */
};

static void
each_row(struct sb_states *s, struct rows of, const struct ask *ask, row_fn *fn)
{
    struct sb_reader *r = of.reader;
    struct sb_where w[2];
    uint16_t place[SB_BLOCK_ROWS];
    int64_t from = ask->range.from < SB_NULL + 1 + of.longest ? SB_NULL + 1 : ask->range.from - of.longest;
    size_t n_where = 0;
    if (ask->process != SB_NULL)
        w[n_where++] = sb_where_make(s->p, r->tab, of.process_col, ask->process, ask->process);
    if (ask->range.from > 0 || ask->range.to < INT64_MAX)
        w[n_where++] = sb_where_make(s->p, r->tab, of.start_col, from, ask->range.to - 1);
    uint64_t rows = sb_profile_rows(s->p, r->tab), block = 0;
    while ((block = sb_reader_next_block(r, w, n_where, block, rows)) != UINT64_MAX) {
        size_t n = sb_reader_select(r, w, n_where, sb_block_rows_of(block, 0, rows), place);
        for (size_t i = 0; i < n; i++)
            fn(s, ask, block, place[i]);
        block++;
    }
}

static void
add(const struct ask *ask, struct sb_spans *out, struct sb_span span)
{
    if (sb_range_part(ask->range, span.start, span.end) > 0)
        *SB_PUSH(out) = span;
}

static int64_t
cell(struct sb_reader *r, unsigned col, uint64_t block, uint16_t place)
{
    return sb_reader_block(r, col, block)[place];
}

/* The end of a duration. In a damaged or forged file a number can be anything; NULL and negative ones
 * count as 0. */
static int64_t
after(int64_t at, int64_t dur)
{
    int64_t to;
    return dur <= 0 || __builtin_add_overflow(at, dur, &to) ? at : to;
}

static void
gc_row(struct sb_states *s, const struct ask *ask, uint64_t block, uint16_t i)
{
    int64_t start = cell(s->gc, SB_C_gc__start, block, i);
    add(ask, &s->gcs,
        (struct sb_span){start, after(start, cell(s->gc, SB_C_gc__dur, block, i)),
                         cell(s->gc, SB_C_gc__process, block, i), SB_NULL, SB_STATE_GC, false});
}

static void
gap_row(struct sb_states *s, const struct ask *ask, uint64_t block, uint16_t i)
{
    static const struct {
        unsigned col;
        enum sb_state state;
    } part[] = {{SB_C_gap__wait_ns, SB_STATE_WAITING},
                {SB_C_gap__handover_ns, SB_STATE_HANDOVER},
                {SB_C_gap__runnable_ns, SB_STATE_RUNNABLE},
                {SB_C_gap__unknown_ns, SB_STATE_UNKNOWN}};
    int64_t at = cell(s->gap, SB_C_gap__start, block, i), process = cell(s->gap, SB_C_gap__process, block, i);
    for (size_t k = 0; k < sizeof part / sizeof part[0]; k++) {
        int64_t to = after(at, cell(s->gap, part[k].col, block, i));
        add(ask, ask->out, (struct sb_span){at, to, process, SB_NULL, part[k].state, false});
        at = to;
    }
}

static void
add_open(struct sb_states *s, const struct ask *ask)
{
    for (size_t i = 0; i < s->open.n; i++)
        if (ask->process == SB_NULL || s->open.at[i].process == ask->process) {
            struct sb_span g = s->open.at[i];
            g.scheduler = SB_NULL;
            g.state = SB_STATE_GC;
            add(ask, &s->gcs, g);
        }
}

/* Index of the process's first collection that ends after `at`; collections are sorted and do not overlap. */
static size_t
first_gc(const struct sb_states *s, int64_t process, int64_t at)
{
    size_t from = 0, to = s->gcs.n;
    const struct sb_span *g = s->gcs.at;
    SB_SEARCH(from, to, g[mid].process < process || (g[mid].process == process && g[mid].end <= at));
    return from;
}

static enum sb_state
kind_of(const struct sb_states *s, int64_t kind)
{
    return kind != SB_NULL && (kind == s->dirty_cpu || kind == s->dirty_io) ? SB_STATE_DIRTY
                                                                            : SB_STATE_RUNNING;
}

static void
slice_row(struct sb_states *s, const struct ask *ask, uint64_t block, uint16_t i)
{
    struct sb_span run = {.start = cell(s->slice, SB_C_slice__start, block, i),
                          .process = cell(s->slice, SB_C_slice__process, block, i),
                          .scheduler = cell(s->slice, SB_C_slice__scheduler, block, i)};
    int64_t end = after(run.start, cell(s->slice, SB_C_slice__dur, block, i));
    run.state = kind_of(s, cell(s->slice, SB_C_slice__kind, block, i));
    run.dirty = run.state == SB_STATE_DIRTY;
    if (run.process == SB_NULL) {
        run.process = cell(s->slice, SB_C_slice__port, block, i);
        run.state = SB_STATE_PORT;
        run.end = end;
        add(ask, ask->out, run);
        return;
    }
    for (size_t g = first_gc(s, run.process, run.start); g < s->gcs.n; g++) {
        const struct sb_span *gc = &s->gcs.at[g];
        if (gc->process != run.process || gc->start >= end)
            break;
        run.end = gc->start;
        add(ask, ask->out, run);
        struct sb_span in = {gc->start > run.start ? gc->start : run.start,
                             gc->end < end ? gc->end : end,
                             run.process,
                             run.scheduler,
                             SB_STATE_GC,
                             run.dirty};
        add(ask, ask->out, in);
        run.start = in.end;
    }
    run.end = end;
    add(ask, ask->out, run);
}

void
sb_states_of(struct sb_states *s, int64_t process, struct sb_range range, struct sb_spans *out)
{
    struct ask ask = {process, range, out};
    out->n = s->gcs.n = 0;
    each_row(s, (struct rows){s->gc, SB_C_gc__process, SB_C_gc__start, s->longest_gc}, &ask, gc_row);
    add_open(s, &ask);
    SB_SORT(&s->gcs, by_process);
    if (sb_profile_rows(s->p, SB_T_slice) == 0) /* running was not recorded */
        for (size_t i = 0; i < s->gcs.n; i++)
            *SB_PUSH(out) = s->gcs.at[i];
    each_row(s, (struct rows){s->slice, SB_C_slice__process, SB_C_slice__start, s->longest_slice}, &ask,
             slice_row);
    each_row(s, (struct rows){s->gap, SB_C_gap__process, SB_C_gap__start, s->longest_gap}, &ask, gap_row);
    SB_SORT(out, by_process);
}
