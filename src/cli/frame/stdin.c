#include "cli/frame/cli.h"
#include "base/arena.h"
#include <unistd.h>

static bool
copy(FILE *to, struct sb_err *e)
{
    char piece[1 << 14];
    ssize_t n;
    bool ok = true;
    while (ok && (n = read(STDIN_FILENO, piece, sizeof piece)) > 0)
        ok = fwrite(piece, 1, (size_t)n, to) == (size_t)n;
    ok = ok && n == 0 && fflush(to) == 0;
    if (!ok)
        sb_err_errno(e, "copy standard input to a temporary file");
    return ok;
}

bool
sb_cli_read_stdin(const char **path, size_t n, struct sb_err *e)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(path[i], "-") != 0)
            continue;
        FILE *f = tmpfile();
        if (!f)
            return sb_err_errno(e, "create a temporary file for standard input");
        SB_TRY(copy(f, e));
        char *name = sb_realloc_or_die(NULL, 32);
        snprintf(name, 32, SB_CLI_STDIN "%d", fileno(f));
        path[i] = name;
    }
    return true;
}
