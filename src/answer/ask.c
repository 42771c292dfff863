#include "answer/answer.h"
#include "base/shell.h"

struct sb_range
sb_answer_range(const struct sb_ask *ask)
{
    return sb_range_of(ask->profile, ask->q->since_ns, ask->q->until_ns);
}

bool
sb_answer_ask(const struct sb_ask *ask, struct sb_str subject, struct sb_str sql, struct sb_table *t,
              struct sb_err *e)
{
    struct sb_range range = sb_answer_range(ask);
    struct sb_sql_value value[] = {
        {":since", false, range.from, {0}},
        {":until", false, range.to, {0}},
        {":span", false, sb_profile_span(ask->profile), {0}},
        {":subject", true, 0, subject},
    };
    return sb_sql_ask(ask->sql, sql, value, sizeof value / sizeof value[0], NULL, ask->arena, t, e);
}

bool
sb_answer_sql(const struct sb_ask *ask, const char *sql, struct sb_table *t, struct sb_err *e)
{
    return sb_answer_ask(ask, (struct sb_str){0}, sb_str_of(sql), t, e);
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
