#include "serve/serve.h"
#include "base/signals.h"
#include "cli/browser.h"
#include "cli/cli.h"
#include "cli/written.h"
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int run(int argc, char **argv);

struct request {
    uint64_t port;
    bool stay;
    struct sb_option_list source;
};

static const struct sb_option options[] = {
    {"--port", SB_OPT_U64, offsetof(struct request, port), "N", "the port (any free one)", 0, UINT16_MAX},
    {"--no-open", SB_OPT_FLAG, offsetof(struct request, stay), NULL,
     "print the address, but open no browser"},
    {"--source", SB_OPT_LIST, offsetof(struct request, source), "DIR",
     "search this folder for the source code of functions (may be repeated)"},
    {0}};

const struct sb_command sb_command_serve = {
    .name = "serve",
    .summary = "show a profile as a web page",
    .operands = "P...",
    .doc =
        "Serves a web page for one or more profiles on 127.0.0.1 and prints its address, which contains an\n"
        "access token. A trace is analysed first, while the page shows the progress. The page follows a "
        "trace\n"
        "that is still being written, two seconds behind, until the recording ends. The page is part of the\n"
        "program and loads nothing from other hosts. Ctrl-C stops the server.",
    .example = "strobe serve strobe.sbp",
    .option = options,
    .run = run,
};

static int
serve(struct sb_server *server, bool stay)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    sigset_t signals = sb_signals(SB_SIGNALS_STOP);
    int signal_number;
    /* blocked before threads start, so that one place waits for them; a profile that is being opened can still be
     * interrupted */
    sb_signals_block(SB_SIGNALS_STOP);
    if (!sb_server_start(server, &e)) {
        sb_server_close(server);
        return sb_cli_fail(&e);
    }
    printf("%s\n", sb_server_url(server));
    fflush(stdout);
    struct sb_browser browser = {{0}};
    if (!stay)
        sb_browser_open(&browser, sb_server_url(server));
    sigwait(&signals, &signal_number);
    sb_browser_close(&browser);
    sb_server_close(server);
    return 0;
}

/* Replaces the names of traces that do not exist yet by those of their recordings. */
static void
find_written(char **path, int n, struct sb_arena *a)
{
    for (int i = 0; i < n; i++) {
        const char *written = access(path[i], F_OK) == 0 ? NULL : sb_cli_written(path[i], a);
        if (!written)
            continue;
        fprintf(stderr, "strobe: %s is being written as %s\n", path[i], written);
        path[i] = (char *)(uintptr_t)written;
    }
}

static int
run(int argc, char **argv)
{
    struct request r = {0};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_server *server;
    if (!sb_cli_options(&sb_command_serve, &r, &argc, argv, &e))
        return sb_cli_usage("serve", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("serve", "no profile given");
    struct sb_arena a;
    sb_arena_init(&a);
    find_written(argv, argc, &a);
    struct sb_serve_options o = {(const char *const *)argv, (size_t)argc, (uint16_t)r.port, r.source.at,
                                 r.source.n};
    if (!sb_server_open(&server, &o, &e))
        return sb_cli_fail(&e);
    int code = serve(server, r.stay);
    free(r.source.at);
    sb_arena_close(&a);
    return code;
}
