#include "why/program/words.h"
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

static bool
is_fun(struct sb_str mfa)
{
    size_t colon = sb_str_find(mfa, ':');
    return colon + 2 < mfa.n && mfa.p[colon + 1] == '\'' && mfa.p[colon + 2] == '-';
}

/* The function outside OTP in which most of the first slices of the process ended; empty if it ran none. */
static struct sb_str
seen_most(const struct sb_profile *p, int64_t process, bool funs)
{
    enum { SLICES = 65536 };
    int64_t best = SB_NULL, lead = 0;
    SB_SCAN(s, p, slice, out_function);
    sb_scan_where(&s, SB_C_slice__process, process, process);
    for (uint64_t i = 0, seen = 0; sb_scan_next(&s);)
        for (i = 0; i < s.n && seen < SLICES; i++, seen++) {
            int64_t out = s.value[out_function][i];
            if (out == SB_NULL)
                continue;
            struct sb_str mfa = sb_profile_text(p, out);
            if (out != best && (sb_is_otp(mfa) || (!funs && is_fun(mfa))))
                continue;
            lead += out == best ? 1 : -1;
            if (lead < 0) {
                best = out;
                lead = 1;
            }
        }
    return best == SB_NULL ? SB_STR("") : sb_profile_text(p, best);
}

static struct sb_str
program_function(const struct sb_profile *p, int64_t process)
{
    struct sb_str named = seen_most(p, process, false);
    return named.n > 0 ? named : seen_most(p, process, true);
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
    struct sb_str does = !named && sb_is_otp(s) ? program_function(p, process) : SB_STR("");
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
