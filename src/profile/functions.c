#include "profile/functions.h"
#include "base/table.h"

static uint32_t
function_of(struct sb_functions *f, int64_t mfa)
{
    size_t h = (size_t)mfa;
    SB_REACH(&f->of_handle, h);
    if (f->of_handle.at[h] == 0) {
        *SB_PUSH(&f->sum) = (struct sb_function_sum){
            .mfa = mfa, .acc_ns = SB_NULL, .last_process = SB_NULL, .counted_from = SB_NULL};
        f->of_handle.at[h] = (uint32_t)f->sum.n;
    }
    return f->of_handle.at[h] - 1;
}

static void
begin_process(struct sb_functions *f, int64_t process)
{
    if (f->node.n > 0)
        f->nodes_before += (int64_t)f->node.n - 1;
    f->node.n = 0;
    *SB_PUSH(&f->node) = 0;
    f->process = process;
}

void
sb_functions_add(struct sb_functions *f, const int64_t *c)
{
    int64_t parent = c[SB_C_call_node__parent], mfa = c[SB_C_call_node__mfa];
    if (mfa < 0)
        return;
    if (f->node.n == 0 || f->process != c[SB_C_call_node__process])
        begin_process(f, c[SB_C_call_node__process]);
    bool has_parent = parent > f->nodes_before && parent - f->nodes_before < (int64_t)f->node.n;
    uint32_t function = function_of(f, mfa);
    struct sb_function_sum *s = &f->sum.at[function];
    int64_t calls = sb_known(c[SB_C_call_node__calls]), acc_ns = c[SB_C_call_node__function_acc_ns];
    s->calls += calls;
    s->own_ns += sb_known(c[SB_C_call_node__own_ns]);
    if (acc_ns != SB_NULL)
        s->acc_ns = sb_known(s->acc_ns) + acc_ns;
    s->processes += calls > 0 && s->last_process != c[SB_C_call_node__process];
    if (calls > 0)
        s->last_process = c[SB_C_call_node__process];
    if (has_parent) {
        struct sb_function_sum *caller = &f->sum.at[f->node.at[parent - f->nodes_before]];
        caller->suspend_ns += mfa == f->suspend ? sb_known(c[SB_C_call_node__acc_ns]) : 0;
        caller->gc_ns += mfa == f->collect ? sb_known(c[SB_C_call_node__acc_ns]) : 0;
    }
    *SB_PUSH(&f->node) = function;
}

void
sb_functions_counted(struct sb_functions *f, const struct sb_function_count *c)
{
    if (c->mfa < 0) /* a damaged trace counts calls of no function */
        return;
    uint32_t function = function_of(f, c->mfa); /* may move the sums */
    struct sb_function_sum *s = &f->sum.at[function];
    if (s->counted_from == SB_NULL)
        s->counted = c->calls;
    else if (c->calls != SB_NULL)
        s->counted = sb_known(s->counted) + c->calls;
    if (s->counted_from == SB_NULL || c->from < s->counted_from)
        s->counted_from = c->from;
    s->at_least |= c->at_least;
}

void
sb_functions_row(const struct sb_functions *f, size_t i, int64_t *c)
{
    const struct sb_function_sum *s = &f->sum.at[i];
    c[SB_C_function__id] = (int64_t)i + 1;
    c[SB_C_function__mfa] = s->mfa;
    c[SB_C_function__calls] = s->calls + sb_known(s->counted);
    c[SB_C_function__own_ns] = s->own_ns;
    c[SB_C_function__acc_ns] = s->acc_ns;
    c[SB_C_function__gc_ns] = s->gc_ns;
    c[SB_C_function__suspend_ns] = s->suspend_ns;
    c[SB_C_function__processes] = s->processes;
    c[SB_C_function__words] = SB_NULL;
    c[SB_C_function__counted] = s->counted;
    c[SB_C_function__counted_from] = s->counted_from;
    c[SB_C_function__at_least] = s->at_least;
}

void
sb_functions_close(struct sb_functions *f)
{
    SB_VEC_FREE(&f->sum);
    SB_VEC_FREE(&f->of_handle);
    SB_VEC_FREE(&f->node);
}
