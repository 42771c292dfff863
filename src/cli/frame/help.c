/* strobe help: the help of a command, as text or as the source of its man page. */
#include "cli/frame/program.h"
#include "cli/frame/profile.h"
#include <unistd.h>

struct request {
    unsigned format;
};

static const struct sb_option options[] = {{"--format", SB_OPT_CHOICE, offsetof(struct request, format),
                                            "text|man", "man: the source of the man page (text)"},
                                           {0}};

SB_COMMAND(help) = {
    .name = "help",
    .summary = "explain a command",
    .operands = "[COMMAND]",
    .doc = "Explains a command, or lists all of them. The same as strobe COMMAND --help.",
    .example = "strobe help record",
    .option = options,
    .run = run,
    .word_at = 1,
    .word = sb_cli_command_name,
};

/* ---- text */

enum { WIDEST = 100, LABEL = 22 };

static size_t
width(void)
{
    size_t w = sb_cli_width(STDOUT_FILENO);
    return w < WIDEST ? w : WIDEST;
}

/* Writes words, broken before the margin. The first line begins at column `at`, others at `indent`. */
static void
put_words(struct sb_out *out, struct sb_str text, size_t at, size_t indent)
{
    size_t margin = width();
    while (text.n > 0) {
        size_t end = 0;
        while (end < text.n && text.p[end] != ' ' && text.p[end] != '\n')
            end++;
        struct sb_str word = sb_str_sub(text, 0, end);
        text = sb_str_sub(text, end + 1, text.n);
        if (word.n == 0)
            continue;
        if (at > indent && at + 1 + word.n > margin) {
            sb_out_char(out, '\n');
            sb_out_pad(out, ' ', at = indent);
        }
        if (at > indent)
            sb_out_char(out, ' ');
        sb_out_str(out, word);
        at += word.n + (at > indent);
    }
    sb_out_char(out, '\n');
}

static void
put_doc(struct sb_out *out, struct sb_str doc)
{
    for (struct sb_str paragraph; sb_cli_next_paragraph(&doc, &paragraph);) {
        sb_out_char(out, '\n');
        if (paragraph.p[0] == ' ')
            sb_out_printf(out, "%.*s\n", SB_STR_ARG(paragraph));
        else
            put_words(out, paragraph, 0, 0);
    }
}

static void
put_item(struct sb_out *out, const char *name, const char *value, const char *doc)
{
    size_t n = strlen(name) + (value ? 1 + strlen(value) : 0);
    sb_out_printf(out, "  %s%s%s", name, value ? " " : "", value ? value : "");
    if (n + 2 <= LABEL) {
        sb_out_pad(out, ' ', LABEL - n);
    } else {
        sb_out_char(out, '\n');
        sb_out_pad(out, ' ', LABEL + 2);
    }
    put_words(out, sb_str_of(doc), LABEL + 2, LABEL + 2);
}

static void
put_program(struct sb_out *out)
{
    sb_out_printf(out, "strobe: %s\n\nusage: strobe COMMAND ...\n", sb_program_summary);
    for (const struct sb_program_row *r = sb_program_rows; r->group || r->command; r++)
        if (r->group)
            sb_out_printf(out, "\n%s:\n", r->group);
        else
            sb_out_printf(out, "  %-10s %s\n", r->command->name, r->command->summary);
    sb_out_char(out, '\n');
    put_words(out, SB_STR("`strobe COMMAND --help` describes a command and gives an example."), 0, 0);
    put_words(out, sb_str_of(sb_program_exit), 0, 0);
}

void
sb_help_text(const struct sb_command *c, struct sb_out *out)
{
    if (!c) {
        put_program(out);
        return;
    }
    SB_ARENA(a);
    size_t n = 0;
    put_words(out, sb_arena_printf(&a, "strobe %s: %s", c->name, c->summary), 0, 0);
    sb_out_printf(out, "\nusage: strobe %.*s\n", SB_STR_ARG(sb_cli_synopsis(c, &a)));
    put_doc(out, sb_str_of(c->doc));
    sb_out_z(out, "\noptions:\n");
    for (const struct sb_option *o; (o = sb_cli_option(c, n)); n++)
        put_item(out, o->name, o->value, o->doc);
    put_item(out, "-h, --help", NULL, "print this text");
    if (c->more_help)
        c->more_help(out);
    sb_out_printf(out, "\nexample: %s\n", c->example);
}

/* ---- the command */

static int
run(int argc, char **argv)
{
    struct request r = {0};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_out out;
    if (!sb_cli_options(&sb_command_help, &r, &argc, argv, &e))
        return sb_cli_usage("help", "%s", e.what);
    if (argc > 1)
        return sb_cli_usage("help", "one command at a time");
    const struct sb_command *c = argc > 0 ? sb_cli_find_command(argv[0]) : NULL;
    if (argc > 0 && !c)
        return sb_cli_unknown_command(argv[0]);
    if (!sb_out_open(&out, NULL, &e))
        return sb_cli_fail(&e);
    (r.format == 0 ? sb_help_text : sb_help_man)(c, &out);
    return sb_out_close(&out, &e) ? 0 : sb_cli_fail(&e);
}
