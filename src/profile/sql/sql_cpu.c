/* cpu_sample, cpu_stack and cpu_function: samples of the CPU with their processes, in words. */
#include "base/arena.h"
#include "profile/cpu.h"
#include "profile/sql/computed.h"

struct rows {
    const struct sb_cpu_samples *s;
    size_t next;
    struct sb_cpu_functions functions;
};

static void *
open_rows(const struct sb_computation *c, struct sb_err *e)
{
    (void)e;
    struct rows *r = SB_NEW(c->arena, struct rows);
    r->s = sb_cpu_samples_of(c->profile);
    return r;
}

static int64_t
or_null(uint32_t id)
{
    return id ? (int64_t)id : SB_NULL;
}

static bool
next_sample(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (r->next == r->s->n_samples)
        return false;
    const struct sb_cpu_sample *s = &r->s->sample[r->next++];
    cell[0].i = s->at;
    cell[1].i = or_null(s->process);
    cell[2].i = or_null(s->scheduler);
    cell[3].i = or_null(s->stack);
    cell[4].s = sb_str_of(sb_cpu_kinds[s->kind]);
    cell[5].i = or_null(s->node);
    return true;
}

static bool
next_stack(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (++r->next >= r->s->n_frames)
        return false;
    const struct sb_cpu_frame *f = &r->s->frame[r->next];
    cell[0].i = (int64_t)r->next;
    cell[1].i = f->caller;
    cell[2].s = sb_profile_text(r->s->profile, f->function);
    cell[3].s = sb_str_of(sb_cpu_codes[f->code]);
    return true;
}

static void *
open_functions(const struct sb_computation *c, struct sb_err *e)
{
    struct rows *r = open_rows(c, e);
    struct sb_cpu_choice choice = {sb_range_of(r->s->profile, c->arg[0].i, c->arg[1].i), &c->arg[2].i,
                                   c->arg[2].i != SB_NULL};
    sb_cpu_functions_find(r->s, &choice, c->arena, &r->functions);
    return r;
}

static bool
next_function(void *rows, union sb_cell *cell)
{
    struct rows *r = rows;
    if (r->next == r->functions.n)
        return false;
    const struct sb_cpu_function *f = &r->functions.at[r->next++];
    cell[0].s = sb_profile_text(r->s->profile, f->function);
    cell[1].i = (int64_t)f->self;
    cell[2].i = (int64_t)f->total;
    cell[3].i = (int64_t)f->processes;
    cell[4].i = f->code != SB_CPU_ERLANG;
    cell[5].i = (int64_t)r->functions.samples;
    return true;
}

static const struct sb_column sample_columns[] = {
    {"at", SB_INT, SB_U_AT_NS, ""},
    {"process", SB_INT, SB_U_ID, "process.id of the slice that it fell into; NULL: outside of processes"},
    {"scheduler", SB_INT, SB_U_ID, "scheduler.id of the thread; NULL: it is no scheduler"},
    {"stack", SB_INT, SB_U_ID, "cpu_stack.id of the innermost frame; NULL: unknown"},
    {"kind", SB_TEXT, SB_U_NONE, "run, gc, dirty, outside (of processes)"},
    {"node", SB_INT, SB_U_ID, "node.id"},
};
const struct sb_computed sb_sql_cpu_sample = {
    .name = "cpu_sample",
    .doc = "samples of the CPU, by time: where a thread of the VM was",
    .column = sample_columns,
    .n_columns = sizeof sample_columns / sizeof *sample_columns,
    .open = open_rows,
    .next = next_sample,
};

static const struct sb_column stack_columns[] = {
    {"id", SB_INT, SB_U_ID, ""},
    {"caller", SB_INT, SB_U_ID, "cpu_stack.id of the frame that called it, 0: it is the outermost"},
    {"function", SB_TEXT, SB_U_NONE,
     "Erlang function m:f/a, FILE:SYMBOL, or FILE:before SYMBOL if it has no name"},
    {"kind", SB_TEXT, SB_U_NONE, "erlang, native (of the VM or of a library), kernel"},
};
const struct sb_computed sb_sql_cpu_stack = {
    .name = "cpu_stack",
    .doc = "frames of sampled stacks of the CPU; stacks share their outer frames",
    .column = stack_columns,
    .n_columns = sizeof stack_columns / sizeof *stack_columns,
    .open = open_rows,
    .next = next_stack,
};

static const struct sb_column function_columns[] = {
    {"function", SB_TEXT, SB_U_NONE,
     "Erlang function m:f/a, FILE:SYMBOL, or FILE:before SYMBOL if it has no name"},
    {"self", SB_INT, SB_U_COUNT, "samples in the function itself"},
    {"total", SB_INT, SB_U_COUNT, "samples with the function on the stack"},
    {"processes", SB_INT, SB_U_COUNT, "processes that these were of"},
    {"native", SB_INT, SB_U_NONE, "1: code of the VM, of a library or of the kernel"},
    {"samples", SB_INT, SB_U_COUNT, "all samples that were counted"},
};
const struct sb_computed sb_sql_cpu_function = {
    .name = "cpu_function",
    .doc = "functions of sampled stacks, hottest first; cpu_function(t0, t1, process) counts a range, or one "
           "process",
    .column = function_columns,
    .n_columns = sizeof function_columns / sizeof *function_columns,
    .arg = {"t0", "t1", "process"},
    .open = open_functions,
    .next = next_function,
};
