#include "cli/watch/written.h"
#include "base/file.h"
#include "trace/sbt/sbt.h"
#include <fcntl.h>
#include <sys/stat.h>

/* "T.4711.sbt" for the stem "T" */
static bool
is_recording_of(struct sb_str name, struct sb_str stem)
{
    uint64_t pid;
    if (!sb_str_starts(name, stem) || !sb_str_ends(name, SB_STR(".sbt")) || name.n < stem.n + 5)
        return false;
    struct sb_str middle = sb_str_sub(name, stem.n, name.n - 4 - stem.n);
    return middle.n > 1 && middle.p[0] == '.' && sb_str_to_u64(sb_str_sub(middle, 1, middle.n), &pid);
}

/* Returns the size of a trace that is being written, else 0. */
static uint64_t
written(const char *path)
{
    struct stat st;
    SB_SCOPED_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    bool is = fd >= 0 && sb_sbt_life(fd) == SB_SBT_WRITTEN && fstat(fd, &st) == 0;
    return is ? (uint64_t)st.st_size : 0;
}

const char *
sb_cli_written(const char *trace, struct sb_arena *a)
{
    const char *slash = strrchr(trace, '/'), *found = NULL;
    struct sb_str name = sb_str_of(slash ? slash + 1 : trace);
    struct sb_str folder = slash ? (struct sb_str){trace, (size_t)(slash - trace) + 1} : SB_STR("./");
    struct sb_str stem = sb_str_ends(name, SB_STR(".sbt")) ? sb_str_sub(name, 0, name.n - 4) : name;
    SB_SCOPED_DIR DIR *d = opendir(sb_arena_str(a, folder).p);
    uint64_t most = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (!is_recording_of(sb_str_of(e->d_name), stem))
            continue;
        const char *path = sb_arena_printf(a, "%.*s%s", slash ? (int)folder.n : 0, folder.p, e->d_name).p;
        uint64_t size = written(path);
        if (size > most) {
            most = size;
            found = path;
        }
    }
    return found;
}
