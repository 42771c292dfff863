#include "fprof/decode.h"
#include "base/hash.h"

void
fp_decoder_init(struct fp_decoder *d, struct fp_terms *funcs, struct fp_terms *pids, bool nanoseconds)
{
    *d = (struct fp_decoder){.nanoseconds = nanoseconds};
    fp_cache_init(&d->funcs, funcs);
    fp_cache_init(&d->pids, pids);
}

void
fp_decoder_close(struct fp_decoder *d)
{
    fp_cache_close(&d->funcs);
    fp_cache_close(&d->pids);
}

/* ---- comparing terms by their bytes */

static uint32_t
find_entry(const struct fp_cache *c, uint64_t hash, const uint8_t *raw, size_t n)
{
    for (size_t i = hash & (c->slots - 1); c->slot[i]; i = (i + 1) & (c->slots - 1)) {
        const struct fp_cached *e = &c->entry.at[c->slot[i]];
        if (e->hash == hash && e->n == n && fp_same_bytes(e->raw, raw, n))
            return c->slot[i];
    }
    return 0;
}

static uint32_t
lookup(struct fp_cache *c, const uint8_t *raw, size_t n)
{
    uint64_t hash = sb_hash(raw, n);
    uint32_t entry = find_entry(c, hash, raw, n);
    if (!entry && !(entry = fp_cache_add(c, hash, raw, n)))
        return 0;
    fp_cache_meet(c, fp_cache_expected(c), entry);
    return c->entry.at[entry].id;
}

static inline const uint8_t *
skip(const uint8_t *p, const uint8_t *end)
{
    if (end - p > 3 && *p == SB_ETF_ATOM) {
        size_t n = 3u + sb_get_be16(p + 1);
        return (size_t)(end - p) >= n ? p + n : NULL;
    }
    if (end - p > 2 && *p == SB_ETF_SMALL_ATOM_UTF8) {
        size_t n = 2u + p[1];
        return (size_t)(end - p) >= n ? p + n : NULL;
    }
    return sb_etf_skip(p, end);
}

static const uint8_t *
read_pid(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, uint32_t *id)
{
    const uint8_t *after = skip(p, end);
    if (!after)
        return NULL;
    size_t n = (size_t)(after - p);
    *id = lookup(&d->pids, p, n);
    if (n <= sizeof d->last_raw) {
        memcpy(d->last_raw, p, n);
        d->last_n = (uint32_t)n;
        d->last_pid = *id;
    }
    return *id ? after : NULL;
}

static inline const uint8_t * /* usually the process of the previous message */
read_tracee(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, uint32_t *id)
{
    if (d->last_n && (size_t)(end - p) >= d->last_n && fp_same_bytes(p, d->last_raw, d->last_n)) {
        *id = d->last_pid;
        return p + d->last_n;
    }
    return read_pid(d, p, end, id);
}

/* ---- functions */

enum read_as { AS_FUNCTION, AS_OTHER, AS_BROKEN, AS_IMPROPER };

static enum read_as
list_length(const uint8_t *p, const uint8_t *end, uint64_t *n)
{
    uint64_t more = 0;
    for (*n = 0;; *n += more) {
        uint8_t tag = p < end ? *p : 0;
        if (tag == SB_ETF_NIL)
            return AS_FUNCTION;
        if (tag == SB_ETF_STRING) {
            *n += (uint64_t)sb_get_be16(p + 1); /* already skipped once, so all of it is there */
            return AS_FUNCTION;
        }
        if (tag != SB_ETF_LIST)
            return AS_IMPROPER;
        more = sb_get_be32(p + 1);
        p += 5;
        for (uint64_t i = 0; i < more; i++)
            p = sb_etf_skip(p, end);
    }
}

/* Reads {M,F,Args}; sets the id of {M,F,length(Args)}. */
static enum read_as
read_with_arguments(struct fp_decoder *d, const uint8_t *mfa, const uint8_t *args, const uint8_t *after,
                    uint32_t *id)
{
    uint64_t n;
    uint8_t raw[1200];
    size_t head = (size_t)(args - mfa);
    enum read_as as = list_length(args, after, &n);
    if (as != AS_FUNCTION)
        return as;
    if (head + 5 > sizeof raw || n > INT32_MAX)
        return AS_IMPROPER;
    memcpy(raw, mfa, head);
    raw[head] = n < 256 ? SB_ETF_SMALL_INT : SB_ETF_INT;
    raw[head + 1] = (uint8_t)n;
    if (n >= 256)
        sb_put_be32(raw + head + 1, (uint32_t)n);
    *id = lookup(&d->funcs, raw, head + (n < 256 ? 2 : 5));
    return *id ? AS_FUNCTION : AS_BROKEN;
}

/* Reads {M,F,Arity} or {M,F,Args}. AS_OTHER: another complete term; *after is its end. */
static enum read_as
read_function(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, const uint8_t **after, uint32_t *id)
{
    uint32_t arity;
    const struct fp_cached *guess = fp_cache_guess(&d->funcs, p, end);
    if (guess && guess->function) {
        *after = p + guess->n;
        *id = guess->id;
        return AS_FUNCTION;
    }
    const uint8_t *m = sb_etf_tuple(p, end, &arity);
    const uint8_t *last = m && arity == 3 ? skip(m, end) : NULL;
    last = last ? skip(last, end) : NULL;
    if (!last || last + 2 > end) {
        *after = skip(p, end);
        return *after ? AS_OTHER : AS_BROKEN;
    }
    if (*last == SB_ETF_SMALL_INT) {
        *after = last + 2;
        *id = lookup(&d->funcs, p, (size_t)(*after - p));
        return *id ? AS_FUNCTION : AS_BROKEN;
    }
    *after = skip(last, end);
    if (!*after)
        return AS_BROKEN;
    if (*last == SB_ETF_INT || *last == SB_ETF_SMALL_BIG || *last == SB_ETF_LARGE_BIG) {
        *id = lookup(&d->funcs, p, (size_t)(*after - p));
        return *id ? AS_FUNCTION : AS_BROKEN;
    }
    if (*last != SB_ETF_LIST && *last != SB_ETF_NIL && *last != SB_ETF_STRING)
        return AS_OTHER;
    return read_with_arguments(d, p, last, *after, id);
}

static const uint8_t *
read_term(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, uint32_t *id)
{
    const struct fp_cached *guess = fp_cache_guess(&d->funcs, p, end);
    if (guess) {
        *id = guess->id;
        return p + guess->n;
    }
    const uint8_t *after = skip(p, end);
    if (!after)
        return NULL;
    *id = lookup(&d->funcs, p, (size_t)(after - p));
    return *id ? after : NULL;
}

/* ---- time stamps */

static inline const uint8_t *
read_int(const uint8_t *p, const uint8_t *end, int64_t *v)
{
    if (end - p >= 5 && *p == SB_ETF_INT) {
        *v = (int32_t)sb_get_be32(p + 1);
        return p + 5;
    }
    return sb_etf_int(p, end, v);
}

static const uint8_t *
read_nanoseconds(const uint8_t *p, const uint8_t *end, bool nanoseconds, int64_t *t)
{
    p = read_int(p, end, t);
    if (p && !nanoseconds)
        *t = *t / 1000 - (*t % 1000 < 0);
    return p;
}

/* Wraps around, since a damaged time stamp may have any numbers. */
static int64_t
joined(int64_t mega, int64_t sec, int64_t micro, bool nanoseconds)
{
    uint64_t us = ((uint64_t)mega * 1000000 + (uint64_t)sec) * 1000000 + (uint64_t)micro;
    return (int64_t)(nanoseconds ? us * 1000 : us);
}

/* Decodes {Mega, Sec, Micro}, nanoseconds, or {nanoseconds, unique}. Returns the end of the time stamp; NULL: another
 * term. */
static const uint8_t *
decode_stamp(const uint8_t *p, const uint8_t *end, bool nanoseconds, int64_t *t)
{
    if (end - p < 2)
        return NULL;
    if (end - p >= 17 && p[0] == SB_ETF_SMALL_TUPLE && p[1] == 3 && p[2] == SB_ETF_INT &&
        p[7] == SB_ETF_INT && p[12] == SB_ETF_INT) { /* the usual form */
        *t = joined((int32_t)sb_get_be32(p + 3), (int32_t)sb_get_be32(p + 8), (int32_t)sb_get_be32(p + 13),
                    nanoseconds);
        return p + 17;
    }
    if (p[0] != SB_ETF_SMALL_TUPLE)
        return read_nanoseconds(p, end, nanoseconds, t);
    if (p[1] == 2) {
        p = read_nanoseconds(p + 2, end, nanoseconds, t);
        return p ? skip(p, end) : NULL;
    }
    int64_t mega, sec, micro;
    if (p[1] != 3 || !(p = read_int(p + 2, end, &mega)) || !(p = read_int(p, end, &sec)) ||
        !(p = read_int(p, end, &micro)))
        return NULL;
    *t = joined(mega, sec, micro, nanoseconds);
    return p;
}

/* ---- messages */

#define T(tag) \
    { \
        tag, sizeof(tag) - 1 \
    }
static const struct shape {
    struct sb_str tag;
    uint8_t kind;
    uint8_t arity; /* of the whole message, with its time stamp */
    enum { SKIP, CALL, RETURN, SWITCH, SPAWN, SPAWNED } reads;
} shapes[] = {
    {T("call"), FP_CALL, 6, CALL},
    {T("return_to"), FP_RETURN_TO, 5, RETURN},
    {T("in"), FP_IN, 5, SWITCH},
    {T("out"), FP_OUT, 5, SWITCH},
    {T("gc_minor_start"), FP_GC_START, 5, SKIP},
    {T("gc_minor_end"), FP_GC_END, 5, SKIP},
    {T("gc_major_start"), FP_GC_START, 5, SKIP},
    {T("gc_major_end"), FP_GC_END, 5, SKIP},
    {T("send"), FP_NOTHING, 6, SKIP},
    {T("receive"), FP_NOTHING, 5, SKIP},
    {T("spawn"), FP_SPAWN, 6, SPAWN},
    {T("spawned"), FP_SPAWN, 6, SPAWNED},
    {T("exit"), FP_EXIT, 5, SKIP},
    {T("link"), FP_NOTHING, 5, SKIP},
    {T("unlink"), FP_NOTHING, 5, SKIP},
    {T("getting_linked"), FP_NOTHING, 5, SKIP},
    {T("getting_unlinked"), FP_NOTHING, 5, SKIP},
    {T("register"), FP_NOTHING, 5, SKIP},
    {T("unregister"), FP_NOTHING, 5, SKIP},
    {T("send_to_non_existing_process"), FP_NOTHING, 6, SKIP},
    {T("gc_start"), FP_GC_START, 5, SKIP},
    {T("gc_end"), FP_GC_END, 5, SKIP},
};
#undef T

static const struct shape *
find_shape(struct sb_str tag, uint32_t arity)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].tag.n == tag.n && memcmp(shapes[i].tag.p, tag.p, tag.n) == 0)
            return shapes[i].arity == arity ? &shapes[i] : NULL;
    return NULL;
}

/* Completes a reader of the part between tag and time stamp. NULL with ev->kind set: the message has
 * another form. */
static const uint8_t *
settle(struct fp_event *ev, enum read_as as, const uint8_t *after)
{
    if (as == AS_FUNCTION)
        return after;
    ev->kind = as == AS_OTHER ? FP_INCORRECT : as == AS_IMPROPER ? FP_CRASH : FP_NO_TERM_AT_ALL;
    return NULL;
}

static const uint8_t *
read_mfa(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev)
{
    const uint8_t *after = NULL;
    enum read_as as = read_function(d, p, end, &after, &ev->func);
    return settle(ev, as, after);
}

static const uint8_t *
read_call(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev)
{
    static const uint8_t cp[] = {SB_ETF_SMALL_TUPLE, 2, SB_ETF_ATOM, 0, 2, 'c', 'p'};
    static const uint8_t cp_utf8[] = {SB_ETF_SMALL_TUPLE, 2, SB_ETF_SMALL_ATOM_UTF8, 2, 'c', 'p'};
    if (!(p = read_mfa(d, p, end, ev)))
        return NULL;
    size_t room = (size_t)(end - p);
    if (room > sizeof cp && memcmp(p, cp, sizeof cp) == 0)
        p += sizeof cp;
    else if (room > sizeof cp_utf8 && memcmp(p, cp_utf8, sizeof cp_utf8) == 0)
        p += sizeof cp_utf8;
    else
        return settle(ev, AS_OTHER, NULL);
    p = read_term(d, p, end, &ev->cp);
    return p ? p : settle(ev, AS_BROKEN, NULL);
}

static const uint8_t *
read_return(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev)
{
    const uint8_t *after = NULL;
    enum read_as as = read_function(d, p, end, &after, &ev->func);
    if (as != AS_OTHER)
        return settle(ev, as, after);
    after = read_term(d, p, end, &ev->func);
    return after && ev->func == FP_UNDEFINED ? after : settle(ev, AS_OTHER, NULL);
}

static const uint8_t *
read_switch(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev)
{
    int64_t zero;
    const uint8_t *after = sb_etf_int(p, end, &zero);
    if (after && zero == 0) {
        ev->func = FP_UNDEFINED;
        return after;
    }
    return read_mfa(d, p, end, ev);
}

static bool
ends_in_list(const uint8_t *mfa, const uint8_t *end)
{
    uint32_t arity;
    const uint8_t *last = skip(skip(sb_etf_tuple(mfa, end, &arity), end), end);
    return *last == SB_ETF_NIL || *last == SB_ETF_LIST || *last == SB_ETF_STRING;
}

/* Reads a spawn. The parent and the child may be any terms, but the entry must be a function with a list
 * of arguments. */
static const uint8_t *
read_spawn(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev, bool by_parent)
{
    uint32_t other, tracee = ev->pid;
    if (!(p = read_pid(d, p, end, &other)))
        return settle(ev, AS_BROKEN, NULL);
    ev->pid = by_parent ? other : tracee;
    ev->cp = by_parent ? tracee : other;
    const uint8_t *after = NULL;
    enum read_as as = read_function(d, p, end, &after, &ev->func);
    if (as == AS_FUNCTION && !ends_in_list(p, end))
        as = AS_IMPROPER;
    return settle(ev, as == AS_OTHER ? AS_IMPROPER : as, after);
}

static const uint8_t *
read_body(struct fp_decoder *d, const struct shape *s, const uint8_t *p, const uint8_t *end,
          struct fp_event *ev)
{
    switch (s->reads) {
    case CALL:
        return read_call(d, p, end, ev);
    case RETURN:
        return read_return(d, p, end, ev);
    case SWITCH:
        return read_switch(d, p, end, ev);
    case SPAWN:
    case SPAWNED:
        return read_spawn(d, p, end, ev, s->reads == SPAWN);
    default:
        for (unsigned i = 0; p && i + 4u < s->arity; i++)
            p = skip(p, end);
        return p ? p : settle(ev, AS_BROKEN, NULL);
    }
}

static const uint8_t * /* p is after {trace_ts, */
message_head(const uint8_t *p, const uint8_t *end, uint32_t *arity)
{
    static const uint8_t head[] = {SB_ETF_ATOM, 0, 8, 't', 'r', 'a', 'c', 'e', '_', 't', 's'};
    static const uint8_t head_utf8[] = {SB_ETF_SMALL_ATOM_UTF8, 8, 't', 'r', 'a', 'c', 'e', '_', 't', 's'};
    if (end - p < 16 || p[0] != SB_ETF_VERSION || p[1] != SB_ETF_SMALL_TUPLE)
        return NULL;
    *arity = p[2];
    if (memcmp(p + 3, head, sizeof head) == 0)
        return p + 3 + sizeof head;
    return memcmp(p + 3, head_utf8, sizeof head_utf8) == 0 ? p + 3 + sizeof head_utf8 : NULL;
}

static const uint8_t *
read_head(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev, uint32_t *tracee,
          const struct shape **s)
{
    const uint8_t *start = p;
    uint32_t arity;
    struct sb_str tag;
    bool latin1;
    ev->kind = FP_INCORRECT;
    if (!(p = message_head(p, end, &arity)) || arity < 5 || !(p = read_tracee(d, p, end, tracee)) ||
        !(p = sb_etf_atom(p, end, &tag, &latin1)))
        return NULL;
    *s = find_shape(tag, arity);
    if (!*s) {
        bool call = arity == 5 && sb_str_eq(tag, SB_STR("call"));
        ev->kind = call ? FP_INCORRECT_CALL : FP_INCORRECT;
        return NULL;
    }
    struct fp_head *h = &d->head[arity & 1];
    size_t n = (size_t)(p - start);
    if (n <= sizeof h->raw) {
        memcpy(h->raw, start, n);
        h->n = (uint32_t)n;
        h->tracee = *tracee;
        h->shape = (uint32_t)(*s - shapes);
    }
    return p;
}

static bool
decode_message(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev,
               uint32_t *tracee)
{
    const struct shape *s;
    const struct fp_head *h = end - p > 2 ? &d->head[p[2] & 1] : &d->head[0];
    if (h->n && (size_t)(end - p) >= h->n && fp_same_bytes(p, h->raw, h->n)) {
        *tracee = h->tracee;
        s = &shapes[h->shape];
        p += h->n;
    } else if (!(p = read_head(d, p, end, ev, tracee, &s))) {
        return false;
    }
    ev->kind = s->kind;
    ev->pid = *tracee;
    if (!(p = read_body(d, s, p, end, ev)))
        return false;
    if (decode_stamp(p, end, d->nanoseconds, &ev->t))
        return true;
    ev->kind = skip(p, end) ? FP_CRASH : FP_NO_TERM_AT_ALL;
    return false;
}

void
fp_decode(struct fp_decoder *d, const uint8_t *p, const uint8_t *end, struct fp_event *ev, uint32_t *tracee)
{
    *tracee = 0;
    if (decode_message(d, p, end, ev, tracee))
        return;
    SB_ARENA(scratch); /* to check whether any other payload is a term */
    struct sb_etf term;
    if (!sb_etf_decode_binary(p, (size_t)(end - p), &scratch, &term))
        ev->kind = FP_NO_TERM_AT_ALL;
}

bool
fp_decode_is_nanoseconds(const uint8_t *p, const uint8_t *end)
{
    uint32_t arity;
    p = message_head(p, end, &arity);
    for (uint32_t i = 2; p && i < arity; i++)
        p = sb_etf_skip(p, end);
    return p && end - p >= 2 && !(p[0] == SB_ETF_SMALL_TUPLE && p[1] == 3);
}
