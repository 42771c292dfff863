#include "base/runs.h"
#include "base/file.h"
#include <errno.h>
#include <unistd.h>

/* The name without its ending; empty: no trace and no profile. */
static struct sb_str
stem(const char *name)
{
    struct sb_str s = sb_str_of(name);
    bool is = s.n > 4 && name[0] != '.' && (sb_str_ends(s, SB_STR(".sbt")) || sb_str_ends(s, SB_STR(".sbp")));
    return is ? sb_str_sub(s, 0, s.n - 4) : (struct sb_str){0};
}

static bool
exists(const char *folder, struct sb_str name, const char *ending, struct sb_arena *a)
{
    return access(sb_arena_printf(a, "%s/%.*s%s", folder, SB_STR_ARG(name), ending).p, F_OK) == 0;
}

/* N.OSPID.sbt beside N.sbt */
static bool
is_another_vm(const char *folder, struct sb_str name, struct sb_arena *a)
{
    size_t dot = name.n;
    while (dot > 0 && name.p[dot - 1] >= '0' && name.p[dot - 1] <= '9')
        dot--;
    return dot > 1 && dot < name.n && name.p[dot - 1] == '.' &&
           (exists(folder, sb_str_sub(name, 0, dot - 1), ".sbt", a) ||
            exists(folder, sb_str_sub(name, 0, dot - 1), ".sbp", a));
}

static int
by_name(const void *x, const void *y)
{
    return strverscmp(*(const char *const *)x, *(const char *const *)y);
}

bool
sb_runs_find(const char *path, bool each_vm, struct sb_arena *a, struct sb_runs *out, struct sb_err *e)
{
    *out = (struct sb_runs){0};
    SB_SCOPED_DIR DIR *d = opendir(path);
    if (!d && errno != ENOTDIR && errno != ENOENT) {
        sb_err_errno(e, "open the folder");
        return sb_err_in(e, path, SB_NO_BYTE);
    }
    if (!d) {
        *SB_PUSH(out) = path;
        return true;
    }
    for (struct dirent *f; (f = readdir(d));) {
        struct sb_str name = stem(f->d_name);
        bool beside = sb_str_ends(sb_str_of(f->d_name), SB_STR(".sbp")) && exists(path, name, ".sbt", a);
        if (name.n > 0 && !beside && (each_vm || !is_another_vm(path, name, a)))
            *SB_PUSH(out) = sb_arena_printf(a, "%s/%s", path, f->d_name).p;
    }
    if (out->n > 0) {
        qsort(out->at, out->n, sizeof *out->at, by_name);
        return true;
    }
    sb_err_set(e, SB_ERR_INPUT, "has no traces and no profiles");
    return sb_err_in(e, path, SB_NO_BYTE);
}
