#include "answer/answer.h"

void
sb_wrap(struct sb_str text, size_t indent, size_t width, struct sb_out *out)
{
    size_t room = width > indent + 20 ? width - indent : 20, used = 0;
    struct sb_str rest = text;
    while (rest.n > 0) {
        struct sb_str word = sb_str_cut(&rest, ' ');
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
