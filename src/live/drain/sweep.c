#include "live/drain/sweep.h"
#include "base/file.h"
#include "base/gone.h"
#include "live/drain/cpu_code.h"
#include "live/drain/rings.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* a process that is not visible from here (another container) has mapped its rings by then */
enum { OLD_S = 60 };

bool
sb_sweep_is_orphan(const char *name)
{
    struct sb_str s = sb_str_of(name);
    uint64_t pid;
    if (!sb_str_starts(s, SB_STR("strobe-")))
        return false;
    s = sb_str_sub(s, 7, s.n - 7);
    return sb_str_to_u64(sb_str_cut(&s, '-'), &pid) && pid > 0 && pid <= INT32_MAX &&
           sb_process_is_gone((pid_t)pid);
}

static bool
is_ours_and_old(int root, const char *name)
{
    struct stat st;
    return fstatat(root, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid() && time(NULL) - st.st_mtime > OLD_S;
}

static void
sweep_file(int folder, const char *path, const char *name)
{
    char whole[4096 + 257];
    struct sb_str s = sb_str_of(name);
    snprintf(whole, sizeof whole, "%s/%s", path, name);
    bool rings = sb_str_ends(s, SB_STR(".rings"));
    if (rings ? sb_rings_use(whole, NULL) == SB_RINGS_VOID
              : sb_str_eq(s, SB_STR("options")) || sb_str_ends(s, SB_STR(".failed")) ||
                    sb_str_ends(s, SB_STR(".functions")))
        unlinkat(folder, name, 0);
}

static void
sweep_folder(const char *path)
{
    SB_SCOPED_DIR DIR *d = opendir(path);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));)
        sweep_file(dirfd(d), path, e->d_name);
    rmdir(path); /* fails unless it is empty */
}

void
sb_sweep_own(const char *rings)
{
    char folder[4096];
    snprintf(folder, sizeof folder, SB_CPU_FUNCTIONS, rings);
    unlink(folder);
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = 0;
        rmdir(folder); /* fails unless it is empty */
    }
}

void
sb_sweep_beside(const char *rings)
{
    struct sb_str s = sb_str_of(rings);
    char root[4096], path[4096];
    for (int up = 0; up < 2 && s.n > 0; up++) {
        while (s.n > 0 && s.p[s.n - 1] != '/')
            s.n--;
        s.n -= s.n > 0;
    }
    if (s.n == 0 || s.n >= sizeof root)
        return;
    snprintf(root, sizeof root, "%.*s", SB_STR_ARG(s));
    SB_SCOPED_DIR DIR *d = opendir(root);
    for (struct dirent *e; d && (e = readdir(d));)
        if (sb_sweep_is_orphan(e->d_name) && is_ours_and_old(dirfd(d), e->d_name) &&
            (size_t)snprintf(path, sizeof path, "%s/%s", root, e->d_name) < sizeof path)
            sweep_folder(path);
}
