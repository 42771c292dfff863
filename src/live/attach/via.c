#include "live/attach/via.h"
#include "base/base64.h"
#include "base/progress.h"
#include "live/attach/dist.h"
#include "live/attach/push.h"
#include "live/attach/shell.h"
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* A lease: the node waits for the next run as long as four runs have taken, within these bounds. The least is that of a
 * connection: a busy machine may leave strobe without a core for a while. */
enum { RUN_MS = 60000, LEASE_LEAST_MS = 10000, LEASE_MOST_MS = 60000, LEASE_RUNS = 4, TOKEN_BITS = 40 };

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
enum { FORMS = sizeof forms / sizeof *forms };

/* ---- the text of an expression */

/* Terms have no single quote, which would end the quoting, and the marks are sums: an error message that shows the
 * expression is no answer. {} stands for the value of A, encoded. */
enum { PRINTED, VALUE };

static uint64_t
mark_of(const struct sb_via *v, unsigned how)
{
    return v->token + how;
}

static void
write_mark(struct sb_out *o, const char *head, uint64_t mark)
{
    sb_out_printf(o, "<<\"=%s\">>,integer_to_binary(%llu+1),<<\"=\">>", head, (unsigned long long)mark - 1);
}

/* Writes the encoded value of A between marks: as a binary to print, else as a list of strings. erl_call, by which
 * `bin/shop eval` of relx evaluates, cuts binaries and prints strings of more than 64 KiB as numbers. The end is
 * padded, since a comprehension leaves out what does not fill a string. */
static void
write_answer(struct sb_out *o, const struct sb_via *v, unsigned how)
{
    sb_out_z(o, how == VALUE ? "[binary_to_list(P)||<<P:4000/binary>> <= iolist_to_binary(["
                             : "iolist_to_binary([");
    write_mark(o, "s", mark_of(v, how));
    sb_out_z(o, ",base64:encode(term_to_binary(A)),");
    write_mark(o, "e", mark_of(v, how));
    sb_out_z(o, how == VALUE ? ",lists:duplicate(4000,61)])]" : "])");
}

static void
write_print(struct sb_out *o, const struct sb_via *v)
{
    sb_out_z(o, "io:put_chars(");
    write_answer(o, v, PRINTED);
    sb_out_z(o, ")");
}

static void
write_term(struct sb_out *o, const ei_x_buff *x, struct sb_arena *a)
{
    struct sb_str packed = sb_push_compress(x, a);
    sb_out_z(o, "binary_to_term(base64:decode(<<\"");
    sb_base64_write(o, packed.p, packed.n);
    sb_out_z(o, "\">>))");
}

/* As the command takes it. */
static struct sb_str
in_form(const struct form *f, struct sb_str text, struct sb_arena *a)
{
    struct sb_out o;
    sb_out_to_memory(&o);
    sb_out_z(&o, f->quoted ? "'" : "");
    sb_out_z(&o, f->before);
    if (f->in_base64) {
        struct sb_str whole = sb_arena_printf(a, "%.*s.", SB_STR_ARG(text));
        sb_base64_write(&o, whole.p, whole.n);
    } else
        sb_out_str(&o, text);
    sb_out_z(&o, f->after);
    sb_out_z(&o, f->quoted ? "'" : "");
    struct sb_str out = sb_arena_str(a, (struct sb_str){o.buf, o.n});
    sb_out_abandon(&o);
    return out;
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
    struct sb_out plain;
    snprintf(begin, sizeof begin, "=s%llu=", (unsigned long long)mark);
    snprintf(end, sizeof end, "=e%llu=", (unsigned long long)mark);
    sb_out_to_memory(&plain);
    for (size_t i = 0; i < printed->n; i++)
        if (is_base64(printed->buf[i]))
            sb_out_char(&plain, printed->buf[i]);
    const char *from = find(&plain, 0, begin);
    const char *to = from ? find(&plain, (size_t)(from - plain.buf), end) : NULL;
    bool ok = to != NULL;
    if (ok) {
        from += strlen(begin);
        ok = sb_base64_read(bytes, (struct sb_str){from, (size_t)(to - from)}) && bytes->n > 0;
    }
    sb_out_abandon(&plain);
    return ok;
}

/* A program that only looks like the node may print anything. */
static bool
read_answer(const struct sb_out *printed, uint64_t mark, ei_x_buff *answer)
{
    struct sb_out bytes;
    sb_out_to_memory(&bytes);
    bool ok = read_marked(printed, mark, &bytes);
    answer->index = 0;
    ok = ok && ei_x_append_buf(answer, bytes.buf, (int)bytes.n) == 0 && sb_dist_seal(answer);
    sb_out_abandon(&bytes);
    return ok;
}

/* The command did not answer; its first words say why. */
static bool
no_answer(const struct sb_shell *r, struct sb_err *e)
{
    const struct sb_out *said = r->err.n ? &r->err : &r->out;
    struct sb_str rest = sb_str_trim((struct sb_str){said->buf, said->n}), line = sb_str_cut(&rest, '\n');
    char text[120];
    size_t n = line.n < sizeof text - 1 ? line.n : sizeof text - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = (unsigned char)line.p[i] < ' ' ? ' ' : line.p[i];
    text[n] = 0;
    sb_err_set(e, SB_ERR_INPUT, "the command of --via gave no answer%s%s", n ? ": it printed: " : "", text);
    return sb_err_advise(
        e,
        "give a command that evaluates its last argument in the node, such as 'bin/shop rpc', or with relx "
        "'bin/shop eval'");
}

/* Starts the command with an expression. */
static bool
begin(struct sb_via *v, unsigned form, struct sb_str text, struct sb_err *e)
{
    struct sb_arena a;
    sb_arena_init(&a);
    v->run = (struct sb_shell){
        .script = v->script, .patience_ms = RUN_MS, .argument = in_form(&forms[form], text, &a).p};
    v->began_ns = sb_clock_ns();
    v->runs = sb_shell_start(&v->run, e);
    sb_arena_close(&a);
    return v->runs;
}

/* Takes the answer of a command that has ended. `how`: PRINTED or VALUE, by which mark the answer came. */
static bool
finish(struct sb_via *v, ei_x_buff *answer, unsigned *how, struct sb_err *e)
{
    bool ok = sb_shell_end(&v->run, e);
    int64_t took_ms = (sb_clock_ns() - v->began_ns) / 1000000;
    if (ok) {
        for (*how = PRINTED; *how <= VALUE; ++*how)
            if (read_answer(&v->run.out, mark_of(v, *how), answer))
                break;
        ok = *how <= VALUE || no_answer(&v->run, e);
        v->slowest_ms = ok && took_ms > v->slowest_ms ? took_ms : v->slowest_ms;
    }
    sb_via_close(v);
    return ok;
}

static bool
eval(struct sb_via *v, unsigned form, struct sb_str text, ei_x_buff *answer, unsigned *how, struct sb_err *e)
{
    SB_TRY(begin(v, form, text, e));
    while (!sb_shell_step(&v->run, RUN_MS))
        ;
    return finish(v, answer, how, e);
}

/* Starts the command with a text that binds A, in the form that was found. */
static bool
send_text(struct sb_via *v, struct sb_str text, struct sb_err *e)
{
    struct sb_out whole;
    sb_out_to_memory(&whole);
    sb_out_str(&whole, text);
    sb_out_char(&whole, ',');
    if (v->by_value)
        write_answer(&whole, v, VALUE);
    else
        write_print(&whole, v);
    bool ok = begin(v, v->form, (struct sb_str){whole.buf, whole.n}, e);
    sb_out_abandon(&whole);
    return ok;
}

/* `any`: the command has ended, and this is its answer. */
static bool
receive(struct sb_via *v, int patience_ms, bool *any, ei_x_buff *answer, struct sb_err *e)
{
    unsigned how;
    *any = sb_shell_step(&v->run, patience_ms);
    return !*any || finish(v, answer, &how, e);
}

static bool
ask(struct sb_via *v, struct sb_str text, ei_x_buff *answer, struct sb_err *e)
{
    bool any = false;
    SB_TRY(send_text(v, text, e));
    while (!any)
        SB_TRY(receive(v, RUN_MS, &any, answer, e));
    return true;
}

/* ---- the start */

/* Puts the expression in the place of the first {}, or at the end. */
static const char *
script_of(const char *command, struct sb_arena *a)
{
    const char *place = strstr(command, "{}");
    if (!place)
        return sb_arena_printf(a, "%s \"$1\"", command).p;
    return sb_arena_printf(a, "%.*s\"$1\"%s", (int)(place - command), command, place + 2).p;
}

/* Decodes "25"; 0: it is something else. */
static int
release_of(const ei_x_buff *answer)
{
    char text[64] = "";
    int at = 0, version, type, size;
    bool ok = ei_decode_version(answer->buff, &at, &version) == 0 &&
              ei_get_type(answer->buff, &at, &type, &size) == 0 && size < (int)sizeof text &&
              ei_decode_string(answer->buff, &at, text) == 0;
    return ok ? atoi(text) : 0;
}

/* Both prints and returns an answer, to find out which of them arrives. */
static bool
probe(struct sb_via *v, unsigned form, struct sb_err *e)
{
    struct sb_out text;
    ei_x_buff answer;
    unsigned how;
    sb_out_to_memory(&text);
    ei_x_new(&answer);
    sb_out_z(&text, "A=erlang:system_info(otp_release),");
    write_print(&text, v);
    sb_out_char(&text, ',');
    write_answer(&text, v, VALUE);
    bool ok = eval(v, form, (struct sb_str){text.buf, text.n}, &answer, &how, e);
    v->form = form;
    v->by_value = ok && how == VALUE;
    v->release = ok ? release_of(&answer) : 0;
    sb_out_abandon(&text);
    ei_x_free(&answer);
    return ok;
}

bool
sb_via_open(struct sb_via *v, const char *command, struct sb_arena *a, struct sb_err *e)
{
    struct sb_err first = {.at_byte = SB_NO_BYTE};
    *v = (struct sb_via){.script = script_of(command, a), .a = a};
    if (getrandom(&v->token, sizeof v->token, 0) != sizeof v->token)
        return sb_err_errno(e, "get a random number");
    v->token = (v->token >> (64 - TOKEN_BITS)) + (1ull << TOKEN_BITS);
    for (unsigned f = 0; f < FORMS; f++)
        if (probe(v, f, f == 0 ? &first : e))
            return true;
    *e = first;
    return false;
}

int64_t
sb_via_lease_ms(const struct sb_via *v)
{
    int64_t ms = v->slowest_ms * LEASE_RUNS;
    return ms < LEASE_LEAST_MS ? LEASE_LEAST_MS : ms > LEASE_MOST_MS ? LEASE_MOST_MS : ms;
}

/* Takes the name strobe_attach, which fails if somebody else is attached; the first request shows who has it. */
bool
sb_via_start(struct sb_via *v, struct sb_str beam, struct sb_err *e)
{
    struct sb_out o;
    ei_x_buff ignored;
    sb_out_to_memory(&o);
    sb_out_z(
        &o,
        "A=case catch register(strobe_attach,self()) of true->case erlang:module_loaded(strobe_attach) of "
        "false->{module,_}=code:load_binary(strobe_attach,\"strobe_attach.beam\","
        "binary_to_term(base64:decode(<<\"");
    sb_base64_write(&o, beam.p, beam.n);
    sb_out_printf(&o,
                  "\">>))),strobe_attach:open({via,%llu,%lld});_->unregister(strobe_attach)end;_->taken end",
                  (unsigned long long)v->token, (long long)sb_via_lease_ms(v));
    ei_x_new(&ignored);
    bool ok = ask(v, (struct sb_str){o.buf, o.n}, &ignored, e);
    ei_x_free(&ignored);
    sb_out_abandon(&o);
    return ok;
}

/* ---- requests */

/* {Token, Lease, Request} */
static void
write_request(struct sb_out *o, struct sb_via *v, const ei_x_buff *term, int wait_ms, struct sb_arena *a)
{
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 3);
    ei_x_encode_ulonglong(&x, v->token);
    ei_x_encode_longlong(&x, sb_via_lease_ms(v) + wait_ms);
    if (term)
        ei_x_append_buf(&x, term->buff + 1, term->index - 1); /* without its version byte */
    else
        ei_x_encode_atom(&x, "none");
    write_term(o, &x, a);
    ei_x_free(&x);
}

bool
sb_via_send(struct sb_via *v, const ei_x_buff *term, int wait_ms, struct sb_err *e)
{
    struct sb_out o;
    struct sb_arena a;
    sb_arena_init(&a);
    sb_out_to_memory(&o);
    sb_out_z(&o, "R=erlang:monitor(process,strobe_attach),catch strobe_attach!{via,self(),R,group_leader(),");
    write_request(&o, v, term, wait_ms, &a);
    sb_out_z(&o, "},A=receive{R,X}->erlang:demonitor(R,[flush]),X;{_,R,_,_,_}->gone end");
    bool ok = send_text(v, (struct sb_str){o.buf, o.n}, e);
    sb_out_abandon(&o);
    sb_arena_close(&a);
    return ok;
}

bool
sb_via_receive(struct sb_via *v, int patience_ms, bool *any, ei_x_buff *answers, struct sb_err *e)
{
    int version, at = 0;
    char gone[MAXATOMLEN_UTF8];
    SB_TRY(receive(v, patience_ms, any, answers, e));
    if (!*any)
        return true;
    if (ei_decode_version(answers->buff, &at, &version) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "the command of --via changes what the node answers");
    v->gone = ei_decode_atom(answers->buff, &at, gone) == 0;
    if (!v->gone)
        return true;
    sb_err_set(e, SB_ERR_SYSTEM, "the part of strobe is not in the node any more");
    return sb_err_advise(e, "give a command that runs in the node itself each time, as a release's rpc does");
}

void
sb_via_close(struct sb_via *v)
{
    if (v->runs)
        sb_shell_free(&v->run);
    v->runs = false;
}

bool
sb_via_is_loaded(struct sb_via *v, bool *is, struct sb_err *e)
{
    ei_x_buff x;
    int at = 0, version, loaded = 1;
    ei_x_new(&x);
    bool ok = ask(
        v, SB_STR("A=erlang:module_loaded(strobe_attach)orelse erlang:check_old_code(strobe_attach)"), &x, e);
    if (ok)
        ok =
            (ei_decode_version(x.buff, &at, &version) == 0 && ei_decode_boolean(x.buff, &at, &loaded) == 0) ||
            sb_err_set(e, SB_ERR_SYSTEM, "the command of --via changes what the node answers");
    *is = loaded;
    ei_x_free(&x);
    return ok;
}
