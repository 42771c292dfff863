/* Functions by samples of the CPU. */
#include "answer/hot.h"
#include "profile/cpu.h"
#include "profile/places.h"
#include "why/program/words.h"
#include <math.h>

enum { SELF_PPM, ERROR_PPM, TOTAL_PPM, SELF, TOTAL, PROCESSES, NATIVE, FUNCTION, PLACE, N_COLUMNS };
static const struct sb_column columns[] = {
    [SELF_PPM] = {"self_ppm", SB_INT, SB_U_PPM, "share of the samples in the function itself"},
    [ERROR_PPM] = {"error_ppm", SB_INT, SB_U_PPM,
                   "how far that share may be off, from the number of samples: 95 %"},
    [TOTAL_PPM] = {"total_ppm", SB_INT, SB_U_PPM, "share of the samples with the function on the stack"},
    [SELF] = {"self", SB_INT, SB_U_COUNT, "samples in the function itself"},
    [TOTAL] = {"total", SB_INT, SB_U_COUNT, "samples with the function on the stack"},
    [PROCESSES] = {"processes", SB_INT, SB_U_COUNT, "processes that these were of"},
    [NATIVE] = {"native", SB_INT, SB_U_NONE, "1: code of the VM, of a library or of the kernel"},
    [FUNCTION] = {"function", SB_TEXT, SB_U_NONE,
                  "Erlang function m:f/a, FILE:SYMBOL, or FILE:before SYMBOL if it has no name"},
    [PLACE] = {"place", SB_TEXT, SB_U_NONE, "file and line of its source; NULL: unknown"},
    {0},
};

static const char *note(const struct sb_ask *ask, const struct sb_table *t);

SB_ANSWER(cpu) = {
    .name = "cpu",
    .title = "Functions by samples of the CPU",
    .ordered = "by samples of their own",
    .doc = "One row per function of Erlang, of the VM or of a library. Each thread of the VM was sampled "
           "after equal parts of its CPU time, so a share of the samples is a share of the CPU time; nothing "
           "slows the functions down. Of code of the VM and of libraries the Erlang function that called it "
           "is mostly known, and its callers seldom.",
    .needs = "--trace all,cpu",
    .ask = answer,
    .limit = 20,
    .order = "self",
    .column = columns,
    .narrow = "self_ppm,error_ppm,total_ppm,processes,function",
    .hide = "native",
    .note = note,
    .whole = "function",
};

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    struct sb_cpu_functions found;
    struct sb_cpu_choice choice = {.range = sb_range_of(ask->profile, ask->q->since_ns, ask->q->until_ns)};
    int64_t *ids;
    SB_TRY(sb_answer_chosen(ask, &ids, &choice.n, e));
    choice.process = ids;
    sb_cpu_functions_find(sb_cpu_samples_of(ask->profile), &choice, ask->arena, &found);
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (size_t i = 0; i < found.n; i++) {
        const struct sb_cpu_function *f = &found.at[i];
        union sb_cell *c = sb_table_row(t);
        c[SELF_PPM].i = llround(1e6 * (double)f->self / (double)found.samples);
        c[ERROR_PPM].i = sb_cpu_error_ppm(f->self, found.samples);
        c[TOTAL_PPM].i = llround(1e6 * (double)f->total / (double)found.samples);
        c[SELF].i = (int64_t)f->self;
        c[TOTAL].i = (int64_t)f->total;
        c[PROCESSES].i = (int64_t)f->processes;
        c[NATIVE].i = f->code != SB_CPU_ERLANG;
        c[FUNCTION].s = sb_profile_text(ask->profile, f->function);
        c[PLACE].s = sb_place_text(ask->profile, f->function, ask->arena);
    }
    return true;
}

static const char *
note(const struct sb_ask *ask, const struct sb_table *t)
{
    struct sb_vm_samples v;
    if (ask->q->n_process > 0 || t->n_rows == 0)
        return "";
    sb_vm_samples_find(ask->profile, sb_range_of(ask->profile, ask->q->since_ns, ask->q->until_ns),
                       ask->arena, &v);
    const char *hot = sb_hot_functions(ask, &v);
    return *hot ? sb_words(ask->arena, "functions of Erlang, with what the VM did for them: %s (%s)", hot,
                           sb_hot_error(ask, &v))
                : "";
}
