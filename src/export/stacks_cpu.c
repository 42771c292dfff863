/* Samples of the CPU as stacks: equal ones of a process and scheduler are summed. */
#include "base/vec.h"
#include "base/order.h"
#include "export/stacks.h"
#include "profile/cpu.h"

SB_ORDER(by_stack, struct sb_cpu_sample, SB_UP(process) ?: SB_UP(scheduler) ?: SB_UP(stack) ?: SB_UP(kind))

struct path {
    uint32_t *at;
    size_t n, cap;
};

/* Outermost first: the type of the process, unless it is the outermost frame, and the frames. True: it is there. */
static bool
find_path(struct sb_stacks *s, const struct sb_cpu_samples *all, const struct sb_cpu_sample *x,
          struct path *path)
{
    uint32_t type =
        x->process ? sb_stacks_type(s, x->process) : sb_intern_put(&s->names, SB_STR("outside of processes"));
    path->n = 0;
    for (uint32_t f = x->stack; f; f = all->frame[f].caller)
        *SB_PUSH(path) = sb_stacks_name(s, all->frame[f].function);
    bool is_typed = path->n == 0 || path->at[path->n - 1] != type;
    if (is_typed)
        *SB_PUSH(path) = type;
    for (size_t i = 0, k = path->n; i + 1 < k; i++) {
        uint32_t swap = path->at[i];
        path->at[i] = path->at[--k];
        path->at[k] = swap;
    }
    return is_typed;
}

static bool
visit(struct sb_stacks *s, const struct sb_cpu_samples *all, const struct sb_cpu_sample *x, size_t n,
      struct path *path)
{
    bool is_typed = find_path(s, all, x, path);
    struct sb_stack st = {.process = x->process,
                          .scheduler = x->scheduler,
                          .frame = path->at,
                          .n = path->n,
                          .is_typed = is_typed,
                          .samples = (int64_t)n};
    return s->visit(s->ctx, &st);
}

bool
sb_stacks_each_cpu(struct sb_stacks *s)
{
    const struct sb_cpu_samples *all = sb_cpu_samples_of(s->profile);
    const struct sb_export_options *o = s->options;
    struct sb_cpu_choice choice = {sb_range_of(s->profile, o->since_ns, o->until_ns), o->process,
                                   o->n_process};
    struct sb_cpu_sample *chosen = sb_realloc_or_die(NULL, sb_mul_or_die(sizeof *chosen, all->n_samples + 1));
    SB_SCOPED struct path path = {0};
    size_t n = 0;
    bool going = true;
    for (size_t i = 0; i < all->n_samples; i++)
        if (sb_cpu_is_chosen(&choice, &all->sample[i]))
            chosen[n++] = all->sample[i];
    if (n > 1)
        qsort(chosen, n, sizeof *chosen, by_stack);
    for (size_t i = 0, k; going && i < n; i = k) {
        for (k = i + 1; k < n && by_stack(&chosen[i], &chosen[k]) == 0;)
            k++;
        going = visit(s, all, &chosen[i], k - i, &path);
    }
    free(chosen);
    return going;
}
