#include "profile/cpu.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/order.h"
#include "profile/derive.h"
#include "profile/scan_row.h"
#include <math.h>
#include <stdlib.h>

const char *const sb_cpu_kinds[] = {"outside", "run", "gc", "dirty"};
const char *const sb_cpu_codes[] = {"erlang", "native", "kernel"};

struct join {
    struct sb_cpu_samples out;
    struct sb_map frame;     /* node << 32 | number -> place in `frame` */
    struct sb_map scheduler; /* node << 32 | tid -> scheduler.id */
    size_t *from;            /* by scheduler.id: its first sample; one more for the end */
    uint64_t n_schedulers;
};

/* A part of a key; 0 for what no recording writes. */
static uint32_t
low(int64_t v)
{
    return v > 0 && v <= UINT32_MAX ? (uint32_t)v : 0;
}

static uint64_t
key(int64_t node, int64_t number)
{
    return (uint64_t)low(node) << 32 | low(number);
}

/* ---- frames and samples, in the order of time: a number means the frame that was the last to get it */

static void
add_frame(struct join *j, int64_t *const *col, size_t i, size_t place)
{
    const uint32_t *caller = sb_map_get(&j->frame, key(col[0][i], col[3][i]));
    j->out.frame[place] = (struct sb_cpu_frame){
        .caller = caller ? *caller : 0,
        .code = col[5][i] > 0 && col[5][i] < SB_CPU_CODES ? (uint8_t)col[5][i] : SB_CPU_ERLANG,
        .function = col[4][i]};
    *sb_map_put(&j->frame, key(col[0][i], col[2][i]), NULL) = (uint32_t)place;
}

static int64_t *
column(const struct sb_profile *p, enum sb_tab t, unsigned col, uint64_t n)
{
    int64_t *v = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *v, n + 1));
    if (n > 0)
        sb_profile_read(p, t, col, 0, n, v);
    return v;
}

static void
read_samples(struct join *j, const struct sb_profile *p)
{
    static const unsigned of_frame[] = {SB_C_cpu_frame__node,     SB_C_cpu_frame__at,
                                        SB_C_cpu_frame__number,   SB_C_cpu_frame__caller,
                                        SB_C_cpu_frame__function, SB_C_cpu_frame__kind},
                          of_tick[] = {SB_C_cpu_tick__node, SB_C_cpu_tick__at, SB_C_cpu_tick__tid,
                                       SB_C_cpu_tick__stack};
    uint64_t frames = sb_profile_rows(p, SB_T_cpu_frame), ticks = sb_profile_rows(p, SB_T_cpu_tick);
    frames = frames < UINT32_MAX ? frames : UINT32_MAX - 1;
    int64_t *f[6], *t[4];
    for (unsigned i = 0; i < 6; i++)
        f[i] = column(p, SB_T_cpu_frame, of_frame[i], frames);
    for (unsigned i = 0; i < 4; i++)
        t[i] = column(p, SB_T_cpu_tick, of_tick[i], ticks);
    j->out.frame = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *j->out.frame, frames + 1));
    j->out.frame[0] = (struct sb_cpu_frame){.function = SB_NULL};
    j->out.sample = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *j->out.sample, ticks + 1));
    size_t next = 0;
    for (size_t i = 0; i < ticks; i++) {
        for (; next < frames && f[1][next] <= t[1][i]; next++)
            add_frame(j, f, next, next + 1);
        const uint32_t *stack = sb_map_get(&j->frame, key(t[0][i], t[3][i])),
                       *scheduler = sb_map_get(&j->scheduler, key(t[0][i], t[2][i]));
        j->out.sample[j->out.n_samples++] = (struct sb_cpu_sample){.at = t[1][i],
                                                                   .node = low(t[0][i]),
                                                                   .scheduler = scheduler ? *scheduler : 0,
                                                                   .stack = stack ? *stack : 0};
    }
    j->out.n_frames = next + 1;
    for (unsigned i = 0; i < 6; i++)
        free(f[i]);
    for (unsigned i = 0; i < 4; i++)
        free(t[i]);
}

static void
read_schedulers(struct join *j, const struct sb_profile *p)
{
    j->n_schedulers = sb_profile_rows(p, SB_T_scheduler);
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_thread); i++) {
        int64_t scheduler = SB_CELL(p, thread, scheduler, i);
        if (scheduler > 0 && (uint64_t)scheduler <= j->n_schedulers)
            *sb_map_put(&j->scheduler, key(SB_CELL(p, thread, node, i), SB_CELL(p, thread, tid, i)), NULL) =
                (uint32_t)scheduler;
    }
}

/* ---- whose slice a sample is in */

SB_ORDER(by_scheduler, struct sb_cpu_sample, SB_UP(scheduler) ?: SB_UP(at))

SB_ORDER(by_time, struct sb_cpu_sample, SB_UP(at) ?: SB_UP(scheduler))

static void
group(struct join *j)
{
    sb_sort(j->out.sample, j->out.n_samples, sizeof *j->out.sample, by_scheduler);
    j->from = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *j->from, j->n_schedulers + 2));
    size_t at = 0;
    for (uint64_t s = 0; s <= j->n_schedulers + 1; s++) {
        while (at < j->out.n_samples && j->out.sample[at].scheduler < s)
            at++;
        j->from[s] = at;
    }
}

/* The samples of a scheduler within [start, start + dur). */
static struct sb_cpu_sample *
within(const struct join *j, int64_t scheduler, int64_t start, int64_t dur, size_t *n)
{
    *n = 0;
    if (scheduler < 1 || (uint64_t)scheduler > j->n_schedulers || start == SB_NULL || dur <= 0)
        return NULL;
    size_t from = j->from[scheduler], to = j->from[scheduler + 1];
    SB_SEARCH(from, to, j->out.sample[mid].at < start);
    struct sb_cpu_sample *first = &j->out.sample[from];
    for (size_t i = from; i < j->from[scheduler + 1] && j->out.sample[i].at - start < dur; i++)
        ++*n;
    return first;
}

static void
join_slices(struct join *j, const struct sb_profile *p)
{
    size_t n;
    int64_t cpu = sb_profile_find_text(p, SB_STR("dirty_cpu")),
            io = sb_profile_find_text(p, SB_STR("dirty_io"));
    SB_SCAN(s, p, slice, process, scheduler, start, dur, kind);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct sb_cpu_sample *in = within(j, s.value[scheduler][i], s.value[start][i], s.value[dur][i], &n);
        int64_t k = s.value[kind][i];
        for (; n > 0 && low(s.value[process][i]); n--, in++) {
            in->process = low(s.value[process][i]);
            in->kind = k != SB_NULL && (k == cpu || k == io) ? SB_CPU_DIRTY : SB_CPU_RUN;
        }
    }
}

static void
join_collections(struct join *j, const struct sb_profile *p)
{
    size_t n;
    SB_SCAN(s, p, gc, process, scheduler, start, dur);
    for (size_t i = 0; sb_scan_row(&s, &i); i++) {
        struct sb_cpu_sample *in = within(j, s.value[scheduler][i], s.value[start][i], s.value[dur][i], &n);
        for (; n > 0; n--, in++)
            in->kind = in->process && in->process == low(s.value[process][i]) ? SB_CPU_GC : in->kind;
    }
}

/* ---- the whole */

static bool
make(void *value, const struct sb_profile *p, struct sb_arena *a, struct sb_err *e)
{
    (void)a;
    (void)e;
    struct join j = {.out.profile = p};
    read_schedulers(&j, p);
    read_samples(&j, p);
    group(&j);
    if (j.out.n_samples > 0) {
        join_slices(&j, p);
        join_collections(&j, p);
        qsort(j.out.sample, j.out.n_samples, sizeof *j.out.sample, by_time);
    }
    sb_map_close(&j.frame);
    sb_map_close(&j.scheduler);
    free(j.from);
    *(struct sb_cpu_samples *)value = j.out;
    return true;
}

static void
close(void *value)
{
    struct sb_cpu_samples *s = value;
    free(s->sample);
    free(s->frame);
}

const struct sb_cpu_samples *
sb_cpu_samples_of(const struct sb_profile *p)
{
    static const struct sb_derived derived = {sizeof(struct sb_cpu_samples), make, close};
    return sb_profile_derive(p, &derived, NULL);
}

double
sb_cpu_limit(double part, double n, int sign)
{
    const double z = 1.96;
    double p = n > 0 ? part / n : 0;
    return n > 0 ? (p + z * z / (2 * n) + sign * z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))) /
                       (1 + z * z / n)
                 : sign > 0;
}

int64_t
sb_cpu_error_ppm(uint64_t part, uint64_t whole)
{
    return llround(
        5e5 * (sb_cpu_limit((double)part, (double)whole, 1) - sb_cpu_limit((double)part, (double)whole, -1)));
}

/* ---- functions */

struct counting {
    const struct sb_cpu_samples *s;
    struct sb_cpu_function *of; /* by index of a function */
    size_t n;
    uint32_t *index;     /* by frame: its function */
    uint64_t *last;      /* by function: the last stack that it was counted in */
    struct sb_map known; /* text id and code -> index */
    struct sb_map pairs; /* function << 32 | process */
};

static void
find_functions(struct counting *c, struct sb_arena *a)
{
    size_t n = c->s->n_frames;
    c->of = SB_NEW_N(a, struct sb_cpu_function, n + 1);
    c->index = SB_NEW_N(a, uint32_t, n + 1);
    c->last = SB_NEW_N(a, uint64_t, n + 1);
    for (size_t i = 1; i < n; i++) {
        const struct sb_cpu_frame *f = &c->s->frame[i];
        c->index[i] = sb_map_place(&c->known, (uint64_t)f->function << 2 | f->code, c->n);
        if (c->index[i] == c->n)
            c->of[c->n++] = (struct sb_cpu_function){.function = f->function, .code = f->code};
    }
}

static void
count_stack(struct counting *c, const struct sb_cpu_sample *s, uint64_t nth)
{
    if (s->stack)
        c->of[c->index[s->stack]].self++;
    for (uint32_t f = s->stack; f; f = c->s->frame[f].caller) {
        uint32_t i = c->index[f];
        bool is_new;
        if (c->last[i] == nth)
            continue;
        c->last[i] = nth;
        c->of[i].total++;
        if (!s->process)
            continue;
        sb_map_put(&c->pairs, (uint64_t)i << 32 | s->process, &is_new);
        c->of[i].processes += is_new;
    }
}

SB_ORDER(by_self, struct sb_cpu_function, SB_DOWN(self) ?: SB_DOWN(total) ?: SB_UP(function))

bool
sb_cpu_is_chosen(const struct sb_cpu_choice *c, const struct sb_cpu_sample *s)
{
    bool is = c->n == 0;
    for (size_t i = 0; !is && i < c->n; i++)
        is = s->process == c->process[i];
    return is && sb_range_has(c->range, s->at);
}

void
sb_cpu_functions_find(const struct sb_cpu_samples *s, const struct sb_cpu_choice *choice, struct sb_arena *a,
                      struct sb_cpu_functions *out)
{
    struct counting c = {.s = s};
    *out = (struct sb_cpu_functions){0};
    find_functions(&c, a);
    for (size_t i = 0; i < s->n_samples; i++)
        if (sb_cpu_is_chosen(choice, &s->sample[i]))
            count_stack(&c, &s->sample[i], ++out->samples);
    size_t n = 0;
    for (size_t i = 0; i < c.n; i++)
        if (c.of[i].total > 0)
            c.of[n++] = c.of[i];
    sb_sort(c.of, n, sizeof *c.of, by_self);
    out->at = c.of;
    out->n = n;
    sb_map_close(&c.known);
    sb_map_close(&c.pairs);
}
