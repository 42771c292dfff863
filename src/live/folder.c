#include "live/folder.h"
#include "base/file.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the folder of this program; strobe-drain and the Erlang application are installed next to it. */
static bool
find_home(struct sb_arena *a, const char **home, struct sb_err *e)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0)
        return sb_err_errno(e, "find this program");
    path[n] = 0;
    char *slash = strrchr(path, '/');
    *slash = 0;
    *home = sb_arena_str(a, sb_str_of(path)).p;
    return true;
}

static bool
need(const char *path, int how, struct sb_err *e)
{
    if (access(path, how) == 0)
        return true;
    sb_err_errno(e, "find a part of strobe");
    sb_err_advise(e, "build it with `make`, or install it whole");
    return sb_err_in(e, path, SB_NO_BYTE);
}

static bool
make_folder(struct sb_folder *f, struct sb_arena *a, struct sb_err *e)
{
    const char *tmp = getenv("TMPDIR");
    const char *const roots[] = {"/dev/shm", tmp && *tmp ? tmp : "/tmp", "/tmp"};
    for (unsigned i = 0; i < 3; i++) {
        char *path = (char *)sb_arena_printf(a, "%s/strobe-%u-XXXXXX", roots[i], (unsigned)getpid()).p;
        if (mkdtemp(path)) {
            f->path = path;
            return true;
        }
    }
    return sb_err_errno(e, "create a folder for the rings");
}

static bool
write_options(const struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a,
              struct sb_err *e)
{
    struct sb_out out;
    SB_TRY(sb_out_open(&out, sb_arena_printf(a, "%s/options", f->path).p, e));
    sb_out_printf(&out, "trace=%s\nbytes=%llu\n", what->classes, (unsigned long long)what->buffer);
    if (what->modules)
        sb_out_printf(&out, "modules=%s\n", what->modules);
    if (what->apps)
        sb_out_printf(&out, "apps=%s\n", what->apps);
    return sb_out_close(&out, e);
}

bool
sb_folder_begin(struct sb_folder *f, const char *starter, struct sb_arena *a, struct sb_err *e)
{
    const char *old = getenv("ERL_AFLAGS");
    *f = (struct sb_folder){0};
    SB_TRY(find_home(a, &f->home, e));
    f->drain = sb_arena_printf(a, "%s/strobe-drain", f->home).p;
    const char *ebin = sb_arena_printf(a, "%s/erlang/strobe/ebin", f->home).p;
    SB_TRY(need(sb_arena_printf(a, "%s/%s.beam", ebin, starter).p, R_OK, e));
    f->erl_aflags = sb_arena_printf(a, "-pa \"%s\" -s %s %s", ebin, starter, old ? old : "").p;
    return make_folder(f, a, e);
}

bool
sb_folder_open(struct sb_folder *f, const struct sb_recording *what, struct sb_arena *a, struct sb_err *e)
{
    SB_TRY(sb_folder_begin(f, "strobe_boot", a, e));
    const char *boot = sb_arena_printf(a, "%s/erlang/strobe/boot", f->home).p;
    f->erl_aflags = sb_arena_printf(a, "-pa \"%s\" %s", boot, f->erl_aflags).p;
    return need(f->drain, X_OK, e) && write_options(f, what, a, e);
}

void
sb_folder_failures(const struct sb_folder *f, struct sb_arena *a, struct sb_str *out)
{
    DIR *d = opendir(f->path);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        struct sb_file file;
        struct sb_err ignored;
        if (!sb_str_ends(sb_str_of(e->d_name), SB_STR(".failed")) ||
            !sb_file_open(&file, sb_arena_printf(a, "%s/%s", f->path, e->d_name).p, &ignored))
            continue;
        struct sb_str text = sb_str_trim((struct sb_str){(const char *)file.p, file.n});
        *out = sb_arena_str(a, sb_str_sub(text, 0, 200));
        sb_file_close(&file);
    }
    closedir(d);
}

struct sb_str
sb_folder_missing(const struct sb_folder *f, uint32_t os_pid, struct sb_arena *a)
{
    struct sb_file file;
    struct sb_err ignored;
    if (!sb_file_open(&file, sb_arena_printf(a, "%s/%u.missing", f->path, os_pid).p, &ignored))
        return (struct sb_str){0};
    struct sb_str text = sb_arena_str(a, (struct sb_str){(const char *)file.p, file.n});
    sb_file_close(&file);
    return text;
}

void
sb_folder_close(struct sb_folder *f)
{
    char path[4096 + 300];
    DIR *d = f->path ? opendir(f->path) : NULL;
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        struct sb_str name = sb_str_of(e->d_name);
        snprintf(path, sizeof path, "%s/%s", f->path, e->d_name);
        if (name.p[0] != '.' && !sb_str_ends(name, SB_STR(".rings")))
            unlink(path);
    }
    closedir(d);
    rmdir(f->path);
}
