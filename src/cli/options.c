/* Shared by all commands: reading options and reporting errors. */
#include "cli/cli.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int
sb_cli_fail(const struct sb_err *e)
{
    sb_err_print(e, stderr);
    return sb_err_exit_code(e);
}

void
sb_cli_say(struct sb_str lines)
{
    while (lines.n > 0) {
        struct sb_str line = sb_str_cut(&lines, '\n');
        fprintf(stderr, "strobe: %.*s\n", SB_STR_ARG(line));
    }
}

int
sb_cli_usage(const char *command, const char *fmt, ...)
{
    struct sb_err e = {.code = SB_ERR_USAGE, .at_byte = SB_NO_BYTE};
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(e.what, sizeof e.what, fmt, ap);
    va_end(ap);
    sb_err_advise(&e, command ? "see strobe %s --help" : "see strobe --help", command);
    return sb_cli_fail(&e);
}

static bool
set_number(const struct sb_option *o, struct sb_str text)
{
    switch (o->type) {
    case SB_OPT_U64:
        return sb_str_to_u64(text, o->into);
    case SB_OPT_NS:
        return sb_str_to_ns(text, o->into);
    case SB_OPT_BYTES:
        return sb_str_to_bytes(text, o->into);
    default:
        return sb_format_parse(text, o->into);
    }
}

static bool
set(const struct sb_option *o, const char *value, struct sb_err *e)
{
    static const char *const wanted[] = {[SB_OPT_U64] = "a number",
                                         [SB_OPT_NS] = "a time such as 20ms or 1.5s",
                                         [SB_OPT_BYTES] = "a size such as 64M",
                                         [SB_OPT_FORMAT] = "text, json, csv or tsv"};
    if (o->type == SB_OPT_FLAG)
        *(bool *)o->into = true;
    else if (o->type == SB_OPT_TEXT)
        *(const char **)o->into = value;
    else if (o->type == SB_OPT_LIST) {
        struct sb_option_list *list = o->into;
        if (list->n == list->cap)
            list->at = sb_realloc_or_die(list->at, sizeof *list->at * (list->cap = list->cap * 2 + 8));
        list->at[list->n++] = value;
    } else if (!set_number(o, sb_str_of(value)))
        return sb_err_set(e, SB_ERR_USAGE, "%s takes %s, not '%s'", o->name, wanted[o->type], value);
    return true;
}

static const struct sb_option *
find_option(const struct sb_option *options, size_t n, const char *arg, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(options[i].name) == len && memcmp(options[i].name, arg, len) == 0)
            return &options[i];
    return NULL;
}

/* Reads the option at argv[*i]; moves *i past a separate value. */
static bool
read_option(const struct sb_option *options, size_t n, int argc, char **argv, int *i, struct sb_err *e)
{
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    const struct sb_option *o = find_option(options, n, arg, equals ? (size_t)(equals - arg) : strlen(arg));
    if (!o)
        return sb_err_set(e, SB_ERR_USAGE, "unknown option '%s'", arg);
    if (o->type == SB_OPT_FLAG)
        return equals ? sb_err_set(e, SB_ERR_USAGE, "%s takes no value", o->name) : set(o, NULL, e);
    if (!equals && *i + 1 >= argc)
        return sb_err_set(e, SB_ERR_USAGE, "%s needs a value", o->name);
    return set(o, equals ? equals + 1 : argv[++*i], e);
}

bool
sb_cli_options(const struct sb_option *options, size_t n, int *argc, char **argv, bool stop_at_first,
               struct sb_err *e)
{
    int kept = 0, i = 1;
    for (; i < *argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        bool operand = argv[i][0] != '-' || argv[i][1] == '\0';
        if (operand && stop_at_first)
            break;
        if (operand)
            argv[kept++] = argv[i];
        else
            SB_TRY(read_option(options, n, *argc, argv, &i, e));
    }
    while (i < *argc)
        argv[kept++] = argv[i++];
    *argc = kept;
    return true;
}
