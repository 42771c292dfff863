/* The line of Erlang's distribution: this program is a hidden node, connected to the one that it records. */
#include "base/file.h"
#include "base/progress.h"
#include "live/attach/target.h"
#include "live/attach/line.h"
#include <fcntl.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { CONNECT_MS = 7000, CALL_MS = 20000, MESSAGE_MS = 10000 };

struct dist {
    ei_cnode me;
    int fd;                    /* of the connection; -1: lost or never made */
    erlang_pid keeper, worker; /* of strobe_attach */
    int64_t beat_ns;           /* time of the last beat */
};

static struct dist *
dist_of(const struct sb_line *l)
{
    return l->state;
}

/* ---- the connection */

/* Nodes remember the names of others for good, so there are few. The second is for one that is in use. */
static const char *const names[] = {"strobe_attach", "strobe_attach_2"};

static bool
no_connection(const struct sb_target *t, struct sb_err *e)
{
    struct sb_str proto = t->beam.proto;
    if (proto.n && !sb_str_eq(proto, SB_STR("inet_tcp"))) {
        sb_err_set(e, SB_ERR_INPUT, "%.*s refused the connection: its distribution is by %.*s",
                   SB_STR_ARG(t->node), SB_STR_ARG(proto));
        return sb_err_advise(e, "reach it by a command that runs in the node, with --via");
    }
    sb_err_set(e, SB_ERR_INPUT, "%.*s refused the connection: the cookie of %s is not its own",
               SB_STR_ARG(t->node), t->cookie_from);
    return sb_err_advise(e, "run strobe as the user of the node, or put its cookie into RELEASE_COOKIE");
}

static bool
connect_as(struct sb_line *l, const char *name, struct sb_err *e)
{
    struct dist *d = l->state;
    const struct sb_target *t = &l->target;
    struct sb_arena *a = l->a;
    struct in_addr address = t->address;
    const char *host = sb_arena_str(a, t->host).p, *cookie = sb_arena_str(a, t->cookie).p;
    const char *whole = sb_arena_printf(a, "%s@%s", name, host).p;
    if (ei_connect_xinit(&d->me, host, name, whole, &address, cookie, (short)(getpid() & 3)) < 0)
        return sb_err_set(e, SB_ERR_INPUT, "%s is no name that a node can have", whole);
    d->fd = ei_xconnect_host_port_tmo(&d->me, &address, t->port, CONNECT_MS);
    if (d->fd >= 0) /* the drain must not keep it open: it outlives this program */
        fcntl(d->fd, F_SETFD, FD_CLOEXEC);
    return d->fd >= 0;
}

static bool
connect_to(struct sb_line *l, struct sb_err *e)
{
    const struct sb_target *t = &l->target;
    *e = (struct sb_err){.at_byte = SB_NO_BYTE};
    if (t->cookie.n >= EI_MAX_COOKIE_SIZE || t->node.n + strlen(names[1]) >= MAXNODELEN)
        return sb_err_set(e, SB_ERR_INPUT, "the name or the cookie of %.200s is too long", t->node.p);
    for (unsigned i = 0; i < sizeof names / sizeof *names && e->code == SB_OK; i++)
        if (connect_as(l, l->as ? l->as : names[i], e))
            return true;
    int err = erl_errno;
    if (e->code != SB_OK || sb_target_has_ended(t, e))
        return false;
    if (err != ETIMEDOUT)
        return no_connection(t, e);
    sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not answer", SB_STR_ARG(t->node));
    return sb_err_advise(e, "it is stopped, too busy to answer, or takes TLS connections only");
}

static void
close_dist(struct sb_line *l)
{
    struct dist *d = l->state;
    if (d->fd >= 0)
        ei_close_connection(d->fd);
    d->fd = -1;
}

static bool
lost(struct sb_line *l, struct sb_err *e)
{
    close_dist(l);
    return !sb_target_has_ended(&l->target, e) &&
           sb_err_set(e, SB_ERR_SYSTEM, "the connection to %.*s was lost", SB_STR_ARG(l->target.node));
}

/* Calls a function of the node, through its rpc server. `args` is an encoded list, without the version byte. The result
 * is decoded from l->message at *at. */
static bool
call(struct sb_line *l, const char *module, const char *function, const ei_x_buff *args, int *at,
     struct sb_err *e)
{
    struct dist *d = l->state;
    erlang_msg msg;
    if (d->fd < 0 || ei_rpc_to(&d->me, d->fd, (char *)module, (char *)function, args->buff, args->index) < 0)
        return lost(l, e);
    int got;
    while ((got = ei_rpc_from(&d->me, d->fd, CALL_MS, &msg, &l->message)) == ERL_TICK)
        ;
    int version;
    *at = 0;
    if (got != ERL_MSG)
        return lost(l, e);
    if (sb_message_seal(&l->message) && ei_decode_version(l->message.buff, at, &version) == 0 &&
        sb_message_tuple(&l->message, at, 2) && sb_message_atom(&l->message, at, "rex"))
        return true;
    return sb_err_set(e, SB_ERR_SYSTEM, "the node gave an answer that strobe does not understand");
}

static bool
send_to(struct sb_line *l, const erlang_pid *to, const ei_x_buff *term, struct sb_err *e)
{
    int fd = dist_of(l)->fd;
    erlang_pid pid = *to;
    return (fd >= 0 && ei_send_tmo(fd, &pid, term->buff, term->index, MESSAGE_MS) == 0) || lost(l, e);
}

/* Receives a message once the connection is readable. `any`: there was one, at *at of the message. */
static bool
receive_one(struct sb_line *l, bool *any, int *at, struct sb_err *e)
{
    const struct dist *d = l->state;
    erlang_msg msg;
    int version;
    *any = false;
    *at = l->message.index = 0;
    int got = ei_xreceive_msg_tmo(d->fd, &msg, &l->message, MESSAGE_MS);
    if (got == ERL_TICK)
        return true;
    if (got != ERL_MSG)
        return lost(l, e);
    *any = (msg.msgtype == ERL_SEND || msg.msgtype == ERL_REG_SEND) && sb_message_seal(&l->message) &&
           ei_decode_version(l->message.buff, at, &version) == 0;
    return true;
}

static bool
find(struct sb_line *l, const char *given, const char *via, struct sb_err *e)
{
    (void)via;
    struct dist *d = l->state = SB_NEW(l->a, struct dist);
    *d = (struct dist){.fd = -1};
    return sb_target_find(&l->target, given, l->a, e);
}

/* ---- calls */

/* Calls a function of the module erlang with an argument that is an atom, by ei_x_format. */
static bool
call_erlang(struct sb_line *l, const char *function, const char *argument, int *at, struct sb_err *e)
{
    SB_ARGUMENTS(args);
    ei_x_format_wo_ver(&args, argument);
    return call(l, "erlang", function, &args, at, e);
}

static bool
open_dist(struct sb_line *l, struct sb_err *e)
{
    char release[64] = "";
    int at, type, size;
    SB_TRY(connect_to(l, e) && call_erlang(l, "system_info", "[otp_release]", &at, e));
    if (ei_get_type(l->message.buff, &at, &type, &size) < 0 || size >= (int)sizeof release ||
        ei_decode_string(l->message.buff, &at, release) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not say what release it runs",
                          SB_STR_ARG(l->target.node));
    l->release = atoi(release);
    return true;
}

static bool
call_for_true(struct sb_line *l, const char *function, bool *is, struct sb_err *e)
{
    int at;
    SB_TRY(call_erlang(l, function, "[strobe_attach]", &at, e));
    *is = sb_message_atom(&l->message, &at, "true");
    return true;
}

static bool
is_loaded(struct sb_line *l, bool *is, struct sb_err *e)
{
    bool old;
    SB_TRY(call_for_true(l, "module_loaded", is, e) && call_for_true(l, "check_old_code", &old, e));
    *is |= old;
    return true;
}

static bool
nodes(struct sb_line *l, struct sb_arena *a, struct sb_str *found, struct sb_err *e)
{
    char name[MAXATOMLEN_UTF8];
    int at, count;
    SB_TRY(call_erlang(l, "nodes", "[]", &at, e));
    const char *p = l->message.buff;
    if (ei_decode_list_header(p, &at, &count) < 0)
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not say what it is connected to",
                          SB_STR_ARG(l->target.node));
    SB_OUT_TO_MEMORY(all);
    while (count-- > 0 && ei_decode_atom_as(p, &at, name, sizeof name, ERLANG_UTF8, NULL, NULL) == 0)
        sb_out_printf(&all, "%s\n", name);
    *found = sb_arena_str(a, (struct sb_str){all.buf, all.n});
    return true;
}

/* ---- the start */

/*
 * The name strobe_attach is taken first, which fails if somebody else is attached. A process of the node holds it until
 * the module is there, the connection is lost, or for HOLD_MS. Then all is one step of the node:
 *
 *     erlang:register(strobe_attach, Holder),
 *     code:load_binary(strobe_attach, "strobe_attach.beam", Beam),
 *     strobe_attach:open(Client)
 *
 * It is written as lists:zipwith3(fun erlang:apply/3, ...), which every node has loaded. The modules that evaluate
 * expressions would leave 150 atoms more in a node that has not used them.
 */
enum { HOLD_MS = 60000 };

static void
encode_function(ei_x_buff *x, const char *module, const char *name, int arity)
{
    static const char export_ext = 113;
    ei_x_append_buf(x, &export_ext, 1);
    ei_x_encode_atom(x, module);
    ei_x_encode_atom(x, name);
    ei_x_encode_long(x, arity);
}

/* The process of the node that serves this connection, and ends with it. */
static bool
find_owner(struct sb_line *l, erlang_pid *owner, struct sb_err *e)
{
    int at;
    SB_ARGUMENTS(args);
    ei_x_format_wo_ver(&args, "[~a, owner]", ei_thisnodename(&dist_of(l)->me));
    SB_TRY(call(l, "net_kernel", "node_info", &args, &at, e));
    return (sb_message_tuple(&l->message, &at, 2) && sb_message_atom(&l->message, &at, "ok") &&
            ei_decode_pid(l->message.buff, &at, owner) == 0) ||
           lost(l, e);
}

/*
 * It evaluates
 *
 *     erlang:monitor(process, Owner),
 *     prim_eval:'receive'(fun erlang:is_tuple/1, HOLD_MS)
 *
 * of which the second waits for messages: none comes but that the connection is lost.
 */
static bool
start_holder(struct sb_line *l, erlang_pid *holder, struct sb_err *e)
{
    erlang_pid owner;
    int at;
    SB_TRY(find_owner(l, &owner, e));
    SB_ARGUMENTS(args);
    ei_x_encode_list_header(&args, 3);
    ei_x_encode_atom(&args, "lists");
    ei_x_encode_atom(&args, "zipwith");
    ei_x_encode_list_header(&args, 3);
    encode_function(&args, "erlang", "apply", 2);
    ei_x_encode_list_header(&args, 2);
    encode_function(&args, "erlang", "monitor", 2);
    encode_function(&args, "prim_eval", "receive", 2);
    ei_x_encode_empty_list(&args);
    ei_x_encode_list_header(&args, 2);
    ei_x_encode_list_header(&args, 2);
    ei_x_encode_atom(&args, "process");
    ei_x_encode_pid(&args, &owner);
    ei_x_encode_empty_list(&args);
    ei_x_encode_list_header(&args, 2);
    encode_function(&args, "erlang", "is_tuple", 1);
    ei_x_encode_long(&args, HOLD_MS);
    ei_x_encode_empty_list(&args);
    ei_x_encode_empty_list(&args);
    ei_x_encode_empty_list(&args);
    ei_x_encode_empty_list(&args);
    SB_TRY(call(l, "erlang", "spawn", &args, &at, e));
    return ei_decode_pid(l->message.buff, &at, holder) == 0 ||
           sb_err_set(e, SB_ERR_SYSTEM, "%.*s starts no process", SB_STR_ARG(l->target.node));
}

static void
stop_holder(struct sb_line *l, const erlang_pid *holder)
{
    struct sb_err ignored;
    int at;
    SB_ARGUMENTS(args);
    ei_x_encode_list_header(&args, 2);
    ei_x_encode_pid(&args, holder);
    ei_x_encode_atom(&args, "kill");
    ei_x_encode_empty_list(&args);
    call(l, "erlang", "exit", &args, &at, &ignored);
}

static void
encode_start(ei_x_buff *x, struct sb_line *l, const erlang_pid *holder, const ei_x_buff *beam)
{
    struct dist *d = l->state;
    ei_x_encode_list_header(x, 4);
    encode_function(x, "erlang", "apply", 3);
    ei_x_format_wo_ver(x, "[erlang, code, strobe_attach]");
    ei_x_format_wo_ver(x, "[register, load_binary, open]");
    ei_x_encode_list_header(x, 3);
    ei_x_encode_list_header(x, 2);
    ei_x_encode_atom(x, "strobe_attach");
    ei_x_encode_pid(x, holder);
    ei_x_encode_empty_list(x);
    ei_x_encode_list_header(x, 3);
    ei_x_encode_atom(x, "strobe_attach");
    ei_x_encode_string(x, "strobe_attach.beam");
    ei_x_append_buf(x, beam->buff + 1, beam->index - 1); /* without its version byte */
    ei_x_encode_empty_list(x);
    ei_x_encode_list_header(x, 1);
    ei_x_encode_pid(x, ei_self(&d->me));
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
}

static bool
refused(const struct sb_line *l, struct sb_err *e)
{
    sb_err_set(
        e, SB_ERR_SYSTEM,
        "%.*s could not be attached to: another strobe is attached to it, or it has loaded strobe itself",
        SB_STR_ARG(l->target.node));
    return sb_err_advise(e, "wait for the other recording, or use strobe:profile/2 in the node");
}

/* [true, {module, strobe_attach}, {Keeper, Worker}], or {badrpc, Why} */
static bool
decode_start(struct sb_line *l, int at, struct sb_err *e)
{
    struct dist *d = l->state;
    const char *p = l->message.buff;
    int count;
    if (ei_decode_list_header(p, &at, &count) == 0 && count == 3 && ei_skip_term(p, &at) == 0 &&
        ei_skip_term(p, &at) == 0 && sb_message_tuple(&l->message, &at, 2) &&
        ei_decode_pid(p, &at, &d->keeper) == 0 && ei_decode_pid(p, &at, &d->worker) == 0)
        return true;
    return refused(l, e);
}

static bool
start(struct sb_line *l, const ei_x_buff *beam, struct sb_err *e)
{
    erlang_pid holder;
    int at;
    bool loaded;
    SB_TRY(call_for_true(l, "module_loaded", &loaded, e));
    if (loaded)
        return refused(l, e);
    SB_TRY(start_holder(l, &holder, e));
    SB_ARGUMENTS(args);
    encode_start(&args, l, &holder, beam);
    bool ok = call(l, "lists", "zipwith3", &args, &at, e) && decode_start(l, at, e);
    if (!ok)
        stop_holder(l, &holder);
    return ok;
}

/* ---- messages */

static bool
is_open(const struct sb_line *l)
{
    return dist_of(l)->fd >= 0;
}

static bool
send_term(struct sb_line *l, const ei_x_buff *request, int wait_ms, struct sb_err *e)
{
    (void)wait_ms;
    return send_to(l, &dist_of(l)->worker, request, e);
}

static bool
beat(struct sb_line *l, bool *ask, struct sb_err *e)
{
    struct dist *d = l->state;
    int64_t now = sb_clock_ns();
    *ask = false;
    if (now - d->beat_ns < (int64_t)SB_LINE_BEAT_MS * 1000000)
        return true;
    SB_TERM(x);
    ei_x_encode_atom(&x, "beat");
    bool ok = send_to(l, &d->keeper, &x, e);
    d->beat_ns = now;
    return ok;
}

static unsigned
poll_dist(const struct sb_line *l, struct pollfd p[2])
{
    p[0] = (struct pollfd){.fd = dist_of(l)->fd, .events = POLLIN};
    return 1;
}

/* Takes only what strobe_attach sends. Beats are sent while this program waits. */
static bool
receive(struct sb_line *l, int patience_ms, bool *any, int *at, struct sb_err *e)
{
    struct pollfd p[2];
    bool ask;
    *any = false;
    SB_TRY(patience_ms == 0 || beat(l, &ask, e));
    if (poll(p, poll_dist(l, p), patience_ms) <= 0)
        return true;
    SB_TRY(receive_one(l, any, at, e));
    int begin = *at;
    *any = *any && sb_message_tuple(&l->message, &begin, 2) && sb_message_atom(&l->message, &begin, "strobe");
    return true;
}

const struct sb_line_type sb_line_dist = {
    .by_name = true,
    .request = 64 << 10,
    .piece = 128 << 10,
    .answer_ms = 20000,
    .looks = 100,
    .find = find,
    .open = open_dist,
    .start = start,
    .is_open = is_open,
    .send = send_term,
    .receive = receive,
    .beat = beat,
    .poll = poll_dist,
    .is_loaded = is_loaded,
    .nodes = nodes,
    .close = close_dist,
};
