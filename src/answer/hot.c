#include "answer/hot.h"
#include "why/find/finding.h"
#include <math.h>

static const char *
add_share(const struct sb_ask *ask, const char *text, struct sb_str what, uint64_t samples, uint64_t all)
{
    if (20 * samples < all || 1e6 * (double)samples < (double)all * (double)sb_cpu_error_ppm(samples, all))
        return text;
    return sb_words(ask->arena, "%s%s%.*s %d %%", text, *text ? ", " : "", SB_STR_ARG(what),
                    sb_percent((int64_t)samples, (int64_t)all));
}

/* "erlang:spawn/1 (called by shop:serve/3 at src/shop.erl:12)" */
static struct sb_str
name_of(const struct sb_ask *ask, const struct sb_vm_samples *v, int64_t function)
{
    return sb_str_of(sb_words(ask->arena, "%s%s",
                              sb_words_function(ask->arena, ask->profile, function, ask->q->elixir),
                              sb_words_called_by(ask->arena, v, function, ask->q->elixir)));
}

/* " (where known, shop:total/2 in 5 of 6 samples)": the function that this work was mostly for; empty: too few samples
 * tell. */
static const char *
mostly_for(const struct sb_ask *ask, const struct sb_vm_samples *v, enum sb_vm_work work)
{
    enum { FEWEST = 3 };
    struct sb_vm_caller c = sb_vm_caller_of(v, work, 0);
    if (c.known < FEWEST || 2 * c.samples <= c.known)
        return "";
    return sb_words(ask->arena, " (where known, %s in %s of %s samples)",
                    sb_words_function(ask->arena, ask->profile, c.function, ask->q->elixir),
                    sb_words_count(ask->arena, (int64_t)c.samples),
                    sb_words_count(ask->arena, (int64_t)c.known));
}

/* What the VM did for functions that are unknown, and what is unknown altogether. */
static const char *
add_unknown(const struct sb_ask *ask, const struct sb_vm_samples *v, const char *text, uint64_t unknown)
{
    uint64_t of[SB_VM_WORKS] = {0};
    for (size_t i = 0; i < v->all->n_samples; i++) {
        const struct sb_cpu_sample *s = &v->all->sample[i];
        if (sb_vm_counts(v, s) && v->function[s->stack] == SB_NULL)
            of[sb_vm_sample_work(v, s)]++;
    }
    for (unsigned w = 0; w < SB_VM_WORKS; w++) {
        const char *word = sb_vm_work_word((enum sb_vm_work)w);
        if (!word || 20 * of[w] < v->n)
            continue;
        const char *with = add_share(
            ask, text, sb_str_of(sb_words(ask->arena, "%s for unknown functions", word)), of[w], v->n);
        text = with == text ? text : sb_words(ask->arena, "%s%s", with, mostly_for(ask, v, w));
        unknown -= of[w];
    }
    return add_share(ask, text, SB_STR("unknown"), unknown, v->n);
}

/* Which of them made garbage is mostly unknown. */
const char *
sb_hot_functions(const struct sb_ask *ask, const struct sb_vm_samples *v)
{
    enum { MOST = 3 };
    struct sb_vm_caller *c, gc = sb_vm_caller_of(v, SB_VM_GC, 0);
    size_t n = sb_vm_callers(v, SB_VM_WORKS, 0, &c);
    const char *text = "";
    uint64_t unknown_gc = v->of[SB_VM_GC] - gc.known;
    for (size_t i = 0; i <= n && i <= MOST; i++) {
        bool is_last = i == n || i == MOST;
        if (unknown_gc > 0 && (is_last || unknown_gc > c[i].samples)) {
            text = add_share(ask, text, SB_STR("garbage collection"), unknown_gc, v->n);
            unknown_gc = 0;
        }
        if (!is_last)
            text = add_share(ask, text, name_of(ask, v, c[i].function), c[i].samples, v->n);
    }
    uint64_t known = (n > 0 ? c[0].known : 0) + v->of[SB_VM_GC] - gc.known;
    return *text && 10 * (v->n - known) >= v->n ? add_unknown(ask, v, text, v->n - known) : text;
}

const char *
sb_hot_error(const struct sb_ask *ask, const struct sb_vm_samples *v)
{
    return sb_words(ask->arena, "%s samples: within %d points", sb_words_count(ask->arena, (int64_t)v->n),
                    (int)ceil(98 / sqrt((double)v->n)));
}
