#include "base/shell.h"
#include "cli/cli.h"
#include "cli/recording.h"
#include "live/record.h"

static int run(int argc, char **argv);

static const struct sb_option options[] = {
#define OPTION(name, type, field, value, doc, ...)                                                           \
    {name, type, offsetof(struct sb_recording_options, field), value, doc, __VA_ARGS__},
#include "cli/recording.def"
#undef OPTION
    {0}};

const struct sb_command sb_command_record = {
    .name = "record",
    .summary = "run a command and record every BEAM that it starts",
    .operands = "-- CMD...",
    .doc =
        "Runs erl, escript, elixir, mix, rebar3, iex, erlc or the start script of a release and records it.\n"
        "strobe sets environment variables that the VM reads; the program is not changed.\n"
        "\n"
        "Recording starts while the VM boots, before a release starts its applications. Ctrl-C stops the\n"
        "recording and leaves a complete trace. The exit code is that of the command; 125 if strobe itself\n"
        "failed, 126 if the command cannot be run, 127 if there is no such command.",
    .example = "strobe record -o t.sbt -- mix test",
    .option = options,
    .run = run,
    .runs_command = true,
};

enum { OWN_FAILURE = 125 };

/* `code`: the exit code of a command that could not be started, or 0 */
static int
fail(const struct sb_err *e, int code)
{
    sb_cli_fail(e);
    return e->code == SB_ERR_USAGE ? 2 : code ? code : OWN_FAILURE;
}

static void
print_summary(const struct sb_record_result *r)
{
    if (r->vm.n == 0)
        return;
    sb_recorded_print(&r->vm.at[0]);
    for (size_t i = 1; i < r->vm.n; i++)
        fprintf(stderr, "  another VM: %s, %llu events\n", r->vm.at[i].path,
                (unsigned long long)r->vm.at[i].totals.events);
    if (r->kept_old)
        fprintf(stderr, "  kept     the earlier trace, as %s.old\n", r->vm.at[0].path);
    struct sb_arena arena;
    sb_arena_init(&arena);
    fprintf(stderr, "  next     strobe report %.*s\n",
            SB_STR_ARG(sb_shell_word(sb_str_of(r->vm.at[0].path), &arena)));
    sb_arena_close(&arena);
    sb_cli_say(r->missing);
}

/* The exit code. An empty recording is a failure of strobe, unless the command itself failed. */
static int
outcome(const struct sb_record_result *r, const char *command)
{
    struct sb_err e = {0};
    print_summary(r);
    if (r->vm.n > 0)
        return r->exit_code;
    if (r->failed.n)
        sb_err_set(&e, SB_ERR_SYSTEM, "the VM could not be recorded: %.*s", SB_STR_ARG(r->failed));
    else
        sb_err_set(
            &e, SB_ERR_SYSTEM,
            "no Erlang VM was recorded: %s started none, or started it in the background or as another user",
            command);
    e.at_byte = SB_NO_BYTE;
    sb_cli_fail(&e);
    return r->exit_code ? r->exit_code : OWN_FAILURE;
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
    struct sb_arena a;
    struct sb_record_result result = {0};
    sb_arena_init(&a);
    int code = sb_recording_check(&r, "record", &a);
    if (code == 0) {
        r.o.command = argv;
        argv[argc] = NULL;
        sb_recording_print_plan(&r.o, argv[0]);
        code = sb_record(&r.o, &a, &result, &e) ? outcome(&result, argv[0]) : fail(&e, result.exit_code);
    }
    SB_VEC_FREE(&result.vm);
    sb_recording_free(&r);
    sb_arena_close(&a);
    return code;
}
