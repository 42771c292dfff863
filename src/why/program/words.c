#include "why/program/words.h"
#include "profile/places.h"
#include "profile/who.h"
#include "why/program/elixir.h"
#include "profile/otp.h"

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

const char *
sb_words_who(struct sb_arena *a, const struct sb_profile *p, int64_t process, bool elixir)
{
    if (process < 1 || (uint64_t)process > sb_profile_rows(p, SB_T_process))
        return "--";
    struct sb_str name = sb_who(p, process), pid = sb_words_cell(p, process, SB_C_process__pid),
                  on = sb_on_node(p, process, a);
    return sb_str_eq(name, pid) ? sb_words(a, "%.*s%.*s", SB_STR_ARG(pid), SB_STR_ARG(on))
                                : sb_words(a, "%.*s %.*s%.*s", SB_STR_ARG(sb_elixir_name(name, elixir, a)),
                                           SB_STR_ARG(pid), SB_STR_ARG(on));
}
