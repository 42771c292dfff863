/*
 * Atoms and functions of a record, cached: most names were seen recently and are recognised by their bytes in
 * the file, before they are decoded. The keys are short, 5 to 60 bytes, and every event has about four. Atoms
 * of up to two words, such as those at the start of OTP's records, have a separate cache: a lookup has no
 * branch that depends on the length.
 */
#include "trace/otp/otp_names.h"

static inline uint64_t
mix2(uint64_t h, const uint8_t *p)
{
    const uint64_t k1 = 0x9e3779b97f4a7c15u, k2 = 0xc2b2ae3d27d4eb4fu;
    return h ^ (otp_word(p) * k1 + otp_word(p + 8) * k2);
}

/* Hashes the same words that otp_same_bytes compares. */
static inline uint64_t
hash_of(const uint8_t *p, uint32_t n, uint32_t arity)
{
    const uint64_t k = 0x9e3779b97f4a7c15u;
    uint64_t h = ((uint64_t)arity << 32 | n) * k;
    if (n < 8)
        return (h ^ otp_short_word(p, n)) * k;
    if (n < 16)
        return (h ^ (otp_word(p) * k + otp_word(p + n - 8))) * k;
    for (; n > 32; p += 16, n -= 16)
        h = mix2(h, p) * k;
    return mix2(mix2(h, p) * k, p + n - 16) * k;
}

/* Returns the few entries of a hash, the most recent one first. */
static inline struct otp_seen *
places(struct otp_decoder *d, uint64_t hash)
{
    return &d->seen[(hash >> (64 - OTP_SEEN_BITS)) / OTP_SEEN_PLACES * OTP_SEEN_PLACES];
}

static inline bool
recall(struct otp_decoder *d, uint64_t hash, const uint8_t *raw, uint32_t n, uint32_t arity, uint32_t *id)
{
    const struct otp_seen *s = places(d, hash);
    for (unsigned i = 0; i < OTP_SEEN_PLACES; i++, s++)
        if (s->hash == hash && s->n == n && s->arity == arity && otp_same_bytes(s->raw, raw, n)) {
            *id = s->id;
            return true;
        }
    return false;
}

static void
remember(struct otp_decoder *d, uint64_t hash, const uint8_t *raw, uint32_t n, uint32_t arity, uint32_t id)
{
    struct otp_seen *s = places(d, hash);
    if (n > OTP_SEEN_BYTES)
        return;
    memmove(s + 1, s, (OTP_SEEN_PLACES - 1) * sizeof *s);
    *s = (struct otp_seen){.hash = hash, .id = id, .arity = arity, .n = (uint16_t)n};
    memcpy(s->raw, raw, n);
}

enum { LONE_ATOM = UINT32_MAX }; /* in place of the arity, so that an atom never matches a function */

bool
otp_long_atom(struct otp_decoder *d, uint32_t *id)
{
    uint32_t header, n = otp_atom_bytes(d->p, d->end, &header);
    if (n == 0)
        return otp_bad(d, "an atom was expected");
    uint64_t hash = hash_of(d->p, n, LONE_ATOM);
    if (!recall(d, hash, d->p, n, LONE_ATOM, id)) {
        *id = otp_intern(d, d->p, n);
        remember(d, hash, d->p, n, LONE_ATOM, *id);
    }
    d->p += n;
    return true;
}

bool
otp_short_atom(struct otp_decoder *d, const uint64_t word[2], uint32_t *id)
{
    SB_TRY(otp_long_atom(d, id));
    *otp_place(d, word) = (struct otp_short){{word[0], word[1]}, *id};
    return true;
}

bool
otp_names_pair(struct otp_decoder *d, const uint8_t **raw, uint32_t *n)
{
    uint32_t header, first = otp_atom_bytes(d->p, d->end, &header);
    uint32_t second = first ? otp_atom_bytes(d->p + first, d->end, &header) : 0;
    if (second == 0)
        return otp_bad(d, "module and function were expected");
    *raw = d->p;
    *n = first + second;
    d->p += *n;
    return true;
}

uint32_t
otp_mfa_of(struct otp_decoder *d, const uint8_t *raw, uint32_t n, uint32_t arity)
{
    uint32_t id;
    uint64_t hash = hash_of(raw, n, arity);
    if (recall(d, hash, raw, n, arity, &id))
        return id;
    uint32_t header, first = otp_atom_bytes(raw, raw + n, &header);
    struct sb_mfa mfa = {otp_intern(d, raw, first), otp_intern(d, raw + first, n - first), arity};
    id = sb_names_mfa(d->names, mfa);
    remember(d, hash, raw, n, arity, id);
    return id;
}

/* Reads an arity or arguments: [1,2] may be a string of two bytes. */
static bool
arity_or_args(struct otp_decoder *d, uint32_t *arity)
{
    int64_t v;
    if (otp_is_int(otp_peek(d))) {
        if (!otp_int(d, &v))
            return false;
        *arity = v < 0 || v > 0xffffff ? 0xffffff : (uint32_t)v;
        return true;
    }
    const uint8_t *p = d->p;
    if (otp_peek(d) == SB_ETF_STRING && !otp_short_of(d, 3))
        *arity = sb_get_be16(p + 1);
    else if (otp_peek(d) == SB_ETF_LIST && !otp_short_of(d, 5))
        *arity = sb_get_be32(p + 1);
    else if (otp_peek(d) == SB_ETF_NIL)
        *arity = 0;
    else
        return otp_bad(d, "arity or arguments were expected");
    return otp_skip(d);
}

/* Recognises a cached {M, F, Arity}. Bytes equal to a cached term are well formed, so the names are not
 * decoded. */
static inline bool
known_mfa(struct otp_decoder *d, uint32_t *id)
{
    enum { SHORTEST = 16 };
    const uint8_t *p = d->p, *names = p + 2;
    if (d->end - p < SHORTEST || p[0] != SB_ETF_SMALL_TUPLE || p[1] != 3)
        return false;
    uint32_t n = otp_atom_size(names);
    if (d->end - names < n + SHORTEST)
        return false;
    n += otp_atom_size(names + n);
    const uint8_t *arity = names + n;
    if (n > OTP_SEEN_BYTES || d->end - arity < 2 || arity[0] != SB_ETF_SMALL_INT)
        return false;
    d->p = arity + 2;
    return recall(d, hash_of(names, n, arity[1]), names, n, arity[1], id);
}

bool
otp_mfa(struct otp_decoder *d, uint32_t *id)
{
    const uint8_t *start = d->p;
    if (known_mfa(d, id))
        return true;
    d->p = start;
    const uint8_t *raw;
    uint32_t n, arity;
    if (!otp_tuple(d, &arity) || arity != 3)
        return otp_bad(d, "a function was expected");
    SB_TRY(otp_names_pair(d, &raw, &n));
    SB_TRY(arity_or_args(d, &arity));
    *id = otp_mfa_of(d, raw, n, arity);
    return true;
}
