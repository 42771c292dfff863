#include "trace/otp/otp_names.h"
#include "base/hash.h"

/* ---- messages */

enum { HASHED = 1024 }; /* bytes of a message in its fingerprint */

/* {[alias|Ref], _}: a reply of gen_server and similar behaviours */
static void
look_for_alias(struct otp_decoder *d, struct sb_event *ev)
{
    uint32_t n, atom;
    if (otp_list(d, &n) && n == 1 && otp_is_atom(otp_peek(d)) && otp_atom(d, &atom) && atom == OTP_alias)
        otp_ref(d, &ev->receive.alias);
}

/* {'DOWN', Ref, process, Pid, _} and {'EXIT', Pid, _} name the process that ended. */
static void
look_for_end(struct otp_decoder *d, uint32_t arity, struct sb_event *ev)
{
    uint32_t atom;
    if (!otp_atom(d, &atom))
        return;
    bool down = atom == OTP_DOWN && arity == 5 && otp_skip(d) && otp_skip(d);
    if (down || (atom == OTP_EXIT && arity == 3))
        otp_actor(d, &ev->receive.down);
}

/* Inspects a received message and restores d->p. */
static void
look(struct otp_decoder *d, struct sb_event *ev)
{
    const uint8_t *start = d->p;
    uint32_t arity, atom;
    if (otp_is_atom(otp_peek(d))) {
        if (otp_atom(d, &atom) && atom == OTP_timeout)
            ev->flags |= SB_EVF_TIMEOUT;
    } else if (otp_peek(d) == SB_ETF_SMALL_TUPLE && otp_tuple(d, &arity) && arity >= 2) {
        if (otp_peek(d) == SB_ETF_LIST)
            look_for_alias(d, ev);
        else if (arity >= 3 && otp_is_atom(otp_peek(d)))
            look_for_end(d, arity, ev);
    }
    d->p = start;
}

/* Reads a message: its size and a fingerprint, which is the same when it is sent and received. */
bool
otp_message(struct otp_decoder *d, struct sb_event *ev)
{
    const uint8_t *start = d->p;
    SB_TRY(otp_measure(d, &ev->message.words));
    size_t n = (size_t)(d->p - start);
    ev->message.ext = n + 1;
    uint64_t hash = sb_hash(start, n < HASHED ? n : HASHED) + n;
    ev->message.hash = hash ? hash : 1;
    return true;
}

static bool
args_receive(struct otp_decoder *d, struct sb_event *ev)
{
    look(d, ev);
    return otp_message(d, ev);
}

/* The first process to send an alias is its owner. */
static bool
offered(struct otp_decoder *d, struct sb_event *ev)
{
    const uint8_t *behind = d->p;
    d->p = d->alias;
    SB_TRY(otp_ref(d, &ev->send.offers));
    d->p = behind;
    return true;
}

/* To: a process, a port, a name, {Name, Node}, or the reference of an alias */
static bool
receiver(struct otp_decoder *d, struct sb_event *ev)
{
    uint32_t arity, name, node;
    uint8_t tag = otp_peek(d);
    if (otp_is_atom(tag)) {
        SB_TRY(otp_atom(d, &name));
        ev->send.to = (uint64_t)sb_actor_node(ev->who) << 52 | name;
        return true;
    }
    if (otp_is_ref(tag)) {
        ev->flags |= SB_EVF_TO_ALIAS;
        return otp_ref(d, &ev->send.alias);
    }
    if (tag != SB_ETF_SMALL_TUPLE)
        return otp_actor(d, &ev->send.to);
    SB_TRY(otp_tuple(d, &arity));
    if (arity != 2)
        return otp_bad(d, "a receiver was expected");
    SB_TRY(otp_atom(d, &name));
    SB_TRY(otp_atom(d, &node));
    ev->send.to = (uint64_t)otp_node_of_name(d, node) << 52 | name;
    return true;
}

static bool
args_send(struct otp_decoder *d, struct sb_event *ev)
{
    d->alias = NULL;
    SB_TRY(otp_message(d, ev));
    SB_TRY(!d->alias || offered(d, ev));
    return receiver(d, ev);
}

/* ---- calls */

static bool
args_mfa(struct otp_decoder *d, struct sb_event *ev)
{
    return otp_mfa(d, &ev->call.mfa);
}

/* {M, F, A}; or an atom or number, if there is no function */
static bool
mfa_or_none(struct otp_decoder *d, uint32_t *id)
{
    uint32_t atom;
    int64_t v;
    *id = 0;
    if (otp_is_int(otp_peek(d)))
        return otp_int(d, &v);
    if (!otp_is_atom(otp_peek(d)))
        return otp_mfa(d, id);
    SB_TRY(otp_atom(d, &atom));
    *id = atom == OTP_undefined ? 0 : atom;
    return true;
}

static bool
args_return_to(struct otp_decoder *d, struct sb_event *ev)
{
    return mfa_or_none(d, &ev->return_to.mfa);
}

static bool
args_return_from(struct otp_decoder *d, struct sb_event *ev)
{
    SB_TRY(otp_mfa(d, &ev->return_from.mfa));
    return otp_skip(d);
}

static bool
args_exception_from(struct otp_decoder *d, struct sb_event *ev)
{
    uint32_t arity;
    SB_TRY(otp_mfa(d, &ev->exception_from.mfa));
    if (otp_peek(d) != SB_ETF_SMALL_TUPLE)
        return otp_skip(d);
    SB_TRY(otp_tuple(d, &arity));
    if (arity != 2)
        return otp_bad(d, "the class and value of an exception were expected");
    SB_TRY(otp_atom(d, &ev->exception_from.class));
    return otp_skip(d);
}

/* ---- processes */

/* Returns the entry of a fun: its module, and the part of its name that the format has. */
static bool
fun_entry(struct otp_decoder *d, uint32_t arity, uint32_t *id)
{
    uint32_t m, f;
    if (otp_peek(d) == SB_ETF_EXPORT) {
        const uint8_t *raw;
        uint32_t n;
        d->p++;
        SB_TRY(otp_names_pair(d, &raw, &n));
        *id = otp_mfa_of(d, raw, n, arity);
        return otp_skip(d);
    }
    if (otp_peek(d) != SB_ETF_NEW_FUN || d->end - d->p < 30)
        return otp_bad(d, "a fun was expected");
    char name[32];
    int n = snprintf(name, sizeof name, "-fun-%u-", sb_get_be32(d->p + 22));
    d->p += 30;
    SB_TRY(otp_atom(d, &m));
    f = sb_names_atom(d->names, (struct sb_str){name, (size_t)n});
    *id = sb_names_mfa(d->names, (struct sb_mfa){m, f, arity});
    return true;
}

/* Returns the length of a term as an argument list of apply. */
static bool
list_length(struct otp_decoder *d, uint32_t *n)
{
    uint8_t tag = otp_peek(d);
    *n = tag == SB_ETF_STRING && d->end - d->p >= 3 ? sb_get_be16(d->p + 1)
         : tag == SB_ETF_LIST && d->end - d->p >= 5 ? sb_get_be32(d->p + 1)
                                                    : 0;
    return otp_skip(d);
}

/* Reads [..., M, F, A] or [..., Fun, A]: the entry passed to erlang:apply/3, /2 and proc_lib:init_p/5, /3. */
static bool
unfold(struct otp_decoder *d, uint32_t skipped, uint32_t left, uint32_t *id)
{
    const uint8_t *raw;
    uint32_t n, arity = 0;
    while (skipped-- > 0)
        SB_TRY(otp_skip(d));
    if (left == 3) {
        SB_TRY(otp_names_pair(d, &raw, &n));
        SB_TRY(list_length(d, &arity));
        *id = otp_mfa_of(d, raw, n, arity);
        return true;
    }
    const uint8_t *start = d->p;
    if (left == 2) {
        SB_TRY(otp_skip(d));
        SB_TRY(list_length(d, &arity));
        d->p = start;
    }
    return fun_entry(d, arity, id);
}

/* The arguments of {M, F, Args} are in the trace, so the real entry may be found among them. */
static void
entry(struct otp_decoder *d, const uint8_t *mfa, struct sb_event *ev)
{
    const uint8_t *behind = d->p;
    uint32_t arity, m, f, n, id = 0;
    d->p = mfa;
    bool ok = otp_tuple(d, &arity) && otp_atom(d, &m) && otp_atom(d, &f) && otp_peek(d) == SB_ETF_LIST &&
              otp_list(d, &n);
    if (ok && m == OTP_erlang && f == OTP_apply && (n == 2 || n == 3))
        ok = unfold(d, 0, n, &id);
    else if (ok && m == OTP_proc_lib && f == OTP_init_p && (n == 3 || n == 5))
        ok = unfold(d, 2, n - 2, &id);
    else if (ok && m == OTP_erts_internal && f == OTP_dist_spawn_init &&
             n == 1) /* [{M, F, Arity}], from another node */
        ok = otp_mfa(d, &id);
    ev->birth.entry = ok && id ? id : ev->birth.mfa;
    d->p = behind;
}

static bool
args_spawn(struct otp_decoder *d, struct sb_event *ev)
{
    SB_TRY(otp_actor(d, &ev->peer));
    const uint8_t *mfa = d->p;
    if (otp_peek(d) != SB_ETF_SMALL_TUPLE) /* ports and older releases have another term here */
        return otp_skip(d);
    SB_TRY(otp_mfa(d, &ev->birth.mfa));
    entry(d, mfa, ev);
    return true;
}

static bool
args_reason(struct otp_decoder *d, struct sb_event *ev)
{
    return otp_text(d, &ev->exit.reason);
}

static bool
args_peer(struct otp_decoder *d, struct sb_event *ev)
{
    return otp_actor(d, &ev->peer);
}

static bool
args_name(struct otp_decoder *d, struct sb_event *ev)
{
    return otp_atom(d, &ev->registered.name);
}

/* ---- scheduling: before OTP 19 the scheduler precedes the function */

static bool
args_in_out(struct otp_decoder *d, struct sb_event *ev)
{
    int64_t v;
    if (otp_peek(d) == SB_ETF_SMALL_TUPLE)
        return otp_mfa(d, &ev->running.mfa);
    if (!otp_is_int(otp_peek(d)))
        return mfa_or_none(d, &ev->running.mfa);
    SB_TRY(otp_int(d, &v));
    if (d->left == 2 && otp_peek(d) == SB_ETF_SMALL_TUPLE) {
        d->left--;
        ev->lane = sb_lane_make(SB_LANE_UNKNOWN, v < 0 ? 0 : (unsigned)v);
        return otp_mfa(d, &ev->running.mfa);
    }
    return true;
}

/* ---- garbage collection: a property list in any order */

static bool
property(struct otp_decoder *d, uint64_t value[OTP_ATOMS])
{
    uint32_t arity, key;
    int64_t v;
    SB_TRY(otp_tuple(d, &arity));
    if (arity != 2)
        return otp_bad(d, "a pair of name and number was expected");
    SB_TRY(otp_atom(d, &key));
    SB_TRY(otp_int(d, &v));
    if (key < OTP_ATOMS)
        value[key] = v < 0 ? 0 : (uint64_t)v;
    return true;
}

static uint64_t
sum(uint64_t a, uint64_t b)
{
    return a == SB_UNKNOWN ? b : b == SB_UNKNOWN ? a : a + b;
}

static bool
args_gc(struct otp_decoder *d, struct sb_event *ev)
{
    uint64_t value[OTP_ATOMS];
    memset(value, 0xff, sizeof value);
    uint32_t n;
    SB_TRY(otp_list(d, &n));
    for (uint32_t i = 0; i < n; i++)
        SB_TRY(property(d, value));
    if (n > 0)
        SB_TRY(otp_skip(d)); /* the tail */
    ev->gc.heap = sum(value[OTP_heap_size], value[OTP_old_heap_size]);
    ev->gc.block = sum(value[OTP_heap_block_size], value[OTP_old_heap_block_size]);
    ev->gc.bin = sum(value[OTP_bin_vheap_size], value[OTP_bin_old_vheap_size]);
    ev->gc.old = value[OTP_old_heap_size] == SB_UNKNOWN ? 0 : value[OTP_old_heap_size];
    ev->gc.mbuf = value[OTP_mbuf_size] < SB_UNKNOWN32 ? (uint32_t)value[OTP_mbuf_size] : SB_UNKNOWN32;
    ev->gc.need = value[OTP_wordsize] <= UINT32_MAX ? (uint32_t)value[OTP_wordsize] : 0;
    return true;
}

/* ---- ports */

static bool
args_open(struct otp_decoder *d, struct sb_event *ev)
{
    SB_TRY(otp_actor(d, &ev->open.owner));
    return otp_is_atom(otp_peek(d)) ? otp_atom(d, &ev->open.driver) : otp_text(d, &ev->open.driver);
}

#define TAG_OF(atom, kind, n, fn) [OTP_##atom] = {SB_EV_##kind, n, fn}
#define TAG(atom, n, fn) TAG_OF(atom, atom, n, fn)
const struct otp_tag otp_tags[OTP_ATOMS] = {
    TAG(send, 2, args_send),
    TAG(send_dead, 2, args_send),
    TAG(receive, 1, args_receive),
    TAG(call, 1, args_mfa),
    TAG(return_to, 1, args_return_to),
    TAG(return_from, 2, args_return_from),
    TAG(exception_from, 2, args_exception_from),
    TAG(spawn, 2, args_spawn),
    TAG(spawned, 2, args_spawn),
    TAG(exit, 1, args_reason),
    TAG(link, 1, args_peer),
    TAG(unlink, 1, args_peer),
    TAG(getting_linked, 1, args_peer),
    TAG(getting_unlinked, 1, args_peer),
    TAG_OF(register, registered, 1, args_name),
    TAG_OF(unregister, unregistered, 1, args_name),
    TAG(in, 1, args_in_out),
    TAG(out, 1, args_in_out),
    TAG(in_exiting, 1, args_in_out),
    TAG(out_exiting, 1, args_in_out),
    TAG(out_exited, 1, args_in_out),
    TAG(gc_minor_start, 1, args_gc),
    TAG(gc_minor_end, 1, args_gc),
    TAG(gc_major_start, 1, args_gc),
    TAG(gc_major_end, 1, args_gc),
    TAG(gc_start, 1, args_gc),
    TAG(gc_end, 1, args_gc),
    TAG(gc_max_heap_size, 1, args_gc),
    TAG(open, 2, args_open),
    TAG(closed, 1, args_reason),
};
/* The tags of {profile, Who, ...} for processes. */
const struct otp_tag otp_profile_tags[OTP_ATOMS] = {
    TAG(active, 1, args_in_out),
    TAG(inactive, 1, args_in_out),
};
