/* Finds and runs the command that the command line names. */
#include "cli/program.h"
#include "base/nearest.h"
#include <string.h>

#define COMMAND(name) extern const struct sb_command sb_command_##name;
#include "cli/commands.def"
#undef COMMAND

static const struct sb_command *const commands[] = {
#define COMMAND(name) &sb_command_##name,
#include "cli/commands.def"
#undef COMMAND
    NULL};

const char sb_program_summary[] = "record what a BEAM program does, and show it";
const char sb_program_exit[] = "Exit codes: 0 success, 1 bad input or a system error, 2 wrong usage, 3 a "
                               "--fail-on limit was crossed. Commands "
                               "that run another command end with its exit code.";

const struct sb_command *
sb_cli_command(size_t i)
{
    return commands[i];
}

const char *
sb_cli_command_name(size_t i)
{
    return commands[i] ? commands[i]->name : NULL;
}

const struct sb_command *
sb_cli_find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

int
sb_cli_unknown_command(const char *name)
{
    struct sb_nearest near = sb_nearest_to(sb_str_of(name));
    for (size_t i = 0; commands[i]; i++)
        sb_nearest_offer(&near, sb_str_of(commands[i]->name));
    return sb_cli_usage(NULL, "unknown command '%s'%s", name, sb_nearest_hint(&near));
}

struct sb_str
sb_cli_synopsis(const struct sb_command *c, struct sb_arena *a)
{
    if (c->runs_command)
        return sb_arena_printf(a, "%s [OPTION]... %s", c->name, c->operands);
    return sb_arena_printf(a, "%s %s%s[OPTION]...", c->name, c->operands, c->operands[0] ? " " : "");
}

bool
sb_cli_next_paragraph(struct sb_str *doc, struct sb_str *paragraph)
{
    while (doc->n > 0 && doc->p[0] == '\n')
        *doc = sb_str_sub(*doc, 1, doc->n);
    *paragraph = (struct sb_str){doc->p, 0};
    while (doc->n > 0 && !sb_str_starts(*doc, SB_STR("\n\n"))) {
        paragraph->n++;
        *doc = sb_str_sub(*doc, 1, doc->n);
    }
    return paragraph->n > 0;
}

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

static int
print_help(const struct sb_command *c)
{
    struct sb_out out;
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    if (!sb_out_open(&out, NULL, &e))
        return sb_cli_fail(&e);
    sb_help_text(c, &out);
    return sb_out_close(&out, &e) ? 0 : sb_cli_fail(&e);
}

static int
dispatch(int argc, char **argv)
{
    if (argc < 2)
        return sb_cli_usage(NULL, "no command given");
    const struct sb_command *c = sb_cli_find_command(command_of(argv[1]));
    if (!c)
        return sb_cli_unknown_command(argv[1]);
    return sb_cli_wants_help(c, argc - 1, argv + 1) ? print_help(c) : c->run(argc - 1, argv + 1);
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
