#include "cli/cli.h"
#include "cli/output.h"
#include "fprof/fprof.h"
#include <limits.h>

static int run(int argc, char **argv);

const struct sb_command sb_command_fprof = {
    .name = "fprof",
    .summary = "analyse an OTP trace as fprof does, byte for byte",
    .usage = "TRACE... [-o FILE] [--append] [--dump FILE] [--messages FILE] [--cols N]\n"
             "                    [--sort acc|own] [--totals] [--no-callers] [--no-details] [--strict] "
             "[--threads N]",
    .doc = "Does what fprof:profile and fprof:analyse of OTP 25 do together: reads a trace that fprof:trace "
           "(or\n"
           "dbg with fprof's flags) wrote to a file or to the files of a wrap set, simulates the call "
           "stacks, and\n"
           "writes the same analysis to standard output.\n"
           "\n"
           "  -o FILE        write the analysis to FILE\n"
           "  --append       append to FILE (and to the file of --dump) instead of replacing it\n"
           "  --dump FILE    write the text dump of fprof:profile({dump,FILE})\n"
           "  --messages FILE\n"
           "                 write what fprof prints while it reads: dots, and how the trace ended\n"
           "  --cols N       width of the output (80)\n"
           "  --sort KEY     acc (the default) or own\n"
           "  --totals       include the functions of all processes together\n"
           "  --no-callers   only functions, without callers and callees\n"
           "  --no-details   no section per process\n"
           "  --strict       correct fprof's known errors; standard error says what differs and why\n"
           "  --threads N    number of threads (one per core)\n"
           "\n"
           "The trace may have any kind of time stamp that fprof:trace or dbg can write; monotonic ones are\n"
           "shown in microseconds.\n"
           "\n"
           "A truncated or inconsistent trace is profiled up to that point, as fprof does, and the exit code "
           "is 1.\n"
           "Standard error then has one line\n"
           "\n"
           "    strobe: TRACE: fprof returns TERM, at byte N: the analysis holds what came before\n"
           "\n"
           "where TERM is the text of the Erlang term that fprof:profile or fprof:analyse would have "
           "returned, such\n"
           "as {error,{'truncated file',[0,0,0]}} or {error,empty_trace}, without line breaks. Exit codes: 0 "
           "the\n"
           "trace was analysed, 1 it is inconsistent or cannot be read, 2 wrong usage.\n",
    .example = "strobe fprof fprof.trace --totals --sort own -o fprof.analysis",
    .run = run,
};

struct wanted {
    struct sb_fprof_options profile;
    struct sb_fprof_analysis analysis;
    const char *out, *dump, *messages, *sort;
    bool append, no_callers, no_details;
    uint64_t cols, threads;
};

/* ---- output files */

static bool
open_out(struct sb_out *o, const char *path, bool append, struct sb_err *e)
{
    return append ? sb_out_open_append(o, path, e) : sb_out_open(o, path, e);
}

/* ---- what fprof would have returned */

static int
tell(const struct sb_fprof *f, const char *term, size_t n, uint64_t at, const char *advice)
{
    const struct fp_input_file *file = fp_input_file_at(&f->in, at == FP_NOWHERE ? 0 : at);
    fprintf(stderr, "strobe: %s: fprof returns %.*s", file->path, (int)n, term);
    if (at != FP_NOWHERE)
        fprintf(stderr, ", at byte %llu", (unsigned long long)(at - file->at));
    fprintf(stderr, ": %s\n", advice);
    return 1;
}

static void
tell_differences(const struct sb_fprof *f)
{
    struct sb_out text;
    sb_out_to_memory(&text);
    sb_fprof_differences(f, &text);
    struct sb_str rest = {text.buf, text.n};
    while (rest.n > 0) {
        struct sb_str line = sb_str_cut(&rest, '\n');
        fprintf(stderr, "strobe: %s: strict: %.*s\n", f->in.file.at[0].path, SB_STR_ARG(line));
    }
    sb_out_abandon(&text);
}

static int
analyse(struct sb_fprof *f, const struct wanted *w)
{
    struct sb_err e = {0};
    struct sb_out out;
    if (!open_out(&out, w->out, w->append, &e))
        return sb_cli_fail(&e);
    bool any = sb_fprof_analyse(f, &w->analysis, &out);
    if (!sb_out_close(&out, &e))
        return sb_cli_fail(&e);
    if (w->profile.strict)
        tell_differences(f);
    static const char empty[] = "{error,empty_trace}";
    if (f->failed)
        return tell(f, f->answer.buf, f->answer.n, f->failed_at,
                    any ? "the analysis holds what came before" : "nothing could be analysed");
    return any ? 0 : tell(f, empty, sizeof empty - 1, FP_NOWHERE, "trace calls of a process that runs");
}

static bool
close_out(struct sb_out *o, bool fine, struct sb_err *e)
{
    if (o && !fine)
        sb_out_abandon(o);
    return fine && (!o || sb_out_close(o, e));
}

static int
profile(struct sb_fprof *f, struct wanted *w)
{
    struct sb_err e = {0};
    struct sb_out dump, messages;
    if (w->dump && !open_out(&dump, w->dump, w->append, &e))
        return sb_cli_fail(&e);
    w->profile.dump = w->dump ? &dump : NULL;
    bool fine = !w->messages || open_out(&messages, w->messages, false, &e);
    w->profile.messages = w->messages && fine ? &messages : NULL;
    fine = fine && sb_fprof_profile(f, &w->profile, &e);
    fine = close_out(w->profile.messages, fine, &e);
    fine = close_out(w->profile.dump, fine, &e);
    return fine ? analyse(f, w) : sb_cli_fail(&e);
}

static int
run(int argc, char **argv)
{
    struct wanted w = {.cols = 80, .sort = "acc"};
    struct sb_err e = {0};
    const struct sb_option options[] = {
        {"-o", SB_OPT_TEXT, &w.out},
        {"--append", SB_OPT_FLAG, &w.append},
        {"--dump", SB_OPT_TEXT, &w.dump},
        {"--messages", SB_OPT_TEXT, &w.messages},
        {"--cols", SB_OPT_U64, &w.cols},
        {"--sort", SB_OPT_TEXT, &w.sort},
        {"--totals", SB_OPT_FLAG, &w.analysis.totals},
        {"--no-callers", SB_OPT_FLAG, &w.no_callers},
        {"--no-details", SB_OPT_FLAG, &w.no_details},
        {"--strict", SB_OPT_FLAG, &w.profile.strict},
        {"--threads", SB_OPT_U64, &w.threads},
    };
    if (!sb_cli_options(options, sizeof options / sizeof *options, &argc, argv, false, &e))
        return sb_cli_fail(&e);
    if (argc < 1)
        return sb_cli_usage("fprof", "no trace given");
    w.analysis.by_own = strcmp(w.sort, "own") == 0;
    if (!w.analysis.by_own && strcmp(w.sort, "acc") != 0)
        return sb_cli_usage("fprof", "--sort takes acc or own, not '%s'", w.sort);
    if (w.cols < 1 || w.cols > INT_MAX / 2)
        return sb_cli_usage("fprof", "--cols takes a number of at least 1");
    if (w.threads > 256)
        return sb_cli_usage("fprof", "--threads takes a number up to 256");
    w.analysis.cols = (unsigned)w.cols;
    w.analysis.callers = !w.no_callers;
    w.analysis.details = !w.no_details;
    w.profile.threads = (unsigned)w.threads;
    const char *const *paths = (const char *const *)argv;
    if (!sb_cli_may_write(w.out, paths, (size_t)argc, &e) ||
        !sb_cli_may_write(w.dump, paths, (size_t)argc, &e) ||
        !sb_cli_may_write(w.messages, paths, (size_t)argc, &e))
        return sb_cli_usage("fprof", "%s", e.what);
    struct sb_fprof f;
    if (!sb_fprof_open(&f, (const char *const *)argv, (size_t)argc, &e))
        return sb_cli_fail(&e);
    int code = profile(&f, &w);
    sb_fprof_close(&f);
    return code;
}
