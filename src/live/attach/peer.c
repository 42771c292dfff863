#include "live/attach/peer.h"
#include "base/file.h"
#include "base/progress.h"
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 64 << 10, ANSWER_MS = 20000, OLDEST_RELEASE = 25, TRIES = 100, TRY_US = 20000 };

static const char *const reply_names[] = {
    [SB_PEER_OK] = "ok",
    [SB_PEER_NODE] = "node",
    [SB_PEER_NEEDED] = "needed",
    [SB_PEER_RECORDING] = "recording",
    [SB_PEER_RECORDED] = "recorded",
    [SB_PEER_LOOKED] = "looked",
    [SB_PEER_ERROR] = "error",
    [SB_PEER_LEFT] = "left",
};

/* ---- answers */

struct reply {
    enum sb_peer_reply kind;
    struct sb_str text;
    int at; /* what follows the name, in the message */
};

static bool
puzzled(const struct sb_peer *n, struct sb_err *e)
{
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s gave an answer that strobe does not understand",
                      SB_STR_ARG(n->target->node));
}

/* {strobe, ok} or {strobe, {Name, ...}} */
static bool
parse(struct sb_peer *n, int at, struct reply *r)
{
    const struct sb_dist *l = &n->link;
    int arity;
    if (!sb_dist_tuple(l, &at, 2) || !sb_dist_atom(l, &at, "strobe"))
        return false;
    *r = (struct reply){.kind = SB_PEER_OK};
    if (sb_dist_atom(l, &at, "ok"))
        return true;
    if (ei_decode_tuple_header(l->message.buff, &at, &arity) < 0)
        return false;
    for (unsigned k = SB_PEER_NODE; k <= SB_PEER_LEFT; k++)
        if (sb_dist_atom(l, &at, reply_names[k])) {
            *r = (struct reply){.kind = (enum sb_peer_reply)k, .at = at};
            r->text = sb_arena_str(n->a, sb_dist_binary(l, &at));
            return true;
        }
    return false;
}

/* {left, [Text], AtomsMore} */
static bool
take_left(struct sb_peer *n, int at)
{
    const char *p = n->link.message.buff;
    int count;
    if (ei_decode_list_header(p, &at, &count) < 0)
        return false;
    for (int i = 0; i < count; i++) {
        struct sb_str text = sb_dist_binary(&n->link, &at);
        if (!text.n)
            return false;
        *SB_PUSH(&n->left) = sb_arena_str(n->a, text);
    }
    if (count > 0 && (ei_decode_list_header(p, &at, &count) < 0 || count != 0))
        return false;
    n->left_known = true;
    return ei_decode_long(p, &at, &n->atoms_more) == 0;
}

bool
sb_peer_beat(struct sb_peer *n, struct sb_err *e)
{
    int64_t now = sb_clock_ns();
    if (now - n->beat_ns < (int64_t)SB_PEER_BEAT_MS * 1000000)
        return true;
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_atom(&x, "beat");
    bool ok = sb_dist_send(&n->link, &n->keeper, &x, e);
    ei_x_free(&x);
    n->beat_ns = now;
    return ok;
}

static bool
receive(struct sb_peer *n, bool *any, struct reply *r, struct sb_err *e)
{
    int at;
    SB_TRY(sb_dist_receive(&n->link, any, &at, e));
    *any = *any && parse(n, at, r);
    if (*any && r->kind == SB_PEER_LEFT && !take_left(n, r->at))
        return puzzled(n, e);
    return true;
}

/* Waits for the next answer, and sends beats meanwhile. */
static bool
next_reply(struct sb_peer *n, struct reply *r, struct sb_err *e)
{
    for (int64_t start = sb_clock_ns(); sb_clock_ns() - start < (int64_t)ANSWER_MS * 1000000;) {
        struct pollfd p = {.fd = n->link.fd, .events = POLLIN};
        bool any = false;
        SB_TRY(sb_peer_beat(n, e));
        if (poll(&p, 1, SB_PEER_BEAT_MS) > 0)
            SB_TRY(receive(n, &any, r, e));
        if (any)
            return true;
    }
    return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not answer any more", SB_STR_ARG(n->target->node));
}

static bool
killed(const struct sb_peer *n, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_SYSTEM, "the part of strobe in %.*s was killed", SB_STR_ARG(n->target->node));
    return sb_err_advise(e, "the trace ends there");
}

static bool
expect(struct sb_peer *n, enum sb_peer_reply wanted, struct reply *r, struct sb_err *e)
{
    SB_TRY(next_reply(n, r, e));
    if (r->kind == wanted)
        return true;
    if (r->kind == SB_PEER_ERROR)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r->text));
    if (r->kind == SB_PEER_LEFT)
        return killed(n, e);
    return puzzled(n, e);
}

bool
sb_peer_take(struct sb_peer *n, struct sb_err *e)
{
    struct reply r;
    bool any;
    SB_TRY(receive(n, &any, &r, e));
    return !any || r.kind != SB_PEER_LEFT || killed(n, e);
}

bool
sb_peer_ask(struct sb_peer *n, const ei_x_buff *request, enum sb_peer_reply wanted, struct sb_str *text,
            struct sb_err *e)
{
    struct reply r;
    SB_TRY(sb_dist_send(&n->link, &n->worker, request, e) && expect(n, wanted, &r, e));
    *text = r.text;
    return true;
}

bool
sb_peer_look(struct sb_peer *n, struct sb_str pids, struct sb_str *lines, struct sb_err *e)
{
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "look");
    ei_x_encode_binary(&x, pids.p, (int)pids.n);
    bool ok = sb_peer_ask(n, &x, SB_PEER_LOOKED, lines, e);
    ei_x_free(&x);
    return ok;
}

/* ---- the start */

static bool
check_release(struct sb_peer *n, struct sb_err *e)
{
    ei_x_buff args;
    char release[64] = "";
    int at;
    ei_x_new(&args);
    ei_x_format_wo_ver(&args, "[otp_release]");
    bool ok = sb_dist_call(&n->link, "erlang", "system_info", &args, &at, e);
    ei_x_free(&args);
    SB_TRY(ok);
    int type, size;
    if (ei_get_type(n->link.message.buff, &at, &type, &size) < 0 || size >= (int)sizeof release ||
        ei_decode_string(n->link.message.buff, &at, release) < 0)
        return puzzled(n, e);
    if (atoi(release) >= OLDEST_RELEASE)
        return true;
    sb_err_set(e, SB_ERR_INPUT, "%.*s runs OTP %.10s", SB_STR_ARG(n->target->node), release);
    return sb_err_advise(e, "strobe attaches to nodes of OTP %d and later", OLDEST_RELEASE);
}

/*
 * Of the node's one process, in one step: take the name strobe_attach (fails if somebody else is attached), see
 * that the module is not there, load it and start it. The values B, F and P are bound by the call.
 *
 *     register(strobe_attach, self()),
 *     case module_loaded(strobe_attach) of
 *         false -> {module, _} = code:load_binary(strobe_attach, F, B), strobe_attach:open(P)
 *     end
 */
static const char start_form[] =
    "[{block,1,[{call,1,{remote,1,{atom,1,erlang},{atom,1,register}},"
    "[{atom,1,strobe_attach},{call,1,{remote,1,{atom,1,erlang},{atom,1,self}},[]}]},"
    "{'case',1,{call,1,{remote,1,{atom,1,erlang},{atom,1,module_loaded}},[{atom,1,strobe_attach}]},"
    "[{clause,1,[{atom,1,false}],[],[{match,1,{tuple,1,[{atom,1,module},{var,1,'_'}]},"
    "{call,1,{remote,1,{atom,1,code},{atom,1,load_binary}},[{atom,1,strobe_attach},{var,1,'F'},{var,1,'B'}]}}"
    ","
    "{call,1,{remote,1,{atom,1,strobe_attach},{atom,1,open}},[{var,1,'P'}]}]}]}]}]";

static void
bind_value(ei_x_buff *x, const char *name)
{
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, name);
}

/* erl_eval:expr(Form, [{'B', Beam}, {'F', File}, {'P', Client}]) */
static bool
encode_start(ei_x_buff *x, struct sb_peer *n, const struct sb_file *beam)
{
    ei_x_buff form;
    ei_x_new(&form);
    /* the form is parsed as the list of arguments; its tail is replaced by the bindings */
    bool ok = ei_x_format_wo_ver(&form, start_form) == 0;
    int at = 0, count = 0;
    ok = ok && ei_decode_list_header(form.buff, &at, &count) == 0 && count == 1;
    ei_x_encode_list_header(x, 2);
    if (ok)
        ei_x_append_buf(x, form.buff + at, form.index - at - 1); /* without the empty list at its end */
    ei_x_free(&form);
    ei_x_encode_list_header(x, 3);
    bind_value(x, "B");
    ei_x_encode_binary(x, beam->p, (int)beam->n);
    bind_value(x, "F");
    ei_x_encode_string(x, "strobe_attach.beam");
    bind_value(x, "P");
    ei_x_encode_pid(x, sb_dist_self(&n->link));
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
    return ok;
}

/* {value, {Keeper, Worker}, Bindings}, or {badrpc, Why} */
static bool
decode_start(struct sb_peer *n, int at, struct sb_err *e)
{
    const char *p = n->link.message.buff;
    if (sb_dist_tuple(&n->link, &at, 3) && sb_dist_atom(&n->link, &at, "value") &&
        sb_dist_tuple(&n->link, &at, 2) && ei_decode_pid(p, &at, &n->keeper) == 0 &&
        ei_decode_pid(p, &at, &n->worker) == 0) {
        n->started = true;
        return true;
    }
    sb_err_set(e, SB_ERR_SYSTEM,
               "%.*s could not be attached to: another strobe is attached to it, or it has "
               "loaded strobe itself",
               SB_STR_ARG(n->target->node));
    return sb_err_advise(e, "wait for the other recording, or use strobe:profile/2 in the node");
}

static bool
open_file(struct sb_file *f, struct sb_arena *a, const char *folder, const char *name, struct sb_err *e)
{
    return sb_file_open(f, sb_arena_printf(a, "%s/%s.beam", folder, name).p, e);
}

static bool
start(struct sb_peer *n, const char *ebin, struct sb_err *e)
{
    struct sb_file beam;
    ei_x_buff args;
    int at;
    SB_TRY(open_file(&beam, n->a, ebin, "strobe_attach", e));
    ei_x_new(&args);
    SB_ASSERT(encode_start(&args, n, &beam));
    bool ok = sb_dist_call(&n->link, "erl_eval", "expr", &args, &at, e) && decode_start(n, at, e);
    ei_x_free(&args);
    sb_file_close(&beam);
    return ok;
}

bool
sb_peer_open(struct sb_peer *n, struct sb_target *t, const char *ebin, struct sb_arena *a, struct sb_err *e)
{
    *n = (struct sb_peer){.target = t, .a = a, .link = {.fd = -1}};
    SB_TRY(sb_dist_open(&n->link, t, a, e));
    if (check_release(n, e) && start(n, ebin, e))
        return true;
    sb_dist_close(&n->link);
    return false;
}

/* ---- requests */

static void
decode_fact(const struct sb_dist *l, int *at, struct sb_peer_facts *f)
{
    const struct {
        const char *name;
        long *into;
    } number[] = {{"os_pid", &f->os_pid},
                  {"words", &f->words},
                  {"schedulers", &f->schedulers},
                  {"processes", &f->processes},
                  {"most_processes", &f->most_processes},
                  {"atoms", &f->atoms},
                  {"most_atoms", &f->most_atoms},
                  {"runnable", &f->runnable}};
    for (unsigned i = 0; i < sizeof number / sizeof *number; i++)
        if (sb_dist_atom(l, at, number[i].name)) {
            ei_decode_long(l->message.buff, at, number[i].into);
            return;
        }
    bool is_name = sb_dist_atom(l, at, "name");
    if (!is_name && !sb_dist_atom(l, at, "architecture"))
        return;
    struct sb_str text = sb_dist_binary(l, at);
    if (is_name)
        snprintf(f->name, sizeof f->name, "%.*s", SB_STR_ARG(text));
    else
        snprintf(f->architecture, sizeof f->architecture, "%.*s", SB_STR_ARG(text));
}

bool
sb_peer_facts(struct sb_peer *n, struct sb_peer_facts *f, struct sb_err *e)
{
    struct reply r;
    int count;
    *f = (struct sb_peer_facts){0};
    SB_TRY(expect(n, SB_PEER_NODE, &r, e));
    if (ei_decode_list_header(n->link.message.buff, &r.at, &count) < 0)
        return puzzled(n, e);
    for (int i = 0; i < count; i++) {
        if (!sb_dist_tuple(&n->link, &r.at, 2))
            return puzzled(n, e);
        decode_fact(&n->link, &r.at, f);
    }
    n->target->node = sb_arena_str(n->a, sb_str_of(f->name));
    return true;
}

bool
sb_peer_send_module(struct sb_peer *n, const char *ebin, const char *module, struct sb_err *e)
{
    struct sb_file beam;
    struct sb_str text;
    ei_x_buff x;
    SB_TRY(open_file(&beam, n->a, ebin, module, e));
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 3);
    ei_x_encode_atom(&x, "module");
    ei_x_encode_atom(&x, module);
    ei_x_encode_binary(&x, beam.p, (int)beam.n);
    bool ok = sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
    ei_x_free(&x);
    sb_file_close(&beam);
    return ok;
}

static bool
send_piece(struct sb_peer *n, const uint8_t *p, uint64_t bytes, struct sb_err *e)
{
    struct sb_str text;
    ei_x_buff x;
    ei_x_new_with_version(&x);
    ei_x_encode_tuple_header(&x, 2);
    ei_x_encode_atom(&x, "library");
    ei_x_encode_binary(&x, p, (int)bytes);
    bool ok = sb_peer_ask(n, &x, SB_PEER_OK, &text, e);
    ei_x_free(&x);
    return ok;
}

bool
sb_peer_send_library(struct sb_peer *n, const char *path, struct sb_err *e)
{
    struct sb_file f;
    SB_TRY(sb_file_open(&f, path, e));
    bool ok = true;
    for (uint64_t at = 0; ok && at < f.n; at += PIECE)
        ok = send_piece(n, f.p + at, f.n - at < PIECE ? f.n - at : PIECE, e);
    sb_file_close(&f);
    return ok;
}

/* ---- the end */

static bool
call_for_true(struct sb_peer *n, const char *function, bool *is, struct sb_err *e)
{
    ei_x_buff args;
    int at;
    ei_x_new(&args);
    ei_x_format_wo_ver(&args, "[strobe_attach]");
    bool ok = sb_dist_call(&n->link, "erlang", function, &args, &at, e);
    ei_x_free(&args);
    SB_TRY(ok);
    *is = sb_dist_atom(&n->link, &at, "true");
    return true;
}

/* The last module is removed by the node after its last answer; that takes a moment. */
static bool
await_last_module(struct sb_peer *n, struct sb_err *e)
{
    bool loaded = true, old = true;
    for (int i = 0; i < TRIES && (loaded || old); i++) {
        if (i > 0)
            usleep(TRY_US);
        SB_TRY(call_for_true(n, "module_loaded", &loaded, e) && call_for_true(n, "check_old_code", &old, e));
    }
    if (loaded || old)
        *SB_PUSH(&n->left) = SB_STR("module strobe_attach");
    return true;
}

bool
sb_peer_end(struct sb_peer *n, struct sb_str *missing, struct sb_err *e)
{
    struct reply r = {0};
    struct sb_err why = {.at_byte = SB_NO_BYTE};
    bool recorded = false;
    ei_x_buff x;
    if (!n->left_known) {
        ei_x_new_with_version(&x);
        ei_x_encode_atom(&x, "stop");
        bool ok = sb_dist_send(&n->link, &n->worker, &x, e);
        ei_x_free(&x);
        SB_TRY(ok);
    }
    while (!n->left_known) {
        SB_TRY(next_reply(n, &r, e));
        if (r.kind == SB_PEER_RECORDED) {
            recorded = true;
            *missing = r.text;
        } else if (r.kind == SB_PEER_ERROR)
            sb_err_set(&why, SB_ERR_SYSTEM, "%.*s", SB_STR_ARG(r.text));
    }
    SB_TRY(await_last_module(n, e));
    if (recorded)
        return true;
    if (why.code == SB_OK)
        return killed(n, e);
    *e = why;
    return false;
}

void
sb_peer_close(struct sb_peer *n)
{
    sb_dist_close(&n->link);
    SB_VEC_FREE(&n->left);
}
