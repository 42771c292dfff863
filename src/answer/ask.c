#include "answer/answer.h"
#include "base/shell.h"

struct sb_range
sb_answer_range(const struct sb_ask *ask)
{
    return sb_range_of(ask->profile, ask->q->since_ns, ask->q->until_ns);
}

static struct sb_str
with_path(const struct sb_ask *ask, struct sb_str see)
{
    static const char p[] = " P ";
    for (size_t i = 0; i + 3 <= see.n; i++)
        if (memcmp(see.p + i, p, 3) == 0)
            return sb_arena_printf(
                ask->arena, "%.*s %.*s %.*s", (int)i, see.p,
                SB_STR_ARG(sb_shell_word(sb_str_of(sb_profile_path(ask->profile)), ask->arena)),
                (int)(see.n - i - 3), see.p + i + 3);
    return see;
}

struct sb_str
sb_answer_command(const struct sb_ask *ask, struct sb_str command)
{
    struct sb_str c = with_path(ask, command);
    if (ask->q->width == 0 || !sb_str_starts(c, SB_STR("strobe ")))
        return c;
    return sb_arena_printf(ask->arena, "%.*s%.*s", SB_STR_ARG(sb_shell_self(ask->arena)), (int)c.n - 6,
                           c.p + 6);
}
