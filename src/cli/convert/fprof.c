#include "cli/frame/cli.h"
#include "fprof/fprof.h"
#include <limits.h>

struct wanted {
    struct sb_fprof_options profile;
    struct sb_fprof_analysis analysis;
    const char *out, *dump, *messages;
    unsigned sort;
    bool append, no_callers, no_details;
    uint64_t cols, threads;
};

static const struct sb_option options[] = {
    {"-o", SB_OPT_TEXT, offsetof(struct wanted, out), "FILE", "write the analysis to FILE"},
    {"--append", SB_OPT_FLAG, offsetof(struct wanted, append), NULL,
     "append to FILE (and to the file of --dump) instead of replacing it"},
    {"--dump", SB_OPT_TEXT, offsetof(struct wanted, dump), "FILE",
     "write the text dump of fprof:profile({dump,FILE})"},
    {"--messages", SB_OPT_TEXT, offsetof(struct wanted, messages), "FILE",
     "write what fprof prints while it reads: dots, and how the trace ended"},
    {"--cols", SB_OPT_U64, offsetof(struct wanted, cols), "N", "width of the output (80)", 1, INT_MAX / 2},
    {"--sort", SB_OPT_CHOICE, offsetof(struct wanted, sort), "acc|own", "the order of functions (acc)"},
    {"--totals", SB_OPT_FLAG, offsetof(struct wanted, analysis.totals), NULL,
     "include the functions of all processes together"},
    {"--no-callers", SB_OPT_FLAG, offsetof(struct wanted, no_callers), NULL,
     "only functions, without callers and callees"},
    {"--no-details", SB_OPT_FLAG, offsetof(struct wanted, no_details), NULL, "no section per process"},
    {"--strict", SB_OPT_FLAG, offsetof(struct wanted, profile.strict), NULL,
     "correct fprof's known errors; standard error says what differs and why"},
    {"--threads", SB_OPT_U64, offsetof(struct wanted, threads), "N", "number of threads (one per core)", 0,
     256},
    {0}};

SB_COMMAND(fprof) = {
    .name = "fprof",
    .summary = "analyse an OTP trace as fprof does, byte for byte",
    .operands = "TRACE...",
    .doc =
        "Does what fprof:profile and fprof:analyse of OTP 25 do together: reads a trace that fprof:trace "
        "(or\n"
        "dbg with fprof's flags) wrote to a file or to the files of a wrap set, simulates the call stacks, "
        "and\n"
        "writes the same analysis to standard output. TRACE may be - for standard input.\n"
        "\n"
        "The trace may have any kind of time stamp that fprof:trace or dbg can write; monotonic ones are\n"
        "shown in microseconds.\n"
        "\n"
        "A truncated or inconsistent trace is profiled up to that point, as fprof does, and the exit code is "
        "1.\n"
        "Standard error then has one line\n"
        "\n"
        "    strobe: TRACE: fprof returns TERM, at byte N: the analysis holds what came before\n"
        "\n"
        "where TERM is the text of the Erlang term that fprof:profile or fprof:analyse would have returned,\n"
        "such as {error,{'truncated file',[0,0,0]}} or {error,empty_trace}, without line breaks. Exit codes: "
        "0\n"
        "the trace was analysed, 1 it is inconsistent or cannot be read, 2 wrong usage.",
    .example = "strobe fprof fprof.trace --totals --sort own -o fprof.analysis",
    .option = options,
    .run = run,
};

/* ---- output files */

static bool
open_out(struct sb_out *o, const char *path, bool append, struct sb_err *e)
{
    return append ? sb_out_open_append(o, path, e) : sb_out_open(o, path, e);
}

/* ---- what fprof would have returned */

static int
fail(const struct sb_fprof *f, const char *term, size_t n, uint64_t at, const char *advice)
{
    const struct fp_input_file *file = fp_input_file_at(&f->in, at == FP_NOWHERE ? 0 : at);
    fprintf(stderr, "strobe: %s: fprof returns %.*s", file->path, (int)n, term);
    if (at != FP_NOWHERE)
        fprintf(stderr, ", at byte %llu", (unsigned long long)(at - file->at));
    fprintf(stderr, ": %s\n", advice);
    return 1;
}

static void
put_differences(const struct sb_fprof *f)
{
    SB_OUT_TO_MEMORY(text);
    sb_fprof_differences(f, &text);
    struct sb_str rest = {text.buf, text.n};
    while (rest.n > 0) {
        struct sb_str line = sb_str_cut(&rest, '\n');
        fprintf(stderr, "strobe: %s: strict: %.*s\n", f->in.file.at[0].path, SB_STR_ARG(line));
    }
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
        put_differences(f);
    static const char empty[] = "{error,empty_trace}";
    if (f->failed)
        return fail(f, f->answer.buf, f->answer.n, f->failed_at,
                    any ? "the analysis holds what came before" : "nothing could be analysed");
    return any ? 0 : fail(f, empty, sizeof empty - 1, FP_NOWHERE, "trace calls of a process that runs");
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
    struct wanted w = {.cols = 80};
    struct sb_err e = {0};
    if (!sb_cli_options(&sb_command_fprof, &w, &argc, argv, &e))
        return sb_cli_usage("fprof", "%s", e.what);
    if (argc < 1)
        return sb_cli_usage("fprof", "no trace given");
    w.analysis.by_own = w.sort == 1;
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
    if (!sb_cli_read_stdin((const char **)argv, (size_t)argc, &e) ||
        !sb_fprof_open(&f, paths, (size_t)argc, &e))
        return sb_cli_fail(&e);
    int code = profile(&f, &w);
    sb_fprof_close(&f);
    return code;
}
