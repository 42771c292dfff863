/* strobe completion: what bash, zsh and fish need to complete commands, options and their values. */
#include "cli/frame/program.h"

static const char *
shell(size_t i)
{
    static const char *const name[] = {"bash", "zsh", "fish", NULL};
    return name[i];
}

SB_COMMAND(completion) = {
    .name = "completion",
    .summary = "print the completion of a shell",
    .operands = "bash|zsh|fish",
    .doc = "Prints a script that makes the shell complete commands, options and their values. `make install` "
           "installs all three. To try one: source <(strobe completion bash).",
    .example = "strobe completion fish > ~/.config/fish/completions/strobe.fish",
    .run = run,
    .word_at = 1,
    .word = shell,
};

/* ---- what can be completed */

/* Is the value the name of a file, such as FILE, DIR or T.sbt? */
static bool
is_file(const struct sb_option *o)
{
    return o->value && !o->word && o->type == SB_OPT_TEXT &&
           (strcmp(o->value, "FILE") == 0 || strchr(o->value, '.') != NULL);
}

static bool
has_words(const struct sb_option *o)
{
    return o->word || o->type == SB_OPT_CHOICE;
}

/* The names of the nodes that run here, asked when they are wanted. */
#define NODES "epmd -names 2>/dev/null | sed -n \"s/^name \\(.*\\) at port.*/\\1/p\""

static bool
takes_nodes(const struct sb_command *c)
{
    return strstr(c->operands, "TARGET") != NULL;
}

static void
put_words(struct sb_out *out, const struct sb_option *o)
{
    for (size_t i = 0;; i++) {
        struct sb_str word = sb_option_word(o, i);
        if (word.n == 0)
            return;
        sb_out_printf(out, "%s%.*s", i ? " " : "", SB_STR_ARG(word));
    }
}

static void
put_list(struct sb_out *out, sb_word_at *word)
{
    for (size_t i = 0; word(i); i++)
        sb_out_printf(out, "%s%s", i ? " " : "", word(i));
}

/* Writes a text on one line inside single quotes: `quote` stands for a single quote, a backslash precedes `marks`. */
static void
put_escaped(struct sb_out *out, const char *text, const char *quote, const char *marks)
{
    for (; *text; text++) {
        if (*text == '\'')
            sb_out_z(out, quote);
        else if (strchr(marks, *text))
            sb_out_printf(out, "\\%c", *text);
        else
            sb_out_char(out, *text == '\n' ? ' ' : *text);
    }
}

static void
each_command(struct sb_out *out, void (*put)(struct sb_out *, const struct sb_command *))
{
    for (size_t i = 0; sb_cli_commands[i]; i++)
        put(out, sb_cli_commands[i]);
}

static void
each_option(struct sb_out *out, const struct sb_command *c,
            void (*put)(struct sb_out *, const struct sb_command *, const struct sb_option *))
{
    for (size_t i = 0; sb_cli_option(c, i); i++)
        put(out, c, sb_cli_option(c, i));
}

static void
put_option_names(struct sb_out *out, const struct sb_command *c)
{
    for (size_t i = 0; sb_cli_option(c, i); i++)
        sb_out_printf(out, "%s ", sb_cli_option(c, i)->name);
    sb_out_z(out, "-h --help");
}

/* ---- bash */

static void
bash_value(struct sb_out *out, const struct sb_command *c, const struct sb_option *o)
{
    if (!o->value)
        return;
    sb_out_printf(out, "    '%s %s') ", c->name, o->name);
    if (has_words(o)) {
        sb_out_z(out, "words='");
        put_words(out, o);
        sb_out_z(out, "' ;;\n");
    } else {
        sb_out_z(out, is_file(o) ? "files=-f ;;\n" : "return ;;\n");
    }
}

static void
bash_values(struct sb_out *out, const struct sb_command *c)
{
    each_option(out, c, bash_value);
}

static void
bash_command(struct sb_out *out, const struct sb_command *c)
{
    sb_out_printf(out, "    %s) options='", c->name);
    put_option_names(out, c);
    sb_out_printf(out, "' word_at=%u words='", c->word_at);
    if (c->word)
        put_list(out, c->word);
    sb_out_printf(out, "' runs=%s nodes=%s ;;\n", c->runs_command ? "yes" : "", takes_nodes(c) ? "yes" : "");
}

static void
write_bash(struct sb_out *out)
{
    sb_out_z(out,
             "# bash completion of strobe, written by `strobe completion bash`\n"
             "_strobe() {\n"
             "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} files='' words=''\n"
             "    local command=${COMP_WORDS[1]} options='' word_at=0 runs='' nodes='' operands=0 i\n"
             "    # bash makes three words of --name=value\n"
             "    if [ \"$cur\" = = ]; then cur=''; elif [ \"$prev\" = = ]; then "
             "prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
             "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
             "        mapfile -t COMPREPLY < <(compgen -W '");
    put_list(out, sb_cli_command_name);
    sb_out_z(out, " --help --version' -- \"$cur\")\n"
                  "        return\n"
                  "    fi\n"
                  "    case $command in\n");
    each_command(out, bash_command);
    sb_out_z(out, "    esac\n"
                  "    for ((i = 2; i < COMP_CWORD; i++)); do\n"
                  "        if [ \"${COMP_WORDS[i]}\" = -- ] && [ -n \"$runs\" ]; then\n"
                  "            if declare -F _command_offset >/dev/null; then _command_offset $((i + 1))\n"
                  "            else mapfile -t COMPREPLY < <(compgen -c -f -- \"$cur\"); fi\n"
                  "            return\n"
                  "        fi\n"
                  "        case ${COMP_WORDS[i]} in -*) ;; *) ((operands++)) ;; esac\n"
                  "    done\n"
                  "    [ \"$operands\" -eq $((word_at - 1)) ] || words=''\n"
                  "    [ -z \"$nodes\" ] || words=$(" NODES ")\n"
                  "    [ -n \"$words\" ] || files=-f\n"
                  "    case \"$command $prev\" in\n");
    each_command(out, bash_values);
    sb_out_z(out, "    *) case $cur in -*) words=$options files='' ;; esac ;;\n"
                  "    esac\n"
                  "    [ -z \"$words\" ] || files=''\n"
                  "    mapfile -t COMPREPLY < <(compgen $files -W \"$words\" -- \"$cur\")\n"
                  "}\n"
                  "complete -o filenames -F _strobe strobe\n");
}

/* ---- zsh */

/* Text inside '...[...]' of _arguments. */
static void
zsh_text(struct sb_out *out, const char *text)
{
    put_escaped(out, text, "'\\''", "[]:\\");
}

static void
zsh_option(struct sb_out *out, const struct sb_command *c, const struct sb_option *o)
{
    (void)c;
    sb_out_printf(out, "        '%s%s%s[", o->type == SB_OPT_LIST ? "*" : "", o->name,
                  !o->value           ? ""
                  : o->name[1] == '-' ? "="
                                      : "+");
    zsh_text(out, o->doc);
    sb_out_char(out, ']');
    if (o->value) {
        sb_out_z(out, ":value:");
        if (has_words(o)) {
            sb_out_char(out, '(');
            put_words(out, o);
            sb_out_char(out, ')');
        } else if (is_file(o)) {
            sb_out_z(out, "_files");
        }
    }
    sb_out_z(out, "' \\\n");
}

static void
zsh_command(struct sb_out *out, const struct sb_command *c)
{
    sb_out_printf(out, "    %s) _arguments -S \\\n", c->name);
    each_option(out, c, zsh_option);
    sb_out_z(out, "        '(- *)'{-h,--help}'[explain the command]' \\\n");
    if (c->word) {
        for (unsigned i = 1; i < c->word_at; i++)
            sb_out_printf(out, "        '%u:file:_files' \\\n", i);
        sb_out_printf(out, "        '%u:word:(", c->word_at);
        put_list(out, c->word);
        sb_out_z(out, ")' ;;\n");
    } else {
        sb_out_z(out, takes_nodes(c)    ? "        '*:node:{compadd -- $(" NODES ")}' ;;\n"
                      : c->runs_command ? "        '*::command:_normal' ;;\n"
                                        : "        '*:file:_files' ;;\n");
    }
}

static void
zsh_summary(struct sb_out *out, const struct sb_command *c)
{
    sb_out_printf(out, "    '%s:", c->name);
    zsh_text(out, c->summary);
    sb_out_z(out, "'\n");
}

static void
write_zsh(struct sb_out *out)
{
    sb_out_z(out, "#compdef strobe\n"
                  "# zsh completion of strobe, written by `strobe completion zsh`\n"
                  "local -a commands=(\n");
    each_command(out, zsh_summary);
    sb_out_z(out, ")\n"
                  "if (( CURRENT == 2 )); then\n"
                  "    _describe command commands\n"
                  "    return\n"
                  "fi\n"
                  "local command=$words[2]\n"
                  "shift words\n"
                  "(( CURRENT-- ))\n"
                  "case $command in\n");
    each_command(out, zsh_command);
    sb_out_z(out, "esac\n");
}

/* ---- fish */

static void
fish_text(struct sb_out *out, const char *text)
{
    sb_out_char(out, '\'');
    put_escaped(out, text, "\\'", "\\");
    sb_out_char(out, '\'');
}

static void
fish_option(struct sb_out *out, const struct sb_command *c, const struct sb_option *o)
{
    sb_out_printf(out, "complete -c strobe -n '__fish_seen_subcommand_from %s' %s %s%s", c->name,
                  o->name[1] == '-' ? "-l" : "-s", o->name + (o->name[1] == '-' ? 2 : 1),
                  !o->value    ? ""
                  : is_file(o) ? " -r -F"
                               : " -x");
    if (o->value && has_words(o)) {
        sb_out_z(out, " -a '");
        put_words(out, o);
        sb_out_char(out, '\'');
    }
    sb_out_z(out, " -d ");
    fish_text(out, o->doc);
    sb_out_char(out, '\n');
}

static void
fish_command(struct sb_out *out, const struct sb_command *c)
{
    sb_out_printf(out, "complete -c strobe -n __fish_use_subcommand -f -a %s -d ", c->name);
    fish_text(out, c->summary);
    sb_out_char(out, '\n');
    each_option(out, c, fish_option);
    sb_out_printf(
        out, "complete -c strobe -n '__fish_seen_subcommand_from %s' -s h -l help -d 'explain the command'\n",
        c->name);
    if (takes_nodes(c))
        sb_out_printf(out, "complete -c strobe -n '__fish_seen_subcommand_from %s' -a '(" NODES ")'\n",
                      c->name);
    if (!c->word)
        return;
    sb_out_printf(out, "complete -c strobe -n '__fish_seen_subcommand_from %s' -a '", c->name);
    put_list(out, c->word);
    sb_out_z(out, "'\n");
}

static void
write_fish(struct sb_out *out)
{
    sb_out_z(out, "# fish completion of strobe, written by `strobe completion fish`\n");
    each_command(out, fish_command);
}

static int
run(int argc, char **argv)
{
    static void (*const write[])(struct sb_out *) = {write_bash, write_zsh, write_fish};
    struct sb_err e = {.at_byte = SB_NO_BYTE};
    struct sb_out out;
    size_t i = 0;
    if (!sb_cli_options(&sb_command_completion, NULL, &argc, argv, &e))
        return sb_cli_usage("completion", "%s", e.what);
    while (argc == 1 && shell(i) && strcmp(shell(i), argv[0]) != 0)
        i++;
    if (argc != 1 || !shell(i))
        return sb_cli_usage("completion", "completion takes bash, zsh or fish");
    if (!sb_out_open(&out, NULL, &e))
        return sb_cli_fail(&e);
    write[i](&out);
    return sb_out_close(&out, &e) ? 0 : sb_cli_fail(&e);
}
