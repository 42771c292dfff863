#include "profile/functions.h"
#include "base/table.h"

static uint32_t
function_of(struct sb_functions *f, int64_t mfa)
{
    size_t h = (size_t)mfa;
    SB_REACH(&f->of_handle, h);
    if (f->of_handle.at[h] == 0) {
        *SB_PUSH(&f->sum) = (struct sb_function_sum){.mfa = mfa, .last_process = SB_NULL};
        f->of_handle.at[h] = (uint32_t)f->sum.n;
    }
    return f->of_handle.at[h] - 1;
}

/* From the path that is told to that of another node: only what the two do not share is touched. */
static void
go(struct sb_functions *f, uint32_t to)
{
    for (uint32_t from = f->path, in = to; from != in;) {
        const struct sb_functions_node *out = &f->node.at[from], *n = &f->node.at[in];
        if (out->depth >= n->depth) {
            f->sum.at[out->function].on_path--;
            from = out->parent;
        } else {
            f->sum.at[n->function].on_path++;
            in = n->parent;
        }
    }
    f->path = to;
}

static void
begin_process(struct sb_functions *f, int64_t process)
{
    if (f->node.n > 0) {
        go(f, 0);
        f->nodes_before += (int64_t)f->node.n - 1;
    }
    f->node.n = 0;
    *SB_PUSH(&f->node) = (struct sb_functions_node){0};
    f->process = process;
}

static int64_t
known(int64_t v)
{
    return v == SB_NULL ? 0 : v;
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
    int64_t up = has_parent ? parent - f->nodes_before : 0;
    uint32_t function = function_of(f, mfa);
    go(f, (uint32_t)up);
    struct sb_function_sum *s = &f->sum.at[function];
    s->calls += known(c[SB_C_call_node__calls]);
    s->own_ns += known(c[SB_C_call_node__own_ns]);
    s->acc_ns += s->on_path == 0 ? known(c[SB_C_call_node__acc_ns]) : 0;
    s->processes += s->last_process != c[SB_C_call_node__process];
    s->last_process = c[SB_C_call_node__process];
    if (has_parent) {
        struct sb_function_sum *caller = &f->sum.at[f->node.at[up].function];
        caller->suspend_ns += mfa == f->suspend ? known(c[SB_C_call_node__acc_ns]) : 0;
        caller->gc_ns += mfa == f->collect ? known(c[SB_C_call_node__acc_ns]) : 0;
    }
    *SB_PUSH(&f->node) = (struct sb_functions_node){function, f->path, f->node.at[f->path].depth + 1};
}

void
sb_functions_row(const struct sb_functions *f, size_t i, int64_t *c)
{
    const struct sb_function_sum *s = &f->sum.at[i];
    c[SB_C_function__id] = (int64_t)i + 1;
    c[SB_C_function__mfa] = s->mfa;
    c[SB_C_function__calls] = s->calls;
    c[SB_C_function__own_ns] = s->own_ns;
    c[SB_C_function__acc_ns] = s->acc_ns;
    c[SB_C_function__gc_ns] = s->gc_ns;
    c[SB_C_function__suspend_ns] = s->suspend_ns;
    c[SB_C_function__processes] = s->processes;
    c[SB_C_function__words] = SB_NULL;
}

void
sb_functions_close(struct sb_functions *f)
{
    SB_VEC_FREE(&f->sum);
    SB_VEC_FREE(&f->of_handle);
    SB_VEC_FREE(&f->node);
}
