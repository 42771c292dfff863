#include "serve/serve.h"
#include "base/signals.h"
#include "cli/watch/browser.h"
#include "cli/record/recorder.h"
#include "cli/record/recording.h"
#include "cli/watch/written.h"
#include <sys/stat.h>
#include <unistd.h>

struct request {
    uint64_t port;
    bool stay;
    bool is_busy; /* the server could not be closed */
    struct sb_option_list source;
    struct sb_option_list live;
    struct sb_recorder_options how;
};

static const struct sb_option options[] = {
    {"--port", SB_OPT_U64, offsetof(struct request, port), "N", "the port (any free one)", 0, UINT16_MAX},
    {"--no-open", SB_OPT_FLAG, offsetof(struct request, stay), NULL,
     "print the address, but open no browser"},
    {"--source", SB_OPT_LIST, offsetof(struct request, source), "DIR",
     "search this folder for the source code of functions (may be repeated)"},
    {"--live", SB_OPT_LIST, offsetof(struct request, live), "TARGET...",
     "record these nodes (names or OS pids, as for `strobe attach`) and follow the recordings"},
    {"--via", SB_OPT_TEXT, offsetof(struct request, how.via), "CMD",
     "record the node that this command of the shell reaches, as `strobe attach --via` does, and follow the "
     "recording"},
    {"-o", SB_OPT_TEXT, offsetof(struct request, how.trace), "T.sbt",
     "with --live or --via: keep the trace here, instead of in a private file that goes with the server; of "
     "several nodes x.shop@here.sbt for x.sbt"},
    {"--trace", SB_OPT_TEXT, offsetof(struct request, how.classes), "LIST",
     "with --live or --via: what is recorded, as for `strobe attach` (all)", 0, 0, sb_recording_class},
    {"--duration", SB_OPT_TEXT, offsetof(struct request, how.duration), "T",
     "with --live or --via: the length of the recording, such as 60s (10s)"},
    {"--force", SB_OPT_FLAG, offsetof(struct request, how.force), NULL,
     "with --live or --via: record a node that is in trouble"},
    {0}};

SB_COMMAND(serve) = {
    .name = "serve",
    .summary = "show a profile as a web page",
    .operands = "P... | DIR | --live TARGET... | --via CMD",
    .doc =
        "Serves a web page for one or more profiles on 127.0.0.1 and prints its address, which contains an\n"
        "access token. A trace is analysed first, while the page shows the progress. The page follows a "
        "trace\n"
        "that is still being written, two seconds behind, until the recording ends. The page is part of the\n"
        "program and loads nothing from other hosts. Ctrl-C stops the server.\n"
        "\n"
        "Of a folder the page lists all profiles and traces, also those that come to it later, and opens "
        "the\n"
        "ones that are chosen.\n"
        "\n"
        "With --live or --via strobe attaches to running nodes, as `strobe attach` does, records each into "
        "a\n"
        "private file, and serves these once the first has begun: of several nodes the page has a list. A "
        "node\n"
        "that refuses is named, and the others are served. A recording ends after 10 s, 10 M events or 256 "
        "MB,\n"
        "unless --duration says otherwise: then the node is as before, and the page shows all that was "
        "recorded.\n"
        "Ctrl-C ends the recordings that go on, and the server.",
    .example = "strobe serve strobe.sbp",
    .option = options,
    .run = run,
};

/* Returns whether recordings go on. */
static bool
pass_ends(struct sb_server *server, struct sb_recorder *recorder)
{
    struct sb_members *m = &recorder->members;
    bool more = sb_members_running(m) > 0;
    for (size_t i = 0; i < m->n; i++)
        if (!m->at[i].pid)
            sb_server_recorded(server, m->at[i].trace);
    if (!more)
        fprintf(stderr, "strobe: %s ended, and the page shows all of %s; Ctrl-C stops the server\n",
                m->n > 1 ? "the recordings have" : "the recording has", m->n > 1 ? "them" : "it");
    return more;
}

/* Until a signal asks to stop. A recording that ends by itself leaves the server alone. */
static void
wait_for_stop(struct sb_server *server, struct sb_recorder *recorder)
{
    sigset_t signals = sb_signals(recorder ? SB_SIGNALS_STOP_AND_CHILD : SB_SIGNALS_STOP);
    bool recording = recorder && pass_ends(server, recorder); /* what has ended by now */
    int got;
    for (sigwait(&signals, &got); got == SIGCHLD; sigwait(&signals, &got))
        recording = recording && pass_ends(server, recorder);
}

static int
serve(struct sb_server *server, struct request *r, struct sb_recorder *recorder)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    /* blocked before threads start, so that one place waits for them; a profile that is being opened can still be
     * interrupted */
    sb_signals_block(recorder ? SB_SIGNALS_STOP_AND_CHILD : SB_SIGNALS_STOP);
    if (!sb_server_start(server, &e)) {
        sb_server_close(server);
        return sb_cli_fail(&e);
    }
    printf("%s\n", sb_server_url(server));
    fflush(stdout);
    struct sb_browser browser = {{0}};
    if (!r->stay)
        sb_browser_open(&browser, sb_server_url(server));
    wait_for_stop(server, recorder);
    sb_browser_close(&browser);
    r->is_busy = !sb_server_close(server);
    return 0;
}

/* The nodes are as before by the end; `strobe attach` says so. */
static int
serve_live(struct request *r, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_recorder recorder;
    struct sb_server *server;
    sb_signals_block(SB_SIGNALS_STOP_AND_CHILD);
    if (!sb_recorder_start(&recorder, &r->how, a, &e))
        return sb_cli_fail(&e);
    const struct sb_members *m = &recorder.members;
    const char **trace = SB_NEW_N(a, const char *, m->n);
    for (size_t i = 0; i < m->n; i++)
        trace[i] = m->at[i].trace;
    int code = 1;
    if (sb_recorder_await(&recorder)) {
        struct sb_serve_options o = {.paths = trace,
                                     .n_paths = m->n,
                                     .port = (uint16_t)r->port,
                                     .source_dir = r->source.at,
                                     .n_source_dirs = r->source.n,
                                     .coming = true};
        code = sb_server_open(&server, &o, &e) ? serve(server, r, &recorder) : sb_cli_fail(&e);
    }
    int recorded = sb_recorder_close(&recorder);
    return recorded ? recorded : code;
}

static bool
is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
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

/* A worker that is still busy reads these until the process ends. */
static int
end(const struct request *r, struct sb_arena *a, int code)
{
    if (!r->is_busy) {
        free(r->source.at);
        free(r->live.at);
        sb_arena_close(a);
    }
    return code;
}

static const char *
misused(const struct request *r, int argc, char **argv)
{
    const struct sb_recorder_options *o = &r->how;
    if (!r->live.n && !o->via)
        return o->trace || o->classes || o->duration || o->force
                   ? "-o, --trace, --duration and --force need --live or --via"
                   : NULL;
    if (o->via && (argc > 0 || r->live.n > 1))
        return "--via reaches one node, and takes no profile";
    for (int i = 0; i < argc; i++)
        if (sb_str_ends(sb_str_of(argv[i]), SB_STR(".sbp")) ||
            sb_str_ends(sb_str_of(argv[i]), SB_STR(".sbt")))
            return "--live takes no profile";
    return NULL;
}

/* The nodes of --live, and what follows. */
static void
find_targets(struct request *r, int argc, char **argv, struct sb_arena *a)
{
    const char **target = SB_NEW_N(a, const char *, r->live.n + (size_t)argc);
    for (size_t i = 0; i < r->live.n; i++)
        target[r->how.n++] = r->live.at[i];
    for (int i = 0; i < argc; i++)
        target[r->how.n++] = argv[i];
    r->how.target = target;
}

static int
run(int argc, char **argv)
{
    struct request r = {0};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_server *server;
    if (!sb_cli_options(&sb_command_serve, &r, &argc, argv, &e))
        return sb_cli_usage("serve", "%s", e.what);
    bool live = r.live.n || r.how.via;
    if (argc == 0 && !live)
        return sb_cli_usage("serve", "no profile given");
    const char *wrong = misused(&r, argc, argv);
    if (wrong)
        return sb_cli_usage("serve", "%s", wrong);
    struct sb_arena a = {0};
    if (live) {
        find_targets(&r, argc, argv, &a);
        return end(&r, &a, serve_live(&r, &a));
    }
    find_written(argv, argc, &a);
    struct sb_serve_options o = {.paths = (const char *const *)argv,
                                 .n_paths = (size_t)argc,
                                 .folder = argc == 1 && is_folder(argv[0]) ? argv[0] : NULL,
                                 .port = (uint16_t)r.port,
                                 .source_dir = r.source.at,
                                 .n_source_dirs = r.source.n};
    if (!sb_server_open(&server, &o, &e))
        return sb_cli_fail(&e);
    return end(&r, &a, serve(server, &r, NULL));
}
