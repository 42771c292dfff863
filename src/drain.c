/*
 * strobe-drain: empties the rings of a node into a trace file. A program of its own, small and static, so
 * that neither the node nor the user's shell can take it down, and it can take neither of them down.
 *
 *     strobe-drain [--level N] [--max-events N] [--max-bytes N] [--max-ns N] [--tell 1] RINGS TRACE
 */
#include "base/str.h"
#include "live/drain.h"
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int
usage(void)
{
    fputs("usage: strobe-drain [--level N] [--max-events N] [--max-bytes N] [--max-ns N] [--tell 1] RINGS "
          "TRACE\n",
          stderr);
    return 2;
}

static bool
set_option(struct sb_drain_options *o, const char *name, const char *value)
{
    uint64_t v;
    if (!sb_str_to_u64(sb_str_of(value), &v))
        return false;
    if (strcmp(name, "--level") == 0)
        o->level = (int)(v < 19 ? v : 19);
    else if (strcmp(name, "--max-events") == 0)
        o->max_events = v;
    else if (strcmp(name, "--max-bytes") == 0)
        o->max_bytes = v;
    else if (strcmp(name, "--max-ns") == 0)
        o->max_ns = (int64_t)(v & INT64_MAX);
    else if (strcmp(name, "--tell") == 0)
        o->tell = v > 0;
    else
        return false;
    return true;
}

int
main(int argc, char **argv)
{
    struct sb_drain_options o = {.level = 1};
    struct sb_err e = {0};
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2)
        if (!set_option(&o, argv[i], argv[i + 1]))
            return usage();
    if (argc - i != 2)
        return usage();
    o.rings = argv[i];
    o.trace = argv[i + 1];
    setsid(); /* a Ctrl-C is meant for the program that is recorded, and for strobe record */
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGTERM, sb_drain_stop);
    if (sb_drain(&o, &e))
        return 0;
    sb_err_print(&e, stderr);
    return sb_err_exit_code(&e);
}
