/* Sampled stacks by function: how often it was the innermost frame, and how often it was on the stack. */
#include "answer/answer.h"
#include "profile/scan_row.h"
#include "base/intern.h"
#include "base/vec.h"
#include "profile/frames.h"

static const struct sb_column columns[] = {
    {"own", SB_INT, SB_U_COUNT, "samples with it as the innermost frame"},
    {"own_ppm", SB_INT, SB_U_PPM, "as a share of all samples"},
    {"with", SB_INT, SB_U_COUNT, "samples with it anywhere on the stack"},
    {"with_ppm", SB_INT, SB_U_PPM, "as a share of all samples"},
    {"function", SB_TEXT, SB_U_NONE, "m:f/a"},
    {0},
};

SB_ANSWER(stacks) = {
    .name = "stacks",
    .title = "Sampled stacks, by function: which code is active, not where time is spent",
    .whole_run = "samples are counted without their time",
    .doc = "One row per function. A process that is asked for its stack answers at its next yield, so the "
           "stacks show where reductions run out: BIFs, NIFs and garbage collection are missing. `report "
           "samples` shows their share (msacc), and processes that did not yield for a second (no_yield).",
    .needs = "--trace sample",
    .ask = answer,
    .limit = 20,
    .order = "own",
    .column = columns,
    .narrow = "own,own_ppm,with,with_ppm,function",
    .whole = "function",
};

enum { OWN, OWN_PPM, WITH, WITH_PPM, FUNCTION, N_COLUMNS };

struct function {
    int64_t own, with;
    uint64_t last_stack; /* the last stack counted: recursion counts once */
};

struct sums {
    struct sb_intern names;
    SB_VEC(struct function) of; /* by name */
    int64_t samples;
    uint64_t stacks;
};

static void
add(struct sums *s, struct sb_str stack, int64_t count)
{
    uint32_t name = 0;
    s->stacks++;
    s->samples += count;
    while (stack.n > 0) {
        name = sb_intern_put(&s->names, sb_frames_cut(&stack));
        while (s->of.n <= name)
            *SB_PUSH(&s->of) = (struct function){0};
        struct function *f = &s->of.at[name];
        f->with += f->last_stack != s->stacks ? count : 0;
        f->last_stack = s->stacks;
    }
    if (name < s->of.n)
        s->of.at[name].own += count;
}

static bool
is_chosen(const int64_t *ids, size_t n, int64_t process)
{
    for (size_t i = 0; i < n; i++)
        if (ids[i] == process)
            return true;
    return n == 0;
}

static void
add_all(struct sums *s, const struct sb_profile *p, const int64_t *ids, size_t n)
{
    SB_SCAN(c, p, stack, process, stack, count);
    for (size_t i = 0; sb_scan_row(&c, &i); i++)
        if (is_chosen(ids, n, c.value[process][i]))
            add(s, sb_profile_text(p, c.value[stack][i]), c.value[count][i]);
}

static bool
answer(const struct sb_ask *ask, struct sb_table *t, struct sb_err *e)
{
    int64_t *ids;
    size_t n;
    struct sums s = {0};
    SB_TRY(sb_answer_chosen(ask, &ids, &n, e));
    sb_intern_init(&s.names);
    add_all(&s, ask->profile, ids, n);
    sb_table_init(t, ask->arena, columns, N_COLUMNS);
    for (uint32_t name = 0; name < s.of.n; name++) {
        const struct function *f = &s.of.at[name];
        if (f->with == 0)
            continue;
        union sb_cell *c = sb_table_row(t);
        c[OWN].i = f->own;
        c[OWN_PPM].i = f->own * 1000000 / s.samples;
        c[WITH].i = f->with;
        c[WITH_PPM].i = f->with * 1000000 / s.samples;
        c[FUNCTION].s = sb_arena_str(ask->arena, sb_intern_text(&s.names, name));
    }
    SB_VEC_FREE(&s.of);
    sb_intern_close(&s.names);
    return true;
}
