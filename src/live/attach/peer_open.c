/* The start of the part of strobe in the node. */
#include "base/progress.h"
#include "live/attach/peer.h"
#include <stdlib.h>

enum { OLDEST_RELEASE = 25 };

static bool
too_old(const struct sb_peer *n, int release, struct sb_err *e)
{
    if (release >= OLDEST_RELEASE)
        return false;
    sb_err_set(e, SB_ERR_INPUT, "%.*s runs OTP %d", SB_STR_ARG(n->target->node), release);
    sb_err_advise(e, "strobe attaches to nodes of OTP %d and later", OLDEST_RELEASE);
    return true;
}

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
        return sb_err_set(e, SB_ERR_SYSTEM, "%.*s does not say what release it runs",
                          SB_STR_ARG(n->target->node));
    return !too_old(n, atoi(release), e);
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
    "[{block,1,[{call,1,{remote,1,{atom,1,erlang},{atom,1,register}},[{atom,1,strobe_attach},{call,1,{remote,"
    "1,{atom,1,erlang},{atom,1,self}},[]}]},{'case',1,{call,1,{remote,1,{atom,1,erlang},{atom,1,module_"
    "loaded}},[{atom,1,strobe_attach}]},[{clause,1,[{atom,1,false}],[],[{match,1,{tuple,1,[{atom,1,module},{"
    "var,1,'_'}]},{call,1,{remote,1,{atom,1,code},{atom,1,load_binary}},[{atom,1,strobe_attach},{var,1,'F'},{"
    "var,1,'B'}]}},{call,1,{remote,1,{atom,1,strobe_attach},{atom,1,open}},[{var,1,'P'}]}]}]}]}]";

static void
bind_value(ei_x_buff *x, const char *name)
{
    ei_x_encode_tuple_header(x, 2);
    ei_x_encode_atom(x, name);
}

/* erl_eval:expr(Form, [{'B', Beam}, {'F', File}, {'P', Client}]) */
static bool
encode_start(ei_x_buff *x, struct sb_peer *n, const char *ebin, struct sb_err *e)
{
    ei_x_buff form;
    ei_x_new(&form);
    /* the form is parsed as the list of arguments; its tail is replaced by the bindings */
    int at = 0, count = 0;
    SB_ASSERT(ei_x_format_wo_ver(&form, start_form) == 0 &&
              ei_decode_list_header(form.buff, &at, &count) == 0);
    ei_x_encode_list_header(x, 2);
    ei_x_append_buf(x, form.buff + at, form.index - at - 1); /* without the empty list at its end */
    ei_x_free(&form);
    ei_x_encode_list_header(x, 3);
    bind_value(x, "B");
    SB_TRY(sb_push_encode_beam(x, ebin, "strobe_attach", e));
    bind_value(x, "F");
    ei_x_encode_string(x, "strobe_attach.beam");
    bind_value(x, "P");
    ei_x_encode_pid(x, sb_dist_self(&n->link));
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
    return true;
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
start(struct sb_peer *n, const char *ebin, struct sb_err *e)
{
    ei_x_buff args;
    int at;
    ei_x_new(&args);
    bool ok = encode_start(&args, n, ebin, e) && sb_dist_call(&n->link, "erl_eval", "expr", &args, &at, e) &&
              decode_start(n, at, e);
    ei_x_free(&args);
    return ok;
}

static bool
open_via(struct sb_peer *n, const char *ebin, struct sb_err *e)
{
    ei_x_buff beam;
    SB_TRY(sb_via_open(&n->via, n->target->via, n->a, e) && !too_old(n, n->via.release, e));
    ei_x_new_with_version(&beam);
    bool ok = sb_push_encode_beam(&beam, ebin, "strobe_attach", e) &&
              sb_via_start(&n->via, sb_push_compress(&beam, n->a), e);
    ei_x_free(&beam);
    n->started = ok;
    n->beat_ns = sb_clock_ns();
    return ok;
}

bool
sb_peer_open(struct sb_peer *n, struct sb_target *t, const char *ebin, struct sb_arena *a, struct sb_err *e)
{
    *n = (struct sb_peer){.target = t, .a = a, .link = {.fd = -1}};
    if (t->via) {
        ei_init();
        ei_x_new(&n->link.message);
    } else
        SB_TRY(sb_dist_open(&n->link, t, a, e));
    if (t->via ? open_via(n, ebin, e) : check_release(n, e) && start(n, ebin, e))
        return true;
    sb_dist_close(&n->link);
    return false;
}
