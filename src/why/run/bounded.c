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
sb_bounded_gain(struct sb_arena *a, struct sb_bounded gain, bool is_simulated, bool brief)
{
    char text[3][64] = {"", "", ""};
    int64_t ns[3] = {sb_bounded_value(gain), gain.low, gain.high};
    bool most = is_most(gain);
    if (ns[0] == SB_NULL)
        return "what a cure saves is unknown";
    for (int i = 0; i < 3; i++)
        text[i][sb_human(text[i], sizeof text[i] - 1, ns[i], SB_U_NS)] = '\0';
    const char *range = most || brief ? "" : sb_arena_printf(a, " (%s to %s)", text[1], text[2]).p;
    return sb_arena_printf(a, "a cure saves %s %s%s%s", most ? "at most" : "about", text[0], range,
                           is_simulated ? " in a replay" : "")
        .p;
}
