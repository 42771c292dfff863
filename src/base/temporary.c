#include "base/temporary.h"
#include "base/file.h"
#include <stdlib.h>
#include <unistd.h>

const char *
sb_temporary_root(void)
{
    const char *tmp = getenv("TMPDIR");
    return tmp && *tmp ? tmp : "/tmp";
}

const char *
sb_temporary_folder(const char *name, const char *purpose, struct sb_arena *a, struct sb_err *e)
{
    char *folder = (char *)sb_arena_printf(a, "%s/%s-XXXXXX", sb_temporary_root(), name).p;
    if (mkdtemp(folder))
        return folder;
    sb_err_errno(e, sb_arena_printf(a, "create a folder for %s", purpose).p);
    return NULL;
}

void
sb_temporary_remove(const char *folder)
{
    SB_SCOPED_DIR DIR *d = opendir(folder);
    for (struct dirent *f; d && (f = readdir(d));)
        if (f->d_name[0] != '.')
            unlinkat(dirfd(d), f->d_name, 0);
    rmdir(folder);
}
