/* Shared by all commands: reading options and reporting errors. */
#include "cli/frame/cli.h"
#include "base/nearest.h"
#include "base/vec.h"

int
sb_cli_fail(const struct sb_err *e)
{
    struct sb_err shown = *e;
    if (strncmp(e->file, SB_CLI_STDIN, sizeof SB_CLI_STDIN - 1) == 0)
        snprintf(shown.file, sizeof shown.file, "standard input");
    sb_err_print(&shown, stderr);
    return sb_err_exit_code(e);
}

int
sb_cli_fail_to_run(const struct sb_err *e, int code)
{
    sb_cli_fail(e);
    return e->code == SB_ERR_USAGE ? 2 : code ? code : SB_CLI_OWN_FAILURE;
}

void
sb_cli_note(struct sb_str lines)
{
    SB_ARENA(a);
    while (lines.n > 0) {
        struct sb_str line = sb_table_printable(&a, sb_str_cut(&lines, '\n'));
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

/* ---- values */

struct sb_str
sb_option_word(const struct sb_option *o, size_t i)
{
    if (o->word)
        return sb_str_of(o->word(i));
    struct sb_str rest = sb_str_of(o->value), word = {0};
    for (size_t k = 0; k <= i; k++)
        word = sb_str_cut(&rest, '|');
    return word;
}

static bool
set_choice(const struct sb_option *o, struct sb_str text, unsigned *into, struct sb_err *e)
{
    char list[180] = "";
    struct sb_nearest near = sb_nearest_to(text);
    size_t n = 0;
    for (unsigned i = 0;; i++) {
        struct sb_str word = sb_option_word(o, i), next = sb_option_word(o, i + 1);
        if (sb_str_eq(word, text)) {
            *into = i;
            return true;
        }
        sb_nearest_offer(&near, word);
        const char *before = i == 0 ? "" : next.n ? ", " : " or ";
        n += n < sizeof list ? (size_t)snprintf(list + n, sizeof list - n, "%s%.*s", before, SB_STR_ARG(word))
                             : 0;
        if (next.n == 0)
            break;
    }
    return sb_err_set(e, SB_ERR_USAGE, "%s takes %s, not '%.*s'%s", o->name, list, SB_STR_ARG(text),
                      sb_nearest_hint(&near));
}

static bool
check_bounds(const struct sb_option *o, uint64_t v, const char *given, struct sb_err *e)
{
    enum sb_unit unit = o->type == SB_OPT_BYTES ? SB_U_BYTES : SB_U_COUNT;
    if (v >= o->least && (o->most == 0 || v <= o->most))
        return true;
    struct sb_human least = sb_human((int64_t)o->least, unit), most = sb_human((int64_t)o->most, unit);
    if (o->most == 0)
        return sb_err_set(e, SB_ERR_USAGE, "%s takes at least %s, not '%s'", o->name, least.text, given);
    return sb_err_set(e, SB_ERR_USAGE, "%s takes %s to %s, not '%s'", o->name, least.text, most.text, given);
}

/* 0 has no unit to be mistaken about. */
static bool
read_span(struct sb_str text, int64_t *into)
{
    *into = 0;
    if (sb_str_eq(text, SB_STR("0")))
        return true;
    char last = text.n > 0 ? text.p[text.n - 1] : '0';
    return (last < '0' || last > '9') && sb_str_to_ns(text, into) && *into > 0;
}

static bool
set_number(const struct sb_option *o, const char *value, void *into, struct sb_err *e)
{
    static const char *const wanted[] = {[SB_OPT_U64] = "a number",
                                         [SB_OPT_NS] = "a time such as 20ms or 1.5s",
                                         [SB_OPT_SPAN] = "a time with its unit, as in 10s or 500ms",
                                         [SB_OPT_BYTES] = "a size such as 64M"};
    struct sb_str text = sb_str_of(value);
    uint64_t v;
    bool is_time = o->type == SB_OPT_NS || o->type == SB_OPT_SPAN;
    bool ok = o->type == SB_OPT_NS     ? sb_str_to_ns(text, into)
              : o->type == SB_OPT_SPAN ? read_span(text, into)
              : o->type == SB_OPT_U64  ? sb_str_to_u64(text, &v)
                                       : sb_str_to_bytes(text, &v);
    if (!ok)
        return sb_err_set(e, SB_ERR_USAGE, "%s takes %s, not '%s'", o->name, wanted[o->type], value);
    if (is_time)
        return true;
    *(uint64_t *)into = v;
    return check_bounds(o, v, value, e);
}

static bool
set(const struct sb_option *o, void *into, const char *value, struct sb_err *e)
{
    void *at = (char *)into + o->at;
    switch (o->type) {
    case SB_OPT_FLAG:
        *(bool *)at = true;
        return true;
    case SB_OPT_TEXT:
        *(const char **)at = value;
        return true;
    case SB_OPT_LIST:
        *SB_PUSH((struct sb_option_list *)at) = value;
        return true;
    case SB_OPT_CHOICE:
        return set_choice(o, sb_str_of(value), at, e);
    default:
        return set_number(o, value, at, e);
    }
}

/* ---- names */

static const struct sb_option short_json = {"--json", SB_OPT_FLAG, 0, NULL, "the same as --format json"};

/* The option of which --json is a short form; NULL: there is none. */
static const struct sb_option *
json_of(const struct sb_command *c)
{
    for (const struct sb_option *o = c->option; o && o->name; o++)
        for (size_t i = 0; strcmp(o->name, "--format") == 0 && sb_option_word(o, i).n; i++)
            if (sb_str_eq(sb_option_word(o, i), SB_STR("json")))
                return o;
    return NULL;
}

const struct sb_option *
sb_cli_option(const struct sb_command *c, size_t i)
{
    size_t n = 0;
    while (c->option && c->option[n].name)
        n++;
    return i < n ? &c->option[i] : i == n && json_of(c) ? &short_json : NULL;
}

/* The part of an argument that names the option: "--format" of "--format=json", "-o" of "-oFILE". */
static struct sb_str
name_of(const char *arg)
{
    struct sb_str s = sb_str_of(arg);
    return arg[1] == '-' ? sb_str_sub(s, 0, sb_str_find(s, '=')) : sb_str_sub(s, 0, 2);
}

static const struct sb_option *
find_option(const struct sb_command *c, struct sb_str name)
{
    size_t i = 0;
    const struct sb_option *o;
    while ((o = sb_cli_option(c, i)) && !sb_str_eq(sb_str_of(o->name), name))
        i++;
    return o;
}

static bool
unknown_option(const struct sb_command *c, struct sb_str name, struct sb_err *e)
{
    struct sb_nearest near = sb_nearest_to(name);
    for (size_t i = 0; sb_cli_option(c, i); i++)
        sb_nearest_offer(&near, sb_str_of(sb_cli_option(c, i)->name));
    return sb_err_set(e, SB_ERR_USAGE, "unknown option '%.*s'%s", SB_STR_ARG(name), sb_nearest_hint(&near));
}

static bool
is_operand(const char *arg)
{
    return arg[0] != '-' || arg[1] == '\0';
}

/* The value that is part of the argument itself; NULL: none. "-o=FILE" names the file "FILE". */
static const char *
attached(const char *arg, struct sb_str name)
{
    const char *rest = arg + name.n;
    return *rest == '\0' ? NULL : *rest == '=' ? rest + 1 : rest;
}

/* Reads the option at argv[*i]; moves *i past a separate value. */
static bool
read_option(const struct sb_command *c, void *into, int argc, char **argv, int *i, struct sb_err *e)
{
    struct sb_str name = name_of(argv[*i]);
    const char *value = attached(argv[*i], name);
    const struct sb_option *o = find_option(c, name);
    if (!o)
        return unknown_option(c, name, e);
    if (o == &short_json && !value)
        return set(json_of(c), into, "json", e);
    if (o->type == SB_OPT_FLAG)
        return value ? sb_err_set(e, SB_ERR_USAGE, "%s takes no value", o->name) : set(o, into, NULL, e);
    if (!value && *i + 1 >= argc)
        return sb_err_set(e, SB_ERR_USAGE, "%s needs a value", o->name);
    return set(o, into, value ? value : argv[++*i], e);
}

bool
sb_cli_options(const struct sb_command *c, void *into, int *argc, char **argv, struct sb_err *e)
{
    int kept = 0, i = 1;
    for (; i < *argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        bool operand = is_operand(argv[i]);
        if (operand && c->runs_command)
            break;
        if (operand)
            argv[kept++] = argv[i];
        else
            SB_TRY(read_option(c, into, *argc, argv, &i, e));
    }
    while (i < *argc)
        argv[kept++] = argv[i++];
    *argc = kept;
    return true;
}

bool
sb_cli_wants_help(const struct sb_command *c, int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_operand(argv[i]) && c->runs_command)
            return false;
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
        const struct sb_option *o = is_operand(argv[i]) ? NULL : find_option(c, name_of(argv[i]));
        i += o && o->type != SB_OPT_FLAG && !attached(argv[i], name_of(argv[i]));
    }
    return false;
}
