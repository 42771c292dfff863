/* Runs the command that the command line names. */
#include "cli/frame/commands.h"
#include "cli/frame/program.h"

#define GROUP(title)
#define COMMAND(name) extern const struct sb_command sb_command_##name;
#include "cli/commands.def"
#undef COMMAND
static const struct sb_command *const commands[] = {
#define COMMAND(name) &sb_command_##name,
#include "cli/commands.def"
#undef COMMAND
#undef GROUP
    NULL};
static const struct sb_program_row rows[] = {
#define GROUP(title) {title, NULL},
#define COMMAND(name) {NULL, &sb_command_##name},
#include "cli/commands.def"
#undef COMMAND
#undef GROUP
    {NULL, NULL}};

/* The commands that other programs have as options. */
static const char *
command_of(const char *arg)
{
    static const char *const other_name[][2] = {
        {"--help", "help"}, {"-h", "help"}, {"--version", "version"}, {"-V", "version"}};
    for (size_t i = 0; i < sizeof other_name / sizeof *other_name; i++)
        if (strcmp(arg, other_name[i][0]) == 0)
            return other_name[i][1];
    return arg;
}

/* For those who type the name of the program to see what it is. */
static int
greet(void)
{
    fprintf(stderr, "strobe: %s\n\n", sb_program_summary);
    for (size_t i = 0; sb_program_first[i]; i++) {
        const struct sb_command *c = sb_cli_find_command(sb_program_first[i]);
        fprintf(stderr, "  %s\n      %s\n", c->example, c->summary);
    }
    fputc('\n', stderr);
    return sb_cli_usage(NULL, "no command given");
}

static int
dispatch(int argc, char **argv)
{
    if (argc < 2)
        return greet();
    const struct sb_command *c = sb_cli_find_command(command_of(argv[1]));
    if (!c)
        return sb_cli_unknown_command(argv[1]);
    if (sb_cli_wants_help(c, argc - 1, argv + 1))
        return sb_cli_find_command("help")->run(2, (char *[]){"help", (char *)c->name, NULL});
    return c->run(argc - 1, argv + 1);
}

int
sb_cli_main(int argc, char **argv)
{
    sb_cli_commands = commands;
    sb_program_rows = rows;
    int code = dispatch(argc, argv);
    if (fflush(stdout) == 0)
        return code;
    struct sb_err e;
    sb_err_errno(&e, "write to standard output");
    return code ? code : sb_cli_fail(&e);
}
