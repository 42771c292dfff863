#include "why/run/vm_work.h"
#include "profile/otp.h"
#include "trace/event.h"
#include "why/program/words.h"
#include "base/map.h"
#include "base/order.h"

static const struct sb_cpu_samples none;

/* Functions of the VM and of libc by the beginning of their names: what they are called for, or what those before them
 * without a name are. */
static const struct {
    const char *begins;
    enum sb_vm_work work;
} names[] = {
    {"erts_nif_call_function", SB_VM_TRACING},
    {"erts_call_trace", SB_VM_TRACING},
    {"erts_generic_breakpoint", SB_VM_TRACING},
    {"erts_is_tracer_", SB_VM_TRACING},
    {"erts_match_set_run_trace", SB_VM_TRACING},
    {"erts_trace_", SB_VM_TRACING},
    {"beam_exception_trace", SB_VM_TRACING},
    {"beam_return_to_trace", SB_VM_TRACING},
    {"beam_return_trace", SB_VM_TRACING},
    {"trace_", SB_VM_TRACING},
    {"ethr_rwmutex_", SB_VM_LOCKING},
    {"ethr_mutex_", SB_VM_LOCKING},
    {"ethr_event_", SB_VM_LOCK},
    {"__lll_lock_wait", SB_VM_LOCK},
    {"erts_proc_lock", SB_VM_LOCKING},
    {"erts_proc_safelock", SB_VM_LOCKING},
    {"enif_mutex_", SB_VM_LOCKING},
    {"enif_rwlock_", SB_VM_LOCKING},
    {"erl_drv_mutex_", SB_VM_LOCKING},
    {"pthread_mutex_", SB_VM_LOCKING},
    {"__pthread_mutex_", SB_VM_LOCKING},
    {"sched_yield", SB_VM_LOCK},
    {"__sched_yield", SB_VM_LOCK},
    {"ets_", SB_VM_ETS},
    {"db_", SB_VM_ETS},
    {"erts_db_", SB_VM_ETS},
    {"term_to_binary_", SB_VM_EXTERNAL},
    {"term_to_iovec_", SB_VM_EXTERNAL},
    {"binary_to_term_", SB_VM_EXTERNAL},
    {"erts_term_to_binary", SB_VM_EXTERNAL},
    {"erts_init_external", SB_VM_EXTERNAL},
    {"erts_encode_ext", SB_VM_EXTERNAL},
    {"erts_decode_ext", SB_VM_EXTERNAL},
    {"re_run_", SB_VM_REGEX},
    {"re_internal_run_", SB_VM_REGEX},
    {"re_compile_", SB_VM_REGEX},
    {"erts_init_bif_re", SB_VM_REGEX},
    {"erts_pcre_", SB_VM_REGEX},
    {"_erts_pcre_", SB_VM_REGEX},
    {"binary_", SB_VM_BINARY},
    {"list_to_binary_", SB_VM_BINARY},
    {"iolist_to_binary_", SB_VM_BINARY},
    {"erts_init_bif_binary", SB_VM_BINARY},
    {"erts_init_unicode", SB_VM_BINARY},
    {"unicode_characters_to_", SB_VM_BINARY},
    {"lists_", SB_VM_LIST},
    {"append_2", SB_VM_LIST},
    {"subtract_2", SB_VM_LIST},
    {"ebif_plusplus_2", SB_VM_LIST},
    {"ebif_minusminus_2", SB_VM_LIST},
    {"length_1", SB_VM_LIST},
    {"erts_trapping_length_1", SB_VM_LIST},
    {"persistent_term_", SB_VM_PERSISTENT},
    {"erts_init_bif_persistent_term", SB_VM_PERSISTENT},
    {"erts_garbage_collect", SB_VM_GC},
    {"erts_init_gc", SB_VM_GC},
    {"erts_process_gc_info", SB_VM_GC},
    {"erts_gc_after_bif_call", SB_VM_GC},
    {"erts_gc_info_request", SB_VM_GC},
    {"copy_struct_", SB_VM_COPY},
    {"copy_shallow_", SB_VM_COPY},
    {"copy_shared_", SB_VM_COPY},
    {"size_object_", SB_VM_COPY},
    {"size_shared", SB_VM_COPY},
    {"erts_gc_update_map_", SB_VM_MAP},
    {"erts_gc_new_", SB_VM_MAP},
    {"erts_init_map", SB_VM_MAP},
    {"erts_map_from_", SB_VM_MAP},
    {"erts_maps_", SB_VM_MAP},
    {"erts_hashmap_", SB_VM_MAP},
    {"hashmap_", SB_VM_MAP},
    {"maps_", SB_VM_MAP},
    {"map_", SB_VM_MAP},
    {"erts_mixed_", SB_VM_ARITHMETIC},
    {"erts_int_div", SB_VM_ARITHMETIC},
    {"erts_unary_minus", SB_VM_ARITHMETIC},
    {"erts_band", SB_VM_ARITHMETIC},
    {"erts_bor", SB_VM_ARITHMETIC},
    {"erts_bxor", SB_VM_ARITHMETIC},
    {"erts_bnot", SB_VM_ARITHMETIC},
    {"erts_bsl", SB_VM_ARITHMETIC},
    {"erts_bsr", SB_VM_ARITHMETIC},
    {"erts_make_integer", SB_VM_ARITHMETIC},
    {"big_", SB_VM_ARITHMETIC},
};

const char *
sb_vm_work_word(enum sb_vm_work work)
{
    static const char *const words[SB_VM_WORKS] = {
        [SB_VM_LOCK] = "waiting for locks",
        [SB_VM_ETS] = "ETS",
        [SB_VM_EXTERNAL] = "the external term format",
        [SB_VM_REGEX] = "regular expressions",
        [SB_VM_BINARY] = "binaries",
        [SB_VM_LIST] = "lists",
        [SB_VM_PERSISTENT] = "persistent terms",
        [SB_VM_COPY] = "copying of terms",
        [SB_VM_LOCKING] = "locks",
        [SB_VM_MAP] = "maps",
        [SB_VM_ARITHMETIC] = "arithmetic",
    };
    return words[work];
}

struct sb_str
sb_vm_symbol(struct sb_str name, bool *is_its_own)
{
    struct sb_str before = SB_STR(SB_CPU_BEFORE);
    size_t colon = sb_str_find(name, ':');
    struct sb_str symbol = sb_str_sub(name, colon < name.n ? colon + 1 : name.n, name.n);
    bool is_before = sb_str_starts(symbol, before);
    *is_its_own = symbol.n > 0 && !is_before;
    return is_before ? sb_str_sub(symbol, before.n, symbol.n) : symbol;
}

static enum sb_vm_work
work_of(struct sb_str name)
{
    bool is_its_own;
    struct sb_str symbol = sb_vm_symbol(name, &is_its_own);
    if (sb_str_starts(name, SB_STR("strobe_nif.so")))
        return SB_VM_TRACING;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sb_str_starts(symbol, sb_str_of(names[i].begins)))
            return names[i].work;
    return SB_VM_OTHER;
}

/* Of a NIF the caller is unknown, so it counts as the function itself. One that it scheduled to go on later is called
 * by a function of the VM without a name. */
static bool
is_nif(const struct sb_cpu_samples *all, const struct sb_cpu_frame *f)
{
    bool is_named, by_named;
    sb_vm_symbol(sb_profile_text(all->profile, f->function), &is_named);
    const struct sb_cpu_frame *by = &all->frame[f->caller];
    struct sb_str symbol = sb_vm_symbol(sb_profile_text(all->profile, by->function), &by_named);
    if (f->caller && by->caller && !by_named && symbol.n > 0)
        symbol = sb_vm_symbol(sb_profile_text(all->profile, all->frame[by->caller].function), &by_named);
    return f->caller && is_named &&
           (sb_str_eq(symbol, SB_STR("beam_jit_call_nif")) ||
            sb_str_eq(symbol, SB_STR("erts_call_dirty_nif")));
}

/* The frame that called has a lower number, so it is known already. */
static void
find_frames(struct sb_vm_samples *v)
{
    v->function = SB_NEW_N(v->arena, int64_t, v->all->n_frames + 1);
    v->work = SB_NEW_N(v->arena, uint8_t, v->all->n_frames + 1);
    v->own = SB_NEW_N(v->arena, int64_t, v->all->n_frames + 1);
    v->called = SB_NEW_N(v->arena, int64_t, v->all->n_frames + 1);
    v->function[0] = v->own[0] = v->called[0] = SB_NULL;
    v->work[0] = SB_VM_OTHER;
    v->locks = SB_NEW_N(v->arena, bool, v->all->n_frames + 1);
    for (size_t i = 1; i < v->all->n_frames; i++) {
        const struct sb_cpu_frame *f = &v->all->frame[i];
        bool is_erlang = f->code == SB_CPU_ERLANG;
        uint8_t work =
            is_erlang ? SB_VM_OTHER : (uint8_t)work_of(sb_profile_text(v->all->profile, f->function));
        bool is_own = is_erlang || (v->function[f->caller] == SB_NULL && is_nif(v->all, f));
        v->function[i] = is_own ? f->function : v->function[f->caller];
        bool of_program = is_erlang && !sb_is_otp(sb_profile_text(v->all->profile, f->function));
        v->own[i] = of_program ? f->function : v->own[f->caller];
        v->called[i] = of_program ? SB_NULL
                       : is_erlang && v->called[f->caller] == SB_NULL && v->own[i] != SB_NULL
                           ? f->function
                           : v->called[f->caller];
        v->work[i] = is_erlang || work < v->work[f->caller] ? work : v->work[f->caller];
        v->locks[i] = !is_erlang && (work == SB_VM_LOCK || work == SB_VM_LOCKING || v->locks[f->caller]);
    }
}

bool
sb_vm_counts(const struct sb_vm_samples *v, const struct sb_cpu_sample *s)
{
    return s->process && v->work[s->stack] != SB_VM_TRACING && sb_range_has(v->range, s->at);
}

enum sb_vm_work
sb_vm_sample_work(const struct sb_vm_samples *v, const struct sb_cpu_sample *s)
{
    return s->kind == SB_CPU_GC && v->work[s->stack] > SB_VM_GC ? SB_VM_GC : v->work[s->stack];
}

bool
sb_vm_takes(uint64_t part, uint64_t all, unsigned percent)
{
    enum { MANY = 100 };
    return 100 * part >= percent * all &&
           (all >= MANY || 100 * sb_cpu_limit((double)part, (double)all, -1) >= percent);
}

static struct sb_vm_samples
samples_of(const struct sb_vm_samples *v, const struct sb_cpu_samples *some)
{
    struct sb_vm_samples x = {some,    v->arena, v->range, v->function, v->own, v->called,
                              v->work, v->locks, 0,        {0},         0};
    for (size_t i = 0; i < some->n_samples; i++)
        if (sb_vm_counts(&x, &some->sample[i])) {
            x.of[sb_vm_sample_work(&x, &some->sample[i])]++;
            x.in_locks += x.locks[some->sample[i].stack];
            x.n++;
        }
    return x.n < SB_VM_LEAST_SAMPLES
               ? (struct sb_vm_samples){.all = &none, .arena = v->arena, .range = v->range}
               : x;
}

void
sb_vm_samples_find(const struct sb_profile *p, struct sb_range range, struct sb_arena *a,
                   struct sb_vm_samples *v)
{
    *v = (struct sb_vm_samples){.all = sb_cpu_samples_of(p), .arena = a, .range = range};
    find_frames(v);
    *v = samples_of(v, v->all);
}

struct sb_vm_samples
sb_vm_samples_in(const struct sb_vm_samples *v, const uint32_t *set, uint32_t one)
{
    struct sb_cpu_samples *some = SB_NEW(v->arena, struct sb_cpu_samples);
    *some = *v->all;
    some->sample = SB_NEW_N(v->arena, struct sb_cpu_sample, v->all->n_samples + 1);
    some->n_samples = 0;
    for (size_t i = 0; i < v->all->n_samples; i++)
        if (set[i] == one)
            some->sample[some->n_samples++] = v->all->sample[i];
    return samples_of(v, some);
}

/* Of the samples whose frame has `is` in `by`, and of a process if it is not 0: what half of them or more have in `of`;
 * SB_NULL: nothing. */
static int64_t
majority(const struct sb_vm_samples *v, const int64_t *by, int64_t is, int64_t process, const int64_t *of)
{
    int64_t most = SB_NULL, ahead = 0;
    uint64_t all = 0, its = 0;
    for (unsigned pass = 0; pass < 2 && of; pass++) /* a majority, if there is one; then whether it is one */
        for (size_t i = 0; i < v->all->n_samples; i++) {
            const struct sb_cpu_sample *s = &v->all->sample[i];
            if (!sb_vm_counts(v, s) || by[s->stack] != is || (process && s->process != process))
                continue;
            all += pass == 1;
            its += pass == 1 && of[s->stack] == most;
            most = pass == 0 && ahead == 0 ? of[s->stack] : most;
            ahead += of[s->stack] == most ? 1 : -1;
        }
    return 2 * its < all ? SB_NULL : most;
}

int64_t
sb_vm_called_most(const struct sb_vm_samples *v, int64_t own, int64_t process)
{
    return majority(v, v->own, own, process, v->called);
}

int64_t
sb_vm_own_caller(const struct sb_vm_samples *v, int64_t function)
{
    int64_t most = majority(v, v->function, function, 0, v->own);
    return most == function ? SB_NULL : most;
}

bool
sb_vm_copies_for_spawn(const struct sb_vm_samples *v, const struct sb_cpu_sample *s)
{
    int64_t function = v->function[s->stack];
    struct sb_str name =
        function == SB_NULL ? (struct sb_str){0} : sb_profile_text(v->all->profile, function);
    return sb_vm_sample_work(v, s) == SB_VM_COPY && (sb_str_starts(name, SB_STR("erlang:spawn")) ||
                                                     sb_str_starts(name, SB_STR("erts_internal:spawn")));
}

const char *
sb_words_called_by(struct sb_arena *a, const struct sb_vm_samples *v, int64_t function, bool elixir)
{
    int64_t own = sb_vm_own_caller(v, function);
    return own == SB_NULL
               ? ""
               : sb_words(a, " (called by %s)", sb_words_function(a, v->all->profile, own, elixir));
}

SB_ORDER(by_samples, struct sb_vm_caller, SB_DOWN(samples) ?: SB_UP(function))

/* By the function that `by` has for the frame of a sample. */
static size_t
count(const struct sb_vm_samples *v, const int64_t *by, enum sb_vm_work of, int64_t process,
      struct sb_vm_caller **out)
{
    struct sb_vm_caller *at = SB_NEW_N(v->arena, struct sb_vm_caller, v->all->n_frames);
    struct sb_map place = {0};
    size_t n = 0;
    uint64_t known = 0;
    for (size_t i = 0; i < v->all->n_samples; i++) {
        const struct sb_cpu_sample *s = &v->all->sample[i];
        int64_t function = by ? by[s->stack] : SB_NULL;
        if (!sb_vm_counts(v, s) || function == SB_NULL ||
            (of != SB_VM_WORKS && sb_vm_sample_work(v, s) != of) || (process && s->process != process))
            continue;
        uint32_t p = sb_map_place(&place, (uint64_t)function, n);
        if (p == n)
            at[n++] = (struct sb_vm_caller){.function = function};
        at[p].samples++;
        known++;
    }
    sb_map_close(&place);
    for (size_t i = 0; i < n; i++)
        at[i].known = known;
    sb_sort(at, n, sizeof *at, by_samples);
    *out = at;
    return n;
}

size_t
sb_vm_callers(const struct sb_vm_samples *v, enum sb_vm_work of, int64_t process, struct sb_vm_caller **out)
{
    return count(v, v->function, of, process, out);
}

struct sb_vm_caller
sb_vm_own_of(const struct sb_vm_samples *v, int64_t process)
{
    struct sb_vm_caller *all;
    return count(v, v->own, SB_VM_WORKS, process, &all) ? all[0] : (struct sb_vm_caller){.function = SB_NULL};
}

struct sb_vm_caller
sb_vm_caller_of(const struct sb_vm_samples *v, enum sb_vm_work of, int64_t process)
{
    struct sb_vm_caller *all;
    return sb_vm_callers(v, of, process, &all) ? all[0] : (struct sb_vm_caller){.function = SB_NULL};
}

uint64_t
sb_vm_work_of(const struct sb_vm_samples *v, int64_t process, enum sb_vm_work of, uint64_t *all)
{
    uint64_t n = 0;
    *all = 0;
    for (size_t i = 0; i < v->all->n_samples; i++) {
        const struct sb_cpu_sample *s = &v->all->sample[i];
        if (!sb_vm_counts(v, s) || s->process != process)
            continue;
        n += sb_vm_sample_work(v, s) == of;
        ++*all;
    }
    return n;
}
