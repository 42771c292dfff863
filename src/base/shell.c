#include "base/shell.h"

/* Bytes above ASCII are letters of UTF-8, which mean nothing to a shell. */
static bool
is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (unsigned char)c >= 0x80 || (c != 0 && strchr("%+,-./:=@_", c) != NULL);
}

struct sb_str
sb_shell_word(struct sb_str s, struct sb_arena *a)
{
    size_t plain = 0, at = 0;
    while (plain < s.n && is_plain(s.p[plain]))
        plain++;
    if (s.n > 0 && plain == s.n)
        return s;
    char *to = SB_NEW_N(a, char, sb_mul_or_die(s.n, 4) + 2); /* a quote becomes '\'' */
    to[at++] = '\'';
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\'') {
            memcpy(to + at, "'\\'", 3);
            at += 3;
        }
        to[at++] = s.p[i];
    }
    to[at++] = '\'';
    return (struct sb_str){to, at};
}
