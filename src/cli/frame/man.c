/* The man pages: strobe(1) and one for each command, from the texts of --help. */
#include "cli/frame/program.h"
#include <ctype.h>

/* Text of a line that troff does not interpret. */
static void
put_text(struct sb_out *out, struct sb_str s)
{
    if (s.n > 0 && (s.p[0] == '.' || s.p[0] == '\''))
        sb_out_z(out, "\\&");
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\\')
            sb_out_z(out, "\\e");
        else if (s.p[i] == '-')
            sb_out_z(out, "\\-");
        else
            sb_out_char(out, s.p[i]);
    }
}

/* Lines as they are, or to be filled by troff. */
static void
put_lines(struct sb_out *out, struct sb_str text)
{
    while (text.n > 0) {
        put_text(out, sb_str_cut(&text, '\n'));
        sb_out_char(out, '\n');
    }
}

static void
put_verbatim(struct sb_out *out, struct sb_str text)
{
    sb_out_z(out, ".EX\n");
    put_lines(out, text);
    sb_out_z(out, ".EE\n");
}

static void
put_head(struct sb_out *out, const char *name, const char *summary)
{
    sb_out_z(out, ".TH STROBE");
    for (const char *p = name; *p; p++)
        sb_out_char(out, (char)toupper((unsigned char)*p));
    sb_out_printf(out, " 1 \"\" \"strobe %s\" \"strobe\"\n.SH NAME\nstrobe", SB_VERSION);
    put_text(out, sb_str_of(name));
    sb_out_z(out, " \\- ");
    put_lines(out, sb_str_of(summary));
}

static void
put_doc(struct sb_out *out, struct sb_str doc)
{
    sb_out_z(out, ".SH DESCRIPTION\n");
    for (struct sb_str paragraph; sb_cli_next_paragraph(&doc, &paragraph);) {
        sb_out_z(out, ".PP\n");
        (paragraph.p[0] == ' ' ? put_verbatim : put_lines)(out, paragraph);
    }
}

static void
put_item(struct sb_out *out, const char *name, const char *doc)
{
    sb_out_z(out, ".TP\n.B ");
    put_text(out, sb_str_of(name));
    sb_out_char(out, '\n');
    put_lines(out, sb_str_of(doc));
}

static void
put_commands(struct sb_out *out)
{
    sb_out_z(out, ".SH COMMANDS\n");
    for (const struct sb_program_row *r = sb_program_rows; r->group || r->command; r++) {
        if (r->group) {
            sb_out_printf(out, ".SS %s\n", r->group);
            continue;
        }
        sb_out_printf(out, ".TP\n.BR strobe\\-%s (1)\n", r->command->name);
        put_lines(out, sb_str_of(r->command->summary));
    }
}

static void
put_surroundings(struct sb_out *out)
{
#define SECTION(title) sb_out_z(out, ".SH " title "\n");
#define ITEM(name, doc) put_item(out, name, doc);
#include "cli/frame/surroundings.def"
#undef SECTION
#undef ITEM
}

static void
put_program(struct sb_out *out)
{
    put_head(out, "", sb_program_summary);
    sb_out_z(out, ".SH SYNOPSIS\n.B strobe\nCOMMAND ...\n");
    put_doc(out, sb_str_of(sb_program_doc));
    put_commands(out);
    sb_out_z(out, ".SH EXAMPLES\n");
    for (size_t i = 0; sb_program_first[i]; i++) {
        const struct sb_command *c = sb_cli_find_command(sb_program_first[i]);
        put_lines(out, sb_str_of(c->summary));
        put_verbatim(out, sb_str_of(c->example));
        sb_out_z(out, ".PP\n");
    }
    put_surroundings(out);
    sb_out_z(out, ".SH EXIT STATUS\n");
    put_lines(out, sb_str_of(sb_program_exit));
}

static void
put_option(struct sb_out *out, const struct sb_option *o)
{
    sb_out_z(out, ".TP\n\\fB");
    put_text(out, sb_str_of(o->name));
    sb_out_z(out, "\\fR");
    if (o->value) {
        sb_out_z(out, " \\fI");
        put_text(out, sb_str_of(o->value));
        sb_out_z(out, "\\fR");
    }
    sb_out_char(out, '\n');
    put_lines(out, sb_str_of(o->doc));
}

static void
put_more(struct sb_out *out, const struct sb_command *c)
{
    SB_OUT_TO_MEMORY(more);
    c->more_help(&more);
    sb_out_z(out, ".PP\n");
    put_verbatim(out, sb_str_trim((struct sb_str){more.buf, more.n}));
}

void
sb_help_man(const struct sb_command *c, struct sb_out *out)
{
    if (!c) {
        put_program(out);
        return;
    }
    SB_ARENA(a);
    size_t n = 0;
    put_head(out, sb_arena_printf(&a, "-%s", c->name).p, c->summary);
    sb_out_z(out, ".SH SYNOPSIS\n.B strobe\n");
    put_lines(out, sb_cli_synopsis(c, &a));
    put_doc(out, sb_str_of(c->doc));
    sb_out_z(out, ".SH OPTIONS\n");
    for (const struct sb_option *o; (o = sb_cli_option(c, n)); n++)
        put_option(out, o);
    sb_out_z(out, ".TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nprint this text\n");
    if (c->more_help)
        put_more(out, c);
    sb_out_z(out, ".SH EXAMPLE\n");
    put_verbatim(out, sb_str_of(c->example));
    sb_out_z(out, ".SH SEE ALSO\n.BR strobe (1)\n");
}
