/* strobe flame: where the CPU time of a command goes, by function, in the terminal and as a flame graph. */
#include "answer/answer.h"
#include "answer/hot.h"
#include "base/shell.h"
#include "base/temporary.h"
#include "cli/frame/cli.h"
#include "cli/frame/profile.h"
#include "cli/record/recording.h"
#include "export/export.h"
#include "live/attach/attach.h"
#include "live/drain/cpu.h"
#include "profile/cpu.h"
#include <unistd.h>

struct request {
    const char *path;
    int64_t duration_ns;
    uint64_t rate;
};

static const struct sb_option options[] = {
    {"-o", SB_OPT_TEXT, offsetof(struct request, path), "F.html", "the flame graph (flame.html)"},
    {"--duration", SB_OPT_SPAN, offsetof(struct request, duration_ns), "T",
     "stop sampling after this time, such as 10s; the command or the node continues"},
    {"--rate", SB_OPT_U64, offsetof(struct request, rate), "HZ",
     "samples a second of each thread's CPU time (997)", 1, 10000},
    {0}};

SB_COMMAND(flame) = {
    .name = "flame",
    .summary = "show which functions the CPU time of a command or of a node goes to",
    .operands = "TARGET | -- CMD...",
    .doc = "Runs erl, elixir, mix, rebar3 or the start script of a release, samples the CPU time of the VM's "
           "threads from outside, prints the ten hottest functions and writes a flame graph as one HTML "
           "file. No calls are traced. TARGET is a node of this machine that is running, by its name or the "
           "number of its operating system process; it is sampled for 10 s, or --duration.\n"
           "\n"
           "strobe adds +JPperf map to the flags of the VM of a command, so that its code keeps frame "
           "pointers: deep recursion takes up to 1.4 times as long. A node that runs already needs no flag "
           "before OTP 29. Samples need OTP 25 or later with the JIT, and Linux has to allow perf events "
           "(kernel.perf_event_paranoid at most 2). Of code of the VM and of libraries the Erlang function "
           "that called it is mostly known, and its callers seldom.\n"
           "\n"
           "strobe record --trace all,cpu puts the samples beside everything else: report cpu, export --what "
           "cpu, tables cpu_sample and cpu_function. The exit code is that of the command; 125 if strobe "
           "itself failed.\n",
    .example = "strobe flame -- mix test",
    .option = options,
    .run = run,
    .runs_command = true,
};

enum { SHOWN = 10 };

/* ---- what was sampled ---- */

/* Collections by their functions: events of them would slow down a program with many small ones. */
static void
put_sums(const struct sb_cpu_samples *s, const struct sb_vm_samples *v, uint64_t rate, struct sb_out *out)
{
    size_t of[SB_CPU_DIRTY + 1] = {0};
    for (size_t i = 0; i < s->n_samples; i++)
        of[s->sample[i].kind]++;
    struct sb_human cpu = sb_human((int64_t)((double)s->n_samples * 1e9 / (double)rate), SB_U_NS);
    double part = s->n_samples ? 100.0 / (double)s->n_samples : 0, gc = (double)v->of[SB_VM_GC] * part;
    sb_out_printf(
        out,
        "%zu samples of the CPU, about %s: %.0f %% in processes, %.0f %% collecting their garbage, %.0f %% "
        "outside of processes\n",
        s->n_samples, cpu.text, (double)(s->n_samples - of[SB_CPU_OUTSIDE]) * part - gc, gc,
        (double)of[SB_CPU_OUTSIDE] * part);
}

static bool
put_functions(struct sb_cli_profile *c, struct sb_arena *a, struct sb_out *out, struct sb_err *e)
{
    const struct sb_answer *cpu = sb_answer_find(SB_STR("cpu"));
    struct sb_question q = {
        .since_ns = SB_NULL, .until_ns = SB_NULL, .limit = SHOWN, .width = sb_cli_width(STDOUT_FILENO)};
    struct sb_ask ask = {c->profile, c->sql, &q, a};
    struct sb_table t = {0}, text;
    struct sb_str unknown;
    SB_TRY(sb_answer_run(cpu, &ask, &t, e));
    sb_answer_text(cpu, &ask, &t, q.width, &text, &unknown);
    text.rows_left_out = 0;
    sb_table_write(&text, SB_FORMAT_TEXT, out);
    sb_wrap(sb_arena_printf(a, "%s", cpu->note(&ask, &t)), 0, q.width, out);
    return true;
}

static bool
show(const char *trace, const struct request *r, struct sb_arena *a, struct sb_err *e)
{
    struct sb_cli_profile c;
    struct sb_out out;
    const struct sb_export_options whole = {.since_ns = SB_NULL, .until_ns = SB_NULL, .what = "cpu"};
    SB_TRY(sb_cli_profile_open(&c, trace, e));
    sb_cli_note_losses(c.profile);
    const struct sb_cpu_samples *s = sb_cpu_samples_of(c.profile);
    bool ok = s->n_samples > 0 || sb_err_set(e, SB_ERR_SYSTEM, "too little CPU time was used to be sampled");
    ok = ok && sb_out_open(&out, NULL, e);
    if (ok) {
        struct sb_vm_samples v;
        sb_vm_samples_find(c.profile, sb_range_of(c.profile, SB_NULL, SB_NULL), a, &v);
        put_sums(s, &v, r->rate, &out);
        ok = put_functions(&c, a, &out, e) &&
             sb_export(sb_exporter_find(SB_STR("flame")), c.profile, &whole, r->path, e);
        if (ok)
            sb_out_printf(&out, "flame graph: %.*s\n", SB_STR_ARG(sb_shell_word(sb_str_of(r->path), a)));
        ok = sb_out_close(&out, ok ? e : &(struct sb_err){0}) && ok;
    }
    sb_cli_profile_close(&c);
    return ok;
}

/* ---- recording ---- */

static const int64_t NODE_NS = 10000000000;

static struct sb_record_options
options_of(const struct request *r, const char *trace)
{
    return (struct sb_record_options){.trace = trace,
                                      .what = {.classes = "procs,running",
                                               .modules = "",
                                               .apps = "",
                                               .buffer = 64 << 20,
                                               .max_ns = r->duration_ns,
                                               .cpu_hz = (unsigned)r->rate},
                                      .level = 1};
}

static bool
record(const char *trace, const struct request *r, char **command, int *code, struct sb_arena *a,
       struct sb_err *e)
{
    struct sb_record_result result = {0};
    struct sb_record_options o = options_of(r, trace);
    o.command = command;
    bool ok = sb_record(&o, a, &result, e), any = result.vm.n > 0;
    *code = result.exit_code;
    SB_VEC_FREE(&result.vm);
    if (!ok || any)
        return ok;
    return sb_err_set(e, SB_ERR_SYSTEM, "no Erlang VM was recorded: %s",
                      result.failed.n ? sb_arena_str(a, result.failed).p : "the command started none");
}

static void
begun(void *ctx, const struct sb_attach_begun *b)
{
    fprintf(stderr, "strobe: sampling %.*s for %s\n", SB_STR_ARG(b->target->node),
            sb_human(*(const int64_t *)ctx, SB_U_NS).text);
    if (b->lacks_functions)
        sb_recording_note_functions();
}

static bool
attach(const char *trace, const struct request *r, const char *target, struct sb_arena *a, struct sb_err *e)
{
    struct sb_attach_result result = {0};
    struct sb_record_options how = options_of(r, trace);
    how.what.max_ns = how.what.max_ns ? how.what.max_ns : NODE_NS;
    bool ok = sb_attach(
        &(struct sb_attach_options){.target = target, .how = &how, .begun = begun, .ctx = &how.what.max_ns},
        a, &result, e);
    sb_recording_print_left(result.node, result.left.at, result.left.n);
    SB_VEC_FREE(&result.left);
    return ok;
}

/* Of a node that runs already, or, if there is none, of a command. */
static int
flame(const struct request *r, const char *node, char **command)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    SB_ARENA(a);
    int code = 0;
    const char *folder =
        sb_cpu_is_allowed(&e) ? sb_temporary_folder("strobe-flame", "the trace", &a, &e) : NULL;
    bool ok = folder != NULL;
    if (ok) {
        const char *trace = sb_arena_printf(&a, "%s/flame.sbt", folder).p;
        ok = node ? attach(trace, r, node, &a, &e) : record(trace, r, command, &code, &a, &e);
        ok = ok && show(trace, r, &a, &e);
        sb_temporary_remove(folder);
    }
    if (!ok)
        sb_cli_fail(&e);
    return ok || code ? code : SB_CLI_OWN_FAILURE;
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct request r = {.path = "flame.html", .rate = 997};
    struct sb_command parsed = sb_command_flame;
    bool runs = false;
    for (int i = 1; i < argc; i++)
        runs = runs || strcmp(argv[i], "--") == 0;
    parsed.runs_command = runs; /* options may follow a node */
    if (!sb_cli_options(&parsed, &r, &argc, argv, &e))
        return sb_cli_usage("flame", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("flame", runs ? "no command to run" : "no node, and no command after --");
    if (!runs && argc > 1)
        return sb_cli_usage("flame", "one node is sampled; a command follows --");
    if (!sb_cli_can_create(r.path, false))
        return sb_cli_usage("flame", "-o %s: no file can be written there", r.path);
    argv[argc] = NULL;
    return flame(&r, runs ? NULL : argv[0], argv);
}
