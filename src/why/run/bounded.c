/* Values with their bounds, as text. */
#include "why/run/bounded.h"

/* The value may be nothing, so it is no estimate: all that is known is its upper bound. */
static bool
is_most(struct sb_bounded b)
{
    return b.ns == SB_NULL || (b.low <= 0 && b.high != SB_NULL);
}

int64_t
sb_bounded_value(struct sb_bounded b)
{
    return is_most(b) ? b.high : b.ns;
}

const char *
sb_bounded_text(struct sb_arena *a, const char *low, const char *high, const char *unit)
{
    return strcmp(low, high) == 0 ? "" : sb_arena_printf(a, " (between %s and %s%s)", low, high, unit).p;
}

const char *
sb_bounded_gain(struct sb_arena *a, struct sb_bounded gain, int64_t call_ns, bool is_simulated, bool in_cpu,
                bool brief)
{
    int64_t ns = sb_bounded_value(gain);
    bool most = is_most(gain);
    struct sb_human call = sb_human(call_ns, SB_U_NS);
    if (ns == SB_NULL)
        return call_ns == SB_NULL
                   ? "what a cure saves is unknown"
                   : sb_arena_printf(a, "a cure saves at most %s of a call (p99)", call.text).p;
    const char *range = most || brief ? ""
                                      : sb_arena_printf(a, " (%s to %s)", sb_human(gain.low, SB_U_NS).text,
                                                        sb_human(gain.high, SB_U_NS).text)
                                            .p;
    const char *of_call =
        call_ns == SB_NULL ? "" : sb_arena_printf(a, ", of a call at most %s (p99)", call.text).p;
    return sb_arena_printf(a, "a cure saves %s %s%s%s%s%s", most ? "at most" : "about",
                           sb_human(ns, SB_U_NS).text, in_cpu ? " of CPU time" : "", range,
                           is_simulated ? " in a replay" : "", of_call)
        .p;
}
