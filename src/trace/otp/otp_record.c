#include "trace/otp/otp_ends.h"
#include "trace/otp/otp_names.h"

/* ---- time stamps: {MegaSec, Sec, MicroSec}, Ns, or {Ns, Unique} */

static int64_t
saturated(int64_t mega, int64_t sec, int64_t micro)
{
    int64_t s, us, ns;
    if (__builtin_mul_overflow(mega, 1000000, &s) || __builtin_add_overflow(s, sec, &s) ||
        __builtin_mul_overflow(s, 1000000, &us) || __builtin_add_overflow(us, micro, &us) ||
        __builtin_mul_overflow(us, 1000, &ns))
        return mega < 0 || (mega == 0 && sec < 0) ? INT64_MIN + 1 : INT64_MAX;
    return ns;
}

static bool
stamp(struct otp_decoder *d, struct sb_event *ev)
{
    uint32_t arity;
    int64_t mega, sec, micro;
    if (otp_is_int(otp_peek(d))) {
        d->clock = OTP_CLOCK_INT;
        return otp_int(d, &ev->at_ns);
    }
    SB_TRY(otp_tuple(d, &arity));
    if (arity == 2) {
        d->clock = OTP_CLOCK_STRICT;
        SB_TRY(otp_int(d, &ev->at_ns));
        return otp_skip(d);
    }
    if (arity != 3)
        return otp_bad(d, "a time stamp was expected");
    SB_TRY(otp_int(d, &mega));
    SB_TRY(otp_int(d, &sec));
    SB_TRY(otp_int(d, &micro));
    d->clock = OTP_CLOCK_TUPLE;
    ev->at_ns = otp_stamp(d->state, saturated(mega, sec, micro));
    ev->flags |= d->state->cpu_flag;
    return true;
}

/* ---- optional elements between the arguments and the time stamp: a match spec's result, the scheduler */

/* {cp, {M,F,A} | undefined}, as fprof and Percept2 request it; any other result is skipped */
static bool
match_result(struct otp_decoder *d, struct sb_event *ev)
{
    const uint8_t *start = d->p;
    uint32_t arity, atom;
    bool is_cp = ev->kind == SB_EV_call && otp_peek(d) == SB_ETF_SMALL_TUPLE && otp_tuple(d, &arity) &&
                 arity == 2 && otp_is_atom(otp_peek(d)) && otp_atom(d, &atom) && atom == OTP_cp;
    if (is_cp && otp_peek(d) == SB_ETF_SMALL_TUPLE) {
        ev->flags |= SB_EVF_HAS_CP;
        return otp_mfa(d, &ev->call.cp);
    }
    if (is_cp && otp_is_atom(otp_peek(d)) && otp_atom(d, &atom) && atom == OTP_undefined) {
        ev->flags |= SB_EVF_HAS_CP;
        return true;
    }
    d->p = start;
    return otp_skip(d);
}

static bool
scheduler(struct otp_decoder *d, struct sb_event *ev)
{
    int64_t v;
    SB_TRY(otp_small_int(d, &v) || otp_int(d, &v));
    ev->lane = sb_lane_make(SB_LANE_UNKNOWN, v < 0 ? 0 : v > 0xffe ? 0xffe : (unsigned)v);
    return true;
}

static inline bool
extras(struct otp_decoder *d, struct sb_event *ev)
{
    for (; d->left > 0; d->left--)
        SB_TRY(d->left == 1 && otp_is_int(otp_peek(d)) ? scheduler(d, ev) : match_result(d, ev));
    return true;
}

/* ---- heads */

static inline void
begin(const struct otp_decoder *d, struct sb_event *ev, enum sb_event_kind kind)
{
    *ev = d->state->blank[kind];
}

/* Reads a record with a tag of a later release: its process and time are still valid. */
static bool
unknown_tag(struct otp_decoder *d, uint32_t tag, struct sb_event *ev)
{
    ev->kind = SB_EV_unknown;
    ev->unknown.tag = tag;
    for (; d->left > 0; d->left--)
        SB_TRY(otp_skip(d));
    return true;
}

/* Stores a tag in its first free entry, if there is one. */
static void
remember_tag(struct otp_start *start, const uint8_t *at, uint32_t n, const struct otp_tag *tag)
{
    struct otp_known_tag *t = otp_tag_places(start, otp_word(at));
    for (unsigned i = 0; i < OTP_TAG_PLACES; i++, t++)
        if (!t->tag) {
            *t = (struct otp_known_tag){.tag = tag, .n = n};
            otp_mask(n, t->mask);
            otp_two_words(at, n, t->word);
            return;
        }
}

/*
 * Stores a start and a tag for otp_usual_ends: a record of the traced node whose process ends at the tag;
 * d->p is after the tag. Only for traces with the time stamps that otp_ends.h expects.
 */
static void
remember(struct otp_decoder *d, const uint8_t *at_tag, const struct otp_tag *tag)
{
    size_t n = (size_t)(at_tag - OTP_NUMBERS - d->record), n_tag = (size_t)(d->p - at_tag);
    struct otp_start *start = otp_start_of(d, d->record);
    if (d->clock != OTP_CLOCK_TUPLE || n < OTP_START_BYTES || n > sizeof start->raw ||
        n_tag > OTP_TAG_BYTES || d->end - at_tag < OTP_TAG_BYTES)
        return;
    if (start->n == 0) {
        *start = (struct otp_start){.n = (uint32_t)n, .creation = sb_get_be32(at_tag - 4), .left = d->left};
        memcpy(start->raw, d->record, n);
    }
    if (start->n == n && memcmp(start->raw, d->record, n) == 0 && !otp_find_tag(start, at_tag))
        remember_tag(start, at_tag, (uint32_t)n_tag, tag);
}

/* {trace, Who, Tag, ...} and {trace_ts, Who, Tag, ..., Stamp} */
static bool
traced(struct otp_decoder *d, uint32_t arity, bool stamped, struct sb_event *ev)
{
    sb_actor who;
    uint32_t atom;
    const uint8_t *pid = d->p;
    SB_TRY(otp_actor(d, &who));
    if (arity < 3u + stamped)
        return otp_bad(d, "a trace record with too few elements");
    d->node = sb_actor_node(who);
    const uint8_t *at_tag = d->p;
    SB_TRY(otp_atom(d, &atom));
    const struct otp_tag *tag = &otp_tags[atom < OTP_ATOMS ? atom : 0];
    d->left = arity - 3 - stamped;
    bool known = tag->args && d->left >= tag->n_args;
    begin(d, ev, known ? (enum sb_event_kind)tag->kind : SB_EV_unknown);
    ev->who = who;
    if (!known) {
        SB_TRY(unknown_tag(d, atom, ev));
    } else {
        if (*pid == SB_ETF_NEW_PID && d->node == 0 && stamped)
            remember(d, at_tag, tag);
        SB_TRY(tag->args(d, ev));
        d->left -= tag->n_args;
        SB_TRY(extras(d, ev));
    }
    return stamped ? stamp(d, ev) : true;
}

/* {profile, Who, active | inactive, Where, Stamp} */
static bool
profiled_process(struct otp_decoder *d, uint32_t arity, struct sb_event *ev)
{
    sb_actor who;
    uint32_t atom;
    const uint8_t *pid = d->p;
    SB_TRY(otp_actor(d, &who));
    const uint8_t *at_tag = d->p;
    SB_TRY(otp_atom(d, &atom));
    const struct otp_tag *tag = &otp_profile_tags[atom < OTP_ATOMS ? atom : 0];
    bool known = tag->args && (arity == 4 || arity == 5);
    begin(d, ev, known ? (enum sb_event_kind)tag->kind : SB_EV_unknown);
    ev->who = who;
    d->left = arity > 3 ? arity - 3 : 0;
    if (!known)
        return unknown_tag(d, atom, ev);
    d->left = 1; /* a scheduler precedes the function only before OTP 19 */
    if (*pid == SB_ETF_NEW_PID && sb_actor_node(who) == 0 && arity == 5)
        remember(d, at_tag, tag);
    SB_TRY(tag->args(d, ev));
    return arity == 5 ? stamp(d, ev) : true;
}

/* {profile, scheduler, Id, active | inactive, Active, Stamp}, starting at the second element */
static bool
profiled_scheduler(struct otp_decoder *d, uint32_t arity, struct sb_event *ev)
{
    uint32_t atom;
    int64_t number = 0;
    SB_TRY(otp_atom(d, &atom) && atom == OTP_scheduler ? otp_int(d, &number)
                                                       : otp_bad(d, "a scheduler was expected"));
    SB_TRY(otp_atom(d, &atom));
    bool known = (atom == OTP_active || atom == OTP_inactive) && (arity == 5 || arity == 6);
    begin(d, ev,
          !known               ? SB_EV_unknown
          : atom == OTP_active ? SB_EV_scheduler_active
                               : SB_EV_scheduler_inactive);
    d->left = arity > 4 ? arity - 4 : 0;
    if (!known)
        return unknown_tag(d, atom, ev);
    ev->lane = sb_lane_make(SB_LANE_UNKNOWN, number < 0 ? 0 : number > 0xffe ? 0xffe : (unsigned)number);
    SB_TRY(otp_int(d, &number));
    ev->scheduler_active.active = number < 0 ? 0 : (uint32_t)number;
    return arity == 6 ? stamp(d, ev) : true;
}

static bool
profiled(struct otp_decoder *d, uint32_t arity, struct sb_event *ev)
{
    return otp_is_atom(otp_peek(d)) ? profiled_scheduler(d, arity, ev) : profiled_process(d, arity, ev);
}

/* {seq_trace, Label, {send | 'receive' | print, {Prev, Cur}, From, To, Message} [, Stamp]} */
static bool
sequential(struct otp_decoder *d, uint32_t arity, struct sb_event *ev)
{
    uint32_t n;
    int64_t prev, cur;
    begin(d, ev, SB_EV_seq_trace);
    if (arity < 3 || arity > 4)
        return otp_bad(d, "a seq_trace record of three or four elements was expected");
    SB_TRY(otp_text(d, &ev->seq_trace.label));
    if (!otp_tuple(d, &n) || n != 5)
        return otp_bad(d, "the five parts of a seq_trace record were expected");
    SB_TRY(otp_atom(d, &ev->seq_trace.what));
    if (!otp_tuple(d, &n) || n != 2)
        return otp_bad(d, "the serial of a seq_trace record was expected");
    SB_TRY(otp_int(d, &prev));
    SB_TRY(otp_int(d, &cur));
    ev->seq_trace.prev = (uint64_t)prev;
    ev->seq_trace.cur = (uint64_t)cur;
    const uint8_t *from = d->p;
    if (!otp_actor(d, &ev->who)) { /* a name, or a value without meaning here */
        d->p = from;
        SB_TRY(otp_skip(d));
    }
    const uint8_t *to = d->p;
    if (!otp_actor(d, &ev->seq_trace.to)) {
        d->p = to;
        SB_TRY(otp_skip(d));
    }
    SB_TRY(otp_skip(d));
    return arity == 4 ? stamp(d, ev) : true;
}

/* Percept2's records: {profile_start, Now}, {profile_stop, Now}, {schedulers, N}, {profile_opts, List} */
static bool
percept(struct otp_decoder *d, uint32_t head, struct sb_event *ev)
{
    int64_t v;
    switch (head) {
    case OTP_profile_start:
    case OTP_profile_stop:
        begin(d, ev, head == OTP_profile_start ? SB_EV_profile_start : SB_EV_profile_stop);
        return stamp(d, ev);
    case OTP_schedulers:
        begin(d, ev, SB_EV_schedulers);
        SB_TRY(otp_int(d, &v));
        ev->schedulers.count = v < 0 || v > 0xfffff ? SB_UNKNOWN32 : (uint32_t)v;
        return true;
    default:
        begin(d, ev, SB_EV_profile_opts);
        return otp_text(d, &ev->profile_opts.opts);
    }
}

/* Any other term that a program wrote to the trace port is recorded as an unknown event. */
static bool
foreign(struct otp_decoder *d, uint32_t head, uint32_t left, struct sb_event *ev)
{
    begin(d, ev, SB_EV_unknown);
    d->left = left;
    return unknown_tag(d, head, ev);
}

static bool
unusual(struct otp_decoder *d, struct sb_event *ev)
{
    uint32_t arity, head;
    if (otp_peek(d) != SB_ETF_SMALL_TUPLE || d->end - d->p < 3 || !otp_is_atom(d->p[2]))
        return foreign(d, 0, 1, ev);
    SB_TRY(otp_tuple(d, &arity));
    SB_TRY(otp_atom(d, &head));
    switch (head) {
    case OTP_trace_ts:
        return traced(d, arity, true, ev);
    case OTP_trace:
        return traced(d, arity, false, ev);
    case OTP_profile:
        return profiled(d, arity, ev);
    case OTP_seq_trace:
        return sequential(d, arity, ev);
    case OTP_profile_start:
    case OTP_profile_stop:
    case OTP_schedulers:
    case OTP_profile_opts:
        return arity == 2 ? percept(d, head, ev) : foreign(d, head, arity - 1, ev);
    default:
        return foreign(d, head, arity - 1, ev);
    }
}

/* Decodes the part of a typical record between its ends. */
static inline bool
usual(struct otp_decoder *d, const struct otp_ends *e, struct sb_event *ev)
{
    begin(d, ev, (enum sb_event_kind)e->tag->kind);
    ev->who = e->who;
    ev->at_ns = otp_stamp(d->state, e->at_ns);
    ev->flags = d->state->cpu_flag;
    d->node = 0;
    d->left = e->left;
    d->p = e->at;
    d->end = e->to;
    SB_TRY(e->tag->args(d, ev));
    d->left -= e->tag->n_args;
    SB_TRY(extras(d, ev));
    return d->p == d->end;
}

bool
otp_record(struct otp_decoder *d, const uint8_t *payload, uint32_t size, struct sb_event *ev)
{
    struct otp_ends e;
    if (otp_usual_ends(d, payload, size, &e) && usual(d, &e, ev))
        return true;
    if (size < 2 || payload[0] != SB_ETF_VERSION)
        return otp_bad(d, "a record that is not an external term");
    d->record = payload;
    d->p = payload + 1;
    d->end = payload + size;
    SB_TRY(unusual(d, ev));
    return d->p == d->end ? true : otp_bad(d, "bytes after the term of a record");
}
