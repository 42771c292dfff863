#include "why/run/vm_states.h"

#define STATE(id, name, words) name,
const char *const sb_vm_state_names[] = {
#include "why/run/vm_states.def"
};
#define STATE(id, name, words) words,
const char *const sb_vm_state_words[] = {
#include "why/run/vm_states.def"
};

enum { THROUGH = SB_VM_STATES }; /* the function that it calls decides */

/* Functions of the VM by the beginning of their names; others are built-in functions. */
static const struct {
    const char *begins;
    uint8_t state;
} names[] = {
    {"ets_", SB_VM_IN_ETS},
    {"db_", SB_VM_IN_ETS},
    {"erts_db_", SB_VM_IN_ETS},
    {"erl_send", SB_VM_IN_SEND},
    {"send_", SB_VM_IN_SEND},
    {"ebif_bang_2", SB_VM_IN_SEND},
    {"erts_send_", SB_VM_IN_SEND},
    {"erts_internal_dsend_", SB_VM_IN_SEND},
    {"erts_garbage_collect", SB_VM_IN_GC},
    {"garbage_collect", SB_VM_IN_GC},
    {"erts_init_gc", SB_VM_IN_GC},
    {"erts_process_gc_info", SB_VM_IN_GC},
    {"erts_gc_after_bif_call", SB_VM_IN_GC},
    {"erts_gc_info_request", SB_VM_IN_GC},
    {"erts_internal_port_", SB_VM_IN_PORT},
    {"erts_port_", SB_VM_IN_PORT},
    {"port_", SB_VM_IN_PORT},
    {"open_port", SB_VM_IN_PORT},
    {"beam_jit_call_nif", SB_VM_IN_NIF},
    {"beam_jit_call_bif", THROUGH},
    {"beam_jit_", SB_VM_IN_ERLANG}, /* parts of its instructions */
    {"erts_schedule", SB_VM_IN_OTHER},
};

static uint8_t
state_of(struct sb_str name)
{
    static const char *const through[] = {"kernel", "[vdso]", "libc.", "libm.", "libpthread.", "ld-linux"};
    for (size_t i = 0; i < sizeof through / sizeof *through; i++)
        if (sb_str_starts(name, sb_str_of(through[i])))
            return THROUGH;
    bool is_its_own;
    struct sb_str symbol = sb_vm_symbol(name, &is_its_own);
    if (!sb_str_starts(name, SB_STR("beam.")))
        return SB_VM_IN_NIF;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sb_str_starts(symbol, sb_str_of(names[i].begins)))
            return names[i].state;
    return is_its_own ? SB_VM_IN_BIF : THROUGH;
}

/* What a sample with this innermost frame is of: by frame. The frame that called has a lower number. */
static uint8_t *
find_frames(const struct sb_vm_samples *v)
{
    const struct sb_cpu_samples *all = v->all;
    uint8_t *of = SB_NEW_N(v->arena, uint8_t, all->n_frames + 1);
    of[0] = THROUGH;
    for (size_t i = 1; i < all->n_frames; i++) {
        const struct sb_cpu_frame *f = &all->frame[i];
        bool under_erlang = f->caller == 0 || all->frame[f->caller].code == SB_CPU_ERLANG;
        uint8_t above = under_erlang ? THROUGH : of[f->caller], own = THROUGH;
        if (f->code == SB_CPU_ERLANG)
            own = SB_VM_IN_ERLANG;
        else if (above == THROUGH || above == SB_VM_IN_OTHER)
            own = state_of(sb_profile_text(all->profile, f->function));
        if (own == THROUGH && f->caller != 0 && under_erlang)
            own = sb_str_starts(sb_profile_text(all->profile, f->function), SB_STR("beam.")) ? SB_VM_IN_BIF
                  : f->code == SB_CPU_KERNEL                                                 ? SB_VM_IN_ERLANG
                                                                                             : THROUGH;
        /* ports run within the function that schedules */
        bool decides = above == THROUGH || (above == SB_VM_IN_OTHER && own == SB_VM_IN_PORT);
        of[i] = f->code == SB_CPU_ERLANG || decides ? own : above;
    }
    return of;
}

uint64_t
sb_vm_states_find(const struct sb_vm_samples *v, uint32_t node, uint64_t of[SB_VM_STATES])
{
    const struct sb_profile *p = v->all->profile;
    uint64_t n = 0;
    memset(of, 0, SB_VM_STATES * sizeof *of);
    if (v->n == 0)
        return 0;
    int64_t normal = sb_profile_find_text(p, SB_STR("normal"));
    const uint8_t *state = find_frames(v);
    for (size_t i = 0; i < v->all->n_samples; i++) {
        const struct sb_cpu_sample *s = &v->all->sample[i];
        uint8_t at = state[s->stack];
        if (s->node != node || v->work[s->stack] == SB_VM_TRACING || !sb_range_has(v->range, s->at) ||
            s->scheduler == 0 || SB_CELL(p, scheduler, kind, s->scheduler - 1) != normal)
            continue;
        if (s->kind == SB_CPU_GC)
            at = SB_VM_IN_GC;
        if (at == THROUGH)
            at = s->kind == SB_CPU_OUTSIDE ? SB_VM_IN_OTHER : SB_VM_IN_UNKNOWN;
        of[at]++;
        n++;
    }
    return n;
}
