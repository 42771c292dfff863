#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "trace/sbt/sbt.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool
is_recording(const char *path)
{
    struct sb_file f;
    if (!sb_file_open(&f, path, NULL))
        return false;
    bool is = f.n >= sizeof SB_SBT_MAGIC - 1 && memcmp(f.p, SB_SBT_MAGIC, sizeof SB_SBT_MAGIC - 1) == 0;
    sb_file_close(&f);
    return is;
}

bool
sb_cli_may_write(const char *out, const char *const *in, size_t n, struct sb_err *e)
{
    struct stat o, i;
    if (!out || stat(out, &o) != 0 || !S_ISREG(o.st_mode))
        return true;
    for (size_t k = 0; k < n; k++)
        if (stat(in[k], &i) == 0 && i.st_dev == o.st_dev && i.st_ino == o.st_ino)
            return sb_err_set(e, SB_ERR_USAGE,
                              "-o %s would overwrite the file that is read; name another file", out);
    if (is_recording(out))
        return sb_err_set(e, SB_ERR_USAGE, "-o %s would overwrite a recorded trace; name another file", out);
    return true;
}

bool
sb_cli_are_distinct(const char *const *in, size_t n, struct sb_err *e)
{
    SB_ARENA(a);
    struct stat *of = SB_NEW_N(&a, struct stat, n + 1);
    for (size_t i = 0; i < n; i++) {
        bool is_file = stat(in[i], &of[i]) == 0 && S_ISREG(of[i].st_mode);
        for (size_t k = 0; k < i && is_file; k++)
            if (of[k].st_dev == of[i].st_dev && of[k].st_ino == of[i].st_ino)
                return sb_err_set(e, SB_ERR_USAGE, "%s is given twice, and all of it would count twice",
                                  in[i]);
    }
    return true;
}

/* Some file systems refuse what access(2) allows. The name of the file itself must not appear: it would be taken for a
 * recording that has begun. */
static bool
can_add_beside(const char *path)
{
    char beside[SB_CLI_PATH];
    if (snprintf(beside, sizeof beside, "%s.%u", path, (unsigned)getpid()) >= (int)sizeof beside)
        return false;
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    close(fd);
    return unlink(beside) == 0;
}

bool
sb_cli_can_create(const char *path, bool in_place)
{
    struct stat st;
    const char *slash = strrchr(path, '/');
    if (path[slash ? slash - path + 1 : 0] == '\0')
        return false;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return in_place && !S_ISDIR(st.st_mode) && access(path, W_OK) == 0;
    return can_add_beside(path);
}
