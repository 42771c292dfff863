#include "live/attach/via_text.h"
#include "base/base64.h"
#include "base/table.h"
#include "live/attach/message.h"
#include "live/attach/push.h"

enum { WORDS_MAX = 120 }; /* of what a command printed, in an error */

/* The ways in which commands take an expression, in the order in which they are tried. */
static const struct form {
    const char *before, *after; /* around the Erlang text */
    bool in_base64;             /* the text is within a literal of another language */
    bool quoted;                /* a second shell reads it */
} forms[] = {
    {"", ".", false, false},
    {":erl_eval.exprs(elem(:erl_parse.parse_exprs(elem(:erl_scan.string(:erlang.binary_to_list(:base64."
     "decode(\"",
     "\"))),1)),1),[])", true, false},
    {"", ".", false, true},
    {":erl_eval.exprs(elem(:erl_parse.parse_exprs(elem(:erl_scan.string(:erlang.binary_to_list(:base64."
     "decode(\"",
     "\"))),1)),1),[])", true, true},
};

/* ---- the text of an expression */

/* Terms have no single quote, which would end the quoting, and the marks are sums: an error message that shows the
 * expression is no answer. {} stands for the value of A, encoded. */
static uint64_t
mark_of(uint64_t token, unsigned how)
{
    return token + how;
}

static void
write_mark(struct sb_out *o, const char *head, uint64_t mark)
{
    sb_out_printf(o, "<<\"=%s\">>,integer_to_binary(%llu+1),<<\"=\">>", head, (unsigned long long)mark - 1);
}

/* Writes the encoded value of A between marks: as a binary to print, else as a list of strings. erl_call, by which
 * `bin/shop eval` of relx evaluates, cuts binaries and prints strings of more than 64 KiB as numbers. The end is
 * padded, since a comprehension leaves out what does not fill a string. */
void
sb_via_write_answer(struct sb_out *o, uint64_t token, enum sb_via_how how)
{
    sb_out_z(o, how == SB_VIA_VALUE ? "[binary_to_list(P)||<<P:4000/binary>> <= iolist_to_binary(["
                                    : "iolist_to_binary([");
    write_mark(o, "s", mark_of(token, how));
    sb_out_z(o, ",base64:encode(term_to_binary(A)),");
    write_mark(o, "e", mark_of(token, how));
    sb_out_z(o, how == SB_VIA_VALUE ? ",lists:duplicate(4000,61)])]" : "])");
}

/* What a process of the node's own `user` prints stands in the log of a service, where no command sees it. A node that
 * is not alive is the command's own, which an error says. */
void
sb_via_write_print(struct sb_out *o, uint64_t token)
{
    sb_out_z(o, "[io:put_chars(");
    sb_via_write_answer(o, token, SB_VIA_PRINTED);
    sb_out_z(o, ")||whereis(user)=/=group_leader()orelse not is_alive()]");
}

void
sb_via_write_term(struct sb_out *o, const ei_x_buff *x, struct sb_arena *a)
{
    struct sb_str packed = sb_push_compress(x, a);
    sb_out_z(o, "binary_to_term(base64:decode(<<\"");
    sb_base64_write(o, packed.p, packed.n);
    sb_out_z(o, "\">>))");
}

/* As the command takes it. */
struct sb_str
sb_via_in_form(unsigned form, struct sb_str text, struct sb_arena *a)
{
    const struct form *f = &forms[form];
    SB_OUT_TO_MEMORY(o);
    sb_out_z(&o, f->quoted ? "'" : "");
    sb_out_z(&o, f->before);
    if (f->in_base64) {
        struct sb_str whole = sb_arena_printf(a, "%.*s.", SB_STR_ARG(text));
        sb_base64_write(&o, whole.p, whole.n);
    } else
        sb_out_str(&o, text);
    sb_out_z(&o, f->after);
    sb_out_z(&o, f->quoted ? "'" : "");
    return sb_arena_str(a, (struct sb_str){o.buf, o.n});
}

/* ---- the answer */

static bool
is_base64(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
}

static const char *
find(const struct sb_out *text, size_t from, const char *mark)
{
    return from < text->n ? memmem(text->buf + from, text->n - from, mark, strlen(mark)) : NULL;
}

/* Finds what is between the marks in the output of a command, and decodes it. */
static bool
read_marked(const struct sb_out *printed, uint64_t mark, struct sb_out *bytes)
{
    char begin[40], end[40];
    snprintf(begin, sizeof begin, "=s%llu=", (unsigned long long)mark);
    snprintf(end, sizeof end, "=e%llu=", (unsigned long long)mark);
    SB_OUT_TO_MEMORY(plain);
    for (size_t i = 0; i < printed->n; i++)
        if (is_base64(printed->buf[i]))
            sb_out_char(&plain, printed->buf[i]);
    const char *from = find(&plain, 0, begin);
    const char *to = from ? find(&plain, (size_t)(from - plain.buf), end) : NULL;
    if (!to)
        return false;
    from += strlen(begin);
    return sb_base64_read(bytes, (struct sb_str){from, (size_t)(to - from)}) && bytes->n > 0;
}

/* A program that only looks like the node may print anything. */
static bool
read_answer(const struct sb_out *printed, uint64_t mark, ei_x_buff *answer)
{
    SB_OUT_TO_MEMORY(bytes);
    answer->index = 0;
    return read_marked(printed, mark, &bytes) && ei_x_append_buf(answer, bytes.buf, (int)bytes.n) == 0 &&
           sb_message_seal(answer);
}

bool
sb_via_read_answer(const struct sb_out *printed, uint64_t token, enum sb_via_how *how, ei_x_buff *answer)
{
    for (*how = SB_VIA_PRINTED; *how <= SB_VIA_VALUE; ++*how)
        if (read_answer(printed, mark_of(token, *how), answer))
            return true;
    return false;
}

/* The command did not answer; its first words say why. */
bool
sb_via_no_answer(const struct sb_shell *r, struct sb_err *e)
{
    const struct sb_out *said = r->err.n ? &r->err : &r->out;
    struct sb_str rest = sb_str_trim((struct sb_str){said->buf, said->n}), line = sb_str_cut(&rest, '\n');
    SB_ARENA(a);
    line = sb_table_printable(&a, sb_str_sub(line, 0, line.n < WORDS_MAX ? line.n : WORDS_MAX));
    sb_err_set(e, SB_ERR_INPUT, "the command of --via gave no answer%s%.*s", line.n ? ": it printed: " : "",
               SB_STR_ARG(line));
    return sb_err_advise(
        e,
        "give a command that evaluates its last argument in the node, such as 'bin/shop rpc', or with relx "
        "'bin/shop eval'");
}
