/* What the texts about all commands share. */
#pragma once
#include "cli/frame/cli.h"

/* In the order of `strobe --help`; NULL after the last. Set by sb_cli_main, since commands that list all of them are
 * among them. */
extern const struct sb_command *const *sb_cli_commands;
const char *sb_cli_command_name(size_t i);
struct sb_program_row {
    const char *group; /* a heading, or */
    const struct sb_command *command;
};
extern const struct sb_program_row
    *sb_program_rows; /* of `strobe help`; the last one is empty; set as the commands */
extern const char *const sb_program_first[]; /* the commands that matter first; NULL after the last */
extern const char sb_program_summary[];      /* the program in one line */
extern const char sb_program_doc[];          /* and in paragraphs */
extern const char sb_program_exit[];         /* what its exit codes mean */

const struct sb_command *sb_cli_find_command(const char *name); /* NULL: there is none */
int sb_cli_unknown_command(const char *name);                   /* prints the error; returns the exit code */
/* "report P [SECTION] [OPTION]..." */
struct sb_str sb_cli_synopsis(const struct sb_command *c, struct sb_arena *a);
/* Takes the next paragraph off `doc`; false after the last one. */
bool sb_cli_next_paragraph(struct sb_str *doc, struct sb_str *paragraph);

/* Writes the help of a command (NULL: of the program) as text for the terminal or as a page for man(1). */
void sb_help_text(const struct sb_command *c, struct sb_out *out);
void sb_help_man(const struct sb_command *c, struct sb_out *out);
