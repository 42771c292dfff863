/*
 * The commands of the program. A new command is a file src/cli/NAME.c that defines `const struct sb_command
 * sb_command_NAME`, and a row in src/cli/commands.def. Only this layer prints errors and chooses exit codes.
 */
#ifndef SB_CLI_CLI_H
#define SB_CLI_CLI_H
#include "base/err.h"
#include "base/table.h"

struct sb_command {
    const char *name;
    const char *summary;               /* a line of `strobe --help` */
    const char *usage;                 /* "FILE [--format text|json]" */
    const char *doc;                   /* the text of `strobe NAME --help`, whole lines */
    const char *example;               /* a command to copy */
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
    void (*more_help)(void);           /* prints help that comes from tables; may be NULL */
};

int sb_cli_main(int argc, char **argv);

/*
 * Reading the command line. Options may come before or after the operands, as "--name value" or
 * "--name=value"; "--" ends them. The operands remain in `argv`.
 */
enum sb_option_type {
    SB_OPT_FLAG,
    SB_OPT_TEXT,
    SB_OPT_U64,
    SB_OPT_NS,
    SB_OPT_BYTES,
    SB_OPT_FORMAT,
    SB_OPT_LIST
};

struct sb_option_list {
    const char **at;
    size_t n, cap;
};

struct sb_option {
    const char *name; /* "--format", or "-o" */
    enum sb_option_type type;
    /* bool, const char *, uint64_t, int64_t, uint64_t, enum sb_format, struct sb_option_list */
    void *into;
};

/* Moves the operands to argv[0 .. *argc); false with SB_ERR_USAGE. `stop_at_first`: options end at the
 * first operand. */
bool sb_cli_options(const struct sb_option *options, size_t n, int *argc, char **argv, bool stop_at_first,
                    struct sb_err *e);

int sb_cli_fail(const struct sb_err *e);                    /* prints it; returns the exit code */
void sb_cli_say(struct sb_str lines);                       /* to standard error, each line with the prefix
                                                               "strobe:" */
int sb_cli_usage(const char *command, const char *fmt, ...) /* prints it and the help to read; returns 2 */
    __attribute__((format(printf, 2, 3)));

#endif
