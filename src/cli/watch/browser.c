#include "cli/watch/browser.h"
#include "base/file.h"
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

extern char **environ;

/* Creates the page, readable by its owner only, in the folder that the desktop has for that or with temporary files. */
static bool
write_page(struct sb_browser *b, const char *url)
{
    const char *const roots[] = {getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"};
    int fd = -1;
    for (unsigned i = 0; i < 3 && fd < 0; i++)
        if (roots[i] && *roots[i] &&
            (size_t)snprintf(b->page, sizeof b->page, "%s/strobe-XXXXXX.html", roots[i]) < sizeof b->page)
            fd = mkstemps(b->page, sizeof ".html" - 1);
    if (fd < 0) {
        b->page[0] = 0;
        return false;
    }
    bool ok = dprintf(fd, "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=%s\">\n", url) > 0;
    close(fd);
    return ok;
}

void
sb_browser_open(struct sb_browser *b, const char *url)
{
    char *argv[] = {"xdg-open", b->page, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    b->page[0] = '\0';
    if ((!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY")) || !write_page(b, url))
        return;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&quiet);
}

void
sb_browser_close(struct sb_browser *b)
{
    if (b->page[0])
        unlink(b->page);
    b->page[0] = '\0';
}
