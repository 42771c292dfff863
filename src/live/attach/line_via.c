/*
 * The line of --via: a command of the user's evaluates Erlang expressions in the node: a release's rpc or eval, alone
 * or through kubectl exec, docker exec or ssh. The command gets the expression as its last argument, or where it has
 * {}. How it wants it is found out by trying. A run brings one request to the node, and all answers that are there.
 */
#include "base/base64.h"
#include "base/progress.h"
#include "live/attach/line.h"
#include "live/attach/push.h"
#include "live/attach/via_text.h"
#include <limits.h>
#include <stdlib.h>
#include <sys/random.h>

/* A lease: the node waits for the next run as long as four runs have taken, within these bounds. The least is that of a
 * connection: a busy machine may leave strobe without a core for a while. */
enum { RUN_MS = 60000, LEASE_LEAST_MS = 10000, LEASE_MOST_MS = 60000, LEASE_RUNS = 4, TOKEN_BITS = 40 };
enum { LEAST_WAIT_MS = 3000, REQUEST = 44 << 10 /* what fits into one run */, PIECE = 1 << 20, LOOKS = 5 };

struct via {
    const char *command;
    const char *script;  /* of the shell; "$1" is the expression */
    uint64_t token;      /* a number of this session; the marks contain it */
    unsigned form;       /* how the command takes the expression */
    enum sb_via_how how; /* where the command prints the value, output of the evaluating process is lost */
    bool gone;           /* the part of strobe in the node has ended */
    bool runs;           /* the command, with a request that has been sent */
    struct sb_shell run;
    int64_t began_ns; /* the last run */
    int64_t beat_ns;  /* the last request */
    int answers, at;  /* of the last run: their number, and the place of the next one in the message */
};

static struct via *
via_of(const struct sb_line *l)
{
    return l->state;
}

static bool
find(struct sb_line *l, const char *given, const char *command, struct sb_err *e)
{
    (void)given, (void)e;
    struct via *v = l->state = SB_NEW(l->a, struct via);
    *v = (struct via){.command = command};
    l->target = (struct sb_target){.node = SB_STR("the node")};
    return true;
}

/* ---- runs of the command */

static void
close_via(struct sb_line *l)
{
    struct via *v = l->state;
    if (v->runs)
        sb_shell_free(&v->run);
    v->runs = false;
}

/* Starts the command with an expression. */
static bool
begin(struct via *v, unsigned form, struct sb_str text, struct sb_err *e)
{
    SB_ARENA(a);
    v->run = (struct sb_shell){
        .script = v->script, .patience_ms = RUN_MS, .argument = sb_via_in_form(form, text, &a).p};
    v->began_ns = sb_clock_ns();
    v->runs = sb_shell_start(&v->run, e);
    return v->runs;
}

/* Takes the answer of a command that has ended into the message. */
static bool
finish(struct sb_line *l, enum sb_via_how *how, struct sb_err *e)
{
    struct via *v = l->state;
    bool ok = sb_shell_end(&v->run, e);
    int64_t took_ms = (sb_clock_ns() - v->began_ns) / 1000000;
    if (ok) {
        ok = sb_via_read_answer(&v->run.out, v->token, how, &l->message) || sb_via_no_answer(&v->run, e);
        l->slowest_ms = ok && took_ms > l->slowest_ms ? took_ms : l->slowest_ms;
    }
    close_via(l);
    return ok;
}

/* Starts the command with a text that binds A, in the form that was found. */
static bool
send_text(struct via *v, struct sb_str text, struct sb_err *e)
{
    SB_OUT_TO_MEMORY(whole);
    sb_out_str(&whole, text);
    sb_out_char(&whole, ',');
    if (v->how == SB_VIA_VALUE)
        sb_via_write_answer(&whole, v->token, SB_VIA_VALUE);
    else
        sb_via_write_print(&whole, v->token);
    return begin(v, v->form, (struct sb_str){whole.buf, whole.n}, e);
}

static bool
await(struct sb_line *l, enum sb_via_how *how, struct sb_err *e)
{
    while (!sb_shell_step(&via_of(l)->run, RUN_MS))
        ;
    return finish(l, how, e);
}

static bool
ask(struct sb_line *l, struct sb_str text, struct sb_err *e)
{
    enum sb_via_how how;
    return send_text(l->state, text, e) && await(l, &how, e);
}

static bool
puzzled(const struct sb_line *l, struct sb_err *e)
{
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s gave an answer that strobe does not understand",
                      SB_STR_ARG(l->target.node));
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

/* Both prints and returns an answer, the release as "25", to find out which of them arrives. */
static bool
probe(struct sb_line *l, unsigned form, struct sb_err *e)
{
    struct via *v = l->state;
    char release[64] = "";
    int at = 0, version, type, size;
    SB_OUT_TO_MEMORY(text);
    sb_out_z(&text, "A=erlang:system_info(otp_release),");
    sb_via_write_print(&text, v->token);
    sb_out_char(&text, ',');
    sb_via_write_answer(&text, v->token, SB_VIA_VALUE);
    v->form = form;
    bool ok = begin(v, form, (struct sb_str){text.buf, text.n}, e) && await(l, &v->how, e);
    const char *p = l->message.buff;
    bool is_text = ok && ei_decode_version(p, &at, &version) == 0 && ei_get_type(p, &at, &type, &size) == 0 &&
                   size < (int)sizeof release && ei_decode_string(p, &at, release) == 0;
    l->release = is_text ? atoi(release) : 0;
    return ok;
}

static bool
open_via(struct sb_line *l, struct sb_err *e)
{
    struct via *v = l->state;
    struct sb_err first = {.at_byte = SB_NO_BYTE};
    v->script = script_of(v->command, l->a);
    if (getrandom(&v->token, sizeof v->token, 0) != sizeof v->token)
        return sb_err_errno(e, "get a random number");
    v->token = (v->token >> (64 - TOKEN_BITS)) + (1ull << TOKEN_BITS);
    v->beat_ns = sb_clock_ns();
    /* a command that does not end has no other form either */
    for (unsigned f = 0; f < SB_VIA_FORMS && first.code != SB_ERR_SYSTEM; f++)
        if (probe(l, f, f == 0 ? &first : e))
            return true;
    *e = first;
    return false;
}

/* Without the time that a node may take on purpose. */
static int64_t
bare_lease_ms(const struct sb_line *l)
{
    int64_t ms = l->slowest_ms * LEASE_RUNS;
    return ms < LEASE_LEAST_MS ? LEASE_LEAST_MS : ms > LEASE_MOST_MS ? LEASE_MOST_MS : ms;
}

static int64_t
lease_ms(const struct sb_line *l)
{
    return bare_lease_ms(l) + LEAST_WAIT_MS;
}

/* Takes the name strobe_attach, which fails if somebody else is attached; the first request shows who has it. */
static bool
start(struct sb_line *l, const ei_x_buff *beam, struct sb_err *e)
{
    struct via *v = l->state;
    struct sb_str packed = sb_push_compress(beam, l->a);
    SB_OUT_TO_MEMORY(o);
    sb_out_z(
        &o,
        "A=case catch register(strobe_attach,self()) of true->case erlang:module_loaded(strobe_attach) of "
        "false->{module,_}=code:load_binary(strobe_attach,\"strobe_attach.beam\","
        "binary_to_term(base64:decode(<<\"");
    sb_base64_write(&o, packed.p, packed.n);
    sb_out_printf(&o,
                  "\">>))),strobe_attach:open({via,%llu,%lld});_->unregister(strobe_attach)end;_->taken end",
                  (unsigned long long)v->token, (long long)bare_lease_ms(l));
    l->is_ours = ask(l, (struct sb_str){o.buf, o.n}, e);
    v->beat_ns = sb_clock_ns();
    return l->is_ours;
}

static bool
is_loaded(struct sb_line *l, bool *is, struct sb_err *e)
{
    int at = 0, version, loaded;
    SB_TRY(ask(l, SB_STR("A=erlang:module_loaded(strobe_attach)orelse erlang:check_old_code(strobe_attach)"),
               e));
    if (ei_decode_version(l->message.buff, &at, &version) < 0 ||
        ei_decode_boolean(l->message.buff, &at, &loaded) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "the command of --via changes what the node answers");
    *is = loaded;
    return true;
}

/* ---- requests and answers */

static bool
is_open(const struct sb_line *l)
{
    return l->is_ours && !via_of(l)->gone;
}

/* Takes the answers of a run; `any`: it has ended. */
static bool
take_run(struct sb_line *l, int patience_ms, bool *any, struct sb_err *e)
{
    struct via *v = l->state;
    enum sb_via_how how;
    int version;
    char gone[MAXATOMLEN_UTF8];
    v->answers = v->at = 0;
    *any = sb_shell_step(&v->run, patience_ms);
    if (!*any)
        return true;
    SB_TRY(finish(l, &how, e));
    if (ei_decode_version(l->message.buff, &v->at, &version) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "the command of --via changes what the node answers");
    v->gone = ei_decode_atom(l->message.buff, &v->at, gone) == 0;
    if (!v->gone)
        return ei_decode_list_header(l->message.buff, &v->at, &v->answers) == 0 || puzzled(l, e);
    sb_err_set(e, SB_ERR_SYSTEM, "the part of strobe is not in the node any more");
    return sb_err_advise(e, "give a command that runs in the node itself each time, as a release's rpc does");
}

/* {Token, Lease, Request} */
static void
write_request(struct sb_out *o, struct sb_line *l, const ei_x_buff *term, int wait_ms, struct sb_arena *a)
{
    SB_TERM(x);
    ei_x_encode_tuple_header(&x, 3);
    ei_x_encode_ulonglong(&x, via_of(l)->token);
    ei_x_encode_longlong(&x, bare_lease_ms(l) + wait_ms);
    if (term)
        ei_x_append_buf(&x, term->buff + 1, term->index - 1); /* without its version byte */
    else
        ei_x_encode_atom(&x, "none");
    sb_via_write_term(o, &x, a);
}

/* Starts the command with a request; NULL: only for answers. What a live view has asked for is dropped. */
static bool
send_term(struct sb_line *l, const ei_x_buff *request, int wait_ms, struct sb_err *e)
{
    struct via *v = l->state;
    SB_ARENA(a);
    for (bool any = !v->runs; !any;)
        SB_TRY(take_run(l, LEAST_WAIT_MS, &any, e));
    v->beat_ns = sb_clock_ns();
    v->answers = 0;
    SB_OUT_TO_MEMORY(o);
    sb_out_z(&o, "R=erlang:monitor(process,strobe_attach),catch strobe_attach!{via,self(),R,group_leader(),");
    write_request(&o, l, request, wait_ms, &a);
    sb_out_z(&o, "},A=receive{R,X}->erlang:demonitor(R,[flush]),X;{_,R,_,_,_}->gone end");
    return send_text(v, (struct sb_str){o.buf, o.n}, e);
}

static bool
is_silent(const struct sb_line *l)
{
    return !via_of(l)->runs && via_of(l)->answers == 0;
}

/* The command runs for who waits for an answer. A run without one is an error then. */
static bool
receive(struct sb_line *l, int patience_ms, bool *any, int *at, struct sb_err *e)
{
    struct via *v = l->state;
    *any = false;
    if (is_silent(l) && patience_ms > 0)
        SB_TRY(send_term(l, NULL, 0, e));
    bool ended = !v->runs;
    SB_TRY(ended || take_run(l, patience_ms, &ended, e));
    if (!ended || (v->answers == 0 && patience_ms == 0))
        return true;
    *at = v->at;
    *any = v->answers > 0 && sb_message_skip(&l->message, &v->at);
    v->answers -= *any;
    return *any || puzzled(l, e);
}

static bool
beat(struct sb_line *l, bool *ask, struct sb_err *e)
{
    const struct via *v = l->state;
    (void)e;
    *ask = !v->runs && sb_clock_ns() - v->beat_ns >= bare_lease_ms(l) * 1000000 / 2;
    return true;
}

static unsigned
poll_run(const struct sb_line *l, struct pollfd p[2])
{
    return via_of(l)->runs ? sb_shell_poll(&via_of(l)->run, p) : 0;
}

const struct sb_line_type sb_line_via = {
    .request = REQUEST,
    .piece = PIECE,
    .least_wait_ms = LEAST_WAIT_MS,
    .answer_ms = INT_MAX,
    .looks = LOOKS,
    .find = find,
    .open = open_via,
    .start = start,
    .is_open = is_open,
    .send = send_term,
    .receive = receive,
    .beat = beat,
    .poll = poll_run,
    .is_silent = is_silent,
    .lease_ms = lease_ms,
    .is_loaded = is_loaded,
    .close = close_via,
};
