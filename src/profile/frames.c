#include "profile/frames.h"

struct sb_str
sb_frames_cut(struct sb_str *rest)
{
    size_t at = 0;
    for (bool quoted = false; at < rest->n && (quoted || rest->p[at] != ';'); at++) {
        if (rest->p[at] == '\'')
            quoted = !quoted;
        else if (quoted && rest->p[at] == '\\')
            at += at + 1 < rest->n;
    }
    struct sb_str frame = {rest->p, at};
    *rest = sb_str_sub(*rest, at < rest->n ? at + 1 : at, rest->n);
    return frame;
}
