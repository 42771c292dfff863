/*
 * A process has cells from its 64th slice on; the spans before wait, since one that only waits would fill as
 * many cells as one that works, and of a million processes most do.
 */
#include "engine/pyramid_process.h"
#include "engine/actors.h"
#include "engine/tables.h"

enum {
    BUCKETS = 1 << 10,                  /* of a process at most */
    BUDGET = 1 << 20,                   /* of all together; more, and each is made twice as wide */
    SLICES_A_CELL = 8,                  /* on average: what is finer is worked out from the slices */
    FEW = 4096,                         /* that is never too many */
    EARLY_MOST = 4 * SB_SLICES_SAY_ALL, /* spans that wait: more take more room than cells */
};

struct cell {
    uint32_t bucket;
    int64_t ns[SB_STATES], longest;
};
struct early {
    int64_t from, to;
    uint8_t state, less;
};
struct list { /* in order of bucket */
    struct cell *at;
    size_t n, cap;
    SB_VEC(struct early) early;
    uint32_t slices;
    bool has_cells;
};
struct sb_process_tracks {
    struct sb_run *run;
    bool open;
    unsigned level;
    uint32_t last; /* bucket */
    size_t cells;  /* of those that will be written for all that is known yet */
    struct {
        struct list *at;
        size_t n, cap;
    } of[SB_PARTS]; /* by index in the part */
};

struct sb_process_tracks *
sb_process_tracks_open(struct sb_run *r)
{
    struct sb_process_tracks *k = calloc(1, sizeof *k);
    if (!k)
        sb_out_of_memory(sizeof *k);
    k->run = r;
    return k;
}

static void
free_list(struct list *l)
{
    free(l->at);
    SB_VEC_FREE(&l->early);
    *l = (struct list){0};
}

void
sb_process_tracks_close(struct sb_process_tracks *k)
{
    if (!k)
        return;
    for (unsigned i = 0; i < SB_PARTS; i++) {
        for (size_t p = 0; p < k->of[i].n; p++)
            free_list(&k->of[i].at[p]);
        free(k->of[i].at);
    }
    free(k);
}

/* What came last is looked for first: spans come nearly in order. */
static struct cell *
cell_at(struct list *l, uint32_t bucket)
{
    size_t i = l->n;
    while (i > 0 && l->at[i - 1].bucket > bucket)
        i--;
    if (i > 0 && l->at[i - 1].bucket == bucket)
        return &l->at[i - 1];
    SB_RESERVE_FEW(l, 1);
    memmove(l->at + i + 1, l->at + i, (l->n - i) * sizeof *l->at);
    l->n++;
    l->at[i] = (struct cell){.bucket = bucket};
    return &l->at[i];
}

static bool
is_on(const struct early *s)
{
    return s->state == SB_RUN || s->state == SB_DIRTY;
}

static void
add_to_cells(const struct sb_process_tracks *k, struct list *l, const struct early *s)
{
    for (int64_t from = s->from; from < s->to;) {
        uint64_t b = (uint64_t)from >> k->level;
        int64_t end = (int64_t)((b + 1) << k->level);
        int64_t ns = (end < s->to && b < k->last ? end : s->to) - from;
        struct cell *c = cell_at(l, (uint32_t)(b < k->last ? b : k->last));
        c->ns[s->state] += ns;
        if (s->state == SB_COLLECT)
            c->ns[s->less] -= ns;
        if (is_on(s) && s->to - s->from > c->longest)
            c->longest = s->to - s->from;
        from += ns;
    }
}

static void
make_cells(const struct sb_process_tracks *k, struct list *l)
{
    for (size_t i = 0; i < l->early.n; i++)
        add_to_cells(k, l, &l->early.at[i]);
    SB_VEC_FREE(&l->early);
    l->has_cells = true;
}

/* Cells of a list that count: those of one with fewer slices may never be written. */
static size_t
cells_of(const struct list *l)
{
    return l->slices >= SB_SLICES_SAY_ALL ? l->n : 0;
}

static void
add_span(struct sb_process_tracks *k, struct list *l, const struct sb_span *span)
{
    struct early s = {sb_rel(k->run, span->from), sb_rel(k->run, span->to), span->state, span->less};
    k->cells -= cells_of(l);
    l->slices += is_on(&s);
    if (l->has_cells) {
        add_to_cells(k, l, &s);
    } else {
        SB_RESERVE_FEW(&l->early, 1);
        l->early.at[l->early.n++] = s;
        if (l->slices >= SB_SLICES_SAY_ALL || l->early.n == EARLY_MOST)
            make_cells(k, l);
    }
    k->cells += cells_of(l);
}

static struct list *
list_of(struct sb_process_tracks *k, unsigned part, uint32_t process)
{
    if (process >= k->of[part].n) {
        size_t had = k->of[part].n;
        SB_RESERVE(&k->of[part], process + 1 - had);
        memset(k->of[part].at + had, 0, (process + 1 - had) * sizeof *k->of[part].at);
        k->of[part].n = process + 1;
    }
    return &k->of[part].at[process];
}

static void
merge_into(struct cell *to, const struct cell *c)
{
    for (unsigned s = 0; s < SB_STATES; s++)
        to->ns[s] += c->ns[s];
    to->longest = c->longest > to->longest ? c->longest : to->longest;
}

static void
widen_list(struct list *l)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++) {
        struct cell c = l->at[i];
        c.bucket >>= 1;
        if (n > 0 && l->at[n - 1].bucket == c.bucket)
            merge_into(&l->at[n - 1], &c);
        else
            l->at[n++] = c;
    }
    l->n = n;
}

static size_t
count(const struct sb_process_tracks *k)
{
    size_t n = 0;
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t p = 0; p < k->of[i].n; p++)
            n += cells_of(&k->of[i].at[p]);
    return n;
}

/* Those that ended with less will never be. */
static void
let_go(struct sb_process_tracks *k, const struct sb_found *found)
{
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t e = 0; e < found->ended[i].n; e++) {
            uint32_t process = found->ended[i].at[e];
            struct list *l = process < k->of[i].n ? &k->of[i].at[process] : NULL;
            if (!l)
                continue;
            k->cells -= cells_of(l);
            free_list(l);
        }
}

/* Cells only become more with time, so whether a width is too fine does not depend on when it is asked. */
static void
widen(struct sb_process_tracks *k, size_t most)
{
    while (k->cells > most && k->last > 0) {
        for (unsigned i = 0; i < SB_PARTS; i++)
            for (size_t p = 0; p < k->of[i].n; p++)
                widen_list(&k->of[i].at[p]);
        k->level++;
        k->last >>= 1;
        k->cells = count(k);
    }
}

void
sb_process_tracks_window(struct sb_process_tracks *k, const struct sb_found *found)
{
    const struct sb_run *r = k->run;
    if (!k->open) {
        k->level = sb_pyramid_level(sb_rel(r, r->last), BUCKETS);
        k->last = (uint32_t)((uint64_t)sb_rel(r, r->last) >> k->level);
        k->open = true;
    }
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t s = 0; s < found->spans[i].n; s++) {
            const struct sb_span *span = &found->spans[i].at[s];
            if (span->state != SB_PORT_RUN)
                add_span(k, list_of(k, i, span->process), span);
        }
    let_go(k, found);
    widen(k, BUDGET);
}

/* ---- writing ---- */

static void
write_level(struct sb_run *r, int64_t id, unsigned level, const struct list *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct cell *k = &l->at[i];
        int64_t on = k->ns[SB_RUN] + k->ns[SB_COLLECT] + k->ns[SB_DIRTY];
        int64_t c[] = {
            [SB_C_pyramid__track] = id,
            [SB_C_pyramid__level] = level,
            [SB_C_pyramid__bucket] = k->bucket,
            [SB_C_pyramid__running_ns] = k->ns[SB_RUN],
            [SB_C_pyramid__gc_ns] = k->ns[SB_COLLECT],
            [SB_C_pyramid__dirty_ns] = k->ns[SB_DIRTY],
            [SB_C_pyramid__runnable_ns] = k->ns[SB_READY],
            [SB_C_pyramid__waiting_ns] = k->ns[SB_WAIT],
            [SB_C_pyramid__ports_ns] = 0,
            [SB_C_pyramid__schedulers_ns] = on,
            [SB_C_pyramid__longest_ns] = k->longest,
            [SB_C_pyramid__peak_running] = SB_NULL,
            [SB_C_pyramid__peak_runnable] = SB_NULL,
            [SB_C_pyramid__process] = SB_NULL,
        };
        sb_build_row(r->build, SB_T_pyramid, c);
    }
}

static void
write_track(const struct sb_process_tracks *k, int64_t id, const char *kind, int64_t ref, struct list *l)
{
    struct sb_run *r = k->run;
    sb_build_row(r->build, SB_T_track, (int64_t[]){id, sb_build_text(r->build, sb_str_of(kind)), ref});
    unsigned level = k->level;
    uint32_t last = k->last;
    for (write_level(r, id, level, l); last > 0; write_level(r, id, level, l)) {
        widen_list(l);
        level++;
        last >>= 1;
    }
}

void
sb_process_tracks_write(struct sb_process_tracks *k, int64_t first_id)
{
    struct sb_everybody all;
    sb_everybody_open(&all, k->run);
    uint64_t slices = 0;
    for (uint32_t i = 1; i <= k->run->n_processes; i++)
        slices += all.process[i]->stay.slices;
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t p = 0; p < k->of[i].n; p++) {
            struct list *l = &k->of[i].at[p];
            l->slices = (uint32_t)k->run->part[i].procs.at[p].stay.slices;
            if (l->slices >= SB_SLICES_SAY_ALL && !l->has_cells)
                make_cells(k, l);
        }
    k->cells = count(k);
    size_t most = slices / SLICES_A_CELL + FEW;
    widen(k, most < BUDGET ? most : BUDGET);
    for (uint32_t i = 1; i <= k->run->n_processes; i++) {
        const struct sb_proc *p = all.process[i];
        unsigned part = sb_actors_part(p->actor);
        size_t index = (size_t)(p - k->run->part[part].procs.at);
        if (p->stay.slices >= SB_SLICES_SAY_ALL && index < k->of[part].n)
            write_track(k, first_id++, "process", i, &k->of[part].at[index]);
    }
    sb_everybody_close(&all);
}
