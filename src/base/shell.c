#include "base/shell.h"
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

const char *
sb_shell_find(const char *name, struct sb_arena *a)
{
    struct sb_str path = sb_str_of(getenv("PATH") ? getenv("PATH") : "");
    struct stat found;
    while (path.n > 0) {
        struct sb_str folder = sb_str_cut(&path, ':');
        const char *file =
            sb_arena_printf(a, "%.*s%s%s", SB_STR_ARG(folder), folder.n > 0 ? "/" : "./", name).p;
        if (access(file, X_OK) == 0 && stat(file, &found) == 0 && S_ISREG(found.st_mode))
            return file;
    }
    return NULL;
}

static bool
is_same_file(const char *left, const char *right)
{
    struct stat l, r;
    return left && stat(left, &l) == 0 && stat(right, &r) == 0 && l.st_dev == r.st_dev &&
           l.st_ino == r.st_ino;
}

struct sb_str
sb_shell_self(struct sb_arena *a)
{
    char exe[PATH_MAX], here[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n <= 0)
        return SB_STR("strobe");
    exe[n] = 0;
    if (is_same_file(sb_shell_find("strobe", a), exe))
        return SB_STR("strobe");
    size_t below = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (below > 1 && strncmp(exe, here, below) == 0 && exe[below] == '/') {
        const char *rest = exe + below + 1;
        return sb_shell_word(sb_arena_printf(a, "%s%s", strchr(rest, '/') ? "" : "./", rest), a);
    }
    return sb_shell_word(sb_arena_str(a, (struct sb_str){exe, (size_t)n}), a);
}
