#include "base/order.h"
#include "base/signals.h"
#include "base/temporary.h"
#include "cli/record/scaled.h"
#include "live/drain/drain_cpus.h"
#include "live/record/record.h"
#include "live/record/trial.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct request {
    const char *cores, *folder;
    uint64_t runs;
    unsigned format; /* enum sb_format */
};

static const struct sb_option options[] = {
    {"--cores", SB_OPT_TEXT, offsetof(struct request, cores), "N,N,...",
     "numbers of schedulers (1,2,4,... up to the cores of this machine)"},
    {"--runs", SB_OPT_U64, offsetof(struct request, runs), "N",
     "runs at each number, without recording; fewer than 2 show no spread (3)", 1, 1000},
    {"-o", SB_OPT_TEXT, offsetof(struct request, folder), "DIR",
     "keep the traces and profiles in this folder, as N.sbt"},
    {"--format", SB_OPT_CHOICE, offsetof(struct request, format), "text|json|csv|tsv", "how to print (text)"},
    {0}};

SB_COMMAND(scale) = {
    .name = "scale",
    .summary = "run a command at several numbers of schedulers, and show what grows",
    .operands = "-- CMD...",
    .doc = "Runs a BEAM command (erl, escript, elixir, mix, rebar3, a release) at each number of schedulers: "
           "once recorded, then --runs times without recording, in turns. Shows the times with their spread, "
           "the speed-up and the efficiency; Amdahl's law and the universal scalability law where the times "
           "support a fit; the account of scheduler time at each number; and the groups of processes whose "
           "work grew, since work that grows with the schedulers waits for locks and shared memory. Where "
           "the runs at two numbers overlap there is no result.\n"
           "\n"
           "The number is set by ERL_ZFLAGS=\"+S N:N\", which follows the flags of the command itself. The "
           "command's standard input is empty and its output is not shown. If the command fails, strobe "
           "stops with its exit code; 125 if strobe itself failed, 126 if the command cannot be run, 127 if "
           "there is no such command.\n",
    .example = "strobe scale --cores 1,2 -- mix run bench.exs",
    .option = options,
    .run = run,
    .runs_command = true,
};

enum { MOST_COUNTS = 32, MOST_SCHEDULERS = 1024 };

struct scale {
    struct sb_scaled s;
    char **argv;
    const char *folder, *zflags; /* as the user set them */
    int code;                    /* of a command that failed */
};

/* ---- the numbers of schedulers ---- */

SB_ORDER(by_number, struct sb_scaled_count, SB_UP(cores))

static bool
read_counts(struct sb_scaled *s, const char *text, struct sb_err *e)
{
    struct sb_str rest = sb_str_of(text);
    s->count = SB_NEW_N(s->arena, struct sb_scaled_count, MOST_COUNTS);
    while (rest.n > 0) {
        uint64_t n;
        struct sb_str one = sb_str_cut(&rest, ',');
        if (!sb_str_to_u64(one, &n) || n == 0 || n > MOST_SCHEDULERS)
            return sb_err_set(e, SB_ERR_USAGE, "--cores takes numbers from 1 to %d, not '%.*s'",
                              MOST_SCHEDULERS, SB_STR_ARG(one));
        bool known = false;
        for (size_t i = 0; i < s->n; i++)
            known |= s->count[i].cores == n;
        if (!known && s->n == MOST_COUNTS)
            return sb_err_set(e, SB_ERR_USAGE, "--cores takes at most %d numbers", MOST_COUNTS);
        if (!known)
            s->count[s->n++].cores = (uint32_t)n;
    }
    if (s->n < 2)
        return sb_err_set(e, SB_ERR_USAGE, "--cores needs two numbers at least, such as 1,2");
    qsort(s->count, s->n, sizeof *s->count, by_number);
    return true;
}

static void
default_counts(struct sb_scaled *s)
{
    s->count = SB_NEW_N(s->arena, struct sb_scaled_count, MOST_COUNTS);
    for (uint32_t n = 1; n <= 2 || n <= s->machine; n *= 2)
        s->count[s->n++].cores = n;
}

/* The cores that this process may use: its affinity, and the quota of its control group. */
static uint32_t
cores_here(void)
{
    uint32_t cores = sb_cpus_cores(0);
    uint64_t quota = sb_cpus_quota("/proc/self/cgroup", "/sys/fs/cgroup");
    if (quota != UINT64_MAX && (quota + 999999) / 1000000 < cores)
        cores = (uint32_t)((quota + 999999) / 1000000);
    return cores == UINT32_MAX ? MOST_SCHEDULERS : cores;
}

/* ---- runs ---- */

static void
set_schedulers(struct scale *x, uint32_t n)
{
    setenv("ERL_ZFLAGS", sb_arena_printf(x->s.arena, "%s +S %u:%u", x->zflags, n, n).p, 1);
}

/* `run` 0: the recorded one */
static void
say(uint32_t cores, size_t run, size_t of)
{
    if (!isatty(STDERR_FILENO))
        return;
    if (run == 0)
        fprintf(stderr, "strobe: +S %u, recorded\n", cores);
    else
        fprintf(stderr, "strobe: +S %u, run %zu of %zu\n", cores, run, of);
}

static bool
failed(struct scale *x, int code, uint32_t cores, struct sb_err *e)
{
    x->code = code;
    return sb_err_set(e, SB_ERR_SYSTEM, "%s ended with exit code %d with +S %u: nothing can be compared",
                      x->s.command, code, cores);
}

static bool
record_one(struct scale *x, struct sb_scaled_count *c, struct sb_err *e)
{
    struct sb_record_result r = {0};
    c->trace = sb_arena_printf(x->s.arena, "%s/%u.sbt", x->folder, c->cores).p;
    struct sb_record_options o = {.trace = c->trace,
                                  .what = {.classes = "all", .modules = "", .apps = "", .buffer = 64 << 20},
                                  .level = 1,
                                  .command = x->argv};
    set_schedulers(x, c->cores);
    bool ok = sb_record(&o, x->s.arena, &r, e);
    bool traced = r.vm.n > 0, stopped = traced && r.vm.at[0].totals.stop == SB_STOP_USER;
    SB_VEC_FREE(&r.vm);
    if (!ok) {
        x->code = r.exit_code;
        return false;
    }
    if (r.exit_code)
        return failed(x, r.exit_code, c->cores, e);
    if (!traced)
        return r.failed.n
                   ? sb_err_set(e, SB_ERR_SYSTEM, "the VM could not be recorded: %.*s", SB_STR_ARG(r.failed))
                   : sb_err_set(e, SB_ERR_SYSTEM,
                                "no Erlang VM was recorded: %s started none, so +S changes nothing",
                                x->s.command);
    return !stopped || sb_err_set(e, SB_ERR_SYSTEM, "the recording was interrupted");
}

/* A recording blocks signals; the runs after it must end at Ctrl-C. */
static void
unblock_signals(void)
{
    sigset_t set = sb_signals(SB_SIGNALS_STOP_AND_CHILD);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static bool
time_one(struct scale *x, struct sb_scaled_count *c, size_t nth, struct sb_err *e)
{
    struct sb_trial t;
    set_schedulers(x, c->cores);
    if (!sb_trial_run(x->argv, &t, e)) {
        x->code = t.exit_code;
        return false;
    }
    if (t.exit_code)
        return failed(x, t.exit_code, c->cores, e);
    c->run_ns[nth] = t.ns;
    c->cpu_ns[nth] = t.cpu_ns;
    return true;
}

static void
measure_cores(struct scale *x)
{
    for (size_t i = 0; i < x->s.n; i++) {
        uint32_t n = x->s.count[i].cores;
        sb_core_speed_measure(&x->s.count[i].speed, n < x->s.machine ? n : x->s.machine);
    }
}

/* Runs in turns, forth and back, so that a slow change of the machine does not favour a number. */
static bool
run_all(struct scale *x, struct sb_err *e)
{
    struct sb_scaled *s = &x->s;
    for (size_t i = 0; i < s->n; i++) {
        say(s->count[i].cores, 0, 0);
        measure_cores(x);
        SB_TRY(record_one(x, &s->count[i], e));
    }
    measure_cores(x);
    unblock_signals();
    for (size_t k = 0; k < s->runs; k++)
        for (size_t j = 0; j < s->n; j++) {
            size_t i = k % 2 ? s->n - 1 - j : j;
            say(s->count[i].cores, k + 1, s->runs);
            SB_TRY(time_one(x, &s->count[i], k, e));
        }
    return true;
}

/* The command reads nothing, and writes nowhere on standard output. Returns the real one. */
static int
silence(void)
{
    fflush(stdout);
    int saved = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    close(null);
    return saved;
}

static void
speak(int saved)
{
    dup2(saved, STDOUT_FILENO);
    close(saved);
}

/* ---- the folder ---- */

static bool
open_folder(struct scale *x, const char *wanted, struct sb_err *e)
{
    if (wanted) {
        x->folder = wanted;
        return mkdir(wanted, 0777) == 0 || errno == EEXIST || sb_err_errno(e, "create the folder of -o");
    }
    x->folder = sb_temporary_folder("strobe-scale", "the traces", x->s.arena, e);
    return x->folder != NULL;
}

/* ---- the command ---- */

static void
make_room(struct sb_scaled *s)
{
    s->point = SB_NEW_N(s->arena, struct sb_scaling_point, s->n);
    for (size_t i = 0; i < s->n; i++) {
        s->count[i].run_ns = SB_NEW_N(s->arena, int64_t, s->runs);
        s->count[i].cpu_ns = SB_NEW_N(s->arena, int64_t, s->runs);
    }
}

static bool
measure(struct scale *x, struct sb_err *e)
{
    make_room(&x->s);
    int out = silence();
    bool ok = run_all(x, e);
    unblock_signals();
    speak(out);
    return ok;
}

static int
scale(struct scale *x, const char *folder, enum sb_format format)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!open_folder(x, folder, &e)) {
        sb_cli_fail(&e);
        return SB_CLI_OWN_FAILURE;
    }
    x->s.traces_stay = folder != NULL;
    bool ok = measure(x, &e) && sb_scaled_read(&x->s, &e);
    if (ok)
        sb_scaled_find(&x->s);
    ok = ok && sb_scaled_print(&x->s, format, &e);
    if (!folder)
        sb_temporary_remove(x->folder);
    if (ok)
        return 0;
    sb_cli_fail(&e);
    return x->code ? x->code : SB_CLI_OWN_FAILURE;
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    SB_ARENA(a);
    struct scale x = {.s = {.runs = 3, .arena = &a, .machine = cores_here()}};
    struct request r = {.runs = 3, .format = SB_FORMAT_TEXT};
    if (!sb_cli_options(&sb_command_scale, &r, &argc, argv, &e))
        return sb_cli_usage("scale", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("scale", "no command to run");
    argv[argc] = NULL;
    x.argv = argv;
    x.s.command = argv[0];
    x.s.runs = (size_t)r.runs;
    int code = 0;
    if (!r.cores)
        default_counts(&x.s);
    else if (!read_counts(&x.s, r.cores, &e))
        code = sb_cli_usage("scale", "%s", e.what);
    const char *zflags = getenv("ERL_ZFLAGS");
    x.zflags = sb_arena_printf(&a, "%s", zflags ? zflags : "").p;
    if (code == 0)
        code = scale(&x, r.folder, (enum sb_format)r.format);
    return code;
}
