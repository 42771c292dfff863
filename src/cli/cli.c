/* Finds and runs the command that the command line names. */
#include "cli/cli.h"
#include <string.h>

#define COMMAND(name) extern const struct sb_command sb_command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct sb_command *const commands[] = {
#define COMMAND(name) &sb_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL};

static int
print_help(void)
{
    puts("strobe: record what a BEAM program does, and show it\n\n"
         "usage: strobe COMMAND ...\n");
    for (size_t i = 0; commands[i]; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\n`strobe COMMAND --help` describes a command and gives an example. Exit codes: 0 success, 1 bad "
         "input\n"
         "or a system error, 2 wrong usage, 3 a --fail-on limit was crossed.");
    return 0;
}

static int
print_command_help(const struct sb_command *c)
{
    printf("strobe %s: %s\n\nusage: strobe %s %s\n\n%s\nexample: %s\n", c->name, c->summary, c->name,
           c->usage, c->doc, c->example);
    if (c->more_help)
        c->more_help();
    return 0;
}

static const struct sb_command *
find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* True if --help comes before any "--". Options after it belong to a command that strobe runs. */
static bool
wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return true;
    return false;
}

static int
dispatch(int argc, char **argv)
{
    if (argc < 2)
        return sb_cli_usage(NULL, "no command given");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0)
        return print_help();
    if (strcmp(argv[1], "--version") == 0)
        return printf("strobe %s\n", SB_VERSION) < 0;
    const struct sb_command *c = find_command(argv[1]);
    if (!c)
        return sb_cli_usage(NULL, "unknown command '%s'", argv[1]);
    return wants_help(argc - 1, argv + 1) ? print_command_help(c) : c->run(argc - 1, argv + 1);
}

int
sb_cli_main(int argc, char **argv)
{
    int code = dispatch(argc, argv);
    if (fflush(stdout) == 0)
        return code;
    struct sb_err e;
    sb_err_errno(&e, "write to standard output");
    return code ? code : sb_cli_fail(&e);
}
