#include "serve/serve.h"
#include "cli/cli.h"
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

static int run(int argc, char **argv);

const struct sb_command sb_command_serve = {
    .name = "serve",
    .summary = "show a profile as a web page",
    .usage = "P... [--port N] [--no-open] [--source DIR]...",
    .doc =
        "Serves a web page for one or more profiles on 127.0.0.1 and prints its address, which contains an\n"
        "access token. A trace is analysed first, while the page shows the progress. The page is part of "
        "the\n"
        "program and loads nothing from other hosts. Ctrl-C stops the server.\n"
        "\n"
        "  --port N      the port (any free one)\n"
        "  --no-open     print the address, but open no browser\n"
        "  --source DIR  search this folder for the source code of functions (may be repeated)\n",
    .example = "strobe serve strobe.sbp",
    .run = run,
};

extern char **environ;

/* Opens an address with the desktop's own command, if there is a desktop. strobe looks for no browser itself.
 */
static void
open_browser(const char *url)
{
    char *argv[] = {"xdg-open", (char *)(uintptr_t)url, NULL};
    posix_spawn_file_actions_t quiet;
    pid_t pid;
    if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
        return;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1 /* O_WRONLY */, 0);
    posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", 1, 0);
    posix_spawnp(&pid, argv[0], &quiet, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&quiet);
}

/* Blocks the signals that end the program in this thread and in those started later, so that one place can
 * wait for them. Until then they end the program, also while a large profile opens. */
static void
block_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    sigaddset(set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, set, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int
serve(struct sb_server *server, bool stay)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sigset_t signals;
    int signal_number;
    block_signals(&signals);
    if (!sb_server_start(server, &e)) {
        sb_server_close(server);
        return sb_cli_fail(&e);
    }
    printf("%s\n", sb_server_url(server));
    fflush(stdout);
    if (!stay)
        open_browser(sb_server_url(server));
    sigwait(&signals, &signal_number);
    sb_server_close(server);
    return 0;
}

static int
run(int argc, char **argv)
{
    uint64_t port = 0;
    bool stay = false;
    struct sb_option_list source = {0};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_server *server;
    const struct sb_option options[] = {
        {"--port", SB_OPT_U64, &port}, {"--no-open", SB_OPT_FLAG, &stay}, {"--source", SB_OPT_LIST, &source}};
    if (!sb_cli_options(options, sizeof options / sizeof *options, &argc, argv, false, &e))
        return sb_cli_fail(&e);
    if (argc == 0)
        return sb_cli_usage("serve", "no profile given");
    if (port > UINT16_MAX)
        return sb_cli_usage("serve", "--port takes a number up to 65535");
    struct sb_serve_options o = {(const char *const *)argv, (size_t)argc, (uint16_t)port, source.at,
                                 source.n};
    if (!sb_server_open(&server, &o, &e))
        return sb_cli_fail(&e);
    int code = serve(server, stay);
    free(source.at);
    return code;
}
