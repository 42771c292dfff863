#include "answer/answer.h"

/* Whether a unit comes next, which no line begins with: "1.50 s", "54 %,". */
static bool
is_unit(struct sb_str rest)
{
    static const char *const units[] = {"%", "ns", "us", "ms", "s", "B", "kB", "MB", "GB"};
    struct sb_str next = sb_str_cut(&rest, ' ');
    size_t n = 0;
    while (n < next.n && !strchr(".,:;)", next.p[n]))
        n++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (sb_str_eq(sb_str_sub(next, 0, n), sb_str_of(units[i])))
            return true;
    return false;
}

void
sb_wrap(struct sb_str text, size_t indent, size_t width, struct sb_out *out)
{
    SB_ARENA(arena);
    size_t room = width > indent + 20 ? width - indent : 20, used = 0;
    struct sb_str rest = sb_table_printable(&arena, text);
    while (rest.n > 0) {
        struct sb_str word = sb_str_cut(&rest, ' ');
        if (word.n > 0 && word.p[word.n - 1] >= '0' && word.p[word.n - 1] <= '9' && is_unit(rest))
            word.n += 1 + sb_str_cut(&rest, ' ').n;
        if (used > 0 && used + 1 + word.n > room) {
            sb_out_char(out, '\n');
            sb_out_pad(out, ' ', indent);
            used = 0;
        }
        if (used > 0)
            sb_out_char(out, ' ');
        sb_out_str(out, word);
        used += word.n + (used > 0);
    }
    sb_out_char(out, '\n');
}
