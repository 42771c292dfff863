#include "cli/frame/program.h"
#include "base/nearest.h"

const struct sb_command *const *sb_cli_commands;
const struct sb_program_row *sb_program_rows;
const char *const sb_program_first[] = {"record", "report", "serve", "attach", NULL};

const char sb_program_summary[] = "record what a BEAM program does, and show it";
const char sb_program_doc[] =
    "strobe shows what a program of Erlang, Elixir or Gleam does: which process ran where and when, who "
    "waited for whom, who sent how much to whom, where time and memory went by function, and why the program "
    "is not twice as fast on twice the cores.\n\n"
    "A recording is a trace (.sbt). The first command that looks at a trace analyses it, and stores the "
    "result beside it, as a profile (.sbp). All that strobe shows comes from profiles: as text, as data, "
    "with SQL, or on a web page.\n\n"
    "Recording needs no change to the program. Its memory is bounded, a program that is faster than the "
    "recorder never waits, and what is lost is counted and shown.";
const char sb_program_exit[] =
    "Exit codes: 0 success, 1 bad input or a system error, 2 wrong usage, 3 a --fail-on limit was crossed. "
    "Commands that run another command end with its exit code.";

const char *
sb_cli_command_name(size_t i)
{
    return sb_cli_commands[i] ? sb_cli_commands[i]->name : NULL;
}

const struct sb_command *
sb_cli_find_command(const char *name)
{
    for (size_t i = 0; sb_cli_commands[i]; i++)
        if (strcmp(sb_cli_commands[i]->name, name) == 0)
            return sb_cli_commands[i];
    return NULL;
}

int
sb_cli_unknown_command(const char *name)
{
    struct sb_nearest near = sb_nearest_to(sb_str_of(name));
    for (size_t i = 0; sb_cli_commands[i]; i++)
        sb_nearest_offer(&near, sb_str_of(sb_cli_commands[i]->name));
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
