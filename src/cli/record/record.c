#include "base/shell.h"
#include "cli/record/recording.h"
#include "live/record/record.h"

static const struct sb_option options[] = {
#define FOR(record, attach) record
#define OPTION(name, type, field, value, doc, ...) \
    {name, type, offsetof(struct sb_recording_options, field), value, doc, __VA_ARGS__},
#include "cli/record/recording.def"
#undef OPTION
#undef FOR
    {"--delay", SB_OPT_SPAN, offsetof(struct sb_recording_options, o.what.delay_ns), "T",
     "start recording this long after the start of a VM, such as 5s: leaves its boot out", 0, 0, NULL},
    {"--runs", SB_OPT_U64, offsetof(struct sb_recording_options, runs), "N",
     "record N runs of the command, as 1.sbt, 2.sbt, ... in the folder -o, for strobe diff", 1, 1000, NULL},
    {"--against", SB_OPT_TEXT, offsetof(struct sb_recording_options, against), "CMD",
     "with --runs: as many runs of this command, a line for the shell, in turns with the others, in the "
     "folder DIR/against",
     0, 0, NULL},
    {"--nodes", SB_OPT_TEXT, offsetof(struct sb_recording_options, nodes), "A,B",
     "also record these nodes, which run already, from before the command starts until it has ended: each "
     "has a trace with its name, and one that refuses is named",
     0, 0, NULL},
    {"--force", SB_OPT_FLAG, offsetof(struct sb_recording_options, force), NULL,
     "with --nodes: record a node that is in trouble, too", 0, 0, NULL},
    {0}};

SB_COMMAND(record) = {
    .name = "record",
    .summary = "run a command and record every BEAM that it starts",
    .operands = "-- CMD...",
    .doc =
        "Runs erl, escript, elixir, mix, rebar3, iex, erlc or the start script of a release and records it.\n"
        "strobe sets environment variables that the VM reads; the program is not changed, but that marks "
        "name\n"
        "the tests of mix test, rebar3 eunit and ct.\n"
        "\n"
        "Recording starts while the VM boots, before a release starts its applications. Ctrl-C stops the\n"
        "recording and leaves a complete trace. A VM that the command leaves behind, as a daemon, is "
        "recorded\n"
        "until it ends. Run as root, strobe also records the VMs of start scripts that become another user.\n"
        "\n"
        "On a terminal the trace is analysed, while it is recorded if a core is idle, and what is worth\n"
        "looking at comes first. Ctrl-C stops the analysis; the profile is stored next to the trace. "
        "--report\n"
        "and --analyze decide otherwise.\n"
        "\n"
        "The exit code is that of the command; 125 if strobe itself failed,\n"
        " 126 if the command cannot be run, 127 if there is no such command.",
    .example = "strobe record -o t.sbt -- mix test",
    .option = options,
    .run = run,
    .runs_command = true,
};

/* Prints what happens while the command runs. */
static void
notify(const struct sb_record_options *o, const struct sb_record_notice *n)
{
    struct sb_recording_options *r = o->of;
    const char *command = o->command[0];
    switch (n->moment) {
    case SB_RECORD_PRIVATE:
        fputs(
            "strobe: VMs of other users run unrecorded, since only root can read strobe's folder: to record "
            "them,\n        install strobe where every user can read it\n",
            stderr);
        break;
    case SB_RECORD_BEGUN:
        fprintf(stderr, "strobe: recording the VM of process %u\n", n->os_pid);
        if (o->flight.window_ns == 0)
            sb_look_begin(&r->look, n->trace, n->os_pid);
        break;
    case SB_RECORD_FAILED:
        fprintf(stderr, "strobe: the VM of process %u runs unrecorded: %.*s\n", n->os_pid,
                SB_STR_ARG(n->why));
        break;
    case SB_RECORD_STOPPED:
        fprintf(stderr, "strobe: the recording has ended; %s continues\n", command);
        sb_first_look(&r->look, n->vm);
        sb_recorded_print(n->vm);
        break;
    case SB_RECORD_LEFT:
        fprintf(
            stderr,
            "strobe: %s has ended; its VM, process %u, continues and is recorded until it ends; press Ctrl-C "
            "to stop\n",
            command, n->os_pid);
        break;
    }
}

static void
print_all(const struct sb_record_result *r)
{
    SB_ARENA(a);
    SB_SCOPED SB_VEC(const char *) trace = {0};
    for (size_t i = 0; i < r->vm.n; i++)
        *SB_PUSH(&trace) = r->vm.at[i].path;
    sb_recorded_print_all(trace.at, trace.n, &a);
}

static void
print_summary(const struct sb_record_result *r, struct sb_recording_options *o)
{
    if (r->vm.n == 0)
        return;
    if (!r->notified) {
        sb_first_look(&o->look, &r->vm.at[0]);
        sb_recorded_print(&r->vm.at[0]);
    }
    for (size_t i = 1; i < r->vm.n; i++) {
        fprintf(stderr, "  another VM: %s, %s events\n", r->vm.at[i].path,
                sb_human((int64_t)r->vm.at[i].totals.events, SB_U_COUNT).text);
        sb_recorded_print_rings(&r->vm.at[i]);
    }
    if (r->vm.n > 1 && !o->nodes) /* else those of the nodes belong to them */
        print_all(r);
    if (r->kept_old)
        fprintf(stderr, "  kept     the earlier trace, as %s.old\n", r->vm.at[0].path);
    sb_cli_note(r->missing);
}

static bool
is_whole(const struct sb_record_result *r)
{
    for (size_t i = 0; i < r->vm.n; i++)
        if (!r->vm.at[i].complete)
            return false;
    return true;
}

/* The exit code. An empty or incomplete recording is a failure of strobe, unless the command itself failed. */
static int
outcome(const struct sb_record_result *r, struct sb_recording_options *o)
{
    struct sb_err e = {0};
    print_summary(r, o);
    if (r->begun > 0 && o->o.flight.window_ns)
        return r->exit_code; /* the drains have reported their traces */
    if (r->vm.n > 0)
        return r->exit_code || is_whole(r) ? r->exit_code : SB_CLI_OWN_FAILURE;
    if (r->failed.n)
        sb_err_set(&e, SB_ERR_SYSTEM, "the VM could not be recorded: %.*s", SB_STR_ARG(r->failed));
    else
        sb_err_set(&e, SB_ERR_SYSTEM,
                   o->o.what.delay_ns > 0
                       ? "no Erlang VM was recorded: %s started none that lived longer than --delay"
                       : "no Erlang VM was recorded: %s started none, or started it without its environment",
                   o->o.command[0]);
    e.at_byte = SB_NO_BYTE;
    sb_cli_fail(&e);
    return r->exit_code ? r->exit_code : SB_CLI_OWN_FAILURE;
}

/* The command as one line, without what comes after -setcookie and --cookie: a trace may be given to others. */
static const char *
command_line(char *const *argv, struct sb_arena *a)
{
    struct sb_str line = {0};
    bool secret = false;
    for (size_t i = 0; argv[i]; i++) {
        struct sb_str word = secret ? SB_STR("...") : sb_shell_word(sb_str_of(argv[i]), a);
        line = sb_arena_printf(a, "%.*s%s%.*s", SB_STR_ARG(line), i ? " " : "", SB_STR_ARG(word));
        secret = strcmp(argv[i], "-setcookie") == 0 || strcmp(argv[i], "--cookie") == 0;
    }
    char *text = (char *)sb_arena_str(a, line).p;
    for (char *p = text; *p; p++)
        *p = *p == '\n' ? ' ' : *p; /* the options of the VMs have a line each */
    return text;
}

/* Puts the paths of the traces into `traces`, a NUL after each. */
static int
record(struct sb_recording_options *r, struct sb_out *traces, struct sb_arena *a)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_record_result result = {0};
    r->o.notify = notify;
    r->o.of = r;
    sb_recording_print_plan(&r->o, r->o.command[0]);
    int code =
        sb_record(&r->o, a, &result, &e) ? outcome(&result, r) : sb_cli_fail_to_run(&e, result.exit_code);
    sb_look_end(&r->look);
    for (size_t i = 0; i < result.vm.n && traces; i++)
        sb_out_bytes(traces, result.vm.at[i].path, strlen(result.vm.at[i].path) + 1);
    SB_VEC_FREE(&result.vm);
    return code;
}

/* Of one of the three ways. */
static int
record_as_asked(struct sb_recording_options *r, struct sb_arena *a)
{
    if (r->nodes || r->force)
        return sb_record_nodes(r, record, a);
    if (r->runs || r->against)
        return sb_record_runs(r, a);
    int code = sb_recording_check(r, "record", a);
    return code ? code : record(r, NULL, a);
}

static int
run(int argc, char **argv)
{
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_recording_options r = SB_RECORDING_DEFAULTS;
    if (!sb_cli_options(&sb_command_record, &r, &argc, argv, &e))
        return sb_cli_usage("record", "%s", e.what);
    if (argc == 0)
        return sb_cli_usage("record", "no command to run");
    SB_ARENA(a);
    argv[argc] = NULL;
    r.o.command = argv;
    r.o.what.command = command_line(argv, &a);
    int code = record_as_asked(&r, &a);
    sb_recording_free(&r);
    return code;
}
