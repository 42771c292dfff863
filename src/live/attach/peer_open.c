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
 * The name strobe_attach is taken first, which fails if somebody else is attached. A process of the node holds it until
 * the module is there, or for HOLD_MS. Then all is one step of the node:
 *
 *     erlang:register(strobe_attach, Holder),
 *     code:load_binary(strobe_attach, "strobe_attach.beam", Beam),
 *     strobe_attach:open(Client)
 *
 * It is written as lists:zipwith3(fun erlang:apply/3, ...), which every node has loaded. The modules that evaluate
 * expressions would leave 150 atoms more in a node that has not used them.
 */
enum { HOLD_MS = 20000 };

static void
encode_function(ei_x_buff *x, const char *name, int arity)
{
    static const char export_ext = 113;
    ei_x_append_buf(x, &export_ext, 1);
    ei_x_encode_atom(x, "erlang");
    ei_x_encode_atom(x, name);
    ei_x_encode_long(x, arity);
}

/* prim_eval:'receive'(fun erlang:is_atom/1, HOLD_MS) waits for messages, of which none comes. */
static bool
start_holder(struct sb_peer *n, erlang_pid *holder, struct sb_err *e)
{
    ei_x_buff args;
    int at;
    ei_x_new(&args);
    ei_x_encode_list_header(&args, 3);
    ei_x_encode_atom(&args, "prim_eval");
    ei_x_encode_atom(&args, "receive");
    ei_x_encode_list_header(&args, 2);
    encode_function(&args, "is_atom", 1);
    ei_x_encode_long(&args, HOLD_MS);
    ei_x_encode_empty_list(&args);
    ei_x_encode_empty_list(&args);
    bool ok = sb_dist_call(&n->link, "erlang", "spawn", &args, &at, e);
    ei_x_free(&args);
    SB_TRY(ok);
    return ei_decode_pid(n->link.message.buff, &at, holder) == 0 ||
           sb_err_set(e, SB_ERR_SYSTEM, "%.*s starts no process", SB_STR_ARG(n->target->node));
}

static void
stop_holder(struct sb_peer *n, const erlang_pid *holder)
{
    struct sb_err ignored;
    ei_x_buff args;
    int at;
    ei_x_new(&args);
    ei_x_encode_list_header(&args, 2);
    ei_x_encode_pid(&args, holder);
    ei_x_encode_atom(&args, "kill");
    ei_x_encode_empty_list(&args);
    sb_dist_call(&n->link, "erlang", "exit", &args, &at, &ignored);
    ei_x_free(&args);
}

static bool
encode_start(ei_x_buff *x, struct sb_peer *n, const erlang_pid *holder, const char *folder, struct sb_err *e)
{
    ei_x_encode_list_header(x, 4);
    encode_function(x, "apply", 3);
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
    SB_TRY(sb_push_encode_beam(x, folder, "strobe_attach", e));
    ei_x_encode_empty_list(x);
    ei_x_encode_list_header(x, 1);
    ei_x_encode_pid(x, sb_dist_self(&n->link));
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
    ei_x_encode_empty_list(x);
    return true;
}

static bool
refused(const struct sb_peer *n, struct sb_err *e)
{
    sb_err_set(e, SB_ERR_SYSTEM,
               "%.*s could not be attached to: another strobe is attached to it, or it has "
               "loaded strobe itself",
               SB_STR_ARG(n->target->node));
    return sb_err_advise(e, "wait for the other recording, or use strobe:profile/2 in the node");
}

/* [true, {module, strobe_attach}, {Keeper, Worker}], or {badrpc, Why} */
static bool
decode_start(struct sb_peer *n, int at, struct sb_err *e)
{
    const char *p = n->link.message.buff;
    int count;
    if (ei_decode_list_header(p, &at, &count) == 0 && count == 3 && ei_skip_term(p, &at) == 0 &&
        ei_skip_term(p, &at) == 0 && sb_dist_tuple(&n->link, &at, 2) &&
        ei_decode_pid(p, &at, &n->keeper) == 0 && ei_decode_pid(p, &at, &n->worker) == 0) {
        n->started = true;
        return true;
    }
    return refused(n, e);
}

static bool
start(struct sb_peer *n, const char *folder, struct sb_err *e)
{
    erlang_pid holder;
    ei_x_buff args;
    int at;
    bool loaded;
    SB_TRY(sb_peer_is_loaded(n, &loaded, e));
    if (loaded)
        return refused(n, e);
    SB_TRY(start_holder(n, &holder, e));
    ei_x_new(&args);
    bool ok = encode_start(&args, n, &holder, folder, e) &&
              sb_dist_call(&n->link, "lists", "zipwith3", &args, &at, e) && decode_start(n, at, e);
    ei_x_free(&args);
    if (!ok)
        stop_holder(n, &holder);
    return ok;
}

static bool
open_via(struct sb_peer *n, const char *folder, struct sb_err *e)
{
    ei_x_buff beam;
    SB_TRY(sb_via_open(&n->via, n->target->via, n->a, e) && !too_old(n, n->via.release, e));
    ei_x_new_with_version(&beam);
    bool ok = sb_push_encode_beam(&beam, folder, "strobe_attach", e) &&
              sb_via_start(&n->via, sb_push_compress(&beam, n->a), e);
    ei_x_free(&beam);
    n->started = ok;
    n->beat_ns = sb_clock_ns();
    return ok;
}

bool
sb_peer_open(struct sb_peer *n, struct sb_target *t, const char *folder, struct sb_arena *a, struct sb_err *e)
{
    *n = (struct sb_peer){.target = t, .a = a, .link = {.fd = -1}};
    if (t->via) {
        ei_init();
        ei_x_new(&n->link.message);
    } else
        SB_TRY(sb_dist_open(&n->link, t, a, e));
    if (t->via ? open_via(n, folder, e) : check_release(n, e) && start(n, folder, e))
        return true;
    sb_dist_close(&n->link);
    return false;
}
