/*
 * Three kinds of tracks, three ways to hold them.
 *
 *   all, schedulers    an array of buckets; a long span adds its two ends, and its whole buckets to a
 * difference array processes          a list of the buckets it was in, in time order; one width for all,
 * doubled when they are many groups             summed from their processes at the end
 *
 * The most that ran or were runnable at one moment comes from spans in time order. A span is known only when
 * it ends; what lies more than LAG before the event that told it counts for whole buckets only, so that what
 * waits for its turn stays bounded.
 */
#include "engine/pyramid.h"
#include "engine/pyramid_process.h"
#include "engine/everybody.h"

enum { ALL_BUCKETS = 1 << 17, SLOT_BUCKETS = 1 << 5, SCHEDULER_BUCKETS = 1 << 15, FEW_BUCKETS = 512, MANY = 128 };
enum { SLOTS = ALL_BUCKETS / SLOT_BUCKETS };
#define LAG_NS INT64_C(1000000000)

struct bucket {
    int64_t ns[SB_STATES], longest, part; /* part: of it that lies in here, of who ran longest here */
    uint32_t who;
};
struct whole { /* differences: spans that cover this and the following buckets; few do, so they stand apart */
    int32_t n[SB_STATES];
};
struct peak { /* of running, of runnable */
    int32_t most[2], cover[2];
};

struct track {
    struct bucket *at;
    struct whole *whole;
    struct peak *peak; /* of all; NULL of a scheduler */
    size_t n;          /* buckets; one more is there for differences */
    uint64_t spans;    /* added */
    unsigned level;
    int64_t slice_ns, gc_ns, slices; /* of a scheduler */
};

struct sb_pyramids {
    struct sb_run *run;
    bool open;
    struct track all;
    SB_VEC(struct track) schedulers; /* by scheduler.id - 1 */
    struct changes {
        uint64_t *at; /* ns, then a bit: one more (ends come first), a bit: runnable, not running */
        size_t n, cap;
    } slot[SLOTS]; /* those of so many buckets each */
    size_t walked_slots;
    int64_t now[2]; /* how many run, are runnable */
    size_t walked;  /* bucket of the last change */
    struct sb_process_tracks *processes;
};

struct sb_pyramids *
sb_pyramids_open(struct sb_run *r)
{
    struct sb_pyramids *y = calloc(1, sizeof *y);
    if (!y)
        sb_out_of_memory(sizeof *y);
    y->run = r;
    y->processes = sb_process_tracks_open(r);
    return y;
}

static void
close_track(struct track *t)
{
    free(t->at);
    free(t->whole);
    free(t->peak);
}

void
sb_pyramids_close(struct sb_pyramids *y)
{
    if (!y)
        return;
    close_track(&y->all);
    for (size_t i = 0; i < y->schedulers.n; i++)
        close_track(&y->schedulers.at[i]);
    SB_VEC_FREE(&y->schedulers);
    for (size_t i = 0; i < SLOTS; i++)
        SB_VEC_FREE(&y->slot[i]);
    sb_process_tracks_close(y->processes);
    free(y);
}

unsigned
sb_pyramid_level(int64_t span_ns, size_t most)
{
    unsigned level = 0;
    while ((uint64_t)span_ns >> level >= most)
        level++;
    return level;
}

static void *
zeros(size_t n, size_t each)
{
    void *p = calloc(n, each);
    if (!p)
        sb_out_of_memory(n * each);
    return p;
}

static struct track
open_track(const struct sb_run *r, size_t most)
{
    int64_t span = sb_rel(r, r->last);
    struct track t = {.level = sb_pyramid_level(span, most)};
    t.n = (size_t)((uint64_t)span >> t.level) + 1;
    t.at = zeros(t.n + 1, sizeof *t.at);
    t.whole = zeros(t.n + 1, sizeof *t.whole);
    return t;
}

/* ---- adding a span ---- */

static size_t
bucket_of(const struct track *t, int64_t at)
{
    size_t b = (size_t)((uint64_t)at >> t->level);
    return b < t->n ? b : t->n - 1;
}

static void
add(struct track *t, unsigned state, int64_t from, int64_t to, int sign)
{
    size_t a = bucket_of(t, from), b = bucket_of(t, to - 1);
    t->spans++;
    if (a == b) {
        t->at[a].ns[state] += sign * (to - from);
        return;
    }
    t->at[a].ns[state] += sign * ((int64_t)((a + 1) << t->level) - from);
    t->at[b].ns[state] += sign * (to - (int64_t)(b << t->level));
    if (a + 1 < b) {
        t->whole[a + 1].n[state] += sign;
        t->whole[b].n[state] -= sign;
    }
}

static void
keep_who(struct bucket *b, int64_t part, uint32_t who)
{
    if (part > b->part || (part == b->part && who < b->who)) {
        b->part = part;
        b->who = who;
    }
}

static void
touch(struct track *t, int64_t from, int64_t to, uint32_t who)
{
    for (size_t b = bucket_of(t, from), last = bucket_of(t, to - 1); b <= last; b++) {
        int64_t start = (int64_t)(b << t->level), end = (int64_t)((b + 1) << t->level);
        if (t->at[b].longest < to - from)
            t->at[b].longest = to - from;
        keep_who(&t->at[b], (to < end ? to : end) - (from > start ? from : start), who);
    }
}

static struct track *
scheduler_track(struct sb_pyramids *y, unsigned id)
{
    while (y->schedulers.n < id) {
        struct track t = open_track(y->run, y->schedulers.n < MANY ? SCHEDULER_BUCKETS : FEW_BUCKETS);
        *SB_PUSH(&y->schedulers) = t;
    }
    return &y->schedulers.at[id - 1];
}

static struct changes *
slot_of(struct sb_pyramids *y, int64_t at)
{
    return &y->slot[bucket_of(&y->all, at) / SLOT_BUCKETS];
}

static void
change(struct sb_pyramids *y, unsigned what, int64_t from, int64_t to, int64_t told)
{
    struct track *t = &y->all;
    if (told - from > LAG_NS) { /* too long ago to take its turn */
        int64_t until = told - LAG_NS < to ? told - LAG_NS : to;
        size_t half = (size_t)1 << t->level >> 1;
        size_t a = (size_t)(((uint64_t)from + half) >> t->level),
               b = (size_t)(((uint64_t)until + half) >> t->level);
        b = b < t->n ? b : t->n;
        if (a < b) {
            t->peak[a].cover[what]++;
            t->peak[b].cover[what]--;
        }
        from = until;
    }
    if (from >= to)
        return;
    *SB_PUSH(slot_of(y, from)) = (uint64_t)from << 2 | 2 | what;
    *SB_PUSH(slot_of(y, to)) = (uint64_t)to << 2 | what;
}

static void
add_span(struct sb_pyramids *y, const struct sb_span *s)
{
    int64_t from = s->from, to = s->to;
    struct track *mine = s->scheduler ? scheduler_track(y, s->scheduler) : NULL;
    bool on = s->state == SB_RUN || s->state == SB_DIRTY || s->state == SB_PORT_RUN;
    if (to <= from)
        return;
    add(&y->all, s->state, from, to, 1);
    if (mine)
        add(mine, s->state, from, to, 1);
    if (s->state == SB_COLLECT) {
        add(&y->all, s->less, from, to, -1);
        if (mine)
            add(mine, s->less, from, to, -1);
    }
    if (on) {
        uint32_t who = s->state == SB_PORT_RUN ? 0 : s->id;
        touch(&y->all, from, to, who);
        if (mine)
            touch(mine, from, to, who);
    }
    if (mine && on && s->state != SB_PORT_RUN) { /* of processes: their sum is what processes ran */
        mine->slice_ns += to - from;
        mine->slices++;
    }
    if (mine && s->state == SB_COLLECT)
        mine->gc_ns += to - from;
    if (s->state == SB_RUN || s->state == SB_READY)
        change(y, s->state == SB_READY, from, to, s->told);
}

/* ---- peaks ---- */

static void
raise(struct sb_pyramids *y, size_t b)
{
    for (unsigned k = 0; k < 2; k++)
        if (y->all.peak[b].most[k] < y->now[k])
            y->all.peak[b].most[k] = (int32_t)y->now[k];
}

static void
walk_slot(struct sb_pyramids *y, struct changes *v)
{
    uint64_t *scratch = sb_realloc_or_die(NULL, v->n * sizeof *scratch);
    sb_sort_numbers(v->at, scratch, v->n);
    free(scratch);
    for (size_t i = 0; i < v->n; i++) {
        uint64_t c = v->at[i];
        size_t b = bucket_of(&y->all, (int64_t)(c >> 2));
        for (; y->walked < b; raise(y, y->walked))
            y->walked++;
        y->now[c & 1] += c & 2 ? 1 : -1;
        if (c & 2)
            raise(y, b);
    }
    SB_VEC_FREE(v);
}

/* Slots that end before `until` come to their turn. */
static void
walk_changes(struct sb_pyramids *y, int64_t until)
{
    size_t end = until == INT64_MAX ? SLOTS : until < 0 ? 0 : bucket_of(&y->all, until) / SLOT_BUCKETS;
    for (; y->walked_slots < end; y->walked_slots++)
        if (y->slot[y->walked_slots].n > 0)
            walk_slot(y, &y->slot[y->walked_slots]);
}

static void
put_on_axis(const struct sb_run *r, struct sb_span *s)
{
    s->from = sb_rel(r, s->from);
    s->to = sb_rel(r, s->to);
    s->told = sb_rel(r, s->told);
}

void
sb_pyramids_part(struct sb_pyramids *y, struct sb_part *x)
{
    for (size_t i = 0; i < x->spans.n; i++)
        put_on_axis(y->run, &x->spans.at[i]);
    sb_process_tracks_part(y->processes, x);
    x->ended.n = 0;
}

void
sb_pyramids_settle(struct sb_pyramids *y)
{
    sb_process_tracks_settle(y->processes);
}

void
sb_pyramids_window(struct sb_pyramids *y, const struct sb_found *found)
{
    const struct sb_run *r = y->run;
    if (!y->open) {
        y->all = open_track(r, ALL_BUCKETS);
        y->all.peak = zeros(y->all.n + 1, sizeof *y->all.peak);
        y->open = true;
    }
    for (unsigned i = 0; i < SB_PARTS; i++)
        for (size_t k = 0; k < found->spans[i].n; k++)
            add_span(y, &found->spans[i].at[k]);
    int64_t until = found->window_end == INT64_MAX ? INT64_MAX : sb_rel(r, found->window_end) - LAG_NS;
    walk_changes(y, until);
}

void
sb_pyramids_finish(struct sb_pyramids *y)
{
    for (size_t i = 0; i < y->schedulers.n; i++) {
        struct sb_lane_row *l = &y->run->lanes.at[i];
        l->slice_ns = y->schedulers.at[i].slice_ns;
        l->gc_ns = y->schedulers.at[i].gc_ns;
        l->slices = y->schedulers.at[i].slices;
    }
}

/* ---- writing ---- */

static void
level_out(struct track *t)
{
    int64_t whole[SB_STATES] = {0}, cover[2] = {0};
    for (size_t b = 0; b < t->n; b++) {
        for (unsigned s = 0; s < SB_STATES; s++) {
            whole[s] += t->whole[b].n[s];
            t->at[b].ns[s] += whole[s] * (INT64_C(1) << t->level);
        }
        for (unsigned k = 0; t->peak && k < 2; k++) {
            cover[k] += t->peak[b].cover[k];
            t->peak[b].most[k] += (int32_t)cover[k];
        }
    }
}

static bool
is_empty(const struct track *t, size_t b)
{
    int64_t any = t->peak ? t->peak[b].most[0] | t->peak[b].most[1] : 0;
    for (unsigned s = 0; s < SB_STATES; s++)
        any |= t->at[b].ns[s];
    return any == 0;
}

static void
write_buckets(struct sb_run *r, int64_t id, const struct track *t)
{
    struct sb_rows *rows = sb_build_rows(r->build, SB_T_pyramid);
    for (size_t b = 0; b < t->n; b++) {
        const struct bucket *k = &t->at[b];
        if (is_empty(t, b))
            continue;
        int64_t on = k->ns[SB_RUN] + k->ns[SB_COLLECT] + k->ns[SB_DIRTY] + k->ns[SB_PORT_RUN];
        struct sb_pyramid_row *row = sb_rows_put(rows, SB_T_pyramid, 0, 0);
        row->track = sb_cell(rows, id);
        row->level = t->level;
        row->bucket = sb_cell(rows, (int64_t)b);
        row->running_ns = sb_cell(rows, k->ns[SB_RUN]);
        row->gc_ns = sb_cell(rows, k->ns[SB_COLLECT]);
        row->dirty_ns = sb_cell(rows, k->ns[SB_DIRTY]);
        row->runnable_ns = sb_cell(rows, k->ns[SB_READY]);
        row->waiting_ns = sb_cell(rows, k->ns[SB_WAIT]);
        row->ports_ns = sb_cell(rows, k->ns[SB_PORT_RUN]);
        row->schedulers_ns = sb_cell(rows, on);
        row->longest_ns = sb_cell(rows, k->longest);
        row->peak_running = t->peak ? sb_cell(rows, t->peak[b].most[0]) : SB_NO_NUMBER;
        row->peak_runnable = t->peak ? sb_cell(rows, t->peak[b].most[1]) : SB_NO_NUMBER;
        row->process = sb_cell_id(k->who);
        sb_build_filled(r->build, SB_T_pyramid);
    }
}

static void
halve_peaks(const struct track *t, size_t n)
{
    for (size_t b = 0; b < n; b++)
        for (unsigned k = 0; k < 2; k++) {
            int32_t one = t->peak[2 * b].most[k], other = 2 * b + 1 < t->n ? t->peak[2 * b + 1].most[k] : 0;
            t->peak[b].most[k] = one > other ? one : other;
        }
}

/* Two buckets become one. */
static void
halve(struct track *t)
{
    size_t n = (t->n + 1) / 2;
    for (size_t b = 0; b < n; b++) {
        struct bucket sum = t->at[2 * b], other = 2 * b + 1 < t->n ? t->at[2 * b + 1] : (struct bucket){0};
        for (unsigned s = 0; s < SB_STATES; s++)
            sum.ns[s] += other.ns[s];
        sum.longest = other.longest > sum.longest ? other.longest : sum.longest;
        keep_who(&sum, other.part, other.who);
        t->at[b] = sum;
    }
    if (t->peak)
        halve_peaks(t, n);
    t->n = n;
    t->level++;
}

static void
write_track(struct sb_run *r, int64_t id, const char *kind, int64_t ref, struct track *t)
{
    sb_build_row(r->build, SB_T_track, (int64_t[]){id, sb_build_text(r->build, sb_str_of(kind)), ref});
    level_out(t);
    size_t n = (size_t)((uint64_t)sb_rel(r, r->end) >> t->level) + 1;
    t->n = t->n < n ? t->n : n; /* it was laid out to where time might go */
    while (t->n > FEW_BUCKETS && t->n > t->spans / 8) /* finer than there is anything to see */
        halve(t);
    for (write_buckets(r, id, t); t->n > 1; write_buckets(r, id, t))
        halve(t);
}

void
sb_pyramids_write(struct sb_pyramids *y, const struct sb_everybody *all)
{
    struct sb_run *r = y->run;
    if (!y->open || (!sb_recorded(r, SB_RUNNING) && !r->vm_truth))
        return;
    int64_t id = 1;
    write_track(r, id++, "all", SB_NULL, &y->all);
    for (size_t i = 0; i < y->schedulers.n; i++)
        write_track(r, id++, "scheduler", (int64_t)i + 1, &y->schedulers.at[i]);
    sb_process_tracks_write(y->processes, all, id);
}
