/* The program: all commands, the one that the command line names, and what the texts about them share. */
#ifndef SB_CLI_PROGRAM_H
#define SB_CLI_PROGRAM_H
#include "cli/cli.h"

int sb_cli_main(int argc, char **argv);

const struct sb_command *sb_cli_command(size_t i); /* in the order of `strobe --help`; NULL after the last */
const char *sb_cli_command_name(size_t i);
extern const char sb_program_summary[]; /* the program in one line */
extern const char sb_program_exit[];    /* what its exit codes mean */

const struct sb_command *sb_cli_find_command(const char *name); /* NULL: there is none */
int sb_cli_unknown_command(const char *name);                   /* prints the error; returns the exit code */
/* "report P [SECTION] [OPTION]..." */
struct sb_str sb_cli_synopsis(const struct sb_command *c, struct sb_arena *a);
/* Takes the next paragraph off `doc`; false after the last one. */
bool sb_cli_next_paragraph(struct sb_str *doc, struct sb_str *paragraph);

/* Writes the help of a command (NULL: of the program) as text for the terminal or as a page for man(1). */
void sb_help_text(const struct sb_command *c, struct sb_out *out);
void sb_help_man(const struct sb_command *c, struct sb_out *out);

#endif
