/* The commands `count`, `time` and `memory`, which differ in what is counted. */
#include "answer/answer.h"
#include "live/record/count.h"
#include "cli/frame/cli.h"

static int run_count(int argc, char **argv);
static int run_time(int argc, char **argv);
static int run_memory(int argc, char **argv);

enum { TEXT_ROWS = 50 };

struct wanted {
    struct sb_count_options count;
    struct sb_option_list modules, processes;
    unsigned format;
    const char *out;
    uint64_t limit;
    const struct sb_command *command;
};

static const struct sb_option options[] = {
    {"--module", SB_OPT_LIST, offsetof(struct wanted, modules), "M",
     "only functions of this module (may be repeated): lists, or in Elixir Enum"},
    {"--process", SB_OPT_LIST, offsetof(struct wanted, processes), "P",
     "only in this process, a registered name or <0.85.0> (may be repeated)"},
    {"--by-process", SB_OPT_FLAG, offsetof(struct wanted, count.by_process), NULL,
     "one row per function and process"},
    {"--limit", SB_OPT_U64, offsetof(struct wanted, limit), "N",
     "the last N rows (50 in text, all in other formats); 0 shows all"},
    {"--format", SB_OPT_CHOICE, offsetof(struct wanted, format), "text|json|csv|tsv",
     "how to print the rows (text)"},
    {"-o", SB_OPT_TEXT, offsetof(struct wanted, out), "FILE",
     "write the table to FILE instead of to standard output after CMD's output"},
    {0}};

#define END \
    "\n\n" \
    "Functions of modules that are loaded later are counted too. The largest values are in the last rows.\n" \
    "The exit code is that of CMD; 125 if strobe itself failed, 126 or 127 if CMD cannot be run. A VM " \
    "that\n" \
    "is killed, or that calls halt/2 with options, cannot report its counts."

const struct sb_command sb_command_count = {
    .name = "count",
    .summary = "run a command and count the calls of every function",
    .operands = "-- CMD...",
    .doc =
        "Runs erl, escript, elixir, mix, rebar3 or a release under call counters (breakpoints). No trace is\n"
        "written, and the program runs at nearly full speed. Does what cprof does, for any command." END,
    .example = "strobe count --module lists -- escript job.escript",
    .option = options,
    .run = run_count,
    .runs_command = true,
};

const struct sb_command sb_command_time = {
    .name = "time",
    .summary = "run a command and measure the own time of every function",
    .operands = "-- CMD...",
    .doc =
        "Runs a BEAM command under call counters that measure time. The own time of a function is the time\n"
        "from its call to the next call of a counted function in the same process, while the process is\n"
        "scheduled in. The time of functions that are not counted belongs to their caller. Does what eprof\n"
        "does, for any command." END,
    .example = "strobe time --module my_parser -- mix test",
    .option = options,
    .run = run_time,
    .runs_command = true,
};

const struct sb_command sb_command_memory = {
    .name = "memory",
    .summary = "run a command and count the words that every function allocates",
    .operands = "-- CMD...",
    .doc =
        "Runs a BEAM command under call counters that measure memory: the words that a function, and the\n"
        "functions it calls that are not counted, allocate on the heap of their process. Off-heap binaries\n"
        "and copied messages are not included. Needs OTP 26 or later." END,
    .example = "strobe memory --module my_parser -- mix test",
    .option = options,
    .run = run_memory,
    .runs_command = true,
};

/* ---- the table: a selection of all columns */

enum column { PROCESS, FUNCTION, CALLS, OWN_NS, NS_PER_CALL, WORDS, WORDS_PER_CALL, SHARE, ALL_COLUMNS };

static const struct sb_column columns[ALL_COLUMNS] = {
    [PROCESS] = {"process", SB_TEXT, SB_U_NONE, "pid, after its registered name if it has one"},
    [FUNCTION] = {"function", SB_TEXT, SB_U_NONE, "m:f/a as Erlang writes it"},
    [CALLS] = {"calls", SB_INT, SB_U_COUNT, "number of calls"},
    [OWN_NS] = {"own_ns", SB_INT, SB_U_NS, "own time, measured in microseconds"},
    [NS_PER_CALL] = {"ns_per_call", SB_INT, SB_U_NS, "own time per call"},
    [WORDS] = {"words", SB_INT, SB_U_WORDS, "words allocated on the heap"},
    [WORDS_PER_CALL] = {"words_per_call", SB_INT, SB_U_WORDS, "words per call"},
    [SHARE] = {"share_ppm", SB_INT, SB_U_PPM, "share of everything that was counted"},
};

/* Headings for text, where each cell shows its unit. */
static const char *const heading[ALL_COLUMNS] = {
    [PROCESS] = "process",         [FUNCTION] = "function",    [CALLS] = "calls",
    [OWN_NS] = "own time",         [NS_PER_CALL] = "per call", [WORDS] = "words",
    [WORDS_PER_CALL] = "per call", [SHARE] = "share"};

static const enum column of_kind[][4] = {
    [SB_COUNT_CALLS] = {CALLS, SHARE, ALL_COLUMNS},
    [SB_COUNT_TIME] = {CALLS, OWN_NS, NS_PER_CALL, SHARE},
    [SB_COUNT_WORDS] = {CALLS, WORDS, WORDS_PER_CALL, SHARE},
};

static int64_t
weight(const struct sb_counted *c, enum sb_count_kind kind)
{
    return kind == SB_COUNT_CALLS ? c->calls : c->value;
}

static union sb_cell
cell(const struct sb_counted *c, enum column column, enum sb_count_kind kind, int64_t all)
{
    int64_t calls = c->calls ? c->calls : 1;
    switch (column) {
    case PROCESS:
        return (union sb_cell){.s = c->process};
    case FUNCTION:
        return (union sb_cell){.s = c->function};
    case CALLS:
        return (union sb_cell){.i = c->calls};
    case OWN_NS:
        return (union sb_cell){.i = c->value * 1000};
    case NS_PER_CALL:
        return (union sb_cell){.i = c->value * 1000 / calls};
    case WORDS:
        return (union sb_cell){.i = c->value};
    case WORDS_PER_CALL:
        return (union sb_cell){.i = c->value / calls};
    case SHARE:
        return (union sb_cell){.i = all ? (int64_t)((double)weight(c, kind) * 1e6 / (double)all) : 0};
    case ALL_COLUMNS:
        break;
    }
    return (union sb_cell){.i = SB_NULL};
}

static int
by_weight(const void *pa, const void *pb, void *arg)
{
    const struct sb_counted *a = pa, *b = pb;
    enum sb_count_kind kind = *(const enum sb_count_kind *)arg;
    int64_t wa = weight(a, kind), wb = weight(b, kind);
    if (wa != wb)
        return wa < wb ? -1 : 1;
    if (a->calls != b->calls)
        return a->calls < b->calls ? -1 : 1;
    int c = sb_str_cmp(b->function, a->function);
    return c ? c : sb_str_cmp(b->process, a->process);
}

static size_t
choose(const struct wanted *w, enum column *chosen)
{
    size_t n = 0;
    if (w->count.by_process)
        chosen[n++] = PROCESS;
    chosen[n++] = FUNCTION;
    for (size_t i = 0; i < 4 && of_kind[w->count.kind][i] != ALL_COLUMNS; i++)
        chosen[n++] = of_kind[w->count.kind][i];
    return n;
}

static bool
print(const struct wanted *w, struct sb_count_result *r, struct sb_arena *a, struct sb_err *e)
{
    enum sb_count_kind kind = w->count.kind;
    enum column chosen[ALL_COLUMNS];
    struct sb_column shown[ALL_COLUMNS];
    size_t n = choose(w, chosen);
    for (size_t i = 0; i < n; i++) {
        shown[i] = columns[chosen[i]];
        if (w->format == SB_FORMAT_TEXT)
            shown[i].name = heading[chosen[i]];
    }
    if (r->row.n)
        qsort_r(r->row.at, r->row.n, sizeof *r->row.at, by_weight, &kind);
    int64_t all = 0;
    for (size_t i = 0; i < r->row.n; i++)
        all += weight(&r->row.at[i], kind);
    struct sb_table t;
    struct sb_out out;
    sb_table_init(&t, a, shown, n);
    t.rows_left_out = w->limit && w->limit < r->row.n ? r->row.n - w->limit : 0;
    for (size_t i = t.rows_left_out; i < r->row.n; i++) {
        union sb_cell *row = sb_table_row(&t);
        for (size_t c = 0; c < n; c++)
            row[c] = cell(&r->row.at[i], chosen[c], kind, all);
        for (size_t c = 0; c < n && w->format == SB_FORMAT_TEXT; c++)
            if (chosen[c] == FUNCTION)
                row[c].s = sb_elixir_name(row[c].s, false, a);
    }
    SB_TRY(sb_out_open(&out, w->out, e));
    sb_table_write(&t, (enum sb_format)w->format, &out);
    return sb_out_close(&out, e);
}

/* ---- the command */

static bool
has_counts(const struct sb_count_result *r, const struct wanted *w, struct sb_err *e)
{
    if (r->vms > 0)
        return true;
    *e = (struct sb_err){.at_byte = SB_NO_BYTE};
    if (sb_str_find(r->failed, '{') < r->failed.n && strstr(r->failed.p, "needs_otp_26"))
        sb_err_set(e, SB_ERR_SYSTEM, "%s needs OTP 26 or later in the VM that runs the command",
                   w->command->name);
    else if (r->failed.n)
        sb_err_set(e, SB_ERR_SYSTEM, "the VM could not count: %.*s", SB_STR_ARG(r->failed));
    else
        sb_err_set(e, SB_ERR_SYSTEM,
                   "no VM reported its counts: none was started, or it was killed or stopped by halt/2");
    return false;
}

/* The exit code: that of a command that failed, even if nothing could be counted. */
static int
outcome(struct sb_count_result *r, const struct wanted *w, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (has_counts(r, w, &e) && print(w, r, a, &e)) {
        sb_cli_note(r->missing);
        return r->exit_code;
    }
    sb_cli_fail(&e);
    return r->exit_code ? r->exit_code : SB_CLI_OWN_FAILURE;
}

static int
count(struct wanted *w, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_count_result r = {0};
    SB_ARENA(a);
    w->count.module = w->modules.at;
    w->count.n_modules = w->modules.n;
    w->count.process = w->processes.at;
    w->count.n_processes = w->processes.n;
    w->count.by_process |= w->processes.n > 0;
    w->count.command = argv;
    int code = sb_count(&w->count, &a, &r, &e) ? outcome(&r, w, &a) : sb_cli_fail_to_run(&e, r.exit_code);
    SB_VEC_FREE(&r.row);
    return code;
}

static int
run(const struct sb_command *c, enum sb_count_kind kind, int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct wanted w = {.command = c, .count.kind = kind, .limit = UINT64_MAX};
    if (!sb_cli_options(c, &w, &argc, argv, &e))
        return sb_cli_usage(c->name, "%s", e.what);
    if (argc == 0)
        return sb_cli_usage(c->name, "no command to run");
    if (w.out && !sb_cli_may_write(w.out, NULL, 0, &e))
        return sb_cli_usage(c->name, "%s", e.what);
    if (w.out && !sb_cli_can_create(w.out, true))
        return sb_cli_usage(c->name, "-o %s: no file can be written there", w.out);
    if (w.limit == UINT64_MAX)
        w.limit = w.format == SB_FORMAT_TEXT ? TEXT_ROWS : 0;
    argv[argc] = NULL;
    int code = count(&w, argv);
    free(w.modules.at);
    free(w.processes.at);
    return code;
}

static int
run_count(int argc, char **argv)
{
    return run(&sb_command_count, SB_COUNT_CALLS, argc, argv);
}

static int
run_time(int argc, char **argv)
{
    return run(&sb_command_time, SB_COUNT_TIME, argc, argv);
}

static int
run_memory(int argc, char **argv)
{
    return run(&sb_command_memory, SB_COUNT_WORDS, argc, argv);
}
