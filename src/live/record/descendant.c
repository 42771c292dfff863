#include "base/file.h"
#include "live/record/start.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST = 1000 };

void
sb_descendants_keep(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}

/* The fourth field of "4711 (name) S 17 ..."; the name may contain anything. 0: there is no such process. */
static pid_t
parent_of(pid_t pid)
{
    char path[40], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    SB_SCOPED_FILE FILE *f = fopen(path, "re");
    if (!f)
        return 0;
    size_t n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    return end && strlen(end) > 4 ? (pid_t)strtol(end + 4, NULL, 10) : 0;
}

uid_t
sb_descendant_user(pid_t pid)
{
    char path[40];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d", (int)pid);
    if (stat(path, &st) < 0)
        return geteuid();
    for (int depth = 0; pid > 1 && depth < DEEPEST; depth++)
        if ((pid = parent_of(pid)) == getpid())
            return st.st_uid;
    return geteuid();
}
