/*
 * A process gets cells at its 64th slice. Its earlier spans are buffered, because a process that mostly waits
 * would fill as many cells as a busy one, and of a million processes most only wait.
 */
#include "engine/pyramid/pyramid_process.h"
#include "engine/pyramid/pyramid_cells.h"
#include "base/err.h"
#include "base/varint.h"
#include "engine/state/grid.h"
#include "engine/world/process_index.h"

enum {
    BUCKETS = 1 << 10,                  /* of one process, at most */
    BUDGET = 1 << 20,                   /* of all processes; above it, every bucket is made twice as wide */
    SLICES_A_CELL = 8,                  /* on average; anything finer can be read from the slices */
    FEW = 4096,                         /* this many cells are always allowed */
    EARLY_MOST = 4 * SB_SLICES_SAY_ALL, /* most spans to buffer; more would take more memory than cells */
};

struct early {
    int64_t from, to;
    uint8_t state, less;
};
enum { EARLY_BYTES = 1 + 2 * SB_VARINT_MAX }; /* packed, at most */
struct list {                                 /* of a process */
    struct sb_track_cells cells;
    SB_VEC(uint8_t) early; /* spans, packed */
    int64_t early_to;      /* end of the last of them */
    uint32_t slices;
    uint16_t earlies;
    bool has_cells;
};
struct lists { /* of a part, by index of the process; NULL: no list, as for most ended processes */
    struct list **at;
    size_t n, cap;
    size_t cells; /* of the lists that are certain to be written so far */
};
struct sb_process_tracks {
    const struct sb_run *run;
    unsigned level; /* of the buckets; only ever rises */
    struct lists of[SB_PARTS];
};

struct sb_process_tracks *
sb_process_tracks_open(const struct sb_run *r)
{
    struct sb_process_tracks *k = sb_zeroed_or_die(1, sizeof *k);
    k->run = r;
    return k;
}

static void
free_list(struct list *l)
{
    if (!l)
        return;
    sb_track_cells_free(&l->cells);
    SB_VEC_FREE(&l->early);
    free(l);
}

void
sb_process_tracks_close(struct sb_process_tracks *k)
{
    if (!k)
        return;
    for (unsigned i = 0; i < SB_PARTS; i++) {
        for (size_t p = 0; p < k->of[i].n; p++)
            free_list(k->of[i].at[p]);
        free(k->of[i].at);
    }
    free(k);
}

static struct sb_grid
axis_of(const struct sb_process_tracks *k)
{
    return (struct sb_grid){k->level, (size_t)((uint64_t)sb_rel(k->run, k->run->axis.last) >> k->level) + 1};
}

/* ---- adding spans ---- */

/* The current cell: most spans fall into the cell of the span before. */
struct hand {
    struct list *list;
    struct sb_grid axis;
    bool holds;
    struct sb_track_cell cell;
};

static void
lay_down(struct hand *h)
{
    if (h->holds)
        sb_track_cells_add(&h->list->cells, &h->cell);
    h->holds = false;
}

static inline void
take_up(struct hand *h, size_t bucket)
{
    if (h->holds && h->cell.bucket == bucket)
        return;
    lay_down(h);
    h->cell = (struct sb_track_cell){.bucket = (uint32_t)bucket};
    h->holds = true;
}

static bool
is_on(const struct early *s)
{
    return s->state == SB_STATE_RUNNING || s->state == SB_STATE_DIRTY;
}

static inline void
add_to_cells(struct hand *h, const struct early *s)
{
    int64_t longest = is_on(s) ? s->to - s->from : 0, *number = h->cell.number;
    for (int64_t from = s->from; from < s->to;) {
        size_t b = sb_grid_bucket(h->axis, from);
        int64_t end = b < h->axis.n - 1 ? sb_grid_start(h->axis, b + 1) : INT64_MAX;
        int64_t ns = (end < s->to ? end : s->to) - from;
        take_up(h, b);
        number[s->state] += ns;
        if (s->state == SB_STATE_GC)
            number[s->less] -= ns;
        if (s->state == SB_STATE_GC && s->less == SB_STATE_DIRTY)
            number[SB_CELL_DIRTY_GC] += ns;
        if (number[SB_CELL_LONGEST] < longest)
            number[SB_CELL_LONGEST] = longest;
        from += ns;
    }
}

/* The states, from the end of the span before to its start, and its length. */
static uint8_t *
pack(uint8_t *p, const struct early *s, int64_t last_to)
{
    *p++ = (uint8_t)(s->state << 4 | s->less);
    p = sb_varint_put(p, sb_zigzag(s->from - last_to));
    return sb_varint_put(p, sb_zigzag(s->to - s->from));
}

static const uint8_t *
unpack(const uint8_t *p, struct early *s) /* `s` is the span before */
{
    uint64_t after, length;
    s->state = *p >> 4;
    s->less = *p++ & 15;
    SB_ASSERT(sb_varint_get(&p, p + SB_VARINT_MAX, &after) && sb_varint_get(&p, p + SB_VARINT_MAX, &length));
    s->from = s->to + sb_unzigzag(after);
    s->to = s->from + sb_unzigzag(length);
    return p;
}

static void
make_cells(struct hand *h)
{
    struct list *l = h->list;
    const uint8_t *at = l->early.at;
    struct early s = {0};
    l->has_cells = true;
    while (at < l->early.at + l->early.n) {
        at = unpack(at, &s);
        add_to_cells(h, &s);
    }
    SB_VEC_FREE(&l->early);
}

/* Returns the cells that count towards the budget: a list with fewer slices may never be written. */
static size_t
cells_of(const struct list *l)
{
    return l->slices >= SB_SLICES_SAY_ALL ? l->cells.n : 0;
}

static void
wait(struct hand *h, const struct early *s)
{
    struct list *l = h->list;
    SB_RESERVE_FEW(&l->early, EARLY_BYTES);
    l->early.n = (size_t)(pack(l->early.at + l->early.n, s, l->early_to) - l->early.at);
    l->early_to = s->to;
    if (l->slices >= SB_SLICES_SAY_ALL || ++l->earlies == EARLY_MOST)
        make_cells(h);
}

static void
add_spans(struct list *l, struct sb_grid axis, const struct sb_part_span *span, size_t n)
{
    struct hand h = {.list = l, .axis = axis};
    for (size_t i = 0; i < n; i++) {
        struct early s = {span[i].from, span[i].to, span[i].state, span[i].less};
        l->slices += is_on(&s);
        if (l->has_cells)
            add_to_cells(&h, &s);
        else
            wait(&h, &s);
    }
    lay_down(&h);
}

static struct list *
list_of(struct lists *of, uint32_t process)
{
    SB_REACH(of, process);
    if (!of->at[process]) {
        of->at[process] = sb_realloc_or_die(NULL, sizeof(struct list));
        *of->at[process] = (struct list){0};
    }
    return of->at[process];
}

/* Frees the lists of processes that ended with too few slices to be written. */
static void
let_go(struct lists *of, const struct sb_ended *ended)
{
    for (size_t e = 0; e < ended->n; e++) {
        uint32_t process = ended->at[e];
        if (process >= of->n || !of->at[process])
            continue;
        of->cells -= cells_of(of->at[process]);
        free_list(of->at[process]);
        of->at[process] = NULL;
    }
}

void
sb_process_tracks_part(struct sb_process_tracks *k, const struct sb_part *x)
{
    struct lists *of = &k->of[x->index];
    struct sb_grid axis = axis_of(k);
    const struct sb_part_span *at = x->spans.at;
    for (size_t i = 0, end; i < x->spans.n; i = end) {
        for (end = i + 1; end < x->spans.n && at[end].process == at[i].process;)
            end++;
        if (at[i].state == SB_STATE_PORT)
            continue;
        struct list *l = list_of(of, at[i].process);
        of->cells -= cells_of(l);
        add_spans(l, axis, at + i, end - i);
        of->cells += cells_of(l);
    }
    let_go(of, &x->ended);
}

/* ---- limiting the number of cells ---- */

static size_t
count(const struct lists *of)
{
    size_t n = 0;
    for (size_t p = 0; p < of->n; p++)
        n += of->at[p] ? cells_of(of->at[p]) : 0;
    return n;
}

/* Counts pairs of neighbouring cells by the number of doublings that merge them: the position of the
 * highest bit in which their buckets differ. */
static void
count_neighbours(const struct lists *of, size_t by[33])
{
    for (size_t p = 0; p < of->n; p++)
        for (size_t i = 1; of->at[p] && i < cells_of(of->at[p]); i++)
            by[32 - __builtin_clz(sb_track_cells_bucket(&of->at[p]->cells, i - 1) ^
                                  sb_track_cells_bucket(&of->at[p]->cells, i))]++;
}

static void
widen_all(struct sb_process_tracks *k, unsigned times)
{
    for (unsigned i = 0; i < SB_PARTS; i++) {
        for (size_t p = 0; p < k->of[i].n; p++)
            if (k->of[i].at[p])
                sb_track_cells_widen(&k->of[i].at[p]->cells, times);
        k->of[i].cells = count(&k->of[i]);
    }
    k->level += times;
}

void
sb_process_tracks_fit(struct sb_process_tracks *k)
{
    unsigned level = sb_grid_of(sb_rel(k->run, k->run->axis.last), BUCKETS, 0).level;
    if (level > k->level)
        widen_all(k, level - k->level);
}

/* Doubles the width until at most `most` cells are left. Cells only grow in number over time, so the final
 * width does not depend on when this is called. */
static void
widen(struct sb_process_tracks *k, size_t most)
{
    size_t cells = 0, by[33] = {0};
    unsigned times = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        cells += k->of[i].cells;
    if (cells <= most)
        return;
    for (unsigned i = 0; i < SB_PARTS; i++)
        count_neighbours(&k->of[i], by);
    for (size_t last = axis_of(k).n - 1; cells > most && last >> times > 0;)
        cells -= by[++times];
    widen_all(k, times);
}

void
sb_process_tracks_settle(struct sb_process_tracks *k)
{
    widen(k, BUDGET);
}

/* ---- writing ---- */

static void
write_level(struct sb_pyramid_out *to, int64_t id, unsigned level, const struct list *l)
{
    struct sb_rows *rows = &to->rows;
    for (size_t i = 0; i < l->cells.n; i++) {
        struct sb_track_cell cell = sb_track_cells_get(&l->cells, i);
        const int64_t *number = cell.number;
        struct sb_pyramid_row *row = sb_pyramid_out_row(to);
        row->track = sb_cell(rows, id);
        row->level = level;
        row->bucket = sb_cell(rows, cell.bucket);
        row->running_ns = sb_cell(rows, number[SB_STATE_RUNNING]);
        row->gc_ns = sb_cell(rows, number[SB_STATE_GC]);
        row->dirty_ns = sb_cell(rows, number[SB_STATE_DIRTY]);
        row->runnable_ns = sb_cell(rows, number[SB_STATE_RUNNABLE]);
        row->waiting_ns = sb_cell(rows, number[SB_STATE_WAITING]);
        row->handover_ns = sb_cell(rows, number[SB_STATE_HANDOVER]);
        row->dirty_gc_ns = sb_cell(rows, number[SB_CELL_DIRTY_GC]);
        row->ports_ns = 0;
        row->schedulers_ns =
            sb_cell(rows, number[SB_STATE_RUNNING] + number[SB_STATE_GC] + number[SB_STATE_DIRTY]);
        row->longest_ns = sb_cell(rows, number[SB_CELL_LONGEST]);
        row->peak_running = row->peak_runnable = row->process = SB_NO_NUMBER;
    }
}

static void
write_track(const struct sb_process_tracks *k, struct sb_pyramid_out *to, int64_t ref, struct list *l)
{
    int64_t id = sb_pyramid_out_track(to, "process", ref);
    struct sb_grid axis = axis_of(k);
    for (write_level(to, id, axis.level, l); axis.n > 1; write_level(to, id, axis.level, l)) {
        sb_track_cells_widen(&l->cells, 1);
        axis.level++;
        axis.n = (axis.n + 1) / 2;
    }
}

/* Sets each list's slices to the process's total, which may be more than the list has seen: slices of zero
 * length make no spans. Returns the total of the part. */
static uint64_t
settle_lists(struct sb_process_tracks *k, unsigned part)
{
    const struct sb_procs *procs = &k->run->part[part].procs;
    struct lists *of = &k->of[part];
    struct sb_proc room;
    uint64_t slices = 0;
    for (size_t i = 0; i < procs->n; i++) {
        const struct sb_proc *p = sb_procs_see(procs, i, &room);
        if (!p->id || sb_actor_kind(p->actor) == SB_PORT)
            continue;
        slices += p->stay.sum.slices;
        if (p->stay.sum.slices < SB_SLICES_SAY_ALL)
            continue;
        struct list *l = list_of(of, (uint32_t)i);
        l->slices = (uint32_t)p->stay.sum.slices;
        struct hand h = {.list = l, .axis = axis_of(k)};
        if (!l->has_cells)
            make_cells(&h);
        lay_down(&h);
    }
    of->cells = count(of);
    return slices;
}

void
sb_process_tracks_write(struct sb_process_tracks *k, const struct sb_process_index *all,
                        struct sb_pyramid_out *to)
{
    uint64_t slices = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        slices += settle_lists(k, i);
    size_t most = slices / SLICES_A_CELL + FEW;
    widen(k, most < BUDGET ? most : BUDGET);
    for (uint32_t i = 1; i <= k->run->ids.processes; i++) {
        struct lists *part = &k->of[sb_process_index_part(all->process[i])];
        size_t index = sb_process_index_at(all->process[i]);
        struct list *l = index < part->n ? part->at[index] : NULL;
        if (l && l->slices >= SB_SLICES_SAY_ALL)
            write_track(k, to, i, l);
    }
}
