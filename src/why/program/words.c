#include "why/program/words.h"
#include "profile/cpu.h"
#include "profile/places.h"
#include "profile/scan_row.h"
#include "why/program/elixir.h"
#include "why/program/otp.h"

const char *
sb_words(struct sb_arena *a, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct sb_str s = sb_arena_vprintf(a, fmt, ap);
    va_end(ap);
    return s.p ? s.p : "";
}

const char *
sb_words_human(struct sb_arena *a, int64_t v, enum sb_unit u)
{
    return v == SB_NULL ? "--" : sb_words(a, "%s", sb_human(v, u).text);
}

const char *
sb_words_ns(struct sb_arena *a, int64_t ns)
{
    return sb_words_human(a, ns, SB_U_NS);
}

const char *
sb_words_bytes(struct sb_arena *a, int64_t bytes)
{
    return sb_words_human(a, bytes, SB_U_BYTES);
}

const char *
sb_words_count(struct sb_arena *a, int64_t n)
{
    return sb_words_human(a, n, SB_U_COUNT);
}

/* ---- processes ---- */

/* What most of the votes are for, if there is such a one. */
struct vote {
    struct sb_str best;
    int64_t lead;
};

static void
vote(struct vote *v, struct sb_str for_it)
{
    v->lead += sb_str_eq(for_it, v->best) ? 1 : -1;
    if (v->lead < 0)
        *v = (struct vote){for_it, 1};
}

/* The outermost function outside OTP of most sampled stacks of the process that begin where it began, in OTP. */
static struct sb_str
sampled_outermost(const struct sb_profile *p, int64_t process)
{
    const struct sb_cpu_samples *c = sb_cpu_samples_of(p);
    struct vote v = {0};
    for (size_t i = 0; i < c->n_samples; i++) {
        struct sb_str own = {0};
        bool is_whole = false;
        for (uint32_t f = c->sample[i].process == process ? c->sample[i].stack : 0; f;
             f = c->frame[f].caller) {
            struct sb_str mfa = sb_profile_text(p, c->frame[f].function);
            is_whole = c->frame[f].code == SB_CPU_ERLANG && sb_is_otp(mfa);
            own = c->frame[f].code == SB_CPU_ERLANG && !is_whole ? mfa : own;
        }
        if (is_whole && own.n > 0)
            vote(&v, own);
    }
    return v.best;
}

/* Where a tenth of its first slices ended, or more, outside OTP: the function, if it was one, or else the module of
 * most. What it happened to run once, among many waits in OTP, is not what it is. */
static struct sb_str
seen_most(const struct sb_profile *p, int64_t process)
{
    enum { SLICES = 65536 };
    struct vote v = {0};
    struct sb_str function = {0};
    int64_t of_otp = SB_NULL; /* the last one */
    bool several = false;
    int64_t known = 0, own = 0;
    SB_SCAN(s, p, slice, out_function);
    sb_scan_where(&s, SB_C_slice__process, process, process);
    for (uint64_t i = 0, seen = 0; seen < SLICES && sb_scan_next(&s);)
        for (i = 0; i < s.n && seen < SLICES; i++, seen++) {
            int64_t out = s.value[out_function][i];
            struct sb_str mfa = out != of_otp ? sb_profile_text(p, out) : SB_STR("");
            of_otp = mfa.n > 0 && sb_is_otp(mfa) ? out : of_otp;
            known += out != SB_NULL;
            if (mfa.n == 0 || out == of_otp)
                continue;
            own++;
            several |= function.n > 0 && !sb_str_eq(mfa, function);
            function = mfa;
            vote(&v, sb_otp_module(mfa));
        }
    return 10 * own < known ? SB_STR("") : several ? v.best : function;
}

/* What the process runs of the program; empty if that is unknown. */
static struct sb_str
of_program(const struct sb_profile *p, int64_t process)
{
    struct sb_str function = sampled_outermost(p, process);
    return function.n > 0 ? function : seen_most(p, process);
}

const char *
sb_words_function(struct sb_arena *a, const struct sb_profile *p, int64_t text, bool elixir)
{
    struct sb_str name = sb_profile_text(p, text),
                  place = sb_is_otp(name) ? (struct sb_str){0} : sb_place_text(p, text, a);
    return sb_words(a, "%.*s%s%.*s", SB_STR_ARG(sb_elixir_name(name, elixir, a)), place.n > 0 ? " at " : "",
                    SB_STR_ARG(place));
}

struct sb_str
sb_words_cell(const struct sb_profile *p, int64_t process, unsigned column)
{
    return sb_profile_text(p, sb_profile_cell(p, SB_T_process, column, (uint64_t)process - 1));
}

struct sb_str
sb_words_label(const struct sb_profile *p, int64_t process)
{
    static const unsigned col[] = {SB_C_process__name, SB_C_process__label, SB_C_process__entry,
                                   SB_C_process__spawn_mfa, SB_C_process__pid};
    struct sb_str s = {0};
    for (size_t i = 0; i < sizeof col / sizeof col[0] && s.n == 0; i++)
        s = sb_words_cell(p, process, col[i]);
    return s;
}

struct sb_str
sb_words_name(const struct sb_profile *p, int64_t process)
{
    struct sb_str s = sb_words_label(p, process);
    bool named = sb_words_cell(p, process, SB_C_process__name).n > 0 ||
                 sb_words_cell(p, process, SB_C_process__label).n > 0;
    struct sb_str does = !named && sb_is_otp(s) ? of_program(p, process) : SB_STR("");
    return does.n > 0 ? does : s;
}

const char *
sb_words_who(struct sb_arena *a, const struct sb_profile *p, int64_t process, bool elixir)
{
    if (process < 1 || (uint64_t)process > sb_profile_rows(p, SB_T_process))
        return "--";
    struct sb_str name = sb_words_name(p, process), pid = sb_words_cell(p, process, SB_C_process__pid),
                  on = sb_on_node(p, process, a);
    return sb_str_eq(name, pid) ? sb_words(a, "%.*s%.*s", SB_STR_ARG(pid), SB_STR_ARG(on))
                                : sb_words(a, "%.*s %.*s%.*s", SB_STR_ARG(sb_elixir_name(name, elixir, a)),
                                           SB_STR_ARG(pid), SB_STR_ARG(on));
}
