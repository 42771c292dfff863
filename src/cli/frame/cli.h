/*
 * The commands of the program. A new command is a file src/cli/NAME.c that defines `const struct sb_command
 * sb_command_NAME`, and a row in src/cli/commands.def. Only this layer prints errors and chooses exit codes.
 *
 * A command describes its options in a table. Parsing, `--help`, the man pages, the completions of the shells
 * and the suggestions for misspelt words all come from this table.
 */
#pragma once
#include "base/table.h"
#include "base/err.h"
#include <stddef.h>

typedef const char *sb_word_at(size_t i); /* a list of words; NULL after the last one */

/* The variable of an option, in the struct that sb_cli_options fills */
enum sb_option_type {
    SB_OPT_FLAG,   /* bool */
    SB_OPT_TEXT,   /* const char * */
    SB_OPT_U64,    /* uint64_t: a number */
    SB_OPT_NS,     /* int64_t: a time */
    SB_OPT_SPAN,   /* int64_t: a length of time, with its unit, since 10 alone would be nanoseconds */
    SB_OPT_BYTES,  /* uint64_t: a size */
    SB_OPT_CHOICE, /* unsigned: the index of the word in the list that `value` or `word` gives */
    SB_OPT_LIST    /* struct sb_option_list: the option may be repeated */
};

struct sb_option_list {
    const char **at;
    size_t n, cap;
};

struct sb_option {
    const char *name; /* "--format", or "-o" */
    enum sb_option_type type;
    size_t at;         /* offset of the variable */
    const char *value; /* what the help calls the value, "N"; "text|json" if it is one of these; NULL: none */
    const char *doc;   /* what the option does, and in brackets its default */
    uint64_t least, most; /* bounds of a number or size; most 0: none */
    sb_word_at *word; /* values that can be listed, for choices, suggestions and completion; may be NULL */
};

struct sb_command {
    const char *name;
    const char *summary;  /* a line of `strobe --help` */
    const char *operands; /* "P [SECTION]" */
    const char *doc;      /* paragraphs; blank lines separate them; indented lines stay as they are */
    const char *example;  /* a command to copy */
    const struct sb_option *option;        /* ends at the first without a name; NULL: none */
    int (*run)(int argc, char **argv);     /* argv[0] is the command's name; returns the exit code */
    void (*more_help)(struct sb_out *out); /* writes help that comes from tables; may be NULL */
    unsigned word_at;                      /* the operand that is one of `word`, counted from 1 */
    sb_word_at *word;                      /* NULL: operands are files */
    bool runs_command; /* the operands are a command to run: options end at the first of them */
};
/* Begins the descriptor of a command, whose function `run` comes last in its file. */
#define SB_COMMAND(name) \
    static int run(int argc, char **argv); \
    const struct sb_command sb_command_##name

/*
 * Reads the options of a command into the struct `into`, and moves the operands to argv[0 .. *argc). Options may
 * come before or after the operands, as "--name value", "--name=value", "-o value" or "-ovalue"; "--" ends them.
 * False with SB_ERR_USAGE.
 */
bool sb_cli_options(const struct sb_command *c, void *into, int *argc, char **argv, struct sb_err *e);
bool sb_cli_wants_help(const struct sb_command *c, int argc,
                       char **argv); /* -h or --help is among the options */
/* The options of a command: those of its table, and --json where --format takes it. NULL after the last one. */
const struct sb_option *sb_cli_option(const struct sb_command *c, size_t i);
struct sb_str sb_option_word(const struct sb_option *o,
                             size_t i); /* the words of a choice; empty after the last */

int sb_cli_fail(const struct sb_err *e); /* prints it; returns the exit code */
enum { SB_CLI_OWN_FAILURE = 125 };       /* of a command that runs another */
/* For such a command; `code`: the exit code of one that could not be started, or 0. */
int sb_cli_fail_to_run(const struct sb_err *e, int code);
void sb_cli_note(struct sb_str lines);                      /* to standard error, each line with the prefix
                                                               "strobe:" */
int sb_cli_usage(const char *command, const char *fmt, ...) /* prints it and the help to read; returns 2 */
    __attribute__((format(printf, 2, 3)));

/* "-" as the name of a file to read: standard input. */
#define SB_CLI_STDIN "/proc/self/fd/" /* how the paths of such files begin */

/* Replaces the path "-" by that of a temporary file without a name, which holds all of standard input: files are
 * mapped, and a pipe cannot be. The file lasts as long as the program. */
bool sb_cli_read_stdin(const char **path, size_t n, struct sb_err *e);

/* False with SB_ERR_USAGE if the output `out` (may be NULL) is one of the `n` inputs, or a trace of strobe:
 * writing would destroy it. */
bool sb_cli_may_write(const char *out, const char *const *in, size_t n, struct sb_err *e);
bool sb_cli_are_distinct(const char *const *in, size_t n, struct sb_err *e); /* else SB_ERR_USAGE */
/* Whether a file of this name can be created or replaced. `in_place`: it may be a pipe or a device, too. */
bool sb_cli_can_create(const char *path, bool in_place);
