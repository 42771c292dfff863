#include "live/attach/dist.h"
#include "live/attach/ended.h"
#include "trace/term/etf.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { CONNECT_MS = 7000, CALL_MS = 20000, MESSAGE_MS = 10000 };

/* Nodes remember the names of others for good, so there are few. The second is for one that is in use. */
static const char *const names[] = {"strobe_attach", "strobe_attach_2"};

static bool
refused(const struct sb_target *t, struct sb_err *e)
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
connect_as(struct sb_dist *l, const char *name, const struct sb_target *t, struct sb_arena *a,
           struct sb_err *e)
{
    struct in_addr address = t->address;
    const char *host = sb_arena_str(a, t->host).p, *cookie = sb_arena_str(a, t->cookie).p;
    const char *whole = sb_arena_printf(a, "%s@%s", name, host).p;
    if (ei_connect_xinit(&l->me, host, name, whole, &address, cookie, (short)(getpid() & 3)) < 0)
        return sb_err_set(e, SB_ERR_INPUT, "%s is no name that a node can have", whole);
    l->fd = ei_xconnect_host_port_tmo(&l->me, &address, t->port, CONNECT_MS);
    if (l->fd >= 0) /* the drain must not keep it open: it outlives this program */
        fcntl(l->fd, F_SETFD, FD_CLOEXEC);
    return l->fd >= 0;
}

bool
sb_dist_open(struct sb_dist *l, const struct sb_target *t, struct sb_arena *a, struct sb_err *e)
{
    *l = (struct sb_dist){.fd = -1, .target = t};
    *e = (struct sb_err){.at_byte = SB_NO_BYTE};
    ei_init();
    if (t->cookie.n >= EI_MAX_COOKIE_SIZE || t->node.n + strlen(names[1]) >= MAXNODELEN)
        return sb_err_set(e, SB_ERR_INPUT, "the name or the cookie of %.200s is too long", t->node.p);
    ei_x_new(&l->message);
    for (unsigned i = 0; i < sizeof names / sizeof *names && e->code == SB_OK; i++)
        if (connect_as(l, names[i], t, a, e))
            return true;
    int err = erl_errno;
    ei_x_free(&l->message);
    if (e->code != SB_OK || sb_target_has_ended(t, e))
        return false;
    if (err != ETIMEDOUT)
        return refused(t, e);
    sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not answer", SB_STR_ARG(t->node));
    return sb_err_advise(e, "it is stopped, too busy to answer, or takes TLS connections only");
}

void
sb_dist_close(struct sb_dist *l)
{
    if (l->fd >= 0)
        ei_close_connection(l->fd);
    l->fd = -1;
    ei_x_free(&l->message);
}

const erlang_pid *
sb_dist_self(struct sb_dist *l)
{
    return ei_self(&l->me);
}

static bool
lost(struct sb_dist *l, struct sb_err *e)
{
    if (l->fd >= 0)
        ei_close_connection(l->fd);
    l->fd = -1;
    if (sb_target_has_ended(l->target, e))
        return false;
    return sb_err_set(e, SB_ERR_SYSTEM, "the connection to %.*s was lost", SB_STR_ARG(l->target->node));
}

/* The answer is {rex, Result}. */
bool
sb_dist_call(struct sb_dist *l, const char *module, const char *function, const ei_x_buff *args, int *at,
             struct sb_err *e)
{
    erlang_msg msg;
    if (l->fd < 0 || ei_rpc_to(&l->me, l->fd, (char *)module, (char *)function, args->buff, args->index) < 0)
        return lost(l, e);
    int got;
    while ((got = ei_rpc_from(&l->me, l->fd, CALL_MS, &msg, &l->message)) == ERL_TICK)
        ;
    int version;
    *at = 0;
    if (got != ERL_MSG)
        return lost(l, e);
    if (sb_dist_seal(&l->message) && ei_decode_version(l->message.buff, at, &version) == 0 &&
        sb_dist_tuple(l, at, 2) && sb_dist_atom(l, at, "rex"))
        return true;
    return sb_err_set(e, SB_ERR_SYSTEM, "the node gave an answer that strobe does not understand");
}

bool
sb_dist_send(struct sb_dist *l, const erlang_pid *to, const ei_x_buff *term, struct sb_err *e)
{
    erlang_pid pid = *to;
    return l->fd >= 0 && ei_send_tmo(l->fd, &pid, term->buff, term->index, MESSAGE_MS) == 0 ? true
                                                                                            : lost(l, e);
}

bool
sb_dist_receive(struct sb_dist *l, bool *any, int *at, struct sb_err *e)
{
    erlang_msg msg;
    int version;
    *any = false;
    *at = l->message.index = 0;
    int got = ei_xreceive_msg_tmo(l->fd, &msg, &l->message, MESSAGE_MS);
    if (got == ERL_TICK)
        return true;
    if (got != ERL_MSG)
        return lost(l, e);
    *any = (msg.msgtype == ERL_SEND || msg.msgtype == ERL_REG_SEND) && sb_dist_seal(&l->message) &&
           ei_decode_version(l->message.buff, at, &version) == 0;
    return true;
}

bool
sb_dist_seal(ei_x_buff *x)
{
    static const char zeros[16]; /* more than ei reads of a term before it knows what it is */
    const uint8_t *p = (const uint8_t *)x->buff, *end = p + x->index;
    const uint8_t *behind = x->index > 1 && *p == SB_ETF_VERSION ? sb_etf_skip(p + 1, end) : NULL;
    if (!behind)
        return false;
    x->index = (int)(behind - p);
    return ei_x_append_buf(x, zeros, sizeof zeros) == 0;
}

bool
sb_dist_skip(const ei_x_buff *x, int *at)
{
    const uint8_t *p = (const uint8_t *)x->buff, *behind = sb_etf_skip(p + *at, p + x->index);
    if (behind)
        *at = (int)(behind - p);
    return behind != NULL;
}

bool
sb_dist_atom(const struct sb_dist *l, int *at, const char *wanted)
{
    char name[MAXATOMLEN_UTF8];
    int next = *at;
    if (ei_decode_atom(l->message.buff, &next, name) < 0 || strcmp(name, wanted) != 0)
        return false;
    *at = next;
    return true;
}

bool
sb_dist_tuple(const struct sb_dist *l, int *at, int arity)
{
    int next = *at, n;
    if (ei_decode_tuple_header(l->message.buff, &next, &n) < 0 || n != arity)
        return false;
    *at = next;
    return true;
}

struct sb_str
sb_dist_binary(const struct sb_dist *l, int *at)
{
    int type, size, next = *at;
    long n;
    if (ei_get_type(l->message.buff, &next, &type, &size) < 0 || type != ERL_BINARY_EXT)
        return (struct sb_str){0};
    const char *p = l->message.buff + next + 5; /* a tag and four bytes of length come first */
    if (ei_decode_binary(l->message.buff, &next, NULL, &n) < 0)
        return (struct sb_str){0};
    *at = next;
    return (struct sb_str){p, (size_t)n};
}
