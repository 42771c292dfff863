#include "live/record/leftover.h"
#include "base/order.h"
#include "base/temporary.h"
#include "export/dataset.h"
#include "live/drain/rings.h"
#include "live/drain/sweep.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opens a folder of this user itself, never what a link points to. */
static DIR *
open_own(const char *path)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid())
        return fdopendir(fd);
    sb_close(fd);
    return NULL;
}

static enum sb_rings_use
use_of(DIR *d, const char *name, char trace[SB_RINGS_TRACE_MAX])
{
    char path[300 + sizeof "/proc/self/fd//"];
    if (!sb_str_ends(sb_str_of(name), SB_STR(".rings")))
        return SB_RINGS_VOID;
    snprintf(path, sizeof path, "/proc/self/fd/%d/%s", dirfd(d), name);
    return sb_rings_use(path, trace);
}

/* Sums up the files; false: one of them is in use. `a`: NULL if the traces are not wanted. */
static bool
look_into(DIR *d, struct sb_leftover *l, struct sb_arena *a)
{
    char trace[SB_RINGS_TRACE_MAX];
    rewinddir(d);
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
            continue;
        enum sb_rings_use use = use_of(d, e->d_name, trace);
        if (use == SB_RINGS_IN_USE)
            return false;
        l->unread |= use == SB_RINGS_UNREAD;
        if (use == SB_RINGS_UNREAD && a)
            *SB_PUSH(&l->traces) = sb_arena_str(a, sb_str_of(trace));
        if (fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
            l->bytes += (uint64_t)st.st_blocks * 512;
    }
    return true;
}

static void
look_at(struct sb_leftovers *l, struct sb_str path, struct sb_arena *a)
{
    struct sb_leftover found = {.path = sb_arena_str(a, path)};
    SB_SCOPED_DIR DIR *d = open_own(found.path.p);
    if (d && look_into(d, &found, a))
        *SB_PUSH(&l->of) = found;
    else
        SB_VEC_FREE(&found.traces);
}

SB_ORDER(by_path, struct sb_leftover, sb_str_cmp(a->path, b->path))

void
sb_leftovers_find(struct sb_leftovers *l, struct sb_arena *a)
{
    const char *tmp = getenv("TMPDIR");
    const char *const roots[] = {"/dev/shm", "/tmp", tmp && *tmp && strcmp(tmp, "/tmp") != 0 ? tmp : NULL};
    *l = (struct sb_leftovers){0};
    for (unsigned i = 0; i < 3; i++) {
        SB_SCOPED_DIR DIR *d = roots[i] ? opendir(roots[i]) : NULL;
        for (struct dirent *e; d && (e = readdir(d));)
            if (sb_sweep_is_orphan(e->d_name))
                look_at(l, sb_arena_printf(a, "%s/%s", roots[i], e->d_name), a);
    }
    SB_SORT(&l->of, by_path);
}

/* ---- beside a dataset */

/* The size of a partition in the folder of an export; false: there is none. */
static bool
look_at_partition(DIR *stage, const char *name, uint64_t *bytes)
{
    int fd = openat(dirfd(stage), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    SB_SCOPED_DIR DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; d && (e = readdir(d));) {
        struct stat st;
        if (fstatat(fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
            *bytes += (uint64_t)st.st_blocks * 512;
    }
    return d != NULL;
}

/* Opens the folder of an export that has ended. An export that was killed between its two renames leaves both
 * partitions there, and none in the dataset. */
static DIR *
open_stage(const char *path, struct sb_leftover *l)
{
    DIR *d = open_own(path);
    if (d && flock(dirfd(d), LOCK_EX | LOCK_NB) == 0) {
        bool has_new = look_at_partition(d, "new", &l->bytes),
             has_old = look_at_partition(d, "old", &l->bytes);
        l->unread = has_new && has_old;
        return d;
    }
    if (d)
        closedir(d);
    return NULL;
}

static bool
is_known(const struct sb_leftovers *l, struct sb_str path)
{
    for (size_t i = 0; i < l->of.n; i++)
        if (sb_str_eq(l->of.at[i].path, path))
            return true;
    return false;
}

void
sb_leftovers_find_beside(struct sb_leftovers *l, const char *dataset, struct sb_arena *a)
{
    char *real = realpath(dataset, NULL), *slash = real ? strrchr(real, '/') : NULL;
    if (slash)
        *slash = '\0';
    SB_SCOPED_DIR DIR *d = slash ? opendir(slash > real ? real : "/") : NULL;
    struct sb_str start = d ? sb_arena_printf(a, "%s" SB_DATASET_STAGE, slash + 1) : SB_STR("");
    for (struct dirent *e; d && (e = readdir(d));) {
        struct sb_leftover found = {.beside_dataset = true};
        if (!sb_str_starts(sb_str_of(e->d_name), start))
            continue;
        found.path = sb_arena_printf(a, "%s/%s", real, e->d_name);
        SB_SCOPED_DIR DIR *stage = is_known(l, found.path) ? NULL : open_stage(found.path.p, &found);
        if (stage)
            *SB_PUSH(&l->of) = found;
    }
    free(real);
}

static bool
remove_stage(const struct sb_leftover *l)
{
    struct sb_leftover now = {0};
    SB_SCOPED_DIR DIR *d = open_stage(l->path.p, &now);
    if (!d)
        return false;
    bool ok = l->unread || !now.unread;
    const char *const name[] = {"new", "old"};
    for (unsigned i = 0; ok && i < 2; i++) {
        char path[4096];
        unlinkat(dirfd(d), name[i], 0); /* a link, which stood in the place of a partition */
        if ((size_t)snprintf(path, sizeof path, "%s/%s", l->path.p, name[i]) < sizeof path)
            sb_temporary_remove(path);
    }
    return ok && rmdir(l->path.p) == 0;
}

void
sb_leftovers_close(struct sb_leftovers *l)
{
    for (size_t i = 0; i < l->of.n; i++)
        SB_VEC_FREE(&l->of.at[i].traces);
    SB_VEC_FREE(&l->of);
}

bool
sb_leftover_remove(const struct sb_leftover *l)
{
    struct sb_leftover now = {0};
    if (l->beside_dataset)
        return remove_stage(l);
    SB_SCOPED_DIR DIR *d = open_own(l->path.p);
    if (!d)
        return false;
    bool ok = look_into(d, &now, NULL) && (l->unread || !now.unread);
    rewinddir(d);
    for (struct dirent *e; ok && (e = readdir(d));)
        unlinkat(dirfd(d), e->d_name, 0); /* fails for folders, which a recording does not make */
    return ok && rmdir(l->path.p) == 0;
}
