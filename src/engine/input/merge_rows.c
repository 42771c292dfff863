#include "engine/input/merge_rows.h"
#include "base/order.h"
#include "engine/world/actors.h"
#include "engine/merge/profile_source.h"
#include "engine/input/inputs.h"
#include "engine/world/lanes.h"
#include "engine/state/found.h"
#include "profile/reader.h"
#include <pthread.h>
#include <stdlib.h>

struct life { /* a row of table process */
    sb_actor actor;
    int64_t start; /* its stamp; SB_NULL: unknown */
    int64_t id;    /* process.id in its profile */
    uint32_t input;
};
struct stretch { /* adjacent rows of one process */
    int64_t process;
    uint64_t first, n;
};
enum { NODES, ACTIVATIONS, EDGES, STACKS, CALL_TABLES };
static const struct {
    enum sb_tab tab;
    unsigned process; /* column */
} call_tables[CALL_TABLES] = {{SB_T_call_node, SB_C_call_node__process},
                              {SB_T_activation, SB_C_activation__process},
                              {SB_T_call_edge, SB_C_call_edge__process},
                              {SB_T_stack, SB_C_stack__process}};

struct calls { /* of an input */
    SB_VEC(struct stretch) of[CALL_TABLES];
};
struct readers { /* of the tables of an input, by one thread at a time */
    uint32_t input;
    unsigned part; /* that was copied last: its next process is near */
    struct sb_reader *of[CALL_TABLES];
};
struct sb_merge_rows {
    const struct sb_run *run;
    SB_VEC(struct life) lives; /* by actor, then start */
    struct calls *calls;       /* one per input */
    pthread_mutex_t lock;      /* of: */
    SB_VEC(struct readers) spare;
};

/* ---- processes ---- */

static int64_t
stamp(const struct sb_run *r, uint32_t input, int64_t at)
{
    const struct sb_input *in = &r->inputs.at[input];
    return at == SB_NULL ? SB_NULL
                         : (int64_t)((uint64_t)at + (uint64_t)sb_profile_source_shift_ns(in->source) +
                                     (uint64_t)in->offset_ns);
}

SB_ORDER(by_actor, struct life, SB_UP(actor) ?: SB_UP(start) ?: SB_UP(input))

static void
find_lives(struct sb_merge_rows *s, uint32_t input)
{
    struct sb_source *source = s->run->inputs.at[input].source;
    const struct sb_profile *p = sb_profile_source_profile(source);
    struct sb_reader *rows = sb_reader_open(p, SB_T_process);
    SB_RESERVE(&s->lives, sb_profile_rows(p, SB_T_process));
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_process); i++) {
        uint64_t b = i / SB_BLOCK_ROWS, k = i % SB_BLOCK_ROWS;
        sb_actor a = sb_profile_source_process(source, (int64_t)i + 1);
        int64_t start = sb_reader_block(rows, SB_C_process__start, b)[k];
        if (a == 0)
            continue;
        a = sb_inputs_actor(s->run, input, a);
        *SB_PUSH(&s->lives) = (struct life){a, stamp(s->run, input, start), (int64_t)i + 1, input};
    }
    sb_reader_close(rows);
}

/* Restores when the process was first and last seen, which a replay without calls may not show. The lives
 * of a reused pid follow from spawns. */
static void
put_process(const struct sb_run *r, const struct life *l, bool only)
{
    const struct sb_profile *p = sb_profile_source_profile(r->inputs.at[l->input].source);
    uint64_t row = (uint64_t)l->id - 1;
    int64_t first = stamp(r, l->input, SB_CELL(p, process, first_seen, row));
    int64_t last = stamp(r, l->input, SB_CELL(p, process, last_seen, row));
    struct sb_part *x = &r->part[sb_actors_part(l->actor)];
    if (first == SB_NULL)
        return;
    uint32_t i = sb_actors_put(x, l->actor, first);
    struct sb_seed *seed = sb_procs_seed(&x->procs, i);
    seed->last_seen = only && last > seed->last_seen ? last : seed->last_seen;
}

static void
put_everybody(struct sb_merge_rows *s)
{
    for (size_t i = 0, j; i < s->lives.n; i = j) {
        const struct life *l = &s->lives.at[i];
        bool only = true;
        for (j = i + 1; j < s->lives.n && s->lives.at[j].actor == l->actor; j++)
            only &= s->lives.at[j].input != s->lives.at[j - 1].input;
        for (size_t k = i; k < j; k++)
            if (only || k == i)
                put_process(s->run, &s->lives.at[k], only);
    }
}

static void
put_places(const struct sb_run *r, uint32_t input)
{
    struct sb_source *source = r->inputs.at[input].source;
    const struct sb_profile *p = sb_profile_source_profile(source);
    if (!sb_str_eq(sb_profile_source_meta(source, "runnable"), SB_STR("system_profile")))
        return;
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_wait); i++) {
        int64_t id = SB_CELL(p, wait, process, i);
        int64_t n = SB_CELL(p, wait, count, i);
        int64_t total = SB_CELL(p, wait, total_ns, i);
        double spread = (double)SB_CELL(p, wait, stddev_ns, i);
        if (!sb_profile_source_is_own(source, id) || n < 1)
            continue;
        sb_actor a = sb_inputs_actor(r, input, sb_profile_source_process(source, id));
        struct sb_part *x = &r->part[sb_actors_part(a)];
        uint32_t k = sb_actors_put(x, a, INT64_MAX);
        struct sb_proc *proc = sb_procs_at(&x->procs, k);
        uint32_t fn = sb_profile_source_function(source, SB_CELL(p, wait, function, i));
        *SB_PUSH(&proc->places) = (struct sb_place){.fn = sb_inputs_name(r, input, fn),
                                                    .count = (uint64_t)n,
                                                    .total = total,
                                                    .max = SB_CELL(p, wait, max_ns, i),
                                                    .mean = (double)total / (double)n,
                                                    .m2 = spread * spread * (double)n};
    }
}

/* Restores each scheduler's first event; the earliest input decides. */
static void
put_schedulers(const struct sb_run *r, uint32_t input)
{
    struct sb_source *source = r->inputs.at[input].source;
    const struct sb_profile *p = sb_profile_source_profile(source);
    for (uint64_t i = 0; i < sb_profile_rows(p, SB_T_scheduler); i++) {
        int64_t first = stamp(r, input, SB_CELL(p, scheduler, first_event, i));
        sb_lane lane = sb_profile_source_lane(source, (int64_t)i + 1);
        if (first != SB_NULL && lane != SB_LANE_NONE)
            sb_lanes_meet(&r->part[0], (uint32_t)r->inputs.at[input].node << 16 | lane, first);
    }
}

/* ---- calls ---- */

static void
find_stretches(struct sb_merge_rows *s, uint32_t input, unsigned which)
{
    const struct sb_profile *p = sb_profile_source_profile(s->run->inputs.at[input].source);
    struct sb_reader *rows = sb_reader_open(p, call_tables[which].tab);
    struct calls *c = &s->calls[input];
    for (uint64_t i = 0; i < sb_profile_rows(p, call_tables[which].tab); i++) {
        int64_t id = sb_reader_block(rows, call_tables[which].process, i / SB_BLOCK_ROWS)[i % SB_BLOCK_ROWS];
        size_t n = c->of[which].n;
        if (n > 0 && c->of[which].at[n - 1].process == id)
            c->of[which].at[n - 1].n++;
        else
            *SB_PUSH(&c->of[which]) = (struct stretch){id, i, 1};
    }
    sb_reader_close(rows);
}

SB_ORDER(by_process, struct stretch, SB_UP(process) ?: SB_UP(first))

/* Translates a value: names to the run's dictionary, times to its axis. */
static int64_t
translated(const struct sb_run *r, const struct life *l, enum sb_tab t, unsigned column, int64_t v)
{
    const struct sb_source *source = r->inputs.at[l->input].source;
    if (sb_schema[t].column[column].type == SB_TEXT) {
        uint32_t (*name)(const struct sb_source *, int64_t) =
            t == SB_T_stack ? sb_profile_source_text : sb_profile_source_function;
        return v == SB_NULL ? 0 : sb_inputs_name(r, l->input, name(source, v));
    }
    if (sb_schema[t].column[column].unit == SB_U_AT_NS && v != SB_NULL)
        return sb_rel(r, stamp(r, l->input, v));
    return v;
}

/* Copies the rows of one range. */
static void
copy(struct sb_part *x, const struct sb_proc *p, const struct life *l, struct sb_reader *rows,
     const struct stretch *some, int64_t at)
{
    const struct sb_run *r = x->run;
    enum sb_tab t = rows->tab;
    int parent = sb_schema_column(t, SB_STR("parent")), process = sb_schema_column(t, SB_STR("process"));
    for (uint64_t i = some->first; i < some->first + some->n; i++) {
        uint32_t *row = sb_row_put(x, t, at, p);
        for (unsigned k = 0; k < sb_schema[t].n_columns; k++) {
            int64_t v =
                translated(r, l, t, k, sb_reader_block(rows, k, i / SB_BLOCK_ROWS)[i % SB_BLOCK_ROWS]);
            if ((int)k == process)
                v = p->id;
            else if ((int)k == parent && v > 0) /* distance in rows: ids are assigned when rows are written */
                v = (int64_t)(i + 1) - v;
            sb_row_set(&x->rows[t], sb_build_shape(r->services.build, t), row, k, v);
        }
    }
}

static size_t
first_of(const struct calls *c, unsigned which, int64_t process)
{
    size_t from = 0, to = c->of[which].n;
    SB_SEARCH(from, to, c->of[which].at[mid].process < process);
    return from;
}

/* Calls after the exit, which irregular traces may have, are copied at the end of the trace. */
static bool
is_early(const struct sb_run *r, const struct life *l, int64_t at)
{
    const struct calls *c = &r->stored->calls[l->input];
    const struct sb_profile *p = sb_profile_source_profile(r->inputs.at[l->input].source);
    size_t i = first_of(c, NODES, l->id);
    return i < c->of[NODES].n && c->of[NODES].at[i].process == l->id &&
           stamp(r, l->input, SB_CELL(p, call_node, first, c->of[NODES].at[i].first)) > at;
}

static struct readers
take_readers(struct sb_merge_rows *s, uint32_t input, unsigned part)
{
    struct readers taken = {.input = input};
    pthread_mutex_lock(&s->lock);
    size_t best = s->spare.n;
    for (size_t i = 0; i < s->spare.n; i++)
        if (s->spare.at[i].input == input && (best == s->spare.n || s->spare.at[i].part == part))
            best = i;
    if (best < s->spare.n) {
        taken = s->spare.at[best];
        s->spare.at[best] = s->spare.at[--s->spare.n];
    }
    pthread_mutex_unlock(&s->lock);
    taken.part = part;
    for (unsigned which = 0; which < CALL_TABLES; which++)
        if (!taken.of[which])
            taken.of[which] = sb_reader_open(sb_profile_source_profile(s->run->inputs.at[input].source),
                                             call_tables[which].tab);
    return taken;
}

static void
give_readers(struct sb_merge_rows *s, struct readers taken)
{
    pthread_mutex_lock(&s->lock);
    *SB_PUSH(&s->spare) = taken;
    pthread_mutex_unlock(&s->lock);
}

static void
copy_calls(struct sb_part *x, const struct sb_proc *p, const struct life *l, int64_t at)
{
    const struct calls *c = &x->run->stored->calls[l->input];
    struct readers rows = take_readers(x->run->stored, l->input, x->index);
    for (unsigned which = 0; which < CALL_TABLES; which++)
        for (size_t i = first_of(c, which, l->id); i < c->of[which].n && c->of[which].at[i].process == l->id;
             i++)
            copy(x, p, l, rows.of[which], &c->of[which].at[i], at);
    give_readers(x->run->stored, rows);
}

/* The lives with the start of that process; more than one where inputs have the same, or none has its start. */
static const struct life *
first_life(const struct sb_merge_rows *s, const struct sb_proc *p)
{
    size_t from = 0, to = s->lives.n;
    SB_SEARCH(from, to,
              s->lives.at[mid].actor < p->actor ||
                  (s->lives.at[mid].actor == p->actor && s->lives.at[mid].start < p->life.start));
    return s->lives.at + from;
}

static bool
is_life_of(const struct sb_merge_rows *s, const struct life *l, const struct sb_proc *p)
{
    return l < s->lives.at + s->lives.n && l->actor == p->actor && l->start == p->life.start &&
           !p->calls_copied;
}

static bool
is_own(const struct sb_run *r, const struct life *l)
{
    return sb_profile_source_is_own(r->inputs.at[l->input].source, l->id);
}

void
sb_merge_rows_calls(struct sb_part *x, struct sb_proc *p, int64_t at)
{
    const struct sb_merge_rows *s = x->run->stored;
    for (const struct life *l = first_life(s, p); is_life_of(s, l, p); l++) {
        if (!is_own(x->run, l))
            continue;
        if (is_early(x->run, l, at))
            return;
        copy_calls(x, p, l, at);
    }
    p->calls_copied = true;
}

bool
sb_merge_rows_has_calls(const struct sb_run *r, const struct sb_proc *p, size_t *nodes)
{
    const struct sb_merge_rows *s = r->stored;
    bool any = false;
    for (const struct life *l = first_life(s, p); is_life_of(s, l, p); l++) {
        const struct calls *c = &s->calls[l->input];
        for (unsigned which = 0; which < CALL_TABLES && is_own(r, l); which++)
            for (size_t k = first_of(c, which, l->id);
                 k < c->of[which].n && c->of[which].at[k].process == l->id; k++) {
                any = true;
                *nodes += which == NODES ? c->of[which].at[k].n : 0;
            }
    }
    return any;
}

/* ---- opening and closing ---- */

struct sb_merge_rows *
sb_merge_rows_open(const struct sb_run *r)
{
    struct sb_merge_rows *s = sb_zeroed_or_die(1, sizeof *s);
    struct calls *calls = sb_zeroed_or_die(r->inputs.n, sizeof *calls);
    *s = (struct sb_merge_rows){.run = r, .calls = calls};
    pthread_mutex_init(&s->lock, NULL);
    for (uint32_t i = 0; i < r->inputs.n; i++) {
        find_lives(s, i);
        for (unsigned t = 0; t < CALL_TABLES; t++) {
            find_stretches(s, i, t);
            SB_SORT(&calls[i].of[t], by_process);
        }
    }
    SB_SORT(&s->lives, by_actor);
    put_everybody(s);
    for (uint32_t i = 0; i < r->inputs.n; i++)
        put_places(r, i), put_schedulers(r, i);
    return s;
}

void
sb_merge_rows_close(struct sb_merge_rows *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->run->inputs.n; i++)
        for (unsigned t = 0; t < CALL_TABLES; t++)
            SB_VEC_FREE(&s->calls[i].of[t]);
    free(s->calls);
    for (size_t i = 0; i < s->spare.n; i++)
        for (unsigned t = 0; t < CALL_TABLES; t++)
            sb_reader_close(s->spare.at[i].of[t]);
    SB_VEC_FREE(&s->spare);
    pthread_mutex_destroy(&s->lock);
    SB_VEC_FREE(&s->lives);
    free(s);
}
